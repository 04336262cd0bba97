"""Failing cases looked at again in this process: replayed by number, and made small."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

from campaigns.cases import Case, generate
from campaigns.isolation import judge_isolated
from campaigns.judge import Kind, Verdict, judge
from campaigns.loading import any_factory
from campaigns.minimise import Minimised, minimise
from campaigns.profiles import profile_weights
from campaigns.settings import Settings

DANGEROUS = (Kind.TIMEOUT, Kind.WORKER_LOST)
"""Only the first case of these is examined, and in a process of its own; it is slow, and more would say no more."""


@dataclass(frozen=True)
class Replay:
    """One case of a campaign, generated and judged again."""

    settings: Settings
    case: Case
    verdict: Verdict


@dataclass(frozen=True)
class Failure:
    """A case that failed in the campaign.

    Attributes:
        case: the case.
        kind: how it failed in the campaign.
        detail: the failure in one sentence.
        reproduced: whether it fails in the same way when it is judged again; None if that was not tried
            (see `DANGEROUS`).
        minimised: the case made small, if it was reproduced.
    """

    case: Case
    kind: Kind
    detail: str
    reproduced: bool | None = None
    minimised: Minimised | None = None


def replay_case(
    settings: Settings, number: int, *, isolated: bool = False, search_path: tuple[str, ...] = ()
) -> Replay:
    """Generate and judge one case again, in this process unless `isolated`.

    Raises:
        InputError: there is no such detector.
    """
    factory = any_factory(settings.detector, search_path)
    case = generate(settings.seed, number, profile_weights(settings.profiles))
    judge_one = judge_isolated if isolated else judge
    return Replay(settings, case, judge_one(case, factory, seconds=settings.seconds))


def examine(
    settings: Settings, failed: Iterable[tuple[int, Kind, str]], *, search_path: tuple[str, ...] = ()
) -> tuple[Failure, ...]:
    """Replay and minimise failing cases.

    Args:
        settings: the campaign's settings.
        failed: number, kind and detail of failing cases.
        search_path: folders in which the detector's module is looked for.
    """
    found = list(failed)
    factory = any_factory(settings.detector, search_path)
    profiles = profile_weights(settings.profiles)
    # A detector that has ended or blocked a worker could do the same to this process.
    isolated = any(kind in DANGEROUS for _, kind, _ in found)
    judge_one = partial(judge_isolated if isolated else judge, factory=factory, seconds=settings.seconds)
    examined: set[Kind] = set()
    result: list[Failure] = []
    for number, kind, detail in found:
        case = generate(settings.seed, number, profiles)
        if kind in DANGEROUS and kind in examined:
            result.append(Failure(case, kind, detail))
            continue
        examined.add(kind)
        verdict = judge_one(case)
        reproduced = verdict.kind == kind
        small = minimise(case, verdict, judge_one) if reproduced else None
        result.append(Failure(case, kind, detail, reproduced, small))
    return tuple(result)
