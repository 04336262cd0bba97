"""What a gate shows of a failure: the case made small, once for each, stored for all later runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from campaigns.carlson_lisper.cases import Case
from campaigns.carlson_lisper.judge import judge
from campaigns.carlson_lisper.nearby import nearby
from campaigns.carlson_lisper.relations.rewriting import other_side
from campaigns.carlson_lisper.relations.suite import LawOutcome, Violation, examine_law, judge_law, law_case
from campaigns.carlson_lisper.system import measure
from campaigns.choices import Source
from campaigns.engine.failures import Failure, examine
from campaigns.engine.rows import maker_of
from campaigns.engine.settings import Settings
from campaigns.judging.afresh import afresh, again_and_again, steadily_small
from campaigns.judging.isolation import Lost, isolated
from campaigns.judging.minimise import Judge, Minimised
from campaigns.judging.regressions import (
    Regression,
    own_regressions,
    regression_of,
    store,
    stored_regressions,
)
from campaigns.judging.replays import RegressionFailure
from campaigns.judging.verdicts import BLOCKING, MEANING, Cause, Verdict
from campaigns.systems import AnyCase
from detectors.carlson_lisper.adapters import AnyFactory
from laws.carlson_lisper.claims import EquationClaim
from remora.judging.budget import Clock
from remora.judging.compared import sides_told
from remora.judging.results import Finding, Request

LOOKED_AT = 5
"""So many of the stored regressions that a detector fails are tried again, for one that it fails by itself."""

EXAMINATION = 15.0
"""How long it may take to make a failure small, in seconds, where there is time for it…"""

AT_LEAST = 5.0
"""…and how long it may take in any case."""


class Examiner:
    """Makes failures small, stores those that come again, and keeps each once."""

    def __init__(self, request: Request, detectors: Mapping[str, AnyFactory], clock: Clock) -> None:
        """Prepare.

        Args:
            request: what is asked of the gate.
            detectors: the factories by name.
            clock: what is left of the budget.

        Raises:
            InputError: a stored regression cannot be read.
        """
        self.findings: list[Finding] = []
        self._request = request
        self._detectors = detectors
        self._clock = clock
        self._own = {regression.name: regression for regression in own_regressions()}
        stored = {regression.name: regression for regression in stored_regressions(request.regressions)}
        self.known: Sequence[Regression] = tuple({**self._own, **stored}.values())
        """Everything that ever failed, each once."""

    def regressions(self, failures: Sequence[RegressionFailure]) -> None:
        """Stored regressions that one detector fails: shown is the smallest that it fails by itself, if any."""
        ordered = sorted(failures, key=lambda each: measure(each.regression.case))
        looked = ordered[:LOOKED_AT]
        steady = next((each for each in looked if self._comes_again(each)), None)
        one = steady or ordered[0]
        case, by, verdict = one.regression.case, one.regression.relation, one.verdict
        assert verdict.kind is not None  # it is a failure
        remark = f"regression {one.regression.name}, first failed by {one.regression.detector}"
        found = Finding("regressions", one.detector, by, verdict.kind, verdict.detail, case, verdict, remark)
        self._found(found if steady else replace(found, verdict=None, steady=False))

    def _comes_again(self, failure: RegressionFailure) -> bool:
        verdict, factory = failure.verdict, self._detectors[failure.detector]
        if verdict.kind in BLOCKING:
            return True

        def ask(_: Case) -> Verdict:
            return failure.regression.verdict(factory, seconds=self._request.seconds)

        case = failure.regression.case
        return again_and_again(case, verdict, ask, seconds=self._request.seconds).kind is verdict.kind

    def growth(self, failure: RegressionFailure) -> None:
        """A detector whose memory grows in a long run; the case is the trace that is repeated."""
        verdict = failure.verdict
        assert verdict.kind is not None  # it is a failure
        remark = "a long run: this trace again and again"
        case = failure.regression.case
        self._found(
            Finding(
                "regressions", failure.detector, MEANING, verdict.kind, verdict.detail, case, None, remark
            )
        )

    def nearby(self, outcome: LawOutcome) -> None:
        """A case near a stored regression that a detector fails."""
        assert outcome.kind is not None  # it is a failure
        case = near(self.known, self._request.seed, outcome.number)
        remark = f"a case near regression {self.known[outcome.number % len(self.known)].name}"
        base = Finding("nearby", outcome.detector, MEANING, outcome.kind, outcome.detail, case, None, remark)
        if outcome.kind not in BLOCKING and self._in_time(outcome.detector):
            base = self._by_meaning(base, case)
        self._found(base)

    def law(self, law: EquationClaim, outcome: LawOutcome) -> None:
        """A law that a detector violates: shown is the side that is wrong by the semantics, if there is one."""
        assert outcome.kind is not None  # it is a failure
        case = law_case(law, self._request.seed, outcome.number)
        factory, seconds = self._detectors[outcome.detector], self._request.seconds
        base = Finding("laws", outcome.detector, law.id, outcome.kind, outcome.detail, case, None)
        if outcome.kind in BLOCKING or not self._in_time(outcome.detector):
            self._found(base)
            return
        by_law = partial(judge_law, law, factory=factory, seconds=seconds)
        found = isolated(partial(examine_law, law, case, factory, seconds=seconds), seconds=self._patience)
        if isinstance(found, Lost):
            self._found(base)
            return
        if found is None:
            self._found(replace(base, steady=False))
            return
        told = self._sides(law, found, outcome.detector)
        base = replace(base, kind=found.verdict.kind or outcome.kind, case=found.case, verdict=found.verdict)
        base = replace(base, detail=told or found.verdict.detail)
        wrong = found.wrong
        if wrong is not None and self._is_steady(wrong.case, wrong.verdict, self._judge(outcome.detector)):
            remark = f"{law.id}, {law.statement}, is violated on {found.case.trace_text}: {base.detail}"
            base = self._small(replace(base, by=MEANING, remark=remark), wrong)
        elif not self._is_steady(found.case, found.verdict, by_law):
            base = replace(base, detail=outcome.detail, case=case, verdict=None, steady=False)
        self._found(base)

    def _sides(self, law: EquationClaim, found: Violation, detector: str) -> str:
        """What the detector reports for each of the sides, and which of them the semantics finds wrong."""
        left, both = found.case.expression, other_side(law, found.case.expression)
        if both is None or not (told := sides_told(str(left), str(both.right), found.verdict)):
            return ""
        if found.wrong is None:
            return told
        of_left = afresh(found.case, self._judge(detector), seconds=self._request.seconds)
        side = both.right if of_left.ok else left
        return f"{told}; by the semantics it is wrong for {side}"

    def campaign(self, settings: Settings, number: int, cause: Cause, detail: str) -> None:
        """A case of the campaign that a detector fails."""
        found: tuple[Failure, ...] | Lost = ()
        if self._in_time(cause.detector):
            path, longest = self._request.search_path, self._patience
            look = partial(examine, settings, [(number, cause, detail)], search_path=path, longest=longest)
            # Such failures are looked at by fewer judgements, each of which may take very long.
            found = isolated(look, seconds=longest) if cause.kind in BLOCKING else look()
        if found and not isinstance(found, Lost):
            for failure in found:
                self.failure(failure)
            return
        name, by = cause.detector, cause.relation
        case: AnyCase = maker_of(settings)(number)
        self._found(Finding("campaign", name, by, cause.kind, detail, case, None, f"case {number}"))

    def failure(self, failure: Failure) -> None:
        """A case of the campaign that was looked at again."""
        case, verdict = failure.smallest
        cause, again = failure.cause, failure.reproduced
        self._found(
            Finding(
                "campaign",
                cause.detector,
                cause.relation,
                cause.kind,
                verdict.detail if again and verdict.detail else failure.detail,
                case,
                verdict if again else None,
                f"case {failure.case.number}",
                self._stored(regression_of(failure)) if again else "",
                again or cause.kind in BLOCKING,
            )
        )

    # -------------------------------------------------------------------------------------------------- helpers

    def _judge(self, detector: str) -> Judge[Case]:
        return partial(judge, factory=self._detectors[detector], seconds=self._request.seconds)

    def _is_steady(self, case: Case, verdict: Verdict, ask: Judge[Case]) -> bool:
        again = again_and_again(case, verdict, ask, seconds=self._request.seconds)
        return again.kind is verdict.kind

    def _by_meaning(self, base: Finding, case: Case) -> Finding:
        """The finding with a small case in its place, where it fails by itself."""
        ask, seconds = self._judge(base.detector), self._request.seconds
        verdict = again_and_again(case, Verdict(base.kind, base.detail, ()), ask, seconds=seconds)
        if verdict.kind is not base.kind:
            return replace(base, steady=False)
        small = steadily_small(case, verdict, ask, seconds=seconds, longest=self._patience)
        return self._small(base, small or Minimised(case, verdict, 0, complete=False))

    @property
    def _patience(self) -> float:
        """How long it may take to make a failure small."""
        left = min(self._clock.until() - self._clock.now(), EXAMINATION)
        return max(left, AT_LEAST)

    def _in_time(self, detector: str) -> bool:
        """Whether there is time to look at a failure again: one of each detector is, in any case."""
        return self._clock.left > 0 or detector not in {
            finding.detector for finding in self.findings if finding.verdict is not None
        }

    def _small(self, base: Finding, found: Minimised[Case]) -> Finding:
        """The finding with the small case in its place, which is stored."""
        verdict = found.verdict
        assert verdict.kind is not None  # only failures are made small
        regression = Regression(found.case, base.by, base.detector, verdict.kind.value, verdict.detail)
        return replace(
            base,
            kind=verdict.kind,
            detail=verdict.detail,
            case=found.case,
            verdict=verdict,
            regression=self._stored(regression),
        )

    def _found(self, finding: Finding) -> None:
        """Keep a failure, unless the same one is there."""
        if finding.subject not in {known.subject for known in self.findings}:
            self.findings.append(finding)

    def _stored(self, regression: Regression) -> str:
        """The file that keeps a failure from now on; "" for one of the project's own, which are always tried."""
        if regression.name in self._own:
            return ""
        folder = self._request.regressions
        store(folder, [regression])
        return str(folder / f"{regression.name}.json")


def near(known: Sequence[Regression], seed: int, number: int) -> Case:
    """A case near one of those that ever failed, which are gone through in turn."""
    return nearby(known[number % len(known)].case, Source(f"{seed}:{number}:nearby"))
