"""What the gate proves about the steps of a detector, and what it says where there is nothing to prove."""

from pathlib import Path
from time import monotonic
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from detectors.carlson_lisper.adapters import AnyFactory
from detectors.carlson_lisper.catalogue import DETECTORS, INTERVAL_DETECTORS
from detectors.carlson_lisper.source.figure2 import STEPS, Figure2
from detectors.carlson_lisper.source.figure4 import BOUNDED_STEPS
from detectors.carlson_lisper.source.steps import NON_OCCURRENCE, DisjunctionStep
from laws.carlson_lisper.claims import everything
from laws.standings import Standing
from remora.gate import step_proofs
from remora.gate.gate import Request
from remora.gate.step_proofs import NO_STEPS, OTHER_STATE, OWN, Steps, prove_steps, steps_of
from semantics.carlson_lisper.occurrences import Instance
from smt.solvers.portfolio import Portfolio, installed
from tests.remora.gates import checks, outcome
from tests.smt.fakes import z3


class LaterStep(DisjunctionStep):
    """Wrong: it takes the operand that started first."""

    def step(self, left: Instance, right: Instance) -> Instance:
        if left is NON_OCCURRENCE:
            return right
        return right if right.start < left.start else left


class OwnSteps(Figure2):
    steps = STEPS


class LabelledSteps(Figure2):
    steps = BOUNDED_STEPS


class WrongSteps(Figure2):
    steps: ClassVar = {"dis": lambda _: LaterStep()}


@pytest.mark.slow
@pytest.mark.usefixtures("small_gate")
def test_a_detector_without_steps_is_not_proved_and_that_is_said(tmp_path: Path) -> None:
    (found,) = steps_of({"one": lambda expression: Figure2(expression)})
    assert found.claims == ()
    result = outcome(Request(("mutant:seq-newest",), tmp_path, budget=None, cases=5))
    (check,) = checks(result, "proofs").values()
    assert (check.standing, check.detail) == (None, NO_STEPS)


def test_every_detector_that_is_made_of_steps_has_claims_about_them() -> None:
    names = {*DETECTORS, *INTERVAL_DETECTORS}
    assert OWN.keys() <= names
    assert {name.removesuffix("-steps") for name in names - OWN.keys()} == {"columns"}
    assert {claim for claims in OWN.values() for claim in claims} <= {claim.id for claim in everything()}


@pytest.mark.parametrize(("shown", "last"), [(OwnSteps, "theorem:5.1"), (LabelledSteps, "lemma:5.7")])
def test_the_steps_that_a_detector_shows_are_proved(shown: AnyFactory, last: str) -> None:
    (found,) = steps_of({"mine": shown})
    assert found.detectors == ("mine",)
    with installed() as portfolio:
        proofs = list(prove_steps([found], portfolio, seed=0, until=monotonic() + 300))
    assert [proof.name for proof in proofs][-1] == last
    assert all(proof.standing is not None and proof.standing.unbounded for proof in proofs)


def test_a_wrong_step_is_refuted_by_a_run() -> None:
    (found,) = steps_of({"mine": WrongSteps})
    assert found.claims == ("lemma:5.2",)
    with installed() as portfolio:
        (proof,) = prove_steps([found], portfolio, seed=0, until=monotonic() + 300)
    assert proof.standing is Standing.REFUTED
    assert proof.detail


def start(left: Instance, right: Instance) -> Instance:
    if left.start > 10_000_000_000_000_000_000_000_000:
        return NON_OCCURRENCE
    return right if left.start <= right.start else left


class LateStep(DisjunctionStep):
    """Wrong for late times alone, in a function that has the name of an attribute of instances."""

    def step(self, left: Instance, right: Instance) -> Instance:
        return start(left, right)


class RaisingStep(DisjunctionStep):
    def step(self, left: Instance, right: Instance) -> Instance:
        return right if (1, 2, 3)[left.start] > 3 else super().step(left, right)


class LoopingStep(DisjunctionStep):
    def step(self, left: Instance, right: Instance) -> Instance:
        while left.start >= 5000:
            left = right
        return super().step(left, right)


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (LateStep, "has a model of the denial"),
        (RaisingStep, "the step raises IndexError: tuple index out of range (test_step_proofs.py, line {line})"),
        (LoopingStep, "{file}:{line}: in LoopingStep.step: a statement of another form: while left.start >= 5000:"),
    ],
)
def test_a_step_that_is_wrong_late_raises_or_loops_is_not_proved_and_its_line_is_told(
    step: type[Any], said: str
) -> None:
    (found,) = steps_of({"mine": type("Mine", (Figure2,), {"steps": {"dis": lambda _: step()}})})
    with Portfolio([z3()]) as portfolio:
        (proof,) = prove_steps([found], portfolio, seed=0, until=monotonic() + 300)
    assert proof.standing in (Standing.UNKNOWN, Standing.REFUTED)
    assert said.format(file=__file__, line=step.step.__code__.co_firstlineno + 1) in proof.detail


class OwnConjunction:
    """Right, with the latest started instances in a list and not in variables of the source's names."""

    bound = 2

    def __init__(self) -> None:
        self.held: list[Instance] = [NON_OCCURRENCE] * 2

    def step(self, left: Instance, right: Instance) -> Instance:
        pairs = zip(self.held, (left, right), strict=True)
        self.held = [new if held.start < new.start else held for held, new in pairs]
        if min(one.start for one in self.held) < 0 or (left.start < 0 and right.start < 0):
            return NON_OCCURRENCE
        return left.join(self.held[1]) if right.start <= left.start else self.held[0].join(right)

    def variables(self) -> dict[str, object]:
        return {}

    def stored(self) -> int:
        return sum(one is not NON_OCCURRENCE for one in self.held)


class ForgetfulConjunction(OwnConjunction):
    """Wrong: an instance of the left operand is joined once."""

    def step(self, left: Instance, right: Instance) -> Instance:
        found = super().step(left, right)
        if found is not NON_OCCURRENCE and left is NON_OCCURRENCE:
            self.held[0] = NON_OCCURRENCE
        return found


@pytest.mark.parametrize(("step", "standing"), [(OwnConjunction, None), (ForgetfulConjunction, Standing.REFUTED)])
def test_a_step_with_a_state_of_its_own_is_refuted_only_by_what_it_outputs(
    step: type[Any], standing: Standing | None
) -> None:
    shown = {**STEPS, "con": lambda _: step()}
    (found,) = steps_of({"mine": type("Mine", (Figure2,), {"steps": shown})})
    with installed() as portfolio:
        proofs = {one.name: one for one in prove_steps([found], portfolio, seed=0, until=monotonic() + 300)}
    assert proofs["lemma:5.3"].standing is standing
    assert ("keeps another one" in proofs["lemma:5.3"].detail) is (standing is None)
    assert proofs["theorem:5.1"].standing is (None if standing is None else Standing.UNKNOWN)


def test_what_there_was_no_time_to_prove_is_not_proved() -> None:
    (found,) = steps_of({"mine": WrongSteps})
    with installed() as portfolio:
        (proof,) = prove_steps([found], portfolio, seed=0, until=monotonic() - 1)
    assert (proof.standing, proof.detail) == (None, "not reached within the budget")


def test_beside_a_step_with_a_state_of_its_own_what_rests_on_others_stays_open(monkeypatch: pytest.MonkeyPatch) -> None:
    said = {"lemma:5.2": f"it {OTHER_STATE}", "lemma:5.3": "a timeout"}

    def proved(claim: Any, *_: object) -> Any:
        reason = said.get(claim.id, "")
        standing = Standing.UNKNOWN if reason else Standing.AGREED
        return SimpleNamespace(claim=claim, standing=standing, reason=reason)

    monkeypatch.setattr(step_proofs, "_proved", proved)
    monkeypatch.setattr(step_proofs, "resting", list)
    steps = [Steps(("own",), ("lemma:5.2", "lemma:5.3"))]
    with installed() as portfolio:
        found = {check.name: check for check in prove_steps(steps, portfolio, seed=0, until=monotonic() + 60)}
    assert (found["lemma:5.2"].standing, found["lemma:5.3"].standing) == (None, Standing.UNKNOWN)
    assert found["lemma:5.3"].detail == "a timeout"
