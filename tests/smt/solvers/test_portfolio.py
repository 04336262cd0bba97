"""Several solvers on the same queries: what their answers amount to, whoever is faster."""

import time
from collections.abc import Mapping

import pytest

from smt.solvers.portfolio import Z3, Answer, Portfolio, Query, SolverFailed, Status, Strategy, installed

BUDGETS = {"z3": 100_000, "cvc5": 50_000}


class Scripted:
    """A solver that says what it was told to say, after a while."""

    def __init__(self, name: str, says: Mapping[str, Status | type[BaseException]], pause: float = 0.0) -> None:
        self.name = f"{name} 1.0"
        self.says = says
        self.pause = pause
        self.strategy = Strategy("scripted", (("name", name),))
        self.asked: list[tuple[str, int, int]] = []
        self.closed = 0

    def check(self, text: str, *, rlimit: int, seed: int = 0) -> Answer:
        time.sleep(self.pause)
        self.asked.append((text, rlimit, seed))
        said = self.says[text]
        if isinstance(said, str):
            return Answer(said, self.name, 0.0, 7, "because" if said == "unknown" else "")
        raise said(f"{self.name} broke down")

    def close(self) -> None:
        self.closed += 1


def query(text: str, name: str = "query") -> Query:
    return Query(name, text, {"a": 1, "b": 2})


@pytest.mark.parametrize(
    ("left", "right", "outcome", "reason"),
    [
        ("unsat", "unsat", "agreed", ""),
        ("unsat", "unknown", "proved", "b 1.0 gave up: because"),
        ("unknown", "unsat", "proved", "a 1.0 gave up: because"),
        ("unknown", "unknown", "open", "a 1.0 gave up: because; b 1.0 gave up: because"),
        ("sat", "unknown", "open", "a 1.0 has a model of the denial; b 1.0 gave up: because"),
        ("sat", "sat", "open", "a 1.0 has a model of the denial; b 1.0 has a model of the denial"),
        ("unsat", "sat", "contradiction", "a 1.0 has a proof and b 1.0 a model of the same text"),
        ("sat", "unsat", "contradiction", "b 1.0 has a proof and a 1.0 a model of the same text"),
        ("unsat", SolverFailed, "proved", "b 1.0 broke down"),
        (SolverFailed, "unsat", "proved", "a 1.0 broke down"),
    ],
)
def test_the_outcome_follows_from_both_answers(left: Status, right: Status, outcome: str, reason: str) -> None:
    verdict = Portfolio([Scripted("a", {"t": left}), Scripted("b", {"t": right})]).check(query("t"))
    assert (verdict.outcome, verdict.reason) == (outcome, reason)
    assert [(o.solver, o.strategy.options) for o in verdict.opinions] == [(f"{x} 1.0", (("name", x),)) for x in "ab"]


def test_each_solver_has_its_own_budget_and_the_same_seed() -> None:
    a, b = Scripted("a", {"t": "unknown"}), Scripted("b", {"t": "unsat"})
    assert Portfolio([a, b]).check(query("t"), seed=5).provers == ("b 1.0",)
    assert (a.asked, b.asked) == ([("t", 1, 5)], [("t", 2, 5)])


@pytest.mark.parametrize("pauses", [(0.0, 0.02), (0.02, 0.0)])
def test_who_is_faster_does_not_matter(pauses: tuple[float, float]) -> None:
    says: list[dict[str, Status]] = [{"t": "unsat", "u": "unknown"}, {"t": "sat", "u": "unsat"}]
    solvers = [Scripted(name, said, pause) for name, said, pause in zip("ab", says, pauses, strict=True)]
    queries = [query("t", name="first"), query("u", name="second"), query("t", name="third")]
    verdicts = Portfolio(solvers).check_all(queries)
    assert [verdict.id for verdict in verdicts] == ["first", "second", "third"]
    assert [verdict.outcome for verdict in verdicts] == ["contradiction", "proved", "contradiction"]
    assert [verdict.opinions[0].status for verdict in verdicts] == ["unsat", "unknown", "unsat"]


@pytest.mark.parametrize("broken", [0, 1])
def test_an_interrupt_stops_every_solver(broken: int) -> None:
    says: list[dict[str, Status | type[BaseException]]] = [{"t": "unsat"}, {"t": "unsat"}]
    says[broken] = {"t": KeyboardInterrupt}
    solvers = [Scripted(name, said) for name, said in zip("ab", says, strict=True)]
    with pytest.raises(KeyboardInterrupt):
        Portfolio(solvers).check_all([query("t")] * 3)
    assert all(solver.closed for solver in solvers)


def test_without_cvc5_a_claim_is_proved_and_not_agreed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("smt.solvers.portfolio.is_installed", lambda: False)
    with installed() as portfolio:
        verdict = portfolio.check(Query("false", "(assert false)(check-sat)", BUDGETS))
    assert verdict.outcome == "proved"
    assert verdict.provers == (Z3().name,)


def test_a_query_is_reported_once_when_the_first_solver_has_answered_it() -> None:
    first, second = Scripted("a", {"t": "unsat"}), Scripted("b", {"t": "unsat"}, 0.02)
    heard: list[tuple[int, int]] = []
    Portfolio([first, second]).check_all(
        [query("t")] * 3, answered=lambda place: heard.append((place, len(first.asked)))
    )
    assert heard == [(0, 1), (1, 2), (2, 3)]
