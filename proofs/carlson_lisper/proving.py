"""Proofs of the claims of this algebra: by Rocq's kernel, and as obligations for solvers beside it or instead."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType
from typing import TypeAlias

from laws.carlson_lisper.claims import EquationClaim, RestrictionClaim
from laws.carlson_lisper.invariants import STEP_LEMMAS, StepLemma
from laws.claims import Claim
from laws.theorems import Theorem
from proofs.carlson_lisper import transformation
from proofs.carlson_lisper.kernel.building import checked
from proofs.carlson_lisper.step_runs import LONGER, find_step_counterexample, hypotheses_hold
from proofs.carlson_lisper.steps import Subject, step_obligations
from proofs.carlson_lisper.transformation import INFINITE, LEMMA, infinite_laws, lemma
from smt.attempts import Attempt, Hypotheses, Provable, Search
from smt.carlson_lisper.law_proofs import LawProof
from smt.carlson_lisper.obligations import BASE_AXIOMS, Writer
from smt.carlson_lisper.stated import part_obligations
from smt.obligations import Obligation
from smt.python.paths import NotTranslated
from smt.smtlib import TimeSort
from smt.solvers.portfolio import Portfolio, Query

kernel = checked  # What Rocq's kernel says of claims (`proofs.proving.ProofsOfSystem`)

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

QUEUE = "lemma:5.5.queue"

Script: TypeAlias = Callable[[TimeSort, Subject], list[Obligation]]

SCRIPTS: Mapping[str, Script] = MappingProxyType(
    {INFINITE: infinite_laws, **{claim: partial(step_obligations, claim) for claim in STEP_LEMMAS}, LEMMA: lemma}
)
"""What writes the obligations of a theorem over integer or dense time; others have formulas, or the kernel alone."""


@dataclass
class ScriptProof(Provable):
    """A theorem with the obligations that its script writes."""

    claim: Theorem
    subject: Subject = field(default_factory=Subject)
    ladder: tuple[Attempt, ...] = LADDER
    objection: str = ""  # why the obligations cannot be written, or are not worth more than a first attempt, if so
    _time: TimeSort = "int"
    _parts: dict[str, Obligation] = field(default_factory=dict)
    _consistent: dict[str, Hypotheses] = field(default_factory=dict)

    def obligations(self, time: TimeSort) -> Sequence[Obligation]:
        """What the script writes; if it cannot, one obligation that cannot be proved."""
        try:
            script = SCRIPTS.get(self.claim.id)
            operators = self.subject.operators
            found = script(time, self.subject) if script else part_obligations(self.claim, time, operators)
        except NotTranslated as error:
            self.objection = str(error)
        except Exception as error:  # whatever code, or a definition in which something is missing, may raise
            self.objection = f"its obligations cannot be written: {type(error).__name__}: {error}"
        if self.objection:
            self.ladder = (NOTHING_TO_PROVE,)
            found = [Writer(time).obligation(self.claim.id, "execution", self.objection, ["true"])]
        self._time = time
        self._parts = {part.direction: part for part in found}
        return found

    def refute(self, effort: int, portfolio: Portfolio) -> Search:
        """Run the code on small inputs and look for a wrong outcome; there is one effort."""
        return Search() if effort else self._run(thorough=True)

    def cross_check(self) -> Search:
        """What is proved of the code is still run on the smallest inputs."""
        return self._run(thorough=False) if self._time == "int" else Search()

    def _run(self, *, thorough: bool) -> Search:
        """What a run contradicts: of a step all parts together, as one part presupposes what another one says."""
        about = STEP_LEMMAS.get(self.claim.id)
        found = transformation.find_transformation_counterexample(self.subject) if self.claim.id == LEMMA else None
        if about is not None:
            found = find_step_counterexample(about, self.subject, LONGER if thorough else 0)
        if found is None:
            return Search()
        # Lemma 6.1 is run with the loop around the rules, and sequences with their queue; no obligation has these.
        without = self.claim.id == LEMMA or (QUEUE in self.claim.rests_on and bool(kernel().get(QUEUE)))
        return Search(found) if without else Search(found, frozenset(self._parts), one_of=True)

    def hypotheses(self, direction: str, portfolio: Portfolio) -> Hypotheses:
        """Whether a run shows that what is assumed can be true, or a solver finds a contradiction in it."""
        lemma = STEP_LEMMAS.get(self.claim.id)
        part = self._parts[direction]
        assumed = replace(part, assertions=part.assertions[:-1])
        key = "\n".join((*assumed.declarations, *assumed.assertions))
        if key not in self._consistent:
            self._consistent[key] = _consistency(assumed, portfolio)
        found = self._consistent[key]
        return found if lemma is None or found.vacuous else self._witnessed(lemma)

    def _witnessed(self, lemma: StepLemma) -> Hypotheses:
        if "" not in self._consistent:
            missing = Hypotheses("no run satisfies the hypotheses", vacuous=True)
            self._consistent[""] = Hypotheses("satisfiable") if hypotheses_hold(lemma, self.subject) else missing
        return self._consistent[""]


def _consistency(assumed: Obligation, portfolio: Portfolio) -> Hypotheses:
    asked = Query(assumed.id, assumed.text, HYPOTHESES_BUDGET)
    opinions = portfolio.check(asked).opinions if assumed.assertions else ()
    if any(opinion.proved for opinion in opinions):
        return Hypotheses("the hypotheses contradict each other", vacuous=True)
    if not opinions or any(opinion.status == "sat" for opinion in opinions):
        return Hypotheses("satisfiable")
    return Hypotheses("no contradiction found")


def provable(claim: Claim, subject: Subject | None = None) -> Provable:
    """The obligations of any claim about this algebra; by default about its own definitions and code."""
    about = subject or Subject()
    if isinstance(claim, Theorem):
        return ScriptProof(claim, about)
    assert isinstance(claim, EquationClaim | RestrictionClaim), claim.id
    return LawProof(claim, about.operators)
