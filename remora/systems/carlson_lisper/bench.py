"""Benchmarks of patterns: detectors on traces in memory, and whole jobs from file to file, beside other tools."""

from collections.abc import Sequence
from itertools import product
from statistics import geometric_mean, median
from typing import Any

import click

from benchmarks import files as jobs, instances, optimised
from benchmarks.throughput import DENSITIES, PATTERNS, SUBJECTS, Subject, pattern, throughput
from benchmarks.timing import Row, document, standing
from remora import __version__
from remora.systems.measuring import measuring
from remora.terminal.console import counted, emit, print_error, print_table
from remora.terminal.options import Asked, Result
from remora.terminal.progress import Progress
from semantics.carlson_lisper.languages import require_ground
from semantics.carlson_lisper.syntax import parse
from semantics.errors import InputError

ALL_INSTANTS = 10_000  # The length of the trace of which all instances are counted
INSTANTS = 100_000_000  # The length of the longest trace; a hundredth of it for a first look


def bench(asked: tuple[str, ...], **given: Any) -> Result:
    """Measure the detectors in instants a second, or with `files` whole jobs in rows a second."""
    wanted = Asked(**given)
    if wanted.files:
        return _files(asked, wanted)
    if wanted.optimise:
        return _optimised(asked, wanted)
    if wanted.rows is not None:
        raise click.UsageError("--rows goes with --files.")
    length = wanted.instants or (INSTANTS // 100 if wanted.quick else INSTANTS)
    patterns = list({one.text: one for one in map(pattern, asked)}.values()) or list(PATTERNS.values())
    for one in patterns:
        require_ground(parse(one.text))
    shares, repetitions = wanted.densities or DENSITIES, wanted.repetitions or (3 if wanted.quick else 5)
    if wanted.all_instances:
        length = wanted.instants or ALL_INSTANTS
        return measuring(
            instances.measured(patterns, shares, length, repetitions, wanted.seed),
            len(patterns) * len(shares),
            wanted.seed,
        )
    cases = throughput(patterns, shares, _subjects(wanted.only), length, repetitions, wanted.seed)
    return measuring(cases, len(patterns) * len(shares), wanted.seed)


def _subjects(names: Sequence[str]) -> list[Subject]:
    known = {name.lower(): name for one in SUBJECTS for name in (one.tool, one.name)}
    for name in names:
        if name.lower() not in known:
            remedy = f"There are {', '.join(known.values())}."
            raise InputError(f"no subject and no tool is called {name!r}", remedy=remedy)
    wanted = {name.lower() for name in names or known}
    return [subject for subject in SUBJECTS if {subject.name.lower(), subject.tool.lower()} & wanted]


def _files(asked: Sequence[str], wanted: Asked) -> Result:
    for name in asked:
        if name not in jobs.PATTERNS:
            remedy = f"With --files the patterns are {', '.join(map(repr, jobs.PATTERNS))}."
            raise InputError(f"there are no queries of other tools for {name!r}", remedy=remedy)
    quick, names = wanted.quick, asked or tuple(jobs.PATTERNS)
    shares = wanted.densities or (jobs.DENSITIES[1:2] if quick else jobs.DENSITIES)
    cases = product(shares, (False, True), jobs.FORMS, names)
    cells = [jobs.Cell(form, share, partitioned, name) for share, partitioned, form, name in cases]
    rows, repetitions = wanted.rows or (300_000 if quick else 10_000_000), wanted.repetitions or (1 if quick else 3)
    return measuring(jobs.measured(cells, rows, repetitions, wanted.seed), len(cells), wanted.seed)


def _optimised(asked: Sequence[str], wanted: Asked) -> Result:
    """The cheapest patterns that say the same beside those that are given, or those of the corpus."""
    patterns = [parse(one) for one in asked] or list(optimised.corpus())
    repetitions = wanted.repetitions or (2 if wanted.quick else 5)
    cases, cheaper = list[list[Row]](), 0
    with Progress() as progress, progress.stage("patterns", len(patterns)) as advance:
        for case in optimised.compared(patterns, wanted.densities or DENSITIES, repetitions, wanted.seed):
            cases.append(case)
            cheaper += bool(case)
            advance("", len(cases))
    rows = [row for case in cases for row in case]

    def show() -> None:
        emit(f"{counted(len(patterns), 'pattern')}, of which {cheaper:,} became cheaper ones with the same answers\n\n")
        columns = ("measured", "mean", "median", "least", "greatest", "above 1.05")
        table = []
        for name, found in optimised.shares(rows).items():
            numbers = [f"{measure(found):.2f}" for measure in (geometric_mean, median, min, max)]
            table.append([name, f"{len(found):,}", *numbers, f"{sum(share > 1.05 for share in found):,}"])
        print_table(("share of the time", *columns), table, right=columns)
        for row in rows:
            if row.status == "wrong":
                print_error(f"{row.subject} on {', '.join(row.case.values())} is wrong: {row.detail}")

    about = {"patterns": len(patterns), "cheaper": cheaper}
    return Result(standing(rows), {"remora": __version__, **about, **document(rows, wanted.seed)}, show)
