"""Each way to a proof is asked about false equations on its own: one that is broken is noticed."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

import smt.carlson_lisper.countermodels as countermodels
import smt.carlson_lisper.induction as induction
import smt.carlson_lisper.law_proofs as law_proofs
from laws.carlson_lisper.claims import Claim, EquationClaim, canaries
from laws.outcomes import TestOutcome
from laws.standings import Standing
from proofs.proving import prove_claims
from semantics.carlson_lisper.decisions import decide_equation
from semantics.carlson_lisper.expressions import Bound, Expression, Identifier, Operation, fold, replaced
from semantics.carlson_lisper.operators import OPERATORS, Operators
from semantics.carlson_lisper.syntax import Equation
from smt.carlson_lisper import obligations
from smt.carlson_lisper.obligations import Writer, parameter_symbol, right_nested
from smt.smtlib import TimeSort
from smt.solvers.portfolio import Portfolio
from tests.smt.fakes import z3

Patch = pytest.MonkeyPatch

ALONE = {claim.id: claim for claim in canaries() if isinstance(claim, EquationClaim) and claim.alone}

SEQUENCE_AS_CONJUNCTION: Operators = {**OPERATORS, "seq": OPERATORS["con"]}


@pytest.fixture(scope="module")
def portfolio() -> Portfolio:
    return Portfolio([z3()])


def refused(portfolio: Portfolio, name: str, time: TimeSort = "int") -> str:
    """Why a false equation is not refuted as it should be; "" if it is."""
    (result,) = prove_claims([ALONE[name]], portfolio, time=time)
    return "" if result.standing is Standing.REFUTED else result.reason or result.standing.value


@pytest.mark.parametrize("name", ["canary:50", "canary:54", "canary:55", "canary:56"])
@pytest.mark.parametrize("time", ["int", "real"])
def test_obligations_that_write_sequences_as_conjunctions(
    portfolio: Portfolio, monkeypatch: Patch, name: str, time: TimeSort
) -> None:
    written = obligations.obligation
    monkeypatch.setattr(
        law_proofs,
        "obligation",
        lambda *given, **more: written(*given, **{**more, "operators": SEQUENCE_AS_CONJUNCTION}),
    )
    assert refused(portfolio, name, time)


@pytest.mark.parametrize("axiom", ["join-associative", "join-commutative", "join-idempotent"])
def test_an_axiom_of_unions_that_is_none(portfolio: Portfolio, monkeypatch: Patch, axiom: str) -> None:
    monkeypatch.setitem(obligations.AXIOMS, axiom, "(forall ((x Instance)) (< (end x) (start x)))")
    assert "the solvers under" in refused(portfolio, "canary:54")


@pytest.mark.slow
@pytest.mark.parametrize("time", ["int", pytest.param("real", marks=pytest.mark.slow)])
def test_induction_that_writes_sequences_as_conjunctions(
    portfolio: Portfolio, monkeypatch: Patch, time: TimeSort
) -> None:
    monkeypatch.setattr(induction, "Writer", lambda time, _: Writer(time, SEQUENCE_AS_CONJUNCTION))
    assert "by induction" in refused(portfolio, "canary:53", time)


@pytest.mark.slow
def test_induction_without_a_base(portfolio: Portfolio, monkeypatch: Patch) -> None:
    made = induction._obligation

    def without_base(claim: Any, lemma: Any, name: str, *more: Any) -> Any:
        return made(claim, lemma, name.replace("base", "step"), *more)

    monkeypatch.setattr(induction, "_obligation", without_base)
    assert "by induction" in refused(portfolio, "canary:52")


def in_conjunctions(equation: Equation, **more: Any) -> Any:
    """The decision by automata of other sides."""

    def operation(name: str, operands: Sequence[Expression], bound: Bound | None) -> Expression:
        return Operation("con" if name == "seq" else name, tuple(operands), bound)

    left, right = (fold(side, Identifier, operation) for side in (equation.left, equation.right))
    return decide_equation(Equation(left, right, equation.relation), **more)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["canary:60", "canary:61"])
def test_automata_that_read_sequences_as_conjunctions(portfolio: Portfolio, monkeypatch: Patch, name: str) -> None:
    monkeypatch.setattr(countermodels, "decide_equation", in_conjunctions)
    assert "all traces" in refused(portfolio, name)


def test_bounds_of_dense_time_that_are_whole_numbers(portfolio: Portfolio, monkeypatch: Patch) -> None:
    assumed = obligations.premises

    def premises(writer: Writer, claim: EquationClaim) -> Any:
        streams, assumptions = assumed(writer, claim)
        whole = [f"(or (= {parameter_symbol(name)} 0) (<= 1 {parameter_symbol(name)}))" for name in claim.parameters]
        return streams, assumptions + whole

    monkeypatch.setattr(obligations, "premises", premises)
    assert refused(portfolio, "canary:63", "real")


@pytest.mark.parametrize("name", ["canary:61", "canary:62"])
def test_an_exhaustive_check_that_finds_nothing(portfolio: Portfolio, monkeypatch: Patch, name: str) -> None:
    outcome = TestOutcome("exhaustive", Standing.TESTED, 1, "all")
    monkeypatch.setattr(law_proofs, "check_exhaustively", lambda *_, **__: outcome)
    assert "the exhaustive check" in refused(portfolio, name)


def of_smaller_bounds(claim: EquationClaim, *given: Any, **more: Any) -> Any:
    def smaller(bound: Bound) -> Bound:
        return min(bound, 1 << 44) if isinstance(bound, int) else bound

    left, right = (replaced(side, bound=smaller) for side in (claim.equation.left, claim.equation.right))
    changed = replace(claim, equation=replace(claim.equation, left=left, right=right))
    return obligations.obligation(changed, *given, **more)


def without_its_first_union(left: str, right: str) -> str:
    return right if right.count("(join ") >= 6 else right_nested(left, right)


def one_way_from_four_letters_on(claim: Claim) -> tuple[str, ...]:
    few = len(claim.variables) <= 3 if isinstance(claim, EquationClaim) else True
    return obligations.directions(claim) if few else ("⊆",)


@pytest.mark.parametrize(
    ("name", "place", "fault"),
    [
        ("canary:64", (law_proofs, "obligation"), of_smaller_bounds),
        ("canary:65", (obligations, "right_nested"), without_its_first_union),
        ("canary:66", (law_proofs, "directions"), one_way_from_four_letters_on),
    ],
)
def test_an_encoding_that_is_wrong_from_a_size_on(
    portfolio: Portfolio, monkeypatch: Patch, name: str, place: tuple[object, str], fault: Callable[..., Any]
) -> None:
    monkeypatch.setattr(*place, fault)
    assert refused(portfolio, name)
