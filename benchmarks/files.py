"""File-to-file benchmarks: from a log to its detections, `remora detect` beside Polars and DuckDB.

Each job is a process of its own, timed from its start to its end, with all cores that it takes.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np
import polars as pl

from benchmarks.throughput import PATTERNS as NUMBERED, Pattern
from benchmarks.timing import OURS, Row

Form: TypeAlias = Literal["csv", "parquet", "jsonl"]

FORMS: tuple[Form, ...] = ("csv", "parquet", "jsonl")

DENSITIES = (0.01, 0.1, 0.5)  # The share of rows of the event types that a pattern mentions
USERS = 100_000  # So many partitions
TYPES, MANY = "ABCPT", "abcdefghij"  # The event types of the patterns i to iv, and of a hundred patterns

TOOLS = (OURS, "Polars", "DuckDB")

PATTERNS: Mapping[str, Sequence[Pattern]] = {
    **{name: (each,) for name, each in NUMBERED.items()},
    "a hundred": [Pattern(f"({a};{b})[50]", "sequence", {"A": a, "B": b}, 50) for a in MANY for b in MANY],
}
"""By the name in the table; the last ones are a bounded sequence for each pair of ten event types."""


@dataclass(frozen=True)
class Cell:
    """A log, in which a share of the rows matters, and the name of the patterns that are looked for in it."""

    form: Form
    density: float
    partitioned: bool
    pattern: str


def write_log(path: Path, cell: Cell, rows: int, seed: int) -> None:
    """Write a log of a row each tick, in the form and with the density and the partitions of a cell."""
    random = np.random.default_rng([seed, int(1000 * cell.density), cell.partitioned])
    asked = list(MANY if cell.pattern == "a hundred" else TYPES)
    names = pl.Series([*asked, *(f"other{number}" for number in range(30))])
    matters = random.random(rows) < cell.density
    types = np.where(matters, random.integers(0, len(asked), rows), random.integers(len(asked), len(names), rows))
    log = pl.DataFrame({"time": np.arange(rows), "event": names[types], "value": random.integers(0, 1000, rows)})
    if cell.partitioned:
        log = log.with_columns(user=pl.lit("u") + pl.Series(random.integers(0, USERS, rows)).cast(pl.String))
    write: dict[str, Callable[[Path], object]] = {"csv": log.write_csv, "parquet": log.write_parquet}
    write.get(cell.form, log.write_ndjson)(path)


def command(tool: str, cell: Cell, log: Path, folder: Path) -> list[str]:
    """The command of a tool, which writes `folder / tool`, or its standard output there."""
    found = PATTERNS[cell.pattern]
    if tool != OURS:
        job = {"log": str(log), "form": cell.form, "partitioned": cell.partitioned, "output": str(folder / tool)}
        return [sys.executable, "-m", "benchmarks.peers", tool, json.dumps({**job, "patterns": [*map(asdict, found)]})]
    asked = [found[0].text]
    if len(found) > 1:
        listed = folder / "patterns"
        listed.write_text("".join(f"{each.text}\n" for each in found), encoding="utf-8")
        asked = ["--patterns", str(listed)]
    partition = ["--partition-by", "user"] if cell.partitioned else []
    options = ["--intervals", "--format", "jsonl", *partition]
    return [sys.executable, "-m", "remora", "detect", *asked, str(log), *options]


_LAUNCHER = """
import resource, subprocess, sys, time
begin = time.perf_counter()
status = subprocess.call(sys.argv[1:], stderr=subprocess.DEVNULL)
seconds = time.perf_counter() - begin
print(seconds, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, status, file=sys.stderr)
"""
"""A small process that starts another one, because a process is charged with the memory of the one that starts it."""


def _run(arguments: Sequence[str], output: Path) -> tuple[float, float, int]:
    """The seconds of a process, its most memory in MB, and its status."""
    launched = [sys.executable, "-S", "-c", _LAUNCHER, *arguments]
    # Where Python may not keep compiled modules, it would compile ours each time, and those of packages never.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with output.open("wb") as stream:
        done = subprocess.run(launched, stdout=stream, stderr=subprocess.PIPE, check=True, text=True, env=environment)
    seconds, memory, status = done.stderr.split()
    return float(seconds), int(memory) / (1024 if sys.platform == "linux" else 1 << 20), int(status)


def _answer(path: Path) -> tuple[int, int]:
    """How many detections a file has, and a sum over them that does not depend on their order."""
    if not path.stat().st_size:
        return 0, 0
    table = pl.read_ndjson(path)
    users = [pl.col(name).cast(pl.String).alias("u") for name in ("user", "partition") if name in table.columns]
    return len(table), int(table.select("start", "end", *users).hash_rows().to_numpy().sum(dtype=np.uint64))


def measured(wanted: Sequence[Cell], rows: int, repetitions: int, seed: int) -> Iterator[list[Row]]:
    """Times of each tool, cell by cell, on logs of so many rows; `MB` is the most memory of a run."""
    with tempfile.TemporaryDirectory(prefix="remora-bench-") as name:
        folder, written = Path(name), None
        for cell in wanted:
            log = folder / f"log.{cell.form}"
            kind = (cell.form, cell.density, cell.partitioned, cell.pattern == "a hundred")
            if kind != written:
                write_log(log, cell, rows, seed)
                written = kind
            yield _compared(cell, log, folder, rows, repetitions)


def _compared(cell: Cell, log: Path, folder: Path, size: int, repetitions: int) -> list[Row]:
    traces = f"{USERS:,}" if cell.partitioned else "1"
    case = {"pattern": cell.pattern, "file": cell.form, "share": f"{cell.density:g}", "traces": traces}
    rows = {tool: Row(case, tool, tool, size=size) for tool in TOOLS}
    for _ in range(repetitions):
        for tool, row in rows.items():
            if row.status != "measured":
                continue
            output = folder / (tool if tool == OURS else "nothing")
            seconds, memory, status = _run(command(tool, cell, log, folder), output)
            more = {"MB": max(round(memory), row.more.get("MB", 0))}
            rows[tool] = replace(row, seconds=(*row.seconds, seconds), more=more)
            if status:
                rows[tool] = replace(row, status="failed", detail=f"it ended with status {status}", seconds=())
    answers = {tool: _answer(folder / tool) for tool, row in rows.items() if row.status == "measured"}
    for tool, answer in answers.items():
        rows[tool] = replace(rows[tool], found=answer[0])
        if OURS in answers and answer != answers[OURS]:
            rows[tool] = replace(rows[tool], status="wrong", detail="it has another answer", seconds=())
    return list(rows.values())
