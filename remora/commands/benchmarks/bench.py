"""`remora bench`: how fast the detectors are beside other tools, with every answer checked."""

from __future__ import annotations

from collections.abc import Sequence

import click

from benchmarks.catalogue import SUBJECTS
from benchmarks.checks import OracleDiffers
from benchmarks.patterns import PATTERNS, pattern
from benchmarks.results import results_data
from benchmarks.subjects import Pattern, Subject
from benchmarks.throughput import DENSITIES, Plan
from benchmarks.timing import QUICK, Effort
from laws.standings import ExitStatus
from remora import __version__
from remora.terminal import completion
from remora.terminal.console import emit_json, print_error
from remora.terminal.interrupts import again, goes_on
from remora.terminal.options import Number, WholeNumber, format_option, seed_option
from remora.terminal.progress import Progress
from remora.verification.bench_tables import print_results
from remora.verification.throughput import exit_status, measured
from semantics.carlson_lisper.languages import require_ground
from semantics.errors import InputError


@click.command(
    epilog="\b\nExamples:\n"
    "  remora bench --quick\n"
    "  remora bench i ii --density 0.01 --density 0.1\n"
    "  remora bench '(fail ; fail)[60] - ok' --only figure2 --only figure4\n"
    "  remora bench --json > today.json\n"
    "  remora bench --files --quick\n\n"
    "\b\nExit status: 0 measured, 1 an answer is wrong or a detector broke down, 2 bad\n"
    "input, 4 the oracle and the definition disagree, 5 another tool broke down."
)
@click.argument("patterns", nargs=-1, metavar="[PATTERN]...")
@click.option(
    "--density",
    "densities",
    multiple=True,
    type=Number(0, 1, min_open=True),
    metavar="P",
    help="Probability of each event type at each tick; may be given again."
    f" Default: {', '.join(map(str, DENSITIES))}.",
)
@click.option("--quick", is_flag=True, help="Shorter traces and fewer repetitions: for a first look.")
@click.option(
    "--repetitions", type=WholeNumber(1), help="Timings of each subject. Default: 5, or 3 if quick."
)
@click.option(
    "--instants",
    type=WholeNumber(1000),
    help="Length of the longest trace. Default: 100 million, or 1 million if quick.",
)
@click.option(
    "--only",
    multiple=True,
    metavar="NAME",
    shell_complete=completion.subjects,
    help="Compare this subject, or all of this tool, only; may be given again.",
)
@click.option(
    "--scaling/--no-scaling", default=True, help="Also the cost of an instant by the trace's length."
)
@click.option(
    "--files", is_flag=True, help="Whole jobs instead, from a log in a file to a file of detections."
)
@click.option(
    "--rows",
    type=WholeNumber(1000),
    help="Of each log, with --files. Default: 10 million, or 300,000 if quick.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@seed_option
@format_option
def bench(
    patterns: tuple[str, ...],
    densities: tuple[float, ...],
    quick: bool,
    repetitions: int | None,
    instants: int | None,
    only: tuple[str, ...],
    scaling: bool,
    files: bool,
    rows: int | None,
    as_json: bool,
    seed: int,
    form: str,
) -> None:
    """Measure the detectors beside other tools, in million instants per second on one core.

    PATTERN is i, ii, iii or iv, or an expression of your own, for which only the project's own detectors have
    an answer. Every answer is checked against the oracle before its speed is shown. All subjects take turns,
    so that ratios within a run mean more than speeds.

    With --files, remora detect, Polars and DuckDB do the whole job in processes of their own, and what they write
    is compared; the patterns are i to iv and 'a hundred'.
    """
    if files:
        goes_on(again)
        from remora.commands.benchmarks.files import bench_files

        many = repetitions or (1 if quick else 3)
        bench_files(patterns, densities, rows, many, seed, quick=quick, as_json=as_json or form == "json")
    if rows is not None:
        raise click.UsageError("--rows goes with --files.")
    effort = QUICK if quick else Effort()
    plan = Plan(
        _patterns(patterns),
        densities or DENSITIES,
        _subjects(only),
        Effort(
            repetitions or effort.repetitions, effort.seconds, instants or effort.instants, effort.occurrences
        ),
        seed,
    )
    goes_on(again)
    try:
        with Progress() as progress:
            comparisons, scalings = measured(plan, progress, scaling=scaling)
    except OracleDiffers as error:
        print_error(str(error))
        raise SystemExit(int(ExitStatus.DISAGREEMENT)) from None
    status = exit_status(comparisons)
    document = {"remora": __version__, **results_data(comparisons, scalings, plan.effort, seed, int(status))}
    if as_json or form == "json":
        emit_json(document)
    else:
        print_results(comparisons, scalings)
    raise SystemExit(int(status))


# ------------------------------------------------------------------------------------------------------ what to do


def _patterns(texts: Sequence[str]) -> list[Pattern]:
    found = [pattern(text) for text in texts] or list(PATTERNS.values())
    for one in found:
        require_ground(one.expression)
    return list({one.id: one for one in found}.values())


def _subjects(names: Sequence[str]) -> list[Subject]:
    """The subjects that are called so, or whose tool is.

    Raises:
        InputError: a name is none.
    """
    if not names:
        return list(SUBJECTS)
    wanted = {name.lower() for name in names}
    callable_names = {name.lower() for subject in SUBJECTS for name in (subject.name, subject.family)}
    unknown = sorted(wanted - callable_names)
    if unknown:
        raise InputError(
            f"no subject and no tool is called {unknown[0]!r}",
            remedy="There are "
            + ", ".join(
                dict.fromkeys([*(subject.family for subject in SUBJECTS), *(s.name for s in SUBJECTS)])
            )
            + ".",
        )
    return [subject for subject in SUBJECTS if {subject.name.lower(), subject.family.lower()} & wanted]
