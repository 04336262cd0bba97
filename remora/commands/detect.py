"""`remora detect`: run a detector over a trace, row by row."""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from detectors.catalogue import DEFAULT_DETECTOR, DETECTORS
from detectors.protocol import Detector, DetectorFactory
from laws.standings import ExitStatus
from remora.console import print_error, print_note, print_warning
from remora.instances import InstancePrinter
from remora.options import is_live, rows_format_option, trace_options, wants_text
from semantics.errors import InputError
from semantics.expressions import Expression, identifiers
from semantics.occurrences import Instance, Time, Value
from semantics.syntax import parse
from semantics.trace_files import (
    Format,
    Instant,
    Partition,
    ReadReport,
    SameTime,
    admissible,
    read_rows,
    unknown_events,
)


class WrongDetector(Exception):
    """A detector that broke down, or reported what cannot be a detection; the text says how."""


def detections(
    expression: Expression, factory: DetectorFactory, instants: Iterable[Instant]
) -> Iterator[tuple[Partition, Instance]]:
    """The instances found, each as soon as its instant is complete; one detector per partition.

    Raises:
        InputError: the detector does not take the expression.
        WrongDetector: it breaks the protocol of `detectors.protocol`.
    """
    relevant = identifiers(expression)
    detectors: dict[Partition, Detector] = {}
    for time, rows in instants:
        occurring: dict[Partition, dict[str, Value]] = {}
        for row in rows:
            if row.event in relevant:
                occurring.setdefault(row.partition, {})[row.event] = row.value
        for partition, values in occurring.items():
            detector = detectors.get(partition)
            if detector is None:
                detector = detectors[partition] = _made(factory, expression)
            try:
                instance = detector.step(time, values)
            except (Exception, SystemExit) as error:  # a detector from outside runs any code
                raise WrongDetector(f"failed at time {time}: {_described(error)}") from error
            if instance is not None:
                yield partition, _checked(instance, time)


def _made(factory: DetectorFactory, expression: Expression) -> Detector:
    try:
        return factory(expression)
    except InputError:
        raise
    except (Exception, SystemExit) as error:
        raise WrongDetector(f"failed when it was made for {expression}: {_described(error)}") from error


def _checked(report: object, time: Time) -> Instance:
    if not isinstance(report, Instance):
        raise WrongDetector(
            f"reported a {type(report).__name__} at time {time}, not an Instance and not None: {report!r:.60}"
        )
    if report.end != time:
        raise WrongDetector(f"reported {report!r:.60} at time {time}, which ends at time {report.end}")
    return report


def _described(error: BaseException) -> str:
    text = " ".join(str(error).split())
    where = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}{': ' if text else ''}{text} ({Path(where.filename).name}:{where.lineno})"


def _factory(name: str) -> DetectorFactory:
    if name in DETECTORS:
        return DETECTORS[name]
    from campaigns.loading import detector_factory  # which brings the mutants and NumPy

    return detector_factory(name, [str(Path.cwd())])


@click.command(
    epilog="\b\nExamples:\n"
    "  remora detect '(fail ; fail)[60] - ok' logins.csv\n"
    "  remora detect 'order ; pay' log.csv --partition-by customer --sort\n"
    "  remora detect 'a ; b' log.csv --detector mypackage.detectors:Fast\n"
    "  tail -f log.jsonl | remora detect '(a + b)[10]' - --format jsonl",
)
@click.argument("expression")
@click.argument("trace")
@click.option(
    "--detector",
    "detector_name",
    default=DEFAULT_DETECTOR,
    show_default=True,
    metavar="NAME",
    help=f"One of {', '.join(DETECTORS)}, or package.module:object.",
)
@trace_options
@rows_format_option
def detect(
    expression: str,
    trace: str,
    detector_name: str,
    sort: bool,
    same_time: SameTime | None,
    partition_by: str | None,
    input_format: Format | None,
    form: str | None,
) -> None:
    """Detect EXPRESSION in TRACE: for each time at which it occurs, the instance with the latest start.

    TRACE is a CSV, JSON Lines or Parquet file with the columns time, event and value, or - for standard
    input. A detection is printed as soon as its instant is complete, that is when a row of a later time is
    read. A detector of your own that breaks down or reports nonsense ends the command with status 1.
    """
    pattern = parse(expression)
    factory = _factory(detector_name)
    report = ReadReport()
    rows = read_rows(trace, format=input_format, partition_by=partition_by)
    instants = admissible(rows, sort=sort, same_time=same_time, report=report)
    printer = InstancePrinter(
        text=wants_text(form), partitioned=partition_by is not None, flush=is_live(trace)
    )
    try:
        for partition, instance in detections(pattern, factory, instants):
            printer.print(instance, partition)
    except WrongDetector as error:
        printer.finish()
        print_error(f"the detector {detector_name} {error}")
        raise SystemExit(int(ExitStatus.REFUTED)) from error
    printer.finish()
    for message in report.messages():
        print_note(message)
    for message in unknown_events(identifiers(pattern), report.events):
        print_warning(message)
