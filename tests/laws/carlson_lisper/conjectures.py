"""Conjectures, and all streams over a few occurrences, by which tests judge them."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from laws.carlson_lisper.claims import Claim, EquationClaim, RestrictionClaim
from laws.carlson_lisper.mutations import changed_comparisons
from semantics.carlson_lisper.expressions import Expression, Operation, bottom_up
from semantics.carlson_lisper.occurrences import Instance, Occurrence, Stream
from semantics.carlson_lisper.operators import OPERATORS
from semantics.carlson_lisper.syntax import parse_equation


def conjecture(statement: str, *primitive: str) -> EquationClaim:
    return EquationClaim("conjecture", parse_equation(statement), frozenset(primitive))


def all_streams(occurrences: list[Occurrence]) -> list[Stream]:
    possible = [Instance(c) for n in range(1, len(occurrences) + 1) for c in combinations(occurrences, n)]
    return [frozenset(c) for n in range(len(possible) + 1) for c in combinations(possible, n)]


def changed(claim: Claim) -> Iterator[Claim]:
    """Claims with one thing changed: an operator of an equation, a comparison in what is concluded of restrictions."""
    if isinstance(claim, RestrictionClaim):
        for name, formula in claim.conclusions:
            for words, other in changed_comparisons(formula):
                conclusions = tuple((n, other if n == name else f) for n, f in claim.conclusions)
                yield replace(claim, statement=f"{claim.statement}; {words}", conclusions=conclusions)
        return
    left = claim.equation.left
    binary = [name for name, operator in OPERATORS.items() if operator.arity == 2]
    for part in bottom_up(left):
        if isinstance(part, Operation) and part.operator in binary:
            for name in binary:
                if name != part.operator:
                    altered = replace_part(left, part, replace(part, operator=name))
                    yield EquationClaim(f"{claim.id}~", replace(claim.equation, left=altered), claim.primitive)


def replace_part(expression: Expression, part: Expression, other: Expression) -> Expression:
    """The expression with another one in the place of a part, wherever that occurs."""
    if expression == part:
        return other
    if not isinstance(expression, Operation):
        return expression
    return replace(expression, operands=tuple(replace_part(operand, part, other) for operand in expression.operands))
