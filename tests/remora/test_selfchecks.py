"""The checks of the checkers complain where one of the checked says yes to what is false."""

from dataclasses import replace
from typing import Any

import pytest

from laws.carlson_lisper.altered.alterations import _with_condition
from remora.verification.selfchecks import FALSE, _false_check
from semantics.carlson_lisper.operators import OPERATORS
from semantics.formulas import TRUE
from smt.carlson_lisper import entailment
from smt.carlson_lisper.symbolic import INSTANCES
from smt.solvers.portfolio import Portfolio
from smt.solvers.z3_solver import Z3


def check(place: int) -> tuple[bool, str]:
    with Portfolio([Z3()]) as portfolio:
        found = _false_check(FALSE[place], portfolio)()
    return found.ok, found.detail


@pytest.mark.parametrize("place", [0, 2, 6])
def test_no_way_to_a_proof_says_yes_to_a_false_equation(place: int) -> None:
    assert check(place) == (True, "none said yes")


def test_a_derivation_that_takes_a_sequence_for_a_conjunction_is_noticed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written = entailment.proof_text
    monkeypatch.setattr(
        "smt.carlson_lisper.from_laws.proof_text",
        lambda question: (
            written(question).replace("(seq ", "(con ").replace("declare-fun seq", "declare-fun con2")
        ),
    )
    assert check(0) == (
        False,
        "the way from the laws over int time, the way from the laws over real time said yes",
    )


def test_an_axiom_of_unions_that_contradicts_the_others_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    axioms: dict[str, Any] = {**INSTANCES.axioms, "join-idempotent": "false"}
    monkeypatch.setattr("smt.carlson_lisper.obligations.INSTANCES", replace(INSTANCES, axioms=axioms))
    ok, said = check(2)
    assert not ok
    assert "join-idempotent" in said


def test_automata_that_say_yes_to_a_false_equation_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    decided = type(
        "Decided", (), {"holds": True, "obligation": None, "seconds": 0.0, "states": 1, "words": ""}
    )()
    decided.obligation = type("Asked", (), {"direction": "by automata"})()
    monkeypatch.setattr("smt.carlson_lisper.law_proofs.decide_ground", lambda *_: decided)
    assert check(6) == (False, "the way by automata over int time said yes")


def test_an_operator_of_two_comprehensions_can_be_altered(monkeypatch: pytest.MonkeyPatch) -> None:
    (one,) = OPERATORS["con"].comprehensions
    twice = replace(OPERATORS["con"], comprehensions=(one, one))
    monkeypatch.setattr("laws.carlson_lisper.altered.alterations.OPERATORS", {**OPERATORS, "con": twice})
    altered = _with_condition("con", TRUE)
    assert [part.condition for part in altered.comprehensions] == [TRUE, TRUE]
