"""What a gate shows of a failure: the case made small, once for each, stored for all later runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

from campaigns.cases import Case, Source
from campaigns.failures import Failure, examine
from campaigns.isolation import Lost, isolated
from campaigns.judge import Verdict, judge
from campaigns.judgements import BLOCKING, MEANING, Cause
from campaigns.minimise import Minimised, minimise
from campaigns.nearby import nearby
from campaigns.regressions import Regression, own_regressions, regression_of, store, stored_regressions
from campaigns.relations.suite import LawOutcome, Violation, examine_law, law_case
from campaigns.replays import RegressionFailure
from campaigns.rows import cases_of
from campaigns.settings import Settings
from detectors.adapters import AnyFactory
from laws.claims import EquationClaim
from remora.budget import Clock
from remora.gate_results import Finding, Request

Looked = TypeVar("Looked")

EXAMINATION = 15.0
"""How long it may take to make a failure small, in seconds, where there is time for it…"""

AT_LEAST = 5.0
"""…and how long it may take in any case."""


class Examiner:
    """Makes failures small, stores them, and shows each once."""

    def __init__(
        self,
        request: Request,
        detectors: Mapping[str, AnyFactory],
        clock: Clock,
        show: Callable[[Finding], None],
    ) -> None:
        """Prepare.

        Args:
            request: what is asked of the gate.
            detectors: the factories by name.
            clock: what is left of the budget.
            show: is given each failure.

        Raises:
            InputError: a stored regression cannot be read.
        """
        self.findings: list[Finding] = []
        self._request = request
        self._detectors = detectors
        self._clock = clock
        self._show = show
        self._own = {regression.name: regression for regression in own_regressions()}
        stored = {regression.name: regression for regression in stored_regressions(request.regressions)}
        self.known: Sequence[Regression] = tuple({**self._own, **stored}.values())
        """Everything that ever failed, each once."""

    def regression(self, failure: RegressionFailure) -> None:
        """A stored regression that a detector fails."""
        one, verdict = failure.regression, failure.verdict
        assert verdict.kind is not None  # it is a failure
        remark = f"regression {one.name}, first failed by {one.detector}"
        name, by = failure.detector, one.relation
        self._found(Finding("regressions", name, by, verdict.kind, verdict.detail, one.case, verdict, remark))

    def nearby(self, outcome: LawOutcome) -> None:
        """A case near a stored regression that a detector fails."""
        assert outcome.kind is not None  # it is a failure
        case = near(self.known, self._request.seed, outcome.number)
        factory = self._detectors[outcome.detector]
        ask = partial(judge, factory=factory, seconds=self._request.seconds)
        found = None if outcome.kind in BLOCKING else self._isolated(partial(_small, case, ask))
        remark = f"a case near regression {self.known[outcome.number % len(self.known)].name}"
        base = Finding("nearby", outcome.detector, MEANING, outcome.kind, outcome.detail, case, None, remark)
        self._found(self._small(base, found) if isinstance(found, Minimised) else base)

    def law(self, law: EquationClaim, outcome: LawOutcome) -> None:
        """A law that a detector violates: shown is the side that is wrong by the semantics, if there is one."""
        assert outcome.kind is not None  # it is a failure
        case = law_case(law, self._request.seed, outcome.number)
        factory = self._detectors[outcome.detector]
        look = partial(examine_law, law, case, factory, seconds=self._request.seconds)
        found = None if outcome.kind in BLOCKING else self._isolated(look)
        base = Finding("laws", outcome.detector, law.id, outcome.kind, outcome.detail, case, None)
        if isinstance(found, Violation):
            verdict = found.verdict
            kind = verdict.kind or outcome.kind
            base = replace(base, kind=kind, detail=verdict.detail, case=found.case, verdict=verdict)
            if found.wrong is not None:
                trace = found.case.trace_text
                remark = f"{law.id}, {law.statement}, is violated on {trace}: {verdict.detail}"
                base = self._small(replace(base, by=MEANING, remark=remark), found.wrong)
        self._found(base)

    def campaign(self, settings: Settings, number: int, cause: Cause, detail: str) -> None:
        """A case of the campaign that a detector fails."""
        look = partial(examine, settings, [(number, cause, detail)], search_path=self._request.search_path)
        found = self._isolated(look)
        if not isinstance(found, Lost):
            for failure in found:
                self.failure(failure)
            return
        name, by, case = cause.detector, cause.relation, cases_of(settings)(number)
        self._found(Finding("campaign", name, by, cause.kind, detail, case, None, f"case {number}"))

    def failure(self, failure: Failure) -> None:
        """A case of the campaign that was looked at again."""
        case, verdict = failure.smallest
        cause = failure.cause
        again = "" if failure.reproduced else ", which did not fail again"
        self._found(
            Finding(
                "campaign",
                cause.detector,
                cause.relation,
                cause.kind,
                verdict.detail or failure.detail,
                case,
                verdict if failure.reproduced else None,
                f"case {failure.case.number}{again}",
                self._stored(regression_of(failure)) if failure.reproduced else "",
            )
        )

    def _isolated(self, look: Callable[[], Looked]) -> Looked | Lost:
        left = min(self._clock.until() - self._clock.now(), EXAMINATION)
        return isolated(look, seconds=max(left, AT_LEAST))

    def _small(self, base: Finding, found: Minimised) -> Finding:
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
        """Keep and show a failure, unless the same one is there."""
        if finding.subject not in {known.subject for known in self.findings}:
            self.findings.append(finding)
            self._show(finding)

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


def _small(case: Case, ask: Callable[[Case], Verdict]) -> Minimised | None:
    verdict = ask(case)
    return None if verdict.kind is None else minimise(case, verdict, ask)
