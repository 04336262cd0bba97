"""Minimisation: a failing case made as small as it can be while it still fails.

It shrinks greedily, until no single reduction keeps the failure. Every accepted one makes the case smaller in the order
of its system's `measure`, so the process ends; it makes no random choice.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Generic, TypeVar, cast

from campaigns.judging.verdicts import Kind, Verdict
from campaigns.systems import AnyCase, cases_of

BUDGET = 1500  # How many judgements one minimisation may take; usual cases take fewer than 200
SLOW_BUDGET = 15  # The same for a detector that runs out of time: each judgement may take the whole time limit

DETECTIONS = frozenset({Kind.MISSING, Kind.SPURIOUS, Kind.WRONG_START, Kind.WRONG_END})
"""Ways to fail that are one: other detections than the semantics requires. Which of them it is says little about the
fault, and to insist on it keeps cases large. Any other way, such as a crash, has to stay what it is."""

CaseT = TypeVar("CaseT")

Judge = Callable[[CaseT], Verdict]  # Judges a case with the detector at hand


@dataclass(frozen=True)
class Minimised(Generic[CaseT]):
    """A case that no single reduction makes smaller, with its verdict; if not complete, the budget is used up."""

    case: CaseT
    verdict: Verdict
    judgements: int
    complete: bool


def minimise(case: CaseT, verdict: Verdict, judge: Judge[CaseT], *, budget: int | None = None) -> Minimised[CaseT]:
    """A failing case, and what was chosen beside it, made small by at most so many judgements (`BUDGET`)."""
    system = cases_of(cast(AnyCase, case).system)
    limit = budget or (SLOW_BUDGET if verdict.kind is Kind.TIMEOUT else BUDGET)
    judgements, tried = 0, set[Hashable]({system.key(case)})

    def takes(other: CaseT) -> bool:
        """Go on from another case if it fails as well."""
        nonlocal case, verdict, judgements
        judgements += 1
        found = judge(other)
        if found.kind != verdict.kind and not DETECTIONS.issuperset({found.kind, verdict.kind}):
            return False
        case, verdict = other, found
        return True

    if (pinned := system.pinned(case, verdict)) is not case:
        takes(pinned)
    progress = True
    while progress:
        progress = False
        for reductions in system.REDUCTIONS:
            begin, accepted = 0, True
            while accepted:
                accepted = False
                # What was no use before a reduction that was accepted seldom is after it: it waits for its turn.
                for place, smaller in enumerate(islice(reductions(case), begin, None), start=begin):
                    key = system.key(smaller)
                    if key in tried or not system.measure(smaller) < system.measure(case):
                        continue
                    if judgements >= limit:
                        return Minimised(case, verdict, judgements, complete=False)
                    tried.add(key)
                    if takes(smaller):
                        begin, accepted, progress = place, True, True
                        break
    return Minimised(case, verdict, judgements, complete=True)


Part = TypeVar("Part")


@dataclass(frozen=True)
class Shape(Generic[Part]):
    """The trees of a system, made smaller part by part."""

    children: Callable[[Part], Sequence[Part]]
    with_children: Callable[[Part, Sequence[Part]], Part | None]  # None where it cannot have these, perhaps fewer
    simpler: Callable[[Part], Iterable[Part]]  # what may stand in its place, such as a child or a smaller number

    def smaller(self, part: Part) -> Iterator[Part]:
        """The trees in which one part is simpler, or has a child less; changes near the root first."""
        yield from self.simpler(part)
        children = tuple(self.children(part))
        around = [(children[:place], children[place + 1 :]) for place in range(len(children))]
        fewer = ((*before, *after) for before, after in around)
        pairs = zip(children, around, strict=True)
        changed = ((*before, less, *after) for child, (before, after) in pairs for less in self.smaller(child))
        found = (self.with_children(part, others) for others in chain(fewer, changed))
        yield from (one for one in found if one is not None)


def smaller_numbers(number: int, least: int = 0) -> Iterator[int]:
    """Smaller numbers down to the least one, the boldest first: each step is half of the one before."""
    step = number - least
    while step > 0:
        yield number - step
        step //= 2


def without_runs(items: Sequence[Part]) -> Iterator[tuple[Part, ...]]:
    """A sequence without a run of its items, long runs first."""
    run = len(items)
    while run:
        for begin in range(0, len(items), run):
            yield (*items[:begin], *items[begin + run :])
        run //= 2
