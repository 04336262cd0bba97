"""`remora bench --files`: whole jobs from file to file, beside Polars and DuckDB."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from benchmarks.files import DENSITIES, FORMS, OURS, PATTERNS, TOOLS, Cell, Timed, cells, measured
from laws.standings import ExitStatus
from remora import __version__
from remora.terminal.console import emit_json, output_console, print_error, print_note, print_table
from remora.terminal.progress import Progress
from semantics.errors import InputError

ROWS, QUICK_ROWS = 10_000_000, 300_000
"""The length of logs, and that for a first look."""


def bench_files(
    patterns: Sequence[str],
    densities: Sequence[float],
    rows: int | None,
    repetitions: int,
    seed: int,
    *,
    quick: bool,
    as_json: bool,
) -> None:
    """Time whole jobs, compare what they write, and say how they compare.

    Raises:
        InputError: a pattern is none of the table.
    """
    unknown = [name for name in patterns if name not in PATTERNS]
    if unknown:
        raise InputError(
            f"there are no queries of other tools for {unknown[0]!r}",
            remedy=f"With --files the patterns are {', '.join(map(repr, PATTERNS))}.",
        )
    length = rows or (QUICK_ROWS if quick else ROWS)
    wanted = cells(FORMS, densities or (DENSITIES[1:2] if quick else DENSITIES), patterns or list(PATTERNS))
    found: list[list[Timed]] = []
    with Progress() as progress, progress.stage("files", len(wanted)) as advance:
        for number, cell in enumerate(measured(wanted, length, repetitions, seed, lambda _: None), 1):
            found.append(cell)
            advance(_name(cell[0].cell), number)
    wrong = [one for row in found for one in row if one.problem and "not installed" not in one.problem]
    status = ExitStatus.REFUTED if wrong else ExitStatus.AS_CLAIMED
    if as_json:
        emit_json(
            {
                "schema": "remora/files-bench/1",
                "remora": __version__,
                "seed": seed,
                "rows": length,
                "repetitions": repetitions,
                "cells": [
                    {
                        **asdict(row[0].cell),
                        "tools": [
                            {
                                "tool": one.tool,
                                "seconds": [round(each, 4) for each in one.seconds],
                                "peak": round(one.peak),
                                "detections": one.detections,
                                "problem": one.problem,
                            }
                            for one in row
                        ],
                    }
                    for row in found
                ],
                "verdict": {"exit_status": int(status), "summary": f"{len(wrong)} jobs without the answer"},
            }
        )
    else:
        _print(found, length)
    raise SystemExit(int(status))


def _print(found: Sequence[Sequence[Timed]], rows: int) -> None:
    output_console().print(
        f"Seconds of a whole process, from a file of {rows:,} rows to a file of detections"
    )
    for pattern, shapes in PATTERNS.items():
        listed = [row for row in found if row[0].cell.pattern == pattern]
        if not listed:
            continue
        output_console().print(
            f"\n{pattern}: {shapes[0].text}{f' and {len(shapes) - 1} more' if shapes[1:] else ''}"
        )
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
