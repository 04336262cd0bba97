"""Proofs of theorems by their scripts, and what follows for those that rest on them."""

from dataclasses import replace
from functools import partial

import pytest

from campaigns.carlson_lisper.mutants import MUTANTS
from detectors.carlson_lisper.source.figure2 import STEPS
from detectors.carlson_lisper.source.steps import NON_OCCURRENCE, ConjunctionStep
from laws.claims import Claim, find
from laws.standings import Standing
from proofs.carlson_lisper.proving import provable
from proofs.carlson_lisper.steps import Subject
from proofs.proving import provable_of, prove_claims, resting
from semantics.carlson_lisper.occurrences import Instance
from smt.attempts import ClaimResult, ObligationResult, Provable
from smt.bry_eckert.histories import History
from smt.obligations import Obligation
from smt.smtlib import TimeSort
from smt.solvers.portfolio import Portfolio
from tests.campaigns.carlson_lisper.wrong import step_of
from tests.smt.fakes import z3

LEMMAS = {"dis": "lemma:5.2", "con": "lemma:5.3", "neg": "lemma:5.4", "tim": "lemma:5.6"}


def proved(name: str, subject: Subject | None = None) -> ClaimResult:
    with Portfolio([z3()]) as portfolio:
        results = prove_claims(find([name]), portfolio, provable=partial(provable, subject=subject))
    return next(result for result in results if result.claim.id == name)


@pytest.mark.parametrize("name", [pytest.param("dis-earlier", marks=pytest.mark.long), "tim-long"])
def test_a_wrong_step_is_refuted_by_a_run_and_no_disagreement(name: str) -> None:
    mutant = MUTANTS[name]
    subject = Subject(steps={**STEPS, mutant.operator: step_of(mutant)})
    result = proved(LEMMAS[mutant.operator], subject)
    assert result.standing is Standing.REFUTED
    assert result.counterexample is not None
    assert result.reason == result.counterexample.summary()


class _ForgetsThatNothingOccurs(ConjunctionStep):
    """Joins what it remembers at instants at which nothing occurs."""

    def step(self, left: Instance, right: Instance) -> Instance:
        if self.left.start < left.start:
            self.left = left
        if self.right.start < right.start:
            self.right = right
        if self.left.start < 0 or self.right.start < 0:
            return NON_OCCURRENCE
        return left.join(self.right) if right.start <= left.start else self.left.join(right)


@pytest.mark.slow
def test_a_bug_in_one_part_does_not_accuse_the_solvers_that_prove_what_presupposes_it() -> None:
    result = proved("lemma:5.3", Subject(steps={**STEPS, "con": lambda _: _ForgetsThatNothingOccurs()}))
    assert result.standing in (Standing.REFUTED, Standing.UNKNOWN)


def test_a_run_contradicts_no_proof_that_rests_on_what_is_refuted_or_unknown() -> None:
    proofs = [ClaimResult(each, Standing.PROVED, (), None, 0, 0.0) for each in find(["lemma:6.1", "theorem:6.1"])]
    history = History(0, {"a": ("Time",)}, {"a": {(): 1}})
    clash = replace(proofs[1], standing=Standing.DISAGREEMENT, counterexample=history)
    assert resting([proofs[0], clash])[1].standing is Standing.DISAGREEMENT
    for broken in (Standing.REFUTED, Standing.UNKNOWN):
        (_, result) = resting([replace(proofs[0], standing=broken), clash])
        assert result.standing is Standing.REFUTED
        assert result.reason == "a = 1; its own parts are proved, resting on lemma:6.1"


@pytest.mark.parametrize("claim", ["lemma:5.6", "law:6"])
def test_a_contradiction_among_the_hypotheses_of_a_text_is_found_in_the_text(
    claim: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def contradicting(of: Claim) -> Provable:
        found = provable_of(of)
        write = found.obligations

        def obligations(time: TimeSort) -> list[Obligation]:
            return [replace(part, assertions=("false", *part.assertions)) for part in write(time)]

        monkeypatch.setattr(found, "obligations", obligations)
        return found

    with Portfolio([z3()]) as portfolio:
        (result,) = prove_claims(find([claim]), portfolio, provable=contradicting)
    assert result.standing is Standing.UNKNOWN
    assert {part.hypotheses for part in result.obligations} == {"the hypotheses contradict each other"}


@pytest.mark.long
def test_a_conjunction_that_joins_the_other_way_round_is_proved_with_the_commutativity_of_union() -> None:
    class Turned(ConjunctionStep):
        def step(self, left: Instance, right: Instance) -> Instance:
            if self.left.start < left.start:
                self.left = left
            if self.right.start < right.start:
                self.right = right
            if self.left.start < 0 or self.right.start < 0 or (left.start < 0 and right.start < 0):
                return NON_OCCURRENCE
            if right.start <= left.start:
                return left.join(self.right)
            return right.join(self.left)

    result = proved("lemma:5.3", Subject(steps={**STEPS, "con": lambda _: Turned()}))
    assert result.standing is Standing.PROVED
    assert "join-commutative" in {axiom for part in result.obligations for axiom in part.obligation.axioms}


def test_what_has_no_obligations_is_unknown_for_a_reason_and_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(*_: object) -> list[Obligation]:
        raise KeyError("S")

    monkeypatch.setattr("proofs.carlson_lisper.proving.SCRIPTS", {"lemma:5.2": breaks})
    result = proved("lemma:5.2")
    assert result.standing is Standing.UNKNOWN
    assert result.reason == "its obligations cannot be written: KeyError: 'S'"


def test_a_theorem_without_what_it_rests_on_is_unknown() -> None:
    with Portfolio([z3()]) as portfolio:
        (result,) = prove_claims(find(["theorem:6.1"]), portfolio)
    assert result.standing is Standing.UNKNOWN
    assert "it rests on lemma:6.1" in result.reason


def test_over_dense_time_a_lemma_does_not_wait_for_what_is_about_integers_alone() -> None:
    lemma = next(claim for claim in find(["lemma:5.5"]) if claim.id == "lemma:5.5")
    times: list[TimeSort] = ["int", "real"]
    for time, standing in zip(times, (Standing.UNKNOWN, Standing.PROVED), strict=True):
        parts = [ObligationResult(part, Standing.PROVED, ()) for part in provable_of(lemma).obligations(time)]
        (result,) = resting([ClaimResult(lemma, Standing.PROVED, tuple(parts), None, 0, 0.0)])
        assert result.standing is standing
