"""Patterns, expressions over event types, at the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from laws.standings import Standing, weakest
from remora.api.detecting.found import by_end, meant_instances, meant_intervals
from remora.api.patterns.patterns import pattern_before
from remora.systems.carlson_lisper.detection import ResultPrinter
from remora.systems.carlson_lisper.detection import detect as detect
from remora.terminal import console
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
    from remora.systems.protocol import FolderStream


def evaluate(text: str, log: str, *, restricted: bool, level: str, reading: Reading, form: str | None) -> Result:
    """Print all instances of a pattern, ordered by end time, as the definition says (Def. 3.11)."""
    pattern, report = pattern_before(text, log, reading.tick), ReadReport()
    partitions = read_partitions(log, reading, pattern=pattern, report=report)
    printer = ResultPrinter(report, level == "intervals", console.wants_text(form), reading.partition_by)
    found: list[tuple[Instance | Interval, Partition]] = []
    with console.noting(report, identifiers(pattern)):
        with Progress() as progress, progress.stage("evaluating", None) as advance:
            for key, scenario in partitions.items():
                if printer.intervals:
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
    from detectors.carlson_lisper.catalogue import AUTO
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


def bench(asked: tuple[str, ...], **options: Any) -> Result:
    """Measure the detectors beside other tools."""
    from remora.systems.carlson_lisper import bench as benchmarks  # with NumPy

    return benchmarks.bench(asked, **options)


def explain(text: str, **options: Any) -> Result:
    """Explain a pattern: its transformed form, what detecting it takes at most, whether it can occur at all."""
    from remora.systems.carlson_lisper import explaining  # with decisions and the solver

    return explaining.explain(text, **options)
