"""The main job: every stage of a verification, and the report that comes of it."""

from __future__ import annotations

import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from datetime import UTC, datetime
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

from benchmarks.catalogue import SUBJECTS
from benchmarks.checks import OracleDiffers
from benchmarks.patterns import PATTERNS
from benchmarks.results import results_data
from benchmarks.separating import side_by_side
from benchmarks.throughput import Plan
from benchmarks.timing import QUICK as TIMING
from campaigns.carlson_lisper.mutants import MUTANTS
from campaigns.mutants.power import power_of
from campaigns.systems import cases_of
from laws.claims import Claim
from laws.errata import wordings_of
from laws.standings import ExitStatus, Standing, as_expected, exit_status
from laws.systems import every_claim, every_false_claim
from laws.theorems import Theorem
from proofs.certification import Certified, without_certificate
from proofs.errata import check_every_erratum
from proofs.record import certificate_differences, recorded, text_differences
from remora import __version__
from remora.api.claiming.claims import checked
from remora.api.claiming.data import JsonObject, canary_data, definitions_data
from remora.api.provenance import checkout, environment
from remora.examples import EXAMPLES
from remora.terminal.progress import Progress
from remora.verification.beside import FoundBeside, going_on
from remora.verification.campaign import campaign
from remora.verification.certificates import by_reason, rejections, with_certificates_made
from remora.verification.detections import detected
from remora.verification.efforts import Effort
from remora.verification.engines import problem
from remora.verification.logs import Log, read_log
from remora.verification.profiles import verified_profiles
from remora.verification.proofs import prove_shown
from remora.verification.rules import doubts, verified_rules
from remora.verification.selfchecks import SelfCheck, self_checks
from remora.verification.throughput import measured
from remora.verification.throughput import standing as speed_standing
from remora.verification.trust import solvers
from remora.verification.verified import Verified
from reports.results.audits import CommittedRecord
from reports.results.report import data_of
from semantics.systems import DEFAULT_SYSTEM
from smt.attempts import ClaimResult
from smt.smtlib import TimeSort
from smt.solvers.portfolio import installed

Found = TypeVar("Found")

BESIDE = "beside the others"
"""What the stages are called that are carried out in a process of their own."""


class Verification:
    """One run: its settings and what has been found so far."""

    def __init__(
        self,
        effort: Effort,
        folder: Path,
        seed: int,
        logs: Sequence[Log],
        master: str,
        progress: Progress,
        *,
        checker: Path | None = None,
        signature: Path | None = None,
    ) -> None:
        """Prepare; `folder` receives the campaign's rows, `checker` is asked about certificates by its rules."""
        self.checker = checker
        self.signature = signature
        self.effort = effort
        self.folder = folder
        self.seed = seed
        self.logs = logs
        self.master = master
        self.progress = progress
        self.portfolio = installed()
        self.results: list[ClaimResult] = []
        self.standings: list[Standing] = []
        self.problems: list[str] = []
        self.warnings: list[str] = []
        self.power: JsonObject = {}
        self.stages_beside: Sequence[tuple[str, float]] = ()

    def run(self, command: str) -> JsonObject:
        """Carry out all stages; the report as plain data."""
        with going_on(copy(self)._found_beside) as awaited:
            return self._run(command, cache(lambda: self._taken(awaited)))

    def _run(self, command: str, beside: Callable[[], Mapping[str, Any]]) -> JsonObject:
        """The same, given what has the findings of the stages that go on beside the others."""
        started, begin = datetime.now(UTC), time.monotonic()
        code = checkout()
        claims = self._tried("claims", self.claims) or []
        report: JsonObject = {
            "schema": "remora/report/1",
            "remora": __version__,
            **({} if code is None else {"code": code}),
            "command": command,
            "started": started.isoformat(timespec="seconds"),
            "seed": self.seed,
            "environment": environment(),
            "definitions": definitions_data(),
            "claims": [claim.to_data() for claim in claims],
        }
        for name, stage in self.stages().items():
            found = beside().get(name) if name in self.beside() else self._tried(name, stage)
            if found is not None or name == "throughput":
                report[name] = data_of(found)
        report["power"] = self.power
        report["seconds"] = round(time.monotonic() - begin, 3)
        report["stages"] = [
            {"name": name, "seconds": round(seconds, 3), "detail": detail}
            for detail, stages in (("", self.progress.stages), (BESIDE, self.stages_beside))
            for name, seconds in stages
        ]
        report["warnings"] = self.warnings
        report["verdict"] = self.verdict(claims)
        return report

    def stages(self) -> Mapping[str, Callable[[], Any]]:
        """What is done after the claims, by the name under which the report has what comes of it."""
        return {
            "canaries": self.canaries,
            "record": self.record,
            "solvers": lambda: solvers(self.results, self._record),
            "detection": self.detection,
            "campaign": lambda: campaign(
                self.effort, self.seed, self.folder, self.master, self.progress, self._record
            ),
            **self.beside(),
            "side_by_side": lambda: side_by_side(),  # libraries with threads of their own, which no fork has
            "throughput": self.throughput,  # which the others would disturb
        }

    def beside(self) -> Mapping[str, Callable[[], Any]]:
        """The stages that need nothing of the others, and keep one core busy; they are carried out beside these."""
        return {
            "errata": self.errata,
            "wordings": lambda: wordings_of(DEFAULT_SYSTEM),
            "checks": self.checks,
            "rules": self.rules,
            "profiles": self.profiles,
        }

    def _found_beside(self) -> FoundBeside:
        """Carry these out, with solvers and problems of their own, and nothing on the terminal."""
        self.standings, self.problems = [], []
        with installed() as self.portfolio, Progress(quiet=True) as self.progress:
            found = {name: self._tried(name, stage) for name, stage in self.beside().items()}
        return FoundBeside(found, self.standings, self.problems, self.power, self.progress.stages)

    def _taken(self, awaited: Callable[[], FoundBeside]) -> Mapping[str, Any]:
        """What these stages found, when they are over; what they took note of is taken note of."""
        with self.progress.stage(BESIDE, None):
            beside = self._tried(BESIDE, awaited)
        if beside is None:
            return {}
        self.standings += beside.standings
        self.problems += beside.problems
        self.power, self.stages_beside = beside.power, beside.stages
        return beside.found

    # -------------------------------------------------------------------------------------------------- stages

    def claims(self) -> list[Verified]:
        """Prove every claim, over dense time too, and test it; what is proved and refuted is a disagreement."""
        claims = every_claim()
        proofs = self._prove("proofs", claims)
        dense = {result.claim.id: result for result in self._prove("dense time", claims, time="real")}
        certified = self._certify(proofs, dense)
        self.results = [*proofs, *dense.values()]
        with self.progress.stage("tests", len(claims)) as advance:
            tests = checked(claims, self.effort.examples, self.seed, advance)
        found = []
        for claim, proof, tested in zip(claims, proofs, tests, strict=True):
            one = Verified(proof, tested, dense.get(claim.id), certified)
            found.append(one)
            self._record(one.standing, f"{claim.id} is {one.standing.value}: {claim.statement}")
            if not (tested.outcomes or isinstance(claim, Theorem)):
                self._record(Standing.UNKNOWN, f"{claim.id} was tested on no case")
            if one.dense is not None and not as_expected(one.dense.standing, claim.expected):
                self._record(one.dense.standing, f"{claim.id} over dense time is {one.dense.standing.value}")
        return found

    def _certify(self, proofs: list[ClaimResult], dense: dict[str, ClaimResult]) -> dict[str, Certified]:
        """Have the certificates of all proofs checked, where there is a checker; what it accepts is certified."""
        if self.checker is None:
            return {}
        asked = (self.portfolio, None, self.checker, self.signature, self.progress)
        proofs[:], made = with_certificates_made(proofs, *asked)
        checked_dense, over_dense = with_certificates_made(list(dense.values()), *asked)
        dense.update((result.claim.id, result) for result in checked_dense)
        found = {**made, **over_dense}
        lacking = [(name, why) for name, why in without_certificate([*proofs, *checked_dense], found)]
        for complaint in by_reason([*rejections(found, asked=True), *lacking]):
            self._record(Standing.UNKNOWN, f"the checker of certificates: {complaint}")
        return found

    def record(self) -> CommittedRecord:
        """Compare the obligations with the committed record of proofs, and some certificates made anew with its own.

        The record is made with seed 0; with another seed an obligation may be proved under other axioms.
        """
        found = text_differences(
            (part.obligation for result in self.results for part in result.obligations), proved=self.seed == 0
        )
        number = self.effort.certificates
        with self.progress.stage("recorded certificates", number or len(recorded())):
            found += certificate_differences(self.results, self.portfolio, sample=number, seed=self.seed)
        for difference in found:
            self._record(Standing.REFUTED, f"the record of proofs is another one: {difference}")
        return CommittedRecord(not found, tuple(found))

    def errata(self) -> list[JsonObject]:
        """Run the evidence for what is wrong in the source, and for what was checked and is right."""
        results = check_every_erratum(self.portfolio.solvers[0])
        for result in results:
            if not result.as_claimed:
                self._record(Standing.DISAGREEMENT, f"the evidence for {result.erratum.id} is another one")
        return [result.to_data() for result in results]

    def canaries(self) -> list[JsonObject]:
        """Refute the false equations."""
        results = self._prove("canaries", every_false_claim())
        for result in results:
            if result.standing is not Standing.REFUTED:
                proved = result.standing.unbounded
                self._record(
                    Standing.DISAGREEMENT if proved else result.standing,
                    f"{result.claim.id} is false and was not refuted: {result.claim.statement}",
                )
        return [canary_data(result) for result in results]

    def checks(self) -> list[SelfCheck]:
        """Give every checker something wrong, the campaign's judge included."""
        groups = self_checks(self.portfolio)
        found = [check() for check in self._each("self-checks", [*chain.from_iterable(groups.values())])]
        within = cases_of().KILLED_WITHIN
        with self.progress.stage("mutants", within) as advance:
            killed = power_of(
                DEFAULT_SYSTEM,
                self.seed,
                range(within),
                progress=lambda case, living: advance(f"{len(living)} alive", case + 1),
            )
        self.power = {**killed.to_json(), "altered": {name: each.engine for name, each in MUTANTS.items()}}
        for name, mutant in MUTANTS.items():
            death = killed.deaths.get(name)
            said = f"not found within {within} cases"
            if death is not None:
                said = f"case {death.case}: {death.kind.value}"
            what = f"a wrong detector is found: {mutant.what}"
            found.append(SelfCheck(f"mutant:{name}", what, death is not None, said))
        for each in found:
            if not each.ok:
                self._record(Standing.DISAGREEMENT, f"the check {each.id!r} failed: {each.detail}")
        return found

    def detection(self) -> list[JsonObject]:
        """Detect patterns on the example traces and the user's, and compare with their meaning."""
        logs = [read_log(f"{e.trace} (packaged example)", e.path, e.expression)[0] for e in EXAMPLES]
        return [
            detected(log, self._record, told=log in self.logs)
            for log in self._each("detection", [*logs, *self.logs])
        ]

    def rules(self) -> JsonObject:
        """Plans of rules with their conditions, counts, and engines judged by random cases."""
        with self.progress.stage("rules", self.effort.rules) as advance:
            found = verified_rules(self.effort.rules, self.seed, advance)
        for plan in found["plans"]:
            for point in plan["plan"]:
                for store in point["stores"]:
                    for standing, said in doubts(store):
                        where = f"{store['relation']} in {point['name']} of {plan['name']}"
                        self._record(standing, f"the condition of {where} is {said}")
        return self._engines(found)

    def profiles(self) -> JsonObject:
        """Profiles explained, the atlas counted, and their engine judged by random cases."""
        with self.progress.stage("profiles", self.effort.rules) as advance:
            found = verified_profiles(self.effort.rules, self.seed, advance)
        return self._engines(found)

    def _engines(self, found: JsonObject) -> JsonObject:
        """The same findings; what is wrong with the engines that were judged is taken note of."""
        wrong = problem(found["cases"])
        if wrong is not None:
            self._record(*wrong)
        return found

    def throughput(self) -> JsonObject | None:
        """Measure the detectors beside other tools, whose answers are checked first; None if that is left out."""
        if not self.effort.throughput:
            return None
        plan = Plan(list(PATTERNS.values()), (0.1,), SUBJECTS, TIMING, self.seed)
        try:
            comparisons, scalings = measured(plan, self.progress, scaling=True)
        except OracleDiffers as error:
            self._record(Standing.DISAGREEMENT, str(error))
            return None
        found = speed_standing(comparisons)
        if found is Standing.REFUTED:
            self._record(found, "a tool or a detector whose speed was measured has a wrong answer")
        elif found is Standing.ERROR:
            self._record(found, "a tool whose speed was measured broke down")
        return results_data(comparisons, scalings, plan.effort, self.seed, int(exit_status([found])))

    # ------------------------------------------------------------------------------------------------- verdict

    def verdict(self, claims: Sequence[Verified]) -> JsonObject:
        """The outcome of the whole run."""
        status = exit_status(self.standings)
        counts = Counter(claim.standing.value for claim in claims)
        listed = ", ".join(f"{count} {word}" for word, count in counts.items())
        if status is ExitStatus.AS_CLAIMED:
            summary = (
                f"All {len(claims)} claims hold for all event streams ({listed}), and no detector failed."
                f" {self.effort.left_out}".rstrip()
            )
        else:
            summary = f"Not as claimed: {self.problems[0]}"
        return {
            "exit_status": int(status),
            "summary": summary,
            "counts": dict(counts),
            "problems": self.problems,
        }

    def _tried(self, name: str, stage: Callable[[], Found]) -> Found | None:
        """What a stage finds; None, and an error of the whole run, if it breaks down, as on damaged records."""
        try:
            return stage()
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            place = f"{Path(last.filename).name}:{last.lineno}"
            self._record(
                Standing.ERROR, f"the stage {name!r} broke down: {type(error).__name__}: {error} ({place})"
            )
            return None

    def _record(self, standing: Standing, problem: str) -> None:
        self.standings.append(standing)
        if exit_status([standing]) is not ExitStatus.AS_CLAIMED:
            self.problems.append(problem)

    def _prove(self, stage: str, claims: Sequence[Claim], *, time: TimeSort = "int") -> list[ClaimResult]:
        return prove_shown(claims, self.portfolio, self.progress, stage, time=time, seed=self.seed)

    def _each(self, stage: str, pieces: Sequence[Any]) -> Iterable[Any]:
        with self.progress.stage(stage, len(pieces)) as advance:
            for piece in pieces:
                advance(_label(piece))
                yield piece


def _label(piece: object) -> str:
    if isinstance(piece, tuple):
        return str(piece[0])
    return str(getattr(piece, "id", getattr(piece, "name", "")))
