"""Proofs of theorems by their scripts, and of everything together: what rests on what, and what follows from that."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from laws.carlson_lisper.catalogue import AnyClaim, is_part
from laws.carlson_lisper.invariants import STEP_LEMMAS, StepLemma
from laws.carlson_lisper.theorems import Theorem, scripted_theorems
from laws.standings import Standing, weakest
from proofs.carlson_lisper.runs.altered import find_contradiction
from proofs.carlson_lisper.runs.search import search
from proofs.carlson_lisper.runs.steps import hypotheses_hold
from proofs.carlson_lisper.scripts import Subject, obligations_of
from smt.execution import ExecutionFailed
from smt.obligations import BASE_AXIOMS, Obligation, Writer
from smt.prove import (
    Attempt,
    ClaimResult,
    Hypotheses,
    LawProof,
    Provable,
    Search,
    Turn,
    prove_all,
)
from smt.smtlib import TimeSort
from smt.solvers.portfolio import Portfolio, Query, Rung

HYPOTHESES_BUDGET = {"z3": 20_000, "cvc5": 5_000}
"""The work that the solvers may spend to find a contradiction among the hypotheses of an obligation."""


LADDER: tuple[Attempt, ...] = (
    Attempt(BASE_AXIOMS, {"z3": 100_000, "cvc5": 20_000}),
    Attempt(BASE_AXIOMS, {"z3": 500_000, "cvc5": 100_000}),
    Attempt((*BASE_AXIOMS, "join-commutative"), {"z3": 500_000, "cvc5": 100_000}),
    Attempt(BASE_AXIOMS, {"z3": 2_000_000, "cvc5": 400_000}),
)
"""The attempts at an obligation of a script.

The code that runs is proved by the first two. The third is for code that joins the same instances the other way round.
"""


NOTHING_TO_PROVE = Attempt((), {"z3": 1_000, "cvc5": 1_000})
"""The attempt at what stands for obligations that cannot be written."""


@dataclass
class ScriptProof:
    """A theorem with the obligations that its script writes.

    Attributes:
        claim: the theorem.
        subject: the definitions and the code that it is about.
        ladder: the attempts.
        objection: why the obligations cannot be written, or are not worth more than a first attempt, if so.
    """

    claim: Theorem
    subject: Subject = field(default_factory=Subject)
    ladder: tuple[Attempt, ...] = LADDER
    objection: str = ""
    _time: TimeSort = "int"
    _parts: dict[str, Obligation] = field(default_factory=dict)
    _consistent: dict[str, Hypotheses] = field(default_factory=dict)

    def obligations(self, time: TimeSort) -> Sequence[Obligation]:
        """What the script writes; if it cannot, one obligation that cannot be proved."""
        try:
            found = obligations_of(self.claim, time, self.subject)
        except ExecutionFailed as error:
            self.objection = str(error)
        except Exception as error:  # whatever code, or a definition in which something is missing, may raise
            self.objection = f"its obligations cannot be written: {type(error).__name__}: {error}"
        if self.objection:
            self.ladder = (NOTHING_TO_PROVE,)
            found = [Writer(time).obligation(self.claim.id, "execution", self.objection, ["true"])]
        else:
            self._doubt_definitions()
        self._time = time
        self._parts = {part.direction: part for part in found}
        return found

    def _doubt_definitions(self) -> None:
        """Definitions that small streams contradict are worth no more than the first attempt."""
        contradiction = find_contradiction(self.subject.definitions)
        if contradiction is not None:
            said = contradiction.evidence.summary()
            self.objection = f"under these definitions {contradiction.claim} is false: {said}"
            self.ladder = self.ladder[:1]

    def derive(self, portfolio: Portfolio, time: TimeSort, seed: int) -> None:
        """There is no other way."""

    def refute(self, effort: int, portfolio: Portfolio) -> Search:
        """Run the code on small inputs and look for a wrong outcome; there is one effort."""
        return Search() if effort else self._run(thorough=True)

    def cross_check(self) -> Search:
        """What is proved of the code is still run on the smallest inputs."""
        return self._run(thorough=False) if self._time == "int" else Search()

    def _run(self, *, thorough: bool) -> Search:
        return search(self.claim, self.subject, self._parts, thorough=thorough)

    def hypotheses(self, direction: str, portfolio: Portfolio) -> Hypotheses:
        """Whether a run shows that what is assumed can be true, or a solver finds a contradiction in it."""
        lemma = STEP_LEMMAS.get(self.claim.id)
        if lemma is not None:
            return self._witnessed(lemma)
        part = self._parts[direction]
        assumed = replace(part, assertions=part.assertions[:-1])
        key = "\n".join((*assumed.declarations, *assumed.assertions))
        if key not in self._consistent:
            self._consistent[key] = _consistency(assumed, portfolio)
        return self._consistent[key]

    def _witnessed(self, lemma: StepLemma) -> Hypotheses:
        if "" not in self._consistent:
            run = hypotheses_hold(lemma, self.subject.steps, self.subject.operators)
            missing = Hypotheses(False, "no run satisfies the hypotheses", vacuous=True)
            self._consistent[""] = missing if run is None else Hypotheses(True, "satisfiable")
        return self._consistent[""]


def _consistency(assumed: Obligation, portfolio: Portfolio) -> Hypotheses:
    if not assumed.assertions:
        return Hypotheses(True, "satisfiable")
    verdict = portfolio.check(Query(assumed.id, (Rung(assumed.text, HYPOTHESES_BUDGET),)))
    if verdict.provers:
        return Hypotheses(False, "the hypotheses contradict each other", vacuous=True)
    if any(answer.status == "sat" for opinion in verdict.opinions for answer in opinion.answers):
        return Hypotheses(True, "satisfiable")
    return Hypotheses(False, "no contradiction found")


def provable(claim: AnyClaim, subject: Subject | None = None) -> Provable:
    """The obligations of any claim."""
    about = subject or Subject()
    return ScriptProof(claim, about) if isinstance(claim, Theorem) else LawProof(claim, about.operators)


def with_dependencies(claims: Iterable[AnyClaim], known: Sequence[AnyClaim]) -> tuple[AnyClaim, ...]:
    """The claims and all that their proofs rest on, in the order of `known`; conjectures come last.

    Args:
        claims: what is asked for.
        known: the catalogue.
    """
    wanted: dict[str, AnyClaim] = {}
    pending = list(claims)
    while pending:
        claim = pending.pop(0)
        if claim.id not in wanted:
            wanted[claim.id] = claim
            if isinstance(claim, Theorem):
                pending += [other for name in claim.rests_on for other in known if _named(other.id, name)]
    order = {claim.id: number for number, claim in enumerate(known)}
    return tuple(sorted(wanted.values(), key=lambda claim: order.get(claim.id, len(order))))


def _named(claim: str, name: str) -> bool:
    """Whether a claim is meant by a name that a proof rests on; `theorem:4.6` means all its parts."""
    return claim == name or (name not in _WHOLE and is_part(claim, name))


_WHOLE = frozenset(theorem.id for theorem in scripted_theorems())


def prove_claims(
    claims: Sequence[AnyClaim],
    portfolio: Portfolio,
    *,
    time: TimeSort = "int",
    seed: int = 0,
    subject: Subject | None = None,
    progress: Callable[[AnyClaim], None] = lambda _: None,
    concluding: Callable[[Turn], None] = lambda _: None,
) -> list[ClaimResult]:
    """Prove laws and theorems; a theorem stands no better than what its proof rests on.

    Args:
        claims: what is to be proved. A theorem that rests on a claim that is not among them is unknown.
        portfolio: the solvers.
        time: integer or dense time; theorems that say that they do not carry over are left out of dense time.
        seed: the solvers' random seed.
        subject: the definitions and the code that the claims are about.
        progress: told of each claim when the solvers have first answered; see `smt.prove.prove_all`.
        concluding: told of what is done about each claim after that.
    """
    chosen = [claim for claim in claims if time == "int" or carries_over(claim)]
    subjects = [provable(claim, subject) for claim in chosen]
    results = prove_all(subjects, portfolio, time=time, seed=seed, progress=progress, concluding=concluding)
    return resting(_with_objection(about, result) for about, result in zip(subjects, results, strict=True))


def _with_objection(about: Provable, result: ClaimResult) -> ClaimResult:
    """An unknown result whose reason is that there is nothing to prove, if it is."""
    objection = about.objection if isinstance(about, ScriptProof) else ""
    return replace(result, reason=objection) if objection and result.standing is Standing.UNKNOWN else result


def carries_over(claim: AnyClaim) -> bool:
    """Whether a claim is one about dense time as well."""
    return not (isinstance(claim, Theorem) and claim.dense)


def resting(results: Iterable[ClaimResult]) -> list[ClaimResult]:
    """The results, each no better than those that it rests on; what it rests on comes earlier or is looked up."""
    known = {result.claim.id: result for result in results}
    settled: dict[str, ClaimResult] = {}

    def settle(result: ClaimResult) -> ClaimResult:
        claim = result.claim
        if claim.id in settled:
            return settled[claim.id]
        settled[claim.id] = result  # a circle of claims that rest on each other would end here
        if isinstance(claim, Theorem) and claim.rests_on:
            supports = {
                name: [settle(other) for key, other in known.items() if _named(key, name)]
                for name in claim.rests_on
            }
            settled[claim.id] = _supported(result, supports)
        return settled[claim.id]

    return [settle(result) for result in known.values()]


def _supported(result: ClaimResult, supports: dict[str, list[ClaimResult]]) -> ClaimResult:
    standings = {name: weakest(r.standing for r in found) for name, found in supports.items()}
    own = result.standing
    if not own.unbounded:
        return result
    weak = {name: standing for name, standing in standings.items() if not standing.unbounded}
    if not weak:
        return replace(result, standing=weakest((own, *standings.values())))
    listed = ", ".join(f"{name} ({standing.value})" for name, standing in weak.items())
    return replace(
        result, standing=Standing.UNKNOWN, reason=f"its own parts are proved; it rests on {listed}"
    )
