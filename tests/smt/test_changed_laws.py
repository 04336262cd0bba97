"""The laws with one symbol changed: a slip of the pen is refuted with a trace, or it is another law and proved."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from laws.claims import EquationClaim, laws
from laws.counterexamples import Counterexample
from laws.exhaustive import check_exhaustively
from laws.standings import Standing
from semantics.expressions import (
    Bound,
    BoundExtremum,
    BoundParameter,
    Expression,
    Identifier,
    Operation,
    bound_parameters,
)
from semantics.interpretations import interpretation
from semantics.membership import Membership
from semantics.operators import OPERATORS
from semantics.syntax import Equation
from smt.prove import prove
from smt.solver import Z3

BINARY = tuple(name for name, definition in OPERATORS.items() if definition.arity == 2)


def changed_laws() -> Iterator[EquationClaim]:
    """Every law with one change on one side; without source, since nobody has claimed it."""
    seen = {law.equation for law in laws()}
    for law in laws():
        left, right = law.equation.left, law.equation.right
        bounds = [BoundParameter(name) for name in law.parameters] or [BoundParameter("t")]
        changed = [Equation(side, right) for side in changed_expressions(left, bounds)]
        changed += [Equation(left, side) for side in changed_expressions(right, bounds)]
        for number, equation in enumerate(changed, start=1):
            names = EquationClaim("", equation).variables
            if equation not in seen:
                seen.add(equation)
                yield EquationClaim(f"{law.id}/{number}", equation, law.primitive & set(names))


def changed_expressions(expression: Expression, bounds: list[BoundParameter]) -> Iterator[Expression]:
    """The expression with one operator, operand, restriction or bound changed, anywhere in it."""
    for bound in bounds:
        yield expression[bound]
    if isinstance(expression, Identifier):
        yield from (Identifier(name) for name in "ABC" if name != expression.name)
    if isinstance(expression, Operation):
        if expression.operator == "tim" and expression.bound is not None:
            yield expression.operands[0]
            known = [*bounds, *map(BoundParameter, sorted(bound_parameters(expression)))]
            yield from (replace(expression, bound=other) for other in changed_bounds(expression.bound, known))
        else:
            yield from (replace(expression, operator=name) for name in BINARY if name != expression.operator)
            yield replace(expression, operands=expression.operands[::-1])
        for place, operand in enumerate(expression.operands):
            for other in changed_expressions(operand, bounds):
                operands = (*expression.operands[:place], other, *expression.operands[place + 1 :])
                yield replace(expression, operands=operands)


def changed_bounds(bound: Bound, others: list[BoundParameter]) -> Iterator[Bound]:
    """The bound with another name, or the other one of min and max."""
    yield from (other for other in dict.fromkeys(others) if other != bound)
    if isinstance(bound, BoundExtremum):
        yield replace(bound, function="max" if bound.function == "min" else "min")


def judge(claim: EquationClaim) -> Standing:
    """Prove or refute, and confirm either by an engine that took no part in it."""
    result = prove(claim, Z3())
    if result.standing is Standing.PROVED:
        assert check_exhaustively(claim).standing is Standing.TESTED, claim.statement
        return Standing.PROVED
    assert result.standing is Standing.REFUTED, f"{claim.statement}: {result.reason}"
    found = result.counterexample
    assert isinstance(found, Counterexample)
    trace = interpretation(found.trace)
    left, right = Membership(found.left_expression, trace), Membership(found.right_expression, trace)
    differing = found.left ^ found.right
    assert differing
    assert all((instance in left) is not (instance in right) for instance in differing), claim.statement
    return Standing.REFUTED


SAMPLE = list(changed_laws())[7::47]


@pytest.mark.parametrize("claim", SAMPLE, ids=lambda claim: claim.id)
def test_a_law_with_one_symbol_changed_is_refuted_by_a_trace_or_proved(claim: EquationClaim) -> None:
    assert judge(claim) in (Standing.PROVED, Standing.REFUTED)


def test_there_are_more_than_a_thousand_ways_to_change_one_symbol_of_a_law() -> None:
    changed = [claim.statement for claim in changed_laws()]
    assert len(changed) == len(set(changed)) > 1_000


@pytest.mark.slow
@pytest.mark.parametrize("law", laws(), ids=lambda law: law.id)
def test_every_way_to_change_one_symbol_is_refuted_by_a_trace_or_proved(law: EquationClaim) -> None:
    standings = [judge(claim) for claim in changed_laws() if claim.id.startswith(f"{law.id}/")]
    assert standings.count(Standing.REFUTED) > 0
