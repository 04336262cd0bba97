"""Failing cases looked at again in this process: replayed by number, made small, one for each cause."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from time import monotonic

from campaigns.afresh import LONGEST, again_and_again, judged_again, steadily_small
from campaigns.cases import Case
from campaigns.judge import Kind, Verdict
from campaigns.judgements import BLOCKING, Cause, Judged, judge_case
from campaigns.loading import any_factory
from campaigns.minimise import Minimised, minimise
from campaigns.rows import cases_of, judged_rows, relation_of
from campaigns.settings import Settings
from detectors.adapters import AnyFactory


@dataclass(frozen=True)
class Failure:
    """A case that failed in the campaign.

    Attributes:
        case: the case.
        cause: what it has in common with others.
        detail: the failure in one sentence.
        verdict: what came of it when it was judged again.
        minimised: the case made small, if it failed in the same way again.
    """

    case: Case
    cause: Cause
    detail: str
    verdict: Verdict
    minimised: Minimised | None = None

    @property
    def reproduced(self) -> bool:
        """Whether it failed in the same way when it was judged again, in a process that had judged nothing before."""
        return self.verdict.kind == self.cause.kind

    @property
    def smallest(self) -> tuple[Case, Verdict]:
        """The case to show, with its verdict: small where it was made so."""
        if self.minimised is None:
            return self.case, self.verdict
        return self.minimised.case, self.minimised.verdict


def replay_case(
    settings: Settings, number: int, *, apart: bool = False, search_path: tuple[str, ...] = ()
) -> Judged:
    """Generate and judge one case again.

    Args:
        settings: the campaign's settings.
        number: the number of the case.
        apart: whether each detector runs in a process of its own, because it might end or block this one.
        search_path: folders in which the detectors' modules are looked for.

    Raises:
        InputError: there is no such detector.
    """
    detectors = {name: any_factory(name, search_path) for name in settings.detectors}
    case = cases_of(settings)(number)
    relation = relation_of(settings, number)
    return judge_case(case, detectors, relation=relation, seconds=settings.seconds, apart=apart)


def made_small(
    by: str,
    case: Case,
    failed: Verdict,
    factory: AnyFactory,
    *,
    seconds: float,
    longest: float = LONGEST,
) -> tuple[Verdict, Minimised | None]:
    """Judge a failure again in processes that have judged nothing before, and make it small if it fails there.

    Args:
        by: the relation or law that was violated, or `campaigns.judgements.MEANING`.
        case: the case.
        failed: what came of it; of this, only the kind counts.
        factory: makes the detector.
        seconds: how long the detector may take for one trace.
        longest: how long it may take, in seconds; see `campaigns.afresh.steadily_small`.

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


def examine(
    settings: Settings,
    failed: Iterable[tuple[int, Cause, str]],
    *,
    search_path: tuple[str, ...] = (),
) -> tuple[Failure, ...]:
    """Replay and minimise failing cases, in processes of their own.

    Args:
        settings: the campaign's settings.
        failed: number, cause and detail of failing cases.
        search_path: folders in which the detectors' modules are looked for.
    """
    case_of = cases_of(settings)
    result: list[Failure] = []
    for number, cause, detail in failed:
        case, factory = case_of(number), any_factory(cause.detector, search_path)
        failed_so = Verdict(cause.kind, detail, ())
        verdict, small = made_small(cause.relation, case, failed_so, factory, seconds=settings.seconds)
        result.append(Failure(case, cause, detail, verdict, small))
    return tuple(result)


FIRST_LOOK = 1000
"""How many cases the first look at a campaign goes through at most…"""

FIRST_LOOK_SECONDS = 3.0
"""…and how long."""


def first_look(settings: Settings, search_path: tuple[str, ...] = ()) -> dict[Cause, tuple[int, str]]:
    """Judge the first few cases here: the first case of each cause, with its detail.

    The results are for the impatient, while Spark starts: the campaign judges these cases again.
    """
    begin = monotonic()
    found: dict[Cause, tuple[int, str]] = {}
    for row in judged_rows(settings, range(min(FIRST_LOOK, settings.cases)), search_path=search_path):
        for failure in row.failures:
            cause = Cause(failure["detector"], failure["relation"], failure["path"], Kind(failure["kind"]))
            found.setdefault(cause, (row.case, failure["detail"]))
        if found or monotonic() - begin > FIRST_LOOK_SECONDS:
            break
    return found
