"""Deciding neighbours: none is left open, and a wrong decision does not go unnoticed."""

import pytest

from laws.carlson_lisper.altered.alterations import ALTERATIONS
from laws.carlson_lisper.altered.neighbours import Neighbour, all_neighbours, canonical, neighbours
from laws.carlson_lisper.checks.counterexamples import (
    Counterexample,
    RestrictionCounterexample,
    replay,
    replay_restriction,
)
from laws.carlson_lisper.claims import EquationClaim, catalogue, find
from laws.standings import ExitStatus, Standing, exit_status
from semantics.carlson_lisper.interpretations import interpretation
from semantics.carlson_lisper.membership import Membership
from semantics.carlson_lisper.syntax import parse_equation
from smt.carlson_lisper.neighbours import Decision, decide, decide_all, neighbour_table
from smt.solvers.solver import Answer
from smt.solvers.z3_solver import Z3
from tests.smt.fakes import Fake, FakeSolver, told


def told_unsat() -> Fake:
    return told(Answer("unsat", "fake", 0.0, 0))


def told_nothing() -> Fake:
    return told(Answer("unknown", "fake", 0.0, 0, "tired"))


def neighbour(statement: str) -> Neighbour:
    claim = EquationClaim("mine~1", parse_equation(statement))
    return Neighbour("mine~1", "mine", "operator", "something", claim)


def confirmed(decision: Decision) -> bool:
    """Whether the counterexample of a decision stands before an engine that took no part in finding it."""
    claim, found = decision.neighbour.claim, decision.counterexample
    match found:
        case Counterexample():
            assert isinstance(claim, EquationClaim)
            if decision.same_as:  # the counterexample speaks of the other one's names
                return True
            trace = interpretation(found.trace)
            left, right = (
                Membership(side, trace) for side in (found.left_expression, found.right_expression)
            )
            differing = found.left ^ found.right
            assert replay(claim, found.substitution, found.bounds, found.trace) == found
            return bool(differing) and all((i in left) is not (i in right) for i in differing)
        case RestrictionCounterexample():
            assert not isinstance(claim, EquationClaim)
            operators = decision.neighbour.operators
            return replay_restriction(claim, found.streams, found.bound, operators) == found
        case None:
            return False


@pytest.mark.parametrize("name", ["2", "23", "theorem:4.5"])
def test_every_neighbour_is_refuted_by_a_trace_or_proved(name: str) -> None:
    decisions = decide_all(neighbours(find([name])[0]))
    for decision in decisions:
        assert decision.standing in (Standing.REFUTED, Standing.PROVED), decision
        assert not decision.open
        if decision.standing is Standing.REFUTED:
            assert confirmed(decision)
        else:
            assert decision.counterexample is None
    (row,) = neighbour_table(decisions)
    assert row.standing is Standing.REFUTED
    assert row.refuted + row.proved == row.neighbours == len(decisions)


@pytest.mark.long
def test_every_neighbour_of_the_catalogue_is_refuted_by_a_trace_or_proved() -> None:
    decisions = decide_all(all_neighbours(catalogue()), jobs=2)
    assert [d.neighbour.id for d in decisions if d.open] == []
    assert all(confirmed(d) for d in decisions if d.standing is Standing.REFUTED)
    assert {row.standing for row in neighbour_table(decisions)} == {Standing.REFUTED}


# ----------------------------------------------------------------------------------------- wrong decisions are noticed


def test_a_solver_that_proves_everything_proves_a_contradiction_among_the_hypotheses_too() -> None:
    decisions = decide_all(neighbours(find(["6"])[0]), solver=told_unsat)
    standings = {decision.standing for decision in decisions}
    assert standings == {Standing.REFUTED, Standing.UNKNOWN}
    wrong = [decision for decision in decisions if decision.standing is Standing.UNKNOWN]
    assert wrong and all(decision.open for decision in wrong)
    assert all("hypotheses contradict each other" in decision.reason for decision in wrong)
    (row,) = neighbour_table(decisions)
    assert row.standing is Standing.UNKNOWN
    assert row.open == len(wrong)


class ProvesEveryGoal(FakeSolver):
    """A liar that is honest about hypotheses: texts that are the beginning of one it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def check(self, text: str, *, rlimit: int, seed: int = 0) -> Answer:
        beginning = text.removesuffix("(check-sat)\n")
        if any(other != text and other.startswith(beginning) for other in self.asked):
            return Z3().check(text, rlimit=rlimit, seed=seed)
        self.asked.append(text)
        return Answer("unsat", self.name, 0.0, 0)


def test_a_solver_that_proves_every_goal_and_no_contradiction_is_contradicted() -> None:
    decisions = decide_all(neighbours(find(["6"])[0]), solver=ProvesEveryGoal)
    assert {decision.standing for decision in decisions} == {Standing.REFUTED, Standing.DISAGREEMENT}
    wrong = [decision for decision in decisions if decision.standing is Standing.DISAGREEMENT]
    assert wrong and all("replayed trace contradicts" in decision.reason for decision in wrong)
    (row,) = neighbour_table(decisions)
    assert (row.standing, row.open) == (Standing.DISAGREEMENT, len(wrong))
    assert exit_status([row.standing]) is ExitStatus.DISAGREEMENT


def test_truth_tables_that_use_another_definition_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    (seq,) = [alteration for alteration in ALTERATIONS if alteration.operator == "seq"]
    from semantics.carlson_lisper.pool import Pool

    apply = Pool.apply

    def altered(pool: object, definition: object, *arguments: object) -> object:
        wrong = seq.definition if getattr(definition, "name", "") == "seq" else definition
        return apply(pool, wrong, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(Pool, "apply", altered)
    law = neighbour("A ; (B ; C) == (A ; B) ; C")
    decision = decide(law, Z3())
    assert decision.standing is Standing.DISAGREEMENT
    assert "does not confirm" in decision.reason
    assert decision.open


def test_a_solver_that_gives_up_leaves_a_neighbour_open() -> None:
    decision = decide(neighbour("A + B == B + A"), told_nothing())
    assert decision.standing is Standing.UNKNOWN
    assert decision.open and decision.reason
    (row,) = neighbour_table([decision])
    assert (row.standing, row.open) == (Standing.UNKNOWN, 1)


def test_a_claim_none_of_whose_neighbours_is_false_has_not_been_tested() -> None:
    (row,) = neighbour_table([decide(neighbour("A | B == B | A"), Z3())])
    assert (row.proved, row.open, row.standing) == (1, 0, Standing.UNKNOWN)


# -------------------------------------------------------------------------------------------------- what is reported


def test_what_says_the_same_is_decided_once_and_counted_each_time() -> None:
    listed = all_neighbours(find(["2", "3"]))
    decisions = decide_all(listed)
    assert [d.neighbour for d in decisions] == list(listed)
    first: dict[object, Decision] = {}
    for decision in decisions:
        other = first.setdefault(canonical(decision.neighbour), decision)
        assert decision.same_as == ("" if other is decision else other.neighbour.id)
        assert decision.standing is other.standing
    assert any(decision.same_as for decision in decisions)


def test_two_processes_decide_the_same_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "smt.carlson_lisper.neighbours.CHUNK", 10
    )  # more than one piece, or no process would be started
    listed = all_neighbours(find(["2", "24"]))
    assert len({canonical(neighbour) for neighbour in listed}) > 10
    one, two = (decide_all(listed, jobs=jobs) for jobs in (1, 2))
    assert one == two


def test_progress_is_told_how_many_statements_are_decided() -> None:
    told: list[int] = []
    decide_all(all_neighbours(find(["2", "4"])), progress=told.append)
    assert told == sorted(told)
    assert told[-1] > 40


def test_a_row_shows_examples_that_take_the_most_occurrences() -> None:
    decisions = decide_all(neighbours(find(["12"])[0]))
    (row,) = neighbour_table(decisions)
    sizes = [len(d.counterexample.trace) for d in decisions if isinstance(d.counterexample, Counterexample)]
    assert 0 < len(row.examples) <= 2
    for example in row.examples:
        assert isinstance(example.counterexample, Counterexample)
        assert example.neighbour.claim.statement == example.counterexample.statement
        assert len(example.counterexample.trace) == max(sizes)
