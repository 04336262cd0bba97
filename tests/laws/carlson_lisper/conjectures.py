"""Conjectures, and all streams over a few occurrences, by which tests judge them."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from laws.carlson_lisper.claims import Claim, EquationClaim, RestrictionClaim
from semantics.carlson_lisper.expressions import Expression, Operation, bottom_up
from semantics.carlson_lisper.notation import formula_text
from semantics.carlson_lisper.occurrences import Instance, Occurrence, Stream
from semantics.carlson_lisper.operators import OPERATORS, Operator
from semantics.carlson_lisper.syntax import parse_equation
from semantics.formulas import Compare, Formula, parts_of, with_parts


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
    if expression == part:
        return other
    if not isinstance(expression, Operation):
        return expression
    return replace(expression, operands=tuple(replace_part(operand, part, other) for operand in expression.operands))


def changed_comparisons(formula: Formula) -> Iterator[tuple[str, Formula]]:
    """Every way to change one comparison, in words: `<` and `≤` exchanged, `=` made `≤`, or the sides swapped."""
    if isinstance(formula, Compare):
        other = Compare("<" if formula.relation == "<=" else "<=", formula.left, formula.right)
        swapped = Compare("<" if formula.relation == "<" else "<=", formula.right, formula.left)
        for changed in (other, swapped):
            yield f"{formula_text(formula)} becomes {formula_text(changed)}", changed
    parts = parts_of(formula)
    for place, part in enumerate(parts):
        for words, inner in changed_comparisons(part):
            yield words, with_parts(formula, (*parts[:place], inner, *parts[place + 1 :]))


def changed_operators() -> Iterator[tuple[str, Operator]]:
    """Every change of one comparison in Def. 3.10, in words."""
    for name, operator in OPERATORS.items():
        for place, comprehension in enumerate(operator.comprehensions):
            for words, condition in changed_comparisons(comprehension.condition):
                other = replace(comprehension, condition=condition)
                parts = (*operator.comprehensions[:place], other, *operator.comprehensions[place + 1 :])
                yield f"in the definition of {name}, {words}", replace(operator, comprehensions=parts)
