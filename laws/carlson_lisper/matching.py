"""Matching: what the identifiers and bounds of an equation stand for where a part of an expression is one of its sides.

Parts are whatever has operands: expressions, or classes of equal ones. Bounds are numbers of ticks or symbolic; those
that are equal for all values of their names have the same normal form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from itertools import product
from types import MappingProxyType
from typing import Generic, Literal, NamedTuple, TypeAlias, TypeVar

from laws.carlson_lisper.claims import EquationClaim
from semantics.carlson_lisper.expressions import (
    Bound,
    BoundExtremum,
    BoundParameter,
    Expression,
    Identifier,
    Operation,
    bound_parameters,
    identifiers,
)

PartT = TypeVar("PartT")
Nodes: TypeAlias = Callable[[PartT, str], Iterable[tuple[Bound | None, Sequence[PartT]]]]
"""The bounds and operands of a part by an operator: one of an expression, or none; of a class perhaps many."""


@dataclass(frozen=True)
class Rule:
    """An equation in one direction: from its left side to its right one if `forward`."""

    claim: EquationClaim
    forward: bool

    @property
    def pattern(self) -> Expression:
        """The side that is matched."""
        return self.claim.equation.left if self.forward else self.claim.equation.right

    @property
    def result(self) -> Expression:
        """The side that takes its place."""
        return self.claim.equation.right if self.forward else self.claim.equation.left


@cache
def rules_of(claim: EquationClaim) -> tuple[Rule, ...]:
    """The directions in which an equation says something about operations, not about every expression there is.

    A result that has identifiers of its own, beside some of the pattern, is for any expression too: it is left out.
    """
    both = (Rule(claim, True), Rule(claim, False))
    names = [identifiers(side) for side in (claim.equation.left, claim.equation.right)]
    useful = (one <= other or not one & other for one, other in (names[::-1], names))
    told = zip(both, useful, strict=True)
    return () if claim.is_vacuous else tuple(rule for rule, one in told if one and isinstance(rule.pattern, Operation))


class Match(NamedTuple, Generic[PartT]):
    """What identifiers and symbolic bounds of an equation stand for."""

    parts: Mapping[str, PartT]
    bounds: Mapping[str, Bound]


_Clause: TypeAlias = frozenset[int | BoundParameter]  # The smallest of some


@cache
def simplified(bound: Bound) -> Bound:
    """The normal form of a bound: the greatest of some smallest ones, none of which another one makes superfluous."""
    if not isinstance(bound, BoundExtremum):
        return bound
    found = {
        frozenset(one for one in clause if not any(other != one and _at_most(other, one) for other in clause))
        for clause in _clauses(bound)
    }

    def is_below(one: _Clause, other: _Clause) -> bool:
        return one != other and all(any(_at_most(less, more) for less in one) for more in other)

    kept = [one for one in found if not any(is_below(one, other) for other in found)]
    smallest = sorted((_extremum("min", sorted(one, key=_order)) for one in kept), key=_order)
    return _extremum("max", smallest)


def _clauses(bound: Bound) -> frozenset[_Clause]:
    """Clauses of which the greatest is a bound."""
    if not isinstance(bound, BoundExtremum):
        return frozenset({frozenset({bound})})
    left, right = _clauses(bound.left), _clauses(bound.right)
    if bound.function == "max":
        return left | right
    return frozenset(one | other for one, other in product(left, right))


def _at_most(one: int | BoundParameter, other: int | BoundParameter) -> bool:
    return one == other or one == 0 or (isinstance(one, int) and isinstance(other, int) and one <= other)


def _extremum(function: Literal["min", "max"], bounds: Sequence[Bound]) -> Bound:
    return reduce(lambda one, other: BoundExtremum(function, one, other), bounds)


def _order(bound: Bound) -> tuple[bool, int, str]:
    return (not isinstance(bound, int), bound if isinstance(bound, int) else 0, str(bound))


def bound_of(bound: Bound, values: Mapping[str, Bound]) -> Bound:
    """A bound of an equation, in normal form, where its names have values in that form."""
    if isinstance(bound, BoundParameter):
        return values[bound.name]
    if not isinstance(bound, BoundExtremum):
        return bound
    one, other = bound_of(bound.left, values), bound_of(bound.right, values)
    if isinstance(one, int) and isinstance(other, int):
        return min(one, other) if bound.function == "min" else max(one, other)
    return simplified(BoundExtremum(bound.function, one, other))


_Later: TypeAlias = tuple[tuple[BoundExtremum, Bound], ...]
"""Bounds of an equation that are the smaller or greater of two, and what they have to be."""


def matches(
    pairs: Sequence[tuple[Expression, PartT]], nodes: Nodes[PartT], bounds: Sequence[Bound] = ()
) -> Iterator[Match[PartT]]:
    """All matches of sides of an equation with parts, in an order that is always the same.

    A bound that is found as the smaller or greater one of two does not always determine both; those that it leaves open
    are among the bounds given, which are in normal form.
    """
    for parts, values, later in fits(tuple(pairs), nodes):
        for settled in _settled(values, later, bounds) if later else (values,):
            yield Match(parts, settled)


def fits(
    pairs: tuple[tuple[Expression, PartT], ...],
    nodes: Nodes[PartT],
    parts: Mapping[str, PartT] = MappingProxyType({}),
    values: Mapping[str, Bound] = MappingProxyType({}),
    later: _Later = (),
) -> Iterator[tuple[Mapping[str, PartT], Mapping[str, Bound], _Later]]:
    """Matches of sides with parts, beyond what is settled before, and what smaller and greater bounds have to be."""
    if not pairs:
        yield parts, values, later
        return
    (pattern, part), rest = pairs[0], pairs[1:]
    if isinstance(pattern, Identifier):
        if pattern.name not in parts:
            yield from fits(rest, nodes, {**parts, pattern.name: part}, values, later)
        elif same(parts[pattern.name], part):
            yield from fits(rest, nodes, parts, values, later)
        return
    assert isinstance(pattern, Operation)  # there is nothing else
    for bound, operands in nodes(part, pattern.operator):
        settled, open_bounds = values, later
        match pattern.bound:
            case BoundParameter(name):
                assert bound is not None
                if values.get(name, bound) != bound:
                    continue
                settled = {**values, name: bound}
            case BoundExtremum() as extremum:
                assert bound is not None
                open_bounds = (*later, (extremum, bound))
            case number if number != bound:
                continue
        inner = tuple(zip(pattern.operands, operands, strict=True))
        yield from fits((*inner, *rest), nodes, parts, settled, open_bounds)


def same(one: object, other: object) -> bool:
    """Equality; deep expressions that differ are told apart by their hashes, without going through both."""
    return one is other or (hash(one) == hash(other) and one == other)


def _settled(values: Mapping[str, Bound], later: _Later, bounds: Sequence[Bound]) -> Iterator[dict[str, Bound]]:
    names = {name for extremum, _ in later for name in bound_parameters(Operation("tim", (Identifier("A"),), extremum))}
    free = sorted(names - values.keys())
    known = tuple(dict.fromkeys([*(bound for _, bound in later), *bounds])) if free else ()
    for chosen in product(known, repeat=len(free)):
        settled = {**values, **dict(zip(free, chosen, strict=True))}
        if all(bound_of(extremum, settled) == bound for extremum, bound in later):
            yield settled


def of_expression(part: Expression, operator: str) -> Iterable[tuple[Bound | None, Sequence[Expression]]]:
    """The bound and operands of an expression, if it is an operation by the operator."""
    if isinstance(part, Operation) and part.operator == operator:
        bound = part.bound
        yield None if bound is None else simplified(bound), part.operands


def free_names(rule: Rule) -> tuple[frozenset[str], frozenset[str]]:
    """The identifiers and the symbolic bounds of the result that the pattern leaves open."""
    return (
        identifiers(rule.result) - identifiers(rule.pattern),
        bound_parameters(rule.result) - bound_parameters(rule.pattern),
    )
