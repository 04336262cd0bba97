"""`remora eval` for programs of rules: the relational algebra over a whole log, in this process, DuckDB or Spark."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from laws.standings import ExitStatus
from remora.bry_eckert.breaches import LogWatch
from remora.bry_eckert.measuring import sampled_plan
from remora.bry_eckert.printing import ONLY, PLAN, SAMPLED, EventPrinter, end_by, of_log, warn
from remora.bry_eckert.programs import read_program, wanted_types
from remora.terminal import completion
from remora.terminal.console import print_error, print_note
from remora.terminal.options import NamedPath, no_seed_option, rows_format_option, wants_text
from remora.terminal.results.printing import noting
from semantics.bry_eckert.algebra.plans import Plan
from semantics.bry_eckert.algebra.relations import derived_events
from semantics.bry_eckert.programs import Program, by_time
from semantics.bry_eckert.traces import events_of, read_log
from semantics.errors import InputError
from semantics.events import Event
from semantics.traces.instants import ReadReport
from semantics.traces.reading import Reading
from semantics.traces.rows import Partition

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


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
@click.option(
    "--out",
    type=NamedPath(file=False),
    metavar="FOLDER",
    help="With --engine spark, have Spark write the answers to this folder, as Parquet, and print none.",
)
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
    out: Path | None,
    reading: Reading,
    plan_path: Path | None,
    sample: int | None,
    only: tuple[str, ...],
    form: str | None,
) -> None:
    """Print all events that PROGRAM derives from LOG, by the relational algebra over the whole log.

    Answers are ordered by time, then start, then type. `remora detect` has the same ones, step by step.

    With --engine spark, Spark reads LOG, a file or a folder of files, where all rows are plain: times in ticks, cells
    of the declared types. Where it finds others, this process reads the log, and says what is wrong with which row.
    """
    program = read_program(program_file, reading.tick)
    wanted, report = wanted_types(program, only), ReadReport()
    if out is not None and engine != "spark":
        raise InputError(
            "--out is for what Spark writes", remedy="Say --engine spark, or redirect the output."
        )
    plan = sampled_plan(program, plan_path, log, reading, sample)
    printer = EventPrinter(
        report,
        text=wants_text(form),
        partitioned=reading.partition_by is not None,
        wanted=wanted,
        flush=False,
    )
    watch = LogWatch(program)
    with _evaluation(program, plan, engine, master) as (evaluated, session):
        derived = (
            None if session is None else _by_spark(program, plan, log, reading, session, report, wanted, out)
        )
        if derived is None:
            events: dict[Partition, list[Event]] = {}
            for instant in read_log(log, program, reading, report=report):
                warn(watch.see(instant))
                for row in instant.rows:
                    events.setdefault(row.partition, []).extend(events_of((row,), program))
            derived = [
                (event, partition) for partition, given in events.items() for event in evaluated(given)
            ]
    with noting(report, program.read):
        for event, partition in sorted(derived, key=lambda pair: by_time(pair[0])):
            printer.print(event, partition)
        if out is None:
            printer.finish()
    end_by(watch.breaches)


def _by_spark(
    program: Program,
    plan: Plan,
    log: str,
    reading: Reading,
    session: SparkSession,
    report: ReadReport,
    wanted: frozenset[str],
    out: Path | None,
) -> list[tuple[Event, Partition]] | None:
    """The answers to a log that Spark reads, none where it writes them; None where it cannot read it.

    Raises:
        InputError: it cannot read what it is to write the answers of.
    """
    from detectors.bry_eckert.relational import batch, spark_logs

    try:
        tables, report.events = spark_logs.tables_on_spark(session, program, Path(log), reading)
    except spark_logs.NotTold as error:
        if out is not None:
            raise InputError(
                f"Spark does not read the log by itself: {error}",
                place=log,
                remedy="Leave --out out: then this process reads the log, and says what is wrong with which row.",
            ) from None
        print_note(f"Spark does not read {log} by itself, but this process: {error}")
        return None
    report.rows = report.events.total()
    print_note("Spark reads the log, and does not look at the order of its rows")
    with batch.in_64_bits(), batch.spark_relations(program, plan, tables, session) as found:
        if out is None:
            return [(event, None) for event in batch.collected(program, plan, found)]
        spark_logs.write_answers(program, plan, found, wanted, out)
        return []


@contextmanager
def _evaluation(
    program: Program, plan: Plan, engine: str, master: str
) -> Iterator[tuple[Callable[[list[Event]], list[Event]], SparkSession | None]]:
    """What evaluates the events of one partition after another, in one connection or session, and Spark's session."""
    if engine == "python":
        yield partial(derived_events, program, plan), None
        return
    from detectors.bry_eckert.relational.batch import evaluate_duckdb, evaluate_spark  # which load slowly

    if engine == "duckdb":
        import duckdb

        with duckdb.connect() as connection:
            yield partial(evaluate_duckdb, program, plan, connection=connection), None
        return
    from cluster.session import SparkUnavailable, spark_session

    try:
        with spark_session(master) as session:
            yield partial(evaluate_spark, program, plan, session=session), session
    except SparkUnavailable as error:
        print_error(error.reason)
        raise SystemExit(int(ExitStatus.INFRASTRUCTURE)) from error
