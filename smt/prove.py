"""Proof attempts: obligations, solvers and the search for counterexamples, combined into the standing of a claim."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from laws.claims import Claim, EquationClaim
from laws.counterexamples import Counterexample, RestrictionCounterexample
from laws.exhaustive import check_exhaustively
from laws.standings import Standing, weakest
from semantics.errors import LimitExceeded
from semantics.operators import OPERATORS, Operator
from semantics.restriction import dominated
from smt.countermodels import MAX_OCCURRENCES, Search, find_counterexample, hypotheses_witness
from smt.obligations import BASE_AXIOMS, UNION_AXIOMS, Obligation, directions, obligation
from smt.smtlib import TimeSort
from smt.solver import Answer, Solver, SolverFailed


@dataclass(frozen=True)
class Attempt:
    """One rung of the ladder: which assumptions about instances, and how much work."""

    axioms: tuple[str, ...]
    rlimit: int


QUICK: tuple[Attempt, ...] = (Attempt(BASE_AXIOMS, 50_000),)
"""Tried first, on everything: most claims need none of the laws of union, and a proof from fewer assumptions is
better. What is left open is then searched for a small counterexample, which is where false claims end."""

THOROUGH: tuple[Attempt, ...] = (
    Attempt((*BASE_AXIOMS, *UNION_AXIOMS), 500_000),
    Attempt(BASE_AXIOMS, 10_000_000),
    Attempt((*BASE_AXIOMS, *UNION_AXIOMS), 20_000_000),
)
"""Tried one after the other on what is then still open; a search for larger counterexamples comes after the first,
before the expensive ones."""

CROSS_CHECK_OCCURRENCES = 2
"""What is proved is still checked on all streams over so many occurrences, by truth tables and without the solver:
the two engines must not contradict each other."""

SEARCHES = (3, 4)
"""The sizes of the searches for counterexamples, in occurrences."""


@dataclass(frozen=True)
class ObligationResult:
    """What became of one obligation.

    Attributes:
        obligation: the text that was decided last.
        standing: proved, unknown, refuted (a counterexample of the claim contradicts this part) or error.
        answer: the solver's last answer.
        hypotheses: `satisfiable` when streams were found and replayed under which the hypotheses hold; otherwise what
            is known instead.
        reason: why the standing is not better.
    """

    obligation: Obligation
    standing: Standing
    answer: Answer
    hypotheses: str
    reason: str = ""


@dataclass(frozen=True)
class ClaimResult:
    """What became of a claim.

    Attributes:
        claim: the claim.
        standing: that of its weakest part, or refuted.
        obligations: one result per part.
        counterexample: a replayed counterexample, if there is one.
        searched: there is no counterexample over this many occurrences or fewer.
        seconds: the solvers' time.
        reason: why the standing is not better, in words.
    """

    claim: Claim
    standing: Standing
    obligations: tuple[ObligationResult, ...]
    counterexample: Counterexample | RestrictionCounterexample | None
    searched: int
    seconds: float
    reason: str = ""


def prove(
    claim: Claim,
    solver: Solver,
    *,
    time: TimeSort = "int",
    seed: int = 0,
    operators: Mapping[str, Operator] = OPERATORS,
    quick: tuple[Attempt, ...] = QUICK,
    thorough: tuple[Attempt, ...] = THOROUGH,
) -> ClaimResult:
    """Prove a claim for all event streams, or refute it by a replayed counterexample, or say what was tried.

    Args:
        claim: the claim.
        solver: where the obligations are decided.
        time: integer or dense time. Counterexamples have integer times in both cases.
        seed: the solver's random seed.
        operators: the definitions of the operators.
        quick: the attempts before the first search for counterexamples.
        thorough: the attempts after it.
    """
    return _Prover(claim, solver, time, seed, operators).run(quick, thorough)


class _Prover:
    def __init__(
        self, claim: Claim, solver: Solver, time: TimeSort, seed: int, operators: Mapping[str, Operator]
    ) -> None:
        self.claim = claim
        self.solver = solver
        self.time: TimeSort = time
        self.seed = seed
        self.operators = operators
        self.seconds = 0.0
        self.failure = ""
        self.unconfirmed = 0

    def run(self, quick: tuple[Attempt, ...], thorough: tuple[Attempt, ...]) -> ClaimResult:
        results = {part: self.attempt(part, quick) for part in directions(self.claim)}
        searches = iter(SEARCHES)
        search = Search(None, 0, 0.0)
        for rung in (None, *thorough):
            if rung is not None:
                open_parts = [part for part, result in results.items() if result.standing is Standing.UNKNOWN]
                results |= {part: self.attempt(part, (rung,)) for part in open_parts}
            if _all_proved(results):
                return self.conclude(results, self.cross_check())
            if (size := next(searches, None)) is not None:
                search = self.search(size)
            if search.counterexample is not None or self.unconfirmed:
                break
        return self.conclude(results, search)

    def attempt(self, part: str, attempts: tuple[Attempt, ...]) -> ObligationResult:
        """Climb the ladder until the solver proves the part."""
        for rung in attempts:
            query = obligation(self.claim, part, axioms=rung.axioms, time=self.time, operators=self.operators)
            try:
                answer = self.solver.check(query.text, rlimit=rung.rlimit, seed=self.seed)
                self.seconds += answer.seconds
                if answer.status == "unsat":
                    return self.proved(query, part, answer)
            except SolverFailed as error:
                failed = Answer("unknown", self.solver.name, 0.0, 0, str(error))
                return ObligationResult(query, Standing.ERROR, failed, "not asked", str(error))
        if answer.status == "sat":
            reason = "the solver has a model of the denial; no replayed counterexample yet"
        else:
            reason = f"the solver gave up: {answer.reason}"
        return ObligationResult(query, Standing.UNKNOWN, answer, "not asked", reason)

    def proved(self, query: Obligation, part: str, answer: Answer) -> ObligationResult:
        """A proof counts when its hypotheses can be true; a claim of the source must not hold by saying nothing."""
        witness = hypotheses_witness(self.claim, part, self.solver, operators=self.operators)
        if witness is not None:
            return ObligationResult(query, Standing.PROVED, answer, "satisfiable")
        missing = f"no streams over up to {MAX_OCCURRENCES} occurrences satisfy the hypotheses"
        if self.claim.source:
            return ObligationResult(query, Standing.UNKNOWN, answer, missing, f"possibly vacuous: {missing}")
        return ObligationResult(query, Standing.PROVED, answer, missing)

    def cross_check(self) -> Search:
        """Evaluate a proved claim on all small streams, without the solver."""
        try:
            outcome = check_exhaustively(self.claim, self.operators, largest=CROSS_CHECK_OCCURRENCES)
        except LimitExceeded:  # more identifiers than a truth table takes
            return Search(None, 0, 0.0)
        self.unconfirmed += outcome.standing is Standing.ERROR
        return Search(outcome.counterexample, 0, 0.0)

    def search(self, occurrences: int) -> Search:
        """Look for a counterexample over a few occurrences."""
        try:
            search = find_counterexample(
                self.claim, self.solver, max_occurrences=occurrences, operators=self.operators
            )
        except SolverFailed as error:
            self.failure = str(error)
            return Search(None, 0, 0.0)
        self.seconds += search.seconds
        self.unconfirmed += search.unconfirmed
        return search

    def conclude(self, parts: Mapping[str, ObligationResult], search: Search) -> ClaimResult:
        """The standing of the claim, given its parts and the search."""
        results = tuple(parts.values())
        standing = weakest(result.standing for result in results)
        reason = "; ".join(dict.fromkeys(result.reason for result in results if result.reason))
        counterexample = search.counterexample
        if counterexample is not None:
            refuted = _contradicted(counterexample)
            clash = [
                r for r in results if r.obligation.direction in refuted and r.standing is Standing.PROVED
            ]
            standing = Standing.DISAGREEMENT if clash else Standing.REFUTED
            reason = (
                "the solver proved what a replayed trace contradicts" if clash else counterexample.summary()
            )
            results = tuple(_with_refutation(result, refuted) for result in results)
        elif self.failure:
            standing, reason = Standing.ERROR, self.failure
        elif self.unconfirmed:
            standing = Standing.DISAGREEMENT
            reason = "the search found a counterexample that the executable semantics does not confirm"
        elif isinstance(self.claim, EquationClaim) and self.claim.is_vacuous and self.claim.source:
            standing, reason = Standing.UNKNOWN, "vacuous: both sides are the same text"
        elif standing is Standing.UNKNOWN:
            reason += f"; there is no counterexample over {search.complete_up_to} occurrences or fewer"
        return ClaimResult(
            self.claim, standing, results, counterexample, search.complete_up_to, self.seconds, reason
        )


def _all_proved(results: Mapping[str, ObligationResult]) -> bool:
    return all(result.standing is Standing.PROVED for result in results.values())


def _contradicted(counterexample: Counterexample | RestrictionCounterexample) -> frozenset[str]:
    """The parts of the claim that a counterexample contradicts."""
    if isinstance(counterexample, RestrictionCounterexample):
        return frozenset({counterexample.conclusion})
    left, right = counterexample.left, counterexample.right
    within = dominated if counterexample.relation == "~=" else frozenset.issubset
    parts = {"⊆": within(left, right), "⊇": within(right, left)}
    return frozenset(part for part, holding in parts.items() if not holding)


def _with_refutation(result: ObligationResult, refuted: frozenset[str]) -> ObligationResult:
    if result.obligation.direction in refuted and result.standing is not Standing.PROVED:
        return replace(result, standing=Standing.REFUTED, reason="contradicted by the counterexample")
    return result
