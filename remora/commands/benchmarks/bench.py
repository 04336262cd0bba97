"""`remora bench`: how fast the detectors are beside other tools, with every answer checked."""

from __future__ import annotations

from collections.abc import Sequence

import click

from benchmarks.patterns import PATTERNS, Pattern, pattern
from benchmarks.throughput import (
    DENSITIES,
    OURS,
    QUICK,
    SUBJECTS,
    Comparison,
    Effort,
    Measurement,
    OracleDiffers,
    Subject,
    exit_status,
    results_data,
    spread,
    throughput,
)
from laws.standings import ExitStatus
from remora import __version__
from remora.terminal import completion
from remora.terminal.console import emit_json, output_console, print_error, print_note, print_table
from remora.terminal.interrupts import again, goes_on
from remora.terminal.options import Number, WholeNumber, format_option, seed_option
from remora.terminal.progress import Progress
from semantics.carlson_lisper.languages.languages import require_ground
from semantics.carlson_lisper.syntax import parse
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
    files: bool,
    rows: int | None,
    as_json: bool,
    seed: int,
    form: str,
) -> None:
    """Measure the detectors beside other tools, in million instants per second.

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
    usual = QUICK if quick else Effort()
    effort = Effort(
        repetitions or usual.repetitions, usual.seconds, instants or usual.instants, usual.occurrences
    )
    asked, chosen, shares = _patterns(patterns), _subjects(only), densities or DENSITIES
    goes_on(again)
    comparisons: list[Comparison] = []
    try:
        with Progress() as progress, progress.stage("throughput", len(asked) * len(shares)) as advance:
            for found in throughput(asked, shares, chosen, effort, seed, say=advance):
                comparisons.append(found)
                advance("", len(comparisons))
    except OracleDiffers as error:
        print_error(str(error))
        raise SystemExit(int(ExitStatus.DISAGREEMENT)) from None
    if as_json or form == "json":
        emit_json({"remora": __version__, **results_data(comparisons, effort, seed)})
    else:
        _print(comparisons)
    raise SystemExit(int(exit_status(comparisons)))


# ------------------------------------------------------------------------------------------------------------- tables


def _print(comparisons: Sequence[Comparison]) -> None:
    """Speeds and ratios by density; then what is wrong and what is missing."""
    for density in dict.fromkeys(one.density for one in comparisons):
        tables = [one for one in comparisons if one.density == density]
        names = [one.pattern.id for one in tables]
        output_console().print(
            f"Million instants per second at probability {density:g} per type and tick: median ± half the spread"
        )
        rows = zip(*(table.measurements for table in tables), strict=True)
        shown = [[row[0].subject.name, *map(_speed, row), row[0].subject.fed] for row in rows]
        print_table(["subject", *names, "fed"], shown, right=names)
        ratios = [_best(table) for table in tables]
        families = dict.fromkeys(family for found in ratios for family in found)
        if families:
            output_console().print("\nThe best of ours is so many times as fast as the best of:")
            rated = [[family, *(found.get(family, "–") for found in ratios)] for family in families]
            print_table(["tool", *names], rated, right=names)
        output_console().print()
    for text in dict.fromkeys(one.pattern.text for one in comparisons if one.pattern.id in PATTERNS):
        output_console().print(f"{pattern(text).id:4} {text}")
    told = (
        (one, f"{one.subject.name} on {table.pattern.text} at {table.density:g}")
        for table in comparisons
        for one in table.measurements
    )
    notes = []
    for one, where in told:
        if one.status in ("wrong", "failed"):
            print_error(f"{where} is {one.status}: {one.detail}")
        elif one.status == "absent":
            notes.append(f"not compared: {one.subject.name}: {one.detail}")
        elif one.status == "no query" and one.detail:
            notes.append(f"{where}: {one.detail}")
    for note in dict.fromkeys(notes):
        print_note(note)


def _speed(one: Measurement) -> str:
    if one.status != "measured":
        return "–" if one.status == "no query" else one.status
    half = (max(one.rates) - min(one.rates)) / 2 / one.rate
    return f"{_short(one.rate)} ±{100 * half:.0f}%"


def _short(number: float) -> str:
    return f"{number:,.0f}" if number >= 99.95 else f"{number:.1f}" if number >= 9.995 else f"{number:.2f}"


def _best(table: Comparison) -> dict[str, str]:
    """By tool how many times as fast the best of ours is as the best of the tool: median, least and greatest."""
    best: dict[str, str] = {}
    for family in dict.fromkeys(one.subject.family for one in table.measurements if one.seconds):
        rates = [one.rate for one in table.measurements if one.subject.family == family]
        found = [
            values
            for ours, other, values in table.ratios()
            if other.subject.family == family and other.rate == max(rates)
        ]
        if family != OURS and found:
            told = spread(max(found, key=lambda values: spread(values)["median"]))
            best[family] = f"{_short(told['median'])} ({_short(told['min'])}–{_short(told['max'])})"
    return best


# ------------------------------------------------------------------------------------------------------ what to do


def _patterns(texts: Sequence[str]) -> list[Pattern]:
    found = [pattern(text) for text in texts] or list(PATTERNS.values())
    for one in found:
        require_ground(parse(one.text))
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
