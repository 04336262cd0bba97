"""Patterns at the command line: detected by columns, or instant by instant as a log comes; their meaning in a log."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from importlib.util import find_spec
from operator import or_
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from detectors.carlson_lisper.catalogue import AUTO, CATALOGUE, COLUMNS, DETECTORS, Checked, Made, WrongDetector
from detectors.carlson_lisper.enumeration.steps import is_known
from laws.standings import Standing, weakest
from remora.api.detecting import detection as detecting
from remora.api.detecting.detection import Detection, Finer, Refuted, ResultPrinter, made, output_to
from remora.api.detecting.found import by_end, meant_instances, meant_intervals
from remora.api.patterns.patterns import pattern_before, read_patterns
from remora.systems.carlson_lisper.listings import listing_of, print_counts, wanted
from remora.systems.protocol import Reasoning
from remora.terminal import console
from remora.terminal.console import TABLES, counted, print_note
from remora.terminal.options import Asked, Ends, Result
from remora.terminal.progress import Advance, Progress
from semantics.carlson_lisper.expressions import Expression, identifiers
from semantics.carlson_lisper.occurrences import Instance, Occurrence, Time, interpretation
from semantics.carlson_lisper.syntax import parse
from semantics.carlson_lisper.ties import finer
from semantics.carlson_lisper.traces import form_of, occurrence_of, read_partitions
from semantics.errors import InputError
from semantics.events import Interval, quoted
from semantics.reasons.carlson_lisper import Derivations
from semantics.reasons.claims import Reasons, Shown
from semantics.traces.files import is_at_rest, read_instants
from semantics.traces.reading import Reading
from semantics.traces.rows import Instant, Partition, ReadReport, Row

if TYPE_CHECKING:
    from remora.systems.protocol import FolderStream
    from semantics.carlson_lisper.decisions import Level

STEPS = "steps"  # The engine that goes from instant to instant

SMALL = 200_000
"""A log of fewer bytes, times the number of patterns, is read by rows: that takes no longer than to load Polars."""

OPTIMISING = 200_000  # So many transitions may decide whether a cheaper pattern says the same; a second or two
OFTEN = 1 << 14  # After so many instants the display is told how far it is


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
    if asked.optimise is not None:
        if reading.ties is not None:
            reason = (
                "with --ties order, bounds are longer by what rows of a tick take, and the cheaper pattern may differ"
            )
            raise InputError(reason, place="--optimise", remedy="Leave out one of them.")
        if asked.instances == "all" and asked.optimise == "detection":
            reason = "with --instances all, the cheaper pattern has others, and only the same detections"
            raise InputError(reason, place="--optimise", remedy="Write --optimise meaning.")
        patterns = {name: _optimised(name, pattern, asked.optimise) for name, pattern in patterns.items()}
    if asked.only_validated:
        try:
            finest = (finer(pattern, reading.scale) for pattern in patterns.values())
            names = {detecting.validated_name(detector, pattern, intervals=intervals) for pattern in finest}
        except Refuted as error:
            raise Ends(Standing.REFUTED, str(error)) from error
        (detector,) = names  # one asks for one detector, or gets the same default for all
    if asked.state_path is not None and (asked.limit is not None or sys.__stdout__ is None):
        reason = "what is not printed would be lost, and the state would go on"
        remedy = "Let the output go to a file, and leave out --limit; or leave out --state."
        raise InputError(reason, place="--state", remedy=remedy)
    chosen = [name for name in ("detector", "engine", "state_path", "patterns_path", "intervals") if vars(asked)[name]]
    if asked.instances == "all" and (chosen or asked.only_validated):
        remedy = "Leave out --detector, --engine, --state, --patterns, --intervals and --validated."
        raise InputError("all instances are listed by their definition", place="--instances", remedy=remedy)
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
        if asked.instances == "all":
            run.all_instances()
        elif engine == STEPS or not run.by_columns(engine):
            run.by_rows(AUTO if detector == COLUMNS else detector)
        printer.finish(list(patterns))
    return Result(None)


def _optimised(name: str, pattern: Expression, level: Level) -> Expression:
    from discovery.carlson_lisper.optimisation.optimising import optimised

    found = optimised(pattern, level, steps=OPTIMISING)
    if found.is_cheaper:
        same = "instances" if level == "meaning" else "starts and ends of detections"
        said = f"{name}: " if name and name != str(pattern) else ""
        print_note(f"{said}detected as {found.result}, which has the same {same} on all traces")
    return found.result


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
            table = partial(rendering.table, form=printer.table)
            written = table if printer.table else rendering.text if printer.text else rendering.json
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

    def all_instances(self) -> None:
        """Print all instances in the place of the one with the latest start."""
        (pattern,) = self.patterns.values()
        listing = listing_of(pattern, self.log, self.asked.reading, self.printer.report)
        for key, some in listing.batches(self.printer.printed):
            self.printer.print_instances(some, key)
            if self.printer.is_full:
                break

    def _hide(self) -> None:
        if sys.stdout.isatty():
            self.progress.hide()

    def _instants(self) -> Iterator[Instant]:
        report, values = self.printer.report, not self.printer.intervals
        form = form_of(*self.patterns.values(), values=values)
        found = read_instants(self.log, self.asked.reading, form=form, report=report)
        watched = sys.stderr.isatty()
        for number, instant in enumerate(found):
            if watched:
                if self.printer.counts:
                    self._hide()
                if number % OFTEN == 0:
                    self.advance("", report.rows)
            yield instant

    def by_rows(self, detector: str) -> None:
        printer, reading, state = self.printer, self.asked.reading, None
        printer.report.begin_again()
        if self.asked.state_path is not None:
            from remora.api.detecting.state import State  # which other detections do without

            (first,) = self.patterns.values()
            question = {"expression": str(first), "wanted": "intervals" if printer.intervals else "instances"}
            about = {"partition_by": reading.partition_by, "tick": reading.tick}
            about["ties"] = reading.ties and f"{reading.ties} {reading.tiebreak or ''}".strip()
            state = State(self.asked.state_path, {**question, **about}, reading.scale)
        stored = None if state is None or state.stored is None else state.stored.detector
        running, name, chosen = dict[str, Detection](), "", None
        for name, pattern in self.patterns.items():
            chosen = made(detector, pattern, intervals=printer.intervals, stored=stored, scale=reading.scale)
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
            late = [(name, *each) for name, one in running.items() for each in one.rest()]
            for name, partition, found in sorted(late, key=lambda each: each[2].end):
                printer.print(found, partition, name or None)
        except WrongDetector as error:
            printer.finish(list(self.patterns))
            raise Ends(Standing.REFUTED, f"the detector {detector}{name and f' of {name}'} {error}") from error

    def _resume(self, detection: Detection, chosen: Made, state: Any) -> None:
        """Detect in what is new in the log, and store the state, also when that ends early."""
        from remora.api.detecting.state import signals_watched

        printer, probe, name = self.printer, chosen.maker(), chosen.name
        probe = probe.detector if isinstance(probe, Finer) else probe
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


def evaluate(text: str, log: str, **given: Any) -> Result:
    """Print all instances of a pattern in the order of their ends (Def. 3.11), or how many there are."""
    asked = Asked(**given)
    pattern, report = pattern_before(text, log, asked.reading.tick), ReadReport()
    chosen = [f"--{name}" for name in ("count", "top", "sample", "restricted") if vars(asked)[name]]
    chosen += ["--level intervals"] * (asked.level == "intervals" and not asked.restricted)
    if len(chosen) > 1:
        raise InputError(f"{' and '.join(chosen)} cannot be asked for together", remedy="Ask one after the other.")
    if asked.sample and not is_at_rest(log):
        reason = "instances are counted before some are drawn: the log is read twice"
        raise InputError(reason, place=log, remedy="Store it in a file first.")
    table = asked.form if asked.form in TABLES else None
    columns = asked.reading.partition_by
    printer = ResultPrinter(report, asked.level == "intervals", console.wants_text(asked.form), columns, table=table)
    console.require_printable(asked.form)
    with console.noting(report, identifiers(pattern)):
        if asked.restricted or printer.intervals or not (chosen or is_known(pattern)):
            found = sorted(_by_definition(pattern, log, asked, printer), key=lambda row: by_end(row[0]))
        else:
            listing = listing_of(pattern, log, asked.reading, report)
            if (asked.count or asked.sample) and listing.counted_by_listing:
                print_note("some instances may come in two ways: to count them is to list them")
            if asked.count:
                return print_counts(listing, asked.count, printer)
            found = wanted(listing, asked)
            for key, some in () if chosen else listing.batches(printer.printed):
                printer.print_instances(some, key)
        for result, partition in found:
            printer.print(result, partition)
        printer.finish()
    return Result(None)


def _by_definition(
    pattern: Expression, log: str, asked: Asked, printer: ResultPrinter
) -> Iterator[tuple[Instance | Interval, Partition]]:
    """Starts and ends, or a valid restriction, by partition."""
    partitions = read_partitions(log, asked.reading, pattern=pattern, report=printer.report)
    with Progress() as progress, progress.stage("evaluating", None) as advance:
        for key, scenario in partitions.items():
            advance("" if key is None else str(key))
            how: Any = partial(meant_intervals, tell=advance) if printer.intervals else meant_instances
            yield from ((one, key) for one in how(pattern, scenario, restricted=asked.restricted))


def verify(text: str, log: str, *, reading: Reading) -> Result:
    """Compare the detections of a pattern in a log with its meaning."""
    from remora.systems.carlson_lisper.comparing import detected, read_log  # with cases of campaigns

    read, told = read_log(log, log, text, reading)
    for warning in told:
        console.print_warning(warning)
    problems = list[tuple[Standing, str]]()
    found = detected(read, lambda standing, said: problems.append((standing, said)))

    def show() -> None:
        said = f", {found['compared']} compared" if "compared" in found else ""
        console.output_console().print(
            f"{'same' if found['agree'] else 'different'}: {found['events']:,} events,"
            f" {found['detections']:,} detections by {found['detector']}{said}"
        )
        for _, problem in problems:
            console.print_error(problem)

    standing = weakest([Standing.TESTED, *(standing for standing, _ in problems)])
    return Result(standing, {"schema": "remora/pattern-verify/1", **found}, show)


def stream(text: str, folder: FolderStream, *, key: str, detector: str, intervals: bool, **wanted: Any) -> Result:
    """Detect a pattern in the files of a folder as they come, a detection for each key."""
    from streaming.carlson_lisper.detection import settings_of

    pattern = parse(text, folder.reading.tick)
    detection = settings_of(pattern, detector=detector or AUTO, instances=not intervals, key=key or "", **wanted)
    if not key:
        remedy = "Name the column whose values have a trace each with --key."
        raise InputError("a pattern is detected by key", remedy=remedy)
    if not detection.is_bounded:
        console.print_warning("the state of a key may grow without a bound: see remora explain; or use --intervals")
    return folder.run(detection, _streamed)


def _streamed(row: console.JsonObject) -> str:
    occurrences = [Occurrence(**occurrence) for occurrence in row.get("instance", ())]
    parts = [quoted(row["event"])] if "event" in row else map(console.shown, occurrences)
    return "  ".join([f"[{row['start']}, {row['end']}]", *parts])


def why(text: str, tick: str | None, only: Sequence[str]) -> Reasoning:
    """The derivation of each detection of a pattern at a time, or its nearest miss."""
    pattern = parse(text, tick)
    relevant = identifiers(pattern)

    def reasons(rows: Sequence[Row], time: Time, shown: Shown, last: Time) -> Reasons:
        trace = interpretation(occurrence_of(row) for row in rows if row.event in relevant)
        return Derivations(pattern, trace, shown).at(time)

    return Reasoning(form_of(pattern), "", reasons, relevant)


def bench(asked: tuple[str, ...], **options: Any) -> Result:
    """Measure the detectors beside other tools."""
    from remora.systems.carlson_lisper import bench as benchmarks  # with NumPy

    return benchmarks.bench(asked, **options)


def explain(text: str, **options: Any) -> Result:
    """Explain a pattern: its transformed form, what detecting it takes at most, whether it can occur at all."""
    from remora.systems.carlson_lisper import explaining  # with decisions and the solver

    return explaining.explain(text, **options)
