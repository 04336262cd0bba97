"""Detection of patterns at the command line: by columns, or instant by instant as a log comes; how it is printed."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import reduce
from importlib.util import find_spec
from io import TextIOWrapper
from operator import or_
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import click

from detectors.carlson_lisper.catalogue import AUTO, CATALOGUE, COLUMNS, DETECTORS, Made
from detectors.carlson_lisper.steppers import Checked, WrongDetector
from laws.standings import Standing
from remora.api.claiming.data import found_data
from remora.api.detecting.detection import Detection, Refuted, made, validated_name
from remora.api.patterns.patterns import pattern_before, read_patterns
from remora.terminal import console
from remora.terminal.console import TABLES, counted, emit, print_note, shown, to_json
from remora.terminal.options import Asked, Ends, Result
from remora.terminal.progress import Advance, Progress
from semantics.atomic_files import draft
from semantics.carlson_lisper.expressions import Expression, identifiers
from semantics.carlson_lisper.occurrences import Instance, Time
from semantics.carlson_lisper.traces import read_instants
from semantics.errors import InputError
from semantics.events import Interval
from semantics.traces.files import is_at_rest
from semantics.traces.instants import Instant, ReadReport
from semantics.traces.rows import Partition

if TYPE_CHECKING:  # which takes longer to load than a small log to read
    import polars as pl

STEPS = "steps"  # The engine that goes from instant to instant

SMALL = 200_000
"""A log of fewer bytes, times the number of patterns, is read by rows: that takes no longer than to load Polars."""

OFTEN = 1 << 14  # After so many instants the display is told how far it is
TOGETHER = 1 << 16  # So many detections become rows of a table together


def detect(text: str, log: str | None, **given: Any) -> Result:
    """Detect a pattern, or those of a file, in a log."""
    asked = Asked(**given)
    detector, out, form = asked.detector or AUTO, asked.out, asked.form
    reading, intervals = asked.reading, asked.intervals
    if asked.patterns_path is None:
        assert log is not None
        patterns = {"": pattern_before(text, log, reading.tick)}
    elif log is not None or asked.state_path is not None:
        raise click.UsageError("--patterns takes a LOG alone, and no --state.")
    else:
        patterns, log = read_patterns(asked.patterns_path, reading.tick), text
    if asked.only_validated:
        try:
            names = {validated_name(detector, pattern, intervals=intervals) for pattern in patterns.values()}
        except Refuted as error:
            raise Ends(Standing.REFUTED, str(error)) from error
        (detector,) = names  # one asks for one detector, or gets the same default for all
    if asked.state_path is not None and (asked.limit is not None or sys.__stdout__ is None):
        reason = "what is not printed would be lost, and the state would go on"
        remedy = "Let the output go to a file, and leave out --limit; or leave out --state."
        raise InputError(reason, place="--state", remedy=remedy)
    if form is None and out is not None:
        form = {".csv": "csv", ".parquet": "parquet", ".pq": "parquet", ".txt": "text"}.get(out.suffix, "jsonl")
    is_small = form not in TABLES and Path(log).is_file() and Path(log).stat().st_size * len(patterns) < SMALL
    engine, report = _engine(asked, detector, log, is_small=is_small), ReadReport()
    relevant = reduce(or_, patterns.values())
    with (
        output_to(out, form) as file,
        console.noting(report, identifiers(relevant)),
        Progress() as progress,
        progress.stage("rows", None) as advance,
    ):
        printer = ResultPrinter(
            report,
            intervals,
            console.wants_text(form),
            reading.partition_by,
            flush=file is None and console.is_live(log),
            table=form if form in TABLES else None,
            only_count=asked.only_count,
            limit=asked.limit,
            file=file,
        )
        run = _Run(patterns, relevant, log, asked, printer, progress, advance)
        if engine == STEPS or not run.by_columns(engine):
            run.by_rows(AUTO if detector == COLUMNS else detector)
        printer.finish(list(patterns))
    return Result(None)


def _engine(asked: Asked, detector: str, log: str, *, is_small: bool) -> Any:
    why = ""
    if asked.state_path is not None:
        why = "what is stored with --state is the state of steps"
    elif not is_at_rest(log):
        why = "the log is no file"
    elif detector not in (AUTO, COLUMNS):
        why = f"the detector {detector} goes from instant to instant"
    if not why:
        return asked.engine or ("columns" if find_spec("polars") and not is_small else STEPS)
    if asked.engine not in (None, STEPS) or detector == COLUMNS:
        raise InputError(f"{why}: this is not read by columns", place="--engine", remedy="Leave the engine out.")
    return STEPS


@dataclass
class _Run:
    """A detection of patterns, by name, in a log; what ends up to the time `done` has been printed."""

    patterns: Mapping[str, Expression]
    relevant: Expression  # with the event types of all patterns
    log: str
    asked: Asked
    printer: ResultPrinter
    progress: Progress
    advance: Advance
    done: Time = -1

    def by_columns(self, engine: Any) -> bool:
        """Detect by columns as far as that goes, and say whether that was the end of the log."""
        from remora.api.detecting.columns import ColumnDetection, Rendering  # which brings Polars
        from semantics.traces.scan import Unusual, scan

        if self.asked.verbose:
            print_note(f"the detector is {COLUMNS}: {CATALOGUE[COLUMNS].about}")
        unavailable: tuple[type[Exception], ...] = ()
        if engine == "spark":
            from cluster.session import SparkUnavailable  # which brings Spark

            unavailable = (SparkUnavailable,)
        printer, detection = self.printer, None
        try:
            scanned = scan(self.log, self.asked.reading)
            how: dict[str, Any] = {"engine": engine, "master": self.asked.master, "instances": not printer.intervals}
            patterns = list(self.patterns.values())
            detection = ColumnDetection(scanned, patterns, printer.report, values=how["instances"], **how)
            rendering = Rendering(scanned, list(self.patterns))
            written = rendering.table if printer.table else rendering.text if printer.text else rendering.json
            for found in detection.found(detection.rows(lambda number: self.advance("", number))):
                if len(found):
                    self._hide()
                printer.print_frame(found, list(self.patterns), written)
                if printer.is_full:
                    break
        except Unusual:  # the reader of rows knows what to say
            self.done = -1 if detection is None else detection.time
            return False
        except unavailable as error:
            raise Ends(Standing.ERROR, str(error)) from error
        return True

    def _hide(self) -> None:
        if sys.stdout.isatty():
            self.progress.hide()

    def _instants(self) -> Iterator[Instant]:
        report, values = self.printer.report, not self.printer.intervals
        found = read_instants(self.log, self.asked.reading, pattern=self.relevant, values=values, report=report)
        watched = sys.stderr.isatty()
        for number, instant in enumerate(found):
            if watched:
                if self.printer.counts:
                    self._hide()
                if number % OFTEN == 0:
                    self.advance("", report.rows)
            yield instant

    def by_rows(self, detector: str) -> None:
        """Detect instant by instant."""
        printer, state = self.printer, None
        printer.report.begin_again()
        if self.asked.state_path is not None:
            from remora.api.detecting.state import State  # which other detections do without

            (first,) = self.patterns.values()
            question = {"expression": str(first), "wanted": "intervals" if printer.intervals else "instances"}
            about = {"partition_by": self.asked.reading.partition_by, "tick": self.asked.reading.tick}
            state = State(self.asked.state_path, {**question, **about})
        stored = None if state is None or state.stored is None else state.stored.detector
        running, name, chosen = dict[str, Detection](), "", None
        for name, pattern in self.patterns.items():
            chosen = made(detector, pattern, intervals=printer.intervals, stored=stored)
            running[name] = Detection(pattern, chosen.maker)
            if self.asked.verbose:
                proved = chosen.name in DETECTORS and DETECTORS[chosen.name].proved
                said = f"{chosen.reason}; its steps are proved" if proved else chosen.reason
                print_note(f"the detector{name and f' of {name}'} is {chosen.name}: {said}")
        concerning: defaultdict[str, list[str]] = defaultdict(list)
        for name, detection in running.items():
            for event in detection.relevant:
                concerning[event].append(name)
        order = {name: place for place, name in enumerate(running)}
        try:
            if state is not None and chosen is not None:
                return self._resume(running[name], chosen, state)
            for instant in self._instants():
                concerned = {name for row in instant.rows for name in concerning.get(row.event, ())}
                for name in sorted(concerned, key=order.__getitem__):
                    for partition, found in running[name].instant(instant):
                        if instant.time > self.done:
                            printer.print(found, partition, name or None)
                if printer.is_full:
                    break
        except WrongDetector as error:
            printer.finish(list(self.patterns))
            raise Ends(Standing.REFUTED, f"the detector {detector}{name and f' of {name}'} {error}") from error

    def _resume(self, detection: Detection, chosen: Made, state: Any) -> None:
        """Detect in what is new in the log, and store the state, also when that ends early."""
        from remora.api.detecting.state import signals_watched

        printer, probe, name = self.printer, chosen.maker(), chosen.name
        if isinstance(probe, Checked) and not probe.is_resumable:
            raise InputError(f"the state of the detector {name} cannot be stored", remedy="Leave out --state.")
        state.restore(detection, name)
        before = detection.time
        try:
            with signals_watched() as whole:
                for instant in state.later(self._instants(), detection):
                    with whole():
                        for partition, found in detection.instant(instant):
                            printer.print(found, partition)
        except (KeyboardInterrupt, InputError):
            if detection.time > before:
                printer.flush_output()  # what the state has done must have been printed
                state.write(detection, name)
            raise
        printer.flush_output()
        state.write(detection, name)
        if state.skipped:
            seen = f"up to time {printer.report.shown(before)}, which {state.path} has seen already"
            print_note(f"left out {counted(state.skipped, 'row')} {seen}")


@contextmanager
def output_to(path: Path | None, form: str | None) -> Iterator[BinaryIO | None]:
    """The file that results are written to, which takes its place when they are complete; None for standard output."""
    if path is None:
        if form == "parquet" and (sys.stdout.isatty() or not isinstance(sys.stdout, TextIOWrapper)):
            remedy = "Write it to a file with --out."
            raise InputError("a table in Parquet is no text", place="--format parquet", remedy=remedy)
        yield None
        return
    try:
        with draft(path) as place, place.open("xb") as file:
            yield file
    except OSError as error:
        remedy = "Name a file in a folder that can be written to."
        reason = f"the results cannot be written: {error.strerror or error}"
        raise InputError(reason, place=str(path), remedy=remedy) from None


@dataclass
class ResultPrinter:
    """Prints detections in one of the formats, and counts them by the name of their pattern."""

    report: ReadReport
    intervals: bool
    text: bool  # whether people read it
    partition_by: str | None
    flush: bool = False  # hand every line on at once, for live streams
    table: str | None = None  # `csv` or `parquet`, where a table is wanted in the place of lines
    only_count: bool = False
    limit: int | None = None
    file: BinaryIO | None = None  # what is written to; None for standard output
    counts: Counter[str] = field(default_factory=Counter)
    _waiting: list[tuple[str | None, Partition, Instance | Interval]] = field(default_factory=list)
    _parquet: Any = None

    def __post_init__(self) -> None:
        """Find out which characters are written."""
        self._ascii_only = self.file is None and not console.takes_unicode(sys.stdout)

    @property
    def is_full(self) -> bool:
        """Whether no more is to be printed."""
        return self.limit is not None and self.counts.total() >= self.limit

    def print(self, found: Instance | Interval, partition: Partition, pattern: str | None = None) -> None:
        """Print an instance with its occurrences, or an interval, and the name of its pattern where one is given."""
        if self.is_full:
            return
        self.counts[pattern or ""] += 1
        if self.only_count:
            return
        if self.table is None:
            self._write(self._line(found, partition, pattern) + "\n")
            if self.flush:
                self.flush_output()
            return
        self._waiting.append((pattern, partition, found))
        if len(self._waiting) >= TOGETHER:
            self._write_waiting()

    def _line(self, found: Instance | Interval, partition: Partition, pattern: str | None) -> str:
        time = self.report.shown
        if not self.text:
            named = {} if pattern is None else {"pattern": pattern}
            last = {} if self.partition_by is None else {"partition": partition}
            return to_json({**named, **found_data(found, time), **last}, ascii_only=self._ascii_only)
        members = found.sorted_occurrences() if isinstance(found, Instance) else ()
        parts = [f"[{time(found.start)}, {time(found.end)}]", *(shown(one.text(time(one.time))) for one in members)]
        if self.partition_by is not None:
            parts.insert(0, console.key_text(partition))
        return "  ".join(parts if pattern is None else [shown(pattern), *parts])

    def print_frame(
        self, found: pl.DataFrame, names: list[str], written: Callable[[pl.DataFrame], pl.Series | pl.DataFrame]
    ) -> None:
        """Print detections of patterns with these names that were found by columns, as they are written."""
        if self.limit is not None:
            found = found.head(self.limit - self.counts.total())
        for number, count in found["pattern"].value_counts().iter_rows():
            self.counts[names[number]] += count
        if self.only_count:
            return
        lines = written(found)
        if self.table is not None:
            self._write_table(cast("pl.DataFrame", lines))
        elif len(lines):
            text = cast("pl.Series", lines).str.join("\n").item() + "\n"
            if self._ascii_only and not self.text:
                text = re.sub(r"[^\x00-\x7f]+", lambda some: json.dumps(some[0])[1:-1], text)
            self._write(text)
        if self.flush:
            self.flush_output()

    def _write_waiting(self) -> None:
        """Write detections that came one by one as rows of a table, of whose rows in the log nothing is known."""
        import polars as pl

        from remora.api.detecting.columns import table_times

        waiting, self._waiting, time = self._waiting, [], self.report.shown
        columns: dict[str, pl.Series] = {}
        if any(pattern is not None for pattern, _, _ in waiting):
            columns["pattern"] = pl.Series([pattern for pattern, _, _ in waiting], dtype=pl.String)
        if self.partition_by is not None:
            keys = [None if key is None else str(key) for _, key, _ in waiting]
            columns[self.partition_by] = pl.Series(keys, dtype=pl.String)
        for name in ("start", "end"):
            ticks = pl.Series([getattr(found, name) for _, _, found in waiting], dtype=pl.Int64)
            columns[name] = table_times(ticks, self.report.clock)
        if not self.intervals:
            members = [cast(Instance, found).sorted_occurrences() for _, _, found in waiting]
            texts = [" ".join(one.text(time(one.time)) for one in each) for each in members]
            columns["instance"] = pl.Series(texts, dtype=pl.String)
            columns["rows"] = pl.Series([None] * len(texts), dtype=pl.List(pl.Int64))
        self._write_table(pl.DataFrame(columns))

    def _write_table(self, table: pl.DataFrame) -> None:
        stream: BinaryIO = self.file or sys.stdout.buffer
        if self.table == "csv":
            import polars as pl
            import polars.selectors as cs

            flat = table.with_columns(cs.list().list.eval(pl.element().cast(pl.String)).list.join(" "))
            flat.write_csv(stream, include_header=self._parquet is None)
            self._parquet = False
            return
        from pyarrow import parquet

        arrow = table.to_arrow()
        if self._parquet is None:
            self._parquet = parquet.ParquetWriter(stream, arrow.schema, compression="zstd")
        self._parquet.write_table(arrow)

    def _write(self, text: str) -> None:
        if self.file is None:
            emit(text)
        else:
            self.file.write(text.encode("utf-8", "backslashreplace"))

    def flush_output(self) -> None:
        """Hand on all that was printed."""
        if self.file is None:
            sys.stdout.flush()

    def finish(self, names: Collection[str] = ("",)) -> None:
        """End the table; say how many there were of each pattern where that is asked for, and to people."""
        if self.table is not None and not self.only_count and (self._waiting or self._parquet is None):
            self._write_waiting()
        if self._parquet:
            self._parquet.close()
        for name in names if self.only_count else ():
            count, named = self.counts[name], {"pattern": name} if name else {}
            line = f"{shown(name)}  {count}".strip() if self.text else to_json({**named, "count": count})
            self._write(f"{line}\n")
        self.flush_output()
        if self.text and not self.only_count and self.file is None:
            console.print_count(counted(self.counts.total(), "interval" if self.intervals else "instance"))
