"""Elimination of quantifiers over matrices of intervals: how a comprehension is computed, once per definition.

Where a condition only ever bounds a free endpoint from one side, its least or greatest value decides. What is found out
here, from the formula alone, is carried out by `semantics.carlson_lisper.intervals` on the matrices of a trace.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from semantics.carlson_lisper.operators import BOUND_NAME, Comprehension
from semantics.carlson_lisper.staged import Test, staged
from semantics.formulas import And, Compare, Difference, End, Exists, Formula, Not, Start, Term


class _Unsupported(Exception):
    """The definition needs a quantifier elimination that is not one-sided."""


@dataclass(frozen=True)
class Absent:
    """An atom: no interval of a stream satisfies comparisons with a given one.

    Attributes:
        atoms: what has to hold of the given one besides, for there to be any.
    """

    atoms: tuple[Atom, ...]
    free: Query


Atom: TypeAlias = "Test | Absent"
"""A condition on given spans: a comparison, which yields a matrix, or an absence."""


@dataclass(frozen=True)
class Limits:
    """The indices of a table between which an endpoint may lie, one-sided.

    Attributes:
        lower: whether the thresholds are the least indices, and not the ones after the greatest.
        thresholds: whether it is given by the end of the given interval, and what is added to its index.
    """

    lower: bool
    thresholds: tuple[tuple[bool, int], ...]


@dataclass(frozen=True)
class Query:
    """Asks for an interval of a stream between limits of its start and its end."""

    stream: str
    limits: tuple[Limits, Limits]


@dataclass(frozen=True)
class Kept:
    """{ x | x ∈ stream, atoms }."""

    variable: str
    stream: str
    atoms: tuple[Atom, ...]


@dataclass(frozen=True)
class Inside:
    """The unions of which one part spans the whole, and the other one lies within it."""

    fixed: Kept
    free: Query


@dataclass(frozen=True)
class Crossing:
    """The unions that start with x and end with y, and whether the greatest end of x and start of y decide."""

    x: Kept
    y: Kept
    greatest_end: bool
    greatest_start: bool
    atoms: tuple[Atom, ...]


@dataclass(frozen=True)
class Joined:
    """{ x ∪ y }: the result's start and end each come from one of the two."""

    insides: tuple[Inside, Inside]
    crossings: tuple[Crossing, Crossing]


@cache
def elimination(comprehension: Comprehension) -> Kept | Joined | None:
    """How to compute the matrix of a comprehension; None if the elimination is not one-sided."""
    conditions = list(_conjuncts(comprehension.condition))
    streams = dict(comprehension.ranges)
    if set(comprehension.result) != set(streams):
        return None
    try:
        if len(streams) == 1:
            ((variable, stream),) = streams.items()
            return Kept(variable, stream, _atoms(conditions, variable))
        if len(streams) == 2:
            x, y = streams
            return Joined(
                (_inside(x, y, streams, conditions), _inside(y, x, streams, conditions)),
                (_crossing(x, y, streams, conditions), _crossing(y, x, streams, conditions)),
            )
    except _Unsupported:
        pass
    return None


def _atoms(conditions: Iterable[Formula], *given: str) -> tuple[Atom, ...]:
    """Conditions as atoms; absences are those of intervals that are compared with a single given one."""
    atoms: list[Atom] = []
    for condition in conditions:
        match condition:
            case Compare():
                atoms.append(staged(condition, elements=given, times=(BOUND_NAME,)))
            case Not(Exists(free, stream, body)) if len(given) == 1:
                own, query = _divided(given[0], free, stream, list(_conjuncts(body)))
                atoms.append(Absent(_atoms(own, *given), query))
            case _:
                raise _Unsupported
    return tuple(atoms)


def _divided(
    fixed: str, free: str, stream: str, conditions: Sequence[Formula]
) -> tuple[list[Formula], Query]:
    """The conditions that speak of `fixed` alone, and the others as a query for `free`."""
    own = [condition for condition in conditions if _variables(condition) <= {fixed}]
    shared = [condition for condition in conditions if condition not in own]
    return own, _query(fixed, free, stream, shared)


def _inside(fixed: str, free: str, streams: Mapping[str, str], conditions: Sequence[Formula]) -> Inside:
    within = [Start(fixed) <= Start(free), End(free) <= End(fixed)]
    own, query = _divided(fixed, free, streams[free], [*conditions, *within])
    return Inside(Kept(fixed, streams[fixed], _atoms(own, fixed)), query)


def _query(fixed: str, free: str, stream: str, conditions: Iterable[Formula]) -> Query:
    found: defaultdict[tuple[Start | End, bool], list[tuple[bool, int]]] = defaultdict(list)
    for condition in conditions:
        if not isinstance(condition, Compare) or condition.relation == "=":
            raise _Unsupported
        left, right = condition.left, condition.right
        if not isinstance(left, Start | End) or not isinstance(right, Start | End):
            raise _Unsupported
        strict = int(condition.relation == "<")
        if left.variable == fixed and right.variable == free:
            found[right, True].append((isinstance(left, End), strict))
        elif left.variable == free and right.variable == fixed:
            found[left, False].append((isinstance(right, End), 1 - strict))
        else:
            raise _Unsupported

    def limits(endpoint: Start | End) -> Limits:
        lower, upper = found[endpoint, True], found[endpoint, False]
        if lower and upper:
            raise _Unsupported
        return Limits(bool(lower), tuple(lower or upper))

    return Query(stream, (limits(Start(free)), limits(End(free))))


def _crossing(x: str, y: str, streams: Mapping[str, str], conditions: Sequence[Formula]) -> Crossing:
    conditions = [*conditions, Start(x) <= Start(y), End(x) <= End(y)]
    directions = {End(x): set[int](), Start(y): set[int]()}
    for condition in conditions:
        if not isinstance(condition, Compare) or condition.relation == "=":
            raise _Unsupported
        for term, side in ((condition.left, -1), (condition.right, 1)):
            for endpoint, sign in _endpoints(term):
                if endpoint in directions:
                    directions[endpoint].add(side * sign)
    if any(len(wanted) > 1 for wanted in directions.values()):
        raise _Unsupported
    return Crossing(
        Kept(x, streams[x], ()),
        Kept(y, streams[y], ()),
        directions[End(x)] == {1},
        directions[Start(y)] == {1},
        _atoms(conditions, x, y),
    )


def _endpoints(term: Term, sign: int = 1) -> Iterator[tuple[Start | End, int]]:
    """The endpoints in a term with the sign with which they count."""
    match term:
        case Start() | End():
            yield term, sign
        case Difference(left, right):
            yield from _endpoints(left, sign)
            yield from _endpoints(right, -sign)


def _conjuncts(formula: Formula) -> Iterator[Formula]:
    if isinstance(formula, And):
        for part in formula.parts:
            yield from _conjuncts(part)
    else:
        yield formula


def _variables(formula: Formula) -> set[str]:
    match formula:
        case Compare(_, left, right):
            return {endpoint.variable for term in (left, right) for endpoint, _ in _endpoints(term)}
        case And(parts):
            return set().union(*(_variables(part) for part in parts))
        case Not(Exists(variable, _, body)):
            return _variables(body) - {variable}
        case _:
            raise _Unsupported
