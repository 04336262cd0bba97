"""`remora eval`: the denotation of an expression over a trace, by definition."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias, TypeVar

import click

from remora.api.detecting.findings import by_end, meant_instances, meant_intervals
from remora.terminal import completion
from remora.terminal.options import (
    log_options,
    no_seed_option,
    pattern_before,
    rows_format_option,
    wants_text,
)
from remora.terminal.progress import Advance, Progress
from remora.terminal.results.printing import ResultPrinter, noting
from remora.terminal.waits import Current, share_done
from semantics.carlson_lisper.expressions import Expression, Operation, bottom_up, identifiers
from semantics.carlson_lisper.finite import ChosenT
from semantics.carlson_lisper.interpretations import Interpretation
from semantics.carlson_lisper.occurrences import Instance
from semantics.carlson_lisper.operators import Operator
from semantics.carlson_lisper.traces import read_partitions
from semantics.events import Interval
from semantics.traces.instants import ReadReport
from semantics.traces.reading import Reading
from semantics.traces.rows import Partition

_OFTEN = 1 << 12
"""After so many results the display is told how far sorting and writing are."""

ResultT = TypeVar("ResultT")

Row: TypeAlias = tuple[Instance | Interval, Partition]
"""A result and the trace that has it."""


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
@log_options()
@no_seed_option
@rows_format_option
def evaluate(
    expression: str, trace: str, restricted: bool, level: str, reading: Reading, form: str | None
) -> None:
    """Print all instances of EXPRESSION in TRACE, ordered by end time, as the definition says (Def. 3.11).

    This is the meaning itself, not an algorithm: conjunctions and sequences multiply, and a limit that is
    reached is an error, never a wrong answer. `remora detect` finds one instance per time in long traces.
    """
    pattern = pattern_before(expression, trace, reading.tick)
    report = ReadReport()
    partitions = read_partitions(trace, reading, pattern=pattern, report=report)
    intervals = level == "intervals"
    printer = ResultPrinter(
        report, intervals=intervals, text=wants_text(form), partitioned=reading.partition_by is not None
    )
    operations = sum(isinstance(node, Operation) for node in bottom_up(pattern))
    pieces = len(partitions) * (operations if intervals else 1)
    with noting(report, identifiers(pattern)), Progress() as progress:
        with progress.stage("evaluating", pieces if pieces > 1 else None) as advance:
            kind = _spanned if intervals else _meant
            found = list(kind(pattern, partitions, advance, restricted=restricted))
        for result, partition in written(_sorted(found, progress), progress):
            printer.print(result, partition)
        printer.finish()


class Evaluation:
    """How far the literal evaluation of a pattern over a trace is: which comprehension, and how much of it.

    What later operators have to try depends on what the earlier ones yield, so nobody knows how long all of it takes.
    """

    def __init__(self, pattern: Expression, before: str = "") -> None:
        self._before = before
        self._steps = sum(
            len(node.definition.comprehensions) for node in bottom_up(pattern) if isinstance(node, Operation)
        )
        self._step = 0
        self._tried = 0
        self._now: Current = ""

    def watched(self, definition: Operator, number: int, candidates: Iterator[ChosenT]) -> Iterator[ChosenT]:
        """Counts the candidates of one comprehension."""
        self._step, self._tried = self._step + 1, 0
        share = share_done(lambda: self._tried, number)
        amount = f"{number:,} candidate{'' if number == 1 else 's'}"
        step = f"step {self._step} of {self._steps}, {definition.title} of {amount}"
        self._now = lambda: f"{step}: {share()}"
        for candidate in candidates:
            self._tried += 1
            yield candidate

    def words(self) -> str:
        """`step 2 of 3, sequence of 1,210,000 candidates: 40%, about 6 s more`."""
        now = self._now() if callable(self._now) else self._now
        return "  ".join(filter(None, (self._before, now)))


def _meant(
    pattern: Expression, partitions: Mapping[Partition, Interpretation], advance: Advance, *, restricted: bool
) -> Iterator[Row]:
    for number, (partition, scenario) in enumerate(partitions.items()):
        evaluation = Evaluation(pattern, str(partition) if len(partitions) > 1 else "")
        advance(evaluation.words, number)
        for instance in meant_instances(pattern, scenario, restricted=restricted, watched=evaluation.watched):
            yield instance, partition


def _spanned(
    pattern: Expression, partitions: Mapping[Partition, Interpretation], advance: Advance, *, restricted: bool
) -> Iterator[Row]:
    for partition, scenario in partitions.items():
        for interval in meant_intervals(pattern, scenario, restricted=restricted, tell=advance):
            yield interval, partition


def _sorted(results: Sequence[Row], progress: Progress) -> list[Row]:
    """The results in order; most of the time goes into what they are compared by."""
    with progress.stage("sorting", len(results)) as advance:
        numbers = iter(range(len(results)))

        def counted(result: Row) -> tuple[object, ...]:
            number = next(numbers)
            if number % _OFTEN == 0:
                advance("", number)
            return by_end(result[0])

        return sorted(results, key=counted)


def written(results: Sequence[ResultT], progress: Progress) -> Iterable[ResultT]:
    """The results one after the other; where somebody reads them at once, they say themselves how far it is."""
    if not _into_file():
        progress.hide()
    with progress.stage("writing", len(results)) as advance:
        for number, result in enumerate(results):
            if number % _OFTEN == 0:
                advance("", number)
            yield result


def _into_file() -> bool:
    """Whether standard output is a file: what goes into a pipe may be on the same terminal a moment later."""
    try:
        return stat.S_ISREG(os.fstat(sys.stdout.fileno()).st_mode)
    except (OSError, ValueError):  # what stands in for standard output has no descriptor
        return False
