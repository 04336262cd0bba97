"""Patterns, expressions over event types, at the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from laws.standings import Standing, weakest
from remora.api.detecting.found import by_end, meant_instances, meant_intervals
from remora.api.patterns.patterns import pattern_before
from remora.systems.carlson_lisper.detection import detect as detect
from remora.systems.carlson_lisper.printing import ResultPrinter
from remora.terminal.console import JsonObject, noting, output_console, print_error, print_warning, shown, wants_text
from remora.terminal.options import Result
from remora.terminal.progress import Progress
from semantics.carlson_lisper.expressions import identifiers
from semantics.carlson_lisper.occurrences import Instance, Occurrence
from semantics.carlson_lisper.syntax import parse
from semantics.carlson_lisper.traces import read_partitions
from semantics.errors import InputError
from semantics.events import Interval, quoted
from semantics.traces.instants import ReadReport
from semantics.traces.reading import Reading
from semantics.traces.rows import Partition

if TYPE_CHECKING:
    from remora.systems.folders import FolderStream


def evaluate(text: str, log: str, *, restricted: bool, level: str, reading: Reading, form: str | None) -> Result:
    """Print all instances of a pattern, ordered by end time, as the definition says (Def. 3.11)."""
    pattern, report = pattern_before(text, log, reading.tick), ReadReport()
    partitions = read_partitions(log, reading, pattern=pattern, report=report)
    intervals = level == "intervals"
    printer = ResultPrinter(report, intervals, wants_text(form), reading.partition_by)
    found: list[tuple[Instance | Interval, Partition]] = []
    with noting(report, identifiers(pattern)):
        with Progress() as progress, progress.stage("evaluating", None) as advance:
            for key, scenario in partitions.items():
                if intervals:
                    spans = meant_intervals(pattern, scenario, restricted=restricted, tell=advance)
                    found += ((one, key) for one in spans)
                else:
                    advance("" if key is None else str(key))
                    found += ((one, key) for one in meant_instances(pattern, scenario, restricted=restricted))
        for result, partition in sorted(found, key=lambda row: by_end(row[0])):
            printer.print(result, partition)
        printer.finish()
    return Result(None)


def verify(text: str, log: str, *, reading: Reading) -> Result:
    """Compare the detections of a pattern in a log with its meaning."""
    from remora.systems.carlson_lisper.comparing import detected, read_log  # with cases of campaigns

    read, told = read_log(log, log, text, reading)
    for warning in told:
        print_warning(warning)
    problems = list[tuple[Standing, str]]()
    found = detected(read, lambda standing, said: problems.append((standing, said)))
    standing = weakest([Standing.TESTED, *(standing for standing, _ in problems)])

    def show() -> None:
        said = f", {found['compared']} compared" if "compared" in found else ""
        output_console().print(
            f"{'same' if found['agree'] else 'different'}: {found['events']:,} events,"
            f" {found['detections']:,} detections by {found['detector']}{said}"
        )
        for _, problem in problems:
            print_error(problem)

    return Result(standing, {"schema": "remora/pattern-verify/1", **found}, show)


def stream(
    text: str,
    folder: FolderStream,
    *,
    key: str | None,
    lateness: int,
    intervals: bool,
    keep_one: bool,
    detector: str | None,
) -> Result:
    """Detect a pattern in the files of a folder as they come, a detection for each key."""
    from detectors.carlson_lisper.catalogue import AUTO
    from streaming.carlson_lisper.detection import settings_of

    detection = settings_of(
        parse(text, folder.reading.tick),
        lateness=lateness,
        detector=detector or AUTO,
        instances=not intervals,
        keep_one=keep_one,
        key=key or "",
    )
    folder.require_source()
    if not key:
        raise InputError(
            "a pattern is detected by key", remedy="Name the column whose values have a trace each with --key."
        )
    if not detection.is_bounded:
        print_warning("the state of a key may grow without a bound: see remora explain; or use --intervals")
    return folder.run(detection, _streamed)


def _streamed(row: JsonObject) -> str:
    occurrences = [Occurrence(**occurrence) for occurrence in row.get("instance", ())]
    parts = [quoted(row["event"])] if "event" in row else map(shown, occurrences)
    return "  ".join([f"[{row['start']}, {row['end']}]", *parts])


def bench(asked: tuple[str, ...], **options: Any) -> Result:
    """Measure the detectors beside other tools."""
    from remora.systems.carlson_lisper import bench as benchmarks  # with NumPy

    return benchmarks.bench(asked, **options)


def explain(text: str, **options: Any) -> Result:
    """Explain a pattern: its transformed form, what detecting it takes at most, whether it can occur at all."""
    from remora.systems.carlson_lisper import explaining  # with decisions and the solver

    return explaining.explain(text, **options)
