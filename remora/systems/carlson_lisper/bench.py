"""Benchmarks of patterns: detectors on traces in memory, and whole jobs from file to file, beside other tools."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import click

from benchmarks import files as jobs
from benchmarks.files import FORMS, TOOLS, Cell, Timed
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
    results_data,
    spread,
    standing,
    throughput,
)
from laws.standings import Standing
from remora import __version__
from remora.terminal.console import output_console, print_error, print_note, print_table
from remora.terminal.ending import Ends, Result, status_of
from remora.terminal.progress import Progress
from semantics.carlson_lisper.languages import require_ground
from semantics.carlson_lisper.syntax import parse
from semantics.errors import InputError

ROWS, QUICK_ROWS = 10_000_000, 300_000
"""The length of logs, and that for a first look."""


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
    """Measure the detectors in million instants per second, or with `files` whole jobs in seconds."""
    if files:
        return _files(asked, densities, rows, repetitions or (1 if quick else 3), seed, quick=quick)
    if rows is not None:
        raise click.UsageError("--rows goes with --files.")
    usual = QUICK if quick else Effort()
    effort = Effort(repetitions or usual.repetitions, usual.seconds, instants or usual.instants, usual.occurrences)
    patterns, subjects, shares = _patterns(asked), _subjects(only), densities or DENSITIES
    found: list[Comparison] = []
    try:
        with Progress() as progress, progress.stage("throughput", len(patterns) * len(shares)) as advance:
            for one in throughput(patterns, shares, subjects, effort, seed, say=advance):
                found.append(one)
                advance("", len(found))
    except OracleDiffers as error:
        raise Ends(Standing.DISAGREEMENT, str(error)) from None
    document = {"remora": __version__, **results_data(found, effort, seed)}
    return Result(standing(found), document, lambda: _print(found))


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
            + ", ".join(dict.fromkeys([*(subject.family for subject in SUBJECTS), *(s.name for s in SUBJECTS)]))
            + ".",
        )
    return [subject for subject in SUBJECTS if {subject.name.lower(), subject.family.lower()} & wanted]


# ----------------------------------------------------------------------------------------------------------- tables


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


# ------------------------------------------------------------------------------------------------------------ files


def _files(
    asked: Sequence[str], densities: Sequence[float], rows: int | None, repetitions: int, seed: int, *, quick: bool
) -> Result:
    """Time whole jobs, compare what they write, and say how they compare.

    Raises:
        InputError: a pattern is none of the table.
    """
    unknown = [name for name in asked if name not in jobs.PATTERNS]
    if unknown:
        raise InputError(
            f"there are no queries of other tools for {unknown[0]!r}",
            remedy=f"With --files the patterns are {', '.join(map(repr, jobs.PATTERNS))}.",
        )
    length = rows or (QUICK_ROWS if quick else ROWS)
    usual = jobs.DENSITIES[1:2] if quick else jobs.DENSITIES
    wanted = jobs.cells(FORMS, densities or usual, asked or list(jobs.PATTERNS))
    found: list[list[Timed]] = []
    with Progress() as progress, progress.stage("files", len(wanted)) as advance:
        for number, cell in enumerate(jobs.measured(wanted, length, repetitions, seed, lambda _: None), 1):
            found.append(cell)
            advance(_name(cell[0].cell), number)
    wrong = [one for row in found for one in row if one.problem and "not installed" not in one.problem]
    standing = Standing.REFUTED if wrong else Standing.TESTED
    document = {
        "schema": "remora/files-bench/1",
        "remora": __version__,
        "seed": seed,
        "rows": length,
        "repetitions": repetitions,
        "cells": [{**asdict(row[0].cell), "tools": list(map(_tool_data, row))} for row in found],
        "verdict": {"exit_status": int(status_of(standing)), "summary": f"{len(wrong)} jobs without the answer"},
    }
    return Result(standing, document, lambda: _print_files(found, length))


def _tool_data(one: Timed) -> dict[str, object]:
    seconds = [round(each, 4) for each in one.seconds]
    answer = {"detections": one.detections, "problem": one.problem}
    return {"tool": one.tool, "seconds": seconds, "peak": round(one.peak), **answer}


def _print_files(found: Sequence[Sequence[Timed]], rows: int) -> None:
    output_console().print(f"Seconds of a whole process, from a file of {rows:,} rows to a file of detections")
    for name, shapes in jobs.PATTERNS.items():
        listed = [row for row in found if row[0].cell.pattern == name]
        if not listed:
            continue
        output_console().print(f"\n{name}: {shapes[0].text}{f' and {len(shapes) - 1} more' if shapes[1:] else ''}")
        headings = ["file", "share", "traces", *TOOLS, "MB", "best ratio"]
        print_table(headings, [_cells(row) for row in listed], right=headings[1:])
    for said in sorted({one.problem for row in found for one in row if "not installed" in one.problem}):
        print_note(said)
    for row in found:
        for one in row:
            if one.problem and "not installed" not in one.problem:
                print_error(f"{one.tool} on {_name(one.cell)}: {one.problem}")


def _name(cell: Cell) -> str:
    traces = "partitions" if cell.partitioned else "one stream"
    return f"{cell.pattern}, {cell.form}, {cell.density:g}, {traces}"


def _cells(row: Sequence[Timed]) -> list[str]:
    """The row of a cell; the last column says how many times as fast as ours the fastest other tool is, inverted."""
    cell = row[0].cell
    times = {one.tool: one.median for one in row if one.seconds}
    others = [seconds for tool, seconds in times.items() if tool != OURS]
    ratio = f"{min(others) / times[OURS]:.2f}" if others and OURS in times else "–"
    shown = [f"{times[tool]:.2f}" if tool in times else "–" for tool in TOOLS]
    memory = "/".join(f"{one.peak:.0f}" if one.seconds else "–" for one in row)
    return [cell.form, f"{cell.density:g}", "100,000" if cell.partitioned else "1", *shown, memory, ratio]
