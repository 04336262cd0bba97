"""Failing cases of a campaign, judged again in this process and made small: an example of each cause."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from campaigns.engine.settings import Settings, maker_of
from campaigns.judging.judgements import made_small
from campaigns.judging.minimise import Minimised
from campaigns.judging.regressions import Regression
from campaigns.judging.verdicts import Cause, Kind, Verdict
from campaigns.systems import AnyCase, cases_of


@dataclass(frozen=True)
class CauseCount:
    """How often a cause was met.

    Attributes:
        first: the number of the first of them.
        detail: what happened there, in one sentence.
    """

    cause: Cause
    cases: int
    first: int
    detail: str


@dataclass(frozen=True)
class Failure:
    """A case that failed in the campaign.

    Attributes:
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
    def is_kept(self) -> bool:
        """Whether it becomes a stored regression; a case that was not finished says nothing of the next detector."""
        return self.reproduced and self.cause.kind is not Kind.TIMEOUT

    @property
    def smallest(self) -> tuple[AnyCase, Verdict]:
        """The case to show, with its verdict: small where it was made so."""
        if self.minimised is None:
            return self.case, self.verdict
        return self.minimised.case, self.minimised.verdict

    @property
    def called(self) -> Cause:
        """The cause, called after the operators of the smallest form of the case."""
        case, _ = self.smallest
        *_, (_, path) = cases_of(case.system).suspects(case)
        return self.cause if self.minimised is None else replace(self.cause, path=path)


def regression_of(failure: Failure) -> Regression:
    """The smallest form of a failure, to be kept."""
    case, verdict = failure.smallest
    cause = failure.cause
    kind = verdict.kind or cause.kind
    return Regression(case, cause.relation, cause.detector, kind.value, verdict.detail or failure.detail)


def examined(settings: Settings, number: int, cause: Cause, detail: str, search_path: tuple[str, ...] = ()) -> Failure:
    """Judge a failing case again and make it small, in processes of their own."""
    case = maker_of(settings)(number)
    factory = cases_of(settings.system).factory(cause.detector, search_path)
    failed = Verdict(cause.kind, detail, ())
    verdict, small = made_small(cause.relation, case, failed, factory, seconds=settings.seconds)
    return Failure(case, cause, detail, verdict, small)


EXAMINED = 12
"""Limit of the causes of which an example is judged again and made small, in the order in which they are met."""


class Examples:
    """The examples of one campaign."""

    def __init__(self, settings: Settings, search_path: tuple[str, ...], tell: Callable[[Failure], None]) -> None:
        self.settings = settings
        self.search_path = search_path
        self.tell = tell
        self._found: dict[Cause, Failure] = {}

    @property
    def found(self) -> tuple[Failure, ...]:
        """The examples, in the order in which their causes were met."""
        return tuple(self._found.values())

    def meet(self, causes: Iterable[CauseCount]) -> None:
        """Examine a case of each new cause, up to `EXAMINED` and one for each detector; earlier cases first."""
        for found in sorted(causes, key=lambda each: each.first):
            cause = found.cause
            known = {examined.detector for examined in self._found}
            if cause not in self._found and (len(self._found) < EXAMINED or cause.detector not in known):
                failure = examined(self.settings, found.first, cause, found.detail, self.search_path)
                self._found[cause] = failure
                self.tell(failure)
