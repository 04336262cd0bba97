"""`remora explain` and `bench` for programs of rules, and the commands by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from laws.standings import ExitStatus
from remora import __version__
from remora.bry_eckert.breaches import LogWatch
from remora.bry_eckert.detect import detect
from remora.bry_eckert.explaining import RuleExplained, explained, remembered, tree
from remora.bry_eckert.measuring import (
    MEASURED,
    SAMPLE,
    Measured,
    compared,
    expected_log,
    least_cost,
    measured_data,
)
from remora.bry_eckert.node_joins import joins_of
from remora.bry_eckert.printing import PLAN, end_by, warn
from remora.bry_eckert.programs import plan_for, read_choices_in, read_program
from remora.bry_eckert.storing import distance_rows, plan_data, printed_rows, stored
from remora.terminal import completion
from remora.terminal.console import emit, emit_json, print_error, print_note, print_table, print_warning
from remora.terminal.options import (
    NamedPath,
    WholeNumber,
    format_option,
    log_options,
    no_seed_option,
    seed_option,
)
from remora.terminal.results.drawing import print_timeline, write_picture
from remora.terminal.results.printing import noting
from remora.terminal.results.shown import shown
from reports.bry_eckert.distance_graphs import picture
from semantics.bry_eckert.algebra.planning import Choice
from semantics.bry_eckert.algebra.plans import Plan, Union
from semantics.bry_eckert.notation import definition
from semantics.bry_eckert.programs import Program
from semantics.bry_eckert.traces import events_of, read_log
from semantics.errors import InputError
from semantics.events import Event
from semantics.traces.instants import ReadReport
from semantics.traces.reading import Reading

BELIEVED_COUNTS = (
    "engines drop what is stored as the axioms allow: their counts are of a log that breaks them"
)


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
@click.option(
    "--expect",
    "expected",
    metavar="NAME=NUMBER",
    multiple=True,
    help="Compare plans on a random log instead: TYPE=0.1, so many events in a tick, and TYPE.ATTRIBUTE=0.01, the"
    " probability that two values are equal. Repeatable.",
)
@click.option(
    "--detector",
    "engines",
    type=click.Choice(MEASURED),
    multiple=True,
    default=MEASURED,
    show_default=True,
    help="Compare plans by what this engine counts. Repeatable.",
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
    expected: tuple[str, ...],
    engines: tuple[str, ...],
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
    if log is not None and expected:
        raise InputError(
            "--log and --expect both say what plans are compared on", remedy="Leave one of them out."
        )
    events = (
        _read(program, log, reading, watch)
        if log is not None
        else expected_log(program, _stated(expected))
        if expected
        else []
    )
    rows = _measured(program, plan_path, events, sample, engines) if events else []
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
    matrices = {part.name: distance_rows(part, plan) for part in plan.definitions}
    if as_printed:
        matrices |= {f"{part.name}, as printed": printed_rows(part, plan) for part in plan.definitions}
    write_picture(path, picture({name: rows for name, rows in matrices.items() if rows}))


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


def _stated(expected: Sequence[str]) -> dict[str, float]:
    """What is expected of event types and attributes, by their names."""
    found: dict[str, float] = {}
    for one in expected:
        name, _, number = one.rpartition("=")
        try:
            found[name] = float(number)
        except ValueError:
            raise InputError(
                f"{one!r} does not say what is expected", place="--expect", remedy="Write NAME=0.1."
            ) from None
    return found


def _read(program: Program, log: str, reading: Reading, watch: LogWatch) -> list[Event]:
    report, events = ReadReport(), list[Event]()
    with noting(report, program.read):
        for instant in read_log(log, program, reading, report=report):
            warn(watch.see(instant))
            events += events_of(instant.rows, program)
    return events


def _measured(
    program: Program, plan_path: Path | None, events: list[Event], sample: int, engines: Sequence[str]
) -> list[Measured]:
    """The counts of the plan as the rules are written, of the one in a file, and of those that cost least."""
    choices = {"as written": dict[str, Choice]()}
    if plan_path is not None:
        choices[str(plan_path)] = read_choices_in(plan_path, program)
    for engine in engines:
        least = least_cost(program, [events[:sample]], engine)
        if least and least not in choices.values():
            said = "; ".join(f"{name}: {choice}" for name, choice in least.items())
            choices[f"least cost for {engine}: {said}"] = least
    return compared(program, choices, events, engines)


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
    """Measure the engines of rules on the program of 2008, Section 2.1, in events a second of the processor's time.

    About one event in a hundred completes an answer; all engines have to give the same answers. Beside them are peers
    in Polars and Pathway that join a thousand new events at a time with what they keep, and the relational algebra over
    the whole log. Then the engines run on longer and longer logs: what is stored does not grow, nor what an event
    costs.
    """
    from benchmarks.rules import SPARK, measured, scaled  # with DuckDB's queries, which load slowly
    from cluster.session import SparkUnavailable, spark_session

    scales, without = list(scaled(longest, seed)), dict[str, str]()  # before others take memory
    try:
        with ExitStack() as stack:
            session = None
            if spark:
                try:
                    session = stack.enter_context(spark_session("local[1]"))
                except SparkUnavailable as error:
                    without[SPARK] = error.reason
            found, absent = measured(events, repetitions, seed, session)
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
                "absent": absent | without,
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
    for name, reason in (absent | without).items():
        print_note(f"{name} is not measured: {reason}")
    emit("")
    rows = [
        (
            s.engine,
            f"{s.events:,}",
            f"{s.rate:,.0f}",
            f"{1e6 / s.rate:.1f}",
            f"{s.stored:,}",
            f"{s.memory:,}",
            f"{s.answers:,}",
        )
        for s in scales
    ]
    print_table(("engine", *_SCALES), rows, right=_SCALES)


_MEASURED = ("events/s", "ratio", "seconds", "answers")
_SCALES = ("events", "events/s", "µs/event", "stored", "MiB more", "answers")

COMMANDS: Mapping[str, click.Command | str] = {
    "eval": "remora.bry_eckert.evaluating:evaluate",
    "detect": detect,
    "explain": explain,
    "bench": bench,
    "stream": "remora.bry_eckert.stream:stream",
}
"""The commands that take a program of rules, by the names of those for patterns; where one is that loads slowly."""
