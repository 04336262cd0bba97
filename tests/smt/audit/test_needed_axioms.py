"""Needed axioms: what is superfluous is found out, and what is needed is said to be, with the evidence."""

from dataclasses import replace

import pytest

from laws.carlson_lisper.claims import find
from smt.audit.needed_axioms import Needs, NeedsReport, Trial, Way, needed_axioms
from smt.carlson_lisper.law_proofs import prove
from smt.carlson_lisper.obligations import obligation
from smt.carlson_lisper.symbolic import AXIOMS, BASE_AXIOMS, UNION_AXIOMS
from smt.obligations import Obligation
from smt.solvers.cvc5_solver import is_installed
from smt.solvers.portfolio import installed
from smt.solvers.questions import known_work
from smt.solvers.solver import Answer, SolverFailed
from smt.solvers.z3_solver import Z3
from tests.smt.fakes import FakeSolver

ALL_AXIOMS = (*BASE_AXIOMS, *UNION_AXIOMS)

needs_cvc5 = pytest.mark.skipif(not is_installed(), reason="there is no package of cvc5 for this platform")


def part(name: str, direction: str = "⊆", axioms: tuple[str, ...] = ALL_AXIOMS) -> Obligation:
    (claim,) = find([name])
    return obligation(claim, direction, axioms=axioms)


def only(obligation: Obligation, ways: list[Way] | None = None) -> Needs:
    (row,) = needed_axioms([obligation], ways).rows
    return row


class Sufficient(FakeSolver):
    """A solver that proves a text exactly if it has enough axioms."""

    def __init__(self, *enough: frozenset[str], otherwise: str = "unknown") -> None:
        self.enough = enough
        self.otherwise = otherwise
        self.asked: list[str] = []
        self.budgets: list[int] = []

    def check(self, text: str, *, rlimit: int, seed: int = 0) -> Answer:
        self.asked.append(text)
        self.budgets.append(rlimit)
        assumed = {name for name, axiom in AXIOMS.items() if f"(assert {axiom})" in text}
        if any(needed <= assumed for needed in self.enough):
            return Answer("unsat", self.name, 0.0, 10)
        if self.otherwise == "broken":
            raise SolverFailed("broke down")
        return Answer("sat" if self.otherwise == "sat" else "unknown", self.name, 0.0, rlimit, "because")

    def way(self) -> Way:
        return Way(lambda: self, 2, 5, 100)


def test_a_superfluous_axiom_is_reported_as_such() -> None:
    row = only(part("1"))
    assert row.whole.answered == "proved"
    assert {row.need(name) for name in ALL_AXIOMS} == {"spare"}
    assert row.minimal == ()


@needs_cvc5
def test_the_one_axiom_that_a_proof_needs_is_found_with_a_model_that_shows_it() -> None:
    row = only(part("3"))
    assert row.minimal == ("join-commutative",)
    needs = {name: row.need(name) for name in ALL_AXIOMS}
    assert needs == {**dict.fromkeys(ALL_AXIOMS, "spare"), "join-commutative": "independent"}


def test_without_a_model_it_is_only_said_that_no_proof_was_found() -> None:
    wanted = frozenset({"join-end"})
    solver = Sufficient(wanted)
    row = only(part("1"), [solver.way()])
    assert (row.need("join-end"), row.minimal) == ("unproved", ("join-end",))
    assert row.without["join-end"].answered == "open"
    assert solver.budgets == [100, *[2 * 10 + 5] * (len(solver.budgets) - 1)]


def test_two_axioms_either_of_which_suffices_are_both_spare_and_one_of_them_is_kept() -> None:
    either = Sufficient(frozenset({"join-start"}), frozenset({"join-end"}), otherwise="sat")
    row = only(part("1"), [either.way()])
    assert {row.need(name) for name in ALL_AXIOMS} == {"spare"}
    assert row.minimal == ("join-start",)


@pytest.mark.parametrize("size", range(len(ALL_AXIOMS) + 1))
def test_what_is_minimal_suffices_and_no_part_of_it_does(size: int) -> None:
    solver = Sufficient(frozenset(ALL_AXIOMS[:size]), frozenset(ALL_AXIOMS[1:]), otherwise="sat")
    row = only(part("1"), [solver.way()])
    assert any(needed <= set(row.minimal) for needed in solver.enough)
    assert not any(needed <= set(row.minimal) - {name} for needed in solver.enough for name in row.minimal)
    assert len(solver.asked) == len(set(solver.asked))  # no trial is made twice


def test_what_is_not_proved_needs_nothing_and_is_listed() -> None:
    row = only(part("3", axioms=BASE_AXIOMS), [Way(Z3, 1, 1_000, 20_000)])
    assert (row.whole.answered, row.without, row.minimal) == ("open", {}, ())


def test_a_solver_that_breaks_down_shows_nothing() -> None:
    row = only(part("1"), [Sufficient(frozenset({"interval"}), otherwise="broken").way()])
    assert row.need("interval") == "unproved"


def test_the_matrix_has_the_strongest_need_of_a_claims_obligations() -> None:
    def row(part: str, answers: dict[str, str]) -> Needs:
        trials = {name: Trial((), said) for name, said in answers.items()}  # type: ignore[arg-type]
        whole = Trial(tuple(answers), "proved")
        return Needs(part, part[:5], tuple(answers), whole, trials, tuple(answers)[:1])

    report = NeedsReport(
        (
            row("law:1/⊆", {"interval": "proved", "join-end": "open"}),
            row("law:1/⊇", {"interval": "proved", "join-end": "model"}),
            row("law:2/⊆", {"join-start": "open"}),
        ),
        ALL_AXIOMS,
    )
    assert report.axioms == ("interval", "join-start", "join-end")
    assert {claim: list(needs.values()) for claim, needs in report.matrix.items()} == {
        "law:1": ["spare", "unused", "independent"],
        "law:2": ["unused", "unproved", "unused"],
    }
    assert report.minimal == {"law:1": ("interval",), "law:2": ("join-start",)}


def test_what_a_proof_needs_does_not_depend_on_the_order_of_what_it_may_use() -> None:
    one = part("14", axioms=BASE_AXIOMS)
    other = replace(one, axioms=tuple(reversed(BASE_AXIOMS)))
    ways = [Way(Z3, 2, 20_000, 1_000_000)]
    for row in (only(one, ways), only(other, ways)):
        assert {name for name in row.used if row.need(name) != "spare"} == {"join-start", "join-end"}


def test_known_proofs_are_not_made_again() -> None:
    (claim,) = find(["1"])
    with installed() as portfolio:
        result = prove(claim, portfolio)
    known = known_work(result.obligations)
    assert {name for name, _ in known} == {"law:1/⊆", "law:1/⊇"}
    solver = Sufficient(frozenset(ALL_AXIOMS))
    whole = part("1")
    needed_axioms([whole], [solver.way()], known={(whole.id, solver.name): 10})
    assert whole.text not in solver.asked
