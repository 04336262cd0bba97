"""Altered definitions: refuted by a claim of the source, or shown to leave all of them true."""

import pytest

from laws.claims import catalogue, find
from laws.counterexamples import Counterexample
from laws.definitions import altered_definitions
from smt.alterations import decide_alteration, decide_alterations
from smt.z3_solver import Z3

ALTERED = {altered.id: altered for altered in altered_definitions()}


def test_a_sequence_whose_parts_may_touch_violates_no_claim_of_the_source() -> None:
    decision = decide_alteration(ALTERED["seq~1"], catalogue(), Z3())
    assert decision.survives
    assert len(decision.proved) == decision.speaking == 8


def test_a_sequence_in_the_wrong_order_violates_a_law() -> None:
    decision = decide_alteration(ALTERED["seq~2"], catalogue(), Z3())
    assert decision.failure is not None
    assert decision.failure.claim == "law:6"
    assert isinstance(decision.failure.evidence, Counterexample)
    assert not decision.survives


def test_a_restriction_policy_that_only_empty_streams_satisfy_is_noticed() -> None:
    decision = decide_alteration(ALTERED["rem.2~1"], catalogue(), Z3())
    assert decision.failure is not None
    assert "empty streams only" in str(decision.failure.evidence)


def test_a_definition_that_no_claim_speaks_of_survives_without_proof() -> None:
    (decision,) = decide_alterations(catalogue(), Z3(), [ALTERED["valid~1"]])
    assert decision.survives
    assert decision.proved == ()
    assert decision.speaking == 0


@pytest.mark.parametrize("name", ["≅.1~1", "≅.2~3"])
def test_a_weaker_conclusion_is_proved_as_well(name: str) -> None:
    decision = decide_alteration(ALTERED[name], find(["theorem:4.5"]), Z3())
    assert decision.survives
    assert decision.proved == ("theorem:4.5",)


@pytest.mark.slow
def test_every_altered_definition_is_decided() -> None:
    decisions = decide_alterations(catalogue(), Z3())
    assert [decision.altered.id for decision in decisions] == list(ALTERED)
    assert not [decision.altered.id for decision in decisions if decision.open]
    noticed = {decision.altered.id for decision in decisions if decision.failure is not None}
    assert noticed == {
        *(f"neg~{number}" for number in (1, 2, 3, 4)),
        "seq~2",
        "tim~1",
        "tim~2",
        *(f"rem.2~{number}" for number in (1, 2, 3, 4)),
    }
