"""Needed axioms of a proof: each is left out, and the solvers are asked again.

A proof from fewer assumptions settles that the others are not needed. That there is no proof without an assumption is
shown by a model only; otherwise all that is known is that none was found with so much work.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from smt.obligations import Obligation
from smt.solvers.cvc5_solver import CVC5, MODELS, is_installed
from smt.solvers.questions import KnownWork, Maker, Outcome, Pool, pools, side_by_side
from smt.solvers.solver import Question
from smt.solvers.z3_solver import Z3

Answered = Literal["proved", "model", "open"]
"""What came of an obligation under some assumptions: a proof; a model of the denial; or neither within the budgets."""

Need = Literal["unused", "spare", "unproved", "independent"]
"""What a proof has to do with an axiom.

`unused`: the obligation does not assume it. `spare`: there is a proof without it. `unproved`: no proof without it was
found. `independent`: a solver has a model in which the obligation fails, and all the other assumptions hold."""

_ORDER: tuple[Need, ...] = ("unused", "spare", "unproved", "independent")


@dataclass(frozen=True)
class Way:
    """A solver, and the work that it may spend, in its own units.

    Attributes:
        make: makes the solver.
        factor: so many times the work that its proof took with all assumptions, and
        floor: so much besides.
        first: what it may spend with all assumptions. A way with factor 0 is not asked with all of them.
    """

    make: Maker
    factor: int
    floor: int
    first: int = 0


def usual_ways() -> tuple[Way, ...]:
    """Z3 for quick proofs, cvc5 for finite models, then both for longer proofs; Z3 alone where there is no cvc5."""
    quick, longer = Way(Z3, 0, 20_000), Way(Z3, 2, 20_000, 20_000_000)
    if not is_installed():
        return (quick, longer)
    return (quick, Way(_model_finder, 0, 20_000), longer, Way(CVC5, 1, 5_000, 2_000_000))


def _model_finder() -> CVC5:
    return CVC5(strategy=MODELS)


@dataclass(frozen=True)
class Trial:
    """What came of an obligation under some of its assumptions."""

    axioms: tuple[str, ...]
    answered: Answered


@dataclass(frozen=True)
class Needs:
    """What the proof of one obligation needs.

    Attributes:
        used: the assumptions under which it was proved.
        without: for each of them, what came of it without that one alone; a proof from still fewer counts.
        minimal: assumptions that suffice, none of which can be left out as far as is known; empty if there is no proof.
    """

    id: str
    claim: str
    used: tuple[str, ...]
    whole: Trial
    without: Mapping[str, Trial]
    minimal: tuple[str, ...]

    def need(self, axiom: str) -> Need:
        """What the proof has to do with an axiom."""
        if axiom not in self.without:
            return "unused"
        answered = self.without[axiom].answered
        return "spare" if answered == "proved" else "independent" if answered == "model" else "unproved"


@dataclass(frozen=True)
class NeedsReport:
    """What the proofs of many obligations need."""

    rows: tuple[Needs, ...]
    order: tuple[str, ...]

    @property
    def axioms(self) -> tuple[str, ...]:
        """The axioms that some obligation assumes, in the order in which their theory names them."""
        used = {name for row in self.rows for name in row.used}
        return tuple(name for name in self.order if name in used)

    @property
    def matrix(self) -> Mapping[str, Mapping[str, Need]]:
        """For each claim and axiom the strongest need among the claim's obligations."""
        found: dict[str, dict[str, Need]] = {}
        for row in self.rows:
            needs = found.setdefault(row.claim, dict.fromkeys(self.axioms, "unused"))
            for axiom in self.axioms:
                needs[axiom] = max(needs[axiom], row.need(axiom), key=_ORDER.index)
        return found

    @property
    def minimal(self) -> Mapping[str, tuple[str, ...]]:
        """For each claim the axioms in the minimal sets of its obligations."""
        found: dict[str, set[str]] = {}
        for row in self.rows:
            found.setdefault(row.claim, set()).update(row.minimal)
        return {claim: tuple(name for name in self.axioms if name in names) for claim, names in found.items()}


def needed_axioms(
    obligations: Iterable[Obligation],
    ways: Sequence[Way] | None = None,
    *,
    known: KnownWork = MappingProxyType({}),
    workers: int = 2,
) -> NeedsReport:
    """Leave out each assumption about instances, and as many as can be left out together.

    Args:
        obligations: with the assumptions under which they were proved.
        ways: the solvers, asked in this order until one has a proof or a model; by default `usual_ways`.
        known: the work of proofs that are known, so that they need not be made again.
    """
    chosen = tuple(usual_ways() if ways is None else ways)
    with pools([way.make for way in chosen], workers) as made:
        asked = list(zip(chosen, made, strict=True))
        searches = [_Search(obligation, asked, known) for obligation in obligations]
        rows = tuple(side_by_side(_Search.needs, searches, made, workers))
        axioms = (name for search in searches for name in search.obligation.theory.axioms)
        return NeedsReport(rows, tuple(dict.fromkeys(axioms)))


class _Search:
    """The trials of one obligation; none is made twice."""

    def __init__(self, obligation: Obligation, ways: Sequence[tuple[Way, Pool]], known: KnownWork) -> None:
        self.obligation = obligation
        self.ways = ways
        self.known = known
        self.firsts: dict[int, Outcome] = {}
        self.trials: dict[tuple[str, ...], Trial] = {}

    def needs(self) -> Needs:
        used = self.obligation.axioms
        whole = self._whole()
        if whole.answered != "proved":
            return Needs(self.obligation.id, self.obligation.claim, used, whole, {}, ())
        minimal = self._minimal()
        without = {name: self._known_or_tried(_without(used, name)) for name in used}
        return Needs(self.obligation.id, self.obligation.claim, used, whole, without, minimal)

    def _whole(self) -> Trial:
        """Ask one solver after the other for a proof under all assumptions."""
        used = self.obligation.axioms
        asked = (number for number, (way, _) in enumerate(self.ways) if way.factor)
        if any(self._first(number).proved for number in asked):
            return self.trials.setdefault(used, Trial(used, "proved"))
        return Trial(used, "open")

    def _first(self, number: int) -> Outcome:
        """What a solver says under all assumptions; it is asked once, if at all."""
        way, pool = self.ways[number]
        if number not in self.firsts:
            known = self.known.get((self.obligation.id, pool.name))
            self.firsts[number] = (
                pool.ask(Question(self.obligation.text, way.first))
                if known is None
                else Outcome("unsat", known)
            )
        return self.firsts[number]

    def _budget(self, number: int) -> int:
        """What a solver may spend on a trial; it gets no more than the floor if it has no proof to begin with."""
        way = self.ways[number][0]
        if not way.factor:
            return way.floor
        first = self._first(number)
        return way.floor + (way.factor * first.work if first.proved else 0)

    def _minimal(self) -> tuple[str, ...]:
        """Leave out what can be left out, the last first, until nothing more can."""
        if self._proved(()):
            return ()
        kept = self.obligation.axioms
        while True:
            for name in reversed(kept):
                if self._proved(_without(kept, name)):
                    kept = _without(kept, name)
            if not any(self._proved(_without(kept, name)) for name in kept):
                return kept

    def _proved(self, axioms: tuple[str, ...]) -> bool:
        return self._known_or_tried(axioms).answered == "proved"

    def _known_or_tried(self, axioms: tuple[str, ...]) -> Trial:
        """A proof from some of the assumptions or a model of more of them, if there is one; otherwise a trial."""
        for trial in self.trials.values():
            fewer, more = set(trial.axioms) <= set(axioms), set(trial.axioms) >= set(axioms)
            if (trial.answered == "proved" and fewer) or (trial.answered == "model" and more):
                return trial
        if axioms not in self.trials:
            self.trials[axioms] = self._try(axioms)
        return self.trials[axioms]

    def _try(self, axioms: tuple[str, ...]) -> Trial:
        text = self.obligation.with_axioms(axioms).text
        for number, (_, pool) in enumerate(self.ways):
            outcome = pool.ask(Question(text, self._budget(number)))
            if outcome.status in ("unsat", "sat"):
                return Trial(axioms, "proved" if outcome.proved else "model")
        return Trial(axioms, "open")


def _without(axioms: Sequence[str], name: str) -> tuple[str, ...]:
    return tuple(other for other in axioms if other != name)
