"""Detection of patterns at the command line: by columns, or instant by instant as a log comes."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from importlib.util import find_spec
from operator import or_
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

import click

from detectors.carlson_lisper.catalogue import CATALOGUE, COLUMNS, DETECTORS, Made
from detectors.carlson_lisper.steppers import Instances
from laws.standings import Standing
from remora.api.detecting.detection import AUTO, Detection, Refuted, WrongDetector, made, validated_name
from remora.api.patterns.patterns import pattern_before, read_patterns
from remora.systems.carlson_lisper.printing import TABLES, ResultPrinter, output_to, require_binary
from remora.terminal.console import print_note
from remora.terminal.ending import Ends, Result
from remora.terminal.options import is_live, wants_text
from remora.terminal.progress import Advance, Progress
from remora.terminal.rows import noting
from semantics.carlson_lisper.expressions import Expression, identifiers
from semantics.carlson_lisper.occurrences import Time
from semantics.carlson_lisper.traces import read_instants
from semantics.errors import InputError
from semantics.traces.files import is_at_rest
from semantics.traces.instants import Instant, ReadReport
from semantics.traces.reading import Reading

if TYPE_CHECKING:
    from remora.api.detecting.columns import Engine
    from remora.api.detecting.detection_state import State

STEPS = "steps"
"""The engine that goes from instant to instant."""

ENGINES = ("columns", STEPS, "duckdb", "spark")


SMALL = 200_000
"""A log of fewer bytes, times the number of patterns, is read by rows: that takes no longer than to load Polars."""

OFTEN = 1 << 14
"""After so many instants the display is told how far it is."""


@dataclass(frozen=True)
class _Task:
    """What is to be done."""

    patterns: Mapping[str, Expression]
    intervals: bool
    trace: str
    reading: Reading
    master: str

    @property
    def union(self) -> Expression:
        """An expression with the event types of all patterns."""
        return reduce(or_, self.patterns.values())


def detect(
    text: str,
    log: str | None,
    *,
    patterns_path: Path | None,
    detector: str | None,
    engine: str | None,
    master: str,
    intervals: bool,
    only_count: bool,
    limit: int | None,
    state_path: Path | None,
    only_validated: bool,
    verbose: bool,
    reading: Reading,
    form: str | None,
    out: Path | None,
) -> Result:
    """Detect a pattern, or those of a file, in a log."""
    detector = detector or AUTO
    if patterns_path is not None:
        if log is not None or state_path is not None:
            raise click.UsageError("--patterns takes a LOG alone, and no --state.")
        patterns, log = read_patterns(patterns_path, reading.tick), text
    elif log is None:
        raise click.UsageError("Missing argument 'LOG'.")
    else:
        patterns = {"": pattern_before(text, log, reading.tick)}
    task = _Task(patterns, intervals, log, reading, master)
    if only_validated:
        names = {_validated(detector, pattern, intervals) for pattern in patterns.values()}
        (detector,) = names  # one asks for one detector, or gets the same default for all
    if state_path is not None and (limit is not None or sys.__stdout__ is None):
        raise InputError(
            "what is not printed would be lost, and the state would go on", place="--state",
            remedy="Let the output go to a file, and leave out --limit; or leave out --state.",
        )  # fmt: skip
    if form is None and out is not None:
        form = {".csv": "csv", ".parquet": "parquet", ".pq": "parquet", ".txt": "text"}.get(out.suffix, "jsonl")
    engine = _engine(engine, detector, task, state_path, form)
    require_binary(form, out)
    with output_to(out) as file:
        _detect(task, detector, engine, state_path, form, file, only_count=only_count, limit=limit, verbose=verbose)
    return Result(None)


def _detect(
    task: _Task,
    detector: str,
    engine: str,
    state_path: Path | None,
    form: str | None,
    file: BinaryIO | None,
    *,
    only_count: bool,
    limit: int | None,
    verbose: bool,
) -> None:
    report = ReadReport()
    printer = ResultPrinter(
        report,
        intervals=task.intervals,
        text=wants_text(form),
        partitioned=task.reading.partition_by is not None,
        flush=file is None and is_live(task.trace),
        table=form if form in TABLES else None,
        partition_by=task.reading.partition_by,
        only_count=only_count,
        limit=limit,
        file=file,
    )
    with noting(report, identifiers(task.union)), Progress() as progress, progress.stage("rows", None) as advance:
        follower = Follower(progress, advance)
        done, is_done = -1, False
        if engine != STEPS:
            if verbose:
                print_note(f"the detector is {COLUMNS}: {CATALOGUE[COLUMNS].about}")
            done, is_done = _by_columns(task, engine, printer, report, follower)
        if not is_done:
            detector = AUTO if detector == COLUMNS else detector
            _by_rows(task, detector, state_path, done, printer, report, follower, verbose=verbose)
        printer.finish(list(task.patterns))


class Follower:
    """Tells a display how far a detection is."""

    def __init__(self, progress: Progress, advance: Advance) -> None:
        self._progress, self._advance = progress, advance

    def rows(self, number: int) -> None:
        """So many rows have been read."""
        self._advance("", number)

    def printing(self) -> None:
        """End the display where results are seen at the same terminal."""
        if sys.stdout.isatty():
            self._progress.hide()

    def through(self, instants: Iterator[Instant], report: ReadReport, printer: ResultPrinter) -> Iterator[Instant]:
        """The same instants; what is read and printed is looked at on the way."""
        return self._watched(instants, report, printer) if sys.stderr.isatty() else instants

    def _watched(self, instants: Iterator[Instant], report: ReadReport, printer: ResultPrinter) -> Iterator[Instant]:
        for number, instant in enumerate(instants):
            if printer.count:
                self.printing()
            if number % OFTEN == 0:
                self.rows(report.rows)
            yield instant


def _engine(asked: str | None, detector: str, task: _Task, state_path: Path | None, form: str | None) -> str:
    """The engine that is taken first."""
    why = ""
    if state_path is not None:
        why = "what is stored with --state is the state of steps"
    elif not is_at_rest(task.trace):
        why = "the log is no file"
    elif detector not in (AUTO, COLUMNS):
        why = f"the detector {detector} goes from instant to instant"
    if not why:
        path = Path(task.trace)
        small = form not in TABLES and path.is_file() and path.stat().st_size * len(task.patterns) < SMALL
        return asked or ("columns" if find_spec("polars") and not small else STEPS)
    wanted = asked if asked not in (None, STEPS) else COLUMNS if detector == COLUMNS else None
    if wanted is not None:
        place = f"--detector {wanted}" if asked is None else f"--engine {wanted}"
        raise InputError(f"{why}: this is not read by columns", place=place, remedy="Leave it out.")
    return STEPS


def _validated(name: str, pattern: Expression, intervals: bool) -> str:
    """The detector that runs, proved or validated; one whose code is wrong ends the command."""
    try:
        return validated_name(name, pattern, intervals=intervals)
    except Refuted as error:
        raise Ends(Standing.REFUTED, str(error)) from error


def _by_columns(
    task: _Task, engine: str, printer: ResultPrinter, report: ReadReport, follower: Follower
) -> tuple[Time, bool]:
    """Detect by columns as far as that goes: up to which time, and whether that was the end of the trace."""
    if engine != "spark":
        return _queried(task, engine, printer, report, follower)
    from cluster.session import SparkUnavailable  # which brings Spark

    try:
        return _queried(task, engine, printer, report, follower)
    except SparkUnavailable as error:
        raise Ends(Standing.ERROR, error.reason) from error


def _queried(
    task: _Task, engine: str, printer: ResultPrinter, report: ReadReport, follower: Follower
) -> tuple[Time, bool]:
    from remora.api.detecting.columns import ColumnDetection  # which brings Polars
    from remora.api.detecting.tables import Rendering
    from semantics.traces.scan import Unusual, scan

    detection, names = None, list(task.patterns)
    try:
        scanned = scan(task.trace, task.reading)
        detection = ColumnDetection(
            scanned,
            list(task.patterns.values()),
            report,
            instances=not task.intervals,
            engine=cast("Engine", engine),
            master=task.master,
        )
        rendering = Rendering(scanned, names)
        written = rendering.table if printer.table else rendering.text if printer.text else rendering.json
        for found in detection.found(detection.rows(follower.rows)):
            if len(found):
                follower.printing()
            printer.print_frame(found, names, written)
            if printer.is_full:
                break
        return detection.time, True
    except Unusual:  # the reader of rows knows what to say
        return (-1 if detection is None else detection.time), False


def _by_rows(
    task: _Task,
    detector: str,
    state_path: Path | None,
    done: Time,
    printer: ResultPrinter,
    report: ReadReport,
    follower: Follower,
    *,
    verbose: bool,
) -> None:
    """Detect instant by instant; what ended up to a time has been printed."""
    report.begin_again()
    (first, *_) = task.patterns.values()
    state = None
    if state_path is not None:
        from remora.api.detecting.detection_state import State

        state = State(state_path, _question(task, first))
    stored = None if state is None else state.detector
    made_of = {}
    for name, pattern in task.patterns.items():
        made_of[name] = made(detector, pattern, intervals=task.intervals, stored=stored)
        if verbose:
            chosen = made_of[name]
            proved = chosen.name in DETECTORS and DETECTORS[chosen.name].proved
            said = f"{chosen.reason}; its steps are proved" if proved else chosen.reason
            print_note(f"the detector{name and f' of {name}'} is {chosen.name}: {said}")
    running = {name: Detection(task.patterns[name], chosen.maker) for name, chosen in made_of.items()}
    name = ""
    try:
        if state is not None:
            ((name, chosen),) = made_of.items()
            _resumed(task, running[name], chosen, printer, report, state, follower)
            return
        order = {name: place for place, name in enumerate(running)}
        about: defaultdict[str, list[str]] = defaultdict(list)
        for name, detection in running.items():
            for event in detection.relevant:
                about[event].append(name)
        for instant in follower.through(_instants(task, report), report, printer):
            concerned = {name for row in instant.rows for name in about.get(row.event, ())}
            for name in sorted(concerned, key=order.__getitem__):
                for partition, found in running[name].instant(instant):
                    if instant.time > done:
                        printer.print(found, partition, name or None)
            if printer.is_full:
                break
    except WrongDetector as error:
        printer.finish(list(task.patterns))
        raise Ends(Standing.REFUTED, f"the detector {detector}{name and f' of {name}'} {error}") from error


def _instants(task: _Task, report: ReadReport) -> Iterator[Instant]:
    return read_instants(task.trace, task.reading, pattern=task.union, values=not task.intervals, report=report)


# ------------------------------------------------------------------------------------------------------- resuming


def _question(task: _Task, pattern: Expression) -> dict[str, str | None]:
    return {
        "expression": str(pattern),
        "wanted": "intervals" if task.intervals else "instances",
        "partition_by": task.reading.partition_by,
        "tick": task.reading.tick,
    }


def _resumed(
    task: _Task,
    detection: Detection,
    chosen: Made,
    printer: ResultPrinter,
    report: ReadReport,
    state: State,
    follower: Follower,
) -> None:
    """Detect in what is new in the trace, and store the state, also when that ends early."""
    from remora.api.detecting.detection_state import Uninterrupted

    probe, name = chosen.maker(), chosen.name
    if isinstance(probe, Instances) and not probe.is_resumable:
        raise InputError(f"the state of the detector {name} cannot be stored", remedy="Leave out --state.")
    state.restore(detection, name)
    before = detection.time
    whole = Uninterrupted()
    try:
        with whole.watching():
            instants = follower.through(_instants(task, report), report, printer)
            for instant in state.later(instants, detection):
                with whole:
                    for partition, found in detection.instant(instant):
                        printer.print(found, partition)
    except (KeyboardInterrupt, InputError):
        if detection.time > before:
            _store(state, detection, printer, name)
        raise
    _store(state, detection, printer, name)
    for message in state.messages(report.shown(before)):
        print_note(message)


def _store(state: State, detection: Detection, printer: ResultPrinter, name: str) -> None:
    printer.flush_output()  # what the state has done must have been printed
    state.write(detection, name)
