"""The gate: may a change of a detector go in? What is put to it, stage by stage, within a budget of time.

Stored regressions come first and cases near them, then every law by itself, the proofs of the steps, wrong detectors
that the cases have to find, and in all the time that is left a campaign.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from campaigns.carlson_lisper.loading import any_factory
from campaigns.carlson_lisper.mutants.catalogue import TELLING
from campaigns.carlson_lisper.mutants.power import Power, power
from campaigns.carlson_lisper.mutants.telling import KILLED_WITHIN
from campaigns.carlson_lisper.protocol_check import require_protocol
from campaigns.carlson_lisper.relations.rewriting import equations
from campaigns.carlson_lisper.relations.suite import LawOutcome, law_outcomes
from campaigns.engine.campaign import CampaignFailed, run_campaign
from campaigns.engine.rows import Row, judged_rows
from campaigns.engine.settings import Settings
from campaigns.engine.summary import CampaignSummary
from campaigns.judging.isolation import Lost, isolated
from campaigns.judging.judgements import judge_case
from campaigns.judging.regressions import Regression
from campaigns.judging.replays import RegressionFailure, RegressionOutcome, growing, replayed
from campaigns.judging.rounds import Work, rounds
from campaigns.judging.verdicts import MEANING
from detectors.carlson_lisper.adapters import AnyFactory
from laws.standings import Standing
from remora.api.provenance import checkout
from remora.judging.budget import Clock, duration
from remora.judging.findings import Examiner, near
from remora.judging.known_deaths import known_deaths
from remora.judging.results import Check, GateResult, Request
from remora.judging.step_proofs import NO_STEPS, prove_steps, steps_of
from remora.judging.tallies import CampaignTally, SuiteTally, standing_of
from remora.terminal.progress import Progress
from semantics.errors import InputError
from smt.solvers.portfolio import installed

SHARES = {"nearby": 0.1, "laws": 0.1, "proofs": 0.3, "mutants": 0.3}
"""How much of the time that is left a stage may take, in the order in which they come; the campaign has the rest."""

AFTER_FAILURE = 5.0
"""How long a stage goes on after its first failure, in seconds: the answer is known, other causes may be."""

EXAMINED = 5
"""So many failures of a detector are made small in each stage."""

CASES_OF_LAW = 5
"""Where a number of cases is given, each law is tried on so many at least; together, on as many as the campaign has."""

LOADING = 60.0
"""How long the import of a detector may take, in seconds."""

NEARBY = "cases near stored regressions"
NOT_NEEDED = "not tried: the answer does not depend on it"


class Gate:
    """One run of the gate."""

    def __init__(self, request: Request, progress: Progress) -> None:
        """Load the detectors and the stored regressions.

        Args:
            request: what is asked.
            progress: shows the stages.

        Raises:
            InputError: a detector cannot be loaded or breaks the protocol, or a stored regression cannot be read.
        """
        self.request = request
        self.progress = progress
        self.detectors: Mapping[str, AnyFactory] = {
            name: _loaded(name, request.search_path) for name in request.detectors
        }
        require_protocol(self.detectors)
        self.clock = Clock(request.budget)
        if request.budget is not None:
            progress.ends(lambda: f"at most {duration(self.clock.left)} to go" if self.clock.left else "")
        self.examiner = Examiner(request, self.detectors, self.clock)
        self.result = GateResult(request, findings=self.examiner.findings, code=checkout())

    def run(self) -> GateResult:
        """Go through all stages.

        Raises:
            OSError: a new regression cannot be written.
        """
        self.regressions()
        self.nearby()
        self.laws()
        self.proofs()
        found = self.mutants()
        self.campaign()
        self.worth(found)
        self.result.stages = list(self.progress.stages)
        self.result.seconds = self.clock.used
        return self.result

    def regressions(self) -> None:
        """Put to the detectors everything that ever failed, and look at their memory in a long run."""
        with self.progress.stage("regressions", 2) as advance:
            advance("")
            outcome = replayed(self.examiner.known, self.detectors, seconds=self.request.seconds)
            advance("a long run")
            grown = growing(self.detectors)
        for name in self.detectors:
            failed = [failure for failure in outcome.failures if failure.detector == name]
            if failed:
                self.examiner.regressions(failed)
            self.result.checks.append(_of_regressions(name, outcome, failed))
        for leak in grown:  # of the others, nothing can be said of some, so none of them passes anything here
            self.examiner.growth(leak)
            standing = standing_of({leak.verdict.kind})
            self._check(
                "regressions", "memory in a long run", leak.detector, standing, 1, leak.verdict.detail
            )

    def nearby(self) -> None:
        """Put to the detectors cases that are near everything that ever failed."""
        known, request = self.examiner.known, self.request
        work: Work[tuple[LawOutcome, ...]] = partial(_nearby, known, self.detectors, request)
        numbers = count() if request.cases is None else range(max(len(known), request.cases))
        self._suite("nearby", [NEARBY], work, numbers, self.examiner.nearby)

    def laws(self) -> None:
        """Put every law to the detectors by itself."""
        laws = {law.id: law for law in equations()}
        request = self.request

        def work(numbers: Sequence[int], apart: bool) -> Iterator[tuple[LawOutcome, ...]]:
            return law_outcomes(self.detectors, request.seed, numbers, seconds=request.seconds, apart=apart)

        each = None if request.cases is None else max(CASES_OF_LAW, request.cases // len(laws))
        numbers = count() if each is None else range(each * len(laws))
        self._suite(
            "laws", list(laws), work, numbers, lambda outcome: self.examiner.law(laws[outcome.law], outcome)
        )

    def proofs(self) -> None:
        """Prove what is claimed of the steps of the detectors."""
        found = steps_of(self.detectors)
        for steps in found:
            if not steps.claims:
                self._check("proofs", "steps", ", ".join(steps.detectors), None, 0, NO_STEPS)
        claims = sum(len(steps.claims) for steps in found)
        if not claims:
            return
        until = self.clock.until(SHARES["proofs"])
        with self.progress.stage("proofs", claims) as advance, installed() as portfolio:
            for proof in prove_steps(found, portfolio, seed=self.request.seed, until=until, progress=advance):
                names = ", ".join(proof.steps.detectors)
                self._check("proofs", proof.claim, names, proof.standing, 0, proof.detail)

    def mutants(self) -> Power | None:
        """Put the cases of the campaign to wrong detectors; None where a detector has failed already.

        Each is put to the case by which it was found the last time, and only if that does not find it, to all of them.
        """
        if self.result.wrong():
            return None
        seed, seconds = self.request.seed, self.request.seconds
        until = self.clock.until(SHARES["mutants"])
        limit = KILLED_WITHIN if self.request.cases is None else self.request.cases
        found = Power(seed, 0, {}, tuple(TELLING))
        with self.progress.stage("mutants", len(TELLING)) as advance:
            for number, names in known_deaths(seed, limit):
                living = {name: TELLING[name] for name in names if name in TELLING}
                if not living:
                    continue
                died = power(living, seed, number + 1, first=number, seconds=seconds).deaths
                deaths = {**found.deaths, **died}
                found = replace(
                    found, deaths=deaths, survivors=tuple(name for name in TELLING if name not in deaths)
                )
                advance(f"case {number:,}", len(deaths))
            while found.survivors and found.cases < limit and self.clock.now() < until:
                living = {name: TELLING[name] for name in found.survivors}
                upto = min(limit, found.cases + (20 if len(living) > 20 else 100))
                found = found.followed_by(power(living, seed, upto, first=found.cases, seconds=seconds))
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
        until, begin = self.clock.until(), self.clock.now()
        pieces = request.cases or max(1, int(until - begin))
        with self.progress.stage("campaign", pieces) as advance:
            for rows in rounds(work, range(settings.cases), until=until, seconds=self._patience):
                for number, cause, detail in tally.add(rows):
                    self.examiner.campaign(settings, number, cause, detail)
                    until = self._shortened(until)
                done = tally.cases if request.cases else int(self.clock.now() - begin)
                advance(f"{tally.cases:,} cases", min(done, pieces))
                if tally.blocked or self.clock.now() > until:
                    break
        self.result.cases = tally.cases
        self.result.checks += tally.checks()

    def worth(self, found: Power | None) -> None:
        """Say whether the campaign was long enough to be believed: its cases find every wrong detector."""
        title = "telling mutants"
        if found is None or self.result.wrong():
            self._check("mutants", title, "", None, 0, NOT_NEEDED)
            return
        cases = self.result.cases
        later = [death.case + 1 for death in found.deaths.values() if death.case >= cases]
        survivors = [n for n in TELLING if n not in found.deaths or found.deaths[n].case >= cases]
        if not survivors:
            said = f"all {len(TELLING)} were found wrong, the last one by case {found.worst}"
            self._check("mutants", title, "", Standing.TESTED, cases, said)
            return
        killed = len(TELLING) - len(survivors)
        enough = f"; the first {max(later):,} cases find all of them" if len(later) == len(survivors) else ""
        tried = min(cases, found.cases) if found.survivors else cases
        why = f"the cases are too few: {tried:,} of them"
        if found.survivors and found.cases < min(cases, KILLED_WITHIN):
            why = f"there was too little time for wrong detectors: {tried:,} of the cases"
            enough = "; a larger --budget gives them more"
        said = f"{why} find {killed} of the {len(TELLING)} wrong detectors{enough}; not found: {', '.join(survivors)}"
        self._check("mutants", title, "", Standing.UNKNOWN, cases, said)

    # -------------------------------------------------------------------------------------------------- helpers

    def _suite(
        self,
        stage: str,
        names: Sequence[str],
        work: Work[tuple[LawOutcome, ...]],
        numbers: range | count[int],
        examined: Callable[[LawOutcome], None],
    ) -> None:
        """Go through numbered cases until the share of the stage is used up, or the numbers are."""
        tally = SuiteTally(stage, EXAMINED)
        until = self.clock.until(SHARES[stage])
        with self.progress.stage(stage, len(names)) as advance:
            for done in rounds(work, numbers, until=until, seconds=self._patience):
                for outcome in tally.add(done):
                    examined(outcome)
                    until = self._shortened(until)
                advance(f"{tally.cases:,} cases", min(tally.cases, len(names)))
                if tally.blocked or self.clock.now() > until:
                    break
        self.result.checks += [tally.check(name, detector) for name in names for detector in self.detectors]

    def _on_spark(self, settings: Settings, master: str) -> None:
        with (
            TemporaryDirectory(prefix="remora-gate-") as folder,
            self.progress.stage("campaign", 1) as advance,
        ):
            advance("on Spark")
            try:
                summary = run_campaign(Path(folder) / "campaign", settings, master=master)
            except CampaignFailed as error:
                self._check("campaign", "random cases", "", Standing.ERROR, 0, error.reason)
                return
        self.result.cases = summary.total.cases
        for failure in summary.failures:
            self.examiner.failure(failure)
        for name in settings.detectors:
            self.result.checks += _spark_checks(summary, name)

    def _check(
        self, stage: str, name: str, detector: str, standing: Standing | None, tried: int, detail: str
    ) -> None:
        self.result.checks.append(Check(stage, name, detector, standing, tried, detail))

    def _shortened(self, until: float) -> float:
        """When to stop after a failure; a given number of cases is gone through all the same."""
        return until if self.request.budget is None else min(until, self.clock.now() + AFTER_FAILURE)

    @property
    def _patience(self) -> float:
        return self.request.seconds * len(self.detectors)


def _of_regressions(name: str, outcome: RegressionOutcome, failed: Sequence[RegressionFailure]) -> Check:
    """What became of the stored regressions for a detector; where it took none, nothing is known."""
    refusals = Counter(reason for detector, reason in outcome.refusals if detector == name)
    refused, taken = refusals.total(), outcome.tried - refusals.total()
    reason = refusals.most_common(1)[0][0] if refusals else ""
    standing = standing_of(failure.verdict.kind for failure in failed)
    said = f"{len(failed)} of {taken} failed" if failed else ""
    if refused and not taken:
        standing, said = Standing.UNKNOWN, f"the detector took none of {refused} cases: {reason}"
    return Check("regressions", "stored regressions", name, standing, taken, said, refused, reason)


def _loaded(name: str, search_path: tuple[str, ...]) -> AnyFactory:
    """The factory of a detector; its module is imported in another process first, which it may end."""

    def trial() -> None:
        with suppress(InputError):  # which comes again
            any_factory(name, search_path)

    lost = isolated(trial, seconds=LOADING)
    if isinstance(lost, Lost):
        raise InputError(
            f"the detector {name} cannot be imported: {lost.detail}",
            remedy="A module is imported before it is used; it must not end its process.",
        )
    return any_factory(name, search_path)


def _rows(
    settings: Settings, search_path: tuple[str, ...], numbers: Sequence[int], apart: bool
) -> Iterator[Row]:
    return judged_rows(settings, numbers, apart=apart, search_path=search_path)


def _nearby(
    known: Sequence[Regression],
    detectors: Mapping[str, AnyFactory],
    request: Request,
    numbers: Sequence[int],
    apart: bool,
) -> Iterator[tuple[LawOutcome, ...]]:
    for number in numbers:
        case = near(known, request.seed, number)
        judged = judge_case(case, detectors, seconds=request.seconds, apart=apart)
        faults = {fault.detector: fault for fault in judged.faults}
        refused, vacuous = dict(judged.refusals), not judged.meaning.expected
        yield tuple(
            LawOutcome(
                NEARBY,
                number,
                name,
                faults[name].kind if name in faults else None,
                faults[name].detail if name in faults else refused.get(name, ""),
                name in refused,
                vacuous,
            )
            for name in detectors
        )


def _spark_checks(summary: CampaignSummary, detector: str) -> Iterator[Check]:
    """What a campaign on Spark says of a detector."""
    share = summary.detectors[detector]
    if share.refused == share.cases:
        said = f"the detector took none of {share.cases:,} cases"
        yield Check("campaign", "random cases", detector, Standing.UNKNOWN, 0, said, share.refused)
        return
    tried = {MEANING: share.cases - share.refused, **summary.relations}
    for by, cases in tried.items():
        causes = [c for c in summary.causes if (c.cause.detector, c.cause.relation) == (detector, by)]
        failed = sum(found.cases for found in causes)
        title = "random cases" if by == MEANING else f"relation:{by}"
        said = f"{failed:,} of {cases:,} cases failed" if failed else ""
        refused = share.refused if by == MEANING else 0
        yield Check(
            "campaign", title, detector, standing_of(c.cause.kind for c in causes), cases, said, refused
        )
