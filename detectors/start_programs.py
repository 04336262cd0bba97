"""Generated code that works with starts alone: a function for single instants, and what stands in compiled loops."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from typing import cast

from detectors.carried import START, of_now, with_present
from detectors.demand import Demand, demand, needs
from detectors.event_operands import OCCURS, for_events
from detectors.parts import Part, code, comment
from detectors.programs import program
from detectors.specialisation import StartRewriting, initial
from detectors.straight_line import straight_line
from detectors.templates import placed
from semantics.expressions import Expression, Identifier
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
        [checked, *_step_body(wanted), f"return {wanted.result}"],
    )


def _step_body(wanted: Demand) -> list[str]:
    """The statements for a single instant, where event types are asked for when they are needed."""
    occurs = {
        f"a{part.number}": f"letter & {1 << wanted.names.index(part.expression.name)}"
        for part in wanted.parts
        if isinstance(part.expression, Identifier)
    }
    lines = []
    for part in wanted.parts:
        if part.place is not None:
            events = tuple(operand in occurs for operand in (part.place.left, part.place.right))
            text = placed(part, _of_one_step, *events)
            text = re.sub(r"\bnow\b", "time", with_present(text))  # the same, and quicker to read
            lines += [comment(part), re.sub(rf"\b{OCCURS}(a\d+)\b", lambda name: occurs[name[1]], text)]
    if not lines:
        return [f"{wanted.result} = time if {occurs[wanted.result]} else -1"]
    return _without_unread("\n".join(lines).splitlines(), wanted.result)


def _without_unread(lines: Sequence[str], result: str) -> list[str]:
    """Lines without the starts of current instances that only lookups would read."""
    assigning = re.compile(r" *(a\d+(?:_\d+)*) = ")
    left = list(lines)
    while True:
        targets = {match[1] for line in left if (match := assigning.match(line))}
        code_lines = [assigning.sub("", line, 1) for line in left if not line.startswith("#")]
        unread = targets - {result} - set(re.findall(r"\ba[\d_]+\b", "\n".join(code_lines)))
        if not unread:
            return left
        left = [line for line in left if not ((match := assigning.match(line)) and match[1] in unread)]


def _of_one_step(part: Part, *events: bool) -> str:
    place = part.place
    assert place is not None
    statements = StartRewriting(place, part.suffixes).statements()
    operands = [name for name, is_event in zip((place.left, place.right), events, strict=True) if is_event]
    return code(for_events(statements, dict.fromkeys(operands), _remembered(part)))


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
