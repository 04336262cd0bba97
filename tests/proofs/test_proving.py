"""Proofs of theorems by their scripts, and what follows for those that rest on them."""

import pytest

from campaigns.mutants import MUTANTS
from detectors.figure2 import STEPS
from laws.catalogue import everything, find_claims
from laws.standings import Standing
from proofs.proving import prove_claims, with_dependencies
from proofs.scripts import Subject
from smt.portfolio import Portfolio
from smt.prove import ClaimResult
from smt.z3_solver import Z3

LEMMAS = {"dis": "lemma:5.2", "con": "lemma:5.3", "neg": "lemma:5.4", "tim": "lemma:5.6"}


def proved(name: str, subject: Subject | None = None) -> ClaimResult:
    with Portfolio([Z3()]) as portfolio:
        (result,) = prove_claims(find_claims([name]), portfolio, subject=subject)
    return result


@pytest.mark.parametrize("name", ["dis-earlier", "con-recent", "neg-recent", "tim-long"])
def test_a_wrong_step_is_refuted_by_a_run_and_no_disagreement(name: str) -> None:
    mutant = MUTANTS[name]
    subject = Subject(steps={**STEPS, mutant.operator: mutant.step})
    result = proved(LEMMAS[mutant.operator], subject)
    assert result.standing is Standing.REFUTED
    assert result.counterexample is not None
    assert result.reason == result.counterexample.summary()


def test_a_theorem_without_what_it_rests_on_is_unknown() -> None:
    result = proved("lemma:5.2")
    assert result.standing is Standing.UNKNOWN
    assert "it rests on lemma:5.1" in result.reason


def test_what_a_theorem_rests_on_is_proved_with_it() -> None:
    claims = with_dependencies(find_claims(["theorem:6.1"]), everything())
    assert [claim.id for claim in claims] == ["theorem:4.1", "lemma:6.1", "theorem:6.1"]
    with Portfolio([Z3()]) as portfolio:
        results = prove_claims(claims, portfolio)
    assert {result.standing for result in results} == {Standing.PROVED}
