"""Proofs of theorems by their scripts, and what follows for those that rest on them."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import pytest

from campaigns.carlson_lisper.mutants import MUTANTS
from detectors.carlson_lisper.source.figure2 import STEPS
from detectors.carlson_lisper.source.figure4 import BOUNDED_STEPS
from detectors.carlson_lisper.source.steps import (
    NON_OCCURRENCE,
    CandidateQueue,
    ConjunctionStep,
    DisjunctionStep,
    SequenceStep,
    Step,
)
from detectors.carlson_lisper.source.transformation import RULES, Transformed, Work
from laws.carlson_lisper.catalogue import everything
from laws.claims import Claim
from laws.standings import Standing
from laws.systems import find
from proofs.bry_eckert.proving import Counterexample
from proofs.carlson_lisper.proving import provable
from proofs.carlson_lisper.subject import Subject
from proofs.proving import prove_claims, resting, with_dependencies
from proofs.systems import provable_of
from semantics.carlson_lisper.expressions import UNBOUNDED, Label, Operation
from semantics.carlson_lisper.occurrences import Instance
from smt.attempts import ClaimResult, Provable
from smt.bry_eckert.histories import History
from smt.obligations import Obligation
from smt.smtlib import TimeSort
from smt.solvers.portfolio import Portfolio
from tests.campaigns.carlson_lisper.wrong import step_of
from tests.proofs.carlson_lisper.lemmas.test_memory import FORGETS_THE_LAST
from tests.proofs.carlson_lisper.lemmas.test_queue_contract import WRONG as WRONG_QUEUES
from tests.proofs.carlson_lisper.lemmas.test_transformation import WRONG as WRONG_RULES
from tests.smt.fakes import z3

LEMMAS = {"dis": "lemma:5.2", "con": "lemma:5.3", "neg": "lemma:5.4", "tim": "lemma:5.6"}


def proved(name: str, subject: Subject | None = None) -> ClaimResult:
    with Portfolio([z3()]) as portfolio:
        results = prove_claims(find([name]), portfolio, provable=partial(provable, subject=subject))
    return next(result for result in results if result.claim.id == name)


@pytest.mark.parametrize("name", ["dis-earlier", "tim-long"])
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


class _PushesAlone(SequenceStep):
    """Remembers a left instance only where no right one comes with it."""

    def step(self, left: Instance, right: Instance) -> Instance:
        if right.start >= 0:
            latest, self.latest = self.latest, max(self.latest, left.start)
            found = super().step(left, right)
            self.latest = latest
            return found
        return super().step(left, right)


@pytest.mark.parametrize(
    ("claim", "operator", "step"), [("lemma:5.3", "con", _ForgetsThatNothingOccurs), ("lemma:5.5", "seq", _PushesAlone)]
)
def test_a_bug_in_one_part_does_not_accuse_the_solvers_that_prove_what_presupposes_it(
    claim: str, operator: str, step: type[Step]
) -> None:
    result = proved(claim, Subject(steps={**STEPS, operator: lambda _: step()}))
    assert result.standing in (Standing.REFUTED, Standing.UNKNOWN)


def test_a_run_contradicts_no_proof_that_rests_on_what_is_refuted_or_unknown() -> None:
    with Portfolio([z3()]) as portfolio:
        proofs = prove_claims(find(["lemma:5.1", "lemma:5.2"]), portfolio)
    history = History(0, {"a": ("Time",)}, {"a": {(): 1}})
    clash = replace(proofs[1], standing=Standing.DISAGREEMENT, counterexample=Counterexample(history))
    assert resting([proofs[0], clash])[1].standing is Standing.DISAGREEMENT
    for broken in (Standing.REFUTED, Standing.UNKNOWN):
        (_, result) = resting([replace(proofs[0], standing=broken), clash])
        assert result.standing is Standing.REFUTED
        assert result.reason == "a = 1; its own parts are proved, resting on lemma:5.1"


@pytest.mark.parametrize("claim", ["lemma:5.3", "lemma:5.6", "law:6", "theorem:4.6.neg"])
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


def _without_a_bound(operation: Operation, limit: Label) -> Work:
    left = yield operation.operands[0], limit
    right = yield operation.operands[1], limit
    return Transformed(left.expression | right.expression, UNBOUNDED)


FINDS_THE_OLDEST = WRONG_QUEUES["finds the oldest"]
WRONG: Mapping[str, tuple[str, Subject]] = {
    "a queue": ("lemma:5.5.queue", Subject(queue=FINDS_THE_OLDEST)),
    "a label": ("theorem:6.1", Subject(rules={**RULES, "seq": WRONG_RULES["a sequence without a label"][1]})),
    "a bound": ("figure:5", Subject(rules={**RULES, "dis": _without_a_bound})),
    "storage": ("memory:5.2.figure4", Subject(steps=FORGETS_THE_LAST)),
    "a choice": ("memory:6.figure4", Subject(steps={**BOUNDED_STEPS, "seq": lambda _: SequenceStep()})),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_refuted_by_a_concrete_run_before_the_solvers_have_spent_their_budgets(name: str) -> None:
    claim, subject = WRONG[name]
    result = proved(claim, subject)
    assert result.standing is Standing.REFUTED
    assert result.counterexample is not None
    assert result.reason == result.counterexample.summary()


def test_a_sequence_that_is_wrong_because_of_its_queue_is_refuted_and_no_disagreement(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # its obligations know the queue by a contract, and are proved
    monkeypatch.setattr(CandidateQueue, "latest_before", FINDS_THE_OLDEST.latest_before)
    result = proved("lemma:5.5")
    assert all(part.standing is Standing.PROVED for part in result.obligations)
    assert result.standing is Standing.REFUTED


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

    subject = Subject(steps={**STEPS, "con": lambda _: Turned()})
    with Portfolio([z3()]) as portfolio:
        results = prove_claims(find(["lemma:5.1", "lemma:5.3"]), portfolio, provable=partial(provable, subject=subject))
    assert {result.standing for result in results} == {Standing.PROVED}
    used = {axiom for part in results[-1].obligations for axiom in part.obligation.axioms}
    assert "join-commutative" in used


@pytest.mark.parametrize("claim", ["lemma:5.2", "lemma:5.5.queue"])
def test_what_has_no_obligations_is_unknown_for_a_reason_and_no_traceback(
    claim: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(*_: object) -> list[Obligation]:
        raise KeyError("S")

    monkeypatch.setattr("proofs.carlson_lisper.proving.obligations_of", breaks)
    result = proved(claim)
    assert result.standing is Standing.UNKNOWN
    assert result.reason == "its obligations cannot be written: KeyError: 'S'"


def test_code_that_cannot_be_executed_is_unknown_for_that_reason() -> None:
    class Looks(DisjunctionStep):
        def step(self, left: Instance, right: Instance) -> Instance:
            return super().step(left, right) if isinstance(left, Instance) else right

    result = proved("lemma:5.2", Subject(steps={**STEPS, "dis": lambda _: Looks()}))
    assert result.standing is Standing.UNKNOWN
    assert "isinstance" in result.reason


def test_a_theorem_without_what_it_rests_on_is_unknown() -> None:
    result = proved("lemma:5.2")
    assert result.standing is Standing.UNKNOWN
    assert "it rests on lemma:5.1" in result.reason


def test_what_a_theorem_rests_on_is_proved_with_it() -> None:
    claims = with_dependencies(find(["theorem:6.1"]), everything())
    assert [claim.id for claim in claims] == ["theorem:4.1", "lemma:6.1", "theorem:6.1"]
    with Portfolio([z3()]) as portfolio:
        results = prove_claims(with_dependencies(find(["lemma:5.2"]), everything()), portfolio)
    assert [(result.claim.id, result.standing) for result in results] == [
        ("lemma:5.1", Standing.PROVED),
        ("lemma:5.2", Standing.PROVED),
    ]
