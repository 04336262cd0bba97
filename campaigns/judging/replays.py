"""Stored regressions put to the detectors of a campaign, before anything else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from math import inf
from time import monotonic
from typing import Any

from campaigns.judging.isolation import Lost, OutOfTime, isolated
from campaigns.judging.regressions import Regression
from campaigns.judging.verdicts import BLOCKING, MEANING, Kind, Verdict
from campaigns.systems import Factory, cases_of
from semantics.systems import DEFAULT_SYSTEM

TYPICAL_SECONDS = 0.1
"""More than a regression usually takes, by far; detectors that compile take longer and are tried one by one."""

NO_TIME = "the time was up before it had finished"

GIVEN_UP = 3
"""A detector that blocked or ended its process so often is not tried on the other regressions."""


@dataclass(frozen=True)
class RegressionFailure:
    """A regression that a detector fails.

    Attributes:
        detector: the detector that fails it, which need not be the one that failed it first.
    """

    regression: Regression
    detector: str
    verdict: Verdict


@dataclass(frozen=True)
class RegressionOutcome:
    """What became of stored regressions.

    Attributes:
        tried: how many there are; each is put to each detector.
        refusals: a detector and its reason for each time that one was not taken.
    """

    tried: int = 0
    refusals: tuple[tuple[str, str], ...] = ()
    failures: tuple[RegressionFailure, ...] = ()

    @property
    def refused(self) -> int:
        """How often a regression was not taken by a detector."""
        return len(self.refusals)

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "tried": self.tried,
            "refused": self.refused,
            "failures": [
                {
                    "regression": failure.regression.name,
                    "detector": failure.detector,
                    "relation": failure.regression.relation,
                    "expression": failure.regression.case.text,
                    "trace": failure.regression.case.trace_text,
                    "kind": failure.verdict.kind and failure.verdict.kind.value,
                    "detail": failure.verdict.detail,
                }
                for failure in self.failures
            ],
        }


def replayed(
    regressions: Iterable[Regression], detectors: Mapping[str, Factory], *, seconds: float, until: float = inf
) -> RegressionOutcome:
    """Put each regression to each detector.

    It is done in a process of its own; if that is lost, in one for each of them.

    Args:
        regressions: the stored cases; one that is there twice is tried once.
        until: from then on, on the clock of `time.monotonic`, a detector that has blocked is not tried any more.
    """
    distinct = list({regression.name: regression for regression in regressions}.values())
    pairs = [(regression, name) for regression in distinct for name in detectors]

    lost: Counter[str] = Counter()
    late = set[str]()

    def verdict(one: Regression, name: str, *, apart: bool) -> Verdict:
        if name in late:
            return Verdict(None, "", (), refusal=NO_TIME)
        if lost[name] >= GIVEN_UP or (lost[name] and monotonic() > until):
            return Verdict(
                None, "", (), refusal="not tried any more, for it blocked or ended its process too often"
            )
        try:
            found = one.verdict(detectors[name], seconds=seconds, apart=apart)
        except OutOfTime:
            late.add(name)
            return Verdict(None, "", (), refusal=NO_TIME)
        lost[name] += found.kind in BLOCKING
        return found

    def verdicts(*, apart: bool) -> list[Verdict]:
        return [verdict(one, name, apart=apart) for one, name in pairs]

    together: list[Verdict] | Lost | None = None
    with suppress(OutOfTime):
        together = isolated(
            partial(verdicts, apart=False), seconds=GIVEN_UP * seconds + TYPICAL_SECONDS * len(pairs)
        )
    found = verdicts(apart=True) if together is None or isinstance(together, Lost) else together
    failures = [
        RegressionFailure(regression, name, verdict)
        for (regression, name), verdict in zip(pairs, found, strict=True)
        if verdict.kind is not None
    ]
    refusals = [
        (name, verdict.refusal) for (_, name), verdict in zip(pairs, found, strict=True) if verdict.refused
    ]
    return RegressionOutcome(len(distinct), tuple(refusals), tuple(failures))


def growing(detectors: Mapping[str, Factory], system: str = DEFAULT_SYSTEM) -> tuple[RegressionFailure, ...]:
    """The detectors that state a bound and keep more and more all the same, as failures of a long trace."""
    found: list[RegressionFailure] = []
    for name, factory in detectors.items():
        grown = cases_of(system).grown(factory)
        if grown is not None:
            case, verdict = grown
            regression = Regression(case, MEANING, name, Kind.STORAGE.value, verdict.detail)
            found.append(RegressionFailure(regression, name, verdict))
    return tuple(found)
