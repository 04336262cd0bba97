"""Judgements of one case: by the semantics and by a relation; again in fresh processes, and made as small as can be.

A failing case shrinks greedily, until no single reduction keeps the failure. Every accepted one makes it smaller in the
order of its system's `measure`, so the process ends; it makes no random choice.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from time import monotonic
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from campaigns.choices import Source
from campaigns.judging.isolation import Lost, isolated
from campaigns.judging.verdicts import BLOCKING, MEANING, Fault, Kind, Verdict
from campaigns.systems import AnyCase, AnyMeaning, Factory, Judged, cases_of

if TYPE_CHECKING:
    from campaigns.engine.settings import Settings

UNSTEADY = "fails only after other cases: it keeps state outside of its instances, or is random"
TIMES = 3  # So often a failure has to come again
LONGEST = 60.0  # How long it may take to make a failure small, in seconds
PATIENCE = 4  # A judgement may take so many times as long as a trace: there may be two, and a relation
BUDGET = 1500  # How many judgements one minimisation may take; usual cases take fewer than 200
SLOW_BUDGET = 15  # The same for a detector that runs out of time: each judgement may take the whole time limit

DETECTIONS = frozenset({Kind.MISSING, Kind.SPURIOUS, Kind.WRONG_START, Kind.WRONG_END})
"""Ways to fail that are one: other detections than the semantics requires. Which of them it is says little about the
fault, and to insist on it keeps cases large. Any other way, such as a crash, has to stay what it is."""

CaseT = TypeVar("CaseT")
Part = TypeVar("Part")

Judge = Callable[[CaseT], Verdict]  # Judges a case with the detector at hand


@dataclass(frozen=True)
class Minimised(Generic[CaseT]):
    """A case that no single reduction makes smaller, with its verdict; if not complete, the budget is used up."""

    case: CaseT
    verdict: Verdict
    judgements: int
    complete: bool


def minimise(
    case: CaseT,
    verdict: Verdict,
    judge: Judge[CaseT],
    *,
    budget: int | None = None,
    reductions: Sequence[Callable[[CaseT], Iterator[CaseT]]] = (),
) -> Minimised[CaseT]:
    """A failing case made small by so many judgements at most (`BUDGET`), by reductions: its system's, unless given."""
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
        for smaller_cases in reductions or system.REDUCTIONS:
            begin, accepted = 0, True
            while accepted:
                accepted = False
                # What was no use before a reduction that was accepted seldom is after it: it waits for its turn.
                for place, smaller in enumerate(islice(smaller_cases(case), begin, None), start=begin):
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


def smaller_by(name: str, smaller: Callable[[Any], Iterable[Any]]) -> Callable[[Any], Iterator[Any]]:
    """The reduction that makes a member of a case smaller."""
    return lambda case: (replace(case, **{name: less}) for less in smaller(getattr(case, name)))


def maker_of(settings: Settings) -> Callable[[int], AnyCase]:
    """The function from numbers to the cases of a campaign."""
    made = cases_of(settings.system)
    return made.maker(settings.seed, settings.profiles, settings.corpus, settings.real, settings.constants or ())


def relation_of(settings: Settings, number: int) -> str:
    """The relation that is tried on a case; "" for none."""
    if not settings.relations:
        return ""
    source = Source(f"{settings.seed}:{number}:which relation")
    return settings.relations[source.below(len(settings.relations))]


def judge_case(
    case: AnyCase, detectors: Mapping[str, Factory], *, relation: str = "", seconds: float, apart: bool = False
) -> Judged:
    """Put a case to detectors, each in a process of its own if `apart`, by the semantics and a relation if named."""
    meaning = cases_of(case.system).meaning(case)
    judgements, faults, refusals = 0, list[Fault](), list[tuple[str, str]]()
    for name, factory in detectors.items():
        first: Verdict | None = None
        for by in (MEANING, relation) if relation else (MEANING,):
            ask = partial(judged_by, by, factory=factory, seconds=seconds, apart=apart)
            verdict = ask(case, meaning=meaning, first=first)
            if verdict.refused:
                if by == MEANING:
                    refusals.append((name, verdict.refusal))
                break
            judgements += 1
            if verdict.kind is not None:
                path = fault_path(case, verdict.kind, ask)
                faults.append(Fault(name, by, verdict.kind, verdict.detail, path))
                break  # what is wrong in itself need not be related rightly
            first = verdict
    return Judged(case, meaning, relation, judgements, tuple(faults), tuple(refusals))


def judged_by(
    by: str,
    case: AnyCase,
    factory: Factory,
    *,
    seconds: float,
    meaning: AnyMeaning = None,
    first: Verdict | None = None,
    apart: bool = False,
) -> Verdict:
    """The verdict on a case by the semantics, or by a relation or law; one that does not apply is a refusal.

    A relation takes the reports of the `first` verdict by the semantics where it passed, which is asked for if it is
    not given. A detector that is `apart` runs in a process of its own, whose loss is a verdict as well.
    """
    system = cases_of(case.system)
    if by == MEANING or by in system.RELATIONS:
        meaning = meaning or system.meaning(case)
    if by == MEANING:
        work = partial(system.judge, case, factory, seconds=seconds, meaning=meaning)
    else:
        if first is None and by in system.RELATIONS:
            first = judged_by(MEANING, case, factory, seconds=seconds, meaning=meaning, apart=apart)
        passed = first if first is not None and first.ok else None
        work = partial(system.judge_relation, by, case, factory, seconds=seconds, first=passed)
    if not apart:
        return work()
    for _ in range(2):  # a worker that is lost may have been killed from outside
        verdict = isolated(work, seconds=3 * seconds)
        if not (isinstance(verdict, Lost) and verdict.kind is Kind.WORKER_LOST):
            break
    if isinstance(verdict, Lost):
        return Verdict(verdict.kind, verdict.detail, meaning.expected if meaning else ())
    return verdict


def fault_path(case: AnyCase, kind: Kind, verdict: Callable[[AnyCase], Verdict]) -> str:
    """The operators of the smallest part that fails; see `Fault`."""
    suspects = list(cases_of(case.system).suspects(case))
    fails = (said for part, said in suspects[:-1] if kind not in BLOCKING and verdict(part).kind == kind)
    return next(fails, suspects[-1][1])


def afresh(case: CaseT, ask: Judge[CaseT], *, seconds: float) -> Verdict:
    """The verdict on a case in a process that has judged nothing before; its loss is a verdict as well."""
    found = isolated(partial(ask, case), seconds=PATIENCE * seconds)
    return Verdict(found.kind, found.detail, ()) if isinstance(found, Lost) else found


def again_and_again(case: CaseT, kind: Kind | None, ask: Judge[CaseT], *, seconds: float) -> Verdict:
    """The first of `TIMES` verdicts in fresh processes that is of another kind than the given one, else the last."""
    for _ in range(TIMES):
        found = afresh(case, ask, seconds=seconds)
        if found.kind is not kind:
            break
    return found


def made_small(
    by: str, case: AnyCase, failed: Verdict, factory: Factory, *, seconds: float, longest: float = LONGEST
) -> tuple[Verdict, Minimised[AnyCase] | None]:
    """The verdict on a failure in fresh processes, and the case made small; None if it does not fail there steadily.

    A detector that keeps state outside of its instances may fail the small case only in the process in which it was
    made small. Then it is made small once more with a process for each candidate. Each way takes `longest` seconds.
    """
    ask = partial(judged_by, by, factory=factory, seconds=seconds)
    if failed.kind in BLOCKING:  # each of these judgements costs a lot
        ask = partial(ask, apart=True)
        verdict = ask(case)
        return verdict, minimise(case, verdict, ask) if verdict.kind is failed.kind else None
    verdict = again_and_again(case, failed.kind, ask, seconds=seconds)
    if verdict.kind is not failed.kind:
        return verdict, None

    def steady(found: Minimised[AnyCase]) -> bool:
        kind = found.verdict.kind
        return again_and_again(found.case, kind, ask, seconds=seconds).kind is kind

    def alone(smaller: AnyCase) -> Verdict:
        return afresh(smaller, ask, seconds=seconds) if monotonic() < until else Verdict(None, "", ())

    found = isolated(partial(minimise, case, verdict, ask), seconds=longest)
    if isinstance(found, Lost) or not steady(found):
        until = monotonic() + longest
        found = minimise(case, verdict, alone)
        if not steady(found):
            return verdict, None
    return verdict, found
