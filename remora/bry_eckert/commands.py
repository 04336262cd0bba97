"""`remora eval`, `explain` and `bench` for programs of rules, and the commands by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import click

from laws.standings import ExitStatus
from remora import __version__
from remora.bry_eckert.breaches import LogWatch
from remora.bry_eckert.detect import detect
from remora.bry_eckert.explaining import RuleExplained, explained, remembered, tree
from remora.bry_eckert.measuring import SAMPLE, Measured, compared, least_cost, measured_data, sampled_plan
from remora.bry_eckert.node_joins import joins_of
from remora.bry_eckert.printing import ONLY, PLAN, SAMPLED, EventPrinter, end_by, of_log, say, warn
from remora.bry_eckert.programs import plan_for, read_choices_in, read_program, wanted_types
from remora.bry_eckert.storing import distance_rows, plan_data, printed_rows, stored
from remora.terminal import completion
from remora.terminal.console import (
    emit,
    emit_json,
    print_error,
    print_note,
    print_table,
    print_warning,
)
from remora.terminal.options import (
    NamedPath,
    WholeNumber,
    format_option,
    log_options,
    no_seed_option,
    rows_format_option,
    seed_option,
    wants_text,
)
from remora.terminal.results.drawing import print_timeline
from remora.terminal.results.shown import shown
from reports.bry_eckert.distance_graphs import picture
from semantics.atomic_files import write_text
from semantics.bry_eckert.algebra.planning import Choice
from semantics.bry_eckert.algebra.plans import Plan, Union
from semantics.bry_eckert.algebra.relations import by_time, derived_events
from semantics.bry_eckert.notation import definition
from semantics.bry_eckert.programs import Program
from semantics.bry_eckert.traces import events_of, read_log
from semantics.errors import InputError
from semantics.events import Event
from semantics.traces.instants import ReadReport
from semantics.traces.reading import Reading
from semantics.traces.rows import Partition


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
@SAMPLED
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
    sample: int | None,
    only: tuple[str, ...],
    form: str | None,
) -> None:
    """Print all events that PROGRAM derives from LOG, by the relational algebra over the whole log.

    Answers are ordered by time, then start, then type. `remora detect` has the same ones, step by step.
    """
    program = read_program(program_file, reading.tick)
    wanted, report = wanted_types(program, only), ReadReport()
    plan = sampled_plan(program, plan_path, log, reading, sample)
    events: dict[Partition, list[Event]] = {}
    watch = LogWatch(program)
    for instant in read_log(log, program, reading, report=report):
        warn(watch.see(instant))
        for row in instant.rows:
            events.setdefault(row.partition, []).extend(events_of((row,), program))
    printer = EventPrinter(
        report,
        text=wants_text(form),
        partitioned=reading.partition_by is not None,
        wanted=wanted,
        flush=False,
    )
    with _evaluation(program, plan, engine, master) as evaluated:
        found = [(event, partition) for partition, given in events.items() for event in evaluated(given)]
    for event, partition in sorted(found, key=lambda pair: by_time(pair[0])):
        printer.print(event, partition)
    printer.finish()
    say(program, report)
    end_by(watch.breaches)


BELIEVED_COUNTS = (
    "engines drop what is stored as the axioms allow: their counts are of a log that breaks them"
)


@contextmanager
def _evaluation(
    program: Program, plan: Plan, engine: str, master: str
) -> Iterator[Callable[[list[Event]], list[Event]]]:
    """What evaluates the events of one partition after another, in one connection or session."""
    if engine == "python":
        yield partial(derived_events, program, plan)
        return
    from detectors.bry_eckert.batch import evaluate_duckdb, evaluate_spark  # which load slowly

    if engine == "duckdb":
        import duckdb

        with duckdb.connect() as connection:
            yield partial(evaluate_duckdb, program, plan, connection=connection)
        return
    from cluster.session import SparkUnavailable, spark_session

    try:
        with spark_session(master) as session:
            yield partial(evaluate_spark, program, plan, session=session)
    except SparkUnavailable as error:
        print_error(error.reason)
        raise SystemExit(int(ExitStatus.INFRASTRUCTURE)) from error


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
    help="Show the relevance conditions and distances of 2008's algorithm as it is printed too, and whether they are"
    " safe.",
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
    watch = LogWatch(program)
    rows = [] if log is None else _measured(program, plan_path, log, reading, sample, watch)
    rules = [explained(rule, program, plan) for rule in program.rules]
    if svg is not None:
        _draw(svg, plan, as_printed=as_printed)
    if form == "json":
        emit_json({"schema": "remora/rules/1", **_explanation(program, plan, rules, rows, as_printed)})
        end_by(watch.breaches, BELIEVED_COUNTS)
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
    unbounded, joins = 0, joins_of(program, plan)
    for part in plan.definitions:
        if isinstance(part.expression, Union):
            emit(f"{definition(part)}\n\n")
            continue
        emit(f"{shown(part.name)}\n")
        emit("".join(f"  {line}\n" for line in tree(part)))
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
                lines = [kept, *map(str, given.examples)]
                lines += [f"joining: kept while {given.joining}"] * bool(given.joining)
                lines += [f"as printed: kept while {given.printed}"] * bool(given.printed)
                lines += [f"as printed: {given.printed_example}"] * (given.printed_example is not None)
                emit("".join(f"    {line.replace('#', '′')}\n" for line in lines))
                unbounded += bool(given.advice)
        if part.name in joins:
            emit("  joins of the engine nodes:\n" + "".join(f"    {join}\n" for join in joins[part.name]))
        _show_distances("", distance_rows(part, plan))
        if as_printed:
            _show_distances("as printed, ", printed_rows(part, plan))
        emit("\n")
    watched = list(remembered(program))
    if watched:
        emit("The watch over the axioms remembers\n" + "".join(f"  {one}\n" for one in watched) + "\n")
    emit(f"{_bounds(unbounded + sum(not one.bounded for one in watched))}\n")
    if rows:
        emit("\n")
        print_table(
            ("engine", "stored, mean", "peak", "candidates", "evaluated", "avoided", "plan"),
            _cells(rows),
            right=_NUMBERS,
        )
    end_by(watch.breaches, BELIEVED_COUNTS)


def _show_distances(which: str, matrix: Sequence[tuple[str, ...]]) -> None:
    """A matrix of temporal distances, where it says more than how long a single event may take."""
    if len(matrix) > 3:
        heading, *rows = matrix
        emit(f"  {which}temporal distances, from the time stamp of a row to that of a column, in ticks:\n")
        print_table(heading, rows, right=heading[1:])


def _draw(path: Path, plan: Plan, *, as_printed: bool) -> None:
    """Draw the temporal distance graphs."""
    matrices = {part.name: distance_rows(part, plan) for part in plan.definitions}
    if as_printed:
        matrices |= {f"{part.name}, as printed": printed_rows(part, plan) for part in plan.definitions}
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
    program: Program, plan_path: Path | None, log: str, reading: Reading, sample: int, watch: LogWatch
) -> list[Measured]:
    """The counts of the plan as the rules are written, of the one in a file, and of the one that costs least."""
    report, events = ReadReport(), list[Event]()
    for instant in read_log(log, program, reading, report=report):
        warn(watch.see(instant))
        events += events_of(instant.rows, program)
    say(program, report)
    choices = {"as written": dict[str, Choice]()}
    if plan_path is not None:
        choices[str(plan_path)] = read_choices_in(plan_path, program)
    least = least_cost(program, [events[:sample]])
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
        "watch": [asdict(one) for one in remembered(program)],
    }


@click.command(
    "bench",
    epilog="\b\nExamples:\n"
    "  remora bench --system bry_eckert --events 1000000\n"
    "  remora bench --system bry_eckert --longest 10000000 --no-spark",
)
@click.option("--system", type=click.Choice(["bry_eckert"]), expose_value=False, help="The system: rules.")
@click.option(
    "--events", type=WholeNumber(min=1000), default=200_000, show_default=True, help="Length of the log."
)
@click.option(
    "--repetitions", type=WholeNumber(min=1), default=3, show_default=True, help="Timings of each engine."
)
@click.option(
    "--longest",
    type=WholeNumber(min=10_000),
    default=1_000_000,
    show_default=True,
    help="Up to this length, how the cost of an event grows with the log.",
)
@click.option("--spark/--no-spark", default=True, help="Whether Spark is measured as well.")
@seed_option
@format_option
def bench(events: int, repetitions: int, longest: int, spark: bool, seed: int, form: str) -> None:
    """Measure the engines of rules on the program of 2008, Section 2.1, in events a second on one core.

    About one event in a hundred completes an answer; all engines have to give the same answers. Beside them are a peer
    in Polars that joins a thousand new events at a time with what it keeps, and the relational algebra over the whole
    log. Then finite differencing runs on longer and longer logs: what is stored does not grow, nor what an event costs.
    """
    from benchmarks.rules import measured, scaled  # with DuckDB's queries, which load slowly

    scales = list(scaled(longest, seed))  # before others take memory
    try:
        found, absent = measured(events, repetitions, seed, spark=spark)
    except ValueError as error:
        print_error(str(error))
        raise SystemExit(int(ExitStatus.DISAGREEMENT)) from None
    if form == "json":
        emit_json(
            {
                "schema": "remora/rules-bench/1",
                "remora": __version__,
                "seed": seed,
                "events": events,
                "rows": list(map(asdict, found)),
                "absent": absent,
                "scaling": list(map(asdict, scales)),
            }
        )
        return
    fastest = max(speed.rate for speed in found)
    cells = [
        (s.engine, f"{s.rate:,.0f}", f"{s.rate / fastest:.2f}", f"{s.seconds:.2f}", f"{s.answers:,}")
        for s in found
    ]
    print_table(("engine", *_MEASURED), cells, right=_MEASURED)
    for name, reason in absent.items():
        print_note(f"{name} is not measured: {reason}")
    emit("\ndifferencing, in the processor's time:\n")
    rows = [
        (
            f"{s.events:,}",
            f"{s.rate:,.0f}",
            f"{1e6 / s.rate:.1f}",
            f"{s.stored:,}",
            f"{s.memory:,}",
            f"{s.answers:,}",
        )
        for s in scales
    ]
    print_table(_SCALES, rows, right=_SCALES)


_MEASURED = ("events/s", "ratio", "seconds", "answers")
_SCALES = ("events", "events/s", "µs/event", "stored", "MiB more", "answers")


COMMANDS: Mapping[str, click.Command | str] = {
    "eval": evaluate,
    "detect": detect,
    "explain": explain,
    "bench": bench,
    "stream": "remora.bry_eckert.stream:stream",
}
"""The commands that take a program of rules, by the names of those for patterns; where one is that loads slowly."""
