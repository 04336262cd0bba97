"""Benchmarks of patterns: detectors on traces in memory, and whole jobs from file to file, beside other tools."""

from collections.abc import Sequence

import click

from benchmarks import files as jobs
from benchmarks.throughput import DENSITIES, PATTERNS, SUBJECTS, Subject, pattern, throughput
from remora.systems.measuring import measuring
from remora.terminal.options import Result
from semantics.carlson_lisper.languages import require_ground
from semantics.carlson_lisper.syntax import parse
from semantics.errors import InputError

INSTANTS = 100_000_000
"""The length of the longest trace; a hundredth of it for a first look."""


def bench(
    asked: tuple[str, ...],
    *,
    densities: tuple[float, ...],
    quick: bool,
    repetitions: int | None,
    instants: int | None,
    only: tuple[str, ...],
    files: bool,
    rows: int | None,
    seed: int,
) -> Result:
    """Measure the detectors in instants a second, or with `files` whole jobs in rows a second."""
    if files:
        return _files(asked, densities, rows, repetitions or (1 if quick else 3), seed, quick=quick)
    if rows is not None:
        raise click.UsageError("--rows goes with --files.")
    length = instants or (INSTANTS // 100 if quick else INSTANTS)
    patterns = list({one.text: one for one in map(pattern, asked)}.values()) or list(PATTERNS.values())
    for one in patterns:
        require_ground(parse(one.text))
    shares = densities or DENSITIES
    cases = throughput(patterns, shares, _subjects(only), length, repetitions or (3 if quick else 5), seed)
    return measuring(cases, len(patterns) * len(shares), seed)


def _subjects(names: Sequence[str]) -> list[Subject]:
    """The subjects that are called so, or whose tool is."""
    known = {name.lower(): name for one in SUBJECTS for name in (one.tool, one.name)}
    for name in names:
        if name.lower() not in known:
            remedy = f"There are {', '.join(known.values())}."
            raise InputError(f"no subject and no tool is called {name!r}", remedy=remedy)
    wanted = {name.lower() for name in names or known}
    return [subject for subject in SUBJECTS if {subject.name.lower(), subject.tool.lower()} & wanted]


def _files(
    asked: Sequence[str], densities: Sequence[float], rows: int | None, repetitions: int, seed: int, *, quick: bool
) -> Result:
    """Time whole jobs and compare what they write."""
    unknown = [name for name in asked if name not in jobs.PATTERNS]
    if unknown:
        raise InputError(
            f"there are no queries of other tools for {unknown[0]!r}",
            remedy=f"With --files the patterns are {', '.join(map(repr, jobs.PATTERNS))}.",
        )
    shares = densities or (jobs.DENSITIES[1:2] if quick else jobs.DENSITIES)
    wanted = [
        jobs.Cell(form, share, partitioned, name)
        for share in shares
        for partitioned in (False, True)
        for form in jobs.FORMS
        for name in asked or jobs.PATTERNS
    ]
    found = jobs.measured(wanted, rows or (300_000 if quick else 10_000_000), repetitions, seed)
    return measuring(found, len(wanted), seed)
