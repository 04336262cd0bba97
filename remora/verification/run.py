"""The main job: stages, one after the other or beside the others, and the report that comes of them."""

from __future__ import annotations

import time
import traceback
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import to_builtins

from campaigns.judging.isolation import Child, Lost, can_isolate
from laws.standings import ExitStatus, Standing, exit_status
from proofs.record import recorded
from remora import __version__
from remora.api.claiming.data import JsonObject, definitions_data
from remora.api.provenance import checkout, environment
from remora.systems.carlson_lisper.comparing import Log
from remora.terminal.progress import Progress
from smt.attempts import ClaimResult
from smt.solvers.portfolio import Portfolio, installed

BESIDE = "beside the others"  # How stages are marked that are carried out in a process of their own
LONGEST = 86_400.0  # How long that process is waited for, in seconds: longer than any verification takes


@dataclass(frozen=True)
class Effort:
    """How much a verification does."""

    name: str
    examples: int  # random cases of each kind per claim
    cases: int  # of the campaign
    engines: int  # random cases for the engines of rules, and for that of profiles
    certificates: int | None  # so many recorded ones are made anew, chosen by the seed; None for all of them
    throughput: bool  # whether speeds are measured
    usual: str  # how long it takes on two cores, in words


QUICK = Effort("quick", 5, 200, 60, 3, False, "three minutes")
STANDARD = Effort("standard", 50, 2_000, 400, 10, True, "six minutes")
FULL = Effort("full", 500, 30_000, 6_000, None, True, "an hour")


@dataclass
class Run:
    """One verification: its settings, and what it has found so far."""

    effort: Effort
    folder: Path  # receives the campaign's rows
    seed: int
    logs: Sequence[Log]
    master: str
    progress: Progress
    checker: Path | None = None  # is asked about certificates, by the rules of `signature`
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
            return {name: to_builtins(part) for name, part in stage(self).items()}
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            place = f"{Path(last.filename).name}:{last.lineno}"
            said = f"the stage {stage.__name__!r} broke down: {type(error).__name__}: {error} ({place})"
            self.note(Standing.ERROR, said)
            return {}


Stage: TypeAlias = Callable[[Run], Mapping[str, Any]]
"""Finds parts of the report, by their names there, and notes what is not as claimed."""


def verified(
    run: Run, command: str, stages: Sequence[Stage], beside: Sequence[Stage] = (), last: Sequence[Stage] = ()
) -> JsonObject:
    """Carry out all stages, some `beside` the others in a process where one can be forked: the report as plain data."""
    started, begin = datetime.now(UTC), time.monotonic()
    child = Child(lambda: _beside(copy(run), beside), memory=None) if can_isolate() else None
    parts: JsonObject = {}
    try:
        for stage in stages:
            parts |= run.carry_out(stage)
        with run.progress.stage(BESIDE, None):
            found = _beside(copy(run), beside) if child is None else child.result(LONGEST)
    finally:
        if child is not None:
            child.kill()
    seconds: list[tuple[str, float]] = []
    if isinstance(found, Lost):
        run.note(Standing.ERROR, f"what went on beside the others was lost: {found.detail}")
    else:
        more, standings, problems, seconds = found
        parts |= more
        run.standings += standings
        run.problems += problems
    for stage in last:
        parts |= run.carry_out(stage)
    code, took = checkout(), [(*stage, "") for stage in run.progress.stages] + [(*stage, BESIDE) for stage in seconds]
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
        "stages": [{"name": name, "seconds": round(seconds, 3), "detail": detail} for name, seconds, detail in took],
        "warnings": run.warnings,
        "verdict": verdict(run, parts.get("claims", [])),
    }


def _beside(run: Run, stages: Sequence[Stage]) -> tuple[JsonObject, list[Standing], list[str], list[tuple[str, float]]]:
    """Carry out stages with solvers of their own and nothing on the terminal: parts, what was noted, durations."""
    run.standings, run.problems, parts = [], [], dict[str, Any]()
    with installed() as run.portfolio, Progress(quiet=True) as run.progress:
        for stage in stages:
            parts |= run.carry_out(stage)
    return parts, run.standings, run.problems, run.progress.stages


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
