"""Laws as rewriting: an expression in which one side of a law was put for the other, and instances of laws.

Equations (Thm 4.1), and our own sameness of intervals `[=]` and of detections `~=` (Thm 4.6), may be used inside a
larger expression: each is a congruence, and implies that detections are the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from campaigns.choices import Source
from laws.carlson_lisper.claims import EquationClaim, laws, own
from laws.carlson_lisper.matching import Rule, fits, of_expression, same
from semantics.carlson_lisper import expressions
from semantics.carlson_lisper.expressions import Expression, Identifier, Operation, bottom_up, identifiers, put_at, size

POSITIONS = 200  # At most so many places of an expression are considered, from the root on
OPERATIONS = 85  # In so many of a hundred times it is an operation that is rewritten: few laws are about events
ANYWHERE = 15  # In so many of a hundred times a law is used that applies to any expression, as `A == A | A` does
EXTRA = (0, 1, 1, 2, 5, 1000)  # A bound that a law leaves free is by so many ticks greater than another one


class Rewritten(NamedTuple):
    """Two expressions with the same detections, by the claim with an id."""

    law: str
    left: Expression
    right: Expression


@cache
def equations() -> tuple[EquationClaim, ...]:
    """The claims that two expressions have the same detections, those that say nothing left out."""
    return tuple(
        claim
        for claim in (*laws(), *own())
        if isinstance(claim, EquationClaim) and claim.equation.relation != "<=" and not claim.is_vacuous
    )


@cache
def _rules() -> Mapping[str, Sequence[Rule]]:
    """Both directions of every equation by the operator of the pattern; "" where the pattern matches anything."""
    found = defaultdict[str, list[Rule]](list)
    for claim in equations():
        for rule in (Rule(claim, True), Rule(claim, False)):
            found[rule.pattern.operator if isinstance(rule.pattern, Operation) else ""].append(rule)
    return found


def rewritten(expression: Expression, source: Source) -> Rewritten | None:
    """An expression beside the same with one of its parts rewritten by a law, by choice; None if none does."""
    places = expressions.places(expression, POSITIONS)
    place, part = source.one(places)
    if not isinstance(part, Operation) and source.chance(OPERATIONS):
        operations = [each for each in places if isinstance(each[1], Operation)]
        place, part = source.one(operations) if operations else (place, part)
    specific = _rules()[part.operator] if isinstance(part, Operation) else ()
    for group in (_rules()[""], specific) if source.chance(ANYWHERE) else (specific, _rules()[""]):
        untried = list(group)
        while untried:
            rule = untried.pop(source.below(len(untried)))
            if found := _applied(rule, part, expression, source):
                return Rewritten(rule.claim.id, expression, put_at(expression, place, found))
    return None


def _applied(rule: Rule, part: Expression, around: Expression, source: Source) -> Expression | None:
    """What a rule puts in the place of a part; None if it does not match, or changes nothing."""
    fitting = next(fits(((rule.pattern, part),), of_expression), None)
    if fitting is None:
        return None
    match = Match(dict(fitting[0]), {name: expressions.evaluate_bound(bound) for name, bound in fitting[1].items()})
    kinds = [match.parts[name] for name in rule.claim.primitive & match.parts.keys()]
    if any(isinstance(kind, Operation) for kind in kinds) or len(set(kinds)) < len(kinds):
        return None
    for extremum, bound in fitting[2]:
        ticks = expressions.evaluate_bound(bound)
        # The free ones of two bounds get values so that the smaller one, or the greater one, is what is given.
        free = [b.name for b in (extremum.left, extremum.right) if isinstance(b, expressions.BoundParameter)]
        free = [name for name in free if name not in match.bounds]
        match.bounds.update(dict.fromkeys(free, ticks))
        if extremum.function == "min" and len(free) == 2:
            match.bounds[source.one(free)] += source.one(EXTRA)
        if expressions.evaluate_bound(extremum, match.bounds) != ticks:
            return None
    found = _instance(rule.result, rule.claim, match, around, source)
    return None if same(found, part) else found


def settled(claim: EquationClaim, expression: Expression, source: Source) -> tuple[Expression, Expression, Match]:
    """Both sides of a law in which parts of an expression stand for the identifiers, and which these are."""
    match = Match()
    left = _instance(claim.equation.left, claim, match, expression, source)
    return left, _instance(claim.equation.right, claim, match, expression, source), match


def instance_of(claim: EquationClaim, expression: Expression, source: Source) -> Rewritten | None:
    """Both sides of a law in which parts of an expression stand for the identifiers; None if they are the same."""
    left, right, _ = settled(claim, expression, source)
    return None if same(left, right) else Rewritten(claim.id, left, right)


def telling_side(claim: EquationClaim) -> Expression:
    """The side of a law with all its identifiers and bounds, from which the other one follows.

    If both have them, it is the smaller one with plain bounds: `min` and `max` leave open what the other bound is.
    """
    names, bounds = set(claim.variables), set(claim.parameters)
    sides = (claim.equation.left, claim.equation.right)
    whole = [side for side in sides if names <= identifiers(side) and bounds <= expressions.bound_parameters(side)]
    if not whole:
        raise ValueError(f"neither side of {claim.statement} determines the other")

    def key(side: Expression) -> tuple[bool, int]:
        parts = (part for part in bottom_up(side) if isinstance(part, Operation))
        return any(isinstance(part.bound, expressions.BoundExtremum) for part in parts), size(side)

    return min(whole, key=key)


def other_side(claim: EquationClaim, expression: Expression) -> Rewritten | None:
    """An instance of a law's `telling_side` beside that of its other side; None if it is none, or they are the same."""
    rule = Rule(claim, telling_side(claim) == claim.equation.left)
    found = _applied(rule, expression, expression, Source(claim.id))  # there is nothing left to choose
    return None if found is None else Rewritten(claim.id, expression, found)


@dataclass
class Match:
    """What identifiers and bounds of a law stand for."""

    parts: dict[str, Expression] = field(default_factory=dict)
    bounds: dict[str, int] = field(default_factory=dict)


def _instance(
    side: Expression, claim: EquationClaim, match: Match, expression: Expression, source: Source
) -> Expression:
    """A side of a law by a match; what that leaves free is settled with parts, events and bounds of an expression."""
    for name in sorted(identifiers(side) - match.parts.keys()):
        kinds = sorted(identifiers(expression))
        if name in claim.primitive:  # different ones are different event types
            taken = {str(match.parts[other]) for other in claim.primitive & match.parts.keys()}
            kinds = [kind for kind in kinds if kind not in taken] or [f"{kinds[0]}_{name}"]
        if name in claim.primitive or source.chance(40):
            match.parts[name] = Identifier(source.one(kinds))
        else:
            match.parts[name] = source.one(bottom_up(expression))
    for name in sorted(expressions.bound_parameters(side) - match.bounds.keys()):
        bounds = (part.bound for part in bottom_up(expression) if isinstance(part, Operation))
        ticks = [0, *(expressions.evaluate_bound(bound) for bound in bounds if bound is not None)]
        match.bounds[name] = source.one(ticks) + source.one(EXTRA)
    return expressions.substitute(expressions.with_bounds(side, match.bounds), match.parts)
