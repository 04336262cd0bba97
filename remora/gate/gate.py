"""The gate: may a change of a detector go in? What is put to it, stage by stage, within a budget of time.

Stored regressions come first, then somebody's own logs, every law by itself, the proofs of the steps, wrong detectors
that the cases have to find, and in all the time that is left a campaign.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

from campaigns.carlson_lisper import logs
from campaigns.engine.campaign import CampaignFailed, run_campaign
from campaigns.engine.settings import Settings, maker_of
from campaigns.engine.summary import CampaignSummary
from campaigns.judging.findings import (
    OF_LOGS,
    RANDOM,
    RELATION,
    Cases,
    Check,
    Clock,
    Engine,
    Finding,
    campaign_cases,
    failed_text,
    given_cases,
    known_cases,
    law_cases,
    none_taken,
)
from campaigns.judging.isolation import Lost, OutOfTime, curfew, isolated
from campaigns.judging.regressions import own_regressions, stored_regressions
from campaigns.judging.verdicts import BLOCKING, MEANING, TIME_LIMIT, Kind, Verdict, standing_of
from campaigns.mutants import Mutant
from campaigns.power import Power, power
from campaigns.systems import AnyCase, CasesOfSystem, Factory, cases_of
from laws.standings import ExitStatus, Standing, exit_status
from remora.api.provenance import checkout
from remora.gate.decisions import KINDS, decided, stages
from remora.gate.step_proofs import NO_STEPS, prove_steps, steps_of
from remora.terminal.progress import Advance, Progress
from semantics.errors import InputError
from semantics.systems import DEFAULT_SYSTEM
from smt.solvers.portfolio import installed

SHARES = {
    "protocol": 0.1,
    "regressions": 0.2,
    "logs": 0.2,
    "laws": 0.1,
    "proofs": 0.3,
    **{stage: kind.share for stage, kind in KINDS.items()},
    "mutants": 0.3,
}
"""How much of the time that is left a stage may take, in the order in which they come; the campaign has the rest."""

CASES_OF_LAW = 5
"""Where a number of cases is given, each law is tried on so many at least; together, on as many as the campaign has."""

LOADING = 60.0
"""How long the import of a detector may take, in seconds."""

OVERTIME = 0.5
"""So long after the end of the budget a process is ended that has not finished its piece, in seconds."""

NAMED = 5
"""So many wrong detectors are named that were not found."""

WORTH = "telling mutants"
NOT_NEEDED = "not tried: the answer does not depend on it"


# ------------------------------------------------------------------------------------------ request and result


@dataclass(frozen=True)
class Request:
    """Request to the gate.

    Attributes:
        regressions: the folder whose regressions are tried first and that receives new ones.
        budget: how long it may take, in seconds; None where a number of cases is given.
        cases: how many cases the campaign has; None where time decides.
        master: the Spark master on which the campaign runs; None for this machine without Spark.
        logs: cases of somebody's own logs, each with a few words on where it is from.
        log_words: the options that name these logs.
    """

    detectors: tuple[str, ...]
    regressions: Path
    seed: int = 0
    budget: float | None = 120.0
    cases: int | None = None
    master: str | None = None
    search_path: tuple[str, ...] = ()
    seconds: float = TIME_LIMIT
    system: str = DEFAULT_SYSTEM
    logs: tuple[tuple[AnyCase, str], ...] = ()
    log_words: tuple[str, ...] = ()


@dataclass
class GateResult:
    """The outcome of a gate.

    Attributes:
        code: which code of Remora judged: `remora.api.provenance.checkout`; None where that is not known.
    """

    request: Request
    checks: list[Check] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    cases: int = 0
    stages: list[tuple[str, float]] = field(default_factory=list)
    seconds: float = 0.0
    code: Mapping[str, Any] | None = None

    @property
    def status(self) -> ExitStatus:
        """How the gate ends; it is green on `AS_CLAIMED` alone."""
        return exit_status(check.standing for check in self.checks if check.standing is not None)

    def wrong(self) -> list[str]:
        """The detectors that failed something, each once."""
        return list(dict.fromkeys(check.detector for check in self.checks if check.wrong))

    def smallest_first(self) -> list[Finding]:
        """The failures, those that could be looked at first, and of these the smallest."""
        measure = cases_of(self.request.system).measure
        return sorted(self.findings, key=lambda finding: (finding.verdict is None, measure(finding.case)))

    def open(self) -> list[Check]:
        """The checks that are inconclusive or broke down."""
        return [check for check in self.checks if check.open]

    def summary(self) -> str:
        """The verdict in one sentence."""
        names = ", ".join(self.request.detectors)
        match self.status:
            case ExitStatus.AS_CLAIMED:
                return f"May go in: nothing was found against {names}."
            case ExitStatus.REFUTED:
                return f"May not go in: {', '.join(self.wrong())} failed."
            case ExitStatus.DISAGREEMENT:
                return "May not go in: the judges disagree with each other about a case."
            case ExitStatus.INFRASTRUCTURE:
                return f"No answer: {self.open()[0].detail}."
            case _ if not self.open():
                return "No answer, which is not a yes: nothing was looked at."
            case _:
                check = self.open()[0]
                subject = f"{check.name} of {check.detector}: " if check.detector else ""
                said = subject + (check.detail.partition(";")[0] or "unknown")
                return f"No answer, which is not a yes: {said}."


_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0}


def parse_budget(text: str) -> float:
    """The seconds in a text such as `30s`, `2m`, `1.5h` or `1m30s`.

    Raises:
        InputError: it is something else, or no time at all.
    """
    parts = re.findall(r"(\d+(?:\.\d+)?)([smh])", text)
    seconds = sum(float(number) * _UNITS[unit] for number, unit in parts)
    if "".join(number + unit for number, unit in parts) != text or not 0 < seconds < float("inf"):
        raise InputError(f"the budget {text!r} is not a time", remedy="Write it with its unit, such as 30s, 2m or 1h.")
    return seconds


def duration(seconds: float) -> str:
    """A time for people: `45 s`, `2 min 5 s`, `1 h 10 min`."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    units = (whole // 3600, "h"), (whole % 3600 // 60, "min"), (0 if whole >= 3600 else whole % 60, "s")
    return " ".join(f"{number} {unit}" for number, unit in units if number)


# ---------------------------------------------------------------------------------------------------- the stages


class Gate:
    """One run of the gate."""

    def __init__(self, request: Request, progress: Progress) -> None:
        """Load the detectors and the stored regressions.

        Raises:
            InputError: a detector cannot be loaded or breaks the protocol, or a stored regression cannot be read.
        """
        self.request = request
        self.progress = progress
        self.clock = Clock(request.budget)
        self.system = cases_of(request.system)
        with self._curfew():
            self.detectors: Mapping[str, Factory] = {
                name: _loaded(self.system, name, request.search_path) for name in request.detectors
            }
            with suppress(OutOfTime), curfew(self.clock.until(SHARES["protocol"])):  # the stages will find it out
                self.system.require_protocol(self.detectors)
        known = [*own_regressions(), *stored_regressions(request.regressions)]
        mine = (regression for regression in known if regression.case.system == request.system)
        self.known = tuple({regression.name: regression for regression in mine}.values())
        self.engine = Engine(
            self.detectors, seconds=request.seconds, clock=self.clock, keep=request.regressions, apart=True
        )
        self.result = GateResult(request, findings=self.engine.findings, code=checkout())

    def _curfew(self) -> AbstractContextManager[None]:
        return curfew(self.clock.until() + OVERTIME)

    @cached_property
    def settings(self) -> Settings:
        """The settings of the campaign."""
        request = self.request
        return Settings(
            seed=request.seed,
            cases=request.cases or 2**31,
            detectors=request.detectors,
            relations=tuple(self.system.RELATIONS),
            profiles=dict(self.system.PROFILES),
            seconds=request.seconds,
            system=request.system,
            constants=self.system.constants(self.detectors),
        )

    @cached_property
    def telling(self) -> Mapping[str, Mutant]:
        """The wrong detectors that the cases have to find."""
        return self.system.telling()

    def run(self) -> GateResult:
        """Go through all stages.

        Raises:
            OSError: a new regression cannot be written.
        """
        with self._curfew():
            self.regressions()
            self.logs()
            self.laws()
            self.proofs()
            self.decisions()
            found = self.mutants()
            self.campaign()
            self.worth(found)
        self.result.stages = list(self.progress.stages)
        self.result.seconds = self.clock.used
        return self.result

    def regressions(self) -> None:
        """Put to the detectors everything that ever failed, the smallest cases first."""
        known = sorted(self.known, key=lambda one: self.system.measure(one.case))
        if known:
            self.result.checks += self._put("regressions", [known_cases(known)], range(len(known)))

    def logs(self) -> None:
        """Put to the detectors somebody's own logs, each as a whole, once.

        A log that is too long for the interval semantics is compared with the proved detector; where a detector parts
        from that, the end of the log up to there is judged by the semantics.
        """
        short = [(case, said) for case, said in self.request.logs if not logs.is_long(case)]
        if short:
            self.result.checks += self._put("logs", [given_cases(short, OF_LOGS)], range(len(short)))
        for case, said in self.request.logs:
            if logs.is_long(case):
                with self.progress.stage("logs", len(self.detectors)) as advance:
                    for number, name in enumerate(self.detectors):
                        advance(said, number)
                        self.result.checks.append(self._of_log(case, said, name))

    def _of_log(self, case: AnyCase, said: str, name: str) -> Check:
        """The check of a detector on a whole log, in a process of its own."""
        factory, seconds = self.detectors[name], self.request.seconds
        longest = min(self.clock.until(SHARES["logs"]) - monotonic(), 3 * logs.time_for(case, seconds))
        try:
            found = isolated(partial(logs.compared, case, factory, seconds), seconds=longest)
        except OutOfTime:
            return Check("logs", said, name, Standing.UNKNOWN, 0, "the log was not finished within the budget")
        verdict, now = (Verdict(found.kind, found.detail, ()), 0) if isinstance(found, Lost) else found
        if verdict.kind is Kind.TIMEOUT:
            return Check("logs", said, name, Standing.UNKNOWN, 1, verdict.detail)
        if verdict.kind is None:
            standing = None if verdict.refused else Standing.TESTED
            compared = f"{case.features.events:,} occurrences, beside the proved detector"
            return Check("logs", said, name, standing, 1 - verdict.refused, verdict.refusal or compared)
        engine = Engine({name: factory}, seconds=seconds, clock=self.clock, keep=self.request.regressions, apart=True)
        for part in () if verdict.kind in BLOCKING else logs.windows(case, now):
            engine.put("logs", [given_cases([(part, f"{said}, up to {now}")], OF_LOGS)], range(1))
            if engine.findings:
                break
        whole = Finding("logs", name, MEANING, verdict.kind, verdict.detail, replace(case, occurrences=()), None, said)
        for finding in engine.findings or [whole]:
            self.engine.add(finding)
        return Check("logs", said, name, Standing.REFUTED, 1, verdict.detail, failed=1)

    def laws(self) -> None:
        """Put every law to the detectors by itself."""
        kinds = [law_cases(law, self.request.seed, self.request.system) for law in self.system.laws()]
        if not kinds:
            return
        cases = self.request.cases
        each = None if cases is None else max(CASES_OF_LAW, cases // len(kinds))
        numbers = count() if each is None else range(each * len(kinds))
        self.result.checks += self._put("laws", kinds, numbers)

    def proofs(self) -> None:
        """Prove what is claimed of the steps of the detectors."""
        found = steps_of(self.detectors)
        for steps in found:
            if not steps.claims:
                self._check("proofs", "steps", ", ".join(steps.detectors), None, 0, NO_STEPS)
        claims = sum(len(steps.claims) for steps in found)
        if not claims:
            return
        seed, until = self.request.seed, self.clock.until(SHARES["proofs"])
        with self.progress.stage("proofs", claims) as advance, installed() as portfolio:
            self.result.checks += prove_steps(found, portfolio, seed=seed, until=until, progress=advance)

    def decisions(self) -> None:
        """Let solvers decide what they can of the detectors, for the cases that are put to them."""
        for stage in stages(self.request.system):
            until, most = self.clock.until(SHARES[stage]), KINDS[stage].most
            numbers = range(min(self.request.cases or most, most))
            texts = [case.text for case in (*(one.case for one in self.known), *map(maker_of(self.settings), numbers))]
            with self.progress.stage(stage, len(texts)) as advance:

                def going(done: int, until: float = until, advance: Advance = advance) -> bool:
                    advance(f"{done:,} cases", done)
                    return done == 0 or monotonic() < until

                self.result.checks += decided(stage, self.request.system, self.detectors, texts, going)

    def mutants(self) -> Power | None:
        """Put the cases of the campaign to wrong detectors; None where a detector has failed already."""
        if self.result.wrong():
            return None
        seed, seconds = self.request.seed, self.request.seconds
        until = self.clock.until(SHARES["mutants"])
        limit = self.system.KILLED_WITHIN if self.request.cases is None else self.request.cases
        telling, case_of = self.telling, maker_of(self.settings)
        put = partial(power, system=self.system, case_of=case_of, seed=seed, seconds=seconds)
        found = Power(seed, 0, {}, tuple(telling))
        with self.progress.stage("mutants", len(telling)) as advance:
            while found.survivors and found.cases < limit and monotonic() < until:
                living = {name: telling[name] for name in found.survivors}
                upto = min(limit, found.cases + (20 if len(living) > 20 else 100))
                found = found.followed_by(put(living, cases=range(found.cases, upto)))
                advance(f"{found.cases} cases", len(found.deaths))
        return found

    def campaign(self) -> None:
        """Judge random cases in all the time that is left, or as many as are asked for."""
        if self.request.master is not None:
            self._on_spark(self.request.master)
            return
        names = [RANDOM, *(RELATION + relation for relation in self.settings.relations)]
        checks = self._put("campaign", [campaign_cases(self.settings)], range(self.settings.cases), names)
        self.result.checks += sorted(checks, key=lambda check: self.request.detectors.index(check.detector))

    def worth(self, found: Power | None) -> None:
        """Say whether the campaign was long enough to be believed: its cases find every wrong detector."""
        if found is None or self.result.wrong():
            self._check("mutants", WORTH, "", None, 0, NOT_NEEDED)
            return
        cases, telling = self.result.cases, self.telling
        later = [death.case + 1 for death in found.deaths.values() if death.case >= cases]
        survivors = [name for name in telling if name not in found.deaths or found.deaths[name].case >= cases]
        if not survivors:
            said = f"the cases find all {len(telling)} wrong detectors, the last one by case {found.worst}"
            self._check("mutants", WORTH, "", Standing.TESTED, cases, said)
            return
        enough = f"; the first {max(later):,} cases find all of them" if len(later) == len(survivors) else ""
        tried = min(cases, found.cases) if found.survivors else cases
        why = f"the cases are too few: {tried:,} of them"
        if found.survivors and found.cases < min(cases, self.system.KILLED_WITHIN):
            why = f"there was too little time for wrong detectors: {tried:,} of the cases"
            enough = "; a larger --budget gives them more"
        more = f" and {len(survivors) - NAMED} more" if len(survivors) > NAMED else ""
        said = f"{why} find {len(telling) - len(survivors)} of the {len(telling)} wrong detectors{enough}"
        self._check(
            "mutants", WORTH, "", Standing.UNKNOWN, cases, f"{said}; not found: {', '.join(survivors[:NAMED])}{more}"
        )

    # -------------------------------------------------------------------------------------------------- helpers

    def _put(self, stage: str, kinds: Sequence[Cases], places: Iterable[int], names: Sequence[str] = ()) -> list[Check]:
        """Go through numbered cases until the share of the stage is used up, or the numbers are."""
        begin, until = monotonic(), self.clock.until(SHARES.get(stage, 1.0))
        last = stage == "campaign"
        pieces = len(kinds) if not last else self.request.cases or max(1, int(until - begin))
        with self.progress.stage(stage, pieces) as advance:

            def tell(cases: int) -> None:
                done = int(monotonic() - begin) if last and not self.request.cases else cases
                self.result.cases = cases if last else 0
                advance(f"{cases:,} cases", min(done, pieces))

            return self.engine.put(stage, kinds, places, names=names, until=until, progress=tell)

    def _on_spark(self, master: str) -> None:
        with TemporaryDirectory(prefix="remora-gate-") as folder, self.progress.stage("campaign", 1) as advance:
            advance("on Spark")
            try:
                summary = run_campaign(Path(folder) / "campaign", self.settings, master=master)
            except CampaignFailed as error:
                self._check("campaign", RANDOM, "", Standing.ERROR, 0, error.reason)
                return
        self.result.cases = summary.total.cases
        for failure in summary.failures:
            self.engine.of_campaign(failure)
        for name in self.settings.detectors:
            self.result.checks += _spark_checks(summary, name)

    def _check(self, stage: str, name: str, detector: str, standing: Standing | None, tried: int, detail: str) -> None:
        self.result.checks.append(Check(stage, name, detector, standing, tried, detail))


def _loaded(system: CasesOfSystem, name: str, search_path: tuple[str, ...]) -> Factory:
    """The factory of a detector; its module is imported in another process first, which it may end."""

    def trial() -> None:
        with suppress(InputError):  # which comes again
            system.factory(name, search_path)

    try:
        lost = isolated(trial, seconds=LOADING)
    except OutOfTime:
        lost = Lost(Kind.TIMEOUT, "not finished within the budget")
    if isinstance(lost, Lost):
        raise InputError(
            f"the detector {name} cannot be imported: {lost.detail}",
            remedy="A module is imported before it is used; it must not end its process.",
        )
    return system.factory(name, search_path)


def _spark_checks(summary: CampaignSummary, detector: str) -> Iterator[Check]:
    """The checks of a detector by a campaign on Spark."""
    share = summary.detectors[detector]
    if share.refused == share.cases:
        said = none_taken(share.cases, "")
        yield Check("campaign", RANDOM, detector, Standing.UNKNOWN, 0, said, share.refused)
        return
    tried = {MEANING: share.cases - share.refused, **summary.relations}
    for by, cases in tried.items():
        causes = [c for c in summary.causes if (c.cause.detector, c.cause.relation) == (detector, by)]
        failed = [found.cause.kind for found in causes for _ in range(found.cases)]
        title = RANDOM if by == MEANING else RELATION + by
        said = failed_text(failed, cases)
        refused = share.refused if by == MEANING else 0
        yield Check("campaign", title, detector, standing_of(failed), cases, said, refused)
