"""Text of an instant in programs that work with starts alone."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence

from detectors.carlson_lisper.generated.carried import START, with_present
from detectors.carlson_lisper.generated.demand import needs, points
from detectors.carlson_lisper.generated.event_operands import OCCURS, followed, for_events
from detectors.carlson_lisper.generated.parts import Part, code, comment
from detectors.carlson_lisper.generated.specialisation import StartRewriting, initial
from detectors.carlson_lisper.generated.templates import placed
from semantics.carlson_lisper.expressions import Operation

Question = Callable[[Sequence[str]], str]
"""Makes of some event types the text of a condition: whether one of them occurs now."""


def mask(types: Sequence[str], names: Sequence[str]) -> int:
    """The letter in which some event types of an alphabet occur."""
    return sum(1 << names.index(name) for name in types)


def start_variables(parts: Sequence[Part]) -> tuple[str, ...]:
    """The variables that a program keeps between instants: the time, and starts; all -1 at first."""
    return ("now", *(name for part in parts for name in own_variables(part)))


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


def instant(parts: Sequence[Part], occurs: Question) -> tuple[list[str], str]:
    """What happens at the instant `now`.

    Args:
        parts: the subexpressions that are computed, bottom-up.
        occurs: asks for event types.

    Returns:
        The statements, and the variable with the start of the last subexpression's current instance.
    """
    question = {f"a{part.number}": occurs(types) for part in parts if (types := points(part.expression))}
    result = f"a{parts[-1].number}"
    if result in question:
        return [f"{result} = now if {question[result]} else -1"], result
    restrictions = _restricting(parts)
    restricted = {restriction.number for restriction in restrictions.values()}
    lines: list[str] = []
    for part in parts:
        place = part.place
        if place is None or place.result in question or part.number in restricted:
            continue
        restriction = restrictions.get(part.number)
        chosen = (place.left in question, place.right in question)
        if restriction is None:
            text = placed(part, _of_part, *chosen)
        else:
            text = placed(part, _of_restricted_part, *chosen, through=restriction)
        text = re.sub(rf"\b{OCCURS}(a\d+)\b", lambda name: question[name[1]], with_present(text))
        lines += [comment(part), *([comment(restriction)] if restriction else []), *text.splitlines()]
    return _without_copies(lines, result)


def _restricting(parts: Sequence[Part]) -> dict[int, Part]:
    """The restriction through which the instances of an operation go, and nowhere else, by the operation's number."""
    readers: dict[str, list[Part]] = {}
    for part in parts:
        if part.place is not None:
            for operand in dict.fromkeys((part.place.left, part.place.right)):
                readers.setdefault(operand, []).append(part)
    found: dict[int, Part] = {}
    for part in parts:
        match readers.get(f"a{part.number}"):
            case [reader] if _is_restriction(reader):
                found[part.number] = reader
    return found


def _is_restriction(part: Part) -> bool:
    return isinstance(part.expression, Operation) and part.expression.operator == "tim"


def _of_part(part: Part, left: bool, right: bool) -> str:
    return _text(part, None, left, right)


def _of_restricted_part(part: Part, restriction: Part, left: bool, right: bool) -> str:
    return _text(part, restriction, left, right)


def _step(part: Part) -> list[ast.stmt]:
    assert part.place is not None
    return StartRewriting(part.place, part.suffixes).statements()


def _text(part: Part, restriction: Part | None, left: bool, right: bool) -> str:
    """The text of a part's step, whose operands may be event types, and of the restriction of its result."""
    place = part.place
    assert place is not None
    remembered = list(map(place.variable, initial(place.step)))
    events = [name for name, is_event in ((place.left, left), (place.right, right)) if is_event]
    statements = for_events(_step(part), dict.fromkeys(events), remembered)
    if restriction is not None:
        statements = followed(statements, place.result, _step(restriction))
    return code(statements)


def _without_copies(lines: Sequence[str], result: str) -> tuple[list[str], str]:
    """Lines where what would get a copy of a current start is that start itself; and so for the result."""
    copied: dict[str, str] = {}
    left = []
    for line in lines:
        if copied and not line.startswith("#"):
            line = re.sub(r"\ba[\d_]+\b", lambda name: copied.get(name[0], name[0]), line)
        copy = re.fullmatch(r"(a[\d_]+) = (a[\d_]+)", line)
        if copy:
            copied[copy[1]] = copy[2]
        else:
            left.append(line)
    return left, copied.get(result, result)
