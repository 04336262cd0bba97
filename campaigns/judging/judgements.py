"""Judgements of one case: several detectors, by the semantics and by a relation of their results."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from campaigns.judging.isolation import Lost, isolated
from campaigns.judging.verdicts import BLOCKING, MEANING, Fault, Kind, Verdict
from campaigns.systems import Case, Factory, Judged, Meaning, cases_of


def judge_case(
    case: Case,
    detectors: Mapping[str, Factory],
    *,
    relation: str = "",
    seconds: float,
    apart: bool = False,
    alive: Callable[[], None] = lambda: None,
) -> Judged:
    """Put a case to detectors.

    Args:
        relation: the relation that is tried besides; "" for none.
        alive: called now and then, at least before each detector.
    """
    meaning = cases_of(case.system).meaning(case)
    judgements, faults, refusals = 0, list[Fault](), list[tuple[str, str]]()
    for name, factory in detectors.items():
        alive()
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
    case: Case,
    factory: Factory,
    *,
    seconds: float,
    meaning: Meaning | None = None,
    first: Verdict | None = None,
    apart: bool = False,
) -> Verdict:
    """The judgement of a case by the semantics, or by a relation; a relation that does not apply is a refusal.

    Args:
        by: what `campaigns.systems.CasesOfSystem.judge_relation` knows, or `MEANING`.
        first: the detector's verdict by the semantics, where that is known and it passed.
        apart: whether the detector runs in a process of its own, whose loss is a verdict as well.
    """
    system = cases_of(case.system)
    if by == MEANING:
        meaning = meaning or system.meaning(case)
        work = partial(system.judge, case, factory, seconds=seconds, meaning=meaning)
    else:
        work = partial(system.judge_relation, by, case, factory, seconds=seconds, first=first)
    if not apart:
        return work()
    verdict = isolated(work, seconds=3 * seconds)
    if isinstance(verdict, Lost) and verdict.kind is Kind.WORKER_LOST:  # it may have been killed from outside
        verdict = isolated(work, seconds=3 * seconds)
    if isinstance(verdict, Lost):
        return Verdict(verdict.kind, verdict.detail, meaning.expected if meaning else ())
    return verdict


def fault_path(case: Case, kind: Kind, verdict: Callable[[Case], Verdict]) -> str:
    """The operators of the smallest part that fails; see `Fault.path`."""
    said = ""
    for part, name in cases_of(case.system).suspects(case):
        said = name
        if kind not in BLOCKING and verdict(part).kind == kind:
            break
    return said
