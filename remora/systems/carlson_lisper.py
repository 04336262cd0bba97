"""Patterns, expressions over event types, at the command line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from detectors.carlson_lisper.source.bounds import PartBounds
from laws.standings import Standing, weakest
from remora import __version__
from remora.api.detecting.findings import by_end, meant_instances, meant_intervals
from remora.api.detecting.running import choice_lines
from remora.api.patterns.explanations import (
    INFINITE,
    TOTALS,
    Explanation,
    cells,
    explanation,
    facts,
    fault_text,
)
from remora.api.patterns.pattern_data import explanation_data
from remora.api.patterns.possibilities import occurring_timeline
from remora.systems.folders import FolderStream
from remora.terminal.console import output_console, print_error, print_table, print_warning
from remora.terminal.ending import Ends, Result
from remora.terminal.options import pattern_before, wants_text
from remora.terminal.progress import Advance, Progress, waiting
from remora.terminal.results.drawing import print_timeline, write_drawing
from remora.terminal.results.printing import ResultPrinter, noting
from remora.terminal.results.trees import DEEPEST, branches, depth, node_text
from remora.terminal.texts import JsonObject, shown
from semantics.carlson_lisper.decisions import EnginesDisagree
from semantics.carlson_lisper.expressions import (
    UNBOUNDED,
    BoundExtremum,
    BoundParameter,
    Expression,
    Operation,
    bottom_up,
    identifiers,
)
from semantics.carlson_lisper.occurrences import Instance, Interpretation, Occurrence
from semantics.carlson_lisper.syntax import MAX_BOUND, parse, parse_schema
from semantics.carlson_lisper.traces import read_partitions
from semantics.errors import InputError
from semantics.events import Interval, quoted
from semantics.traces.instants import ReadReport
from semantics.traces.reading import Reading
from semantics.traces.rows import Partition

Row: TypeAlias = tuple[Instance | Interval, Partition]
"""A result and the trace that has it."""

_VALUE = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=([0-9]+)")


def evaluate(
    text: str, log: str, *, restricted: bool, level: str, reading: Reading, form: str | None
) -> Result:
    """Print all instances of a pattern, ordered by end time, as the definition says (Def. 3.11)."""
    pattern, report = pattern_before(text, log, reading.tick), ReadReport()
    partitions = read_partitions(log, reading, pattern=pattern, report=report)
    intervals = level == "intervals"
    printer = ResultPrinter(
        report, intervals=intervals, text=wants_text(form), partitioned=reading.partition_by is not None
    )
    operations = sum(isinstance(node, Operation) for node in bottom_up(pattern))
    pieces = len(partitions) * (operations if intervals else 1)
    with noting(report, identifiers(pattern)):
        with Progress() as progress, progress.stage("evaluating", pieces if pieces > 1 else None) as advance:
            meant = _spanned if intervals else _meant
            found = list(meant(pattern, partitions, advance, restricted))
        for result, partition in sorted(found, key=lambda row: by_end(row[0])):
            printer.print(result, partition)
        printer.finish()
    return Result(None)


def _meant(
    pattern: Expression, partitions: Mapping[Partition, Interpretation], advance: Advance, restricted: bool
) -> Iterator[Row]:
    for number, (partition, scenario) in enumerate(partitions.items()):
        advance("" if partition is None else str(partition), number)
        yield from ((one, partition) for one in meant_instances(pattern, scenario, restricted=restricted))


def _spanned(
    pattern: Expression, partitions: Mapping[Partition, Interpretation], advance: Advance, restricted: bool
) -> Iterator[Row]:
    for partition, scenario in partitions.items():
        found = meant_intervals(pattern, scenario, restricted=restricted, tell=advance)
        yield from ((one, partition) for one in found)


# ------------------------------------------------------------------------------------------------------ explanations


def explain(
    text: str,
    *,
    given: tuple[str, ...],
    reading: Reading,
    formula: bool,
    code: str | None,
    steps: int,
    svg: Path | None,
    seed: int,
) -> Result:
    """Explain a pattern: its transformed form, what detecting it takes at most, whether it can occur at all."""
    pattern, values = parse_schema(text, reading.tick), _values(given)
    try:
        with waiting("explaining") as tell:
            found = explanation(pattern, values, formula, code, steps=steps, seed=seed, tell=tell)
    except EnginesDisagree as error:
        raise Ends(Standing.DISAGREEMENT, str(error)) from None
    write_drawing(svg, None if found.answer is None else occurring_timeline(found.answer))
    undecided = found.answer is not None and found.answer.occurs is None
    document = {"schema": "remora/explain/1", "remora": __version__, "seed": seed, **explanation_data(found)}
    return Result(Standing.UNKNOWN if undecided else None, document, lambda: _print(found))


def _values(texts: Sequence[str]) -> dict[str, int]:
    """The values that are given to symbolic bounds.

    Raises:
        InputError: a text gives none, or a bound is given two.
    """
    given: dict[str, int] = {}
    for text in texts:
        match = _VALUE.fullmatch(text)
        if match is None or len(match[2]) > len(str(MAX_BOUND)) or int(match[2]) > MAX_BOUND:
            remedy = f"Write t=60 for 60 ticks; at most {MAX_BOUND} ticks."
            raise InputError(f"{text!r} is no value of a bound", place="--bound", remedy=remedy)
        if match[1] in given:
            raise InputError(f"the bound {match[1]} is given two values", place="--bound")
        given[match[1]] = int(match[2])
    return given


def _print(found: Explanation) -> None:
    console = output_console()
    for label, text in facts(found):
        console.print(f"{label:13}{text}".rstrip())
    for fault in found.faults:
        console.print(f"\n{fault_text(fault, found.text)}")
    if found.remedies:
        console.print("\nA restriction would bound it; longer instances are then not detected:")
        for remedy in found.remedies:
            console.print(f"  {remedy}")
    console.print()
    columns = ("#", "length", *TOTALS, "subexpression")
    print_table(columns, _rows(found), right=columns[:5] if found.bounds else ("#",))
    if found.answer is not None:
        console.print(f"\n{found.answer.verdict}")
        timeline = occurring_timeline(found.answer)
        if timeline is not None:
            console.print()
            print_timeline(timeline)
    if found.running is not None:
        console.print("\nwhich detector runs")
        print_table((), [(f"  {label}", text) for label, text in choice_lines(found.running)])
    if found.code is not None:
        console.print(f"\n{found.code[1]}", end="")


def _rows(found: Explanation) -> list[list[str]]:
    """The table by subexpression: as a tree, or bottom-up where that would be too deep."""
    stated = found.stated
    if depth(stated.expression) > DEEPEST:
        return [[*_cells(part), found.text(part.expression)] for part in stated.parts]
    parts = {part.expression: part for part in stated.parts}
    rows = []
    for branch in branches(stated.expression):
        number, *quantities = _cells(parts[branch.node])
        text = branch.lines + node_text(branch.node, _quantity)
        again = [*[""] * len(quantities), f"{text}  (as above)"]
        rows.append([number, *(again if branch.again else [*quantities, text])])
    return rows


def _cells(part: PartBounds) -> list[str]:
    number, _, *quantities = cells(part)
    return [number, *quantities]


def _quantity(quantity: object) -> str:
    """A number of any size, or a formula, as in the text of an expression."""
    if isinstance(quantity, int | float | BoundParameter | BoundExtremum):
        return INFINITE if quantity == UNBOUNDED else str(quantity)
    from detectors.carlson_lisper.source.cost import formula_text  # with SymPy

    return formula_text(quantity)


# ----------------------------------------------------------------------------------------------- logs and folders


def verify(text: str, log: str, *, reading: Reading) -> Result:
    """Compare the detections of a pattern in a log with its meaning."""
    from remora.verification.logs import detected, read_log

    read, told = read_log(log, log, text, reading)
    for warning in told:
        print_warning(warning)
    problems = list[tuple[Standing, str]]()
    found = detected(read, lambda standing, said: problems.append((standing, said)), told=False)
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
    from streaming.carlson_lisper.detection import is_bounded, settings_of

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
            "a pattern is detected by key",
            remedy="Name the column whose values have a trace each with --key.",
        )
    if not is_bounded(detection.detector, detection.expression, instances=detection.instances):
        print_warning("the state of a key may grow without a bound: see remora explain; or use --intervals")
    return folder.run(detection, _streamed)


def _streamed(row: JsonObject) -> str:
    occurrences = [Occurrence(**occurrence) for occurrence in row.get("instance", ())]
    parts = [quoted(row["event"])] if "event" in row else map(shown, occurrences)
    return "  ".join([f"[{row['start']}, {row['end']}]", *parts])


def bench(asked: tuple[str, ...], **options: Any) -> Result:
    """Measure the detectors beside other tools."""
    from remora.systems import benching  # with NumPy

    return benching.bench(asked, **options)
