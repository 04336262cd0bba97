"""The gate: may a change of a detector go in? What is put to it, stage by stage, within a budget of time.

Stored regressions come first, then every law by itself, the proofs of the steps, wrong detectors that the cases have to
find, and in all the time that is left a campaign. Whatever fails is made small, shown at once and stored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from campaigns.campaign import CampaignFailed, run_campaign
from campaigns.failures import Failure, examine
from campaigns.isolation import Lost, isolated
from campaigns.judgements import BLOCKING, MEANING, Cause
from campaigns.loading import any_factory
from campaigns.minimise import Minimised, measure
from campaigns.mutants.catalogue import TELLING
from campaigns.mutants.power import Power, power
from campaigns.mutants.telling import KILLED_WITHIN
from campaigns.regressions import Regression, own_regressions, regression_of, store, stored_regressions
from campaigns.relations.rewriting import equations
from campaigns.relations.suite import LawOutcome, Violation, examine_law, law_case, law_outcomes
from campaigns.replays import RegressionFailure, replayed
from campaigns.rounds import Work, rounds
from campaigns.rows import Row, cases_of, judged_rows
from campaigns.settings import Settings
from detectors.adapters import AnyFactory
from laws.claims import EquationClaim
from laws.standings import Standing
from remora.budget import Clock
from remora.gate_proofs import NO_STEPS, prove_steps, steps_of
from remora.gate_results import Check, Finding, GateResult, Request
from remora.gate_tallies import CampaignTally, LawTally, standing_of
from remora.progress import Progress
from smt.portfolio import installed

SHARES = {"laws": 0.2, "proofs": 0.3, "mutants": 0.3}
"""How much of the time that is left a stage may take, in the order in which they come; the campaign has the rest."""

AFTER_FAILURE = 5.0
"""How long a stage goes on after its first failure, in seconds: the answer is known, other causes may be."""

SHOWN = 2
"""So many stored regressions that a detector fails are drawn, the smallest ones."""

EXAMINED = 5
"""So many failures of a detector are made small in each stage."""

EXAMINATION = 15.0
"""How long that may take for one of them, in seconds."""

CASES_OF_LAW = 20
"""Where a number of cases is given, each law is tried on so many at least; together, on as many as the campaign has."""


class Gate:
    """One run of the gate."""

    def __init__(
        self,
        request: Request,
        progress: Progress,
        show: Callable[[Finding], None] = lambda finding: None,
    ) -> None:
        """Load the detectors.

        Args:
            request: what is asked.
            progress: shows the stages.
            show: is given each failure as soon as it is found.

        Raises:
            InputError: a detector cannot be loaded.
        """
        self.request = request
        self.progress = progress
        self.show = show
        self.detectors: Mapping[str, AnyFactory] = {
            name: any_factory(name, request.search_path) for name in request.detectors
        }
        self.result = GateResult(request)
        self.clock = Clock(request.budget)

    def run(self) -> GateResult:
        """Go through all stages.

        Raises:
            InputError: a stored regression cannot be read.
            OSError: a new one cannot be written.
        """
        self.regressions()
        self.laws()
        self.proofs()
        worth = self.mutants()
        self.campaign()
        self.worth(worth)
        self.result.stages = list(self.progress.stages)
        self.result.seconds = self.clock.used
        return self.result

    # -------------------------------------------------------------------------------------------------- stages

    def regressions(self) -> None:
        """Put to the detectors everything that ever failed."""
        known = [*own_regressions(), *stored_regressions(self.request.regressions)]
        with self.progress.stage("regressions", 1) as advance:
            advance("")
            outcome = replayed(known, self.detectors, seconds=self.request.seconds)
        failed = Counter(failure.detector for failure in outcome.failures)
        shown = Counter[str]()
        for failure in sorted(outcome.failures, key=lambda each: measure(each.regression.case)):
            shown[failure.detector] += 1
            if shown[failure.detector] <= SHOWN:
                self._regression_found(failure)
        for name in self.detectors:
            kinds = {f.verdict.kind for f in outcome.failures if f.detector == name}
            said = f"{failed[name]} of {outcome.tried} failed" if failed[name] else ""
            self._check("regressions", "stored regressions", name, standing_of(kinds), outcome.tried, said)

    def laws(self) -> None:
        """Put every law to the detectors by itself."""
        laws = {law.id: law for law in equations()}
        tally = LawTally(EXAMINED)
        each = None if self.request.cases is None else max(CASES_OF_LAW, self.request.cases // len(laws))
        numbers = count() if each is None else range(each * len(laws))
        until = self.clock.until(SHARES["laws"])
        with self.progress.stage("laws", len(laws)) as advance:
            for done in rounds(self._laws_of, numbers, until=until, seconds=self._patience):
                for outcome in tally.add(done):
                    self._law_found(laws[outcome.law], outcome)
                    until = self._shortened(until)
                advance(f"{tally.cases:,} cases", min(tally.cases, len(laws)))
                if tally.blocked or monotonic() > until:
                    break
        self.result.checks += [tally.check(law, name) for law in laws for name in self.detectors]

    def proofs(self) -> None:
        """Prove what is claimed of the steps of the detectors."""
        found = steps_of(self.detectors)
        claims = sum(len(steps.claims) for steps in found)
        for steps in found:
            if not steps.claims:
                self._check("proofs", "steps", ", ".join(steps.detectors), None, 0, NO_STEPS)
        if not claims:
            return
        with self.progress.stage("proofs", claims) as advance:
            until = self.clock.until(SHARES["proofs"])
            for proof in prove_steps(
                found, installed(), seed=self.request.seed, until=until, progress=advance
            ):
                names = ", ".join(proof.steps.detectors)
                self._check("proofs", proof.claim, names, proof.standing, 0, proof.detail)

    def mutants(self) -> Power | None:
        """Put the cases of the campaign to wrong detectors; None where a detector has failed already."""
        if self.result.wrong():
            return None
        until = self.clock.until(SHARES["mutants"])
        limit = KILLED_WITHIN if self.request.cases is None else self.request.cases
        found = Power(self.request.seed, 0, {}, tuple(TELLING))
        with self.progress.stage("mutants", len(TELLING)) as advance:
            while found.survivors and found.cases < limit and monotonic() < until:
                living = {name: TELLING[name] for name in found.survivors}
                upto = min(limit, found.cases + (20 if len(living) > 20 else 100))
                found = found.followed_by(
                    power(living, self.request.seed, upto, first=found.cases, seconds=self.request.seconds)
                )
                advance(f"{found.cases} cases", len(found.deaths))
        return found

    def campaign(self) -> None:
        """Judge random cases in all the time that is left, or as many as are asked for."""
        request = self.request
        settings = Settings(
            seed=request.seed,
            cases=request.cases or 2**31,
            detectors=request.detectors,
            seconds=request.seconds,
        )
        if request.master is not None:
            self._on_spark(settings, request.master)
            return
        tally = CampaignTally(settings, EXAMINED)
        work: Work[Row] = partial(_rows, settings, request.search_path)
        until, begin = self.clock.until(), monotonic()
        pieces = request.cases or max(1, int(until - begin))
        with self.progress.stage("campaign", pieces) as advance:
            for rows in rounds(work, range(settings.cases), until=until, seconds=self._patience):
                for number, cause, detail in tally.add(rows):
                    self._campaign_found(settings, number, cause, detail)
                    until = self._shortened(until)
                done = tally.cases if request.cases else int(monotonic() - begin)
                advance(f"{tally.cases:,} cases", min(done, pieces))
                if tally.blocked or monotonic() > until:
                    break
        self.result.cases = tally.cases
        self.result.checks += tally.checks()

    def worth(self, found: Power | None) -> None:
        """Say whether the campaign was long enough to be believed: its cases find every wrong detector."""
        if found is None or self.result.wrong():
            said = "not tried: the answer does not depend on it"
            self._check("mutants", "telling mutants", "", None, 0, said)
            return
        cases = self.result.cases
        killed = {name for name, death in found.deaths.items() if death.case < cases}
        survivors = [name for name in TELLING if name not in killed]
        if not survivors:
            said = f"all {len(TELLING)} were found wrong, the last one by case {found.worst}"
            self._check("mutants", "telling mutants", "", Standing.TESTED, cases, said)
            return
        later = [death.case + 1 for name, death in found.deaths.items() if name in survivors]
        needs = (
            f"; the first {max(later):,} cases would find all of them" if len(later) == len(survivors) else ""
        )
        said = (
            f"the cases are too few: {min(cases, found.cases):,} of them find {len(killed)} of {len(TELLING)} wrong"
            f" detectors{needs}; not found: {', '.join(survivors)}"
        )
        self._check("mutants", "telling mutants", "", Standing.UNKNOWN, cases, said)

    # ------------------------------------------------------------------------------------------------ failures

    def _laws_of(self, numbers: Sequence[int], apart: bool) -> Iterator[tuple[LawOutcome, ...]]:
        request = self.request
        return law_outcomes(self.detectors, request.seed, numbers, seconds=request.seconds, apart=apart)

    def _regression_found(self, failure: RegressionFailure) -> None:
        one, verdict = failure.regression, failure.verdict
        assert verdict.kind is not None  # it is a failure
        remark = f"regression {one.name}, first failed by {one.detector}"
        name, by = failure.detector, one.relation
        self._found(Finding("regressions", name, by, verdict.kind, verdict.detail, one.case, verdict, remark))

    def _law_found(self, law: EquationClaim, outcome: LawOutcome) -> None:
        assert outcome.kind is not None  # it is a failure
        case = law_case(law, self.request.seed, outcome.number)
        factory = self.detectors[outcome.detector]
        look = partial(examine_law, law, case, factory, seconds=self.request.seconds)
        found = (
            None
            if outcome.kind in BLOCKING
            else isolated(look, seconds=min(EXAMINATION, self._left() + AFTER_FAILURE))
        )
        base = Finding("laws", outcome.detector, law.id, outcome.kind, outcome.detail, case, None)
        if isinstance(found, Violation):
            small, verdict = found.case, found.verdict
            base = replace(
                base, kind=verdict.kind or outcome.kind, detail=verdict.detail, case=small, verdict=verdict
            )
            if found.wrong is not None and found.wrong.verdict.kind is not None:
                base = self._wrong_side(base, law, found.wrong)
        self._found(base)

    def _wrong_side(self, by_law: Finding, law: EquationClaim, wrong: Minimised) -> Finding:
        """The side of a law that is wrong by the semantics, in the place of the comparison of both; it is stored."""
        verdict = wrong.verdict
        assert verdict.kind is not None  # that is why it is wrong
        regression = Regression(wrong.case, MEANING, by_law.detector, verdict.kind.value, verdict.detail)
        return replace(
            by_law,
            by=MEANING,
            kind=verdict.kind,
            detail=verdict.detail,
            case=wrong.case,
            verdict=verdict,
            remark=f"{law.id}, {law.statement}, is violated on {by_law.case.trace_text}: {by_law.detail}",
            regression=self._stored(regression),
        )

    def _campaign_found(self, settings: Settings, number: int, cause: Cause, detail: str) -> None:
        look = partial(examine, settings, [(number, cause, detail)], search_path=self.request.search_path)
        found = isolated(look, seconds=min(EXAMINATION, self._left() + AFTER_FAILURE))
        if isinstance(found, Lost):
            case = cases_of(settings)(number)
            self._found(
                Finding(
                    "campaign",
                    cause.detector,
                    cause.relation,
                    cause.kind,
                    detail,
                    case,
                    None,
                    f"case {number}",
                )
            )
            return
        for failure in found:
            self._failure_found(failure)

    def _failure_found(self, failure: Failure) -> None:
        case, verdict = failure.smallest
        cause = failure.cause
        stored = self._stored(regression_of(failure)) if failure.reproduced else ""
        self._found(
            Finding(
                "campaign",
                cause.detector,
                cause.relation,
                cause.kind,
                verdict.detail or failure.detail,
                case,
                verdict if failure.reproduced else None,
                f"case {failure.case.number}" + ("" if failure.reproduced else ", which did not fail again"),
                stored,
            )
        )

    def _on_spark(self, settings: Settings, master: str) -> None:
        with (
            TemporaryDirectory(prefix="remora-gate-") as folder,
            self.progress.stage("campaign", 1) as advance,
        ):
            advance("on Spark")
            try:
                summary = run_campaign(Path(folder) / "campaign", settings, master=master)
            except CampaignFailed as error:
                self._check("campaign", "campaign", "", Standing.ERROR, 0, error.reason)
                return
        self.result.cases = summary.total.cases
        for failure in summary.failures:
            self._failure_found(failure)
        for name, share in summary.detectors.items():
            kinds = {found.cause.kind for found in summary.causes if found.cause.detector == name}
            standing = Standing.UNKNOWN if share.refused == share.cases else standing_of(kinds)
            said = (
                f"{share.failures} failed, {share.refused} refused" if share.failures or share.refused else ""
            )
            self._check("campaign", "random cases", name, standing, share.cases, said)

    def _found(self, finding: Finding) -> None:
        """Keep and show a failure, unless the same one is there."""
        same = (finding.detector, finding.by, finding.case.expression, finding.case.occurrences)
        for known in self.result.findings:
            if (known.detector, known.by, known.case.expression, known.case.occurrences) == same:
                return
        self.result.findings.append(finding)
        self.show(finding)

    def _stored(self, regression: Regression) -> str:
        folder = self.request.regressions
        store(folder, [regression])
        return str(folder / f"{regression.name}.json")

    def _check(
        self, stage: str, name: str, detector: str, standing: Standing | None, tried: int, detail: str
    ) -> None:
        self.result.checks.append(Check(stage, name, detector, standing, tried, detail))

    def _shortened(self, until: float) -> float:
        """When to stop after a failure; a given number of cases is gone through all the same."""
        return until if self.request.budget is None else min(until, monotonic() + AFTER_FAILURE)

    def _left(self) -> float:
        return min(self.clock.until() - monotonic(), 3600.0)

    @property
    def _patience(self) -> float:
        return self.request.seconds * len(self.detectors)


def _rows(
    settings: Settings, search_path: tuple[str, ...], numbers: Sequence[int], apart: bool
) -> Iterator[Row]:
    return judged_rows(settings, numbers, apart=apart, search_path=search_path)
