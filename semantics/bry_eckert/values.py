"""Contradictions between comparisons of values, found as negative cycles of bounds on their differences."""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor
from typing import TypeAlias

from semantics.bry_eckert.terms import Arithmetic, Comparison, Constant, Term, Type, type_of

_Bound: TypeAlias = tuple[Fraction, int]  # at most a number, or less than that where -1 comes with it; bounds add up
_Edge: TypeAlias = tuple[Term, Term, _Bound]  # a bound of the difference of two terms

_ZERO = Constant(0)


def contradictory(comparisons: Iterable[Comparison], types: Mapping[str, Type]) -> bool:
    """Whether no values of the variables, which have types, fulfil all of some comparisons, as far as order says."""
    edges, unequal, constants = list[_Edge](), list[Comparison](), set[Constant]()
    for given in comparisons:
        constants |= {side for side in (given.left, given.right) if isinstance(side, Constant)}
        edges += _edges(given.left, given.operator, given.right, types)
        unequal += [given] if given.operator == "!=" else []
    for kind in (str, bool):
        known = sorted((one for one in constants if type(one.value) is kind), key=lambda one: one.value)
        edges += [edge for one, other in pairwise(known) for edge in _edges(one, "<", other, types)]
    return not _possible(edges) or any(
        not any(_possible([*edges, *_edges(one.left, sign, one.right, types)]) for sign in "<>") for one in unequal
    )


def _edges(left: Term, sign: str, right: Term, types: Mapping[str, Type]) -> Iterator[_Edge]:
    strict = sign in "<>"
    for one, other, signs in ((left, right, ("<", "<=", "=")), (right, left, (">", ">=", "="))):
        if sign in signs:
            (node, moved), (origin, by) = _placed(one, types), _placed(other, types)
            bound = by - moved
            if type_of(node, types) == type_of(origin, types) == "int":
                yield node, origin, (Fraction(ceil(bound) - 1 if strict else floor(bound)), 0)
            else:
                yield node, origin, (bound, -strict)


def _placed(term: Term, types: Mapping[str, Type]) -> tuple[Term, Fraction]:
    """A term as another one and a number that is added to it, exactly."""
    match term:
        case Constant(bool() | str()):
            pass
        case Constant(value):
            return _ZERO, Fraction(value)
        case Arithmetic("+" | "-" as sign, left, right) if type_of(term, types) == "int":
            (one, moved), (other, by) = _placed(left, types), _placed(right, types)
            if other == _ZERO:
                return one, moved + by if sign == "+" else moved - by
            if one == _ZERO and sign == "+":
                return other, moved + by
    return term, Fraction(0)


def _possible(edges: list[_Edge]) -> bool:
    """Whether there is no negative cycle (Bellman and Ford)."""
    least: dict[Term, _Bound] = {node: (Fraction(0), 0) for edge in edges for node in edge[:2]}
    for _ in range(len(least) + 1):
        changed = False
        for node, origin, (bound, strict) in edges:
            reached = (least[origin][0] + bound, least[origin][1] + strict)
            if reached < least[node]:
                least[node], changed = reached, True
        if not changed:
            return True
    return False
