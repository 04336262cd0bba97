"""Stability: proofs that depend on how a problem is written are found out, and make the gate red."""

import pytest

from laws.carlson_lisper.claims import find
from smt.audit.stability import Stability, stability
from smt.carlson_lisper.obligations import directions, obligation
from smt.carlson_lisper.symbolic import BASE_AXIOMS, UNION_AXIOMS
from smt.obligations import Obligation
from smt.solvers.cvc5_solver import CVC5, is_installed
from smt.solvers.questions import Outcome
from smt.solvers.solver import Answer, SolverFailed, Status
from smt.solvers.z3_solver import Z3
from tests.smt.fakes import FakeSolver

ALL_AXIOMS = (*BASE_AXIOMS, *UNION_AXIOMS)


def parts(*names: str, axioms: tuple[str, ...] = BASE_AXIOMS) -> list[Obligation]:
    return [obligation(claim, part, axioms=axioms) for claim in find(names) for part in directions(claim)]


class Fragile(FakeSolver):
    """A solver that proves a text as it is written (its names are ours), and says something else to some variants."""

    name = "fragile 1.0"

    def __init__(self, says: Status | type[Exception] = "unknown", every: int = 2, factor: int = 1) -> None:
        self.says = says
        self.every = every
        self.factor = factor

    def check(self, text: str, *, rlimit: int, seed: int = 0) -> Answer:
        if "declare-sort Instance" in text:
            return Answer("unsat", self.name, 0.0, 1000)
        if seed % self.every:
            return Answer("unsat", self.name, 0.0, 1000 * self.factor)
        if isinstance(self.says, str):
            return Answer(self.says, self.name, 0.0, rlimit, "because")
        raise self.says("broke down")


def row(*statuses: Status, work: int = 5000, original: Status = "unsat") -> Stability:
    outcomes = tuple(Outcome(status, work) for status in statuses)
    return Stability("law:1/⊆", "z3 1", Outcome(original, 5000), outcomes)


def test_proofs_that_do_not_depend_on_the_writing_are_stable() -> None:
    rows = stability(parts("1", "14", "theorem:4.6.seq"), [Z3], variants=5)
    assert {(entry.finding, entry.success) for entry in rows} == {("stable", 1.0)}
    assert all(entry.ratios[0] > 0 and len(entry.ratios) == 5 for entry in rows)


@pytest.mark.skipif(not is_installed(), reason="there is no package of cvc5 for this platform")
def test_every_solver_is_asked_everything() -> None:
    asked = parts("1", "14")
    rows = stability(asked, [Z3, CVC5], variants=2)
    assert [(entry.id, entry.solver.split()[0], entry.finding) for entry in rows] == [
        (part.id, solver, "stable") for solver in ("z3", "cvc5") for part in asked
    ]


def test_a_proof_that_is_lost_in_some_variants_is_unstable() -> None:
    rows = stability(parts("1"), [Fragile], variants=20)
    assert [entry.finding for entry in rows] == ["unstable", "unstable"]
    for entry in rows:
        assert 0 < entry.success < 0.95
        assert entry.lost


def test_variants_that_take_much_more_work_make_an_obligation_unstable() -> None:
    (first, _) = stability(parts("1"), [lambda: Fragile(every=2**31, factor=3)], variants=4)
    assert (first.success, first.median_ratio, first.finding) == (1.0, 3.0, "unstable")


def test_work_that_is_next_to_nothing_does_not_count() -> None:
    outcomes = (Outcome("unsat", 331), Outcome("unsat", 13))
    small = Stability("law:1/⊆", "z3 1", Outcome("unsat", 13), outcomes)
    assert (small.ratios, small.finding) == ((1.0, 1.0), "stable")


def test_a_variant_may_take_a_multiple_of_the_work_and_so_much_besides(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("smt.audit.stability.FACTOR", 7)
    monkeypatch.setattr("smt.audit.stability.FLOORS", {"fragile": 11, "z3": 13})
    rows = stability(parts("1"), [lambda: Fragile(every=1)], variants=2)
    assert {outcome.work for entry in rows for outcome in entry.outcomes} == {7 * 1000 + 11}


def test_a_variant_beyond_its_budget_is_lost_to_the_real_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("smt.audit.stability.FACTOR", 0)
    monkeypatch.setattr("smt.audit.stability.FLOORS", {"z3": 2_000})
    (entry,) = stability(parts("theorem:4.6.seq")[1:2], [Z3], variants=3)
    assert (entry.success, entry.finding) == (0.0, "unstable")
    assert "budget" in entry.outcomes[0].reason


@pytest.mark.parametrize(
    ("entry", "finding"),
    [
        (row("unsat", "unsat"), "stable"),
        (row("unsat", "unknown"), "unstable"),
        (row("unsat", "sat"), "contradiction"),
        (row("unsat", original="sat"), "contradiction"),
        (row(original="unknown"), "unproved"),
        (row(original="sat"), "unproved"),
        (row(), "unstable"),
        (row("unsat", work=10_001), "unstable"),
        (row("unsat", work=10_000), "stable"),
    ],
)
def test_what_the_outcomes_amount_to(entry: Stability, finding: str) -> None:
    assert entry.finding == finding


def test_a_solver_that_breaks_down_is_an_error_and_not_a_lost_proof() -> None:
    rows = stability(parts("1"), [lambda: Fragile(SolverFailed)], variants=20)
    assert {entry.finding for entry in rows} == {"error"}


def test_what_is_not_proved_to_begin_with_is_said_to_be_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("smt.audit.stability.FIRST", {"z3": 20_000})
    rows = stability(parts("3", axioms=BASE_AXIOMS), [Z3], variants=2)
    assert {(entry.finding, entry.success) for entry in rows} == {("unproved", 0.0)}


def test_the_outcome_repeats_whatever_the_number_of_workers_and_depends_on_the_seed() -> None:
    asked = [*parts("14"), *parts("5", axioms=ALL_AXIOMS)]
    alone = stability(asked, [Z3], variants=3, workers=1)
    assert stability(asked, [Z3], variants=3, workers=4) == alone
    assert stability(asked, [Z3], variants=3, workers=1, seed=1) != alone


def test_work_that_is_known_is_not_done_again() -> None:
    (first, second) = parts("1")
    known = {(first.id, Fragile.name): 50}
    rows = stability([first, second], [lambda: Fragile(every=2**31)], variants=1, known=known)
    assert [entry.original.work for entry in rows] == [50, 1000]
    assert [entry.median_ratio for entry in rows] == [20.0, 1.0]
