"""The gate: may a change of a detector go in? What is put to it, stage by stage, within a budget of time."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

from campaigns import logs
from campaigns.engine import findings
from campaigns.engine.campaign import CampaignFailed, run_campaign
from campaigns.engine.findings import RANDOM, RELATION, Cases, Check, Clock, Engine, Finding
from campaigns.engine.settings import Settings
from campaigns.engine.summary import CampaignSummary
from campaigns.judging.isolation import Lost, OutOfTime, curfew
from campaigns.judging.judgements import maker_of
from campaigns.judging.regressions import own_regressions, stored_regressions
from campaigns.judging.verdicts import BLOCKING, MEANING, TIME_LIMIT, Kind, Verdict, standing_of
from campaigns.power import Power, power
from campaigns.systems import AnyCase, CasesOfSystem, Factory, cases_of
from laws.standings import ExitStatus, Standing, exit_status
from remora.api.provenance import checkout
from remora.gate.decisions import KINDS, decided, stages
from remora.gate.step_proofs import NO_STEPS, apart, prove_steps, steps_of
from remora.terminal.progress import Progress
from semantics.errors import InputError
from semantics.systems import DEFAULT_SYSTEM
from smt.solvers.portfolio import installed

SHARES = {
    "protocol": 0.1,
    "regressions": 0.2,
    "logs": 0.2,
    "laws": 0.1,
    "proofs": 0.3,
    "conditions": 0.1,
    "texts": 0.05,
    "mutants": 0.3,
}
"""How much of the time that is left a stage may take, in the order in which they come; the campaign has the rest."""

CASES_OF_LAW = 5
"""Where a number of cases is given, each law is tried on so many at least; together, on as many as the campaign has."""

LOADING = 60.0  # How long the import of a detector may take, in seconds
OVERTIME = 0.5  # So long after the end of the budget a process is ended that has not finished its piece, in seconds
NAMED = 5  # So many wrong detectors are named that were not found


@dataclass(frozen=True)
class Request:
    """Request to the gate: within a budget of seconds, or with a number of cases for the campaign."""

    detectors: tuple[str, ...]
    regressions: Path  # a folder whose regressions are tried first and that receives new ones
    seed: int = 0
    budget: float | None = 120.0
    cases: int | None = None
    master: str | None = None  # of Spark, for the campaign; None for this machine without Spark
    search_path: tuple[str, ...] = ()
    seconds: float = TIME_LIMIT
    system: str = DEFAULT_SYSTEM
    logs: tuple[tuple[AnyCase, str], ...] = ()  # cases of somebody's own logs, each with words on where it is from
    log_words: tuple[str, ...] = ()  # the options that name these logs


@dataclass
class GateResult:
    """The outcome of a gate; `code` is what `remora.api.provenance.checkout` knows of the code that judged."""

    request: Request
    checks: list[Check] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    cases: int = 0
    stages: list[tuple[str, float]] = field(default_factory=list)
    seconds: float = 0.0
    code: Mapping[str, Any] | None = None
    most: int = 0  # No case that was passed had more events
    left_out: Sequence[str] = ()  # what the forms of programs exclude

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

    def summary(self) -> str:
        """The verdict in one sentence."""
        match self.status:
            case ExitStatus.AS_CLAIMED:
                found = f"nothing was found against {', '.join(self.request.detectors)}"
                return f"May go in: {found}; not tried: {', '.join(self.not_tried())}."
            case ExitStatus.REFUTED:
                return f"May not go in: {', '.join(self.wrong())} failed."
            case ExitStatus.DISAGREEMENT:
                return "May not go in: the judges disagree with each other about a case."
        check = next((check for check in self.checks if check.open), None)
        if check is None:
            return "No answer, which is not a yes: nothing was looked at."
        if self.status is ExitStatus.INFRASTRUCTURE:
            return f"No answer: {check.detail}."
        subject = f"{check.name} of {check.detector}: " if check.detector else ""
        return f"No answer, which is not a yes: {subject}{check.detail.partition(';')[0] or 'unknown'}."

    def not_tried(self) -> list[str]:
        """What was not tried, in a few words each."""
        logs = any(check.stage == "logs" and check.standing is Standing.TESTED for check in self.checks)
        skipped = dict.fromkeys(check.stage for check in self.checks if check.standing is None and not check.tried)
        looked = {check.stage for check in self.checks if check.standing is not None}
        more = [*self.left_out, *([f"more than {self.most:,} events"] if self.most else [])]
        untried = [f"stage {stage}" for stage in skipped if stage not in looked]
        return ["other logs of your own" if logs else "logs of your own", *more, *untried, "speed"]


def parse_budget(text: str) -> float:
    """The seconds in a text such as `30s`, `2m`, `1.5h` or `1m30s`."""
    parts = re.findall(r"(\d+(?:\.\d+)?)([smh])", text)
    seconds = sum(float(number) * {"s": 1, "m": 60, "h": 3600}[unit] for number, unit in parts)
    if "".join(number + unit for number, unit in parts) != text or not 0 < seconds < float("inf"):
        raise InputError(f"the budget {text!r} is not a time", remedy="Write it with its unit, such as 30s, 2m or 1h.")
    return seconds


class Gate:
    """One run of the gate."""

    def __init__(self, request: Request, progress: Progress) -> None:
        self.request, self.progress, self.clock = request, progress, Clock(request.budget)
        self.system = cases_of(request.system)
        with self._curfew():
            self.detectors: Mapping[str, Factory] = {
                name: _loaded(self.system, name, request.search_path) for name in request.detectors
            }
            with suppress(OutOfTime), curfew(self.clock.until(SHARES["protocol"])):  # the stages will find it out
                self.system.require_protocol(self.detectors)
        known = [*own_regressions(), *stored_regressions(request.regressions)]
        self.known = {one.name: one for one in known if one.case.system == request.system}
        self.engine = self._judging(self.detectors)
        left_out = tuple(dict.fromkeys(words for form in self.engine.forms() for words in form.left_out()))
        self.result = GateResult(request, findings=self.engine.findings, code=checkout(), left_out=left_out)
        self.telling = self.system.telling()
        self.settings = Settings(
            seed=request.seed,
            cases=request.cases or 2**31,
            detectors=request.detectors,
            seconds=request.seconds,
            system=request.system,
            constants=self.system.constants(self.detectors),
        )

    def _curfew(self) -> AbstractContextManager[None]:
        return curfew(self.clock.until() + OVERTIME)

    def _judging(self, detectors: Mapping[str, Factory]) -> Engine:
        asked = self.request
        return Engine(detectors, seconds=asked.seconds, clock=self.clock, keep=asked.regressions, apart=True)

    def run(self) -> GateResult:
        """Go through all stages."""
        with self._curfew():
            known = sorted(self.known.values(), key=lambda one: self.system.measure(one.case))
            if known:
                self._put("regressions", [findings.known_cases(known)], range(len(known)))
            self.logs()
            self.laws()
            self.proofs()
            self.decisions()
            found = self.mutants()
            self.campaign()
            self.worth(found)
        passed = [check for check in self.result.checks if check.stage == "logs" and check.standing is Standing.TESTED]
        events = {said: case.features.events for case, said in self.request.logs}
        self.result.most = max([self.engine.most, *(events[check.name] for check in passed)])
        self.result.stages, self.result.seconds = list(self.progress.stages), self.clock.used
        return self.result

    def logs(self) -> None:
        """Put to the detectors somebody's own logs, each as a whole, once."""
        pairs = [(case, said, name) for case, said in self.request.logs for name in self.detectors]
        if pairs:
            with self.progress.stage("logs", len(pairs)) as advance:
                for number, (case, said, name) in enumerate(pairs):
                    advance(said, number)
                    self._check("logs", said, name, *self._of_log(case, said, name))

    def _of_log(self, case: AnyCase, said: str, name: str) -> tuple[Standing, int, str]:
        """The standing of a detector on a whole log, in a process of its own; how many cases were tried; in words."""
        system, factory, seconds = self.system, self.detectors[name], self.engine.seconds
        longest = min(self.clock.until(SHARES["logs"]) - monotonic(), 6 * logs.time_for(case, seconds))
        found = apart(partial(logs.whole, system, case, factory, seconds), longest)
        verdict = Verdict(found.kind, found.detail, ()) if isinstance(found, Lost) else found
        if verdict.kind is Kind.TIMEOUT:
            return Standing.UNKNOWN, 1, verdict.detail
        if verdict.refused:  # a log that was asked for and not judged is no pass
            return Standing.UNKNOWN, 0, f"the detector does not take it: {verdict.refusal}"
        if verdict.kind is None:
            by = "by the definition" if verdict.literal else f"beside {system.AUTHORITY}"
            return Standing.TESTED, 1, f"{case.features.events:,} events, {by}"
        engine = self._judging({name: factory})
        if verdict.kind not in BLOCKING:
            search = partial(logs.shortest, system, case, factory, seconds, defined=verdict.literal)
            small = apart(search, longest)
            case = case if isinstance(small, Lost) else small
            remark = f"{said}: {verdict.detail}"
            for part in logs.ends(system, case):
                engine.put("logs", [findings.given_cases([(part, remark)], findings.OF_LOGS)], range(1))
                if engine.findings:
                    break
        whole = Finding("logs", name, MEANING, verdict.kind, verdict.detail, case, None, said)
        for finding in engine.findings or [whole]:
            self.engine.add(finding)
        return Standing.REFUTED, 1, verdict.detail

    def laws(self) -> None:
        """Put every law to the detectors by itself."""
        kinds = [findings.law_cases(law, self.request.seed, self.request.system) for law in self.system.laws()]
        cases = self.request.cases
        if kinds:
            each = None if cases is None else max(CASES_OF_LAW, cases // len(kinds))
            self._put("laws", kinds, count() if each is None else range(each * len(kinds)))

    def proofs(self) -> None:
        """Prove what is claimed of the steps of the detectors."""
        found = steps_of(self.detectors)
        for steps in found:
            if not steps.claims:
                self._check("proofs", "steps", ", ".join(steps.detectors), None, 0, NO_STEPS)
        claims = sum(len(steps.claims) for steps in found)
        if claims:
            seed, until = self.request.seed, self.clock.until(SHARES["proofs"])
            with self.progress.stage("proofs", claims) as advance, installed() as portfolio:
                self.result.checks += prove_steps(found, portfolio, seed=seed, until=until, progress=advance)

    def decisions(self) -> None:
        """Let solvers decide what they can of the detectors, for the cases that are put to them."""
        for stage in stages(self.request.system):
            until, most = self.clock.until(SHARES[stage]), KINDS[stage].most
            numbers = range(min(self.request.cases or most, most))
            texts = [*(one.case.text for one in self.known.values())]
            texts += (case.text for case in map(maker_of(self.settings), numbers))
            with self.progress.stage(stage, len(texts)) as advance:
                self.result.checks += decided(stage, self.request.system, self.detectors, texts, until, advance)

    def mutants(self) -> Power | None:
        """Put the cases of the campaign to wrong detectors; None where a detector has failed already."""
        if self.result.wrong():
            return None
        seed, telling, seconds = self.request.seed, self.telling, self.request.seconds
        until, limit = self.clock.until(SHARES["mutants"]), self.request.cases or self.system.KILLED_WITHIN
        found, case_of = Power(seed, 0, {}, tuple(telling)), maker_of(self.settings)
        with self.progress.stage("mutants", len(telling)) as advance:
            while found.survivors and found.cases < limit and monotonic() < until:
                living = {name: telling[name] for name in found.survivors}
                cases = range(found.cases, min(limit, found.cases + (20 if len(living) > 20 else 100)))
                found = found.followed_by(power(living, self.system, case_of, seed, cases, seconds=seconds))
                advance(f"{found.cases} cases", len(found.deaths))
        return found

    def campaign(self) -> None:
        """Judge random cases in all the time that is left, or as many as are asked for."""
        if self.request.master is None:
            names = [RANDOM, *(RELATION + relation for relation in self.settings.relations)]
            self._put("campaign", [findings.campaign_cases(self.settings)], range(self.settings.cases), names)
            return
        with TemporaryDirectory(prefix="remora-gate-") as folder, self.progress.stage("campaign", 1) as advance:
            advance("on Spark")
            try:
                summary = run_campaign(Path(folder) / "campaign", self.settings, master=self.request.master)
            except CampaignFailed as error:
                self._check("campaign", RANDOM, "", Standing.ERROR, 0, error.reason)
                return
        self.result.cases = summary.total.cases
        for failure in summary.failures:
            self.engine.of_campaign(failure)
        for name in self.settings.detectors:
            self.result.checks += _spark_checks(summary, name)

    def worth(self, found: Power | None) -> None:
        """Say whether the campaign was long enough to be believed: its cases find every wrong detector."""
        name = "telling mutants"
        if found is None or self.result.wrong():
            self._check("mutants", name, "", None, 0, "not tried: the answer does not depend on it")
            return
        cases, telling = self.result.cases, self.telling
        survivors = [each for each in telling if each not in found.deaths or found.deaths[each].case >= cases]
        if not survivors:
            said = f"the cases find all {len(telling)} wrong detectors, the last one by case {found.worst}"
            self._check("mutants", name, "", Standing.TESTED, cases, said)
            return
        tried = f"{min(cases, found.cases):,} cases find {len(telling) - len(survivors)} of the {len(telling)}"
        said = f"{tried} wrong detectors; with more of them, or a larger --budget, they find more; not found: "
        said += ", ".join([*survivors[:NAMED], *["…"] * (len(survivors) > NAMED)])
        self._check("mutants", name, "", Standing.UNKNOWN, cases, said)

    def _put(self, stage: str, kinds: Sequence[Cases], places: Iterable[int], names: Sequence[str] = ()) -> None:
        """Go through numbered cases until the share of the stage is used up, or the numbers are."""
        until, is_last = self.clock.until(SHARES.get(stage, 1.0)), stage == "campaign"
        with self.progress.stage(stage, self.request.cases if is_last else None) as advance:

            def tell(cases: int) -> None:
                self.result.cases = cases if is_last else 0
                advance(f"{cases:,} cases", cases)

            checks = self.engine.put(stage, kinds, places, names=names, until=until, progress=tell)
        if is_last:
            checks.sort(key=lambda check: self.request.detectors.index(check.detector))
        self.result.checks += checks

    def _check(self, stage: str, name: str, detector: str, standing: Standing | None, tried: int, detail: str) -> None:
        self.result.checks.append(Check(stage, name, detector, standing, tried, detail))


def _loaded(system: CasesOfSystem, name: str, search_path: tuple[str, ...]) -> Factory:
    """The factory of a detector; its module is imported in another process first, which it may end."""

    def trial() -> None:
        with suppress(InputError):  # which comes again
            system.factory(name, search_path)

    lost = apart(trial, LOADING)
    if isinstance(lost, Lost):
        remedy = "A module is imported before it is used; it must not end its process."
        raise InputError(f"the detector {name} cannot be imported: {lost.detail}", remedy=remedy)
    return system.factory(name, search_path)


def _spark_checks(summary: CampaignSummary, detector: str) -> Iterator[Check]:
    share = summary.detectors[detector]
    if share.refused == share.cases:
        said = findings.none_taken(share.cases, "")
        yield Check("campaign", RANDOM, detector, Standing.UNKNOWN, 0, said, share.refused)
        return
    for by, cases in {MEANING: share.cases - share.refused, **summary.relations}.items():
        causes = [c for c in summary.causes if (c.cause.detector, c.cause.relation) == (detector, by)]
        failed = [found.cause.kind for found in causes for _ in range(found.cases)]
        title, refused = (RANDOM, share.refused) if by == MEANING else (RELATION + by, 0)
        said = findings.failed_text(failed, cases)
        yield Check("campaign", title, detector, standing_of(failed), cases, said, refused)
