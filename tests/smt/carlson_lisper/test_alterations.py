"""Altered definitions: noticed by a claim or a canary, or shown to leave all of them as they are."""

import pytest

from laws.carlson_lisper.altered.definitions import AlteredDefinition, altered_definitions
from laws.carlson_lisper.checks.counterexamples import Counterexample
from laws.carlson_lisper.claims import Claim, catalogue, find, laws, theorems
from proofs.carlson_lisper.alterations import noticed_by_lemma
from semantics.carlson_lisper.restriction import PRIMITIVE
from semantics.formulas import And, ForAll, Formula, In, rename_streams
from smt.carlson_lisper.alterations import AlterationDecision, decide_alteration
from smt.carlson_lisper.obligations import Writer
from smt.smtlib import negation
from smt.solvers.z3_solver import Z3
from tests.laws.carlson_lisper.altered.symbols import altered_symbols

ALTERED = {altered.id: altered for altered in (*altered_definitions(), *altered_symbols())}

OF_THE_SOURCE: tuple[Claim, ...] = (*laws(), *theorems())

UNNOTICED = {
    "primitive.1~2": "no instance ends before it starts, so end(p) ≤ start(p) says that they are equal",
    "primitive.2#10": "by condition 1, instances of P start where they end",
    "primitive.2#12": "by condition 1, instances of P start where they end",
}
"""The altered definitions that nothing notices, and why nothing could: the solver proves that they say the same."""


def survives(decision: AlterationDecision) -> bool:
    return decision.failure is None and not decision.open


def unnoticed(altered: AlteredDefinition) -> bool:
    """Whether neither claims, nor canaries, nor the lemmas about the running code notice."""
    solver = Z3()
    decision = decide_alteration(altered, catalogue(), solver)
    assert not decision.open
    return decision.failure is None and noticed_by_lemma(altered, solver) is None


def test_a_sequence_whose_parts_may_touch_violates_no_claim_of_the_source() -> None:
    decision = decide_alteration(ALTERED["seq~1"], OF_THE_SOURCE, Z3())
    assert survives(decision)
    assert len(decision.proved) == 8


def test_a_sequence_in_the_wrong_order_violates_a_law() -> None:
    decision = decide_alteration(ALTERED["seq~2"], catalogue(), Z3())
    assert decision.failure is not None
    assert decision.failure.claim == "law:6"
    assert isinstance(decision.failure.evidence, Counterexample)
    assert not survives(decision)


def test_a_restriction_policy_that_only_empty_streams_satisfy_is_noticed() -> None:
    decision = decide_alteration(ALTERED["rem.2~1"], catalogue(), Z3())
    assert decision.failure is not None
    assert "empty streams only" in str(decision.failure.evidence)


def test_a_definition_that_no_claim_speaks_of_survives_without_proof() -> None:
    decision = decide_alteration(ALTERED["valid.2~1"], OF_THE_SOURCE, Z3())
    assert survives(decision)
    assert decision.proved == ()


@pytest.mark.parametrize("name", ["≅.1~1", "≅.2~3"])
def test_a_weaker_conclusion_is_proved_as_well(name: str) -> None:
    decision = decide_alteration(ALTERED[name], find(["theorem:4.5"]), Z3(), false_claims=())
    assert survives(decision)
    assert decision.proved == ("theorem:4.5",)


@pytest.mark.parametrize(("name", "canary"), [("≅.1~1", "canary:22"), ("≅.2~1", "canary:23")])
def test_a_canary_that_becomes_true_notices_what_no_claim_does(name: str, canary: str) -> None:
    assert survives(decide_alteration(ALTERED[name], catalogue(), Z3(), false_claims=()))
    decision = decide_alteration(ALTERED[name], catalogue(), Z3())
    assert decision.failure is not None
    assert decision.failure.claim == canary
    assert "under the altered definition proved instead of refuted" in str(decision.failure.evidence)


SAMPLE = ("~=~1", "~=~2", "~=~3", "~=~4", "≅.1~4", "valid.1~3", "primitive.1~1", "primitive.2~1", "rem.3#3")


@pytest.mark.parametrize("name", SAMPLE)
def test_a_slip_in_a_relation_is_noticed(name: str) -> None:
    assert not unnoticed(ALTERED[name])


@pytest.mark.long
def test_every_change_of_one_symbol_is_noticed_or_changes_nothing() -> None:
    assert {name for name, altered in ALTERED.items() if unnoticed(altered)} == set(UNNOTICED)


@pytest.mark.parametrize("name", UNNOTICED)
def test_what_is_not_noticed_says_the_same(name: str) -> None:
    assert same_as_the_sources(ALTERED[name].definitions.primitive.conditions)


def test_what_is_noticed_does_not_say_the_same() -> None:
    assert not same_as_the_sources(ALTERED["primitive.1~1"].definitions.primitive.conditions)


def same_as_the_sources(conditions: tuple[Formula, ...]) -> bool:
    """Whether the solver proves that conditions on P and Q say the same as those of the source."""
    return all(
        follows(given, goal)
        for given, goal in ((PRIMITIVE.conditions, conditions), (conditions, PRIMITIVE.conditions))
    )


def follows(given: tuple[Formula, ...], goal: tuple[Formula, ...]) -> bool:
    """Whether conditions on two streams, assumed of each of them, imply others."""
    writer = Writer()
    streams = {name: writer.stream(name) for name in ("P", "Q")}
    swapped = tuple(rename_streams(condition, {"P": "Q", "Q": "P"}) for condition in given)
    known = [writer.formula(condition, streams) for condition in (*given, *swapped)]
    denied = negation(writer.formula(And(goal), streams))
    text = writer.obligation("same", "conditions", "they say the same", [*known, denied]).text
    return Z3().check(text, rlimit=200_000).status == "unsat"


def test_the_proof_that_two_conditions_say_the_same_can_fail() -> None:
    assert not follows((), (ForAll("p", "P", In("p", "Q")),))


@pytest.mark.long
def test_what_the_claims_of_the_source_notice_is_known() -> None:
    solver = Z3()
    decisions = [
        decide_alteration(altered, OF_THE_SOURCE, solver, false_claims=())
        for altered in altered_definitions()
    ]
    assert not [decision.altered.id for decision in decisions if decision.open]
    noticed = {decision.altered.id for decision in decisions if decision.failure is not None}
    assert noticed == {
        *(f"neg~{number}" for number in (1, 2, 3, 4)),
        "seq~2",
        "tim~1",
        "tim~2",
        *(f"rem.2~{number}" for number in (1, 2, 3, 4)),
        "primitive.1~1",
    }
