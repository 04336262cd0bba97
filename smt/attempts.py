"""Proof attempts: obligations, solvers and the search for counterexamples, combined into the standing of a claim.

Every obligation goes to every solver of a portfolio. First all obligations of all claims are asked with a small budget
and the fewest assumptions; what is then open is searched for a small counterexample, which is where false claims end;
what is still open is asked again, with more assumptions and larger budgets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from laws.claims import Claim
from laws.outcomes import Refutation
from laws.standings import Standing, weakest
from smt.obligations import Obligation
from smt.smtlib import TimeSort
from smt.solvers.portfolio import Opinion, Portfolio, Query, Verdict

ASSUMED_BUDGET = 20_000
"""The work of the first solver for the question whether what an obligation assumes contradicts itself."""


@dataclass(frozen=True)
class Attempt:
    """One rung of the ladder: which axioms are assumed, and how much work for each solver."""

    axioms: tuple[str, ...]
    budgets: Mapping[str, int]


class FailingRun(Refutation, Protocol):
    """A run of code with a wrong outcome."""

    def data(self) -> dict[str, Any]:
        """The run as plain data, for reports."""


@dataclass(frozen=True)
class Search:
    """Result of a search for counterexamples."""

    counterexample: Refutation | None = None
    refuted: frozenset[str] = frozenset()  # the parts of the claim that it contradicts
    one_of: bool = False  # whether it contradicts some of these parts, and it is not known which
    complete_up_to: int = 0  # there is none over so many occurrences or fewer
    suggested: bool = False  # whether traces of any size that the claim suggests were tried too
    unconfirmed: bool = False  # whether a solver found one that the executable semantics does not confirm
    failure: str = ""  # why the search broke down, if it did
    affirmed: tuple[str, ...] = ()  # the ways to a proof that say yes to a claim that is known to be false


@dataclass(frozen=True)
class Hypotheses:
    """Whether what an obligation assumes can be true."""

    words: str  # `satisfiable` where streams or a run were found for which that was replayed; or what is known instead
    vacuous: bool = False  # whether the obligation then counts as proved by saying nothing
    reason: str = ""  # what a proof is told with; "" where there is nothing to say


class Provable(Protocol):
    """A claim as obligations, with what refutes it and what shows that it says something."""

    claim: Claim
    ladder: tuple[Attempt, ...]  # the attempts, in the order in which they are made; the first before anything else
    # why the obligations cannot be written, or are not worth more than a first attempt; "" if they are
    objection: str = ""
    is_vacuous: bool = False  # whether the claim says nothing as it is stated
    efforts: int = 1  # how many efforts there are at refuting it

    def obligations(self, time: TimeSort) -> Sequence[Obligation]:
        """Obligations of the claim, with the fewest assumptions."""

    def derive(self, portfolio: Portfolio, time: TimeSort, seed: int) -> tuple[ObligationResult, ...]:
        """The obligations of another way to the whole claim, if there is one and it succeeds; all are proved."""
        return ()

    def refute(self, effort: int, portfolio: Portfolio) -> Search:
        """Look for a counterexample; a greater effort, from 0, looks further."""

    def cross_check(self) -> Search:
        """Look for a counterexample of what is proved, without a solver."""
        return Search()

    def hypotheses(self, direction: str, portfolio: Portfolio) -> Hypotheses:
        """Whether what a part assumes can be true."""
        return Hypotheses("not asked")


@dataclass(frozen=True)
class ObligationResult:
    """Result of one obligation."""

    obligation: Obligation  # the text that was decided last; all proofs are proofs of it
    # computed, agreed, proved, unknown, refuted (a counterexample of the claim contradicts this part), disagreement or
    # error
    standing: Standing
    opinions: tuple[Opinion, ...]
    # `satisfiable` when streams were found and replayed under which the hypotheses hold; otherwise what is known
    # instead
    hypotheses: str = "not asked"
    reason: str = ""

    @property
    def solver(self) -> str:
        """The solvers that proved it; those that were asked, if none did."""
        proved = [opinion.solver for opinion in self.opinions if opinion.proved]
        return " + ".join(proved or [opinion.solver for opinion in self.opinions])

    @property
    def seconds(self) -> float:
        """The solvers' time."""
        return sum(opinion.answer.seconds for opinion in self.opinions if opinion.answer is not None)

    @property
    def rlimit(self) -> int:
        """The work of the first solver, in its own units."""
        first = self.opinions[0].answer if self.opinions else None
        return 0 if first is None else first.rlimit


@dataclass(frozen=True)
class ClaimResult:
    """Result of a claim."""

    claim: Claim
    standing: Standing  # that of its weakest part, or refuted
    obligations: tuple[ObligationResult, ...]
    counterexample: Refutation | None
    searched: int  # there is no counterexample over this many occurrences or fewer
    seconds: float
    reason: str = ""
    kernel: str = ""  # what a kernel says of it besides, in words; "" where it says nothing


STANDINGS: Mapping[str, Standing] = {
    "agreed": Standing.AGREED,
    "proved": Standing.PROVED,
    "open": Standing.UNKNOWN,
    "contradiction": Standing.DISAGREEMENT,
    "error": Standing.ERROR,
}


def prove_all(
    subjects: Iterable[Provable],
    portfolio: Portfolio,
    *,
    time: TimeSort = "int",
    seed: int = 0,
    progress: Callable[[str, int], None] = lambda said, done: None,
) -> list[ClaimResult]:
    """Prove several claims; the solvers are asked about all of them at once, which keeps every core busy.

    `progress` is told what is done, and how many of two pieces of work for each claim are behind.
    """
    attempts = [_ClaimAttempt(subject, portfolio, time, seed) for subject in subjects]
    parts = [part for attempt in attempts for part in attempt.parts if not part.settled]
    places = [place for place, attempt in enumerate(attempts) for part in attempt.parts if not part.settled]

    def answered(at: int) -> None:
        progress(attempts[places[at]].subject.claim.id, places[at])

    _ask(parts, 0, portfolio, seed, answered)
    return [attempt.finish(progress, len(attempts) + place) for place, attempt in enumerate(attempts)]


def _ask(
    parts: Iterable[_Part],
    rung: int,
    portfolio: Portfolio,
    seed: int,
    answered: Callable[[int], None] = lambda place: None,
) -> None:
    """Put a rung of their ladders to the parts that not every solver has proved yet."""
    asked = [part for part in parts if not part.settled and rung < len(part.ladder)]
    queries = [
        Query(part.asked.id, part.asked.with_axioms(part.ladder[rung].axioms).text, part.ladder[rung].budgets)
        for part in asked
    ]
    verdicts = portfolio.check_all(queries, seed=seed, answered=answered) if queries else []
    for part, verdict in zip(asked, verdicts, strict=True):
        part.told(part.ladder[rung], verdict)


class _Part:
    """An obligation and what is known of it."""

    def __init__(self, asked: Obligation, ladder: tuple[Attempt, ...]) -> None:
        self.asked = asked
        self.ladder = ladder
        self.obligation = asked
        self.opinions: tuple[Opinion, ...] = ()
        self.reason = ""
        self.standing = Standing.COMPUTED if asked.is_computed else Standing.UNKNOWN

    @property
    def settled(self) -> bool:
        """Whether asking again cannot improve the standing."""
        if self.standing is Standing.PROVED:
            return len(self.opinions) == 1 or any(opinion.failure for opinion in self.opinions)
        return self.standing in (Standing.COMPUTED, Standing.AGREED, Standing.DISAGREEMENT, Standing.ERROR)

    def told(self, attempt: Attempt, verdict: Verdict) -> None:
        """Take a verdict in; a proof is not given up for a later rung without one."""
        standing = STANDINGS[verdict.outcome]
        if self.standing is Standing.PROVED and standing in (Standing.UNKNOWN, Standing.PROVED):
            self.reason = verdict.reason or self.reason  # of the larger budget
            return
        self.obligation = self.asked.with_axioms(attempt.axioms)
        self.standing, self.opinions, self.reason = standing, verdict.opinions, verdict.reason

    def result(self, subject: Provable, portfolio: Portfolio) -> ObligationResult:
        """The result; what is proved is asked whether its hypotheses can be true."""
        if not self.opinions or not self.standing.unbounded:
            return ObligationResult(self.obligation, self.standing, self.opinions, reason=self.reason)
        hypotheses: Hypotheses | None = None
        if not self.obligation.whole and self.obligation.assertions[:-1]:
            assumed = replace(self.obligation, assertions=self.obligation.assertions[:-1])
            if portfolio.solvers[0].check(assumed.text, rlimit=ASSUMED_BUDGET).status == "unsat":
                hypotheses = Hypotheses("the hypotheses contradict each other", vacuous=True)
        hypotheses = hypotheses or subject.hypotheses(self.asked.direction, portfolio)
        standing, reason = self.standing, hypotheses.reason or self.reason
        if hypotheses.vacuous:
            standing, reason = Standing.UNKNOWN, f"possibly vacuous: {hypotheses.words}"
        return ObligationResult(self.obligation, standing, self.opinions, hypotheses.words, reason)


class _ClaimAttempt:
    """The attempt to prove one claim."""

    def __init__(self, subject: Provable, portfolio: Portfolio, time: TimeSort, seed: int) -> None:
        self.subject = subject
        self.portfolio = portfolio
        self.time: TimeSort = time
        self.seed = seed
        self.parts = [_Part(asked, subject.ladder) for asked in subject.obligations(time)]
        self.search = Search()
        self.derived: tuple[ObligationResult, ...] = ()

    @property
    def proved(self) -> bool:
        return bool(self.derived) or all(part.standing.unbounded for part in self.parts)

    def finish(self, progress: Callable[[str, int], None], done: int) -> ClaimResult:
        """Go on after the first attempt: search for counterexamples, and ask again what is open."""

        def turn(doing: str) -> None:
            progress(f"{self.subject.claim.id}: {doing}", done)

        effort, rungs = 0, max(1, len(self.subject.ladder))
        for rung in range(rungs):
            if rung > 0:
                turn(f"attempt {rung + 1} of {rungs}")
                _ask(self.parts, rung, self.portfolio, self.seed)
            if self.proved:
                if self.derived or all(part.settled for part in self.parts):
                    break
                continue  # the second solver may still agree; there is nothing to refute
            if effort < self.subject.efforts:
                turn("looking for a counterexample")
                self.search = self.subject.refute(effort, self.portfolio)
                effort += 1
            search = self.search
            if search.counterexample is not None or search.unconfirmed or search.failure or search.affirmed:
                break
            if rung == 0:
                turn("looking for another way to prove it")
                self.derived = self.subject.derive(self.portfolio, self.time, self.seed)
        if self.proved:
            turn("looking at small cases, and at what is assumed")
            self.search = self.subject.cross_check()
        return self.conclude()

    def conclude(self) -> ClaimResult:
        claim, search = self.subject.claim, self.search
        results = self.derived or tuple(part.result(self.subject, self.portfolio) for part in self.parts)
        standing = weakest(result.standing for result in results)
        reason = "; ".join(dict.fromkeys(result.reason for result in results if result.reason))
        if search.affirmed:
            standing, reason = Standing.DISAGREEMENT, f"it is false, and affirmed by {', '.join(search.affirmed)}"
        elif search.counterexample is not None:
            proofs = [p.standing.unbounded for p in self.parts if p.asked.direction in search.refuted]
            clash = bool(self.derived) or (bool(proofs) and (all(proofs) if search.one_of else any(proofs)))
            standing = Standing.DISAGREEMENT if clash else Standing.REFUTED
            reason = search.counterexample.summary()
            if clash:
                reason = "the solvers proved what a replayed trace contradicts"
            results = tuple(
                replace(result, standing=Standing.REFUTED, reason="contradicted by the counterexample")
                if result.obligation.direction in search.refuted and not result.standing.unbounded
                else result
                for result in results
            )
        elif search.failure:
            standing, reason = Standing.ERROR, search.failure
        elif search.unconfirmed:
            standing = Standing.DISAGREEMENT
            reason = "the search found a counterexample that the executable semantics does not confirm"
        elif self.subject.is_vacuous:
            standing, reason = Standing.UNKNOWN, "vacuous: both sides are the same text"
        elif standing is Standing.UNKNOWN and search.complete_up_to:
            reason += f"; there is no counterexample over {search.complete_up_to} occurrences or fewer"
            reason += ", nor among the traces that its sides suggest" if search.suggested else ""
        seconds = sum(result.seconds for result in results)
        return ClaimResult(claim, standing, results, search.counterexample, search.complete_up_to, seconds, reason)
