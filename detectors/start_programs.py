"""Generated code that works with starts alone: a function for single instants, and what stands in compiled loops."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from typing import cast

from detectors.carried import START, of_now, with_present
from detectors.demand import Demand, demand, needs, points
from detectors.event_operands import OCCURS, followed, for_events
from detectors.parts import Part, code, comment
from detectors.programs import program
from detectors.specialisation import StartRewriting, initial
from detectors.straight_line import straight_line
from detectors.templates import placed
from semantics.expressions import Expression, Identifier, Operation
from semantics.occurrences import Time


def start_variables(wanted: Demand) -> tuple[str, ...]:
    """The variables that a program keeps between instants: the time, and starts; all -1 at first."""
    return ("now", *(name for part in wanted.parts for name in own_variables(part)))


def own_variables(part: Part) -> tuple[str, ...]:
    """The variables in which the step of a part keeps starts."""
    if part.place is None:
        return ()
    return tuple(placed(part, _own).split())


def _own(part: Part) -> str:
    assert part.place is not None
    carried = needs(part)
    suffixes = dict.fromkeys([START, *part.suffixes])
    return " ".join(
        name + suffix
        for name in map(part.place.variable, initial(part.place.step))
        for suffix in suffixes
        if suffix in carried[name]
    )


def start_program(expression: Expression) -> str:
    """The text of a function that makes a step from a time and a letter to the start of the current instance, or -1."""
    wanted = demand(expression)
    letters = ", ".join(f"{name} is {1 << bit}" for bit, name in enumerate(wanted.names))
    checked = """\
if time <= now:
    raise not_later(time, now)
now = time"""
    return program(
        f"Detects the starts of {expression}. In a letter, {letters}.",
        [],
        start_variables(wanted),
        "time, letter",
        [checked, *_step_body(wanted)],
    )


def _step_body(wanted: Demand) -> list[str]:
    """The statements for a single instant, where event types are asked for when they are needed; the last returns."""
    bit = {name: 1 << index for index, name in enumerate(wanted.names)}
    occurs = {
        f"a{part.number}": f"letter & {sum(bit[name] for name in names)}"
        for part in wanted.parts
        if (names := points(part.expression))
    }
    restrictions = restricting(wanted)
    restricted = {restriction.number for restriction in restrictions.values()}
    lines = []
    for part in wanted.parts:
        if part.place is not None and part.place.result not in occurs and part.number not in restricted:
            events = tuple(operand in occurs for operand in (part.place.left, part.place.right))
            restriction = restrictions.get(part.number)
            if restriction is None:
                text = placed(part, _of_one_step, *events)
            else:
                text = placed(part, _of_restricted_step, *events, through=restriction)
            text = re.sub(r"\bnow\b", "time", with_present(text))  # the same, and quicker to read
            text = re.sub(rf"\b{OCCURS}(a\d+)\b", lambda name: occurs[name[1]], text)
            lines += [comment(part), *([comment(restriction)] if restriction else []), text]
    if not lines:
        return [f"return time if {occurs[wanted.result]} else -1"]
    return _without_unread(_without_copies("\n".join([*lines, f"return {wanted.result}"]).splitlines()))


def _without_copies(lines: Sequence[str]) -> list[str]:
    """Lines where what would get a copy of a current start is that start itself."""
    copied: dict[str, str] = {}
    result = []
    for line in lines:
        if copied and not line.startswith("#"):
            line = re.sub(r"\ba[\d_]+\b", lambda name: copied.get(name[0], name[0]), line)
        copy = re.fullmatch(r"(a[\d_]+) = (a[\d_]+)", line)
        if copy:
            copied[copy[1]] = copy[2]
        else:
            result.append(line)
    return result


def _without_unread(lines: Sequence[str]) -> list[str]:
    """Lines without the starts of current instances that only lookups would read."""
    assigning = re.compile(r" *(a\d+(?:_\d+)*) = ")
    left = list(lines)
    while True:
        targets = {match[1] for line in left if (match := assigning.match(line))}
        code_lines = [assigning.sub("", line, 1) for line in left if not line.startswith("#")]
        unread = targets - set(re.findall(r"\ba[\d_]+\b", "\n".join(code_lines)))
        if not unread:
            return left
        left = [line for line in left if not ((match := assigning.match(line)) and match[1] in unread)]


def restricting(wanted: Demand) -> dict[int, Part]:
    """The restriction through which the instances of an operation go, and nowhere else, by the operation's number."""
    operations = [part for part in wanted.parts if part.place is not None]
    readers: dict[str, list[Part]] = {}
    for part in operations:
        assert part.place is not None
        for operand in dict.fromkeys((part.place.left, part.place.right)):
            readers.setdefault(operand, []).append(part)
    found: dict[int, Part] = {}
    for part in operations:
        match readers.get(f"a{part.number}"):
            case [reader] if _is_restriction(reader) and not _is_restriction(part):
                found[part.number] = reader
    return found


def _is_restriction(part: Part) -> bool:
    return isinstance(part.expression, Operation) and part.expression.operator == "tim"


def _of_one_step(part: Part, *events: bool) -> str:
    return code(_of_events(part, *events))


def _of_restricted_step(part: Part, restriction: Part, *events: bool) -> str:
    assert part.place is not None and restriction.place is not None
    following = StartRewriting(restriction.place, restriction.suffixes).statements()
    return code(followed(_of_events(part, *events), part.place.result, following))


def _of_events(part: Part, *events: bool) -> list[ast.stmt]:
    place = part.place
    assert place is not None
    statements = StartRewriting(place, part.suffixes).statements()
    operands = [name for name, is_event in zip((place.left, place.right), events, strict=True) if is_event]
    return for_events(statements, dict.fromkeys(operands), _remembered(part))


def _remembered(part: Part) -> list[str]:
    assert part.place is not None
    return [*map(part.place.variable, initial(part.place.step))]


def loop_body(found: Sequence[Part], occurs: Mapping[str, str]) -> list[str]:
    """The statements of a compiled loop that compute the start of each current instance from `now`.

    Args:
        found: the subexpressions.
        occurs: by event type, the text of a condition: whether it occurs now.
    """
    lines = []
    for part in found:
        lines.append(comment(part))
        if part.place is None:
            condition = occurs[cast(Identifier, part.expression).name]
            lines += [
                f"a{part.number}{suffix} = {of_now(suffix)} if {condition} else -1"
                for suffix in part.suffixes
            ]
        else:
            lines.append(placed(part, _of_loops))
    return lines


def _of_loops(part: Part) -> str:
    assert part.place is not None
    statements = StartRewriting(part.place, part.suffixes).statements()
    return code(straightened(part, for_events(statements, (), _remembered(part))))


def straightened(part: Part, statements: Sequence[ast.stmt]) -> list[ast.stmt]:
    """The statements of a step without branches that can be avoided."""
    place = part.place
    assert place is not None
    operands = [place.left, place.right, place.match]
    known = {"now", *operands, *(name + suffix for name in operands for suffix in part.suffixes)}
    return straight_line(statements, {*known, *own_variables(part)})


def _not_later(time: Time, now: Time) -> ValueError:
    return ValueError(f"time {time} is not later than time {now} of the instant before")


START_FUNCTIONS: Mapping[str, object] = {"not_later": _not_later}
"""What the programs for starts refer to."""
