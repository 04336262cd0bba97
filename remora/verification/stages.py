"""The main job: a list of stages, one after the other or beside the others, and the report that comes of it."""

from __future__ import annotations

import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Any

from msgspec import to_builtins

from benchmarks.patterns import PATTERNS
from benchmarks.throughput import QUICK as TIMING
from benchmarks.throughput import SUBJECTS, OracleDiffers, results_data, throughput
from benchmarks.throughput import standing as speed_standing
from campaigns.carlson_lisper.mutants import MUTANTS
from campaigns.judging.isolation import Child, Lost, can_isolate
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
from remora.api.claiming.claims import Checked, checked
from remora.api.claiming.data import (
    JsonObject,
    canary_data,
    counterexample_data,
    definitions_data,
    obligations_data,
    outcomes_data,
    result_data,
)
from remora.api.provenance import checkout, environment
from remora.examples import EXAMPLES
from remora.terminal.progress import Progress
from remora.verification.campaign import campaign
from remora.verification.canaries import SelfCheck, self_checks
from remora.verification.efforts import Effort
from remora.verification.engines import profiles, rules
from remora.verification.logs import Log, detected, read_log
from remora.verification.proofs import by_reason, prove_shown, rejections, with_certificates_made
from semantics.systems import DEFAULT_SYSTEM
from smt.attempts import ClaimResult
from smt.solvers.portfolio import Opinion, Portfolio, installed

BESIDE = "beside the others"
"""How stages are marked that are carried out in a process of their own."""

LONGEST = 86_400.0
"""How long that process is waited for, in seconds: longer than any verification takes."""


@dataclass
class Run:
    """One verification: its settings, and what it has found so far.

    Attributes:
        folder: receives the campaign's rows.
        checker: is asked about certificates, by the rules of `signature`.
        results: of the proofs.
    """

    effort: Effort
    folder: Path
    seed: int
    logs: Sequence[Log]
    master: str
    progress: Progress
    checker: Path | None = None
    signature: Path | None = None
    portfolio: Portfolio = field(default_factory=installed)
    results: list[ClaimResult] = field(default_factory=list)
    standings: list[Standing] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def note(self, standing: Standing, problem: str) -> None:
        """Count a standing; where it is not as claimed, `problem` says what is wrong."""
        self.standings.append(standing)
        if exit_status([standing]) is not ExitStatus.AS_CLAIMED:
            self.problems.append(problem)

    def carry_out(self, stage: Stage) -> JsonObject:
        """The parts of the report that a stage finds; none, and an error of the whole run, where it breaks down."""
        try:
            found = stage(self)
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            place = f"{Path(last.filename).name}:{last.lineno}"
            said = f"the stage {stage.__name__!r} broke down: {type(error).__name__}: {error} ({place})"
            self.note(Standing.ERROR, said)
            return {}
        return {name: to_builtins(part) for name, part in found.items()}

    def prove(self, stage: str, claims: Sequence[Claim], **more: Any) -> list[ClaimResult]:
        """Prove claims and show how it goes."""
        return prove_shown(claims, self.portfolio, self.progress, stage, seed=self.seed, **more)

    def each(self, stage: str, pieces: Sequence[Any]) -> Iterable[Any]:
        """The pieces of a stage, of which it is shown how many are done."""
        with self.progress.stage(stage, len(pieces)) as advance:
            for piece in pieces:
                advance(str(getattr(piece, "name", "")))
                yield piece


Stage = Callable[[Run], Mapping[str, Any]]
"""Finds parts of the report, by their names there, and notes what is not as claimed."""


# ------------------------------------------------------------------------------------------------------- claims


def claims(run: Run) -> JsonObject:
    """Prove every claim, over dense time too, and test it; what is proved and refuted is a disagreement."""
    listed = every_claim()
    proofs = run.prove("proofs", listed)
    dense = {result.claim.id: result for result in run.prove("dense time", listed, time="real")}
    certified = _certified(run, proofs, dense)
    run.results = [*proofs, *dense.values()]
    with run.progress.stage("tests", len(listed)) as advance:
        tests = checked(listed, run.effort.examples, run.seed, advance)
    rows = []
    for claim, proof, tested in zip(listed, proofs, tests, strict=True):
        standing, over_dense = combined(proof, tested), dense.get(claim.id)
        run.note(standing, f"{claim.id} is {standing.value}: {claim.statement}")
        if not (tested.outcomes or isinstance(claim, Theorem)):
            run.note(Standing.UNKNOWN, f"{claim.id} was tested on no case")
        if over_dense is not None and not as_expected(over_dense.standing, claim.expected):
            run.note(over_dense.standing, f"{claim.id} over dense time is {over_dense.standing.value}")
        of_dense = [] if over_dense is None else obligations_data(over_dense, certified)
        rows.append(
            {
                **result_data(proof),
                "standing": standing.value,
                "tests": outcomes_data(tested),
                "counterexample": counterexample_data(proof.counterexample or tested.counterexample),
                "dense_time": "does not carry over" if over_dense is None else over_dense.standing.value,
                "obligations": [
                    *obligations_data(proof, certified),
                    *({**row, "id": f"{row['id']} over dense time"} for row in of_dense),
                ],
            }
        )
    return {"claims": rows}


def combined(proof: ClaimResult, tested: Checked) -> Standing:
    """The standing of a claim: that of its proof; a test can contradict it, and refute what was open."""
    standing = proof.standing
    for outcome in tested.outcomes:
        if outcome.standing is Standing.REFUTED:
            contradiction = standing.unbounded or standing is Standing.DISAGREEMENT
            standing = Standing.DISAGREEMENT if contradiction else Standing.REFUTED
        elif outcome.standing is Standing.ERROR:
            standing = Standing.DISAGREEMENT
    return standing


def _certified(run: Run, proofs: list[ClaimResult], dense: dict[str, ClaimResult]) -> dict[str, Certified]:
    """Have the certificates of all proofs checked, where there is a checker; what it accepts is certified."""
    if run.checker is None:
        return {}
    asked = (run.portfolio, None, run.checker, run.signature, run.progress)
    proofs[:], made = with_certificates_made(proofs, *asked)
    checked_dense, over_dense = with_certificates_made(list(dense.values()), *asked)
    dense.update((result.claim.id, result) for result in checked_dense)
    found = {**made, **over_dense}
    for complaint in by_reason(
        [*rejections(found, asked=True), *without_certificate([*proofs, *checked_dense], found)]
    ):
        run.note(Standing.UNKNOWN, f"the checker of certificates: {complaint}")
    return found


def canaries(run: Run) -> JsonObject:
    """Refute the false equations, over dense time too."""
    false = every_false_claim()
    dense = run.prove("canaries over dense time", false, time="real")
    proofs = run.prove("canaries", false)
    for result in (*proofs, *dense):
        if result.standing is not Standing.REFUTED:
            standing = Standing.DISAGREEMENT if result.standing.unbounded else result.standing
            run.note(standing, f"{result.claim.id} is false and was not refuted: {result.claim.statement}")
    of_each = {result.claim.id: result for result in (*dense, *proofs)}
    return {"canaries": [canary_data(result) for result in of_each.values()]}


def record(run: Run) -> JsonObject:
    """Compare the obligations with the committed record of proofs, and some certificates made anew with its own.

    The record is made with seed 0; with another seed an obligation may be proved under other axioms.
    """
    found = text_differences(
        (part.obligation for result in run.results for part in result.obligations), proved=run.seed == 0
    )
    number = run.effort.certificates
    with run.progress.stage("recorded certificates", number or len(recorded())):
        found += certificate_differences(run.results, run.portfolio, sample=number, seed=run.seed)
    for difference in found:
        run.note(Standing.REFUTED, f"the record of proofs is another one: {difference}")
    return {"record": {"same": not found, "differences": found}}


def solvers(run: Run) -> JsonObject:
    """Count what each solver was asked and proved, and find where two contradict each other."""
    given: dict[str, list[Opinion]] = {}
    disagreements = []
    for part in (part for result in run.results for part in result.obligations):
        for opinion in part.opinions:
            given.setdefault(opinion.solver, []).append(opinion)
        if {"sat", "unsat"} <= {opinion.status for opinion in part.opinions}:
            disagreements.append({"id": part.obligation.id, "detail": part.reason})
            run.note(Standing.DISAGREEMENT, f"solvers contradict each other about {part.obligation.id}")
    rows = [
        {
            "solver": solver,
            "proofs": sum(one.proved for one in some),
            "asked": len(some),
            "seconds": sum(one.answer.seconds for one in some if one.answer is not None),
        }
        for solver, some in given.items()
    ]
    return {"solvers": {"rows": rows, "disagreements": disagreements}}


def errata(run: Run) -> JsonObject:
    """Run the evidence for what is wrong in the source, and for what was checked and is right."""
    results = check_every_erratum(run.portfolio.solvers[0])
    for result in results:
        if not result.as_claimed:
            run.note(Standing.DISAGREEMENT, f"the evidence for {result.erratum.id} is another one")
    return {"errata": [result.to_data() for result in results], "wordings": wordings_of(DEFAULT_SYSTEM)}


# ----------------------------------------------------------------------------------------- detectors


def detection(run: Run) -> JsonObject:
    """Detect patterns on the example traces and the user's, and compare with their meaning."""
    packaged = [read_log(f"{e.trace} (packaged example)", e.path, e.expression)[0] for e in EXAMPLES]
    logs = [*packaged, *run.logs]
    return {"detection": [detected(log, run.note, told=log in run.logs) for log in run.each("detection", logs)]}


def judged(run: Run) -> JsonObject:
    """Judge every detector by a campaign of random cases on Spark."""
    return {"campaign": campaign(run.effort, run.seed, run.folder, run.master, run.progress, run.note)}


def checks(run: Run) -> JsonObject:
    """Give every checker something wrong, the campaign's judge included."""
    groups = self_checks(run.portfolio)
    found = [check() for check in run.each("self-checks", [*chain.from_iterable(groups.values())])]
    within = cases_of().KILLED_WITHIN
    with run.progress.stage("mutants", within) as advance:
        killed = power_of(
            DEFAULT_SYSTEM,
            run.seed,
            range(within),
            progress=lambda case, living: advance(f"{len(living)} alive", case + 1),
        )
    for name, mutant in MUTANTS.items():
        death = killed.deaths.get(name)
        said = f"not found within {within} cases" if death is None else f"case {death.case}: {death.kind.value}"
        what = f"a wrong detector is found: {mutant.what}"
        found.append(SelfCheck(f"mutant:{name}", what, death is not None, said))
    for each in found:
        if not each.ok:
            run.note(Standing.DISAGREEMENT, f"the check {each.id!r} failed: {each.detail}")
    altered = {name: each.engine for name, each in MUTANTS.items()}
    return {"checks": found, "power": {**killed.to_json(), "altered": altered}}


def speed(run: Run) -> JsonObject:
    """Measure the detectors beside other tools, whose answers are checked first; nothing where that is left out."""
    if not run.effort.throughput:
        return {"throughput": None}
    with run.progress.stage("throughput", len(PATTERNS)) as advance:
        try:
            asked = list(PATTERNS.values())
            found = list(throughput(asked, (0.1,), SUBJECTS, TIMING, run.seed, say=advance))
        except OracleDiffers as error:
            run.note(Standing.DISAGREEMENT, str(error))
            return {"throughput": None}
    standing = speed_standing(found)
    if standing is not Standing.TESTED:
        said = "has a wrong answer" if standing is Standing.REFUTED else "broke down"
        run.note(standing, f"a tool or a detector whose speed was measured {said}")
    return {"throughput": results_data(found, TIMING, run.seed)}


STAGES: tuple[Stage, ...] = (claims, canaries, record, solvers, detection, judged)
"""What is carried out one after the other."""

STAGES_BESIDE: tuple[Stage, ...] = (errata, checks, rules, profiles)
"""What needs nothing of the others and keeps one core busy; carried out beside them where processes can be forked."""

LAST: tuple[Stage, ...] = (speed,)
"""What the others would disturb."""


# ------------------------------------------------------------------------------------------------------- the run


def verified(run: Run, command: str) -> JsonObject:
    """Carry out all stages; the report as plain data."""
    started, begin = datetime.now(UTC), time.monotonic()
    child = Child(lambda: _beside(copy(run)), memory=None) if can_isolate() else None
    parts: JsonObject = {}
    try:
        for stage in STAGES:
            parts |= run.carry_out(stage)
        with run.progress.stage(BESIDE, None):
            found = _beside(copy(run)) if child is None else child.result(LONGEST)
    finally:
        if child is not None:
            child.kill()
    stages_beside: Sequence[tuple[str, float]] = ()
    if isinstance(found, Lost):
        run.note(Standing.ERROR, f"what went on beside the others was lost: {found.detail}")
    else:
        more, beside = found
        parts |= more
        run.standings += beside.standings
        run.problems += beside.problems
        stages_beside = beside.stages
    for stage in LAST:
        parts |= run.carry_out(stage)
    code = checkout()
    stages = [
        {"name": name, "seconds": round(seconds, 3), "detail": detail}
        for detail, some in (("", run.progress.stages), (BESIDE, stages_beside))
        for name, seconds in some
    ]
    return {
        "schema": "remora/report/1",
        "remora": __version__,
        **({} if code is None else {"code": code}),
        "command": command,
        "started": started.isoformat(timespec="seconds"),
        "seed": run.seed,
        "environment": environment(),
        "definitions": definitions_data(),
        "claims": [],
        **parts,
        "seconds": round(time.monotonic() - begin, 3),
        "stages": stages,
        "warnings": run.warnings,
        "verdict": verdict(run, parts.get("claims", [])),
    }


@dataclass(frozen=True)
class _Noted:
    """What stages noted in a process of their own, and how long they took."""

    standings: Sequence[Standing]
    problems: Sequence[str]
    stages: Sequence[tuple[str, float]]


def _beside(run: Run) -> tuple[JsonObject, _Noted]:
    """Carry out the stages beside the others, with solvers of their own, and nothing on the terminal."""
    run.standings, run.problems, parts = [], [], dict[str, Any]()
    with installed() as run.portfolio, Progress(quiet=True) as run.progress:
        for stage in STAGES_BESIDE:
            parts |= run.carry_out(stage)
    return parts, _Noted(run.standings, run.problems, run.progress.stages)


def verdict(run: Run, rows: Sequence[JsonObject]) -> JsonObject:
    """The outcome of the whole run: of what a sample was taken, and what came out."""
    status = exit_status(run.standings)
    counts = Counter(row["standing"] for row in rows)
    listed = ", ".join(f"{count} {word}" for word, count in counts.items())
    said = f"All {len(rows)} claims hold for all event streams ({listed}), and no detector failed."
    if status is not ExitStatus.AS_CLAIMED:
        said = f"Not as claimed: {run.problems[0] if run.problems else 'nothing was found'}."
    number, whole = run.effort.certificates, len(recorded())
    sample = "" if number is None else f"Sampled by seed {run.seed}: {number} of {whole:,} certificates made anew. "
    return {"exit_status": int(status), "summary": sample + said, "counts": dict(counts), "problems": run.problems}
