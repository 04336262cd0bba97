"""Reductions: the ways in which a case is made smaller, each as candidates, the boldest first.

Which of them still fails is for `campaigns.judging.minimise` to find out.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import accumulate

from campaigns.carlson_lisper.cases import Case
from campaigns.carlson_lisper.meaning import Meaning
from semantics.carlson_lisper.expressions import (
    Expression,
    Identifier,
    Operation,
    bottom_up,
    evaluate_bound,
    identifiers,
    size,
    substitute,
)
from semantics.carlson_lisper.occurrences import Occurrence, Time
from semantics.events import Interval

FEW = 4
"""So many event types are tried in the place of an operation…"""

MANY = 40
"""…or one, in an expression of more nodes: what cannot be tried everywhere is tried where it is cheap."""


def _what_matters(case: Case) -> Iterator[Case]:
    """Without occurrences of what the expression does not mention, and without parts that never happen."""
    types = identifiers(case.expression)
    kept = tuple(each for each in case.occurrences if each.event in types)
    possible = _possible(case.expression, {each.event for each in case.occurrences})
    if possible is not None:
        types = identifiers(possible)
        yield replace(case, expression=possible, occurrences=tuple(o for o in kept if o.event in types))
        yield replace(case, expression=possible)
    yield replace(case, occurrences=kept)


def _possible(expression: Expression, types: set[str]) -> Expression | None:
    """The expression without the operands in which something has to happen that never does; None if it is all."""
    made: dict[Expression, Expression | None] = {}
    for part in bottom_up(expression):
        if isinstance(part, Identifier):
            made[part] = part if part.name in types else None
            continue
        assert isinstance(part, Operation)  # there is nothing else
        operands = [made[operand] for operand in part.operands]
        left = [operand for operand in operands if operand is not None]
        if len(left) == len(operands):
            made[part] = replace(part, operands=tuple(left))
        elif part.operator == "dis" or (part.operator == "neg" and operands[0] is not None):
            made[part] = left[0] if left else None
        else:
            made[part] = None
    return made[expression]


def _common_names(case: Case) -> Iterator[Case]:
    """One event type for all, or a few for many; or letters for names."""
    used = sorted(identifiers(case.expression) | {each.event for each in case.occurrences})
    for types in (1, 2, 4, 8, 16):
        if types < len(used):
            yield _with_names(case, {name: _letter(n * types // len(used)) for n, name in enumerate(used)})
    letters = sorted(_letter(n) for n in range(len(used)))  # the order of the names may matter
    yield _with_names(case, dict(zip(used, letters, strict=True)))


def _letter(number: int) -> str:
    """The name of the event type with a number: a letter, or a letter and a number where there are more."""
    turn, place = divmod(number, 26)
    return chr(ord("a") + place) + (str(turn) if turn else "")


def _fewer_snapshots(case: Case) -> Iterator[Case]:
    """Fewer snapshots that are restored, or one of them earlier."""
    restored = case.restored or ()
    for begin, stop in _runs(len(restored)):
        yield replace(case, restored=restored[:begin] + restored[stop:])
    for place, tick in enumerate(restored):
        for smaller in _smaller_numbers(tick, restored[place - 1] if place else 0):
            yield replace(case, restored=(*restored[:place], smaller, *restored[place + 1 :]))


def _part_alone(case: Case) -> Iterator[Case]:
    """An operand instead of the whole, or any subexpression, the smallest first."""
    if isinstance(case.expression, Operation):
        for operand in case.expression.operands:
            yield replace(case, expression=operand)
    parts = sorted((part for _, part in positions(case.expression)), key=size)
    for part in parts[:-1]:
        yield replace(case, expression=part)


def _operand_for_operation(case: Case) -> Iterator[Case]:
    for position, node in positions(case.expression):
        if isinstance(node, Operation):
            for operand in node.operands:
                yield replace(case, expression=_replaced(case.expression, position, operand))


def _name_for_operation(case: Case) -> Iterator[Case]:
    names = sorted(identifiers(case.expression))[: FEW if size(case.expression) <= MANY else 1]
    for position, node in positions(case.expression):
        if isinstance(node, Operation) and position:
            for name in names:
                yield replace(case, expression=_replaced(case.expression, position, Identifier(name)))


def _event_for_operation(case: Case) -> Iterator[Case]:
    """A new event type in the place of an operation, which occurs where that ends or starts.

    It is tried with all other occurrences, and without those within what the operation spans.
    """
    used = identifiers(case.expression) | {each.event for each in case.occurrences}
    new = next(name for name in map(_letter, range(len(used) + 1)) if name not in used)
    for position, node in positions(case.expression):
        if not isinstance(node, Operation) or not position:
            continue
        expression = _replaced(case.expression, position, Identifier(new))
        spans = Meaning(replace(case, expression=node)).expected
        ends, starts = {span.end for span in spans}, {span.start for span in spans}
        outside = _outside(case.occurrences, spans)
        for times in (ends, starts, ends | starts):
            added = [Occurrence(new, time) for time in times]
            for others in (case.occurrences, outside):
                yield replace(case, expression=expression, occurrences=_in_order([*others, *added]))
            if size(case.expression) > MANY:
                break


def _outside(occurrences: tuple[Occurrence, ...], spans: tuple[Interval, ...]) -> tuple[Occurrence, ...]:
    """The occurrences that are in none of some intervals, which are in the order of their ends."""
    ends = [end for _, end in spans]
    earliest = list(accumulate((start for start, _ in reversed(spans)), min))[
        ::-1
    ]  # of those that end as late
    kept = []
    for each in occurrences:
        place = bisect_left(ends, each.time)
        if place == len(spans) or each.time < earliest[place]:
            kept.append(each)
    return tuple(kept)


def _fewer_occurrences(case: Case) -> Iterator[Case]:
    """The trace without a run of occurrences, long runs first."""
    for begin, stop in _runs(len(case.occurrences)):
        yield replace(case, occurrences=case.occurrences[:begin] + case.occurrences[stop:])


def _fewer_types(case: Case) -> Iterator[Case]:
    """One event type renamed to an earlier letter, in use or not."""
    used = sorted(identifiers(case.expression) | {o.event for o in case.occurrences})
    letters = [_letter(number) for number in range(len(used))]
    for old in reversed(used):
        earlier = [new for new in sorted({*used, *letters}) if new < old]
        for new in earlier if len(used) <= 2 * FEW else earlier[:1]:
            yield _with_names(case, {old: new})


def _fewer_values(case: Case) -> Iterator[Case]:
    """The trace without values, or without one of them."""
    yield replace(case, occurrences=tuple(o._replace(value=None) for o in case.occurrences))
    for position, occurrence in enumerate(case.occurrences):
        if occurrence.value is not None:
            bare = occurrence._replace(value=None)
            kept = case.occurrences
            yield replace(case, occurrences=(*kept[:position], bare, *kept[position + 1 :]))


def _smaller_bounds(case: Case) -> Iterator[Case]:
    for position, node in _bounds(case.expression):
        for bound in _smaller_numbers(evaluate_bound(node.bound or 0), 0):
            yield replace(case, expression=_replaced(case.expression, position, replace(node, bound=bound)))


def _shorter_gaps(case: Case) -> Iterator[Case]:
    """A shorter gap between two instants, or before the first; alone, or with a bound as much shorter."""
    times = sorted({o.time for o in case.occurrences})
    for time, before in zip(times, [-1, *times], strict=False):
        for gap in _smaller_numbers(time - before, 1):
            less = time - before - gap
            shifted = _shifted(case.occurrences, time, less)
            moved = replace(case, occurrences=shifted, restored=_earlier(case.restored, time, less))
            yield moved
            for position, node in _bounds(case.expression):
                bound = evaluate_bound(node.bound or 0) - less
                if bound >= 0:
                    bounded = replace(node, bound=bound)
                    yield replace(moved, expression=_replaced(case.expression, position, bounded))


def _earlier(restored: tuple[Time, ...] | None, since: Time, less: Time) -> tuple[Time, ...] | None:
    """Where snapshots are restored in a trace in which everything from a time on is earlier."""
    if restored is None:
        return None
    return tuple(tick if tick <= since - less else max(tick, since) - less for tick in restored)


REDUCTIONS: tuple[Callable[[Case], Iterator[Case]], ...] = (
    _what_matters,
    _common_names,
    _fewer_snapshots,
    _part_alone,
    _fewer_occurrences,
    _operand_for_operation,
    _name_for_operation,
    _event_for_operation,
    _fewer_types,
    _fewer_values,
    _smaller_bounds,
    _shorter_gaps,
)
"""The reductions in the order in which they are tried; each yields candidates, the boldest first."""


# --------------------------------------------------------------------------------------------- parts of cases

_Position = tuple[int, ...]
"""The way from the root to a node: which operand to take at each operation."""


def positions(expression: Expression) -> Iterator[tuple[_Position, Expression]]:
    """All nodes as written, from the root down."""
    pending: list[tuple[_Position, Expression]] = [((), expression)]
    while pending:
        position, node = pending.pop()
        yield position, node
        if isinstance(node, Operation):
            pending += [((*position, i), operand) for i, operand in enumerate(node.operands)][::-1]


def _bounds(expression: Expression) -> Iterator[tuple[_Position, Operation]]:
    for position, node in positions(expression):
        if isinstance(node, Operation) and node.bound is not None:
            yield position, node


def _replaced(expression: Expression, position: _Position, new: Expression) -> Expression:
    above: list[tuple[Operation, int]] = []
    for index in position:
        assert isinstance(expression, Operation)  # a position leads through operations
        above.append((expression, index))
        expression = expression.operands[index]
    for operation, index in reversed(above):
        operands = operation.operands
        new = replace(operation, operands=(*operands[:index], new, *operands[index + 1 :]))
    return new


def _with_names(case: Case, names: Mapping[str, str]) -> Case:
    """The case with other names for some event types, of which several may get the same."""
    new = {name: Identifier(other) for name, other in names.items()}
    occurrences = [each._replace(event=names.get(each.event, each.event)) for each in case.occurrences]
    return replace(case, expression=substitute(case.expression, new), occurrences=_in_order(occurrences))


def _in_order(occurrences: Iterable[Occurrence]) -> tuple[Occurrence, ...]:
    """The occurrences in order, one for each time and event type (Def. 3.4)."""
    ordered = sorted(occurrences, key=Occurrence.sort_key)
    return tuple({(o.time, o.event): o for o in reversed(ordered)}.values())[::-1]


def _shifted(occurrences: tuple[Occurrence, ...], since: Time, ticks: int) -> tuple[Occurrence, ...]:
    return tuple(o._replace(time=o.time - ticks) if o.time >= since else o for o in occurrences)


def _smaller_numbers(number: int, least: int) -> Iterator[int]:
    """Smaller numbers down to the least one, the boldest first: each step is half of the one before."""
    step = number - least
    while step > 0:
        yield number - step
        step //= 2


def _runs(length: int) -> Iterator[tuple[int, int]]:
    """The beginnings and ends of runs that a sequence may lose, long ones first."""
    run = length
    while run:
        for begin in range(0, length, run):
            yield begin, begin + run
        run //= 2
