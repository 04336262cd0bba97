"""`remora eval`: the denotation of an expression over a trace, by definition."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import click

from remora import completion
from remora.console import print_note, print_warning
from remora.given import pattern_before
from remora.instances import InstancePrinter, IntervalPrinter
from remora.options import no_seed_option, rows_format_option, trace_options, wants_text
from remora.progress import Advance, Progress
from semantics.denotation import MAX_CANDIDATES, denotation
from semantics.errors import LimitExceeded
from semantics.expressions import Expression, Operation, bottom_up, identifiers
from semantics.finite import Interval
from semantics.interpretations import Interpretation
from semantics.occurrences import Instance
from semantics.restriction import restriction
from semantics.trace_files import (
    Format,
    Partition,
    ReadReport,
    SameTime,
    read_partitions,
    unknown_events,
)


@click.command(
    "eval",
    epilog="\b\nExamples:\n"
    "  remora eval '(fail ; fail)[60] - ok' logins.csv\n"
    "  remora eval 'a + b' log.csv --restricted\n"
    "  remora eval 'a ; b' long.csv --level intervals",
)
@click.argument("expression")
@click.argument("trace", shell_complete=completion.files)
@click.option(
    "--restricted",
    is_flag=True,
    help="Only a valid restriction (Def. 3.12): one instance with the latest start for each end time.",
)
@click.option(
    "--level",
    type=click.Choice(["instances", "intervals"]),
    default="instances",
    show_default=True,
    help="Whole instances, or only their starts and ends, which works for much longer traces.",
)
@trace_options
@no_seed_option
@rows_format_option
def evaluate(
    expression: str,
    trace: str,
    restricted: bool,
    level: str,
    sort: bool,
    same_time: SameTime | None,
    partition_by: str | None,
    input_format: Format | None,
    form: str | None,
) -> None:
    """Print all instances of EXPRESSION in TRACE, ordered by end time, as the definition says (Def. 3.11).

    This is the meaning itself, not an algorithm: conjunctions and sequences multiply, and a limit that is
    reached is an error, never a wrong answer. `remora detect` finds one instance per time in long traces.
    """
    pattern = pattern_before(expression, trace)
    report = ReadReport()
    partitions = read_partitions(
        trace, partition_by, format=input_format, sort=sort, same_time=same_time, report=report
    )
    text, partitioned = wants_text(form), partition_by is not None
    if level == "intervals":
        intervals = IntervalPrinter(text=text, partitioned=partitioned)
        with _evaluating(pattern, partitions, by_operator=True) as advance:
            spans = sorted(_spanned(pattern, partitions, advance, restricted=restricted), key=_interval_key)
        for interval, partition in spans:
            intervals.print(interval, partition)
        intervals.finish()
    else:
        instances = InstancePrinter(text=text, partitioned=partitioned)
        with _evaluating(pattern, partitions) as advance:
            meant = sorted(_meant(pattern, partitions, advance, restricted=restricted), key=_instance_key)
        for instance, partition in meant:
            instances.print(instance, partition)
        instances.finish()
    for message in report.messages():
        print_note(message)
    for message in unknown_events(identifiers(pattern), report.events):
        print_warning(message)


@contextmanager
def _evaluating(
    pattern: Expression, partitions: Mapping[Partition, Interpretation], *, by_operator: bool = False
) -> Iterator[Advance]:
    """Shows how many traces are evaluated, or how many operators where these can be told apart, and what is refused."""
    operators = sum(isinstance(node, Operation) for node in bottom_up(pattern))
    pieces = len(partitions) * (operators if by_operator else 1)
    with Progress() as progress, progress.stage("evaluating", pieces if pieces > 1 else None) as advance:
        if not by_operator and pieces == 1:
            advance(f"{_counted(operators)}; one of more than {MAX_CANDIDATES:,} candidates is refused", 0)
        yield advance


def _counted(operators: int) -> str:
    return f"{operators} operator{'' if operators == 1 else 's'}"


def _meant(
    pattern: Expression,
    partitions: Mapping[Partition, Interpretation],
    advance: Advance,
    *,
    restricted: bool,
) -> Iterator[tuple[Instance, Partition]]:
    for partition, scenario in partitions.items():
        if len(partitions) > 1:
            advance(str(partition))
        try:
            meaning = denotation(pattern, scenario)
        except LimitExceeded as error:
            raise LimitExceeded(
                error.reason,
                remedy="Use --level intervals for starts and ends, or `remora detect` for one instance per time.",
            ) from None
        for instance in restriction(meaning) if restricted else meaning:
            yield instance, partition


def _instance_key(result: tuple[Instance, Partition]) -> tuple[object, ...]:
    return result[0].sort_key()


def _spanned(
    pattern: Expression,
    partitions: Mapping[Partition, Interpretation],
    advance: Advance,
    *,
    restricted: bool,
) -> Iterator[tuple[Interval, Partition]]:
    from semantics.intervals import Grid, IntervalStream  # which brings NumPy

    for partition, scenario in partitions.items():
        grid = Grid(identifiers(pattern), scenario)
        for node in bottom_up(pattern):
            if isinstance(node, Operation):
                advance(node.definition.title)
                grid.evaluate(node)
        spans = IntervalStream(grid.times, grid.evaluate(pattern))
        for interval in spans.restricted() if restricted else spans.intervals():
            yield interval, partition


def _interval_key(result: tuple[Interval, Partition]) -> tuple[int, int]:
    return result[0].end, result[0].start
