"""`remora eval`, `detect` and `explain` for programs of rules."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from benchmarks.rules import measured
from cluster.session import SparkUnavailable, spark_session
from detectors.bry_eckert.batch import evaluate_duckdb, evaluate_spark
from detectors.bry_eckert.catalogue import DEFAULT_DETECTOR, ENGINES
from laws.standings import ExitStatus
from remora import __version__
from remora.api.cards import counted
from remora.api.data import Shown, in_ticks, to_json
from remora.bry_eckert.detection import AxiomWatch, Detection, StateFile, later
from remora.bry_eckert.explaining import RuleExplained, distance_rows, explained, plan_data, stored, tree
from remora.bry_eckert.measuring import SAMPLE, Measured, compared, least_cost, measured_data
from remora.bry_eckert.programs import plan_for, read_choices_in, read_program, safe_engine, wanted_types
from remora.bry_eckert.stream import stream
from remora.terminal import completion
from remora.terminal.console import (
    emit,
    emit_json,
    print_error,
    print_note,
    print_table,
    print_warning,
    takes_unicode,
)
from remora.terminal.drawing import print_timeline
from remora.terminal.options import (
    NamedPath,
    WholeNumber,
    format_option,
    is_live,
    log_options,
    no_seed_option,
    rows_format_option,
    seed_option,
    wants_text,
)
from remora.terminal.shown import shown
from reports.bry_eckert.distance_graphs import picture
from semantics.atomic_files import write_text
from semantics.bry_eckert.notation import definition
from semantics.bry_eckert.planning import Choice
from semantics.bry_eckert.plans import Plan, Union
from semantics.bry_eckert.programs import Program
from semantics.bry_eckert.relations import by_time, derived_events
from semantics.bry_eckert.traces import events_of, read_log
from semantics.errors import InputError
from semantics.events import Event, quoted
from semantics.traces.instants import ReadReport, unknown_events
from semantics.traces.reading import Reading
from semantics.traces.rows import Partition

PLAN = click.option(
    "--plan",
    "plan_path",
    type=NamedPath(folder=False, exists=True),
    metavar="FILE",
    help="Join as this file says, with lines such as F: c, d / e. See docs/rules.md.",
)


ONLY = click.option(
    "--only",
    "only",
    metavar="TYPE",
    multiple=True,
    help="Print answers of this type alone. Repeatable.",
)

of_log = log_options("same_time")
"""How a log is read: several events of one type may end at one time."""


class EventPrinter:
    """Prints derived events, one a line, and counts them."""

    def __init__(
        self, report: ReadReport, *, text: bool, partitioned: bool, wanted: frozenset[str], flush: bool
    ) -> None:
        """Choose the form; `flush` hands every line on at once, for live streams.

        The report says how times are shown, as soon as some have been read.
        """
        self._report = report
        self.text, self.partitioned, self.wanted, self.flush = text, partitioned, wanted, flush
        self.count = 0
        self._ascii_only = not takes_unicode(sys.stdout)

    def print(self, event: Event, partition: Partition) -> None:
        """Print an event, if its type is wanted."""
        if event.type not in self.wanted:
            return
        self.count += 1
        if self.text:
            values = ", ".join(f"{name} = {shown(value)}" for name, value in event.attributes.items())
            time = self._report.shown
            line = f"[{time(event.start)}, {time(event.time)}]  {quoted(event.type)}({values})"
            if self.partitioned:
                line = f"{'(none)' if partition is None else shown(partition)}  {line}"
        else:
            row = event_data(event, self._report.shown) | (
                {"partition": partition} if self.partitioned else {}
            )
            line = to_json(row, ascii_only=self._ascii_only)
        emit(line + "\n")
        if self.flush:
            sys.stdout.flush()

    def finish(self) -> None:
        """Say how many there were, to people."""
        sys.stdout.flush()
        if self.text:
            print_note(counted(self.count, "answer"))


def event_data(event: Event, time: Shown = in_ticks) -> dict[str, Any]:
    """`{"start": 3, "time": 9, "event": "overdue", "id": 42}`: a row of a log, with times as a function shows them."""
    return {"start": time(event.start), "time": time(event.time), "event": event.type, **event.attributes}


@click.command(
    "eval",
    epilog="\b\nExamples:\n"
    "  remora eval orders.rules orders.jsonl\n"
    "  remora eval orders.rules orders.jsonl --only unpaid --engine duckdb\n"
    "  remora eval network.rules log.parquet --engine spark --master local[8]",
)
@click.argument("program_file", metavar="PROGRAM.rules")
@click.argument("log", shell_complete=completion.files)
@click.option(
    "--engine",
    type=click.Choice(["python", "duckdb", "spark"]),
    default="python",
    show_default=True,
    help="What evaluates the plan: this process, DuckDB, or Spark SQL.",
)
@click.option("--master", metavar="URL", default="local[*]", show_default=True, help="The Spark master.")
@of_log
@PLAN
@ONLY
@no_seed_option
@rows_format_option
def evaluate(
    program_file: str,
    log: str,
    engine: str,
    master: str,
    reading: Reading,
    plan_path: Path | None,
    only: tuple[str, ...],
    form: str | None,
) -> None:
    """Print all events that PROGRAM derives from LOG, by the relational algebra over the whole log.

    Answers are ordered by time, then start, then type. `remora detect` has the same ones, step by step.
    """
    program = read_program(program_file, reading.tick)
    wanted, plan, report = wanted_types(program, only), plan_for(program, plan_path), ReadReport()
    events: dict[Partition, list[Event]] = {}
    watch = AxiomWatch(program)
    for instant in read_log(log, program, reading, report=report):
        _warn(watch.see(instant))
        for row in instant.rows:
            events.setdefault(row.partition, []).extend(events_of((row,), program))
    printer = EventPrinter(
        report,
        text=wants_text(form),
        partitioned=reading.partition_by is not None,
        wanted=wanted,
        flush=False,
    )
    found = [
        (event, partition)
        for partition, given in events.items()
        for event in _evaluated(program, plan, given, engine, master)
    ]
    for event, partition in sorted(found, key=lambda pair: by_time(pair[0])):
        printer.print(event, partition)
    printer.finish()
    _say(program, report)
    _end_by(watch)


def _warn(breaches: Iterable[str]) -> None:
    for breach in breaches:
        print_warning(breach)


def _end_by(watch: AxiomWatch, note: str = "") -> None:
    """End with the status of what is refuted where the log breaks an axiom."""
    if watch.broken:
        _warn(watch.summary())
        if note:
            print_note(note)
        raise SystemExit(int(ExitStatus.REFUTED))


BELIEVED = "what is stored was dropped as the axioms allow: answers may be missing, or wrong where something is absent"


def _evaluated(program: Program, plan: Plan, events: list[Event], engine: str, master: str) -> list[Event]:
    if engine == "python":
        return derived_events(program, plan, events)
    if engine == "duckdb":
        return evaluate_duckdb(program, plan, events)
    try:
        with spark_session(master) as session:
            return evaluate_spark(program, plan, events, session)
    except SparkUnavailable as error:
        print_error(error.reason)
        raise SystemExit(int(ExitStatus.INFRASTRUCTURE)) from error


def _say(program: Program, report: ReadReport) -> None:
    for message in report.messages():
        print_note(message)
    for message in unknown_events(program.read, report.events):
        print_warning(message)


@click.command(
    "detect",
    epilog="\b\nExamples:\n"
    "  remora detect orders.rules orders.jsonl\n"
    "  remora detect orders.rules log.csv --partition-by shop --only overdue\n"
    "  remora detect orders.rules log.jsonl.gz --time '@timestamp' --event type --zone UTC\n"
    "  remora detect orders.rules today.jsonl --state seen.json\n"
    "  tail -f log.jsonl | remora detect orders.rules - --format jsonl\n\n"
    "\b\nWith --state a detection goes on where the last input ended: timers that were\n"
    "pending then are due when time goes on. Without it, they are all due at the end.",
)
@click.argument("program_file", metavar="PROGRAM.rules")
@click.argument("log", shell_complete=completion.files)
@click.option(
    "--detector",
    "engine",
    type=click.Choice(list(ENGINES)),
    default=DEFAULT_DETECTOR,
    show_default=True,
    help="The engine.",
)
@click.option(
    "--state",
    "state_path",
    type=NamedPath(folder=False),
    help="Go on from the state in this file, if there is one, and store the new state there.",
)
@click.option(
    "--lateness",
    type=WholeNumber(min=0),
    default=0,
    show_default=True,
    metavar="TICKS",
    help="How much a row may come after later ones: answers wait so long. What comes still later is left out and"
    " counted.",
)
@of_log
@PLAN
@ONLY
@no_seed_option
@rows_format_option
def detect(
    program_file: str,
    log: str,
    engine: str,
    state_path: Path | None,
    lateness: int,
    reading: Reading,
    plan_path: Path | None,
    only: tuple[str, ...],
    form: str | None,
) -> None:
    """Print each event that PROGRAM derives from LOG at the time at which it happens.

    LOG is CSV, JSON Lines or Parquet with the columns time and event, perhaps start, and attributes; or - for
    standard input. An answer is printed as soon as its instant is complete, that is when a row of a later time is
    read; with --lateness, of a time that is later by more than that.
    """
    program = read_program(program_file, reading.tick)
    wanted, plan, report = wanted_types(program, only), plan_for(program, plan_path), ReadReport()
    engine, doubts = safe_engine(engine, program, plan)
    for doubt in doubts:
        print_warning(doubt)
    detection = Detection(program, lambda: ENGINES[engine](program, plan, frozenset()))
    state = None if state_path is None else StateFile(state_path, program, plan, engine, reading.partition_by)
    if state is not None:
        state.restore(detection)
    printer = EventPrinter(
        report,
        text=wants_text(form),
        partitioned=reading.partition_by is not None,
        wanted=wanted,
        flush=is_live(log),
    )
    if lateness and reading.sort:
        raise InputError(
            "--lateness and --sort exclude each other",
            remedy="With --sort no row is late: all are read before the first answer.",
        )
    instants = read_log(log, program, reading, lateness=lateness, report=report)
    skipped = [0]

    def left_out(rows: int) -> None:
        skipped[0] += rows

    try:
        for instant in later(instants, detection, left_out):
            _warn(detection.watch.see(instant))
            for event, partition in detection.instant(instant):
                printer.print(event, partition)
        if state is None:
            for event, partition in detection.until(None):
                printer.print(event, partition)
    finally:
        printer.finish()
        if state is not None:
            state.write(detection)
    if skipped[0]:
        print_note(
            f"left out {counted(skipped[0], 'row')} up to time {report.shown(detection.now)}, which the state has done"
        )
    _say(program, report)
    _end_by(detection.watch, "" if engine.endswith(":storing") else BELIEVED)


@click.command(
    "explain",
    epilog="\b\nExamples:\n"
    "  remora explain orders.rules\n"
    "  remora explain orders.rules --log orders.jsonl\n"
    "  remora explain orders.rules --svg orders.svg\n"
    "  remora explain orders.rules --format json",
)
@click.argument("program_file", metavar="PROGRAM.rules")
@PLAN
@click.option(
    "--log",
    metavar="LOG",
    shell_complete=completion.files,
    help="Compare plans by counts on this log, and name the one that costs least.",
)
@log_options("same_time", "partition_by")
@click.option(
    "--sample",
    type=WholeNumber(min=1),
    default=SAMPLE,
    show_default=True,
    help="Of the log, so many events from the beginning decide which plan costs least.",
)
@click.option(
    "--as-printed",
    is_flag=True,
    help="Show the relevance conditions of 2008's algorithm as it is printed too, and whether they are safe.",
)
@click.option(
    "--svg",
    type=NamedPath(folder=False),
    metavar="FILE",
    help="Also draw the temporal distance graphs as a picture, to this file.",
)
@no_seed_option
@format_option
def explain(
    program_file: str,
    plan_path: Path | None,
    log: str | None,
    reading: Reading,
    sample: int,
    as_printed: bool,
    svg: Path | None,
    form: str,
) -> None:
    """Explain PROGRAM: each rule in words, its algebra, an example in time; the plan, and what each step stores.

    An example has the earliest intervals that all temporal conditions of the rule allow.
    """
    program = read_program(program_file, reading.tick)
    plan = plan_for(program, plan_path)
    rows = [] if log is None else _measured(program, plan_path, log, reading, sample)
    rules = [explained(rule, program, plan) for rule in program.rules]
    if svg is not None:
        _draw(svg, plan)
    if form == "json":
        emit_json({"schema": "remora/rules/1", **_explanation(program, plan, rules, rows, as_printed)})
        return
    if program.axioms:
        emit("Believed of the log:\n" + "".join(f"  {axiom}\n" for axiom in program.axioms) + "\n")
    for one in rules:
        emit(f"{one.rule}\n\n  {one.words}\n  {one.algebra}\n")
        if one.example is None:
            print_warning(
                f"line {one.rule.line}: the temporal conditions contradict each other: nothing is ever derived"
            )
        else:
            emit("\n")
            print_timeline(one.timeline())
        emit("\n")
    unbounded = 0
    for part in plan.definitions:
        if isinstance(part.expression, Union):
            emit(f"{definition(part)}\n\n")
            continue
        emit(f"{shown(part.name)}\n")
        emit("".join(f"  {line}\n" for line in tree(part.expression)))
        for given in stored(part, program, plan, as_printed=as_printed):
            by = " and ".join(f"({', '.join(key)})" for key in given.keys)
            kept = f"stored by {by}: " if given.kept else ""
            name = f"{given.relation} {given.identifier}".strip()
            emit(f"  {name}: {kept}{given.why}\n")
            if given.kept:
                kept = (
                    f"kept {given.relevant.removeprefix('true, ')}: {given.decision}; no bound: {given.advice}"
                    if given.advice and given.relevant != "true"
                    else f"no bound: {given.advice}"
                    if given.advice
                    else f"kept while {given.relevant}: {given.decision}"
                )
                emit(f"    {kept.replace('#', '′')}\n")
                if given.printed:
                    emit(f"    as printed: kept while {given.printed.replace('#', '′')}\n")
                unbounded += bool(given.advice)
        heading, *rows_of = distance_rows(part, plan)
        if len(rows_of) > 2:
            emit("  temporal distances, from the time stamp of a row to that of a column, in ticks:\n")
            print_table(heading, rows_of, right=heading[1:])
        emit("\n")
    emit(f"{_bounds(unbounded)}\n")
    if program.axioms:
        emit("The watch over the axioms remembers the events that they are about.\n")
    if rows:
        emit("\n")
        print_table(
            ("engine", "stored, mean", "peak", "candidates", "evaluated", "avoided", "plan"),
            _cells(rows),
            right=_NUMBERS,
        )


def _draw(path: Path, plan: Plan) -> None:
    matrices = {part.name: distance_rows(part, plan) for part in plan.definitions}
    try:
        write_text(path, picture({name: rows for name, rows in matrices.items() if rows}))
    except OSError as error:
        raise InputError(
            f"the picture cannot be written: {error.strerror or error}",
            place=str(path),
            remedy="Name another file with --svg.",
        ) from None


def _bounds(unbounded: int) -> str:
    if not unbounded:
        return "Every store has a bound: the program runs for ever in the memory that its conditions allow."
    stores = "1 store has" if unbounded == 1 else f"{unbounded} stores have"
    return f"{stores} no bound: what is stored there is never forgotten."


_NUMBERS = ("stored, mean", "peak", "candidates", "evaluated", "avoided")


def _cells(rows: Sequence[Measured]) -> Iterator[tuple[str, ...]]:
    for row in rows:
        counts = row.counts
        joins = (f"{counts.evaluated:,}", f"{counts.avoided:,}") if "nodes" in row.engine else ("", "")
        yield (
            row.engine,
            f"{counts.mean:,.1f}",
            f"{counts.peak:,}",
            f"{counts.candidates:,}",
            *joins,
            row.plan,
        )


def _measured(
    program: Program, plan_path: Path | None, log: str, reading: Reading, sample: int
) -> list[Measured]:
    """The counts of the plan as the rules are written, of the one in a file, and of the one that costs least."""
    report = ReadReport()
    instants = read_log(log, program, reading, report=report)
    events = [event for instant in instants for event in events_of(instant.rows, program)]
    _say(program, report)
    choices = {"as written": dict[str, Choice]()}
    if plan_path is not None:
        choices[str(plan_path)] = read_choices_in(plan_path, program)
    least = least_cost(program, events[:sample])
    if least:
        choices["least cost: " + "; ".join(f"{name}: {choice}" for name, choice in least.items())] = least
    return compared(program, choices, events)


def _explanation(
    program: Program, plan: Plan, rules: Sequence[RuleExplained], rows: Sequence[Measured], as_printed: bool
) -> dict[str, Any]:
    return {
        "measured": list(map(measured_data, rows)),
        "program": str(program),
        "rules": [
            {
                "rule": str(one.rule),
                "line": one.rule.line,
                "words": one.words,
                "algebra": one.algebra,
                "example": None
                if one.example is None
                else {name: list(at) for name, at in one.example.items()},
            }
            for one in rules
        ],
        "plan": plan_data(program, plan, as_printed=as_printed),
    }


@click.command("bench", epilog="\b\nExamples:\n  remora bench --system bry_eckert --events 1000000")
@click.option("--system", type=click.Choice(["bry_eckert"]), expose_value=False, help="The system: rules.")
@click.option(
    "--events", type=WholeNumber(min=1000), default=200_000, show_default=True, help="Length of the log."
)
@click.option(
    "--repetitions", type=WholeNumber(min=1), default=3, show_default=True, help="Timings of each engine."
)
@seed_option
@format_option
def bench(events: int, repetitions: int, seed: int, form: str) -> None:
    """Measure the engines of rules on the program of 2008, Section 2.1, in events a second on one core.

    About one event in a hundred completes an answer; all engines have to give the same answers.
    """
    try:
        found = measured(events, repetitions, seed)
    except ValueError as error:
        print_error(str(error))
        raise SystemExit(int(ExitStatus.DISAGREEMENT)) from None
    if form == "json":
        rows = [asdict(speed) for speed in found]
        emit_json(
            {
                "schema": "remora/rules-bench/1",
                "remora": __version__,
                "seed": seed,
                "events": events,
                "rows": rows,
            }
        )
        return
    fastest = max(speed.rate for speed in found)
    cells = [
        (s.engine, f"{s.rate:,.0f}", f"{s.rate / fastest:.2f}", f"{s.seconds:.2f}", f"{s.answers:,}")
        for s in found
    ]
    print_table(("engine", *_MEASURED), cells, right=_MEASURED)


_MEASURED = ("events/s", "ratio", "seconds", "answers")


COMMANDS: Mapping[str, click.Command] = {
    "eval": evaluate,
    "detect": detect,
    "explain": explain,
    "bench": bench,
    "stream": stream,
}
"""The commands that take a program of rules, by the names of those for patterns."""
