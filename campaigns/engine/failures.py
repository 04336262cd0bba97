"""Failing cases looked at again in this process: replayed by number, made small, one for each cause."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from campaigns.engine.rows import maker_of, relation_of
from campaigns.engine.settings import Settings
from campaigns.judging.afresh import made_small
from campaigns.judging.judgements import judge_case
from campaigns.judging.minimise import Minimised
from campaigns.judging.verdicts import Cause, Verdict
from campaigns.systems import AnyCase, Judged, cases_of


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

    case: AnyCase
    cause: Cause
    detail: str
    verdict: Verdict
    minimised: Minimised[AnyCase] | None = None

    @property
    def reproduced(self) -> bool:
        """Whether it failed in the same way when it was judged again, in a process that had judged nothing before."""
        return self.verdict.kind == self.cause.kind

    @property
    def smallest(self) -> tuple[AnyCase, Verdict]:
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
    system = cases_of(settings.system)
    detectors = {name: system.factory(name, search_path) for name in settings.detectors}
    case = maker_of(settings)(number)
    relation = relation_of(settings, number)
    return judge_case(case, detectors, relation=relation, seconds=settings.seconds, apart=apart)


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
    case_of = maker_of(settings)
    result: list[Failure] = []
    for number, cause, detail in failed:
        case = case_of(number)
        factory = cases_of(settings.system).factory(cause.detector, search_path)
        failed_so = Verdict(cause.kind, detail, ())
        verdict, small = made_small(cause.relation, case, failed_so, factory, seconds=settings.seconds)
        result.append(Failure(case, cause, detail, verdict, small))
    return tuple(result)
