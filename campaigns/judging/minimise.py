"""Minimisation: a failing case made as small as it can be while it still fails.

Expression, trace and the way in which it is fed shrink together, greedily, until no single reduction keeps the failure.
Every accepted reduction makes the case smaller in the order of `measure`, so the process ends; it makes no random
choice.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import islice

from campaigns.carlson_lisper.cases import Case
from campaigns.carlson_lisper.judge import Kind, Verdict
from campaigns.carlson_lisper.reductions import REDUCTIONS, positions
from detectors.carlson_lisper.fixed_plans import SNAPSHOT, Plan
from semantics.carlson_lisper.expressions import Expression, Operation, evaluate_bound, identifiers, size
from semantics.carlson_lisper.occurrences import Occurrence

BUDGET = 1500
"""How many judgements one minimisation may take; usual cases take fewer than 200."""

SLOW_BUDGET = 15
"""The same for a detector that runs out of time: each judgement may take the whole time limit."""

DETECTIONS = frozenset({Kind.MISSING, Kind.SPURIOUS, Kind.WRONG_START, Kind.WRONG_END})
"""Ways to fail that are one: other detections than the semantics requires. Which of them it is says little about the
fault, and to insist on it keeps cases large. Any other way, such as a crash, has to stay what it is."""

Judge = Callable[[Case], Verdict]
"""Judges a case with the detector at hand."""


@dataclass(frozen=True)
class Minimised:
    """A case that no single reduction makes smaller.

    Attributes:
        case: the small case.
        verdict: its judgement, a failure of the same kind, or another one of `DETECTIONS`.
        judgements: how many cases were judged on the way.
        complete: whether the end was reached within the budget.
    """

    case: Case
    verdict: Verdict
    judgements: int
    complete: bool


def minimise(case: Case, verdict: Verdict, judge: Judge, *, budget: int | None = None) -> Minimised:
    """Shrink a failing case.

    A detector that is fed by stretches is fed by the same ones while the rest shrinks, and these shrink as well. In the
    end they are left out only if the failure takes none: a plan that is chosen anew may be another one later.

    Args:
        case: the case.
        verdict: its judgement; a failure.
        judge: judges other cases in the same way.
        budget: how many judgements may be made; by default `BUDGET`, or `SLOW_BUDGET` for timeouts.
    """
    if budget is None:
        budget = SLOW_BUDGET if verdict.kind is Kind.TIMEOUT else BUDGET
    search = _Search(case, verdict, judge, budget)
    if case.plan is None and verdict.plan is not None:
        search.takes(replace(case, plan=verdict.plan))
    complete = search.runs()
    if search.case.plan == Plan() and search.remaining > 0:
        search.takes(replace(search.case, plan=None))
    return Minimised(search.case, search.verdict, budget - search.remaining, complete)


class _Search:
    """The smallest case so far."""

    def __init__(self, case: Case, verdict: Verdict, judge: Judge, budget: int) -> None:
        self.case, self.verdict = case, verdict
        self.remaining = budget
        self._judge = judge
        self._tried: set[_Key] = {_key(case)}

    def runs(self) -> bool:
        """Reduce until nothing helps; False if the budget was used up before."""
        progress = True
        while progress:
            progress = False
            for reductions in REDUCTIONS:
                begin, accepted = 0, True
                while accepted:
                    accepted = False
                    # What was no use before a reduction that was accepted seldom is after it: it waits for its turn.
                    candidates = islice(reductions(self.case), begin, None)
                    for place, smaller in enumerate(candidates, start=begin):
                        key = _key(smaller)
                        if key in self._tried or not measure(smaller) < measure(self.case):
                            continue
                        if self.remaining <= 0:
                            return False
                        self._tried.add(key)
                        if self.takes(smaller):
                            begin, accepted, progress = place, True, True
                            break
        return True

    def takes(self, other: Case) -> bool:
        """Go on from another case if it fails as well."""
        self.remaining -= 1
        found = self._judge(other)
        if found.kind != self.verdict.kind and not DETECTIONS.issuperset({found.kind, self.verdict.kind}):
            return False
        self.case, self.verdict = other, found
        return True


_Key = tuple[Expression, tuple[Occurrence, ...], Plan | None]


def _key(case: Case) -> _Key:
    return case.expression, case.occurrences, case.plan


def measure(case: Case) -> tuple[int, ...]:
    """The size of a case.

    Nodes, occurrences, event types, values, bounds and span in ticks, spelling, and how it is fed: parts of a plan,
    what is not plain in them, and ticks.
    """
    nodes = [node for _, node in positions(case.expression)]
    types = identifiers(case.expression) | {o.event for o in case.occurrences}
    parts = () if case.plan is None else case.plan.parts
    return (
        size(case.expression),
        len(case.occurrences),
        len(types),
        sum(o.value is not None for o in case.occurrences),
        sum(evaluate_bound(node.bound) for node in nodes if isinstance(node, Operation) and node.bound),
        case.occurrences[-1].time if case.occurrences else 0,
        sum(ord(character) for name in types for character in name),
        len(parts),
        sum(_RANKS.index(part.way) for part in parts),
        sum(part.stop - part.first for part in parts),
        sum(part.first for part in parts),
    )


_RANKS = ("step", SNAPSHOT, "events", "chunk", "sparse")
"""The ways to feed a trace, the plainest first."""
