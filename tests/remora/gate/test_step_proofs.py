"""What the gate proves about the steps of a detector, and what it says where there is nothing to prove."""

from time import monotonic
from types import SimpleNamespace
from typing import Any

import pytest

from campaigns.engine.findings import Check
from detectors.carlson_lisper.adapters import AnyFactory
from detectors.carlson_lisper.catalogue import DETECTORS, INTERVAL_DETECTORS
from detectors.carlson_lisper.source.figure2 import BOUNDED_STEPS, STEPS, Figure2
from detectors.carlson_lisper.source.steps import NON_OCCURRENCE, DisjunctionStep
from laws.carlson_lisper.claims import everything
from laws.standings import Standing
from remora.gate import step_proofs
from remora.gate.step_proofs import OTHER_STATE, OWN, Steps, prove_steps, steps_of
from semantics.carlson_lisper.occurrences import Instance
from smt.solvers.portfolio import Portfolio, installed
from tests.smt.fakes import z3


class LaterStep(DisjunctionStep):
    """Wrong: it takes the operand that started first."""

    def step(self, left: Instance, right: Instance) -> Instance:
        if left is NON_OCCURRENCE:
            return right
        return right if right.start < left.start else left


def proved(detector: AnyFactory, seconds: float = 300) -> tuple[tuple[str, ...], list[Check]]:
    """The claims about the steps that a detector shows, and their checks."""
    (found,) = steps_of({"mine": detector})
    with installed() as portfolio:
        return found.claims, list(prove_steps([found], portfolio, seed=0, until=monotonic() + seconds))


def showing(**steps: Any) -> AnyFactory:
    return type("Mine", (Figure2,), {"steps": steps})


def test_a_detector_without_steps_has_no_claims() -> None:
    assert proved(lambda expression: Figure2(expression)) == ((), [])


def test_every_detector_that_is_made_of_steps_has_claims_about_them() -> None:
    names = {*DETECTORS, *INTERVAL_DETECTORS}
    assert OWN.keys() <= names
    assert {name.removesuffix("-steps") for name in names - OWN.keys()} == {"columns"}
    assert {claim for claims in OWN.values() for claim in claims} <= {claim.id for claim in everything()}


@pytest.mark.slow
@pytest.mark.parametrize(("shown", "last"), [(STEPS, "theorem:5.1"), (BOUNDED_STEPS, "lemma:5.7")])
def test_the_steps_that_a_detector_shows_are_proved(shown: Any, last: str) -> None:
    _, proofs = proved(showing(**shown))
    assert (proofs[-1].name, {proof.detector for proof in proofs}) == (last, {"mine"})
    assert all(proof.standing is not None and proof.standing.unbounded for proof in proofs)


@pytest.mark.slow
def test_a_wrong_step_is_refuted_by_a_run_and_without_time_it_is_not_proved() -> None:
    claims, (proof,) = proved(showing(dis=lambda _: LaterStep()))
    assert claims == ("lemma:5.2",)
    assert proof.standing is Standing.REFUTED and proof.detail
    _, (proof,) = proved(showing(dis=lambda _: LaterStep()), -1)
    assert (proof.standing, proof.detail) == (None, "not reached within the budget")


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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("step", "said"),
    [
        pytest.param(LateStep, "has a model of the denial", marks=pytest.mark.long),
        (RaisingStep, "the step raises IndexError: tuple index out of range (test_step_proofs.py, line {line})"),
        (LoopingStep, "{file}:{line}: in LoopingStep.step: a statement of another form: while left.start >= 5000:"),
    ],
)
def test_a_step_that_is_wrong_late_raises_or_loops_is_not_proved_and_its_line_is_told(
    step: type[Any], said: str
) -> None:
    (found,) = steps_of({"mine": showing(dis=lambda _: step())})
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


@pytest.mark.slow
@pytest.mark.parametrize(("step", "standing"), [(OwnConjunction, None), (ForgetfulConjunction, Standing.REFUTED)])
def test_a_step_with_a_state_of_its_own_is_refuted_only_by_what_it_outputs(
    step: type[Any], standing: Standing | None
) -> None:
    proofs = {one.name: one for one in proved(showing(**{**STEPS, "con": lambda _: step()}))[1]}
    assert proofs["lemma:5.3"].standing is standing
    assert ("keeps another one" in proofs["lemma:5.3"].detail) is (standing is None)
    assert proofs["theorem:5.1"].standing is (None if standing is None else Standing.UNKNOWN)


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
