"""Cases near one that ever failed: where a fault was, another one is likely.

A few small changes of trace and expression: an occurrence a tick earlier or later, one more or less, another event
type in a place, a bound greater or smaller by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from campaigns.carlson_lisper.cases import Case
from campaigns.choices import Source
from semantics.carlson_lisper.expressions import (
    Expression,
    Identifier,
    Operation,
    bottom_up,
    evaluate_bound,
    identifiers,
)
from semantics.carlson_lisper.occurrences import Occurrence

CHANGES = (1, 1, 2, 3)
"""So many changes are made."""


def nearby(case: Case, source: Source) -> Case:
    """A case that differs from another one in a few places; a change that is not possible is left out.

    Where the case has places for snapshots, half of the new ones have their own.
    """
    for _ in range(CHANGES[source.below(len(CHANGES))]):
        case = _CHANGES[source.below(len(_CHANGES))](case, source)
    if case.restored is not None and source.chance(50):
        return replace(case, restored=None)
    return case


def _moved(case: Case, source: Source) -> Case:
    """An occurrence a tick or two earlier or later, alone or with all that come after it."""
    if not case.occurrences:
        return case
    place = source.below(len(case.occurrences))
    ticks = (-2, -1, 1, 2)[source.below(4)]
    last = len(case.occurrences) if source.chance(50) else place + 1
    moved = (each._replace(time=max(0, each.time + ticks)) for each in case.occurrences[place:last])
    return _with_trace(case, [*case.occurrences[:place], *moved, *case.occurrences[last:]])


def _dropped(case: Case, source: Source) -> Case:
    place = source.below(len(case.occurrences) + 1)
    return _with_trace(case, case.occurrences[:place] + case.occurrences[place + 1 :])


def _added(case: Case, source: Source) -> Case:
    """One occurrence more, at or beside another one."""
    names = sorted(identifiers(case.expression))
    times = [each.time for each in case.occurrences] or [0]
    time = max(0, times[source.below(len(times))] + source.between(-1, 1))
    return _with_trace(case, [*case.occurrences, Occurrence(names[source.below(len(names))], time)])


def _renamed(case: Case, source: Source) -> Case:
    """An event type in the place of another one, in the expression alone."""
    names = sorted(identifiers(case.expression) | {each.event for each in case.occurrences})
    old, new = (Identifier(names[source.below(len(names))]) for _ in range(2))
    return replace(case, expression=_replaced(case.expression, old, new))


def _bounded(case: Case, source: Source) -> Case:
    """A bound greater or smaller by one."""
    parts = [p for p in bottom_up(case.expression) if isinstance(p, Operation) and p.bound is not None]
    if not parts:
        return case
    part = parts[source.below(len(parts))]
    bound = max(0, evaluate_bound(part.bound or 0) + (1 if source.chance(50) else -1))
    return replace(case, expression=_replaced(case.expression, part, replace(part, bound=bound)))


_CHANGES: tuple[Callable[[Case, Source], Case], ...] = (_moved, _moved, _dropped, _added, _renamed, _bounded)


def _with_trace(case: Case, occurrences: Iterable[Occurrence]) -> Case:
    """The case with another trace, put in order; one occurrence of a type at one time is kept (Def. 3.4)."""
    kept: dict[tuple[int, str], Occurrence] = {}
    for each in occurrences:
        kept.setdefault((each.time, each.event), each)
    return replace(case, occurrences=tuple(sorted(kept.values(), key=Occurrence.sort_key)))


def _replaced(expression: Expression, old: Expression, new: Expression) -> Expression:
    """The expression with another part in all places of one."""
    if expression == old:
        return new
    if isinstance(expression, Operation):
        operands = tuple(_replaced(operand, old, new) for operand in expression.operands)
        return replace(expression, operands=operands)
    return expression
