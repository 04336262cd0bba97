"""The search for counterexamples: the same smallest one whoever finds it, and no more than it can know."""

from dataclasses import replace

import pytest

from laws.carlson_lisper.checks.counterexamples import Counterexample, in_parts, replay
from laws.carlson_lisper.checks.exhaustive import smallest_counterexample
from laws.carlson_lisper.claims import EquationClaim, canaries, catalogue, find
from smt.carlson_lisper.countermodels import find_counterexample, find_dense_counterexample
from smt.solvers.portfolio import Answer
from tests.laws.carlson_lisper.conjectures import changed, conjecture
from tests.smt.fakes import told, z3
from tests.tables import table

SAT, UNSAT = Answer("sat", "fake", 0.0, 0), Answer("unsat", "fake", 0.0, 0)
TIRED = Answer("unknown", "fake", 0.0, 0, "tired")

SAMPLE = [each for claim in catalogue() for each in changed(claim)][3::23]


EQUATIONS = [claim for claim in (*SAMPLE, *canaries()) if isinstance(claim, EquationClaim) and not claim.alone]


@pytest.mark.parametrize("claim", EQUATIONS, ids=lambda claim: claim.id)
def test_the_solver_finds_a_counterexample_of_the_size_that_truth_tables_find(claim: EquationClaim) -> None:
    by_tables = smallest_counterexample(claim, max_occurrences=2)
    by_solver = find_counterexample(claim, z3(), max_occurrences=2, table_occurrences=0)
    assert (by_solver.counterexample is None) == (by_tables.counterexample is None)
    assert not by_solver.unconfirmed and not by_tables.unconfirmed
    assert by_solver.complete_up_to == by_tables.complete_up_to


@pytest.mark.parametrize("statement", ["A[t] ; (B ; C) == (A ; B) ; C", "(A ; B)[600] ; (C ; D) == (A ; B) ; (C ; D)"])
def test_where_truth_tables_end_the_solver_goes_on(statement: str) -> None:
    claim = conjecture(statement)
    search = find_counterexample(claim, z3())
    found = search.counterexample
    assert isinstance(found, Counterexample)
    assert search.complete_up_to == len(found.trace) - 1
    assert replay(claim, found.substitution, found.bounds, found.trace) == found


@pytest.mark.parametrize(("statement", "occurrences", "parts"), table(__file__, "dense"))
def test_what_only_dense_time_refutes_is_refuted_with_parts_of_a_tick(
    statement: str, occurrences: int, parts: int
) -> None:
    claim = conjecture(statement)
    found = find_dense_counterexample(claim, z3()).counterexample
    assert isinstance(found, Counterexample)
    assert (len(found.trace), found.parts_of_tick) == (occurrences, parts)
    scaled = in_parts(claim, parts)
    assert replay(scaled, found.substitution, found.bounds, found.trace) == replace(
        found, statement=scaled.statement, parts_of_tick=1
    )
    whole = find_counterexample(claim, z3())
    assert (whole.counterexample is None) is (parts > 1)
    if parts > 1:
        assert whole.complete_up_to == 4


def test_a_search_in_dense_time_is_complete_as_far_as_enough_parts_of_a_tick_were_tried() -> None:
    def complete(statement: str) -> int:
        search = find_dense_counterexample(conjecture(statement), z3())
        assert search.counterexample is None
        return search.complete_up_to

    assert complete("A[t] == A[t] | A[t]") == 4
    assert complete("A[2][1] == A[1]") == 4
    assert complete("A[min(t, 1)] == A[1][t]") == 3  # with four, it is not known how many parts suffice


def test_a_search_is_complete_up_to_where_truth_tables_ended_if_the_solver_gives_up() -> None:
    law = find(["6"])[0]
    search = find_counterexample(law, told(TIRED))
    assert (search.counterexample, search.complete_up_to) == (None, 3)
    assert find_counterexample(law, told(TIRED), table_occurrences=0).complete_up_to == 0
    assert find_counterexample(law, z3(), max_occurrences=3, table_occurrences=0).complete_up_to == 3


@pytest.mark.parametrize(
    "values", [{}, {"A.1": 5, "B.2": -1, "time@0": -7}, {"something": True, "time@1": 10**30, "time@3": 9, "A.1": True}]
)
@pytest.mark.parametrize("statement", ["A + B == B + A", "A[t] | B == B | A[t]"])
def test_a_model_that_makes_no_sense_is_not_confirmed_and_ends(values: dict[str, int | bool], statement: str) -> None:
    nonsense = told(Answer("sat", "fake", 0.0, 0, "", values))
    search = find_counterexample(conjecture(statement), nonsense)
    assert search.counterexample is None
    assert search.unconfirmed
    assert search.complete_up_to == 3
