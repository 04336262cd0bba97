"""The chains of the source, step by step."""

import pytest

from laws.carlson_lisper.derivations import (
    Computation,
    Derivation,
    computations,
    derivations,
    derivations_from_toml,
    law,
)
from smt.carlson_lisper.derivations import check_computation, check_derivation
from smt.solvers.z3_solver import Z3

# Chains whose print has a step that does not follow as cited, with the steps' positions.
PRINTED_WRONG = {
    "law:17": [0],
    "law:20": [0],
    "law:31": [0, 2],
    "lemma:6.1/negation/meaning": [6],
    "lemma:6.1/sequence/first/meaning": [0, 2],
    "lemma:6.1/sequence/second/meaning": [0, 2],
    "lemma:6.1/temporal/first/meaning": [1],
}


@pytest.mark.parametrize("derivation", derivations(), ids=lambda one: one.id)
def test_every_step_is_true_and_follows_and_the_print_fails_where_it_is_known_to(
    derivation: Derivation,
) -> None:
    results = check_derivation(derivation, Z3())
    assert len(results) == len(derivation.steps)
    assert all(result.sound for result in results)
    wrong = [
        position
        for position, result in enumerate(results)
        if result.as_printed is not None and result.as_printed.entailment.status != "follows"
    ]
    assert wrong == PRINTED_WRONG.get(derivation.id, [])
    assert all(
        results[position].as_printed.entailment.status == "does not follow"  # type: ignore[union-attr]
        for position in wrong
    )


def test_a_step_that_is_false_is_noticed() -> None:
    (chain,) = derivations_from_toml(
        """
        [[derivation]]
        id = "law:25"
        place = ""
        first = "A[t]"
        conclusion = "A[t] == B[t]"
        assume = ["A[u] == B[u]"]
        where = ["u <= t"]
        infinite = ["t"]
        [[derivation.step]]
        printed = ""
        line = "B[t]"
        by = ["a", 24]
        """
    )
    (result,) = check_derivation(chain, Z3())
    assert result.meant.truth == "not proved" and result.meant.entailment.status == "does not follow"


@pytest.mark.parametrize("computation", computations(), ids=lambda one: f"{one.id} {one.part}")
def test_every_line_of_a_proof_by_definition_is_the_same_set(computation: Computation) -> None:
    result = check_computation(computation, Z3())
    assert set(result.lines) == {"proved"} and len(result.lines) == len(computation.lines) - 1
    assert result.proves_law
    number = law(computation.number)
    matches = computation.law is None or computation.proves(number, computation.as_printed)
    assert matches == (computation.number not in (29, 30))


def test_a_line_that_is_another_set_is_noticed() -> None:
    lines = ("⟦A ; B⟧", "{a ∪ b | a ∈ ⟦A⟧ ∧ b ∈ ⟦B⟧ ∧ end(a) ≤ start(b)}", "⟦A ; B⟧")
    result = check_computation(Computation(8, law(8), "", lines, "", frozenset()), Z3())
    assert result.lines == ("not proved", "not proved") and not result.proves_law
