"""`remora detect`: run a detector over a trace, as it comes or by columns."""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import or_
from pathlib import Path
from typing import TYPE_CHECKING

import click

from detectors.carlson_lisper.catalogue import ARRAYS, CATALOGUE, DETECTORS, Made
from detectors.carlson_lisper.steppers import Instances
from laws.standings import ExitStatus
from remora.api.detecting.detection import Detection, WrongDetector
from remora.api.detecting.makers import AUTO, OF_INTERVALS, made
from remora.api.detecting.validating import Refuted, validated_name
from remora.api.patterns.patterns import read_patterns
from remora.terminal import completion
from remora.terminal.console import print_error, print_note
from remora.terminal.following import Follower, following
from remora.terminal.options import (
    NamedPath,
    is_live,
    log_options,
    no_seed_option,
    pattern_before,
    rows_format_option,
    state_option,
    wants_text,
)
from remora.terminal.results.printing import ResultPrinter, noting
from semantics.carlson_lisper.expressions import Expression, identifiers
from semantics.carlson_lisper.occurrences import Time
from semantics.carlson_lisper.traces import read_instants
from semantics.errors import InputError
from semantics.native import is_compiled
from semantics.traces.files import format_of
from semantics.traces.instants import Instant, ReadReport
from semantics.traces.reading import Format, Reading
from semantics.traces.scanning import SCAN

if TYPE_CHECKING:
    from remora.api.detecting.detection_state import State

LARGE = 1 << 22
"""From this size on, in bytes, text is read by columns: to load what does it takes longer than to read less."""

LARGE_AT_FIRST = 1 << 24
"""The same where that has to be compiled first, which takes seconds once."""


@dataclass(frozen=True)
class _Task:
    """What is to be done.

    Attributes:
        patterns: what is to be detected, by name; a single pattern need have none.
        trace: the file, or `-`.
        resumes: whether the detection goes on after this input.
    """

    patterns: Mapping[str, Expression]
    intervals: bool
    trace: str
    reading: Reading
    resumes: bool

    @property
    def union(self) -> Expression:
        """An expression with the event types of all patterns."""
        return reduce(or_, self.patterns.values())

    @property
    def columns(self) -> Format | None:
        """The format in which the trace can be read by columns, if it can."""
        path = Path(self.trace)
        if self.resumes or self.trace == "-" or not path.is_file():
            return None
        form = self.reading.format or format_of(path)
        return form if form == "parquet" or (form and path.stat().st_size >= _worth_while()) else None

    @property
    def size(self) -> int | None:
        """How large the trace is, in bytes; None for standard input and what else is no file."""
        path = Path(self.trace)
        return path.stat().st_size if self.trace != "-" and path.is_file() else None


def _worth_while() -> int:
    """From which size on, in bytes, text is read by columns."""
    return LARGE if is_compiled(SCAN) else LARGE_AT_FIRST


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
@state_option
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
        patterns, trace = read_patterns(patterns_path, reading.tick), expression
    elif trace is None:
        raise click.UsageError("Missing argument 'TRACE'.")
    else:
        patterns = {"": pattern_before(expression, trace, reading.tick)}
    task = _Task(patterns, intervals, trace, reading, state_path is not None)
    if only_validated:
        names = {_validated(detector_name, pattern, intervals) for pattern in patterns.values()}
        (detector_name,) = names  # one asks for one detector, or gets the same default for all
    if state_path is not None and sys.__stdout__ is None:
        raise InputError(
            "standard output is closed: what is detected would be lost, and the state would go on",
            place="--state",
            remedy="Let the output go to a file, or leave out --state.",
        )
    report = ReadReport()
    printer = ResultPrinter(
        report,
        intervals=intervals,
        text=wants_text(form),
        partitioned=reading.partition_by is not None,
        flush=is_live(trace),
    )
    with noting(report, identifiers(task.union)), following(trace, reading.format) as follower:
        if detector_name in (AUTO, ARRAYS) and task.columns is not None:
            if verbose:
                print_note(f"the detector is {ARRAYS}: {CATALOGUE[ARRAYS].about}")
            done, is_done = _by_columns(task, task.columns, printer, report, follower)
        else:
            done, is_done = -1, False
        if not is_done:
            _by_rows(task, detector_name, state_path, done, printer, report, follower, verbose=verbose)
        printer.finish()


def _validated(name: str, pattern: Expression, intervals: bool) -> str:
    """The detector that runs, proved or validated; one whose code is wrong ends the command."""
    try:
        return validated_name(name, pattern, intervals=intervals)
    except Refuted as error:
        print_error(str(error))
        raise SystemExit(int(ExitStatus.REFUTED)) from error


def _by_columns(
    task: _Task, format: Format, printer: ResultPrinter, report: ReadReport, follower: Follower
) -> tuple[Time, bool]:
    """Detect by columns as far as that goes: up to which time, and whether that was the end of the trace."""
    # NumPy would start a thread for each core, for algebra that is not done here.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from remora.api.detecting.column_detection import ColumnDetection  # which brings NumPy

    if format == "parquet":
        import pyarrow

        # Arrow's own keeps as much again as batches take, and gives it back at the cost of reading a file twice.
        pyarrow.set_memory_pool(pyarrow.system_memory_pool())
    detection = ColumnDetection(
        Path(task.trace),
        format,
        list(task.patterns.values()),
        task.reading,
        report,
        instances=not task.intervals,
    )
    for found in detection.found():
        follower.rows(report.rows)
        if len(found):
            follower.printing()
            printer.print_detected(found, list(task.patterns), detection.names, detection.columns.keys)
    return detection.time, detection.is_done


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
    if detector == ARRAYS and done < 0:
        raise InputError(
            "this is not read by columns, but row by row",
            place=f"--detector {ARRAYS}",
            remedy=f"Leave it to --detector {AUTO}.",
        )
    detector = AUTO if detector == ARRAYS else detector
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
    except WrongDetector as error:
        printer.finish()
        print_error(f"the detector {detector}{name and f' of {name}'} {error}")
        raise SystemExit(int(ExitStatus.REFUTED)) from error


def _instants(task: _Task, report: ReadReport) -> Iterator[Instant]:
    return read_instants(
        task.trace, task.reading, pattern=task.union, values=not task.intervals, report=report
    )


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
