"""The examination of failures: judged again, made small, stored for all later runs, each kept once."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

from campaigns.carlson_lisper.relations.rewriting import other_side
from campaigns.carlson_lisper.relations.suite import law_of, wrong_side
from campaigns.engine.failures import Failure
from campaigns.judging.afresh import afresh, made_small
from campaigns.judging.isolation import Lost, OutOfTime, isolated
from campaigns.judging.judgements import judged_by
from campaigns.judging.minimise import Judge, Minimised, minimise
from campaigns.judging.regressions import Regression, own_regressions, store
from campaigns.judging.verdicts import BLOCKING, MEANING, TIME_LIMIT, Verdict
from campaigns.systems import AnyCase, Factory
from laws.carlson_lisper.claims import EquationClaim
from remora.judging.budget import Clock
from remora.judging.cases import Cases
from remora.judging.output.failing_cases import sides_told
from remora.judging.results import Finding, Outcome

EXAMINATION = 15.0
"""How long it may take to make a failure small, in seconds, where there is time for it…"""

AT_LEAST = 5.0
"""…and how long it may take in any case."""


class Examiner:
    """Makes failures small, stores those that come again, and keeps each once."""

    def __init__(
        self,
        detectors: Mapping[str, Factory],
        *,
        seconds: float = TIME_LIMIT,
        clock: Clock | None = None,
        keep: Path | None = None,
        apart: bool = False,
    ) -> None:
        """With no findings.

        Args:
            clock: what is left of a budget; None where there is always time.
            keep: the folder that receives new failures; None for none.
            apart: whether the detectors run in processes of their own, so that one that ends or blocks its process is
                found out, and a failure counts as steady that comes again in fresh ones.
        """
        self.detectors = detectors
        self.seconds = seconds
        self.clock = clock or Clock(None)
        self.keep = keep
        self.apart = apart
        self.findings: list[Finding] = []

    def examine(self, stage: str, cases: Cases, outcome: Outcome) -> None:
        """Keep a failure, as small as it can be made in the time that there is."""
        assert outcome.kind is not None  # it is a failure
        case, kind = cases.make(outcome.number), outcome.kind
        remark = cases.remark(outcome.number)
        base = Finding(
            stage, outcome.detector, outcome.by, kind, outcome.detail, case, outcome.verdict, remark
        )
        found = replace(base, verdict=None, steady=kind in BLOCKING)
        with suppress(OutOfTime):
            found = base if cases.small else self._examined(base)
        self.add(found)

    def add(self, finding: Finding) -> None:
        """Keep a failure, unless the same one is there."""
        if finding.subject not in {known.subject for known in self.findings}:
            self.findings.append(finding)

    def of_campaign(self, failure: Failure) -> None:
        """Keep a failure that a campaign has looked at again."""
        case, verdict = failure.smallest
        cause, number = failure.cause, failure.case.number
        base = Finding(
            "campaign",
            cause.detector,
            cause.relation,
            cause.kind,
            failure.detail,
            case,
            None,
            f"case {number}",
            steady=failure.reproduced or cause.kind in BLOCKING,
        )
        self.add(self._kept(base, case, verdict) if failure.reproduced else base)

    # -------------------------------------------------------------------------------------------------- helpers

    def _examined(self, base: Finding) -> Finding:
        law, blocked = law_of(base.by), base.kind in BLOCKING
        if (blocked and (law or not self.apart)) or not self._in_time(base.detector):
            return base
        found = self._small(
            base.detector, base.by, base.case, base.verdict or Verdict(base.kind, base.detail, ())
        )
        if found is None:
            return replace(base, verdict=None, steady=blocked)
        if law is not None:
            return self._of_law(base, law, found)
        return self._kept(base, found.case, found.verdict)

    def _of_law(self, base: Finding, law: EquationClaim, found: Minimised[AnyCase]) -> Finding:
        """A law that a detector violates: shown is the side that is wrong by the semantics, if there is one."""
        verdict, both = found.verdict, other_side(law, found.case.expression)
        assert verdict.kind is not None  # only failures are made small
        told = "" if both is None else sides_told(str(found.case.expression), str(both.right), verdict)
        detail = told or verdict.detail
        small = replace(base, kind=verdict.kind, detail=detail, case=found.case, verdict=verdict)
        by_meaning: Judge[AnyCase] = partial(
            judged_by, MEANING, factory=self.detectors[base.detector], seconds=self.seconds
        )
        if self.apart:
            by_meaning = partial(afresh, ask=by_meaning, seconds=self.seconds)
        wrong = wrong_side(law, found.case, by_meaning)
        one = None if wrong is None else self._small(base.detector, MEANING, *wrong)
        if wrong is None or one is None:
            return small
        said = f"{law.id}, {law.statement}, is violated on {found.case.trace_text}: {detail}"
        if told:
            said += f"; by the semantics it is wrong for {wrong[0].expression}"
        return self._kept(replace(base, by=MEANING, remark=said), one.case, one.verdict)

    def _small(self, detector: str, by: str, case: AnyCase, failed: Verdict) -> Minimised[AnyCase] | None:
        """A failure made small; None if it does not come again."""
        factory, seconds = self.detectors[detector], self.seconds
        if not self.apart:
            return minimise(case, failed, partial(judged_by, by, factory=factory, seconds=seconds))
        work = partial(made_small, by, case, failed, factory, seconds=seconds, longest=self._patience)
        # Such failures are looked at by fewer judgements, each of which may take very long.
        found = isolated(work, seconds=self._patience) if failed.kind in BLOCKING else work()
        if isinstance(found, Lost) or found[0].kind is not failed.kind:
            return None
        verdict, small = found
        return small or Minimised(case, verdict, 0, complete=False)

    @property
    def _patience(self) -> float:
        return max(min(self.clock.left, EXAMINATION), AT_LEAST)

    def _in_time(self, detector: str) -> bool:
        """Whether there is time to look at a failure again: one of each detector is, in any case."""
        return self.clock.left > 0 or detector not in {
            finding.detector for finding in self.findings if finding.verdict is not None
        }

    def _kept(self, base: Finding, case: AnyCase, verdict: Verdict) -> Finding:
        """The finding with a small case in its place, which is stored, unless it is one of the project's own."""
        assert verdict.kind is not None  # only failures are made small
        regression = Regression(case, base.by, base.detector, verdict.kind.value, verdict.detail)
        file = ""
        if self.keep is not None and regression.name not in _own():
            store(self.keep, [regression])
            file = str(self.keep / f"{regression.name}.json")
        detail = verdict.detail or base.detail
        return replace(base, kind=verdict.kind, detail=detail, case=case, verdict=verdict, regression=file)


@cache
def _own() -> frozenset[str]:
    """The names of the regressions of the project, which are always tried."""
    return frozenset(one.name for one in own_regressions())
