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
from typing import TYPE_CHECKING, cast

import click

from detectors.carlson_lisper.catalogue import AUTO, CATALOGUE, COLUMNS, DETECTORS, Made
from detectors.carlson_lisper.steppers import Checked, WrongDetector
from laws.standings import Standing
from remora.api.detecting.detection import Detection, Refuted, State, made, signals_watched, validated_name
from remora.api.patterns.patterns import pattern_before, read_patterns
from remora.systems.carlson_lisper.printing import TABLES, ResultPrinter, output_to
from remora.terminal.console import is_live, noting, print_note, wants_text
from remora.terminal.options import Ends, Result
from remora.terminal.progress import Advance, Progress
from semantics.carlson_lisper.expressions import Expression, identifiers
from semantics.carlson_lisper.occurrences import Time
from semantics.carlson_lisper.traces import read_instants
from semantics.errors import InputError
from semantics.traces.files import is_at_rest
from semantics.traces.instants import Instant, ReadReport
from semantics.traces.reading import Reading

if TYPE_CHECKING:
    from remora.api.detecting.columns import Engine

STEPS = "steps"
"""The engine that goes from instant to instant."""


SMALL = 200_000
"""A log of fewer bytes, times the number of patterns, is read by rows: that takes no longer than to load Polars."""

OFTEN = 1 << 14
"""After so many instants the display is told how far it is."""


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
    if only_validated:
        try:
            names = {validated_name(detector, pattern, intervals=intervals) for pattern in patterns.values()}
        except Refuted as error:
            raise Ends(Standing.REFUTED, str(error)) from error
        (detector,) = names  # one asks for one detector, or gets the same default for all
    if state_path is not None and (limit is not None or sys.__stdout__ is None):
        raise InputError(
            "what is not printed would be lost, and the state would go on", place="--state",
            remedy="Let the output go to a file, and leave out --limit; or leave out --state.",
        )  # fmt: skip
    if form is None and out is not None:
        form = {".csv": "csv", ".parquet": "parquet", ".pq": "parquet", ".txt": "text"}.get(out.suffix, "jsonl")
    is_small = form not in TABLES and Path(log).is_file() and Path(log).stat().st_size * len(patterns) < SMALL
    engine = _engine(engine, detector, log, state_path, is_small=is_small)
    report = ReadReport()
    relevant = reduce(or_, patterns.values())
    with (
        output_to(out, form) as file,
        noting(report, identifiers(relevant)),
        Progress() as progress,
        progress.stage("rows", None) as advance,
    ):
        printer = ResultPrinter(
            report,
            intervals,
            wants_text(form),
            reading.partition_by,
            flush=file is None and is_live(log),
            table=form if form in TABLES else None,
            only_count=only_count,
            limit=limit,
            file=file,
        )
        run = _Run(patterns, relevant, intervals, log, reading, report, printer, progress, advance, verbose)
        if engine == STEPS or not run.by_columns(engine, master):
            run.by_rows(AUTO if detector == COLUMNS else detector, state_path)
        printer.finish(list(patterns))
    return Result(None)


def _engine(asked: str | None, detector: str, log: str, state_path: Path | None, *, is_small: bool) -> str:
    """The engine that is taken first."""
    why = ""
    if state_path is not None:
        why = "what is stored with --state is the state of steps"
    elif not is_at_rest(log):
        why = "the log is no file"
    elif detector not in (AUTO, COLUMNS):
        why = f"the detector {detector} goes from instant to instant"
    if not why:
        return asked or ("columns" if find_spec("polars") and not is_small else STEPS)
    if asked not in (None, STEPS) or detector == COLUMNS:
        raise InputError(f"{why}: this is not read by columns", place="--engine", remedy="Leave the engine out.")
    return STEPS


@dataclass
class _Run:
    """A detection of patterns, by name, in a log, the results of which are printed.

    Attributes:
        relevant: an expression with the event types of all patterns.
        done: what ends up to this time has been printed.
    """

    patterns: Mapping[str, Expression]
    relevant: Expression
    intervals: bool
    log: str
    reading: Reading
    report: ReadReport
    printer: ResultPrinter
    progress: Progress
    advance: Advance
    verbose: bool
    done: Time = -1

    def by_columns(self, engine: str, master: str) -> bool:
        """Detect by columns as far as that goes, and say whether that was the end of the log."""
        from remora.api.detecting.columns import ColumnDetection, Rendering  # which brings Polars
        from semantics.traces.scan import Unusual, scan

        if self.verbose:
            print_note(f"the detector is {COLUMNS}: {CATALOGUE[COLUMNS].about}")
        unavailable: tuple[type[Exception], ...] = ()
        if engine == "spark":
            from cluster.session import SparkUnavailable  # which brings Spark

            unavailable = (SparkUnavailable,)
        names, printer, detection = list(self.patterns), self.printer, None
        try:
            scanned, patterns, instances = (
                scan(self.log, self.reading),
                list(self.patterns.values()),
                not self.intervals,
            )
            how = cast("Engine", engine)
            detection = ColumnDetection(
                scanned, patterns, self.report, instances=instances, values=instances, engine=how, master=master
            )
            rendering = Rendering(scanned, names)
            written = rendering.table if printer.table else rendering.text if printer.text else rendering.json
            for found in detection.found(detection.rows(lambda number: self.advance("", number))):
                if len(found):
                    self._hide()
                printer.print_frame(found, names, written)
                if printer.is_full:
                    break
        except Unusual:  # the reader of rows knows what to say
            self.done = -1 if detection is None else detection.time
            return False
        except unavailable as error:
            raise Ends(Standing.ERROR, str(error)) from error
        return True

    def _hide(self) -> None:
        """End the display of progress where results are seen at the same terminal."""
        if sys.stdout.isatty():
            self.progress.hide()

    def _instants(self) -> Iterator[Instant]:
        """The instants of the log; the display is told how far they are read."""
        values = not self.intervals
        found = read_instants(self.log, self.reading, pattern=self.relevant, values=values, report=self.report)
        watched = sys.stderr.isatty()
        for number, instant in enumerate(found):
            if watched:
                if self.printer.counts:
                    self._hide()
                if number % OFTEN == 0:
                    self.advance("", self.report.rows)
            yield instant

    def by_rows(self, detector: str, state_path: Path | None) -> None:
        """Detect instant by instant."""
        self.report.begin_again()
        (first, *_) = self.patterns.values()
        state = None
        if state_path is not None:
            question = {
                "expression": str(first),
                "wanted": "intervals" if self.intervals else "instances",
                "partition_by": self.reading.partition_by,
                "tick": self.reading.tick,
            }
            state = State(state_path, question)
        stored = None if state is None or state.stored is None else state.stored.detector
        made_of = {}
        for name, pattern in self.patterns.items():
            chosen = made_of[name] = made(detector, pattern, intervals=self.intervals, stored=stored)
            if self.verbose:
                proved = chosen.name in DETECTORS and DETECTORS[chosen.name].proved
                said = f"{chosen.reason}; its steps are proved" if proved else chosen.reason
                print_note(f"the detector{name and f' of {name}'} is {chosen.name}: {said}")
        running = {name: Detection(self.patterns[name], chosen.maker) for name, chosen in made_of.items()}
        name = ""
        try:
            if state is not None:
                ((name, chosen),) = made_of.items()
                self._resume(running[name], chosen, state)
                return
            about: defaultdict[str, list[str]] = defaultdict(list)
            for name, detection in running.items():
                for event in detection.relevant:
                    about[event].append(name)
            order = {name: place for place, name in enumerate(running)}
            for instant in self._instants():
                concerned = {name for row in instant.rows for name in about.get(row.event, ())}
                for name in sorted(concerned, key=order.__getitem__):
                    for partition, found in running[name].instant(instant):
                        if instant.time > self.done:
                            self.printer.print(found, partition, name or None)
                if self.printer.is_full:
                    break
        except WrongDetector as error:
            self.printer.finish(list(self.patterns))
            raise Ends(Standing.REFUTED, f"the detector {detector}{name and f' of {name}'} {error}") from error

    def _resume(self, detection: Detection, chosen: Made, state: State) -> None:
        """Detect in what is new in the log, and store the state, also when that ends early."""
        probe, name = chosen.maker(), chosen.name
        if isinstance(probe, Checked) and not probe.is_resumable:
            raise InputError(f"the state of the detector {name} cannot be stored", remedy="Leave out --state.")
        state.restore(detection, name)
        before = detection.time
        try:
            with signals_watched() as whole:
                for instant in state.later(self._instants(), detection):
                    with whole():
                        for partition, found in detection.instant(instant):
                            self.printer.print(found, partition)
        except (KeyboardInterrupt, InputError):
            if detection.time > before:
                self.printer.flush_output()  # what the state has done must have been printed
                state.write(detection, name)
            raise
        self.printer.flush_output()
        state.write(detection, name)
        if state.skipped:
            rows = "1 row" if state.skipped == 1 else f"{state.skipped:,} rows"
            print_note(f"left out {rows} up to time {self.report.shown(before)}, which {state.path} has seen already")
