"""`remora detect`: run a detector over a trace, as it comes or by columns."""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import reduce
from operator import or_
from pathlib import Path

import click

from detectors.carlson_lisper.catalogue import DETECTORS
from detectors.carlson_lisper.choice import Feed, Input
from detectors.carlson_lisper.steppers import Instances, Maker, Spans
from laws.standings import ExitStatus
from remora.api.detection import Detection, WrongDetector
from remora.api.detection_state import State, Uninterrupted
from remora.api.makers import AUTO, OF_INTERVALS, made
from remora.api.pattern_files import read_patterns
from remora.api.validating import Refuted, validated_name
from remora.terminal import completion
from remora.terminal.console import print_error, print_note, print_warning
from remora.terminal.following import Follower, following
from remora.terminal.options import (
    NamedPath,
    is_live,
    log_options,
    no_seed_option,
    pattern_before,
    rows_format_option,
    wants_text,
)
from remora.terminal.printing import ResultPrinter
from semantics.carlson_lisper.expressions import Expression, identifiers
from semantics.carlson_lisper.traces import read_instants
from semantics.errors import InputError
from semantics.traces.files import format_of
from semantics.traces.instants import Instant, ReadReport, unknown_events
from semantics.traces.reading import Reading

LARGE = 1 << 20
"""From this size on, in bytes, a CSV file is read by columns: to load what does it takes longer than to read less."""

LEAST_ROW = 4
"""A row of text has at least so many bytes."""


@dataclass(frozen=True)
class _Task:
    """What is to be done.

    Attributes:
        pattern: what is to be detected.
        intervals: whether starts and ends are enough.
        trace: the file, or `-`.
        reading: how it is read.
        resumes: whether the detection goes on after this input.
    """

    pattern: Expression
    intervals: bool
    trace: str
    reading: Reading
    resumes: bool

    @property
    def columns(self) -> str | None:
        """The format in which the trace can be read by columns, if it can."""
        how = self.reading
        if not self.intervals or self.resumes or how.partition_by is not None or how.sort or how.same_time:
            return None
        path = Path(self.trace)
        if how.clock is not None or how.skip_bad or self.trace == "-" or not path.is_file():
            return None
        form = how.format or format_of(path)
        if form == "parquet" or (form == "csv" and path.stat().st_size >= LARGE):
            return form
        return None

    def input(self) -> Input:
        """What is known of the input, for the chooser."""
        feed: Feed = "instants"
        if not self.intervals:
            return Input(wanted="instances")
        if self.columns is not None:
            from semantics.traces.columns import Unusual, about_rows

            with suppress(Unusual):
                return Input(feed="events", instants=about_rows(self.trace, self.columns))
        path = Path(self.trace)
        if self.resumes or self.trace == "-" or not path.is_file():
            return Input(feed=feed)
        is_text = (self.reading.format or format_of(path)) != "parquet"
        return Input(feed=feed, instants=path.stat().st_size // LEAST_ROW if is_text else None)


# ---------------------------------------------------------------------------------------------------------- command


@click.command(
    epilog="\b\nExamples:\n"
    "  remora detect '(fail ; fail)[60] - ok' logins.csv\n"
    "  remora detect 'order ; pay' log.csv --partition-by customer --sort\n"
    "  remora detect 'a ; b' log.parquet --intervals\n"
    "  remora detect --patterns watched.txt logins.csv\n"
    "  remora detect 'a ; b' today.csv --state seen.json\n"
    "  remora detect 'a ; b' log.csv --detector mypackage.detectors:Fast\n"
    "  remora detect '(\"pay.ok\" ; no)[30s]' log.csv.gz --time when --tick 1s\n"
    "  tail -f log.jsonl | remora detect '(a + b)[10]' - --format jsonl\n\n"
    "\b\nWith --state a detection goes on where the last input ended, or where it was\n"
    "interrupted. The next input may begin with rows that were read before. The\n"
    "last instant of an input is done when the input ends, so it must be whole. A\n"
    "process that is killed outright stores nothing: what it printed is printed\n"
    "again.",
)
@click.argument("expression", metavar="[EXPRESSION]")
@click.argument("trace", required=False, metavar="TRACE", shell_complete=completion.files)
@click.option(
    "--patterns",
    "patterns_path",
    type=NamedPath(folder=False),
    help="Detect the patterns of this file, in one pass: a line has a pattern, or name = pattern.",
)
@click.option(
    "--detector",
    "detector_name",
    default=AUTO,
    show_default=True,
    metavar="NAME",
    shell_complete=completion.detectors_of_traces,
    help=f"auto, one of {', '.join(DETECTORS)}, with --intervals also {', '.join(OF_INTERVALS)},"
    " or package.module:object.",
)
@click.option("--intervals", is_flag=True, help="Only starts and ends, without the occurrences: much faster.")
@click.option(
    "--state",
    "state_path",
    type=NamedPath(folder=False),
    help="Go on from the state in this file, if there is one, and store the new state there.",
)
@click.option(
    "--validated",
    "only_validated",
    is_flag=True,
    help="Only a detector that is proved, or whose code for this pattern was validated against proved steps.",
)
@click.option("--verbose", is_flag=True, help="Say which detector was taken, and why.")
@log_options()
@no_seed_option
@rows_format_option
def detect(
    expression: str,
    trace: str | None,
    patterns_path: Path | None,
    detector_name: str,
    intervals: bool,
    state_path: Path | None,
    only_validated: bool,
    verbose: bool,
    reading: Reading,
    form: str | None,
) -> None:
    """Detect EXPRESSION in TRACE: for each time at which it occurs, the instance with the latest start.

    With --patterns there is no EXPRESSION: each detection comes with the name of its pattern.

    TRACE is a CSV, JSON Lines or Parquet file with the columns time, event and value, or others that are named, or
    - for standard input; it may be compressed with gzip or zstd. A detection is printed as soon as its instant is
    complete, that is when a row of a later time is read. A detector of your own that breaks down or reports
    nonsense ends the command with status 1.
    """
    if patterns_path is not None:
        if trace is not None or state_path is not None:
            raise click.UsageError("--patterns takes a TRACE alone, and no --state.")
        patterns = read_patterns(patterns_path, reading.tick)
        if only_validated:
            names = {_validated(detector_name, pattern, intervals) for pattern in patterns.values()}
            (detector_name,) = names or {detector_name}
        _detect_several(_Several(patterns, intervals, expression, reading, detector_name), wants_text(form))
        return
    if trace is None:
        raise click.UsageError("Missing argument 'TRACE'.")
    pattern = pattern_before(expression, trace, reading.tick)
    task = _Task(pattern, intervals, trace, reading, state_path is not None)
    if state_path is not None and sys.__stdout__ is None:
        raise InputError(
            "standard output is closed: what is detected would be lost, and the state would go on",
            place="--state",
            remedy="Let the output go to a file, or leave out --state.",
        )
    if only_validated:
        detector_name = _validated(detector_name, pattern, intervals)
    state = None if state_path is None else State(state_path, _question(task))
    stored = None if state is None else state.detector
    chosen = made(detector_name, pattern, intervals=intervals, input=task.input(), stored=stored)
    name, maker, reason = chosen.name, chosen.maker, chosen.reason
    if verbose:
        print_note(f"the detector is {name}: {reason}")
    report = ReadReport()
    printer = ResultPrinter(
        report,
        intervals=intervals,
        text=wants_text(form),
        partitioned=reading.partition_by is not None,
        flush=is_live(trace),
    )
    try:
        with following(trace, reading.format) as follower:
            if state is None:
                events = _run(task, Detection(pattern, maker), printer, report, follower)
            else:
                events = _resumed(task, maker, printer, report, state, name, follower)
    except WrongDetector as error:
        printer.finish()
        print_error(f"the detector {detector_name} {error}")
        raise SystemExit(int(ExitStatus.REFUTED)) from error
    printer.finish()
    for message in report.messages():
        print_note(message)
    for message in unknown_events(identifiers(pattern), events):
        print_warning(message)


def _validated(name: str, pattern: Expression, intervals: bool) -> str:
    """The detector that runs, proved or validated; one whose code is wrong ends the command."""
    try:
        return validated_name(name, pattern, intervals=intervals)
    except Refuted as error:
        print_error(str(error))
        raise SystemExit(int(ExitStatus.REFUTED)) from error


@dataclass(frozen=True)
class _Several:
    """Several patterns to detect in one pass.

    Attributes:
        patterns: by name.
        intervals: whether starts and ends are enough.
        trace: the file, or `-`.
        reading: how it is read.
        detector: the name of the detectors.
    """

    patterns: Mapping[str, Expression]
    intervals: bool
    trace: str
    reading: Reading
    detector: str


def _detect_several(task: _Several, text: bool) -> None:
    """Detect patterns side by side; what ends at an instant is printed in the order of the patterns."""
    wanted = Input() if task.intervals else Input(wanted="instances")
    running: dict[str, Detection] = {}
    about: defaultdict[str, list[str]] = defaultdict(list)
    for name, pattern in task.patterns.items():
        chosen = made(task.detector, pattern, intervals=task.intervals, input=wanted)
        running[name] = Detection(pattern, chosen.maker)
        for event in identifiers(pattern):
            about[event].append(name)
    order = {name: place for place, name in enumerate(running)}
    union = reduce(or_, task.patterns.values())
    report = ReadReport()
    printer = ResultPrinter(
        report,
        intervals=task.intervals,
        text=text,
        partitioned=task.reading.partition_by is not None,
        flush=is_live(task.trace),
    )
    with following(task.trace, task.reading.format) as follower:
        instants = read_instants(
            task.trace, task.reading, pattern=union, values=not task.intervals, report=report
        )
        for instant in follower.through(instants, report, printer):
            concerned = {name for row in instant.rows for name in about.get(row.event, ())}
            for name in sorted(concerned, key=order.__getitem__):
                try:
                    for partition, found in running[name].instant(instant):
                        printer.print(found, partition, name)
                except WrongDetector as error:
                    printer.finish()
                    print_error(f"the detector {task.detector} of {name} {error}")
                    raise SystemExit(int(ExitStatus.REFUTED)) from error
    printer.finish()
    for message in report.messages():
        print_note(message)
    for message in unknown_events(identifiers(union), report.events):
        print_warning(message)


def _instants(task: _Task, report: ReadReport) -> Iterator[Instant]:
    return read_instants(
        task.trace, task.reading, pattern=task.pattern, values=not task.intervals, report=report
    )


def _run(
    task: _Task, detection: Detection, printer: ResultPrinter, report: ReadReport, follower: Follower
) -> Counter[str]:
    """Detect in the whole trace; how many rows there were of each event type."""
    seen: Counter[str] = Counter()
    if _by_columns(task, detection, printer, seen, follower):
        return seen
    done = detection.time
    for instant in follower.through(_instants(task, report), report, printer):
        if instant.time > done:
            _print_instant(detection, instant, printer)
    return report.events


def _print_instant(detection: Detection, instant: Instant, printer: ResultPrinter) -> None:
    for partition, found in detection.instant(instant):
        printer.print(found, partition)


def _by_columns(
    task: _Task, detection: Detection, printer: ResultPrinter, seen: Counter[str], follower: Follower
) -> bool:
    """Detect by columns as far as it goes; whether that was the end of the trace."""
    if task.columns is None:
        return False
    spans = detection.detector(None)
    if not isinstance(spans, Spans):
        return False
    from detectors.carlson_lisper.intervals import MAX_NAMES, letter_type
    from semantics.traces.columns import Unusual, stretches

    names = spans.detector.names
    if len(names) > MAX_NAMES:
        return False
    kind = letter_type(len(names))
    try:
        for stretch in stretches(task.trace, task.columns, names, seen, task.reading):
            follower.rows(seen.total())
            if len(stretch.times):
                found = spans.detector.events(stretch.times, stretch.letters.astype(kind))
                detection.time = int(stretch.times[-1])
                if len(found):
                    follower.printing()
                printer.print_all(found.intervals())
    except Unusual:  # the reader of rows knows what to say
        return False
    return True


# ------------------------------------------------------------------------------------------------------- resuming


def _question(task: _Task) -> dict[str, str | None]:
    return {
        "expression": str(task.pattern),
        "wanted": "intervals" if task.intervals else "instances",
        "partition_by": task.reading.partition_by,
        "tick": task.reading.tick,
    }


def _resumed(
    task: _Task,
    maker: Maker,
    printer: ResultPrinter,
    report: ReadReport,
    state: State,
    name: str,
    follower: Follower,
) -> Counter[str]:
    """Detect in what is new in the trace, and store the state, also when that ends early."""
    probe = maker()
    if isinstance(probe, Instances) and not probe.is_resumable:
        raise InputError(f"the state of the detector {name} cannot be stored", remedy="Leave out --state.")
    detection = Detection(task.pattern, maker)
    state.restore(detection, name)
    before = detection.time
    whole = Uninterrupted()
    try:
        with whole.watching():
            instants = follower.through(_instants(task, report), report, printer)
            for instant in state.later(instants, detection):
                with whole:
                    _print_instant(detection, instant, printer)
    except (KeyboardInterrupt, InputError):
        if detection.time > before:
            _store(state, detection, printer, name)
        raise
    _store(state, detection, printer, name)
    for message in state.messages(report.shown(before)):
        print_note(message)
    return report.events


def _store(state: State, detection: Detection, printer: ResultPrinter, name: str) -> None:
    printer.flush_output()  # what the state has done must have been printed
    state.write(detection, name)
