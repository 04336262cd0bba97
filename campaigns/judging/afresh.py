"""A failure judged again in processes that have judged nothing before.

A detector whose answers depend on what was asked before, or on chance, fails somewhere and is right when that very case
is judged alone. Such a failure is one, but its case shows nothing to anybody, and must not be kept as if it did.
"""

from __future__ import annotations

from functools import partial
from time import monotonic

from campaigns.judging.isolation import Lost, isolated
from campaigns.judging.judgements import judged_by
from campaigns.judging.minimise import CaseT, Judge, Minimised, minimise
from campaigns.judging.verdicts import BLOCKING, MEANING, Verdict
from campaigns.systems import AnyCase, Case, Factory, Meaning, cases_of

UNSTEADY = "fails only after other cases: it keeps state outside of its instances, or is random"
"""What is said of a detector whose failure does not come again in a fresh process."""

TIMES = 3
"""So often a failure has to come again."""

LONGEST = 60.0
"""How long it may take to make a failure small, in seconds."""

PATIENCE = 4
"""A judgement may take so many times as long as a detector may take for one trace: there may be two, and a relation."""


def judged_again(
    by: str,
    case: Case,
    factory: Factory,
    *,
    seconds: float,
    meaning: Meaning | None = None,
    apart: bool = False,
) -> Verdict:
    """The judgement of a case as a campaign comes to it (`campaigns.judging.judgements.judge_case`).

    By a relation, the reports are those that the detector made when it was judged by the semantics, if it was right.

    Args:
        by: what `campaigns.judging.judgements.judged_by` knows.
        apart: whether the detector runs in processes of its own, whose loss is a verdict as well.
    """
    system = cases_of(case.system)
    if by not in system.RELATIONS:
        return judged_by(by, case, factory, seconds=seconds, meaning=meaning, apart=apart)
    meaning = meaning or system.meaning(case)
    first = judged_by(MEANING, case, factory, seconds=seconds, meaning=meaning, apart=apart)
    known = first if first.ok else None
    return judged_by(by, case, factory, seconds=seconds, meaning=meaning, first=known, apart=apart)


def afresh(case: CaseT, ask: Judge[CaseT], *, seconds: float) -> Verdict:
    """The judgement of a case in a process of its own; the loss of the process is a verdict as well."""
    found = isolated(partial(ask, case), seconds=PATIENCE * seconds)
    return Verdict(found.kind, found.detail, ()) if isinstance(found, Lost) else found


def again_and_again(
    case: CaseT, verdict: Verdict, ask: Judge[CaseT], *, seconds: float, times: int = TIMES
) -> Verdict:
    """The first judgement in a fresh process that is of another kind; where there is none, the last one.

    Args:
        verdict: what came of it before; of this, only the kind counts.
    """
    found = verdict
    for _ in range(times):
        found = afresh(case, ask, seconds=seconds)
        if found.kind is not verdict.kind:
            break
    return found


def steadily_small(
    case: CaseT, verdict: Verdict, ask: Judge[CaseT], *, seconds: float, longest: float = LONGEST
) -> Minimised[CaseT] | None:
    """A failing case made small; None where no case comes of it that fails in the same way in a fresh process.

    Where the small case fails only in the process in which it was made small, it is made small once more with a process
    for each candidate, which takes longer.

    Args:
        verdict: its judgement; a failure that came again.
        longest: how long each of the two ways may take, in seconds.
    """

    def steady(found: Minimised[CaseT]) -> Minimised[CaseT] | None:
        again = again_and_again(found.case, found.verdict, ask, seconds=seconds)
        return found if again.kind is found.verdict.kind else None

    quick = isolated(partial(minimise, case, verdict, ask), seconds=longest)
    found = None if isinstance(quick, Lost) else steady(quick)
    if found is not None:
        return found
    until = monotonic() + longest

    def alone(smaller: CaseT) -> Verdict:
        return afresh(smaller, ask, seconds=seconds) if monotonic() < until else Verdict(None, "", ())

    return steady(minimise(case, verdict, alone))


def made_small(
    by: str, case: AnyCase, failed: Verdict, factory: Factory, *, seconds: float, longest: float = LONGEST
) -> tuple[Verdict, Minimised[AnyCase] | None]:
    """Judge a failure again in processes that have judged nothing before, and make it small if it fails there.

    Args:
        failed: what came of it; of this, only the kind counts.
        longest: how long it may take, in seconds; see `steadily_small`.

    Returns:
        The new judgement; and the small case, None if it did not fail again, or what is small fails by chance.
    """
    ask = partial(judged_again, by, factory=factory, seconds=seconds)
    if failed.kind in BLOCKING:  # each of these judgements costs a lot
        ask = partial(ask, apart=True)
        verdict = ask(case)
        return verdict, minimise(case, verdict, ask) if verdict.kind is failed.kind else None
    verdict = again_and_again(case, failed, ask, seconds=seconds)
    if verdict.kind is not failed.kind:
        return verdict, None
    return verdict, steadily_small(case, verdict, ask, seconds=seconds, longest=longest)
