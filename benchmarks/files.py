"""File-to-file benchmarks: from a log to its detections, `remora detect` beside Polars and DuckDB.

Each job is a process of its own, timed from its start to its end, with all cores that it takes. The tools take turns,
and all that they write is compared.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Literal, TypeAlias

import numpy as np

from benchmarks.patterns import HUNDRED, MANY, Pattern
from benchmarks.patterns import PATTERNS as NUMBERED

Form: TypeAlias = Literal["csv", "parquet", "jsonl"]

FORMS: tuple[Form, ...] = ("csv", "parquet", "jsonl")

DENSITIES = (0.01, 0.1, 0.5)
"""The share of rows of the event types that a pattern mentions."""

USERS = 100_000
"""So many partitions."""

TYPES = "ABCPT"
"""The event types of the patterns i to iv."""

OURS = "remora"

TOOLS = (OURS, "Polars", "DuckDB")


PATTERNS: Mapping[str, Sequence[Pattern]] = {**{name: (each,) for name, each in NUMBERED.items()}, "a hundred": HUNDRED}
"""By the name in the table."""


@dataclass(frozen=True)
class Cell:
    """A log and what is looked for in it.

    Attributes:
        form: of the file.
        density: the share of rows that matter.
        partitioned: whether there are partitions.
        pattern: the name of the patterns.
    """

    form: Form
    density: float
    partitioned: bool
    pattern: str


@dataclass(frozen=True)
class Timed:
    """What a tool took for a cell.

    Attributes:
        seconds: of each repetition.
        peak: the most memory of a run, in MB.
        problem: why there is no answer; "" for one.
    """

    cell: Cell
    tool: str
    seconds: tuple[float, ...]
    peak: float
    detections: int
    problem: str = ""

    @property
    def median(self) -> float:
        """The median of the seconds; 0 where there is none."""
        return median(self.seconds) if self.seconds else 0.0


def cells(
    forms: Sequence[Form] = FORMS, densities: Sequence[float] = DENSITIES, patterns: Sequence[str] = tuple(PATTERNS)
) -> list[Cell]:
    """The cells of the table."""
    return [
        Cell(form, density, partitioned, pattern)
        for density in densities
        for partitioned in (False, True)
        for form in forms
        for pattern in patterns
    ]


def write_log(path: Path, cell: Cell, rows: int, seed: int) -> None:
    """Write a log of a row each tick, in the form and with the density and the partitions of a cell."""
    import pyarrow
    from pyarrow import csv, parquet

    random = np.random.default_rng([seed, int(1000 * cell.density), cell.partitioned])
    asked = list(MANY if cell.pattern == "a hundred" else TYPES)
    names = pyarrow.array([*asked, *(f"other{number}" for number in range(30))])
    matters = random.random(rows) < cell.density
    types = np.where(matters, random.integers(0, len(asked), rows), random.integers(len(asked), len(names), rows))
    table = pyarrow.table(
        {"time": np.arange(rows), "event": names.take(pyarrow.array(types)), "value": random.integers(0, 1000, rows)}
    )
    if cell.partitioned:
        users = pyarrow.array(random.integers(0, USERS, rows)).cast(pyarrow.string())
        table = table.append_column("user", pyarrow.compute.binary_join_element_wise("u", users, ""))
    match cell.form:
        case "csv":
            csv.write_csv(table, path, csv.WriteOptions(quoting_style="none"))
        case "parquet":
            parquet.write_table(table, path, compression="zstd")
        case _:
            with path.open("w", encoding="utf-8") as file:
                for batch in table.to_batches(1 << 16):
                    columns = [batch.column(name).to_pylist() for name in batch.schema.names]
                    user = ', "user": "{}"' if cell.partitioned else ""
                    line = f'{{{{"time": {{}}, "event": "{{}}", "value": {{}}{user}}}}}\n'
                    file.writelines(map(line.format, *columns))


def command(tool: str, cell: Cell, log: Path, folder: Path) -> list[str]:
    """What is run, and writes `folder / tool`, or its standard output there."""
    if tool != OURS:
        job = {
            "log": str(log),
            "form": cell.form,
            "partitioned": cell.partitioned,
            "patterns": [asdict(each) for each in PATTERNS[cell.pattern]],
            "output": str(folder / tool),
        }
        return [sys.executable, "-m", "benchmarks.peers", tool, json.dumps(job)]
    found = PATTERNS[cell.pattern]
    asked = [found[0].text, str(log)]
    if len(found) > 1:
        listed = folder / "patterns"
        listed.write_text("".join(f"{each.text}\n" for each in found), encoding="utf-8")
        asked = ["--patterns", str(listed), str(log)]
    partition = ["--partition-by", "user"] if cell.partitioned else []
    return [sys.executable, "-m", "remora", "detect", *asked, "--intervals", "--format", "jsonl", *partition]


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
        told = subprocess.run(
            launched, stdout=stream, stderr=subprocess.PIPE, check=True, text=True, env=environment
        ).stderr
    seconds, memory, status = told.split()
    return float(seconds), int(memory) / (1024 if sys.platform == "linux" else 1 << 20), int(status)


def _answer(path: Path) -> tuple[int, int]:
    """How many detections a file has, and a sum over them that does not depend on their order."""
    import pyarrow
    from pyarrow import json as arrow_json

    if not path.stat().st_size:
        return 0, 0
    table = arrow_json.read_json(path)
    names = [name for name in table.schema.names if name in ("start", "end")]
    starts, ends = (table.column(name).to_numpy().astype(np.uint64) for name in sorted(names, reverse=True))
    mixed = (starts * np.uint64(0x9E3779B97F4A7C15)) ^ (ends * np.uint64(0xC2B2AE3D27D4EB4F))
    user = next((name for name in ("user", "partition") if name in table.schema.names), None)
    if user is not None:
        keys = pyarrow.compute.utf8_slice_codeunits(table.column(user), 1).cast(pyarrow.uint64()).to_numpy()
        mixed ^= keys * np.uint64(0x165667B19E3779F9)
    return len(table), int(mixed.sum(dtype=np.uint64))


def measured(
    wanted: Sequence[Cell], rows: int, repetitions: int, seed: int, say: Callable[[str], None]
) -> Iterator[list[Timed]]:
    """What each tool takes, cell by cell, on logs of so many rows."""
    with tempfile.TemporaryDirectory(prefix="remora-bench-") as name:
        folder, written = Path(name), None
        for cell in wanted:
            log = folder / f"log.{cell.form}"
            kind = (cell.form, cell.density, cell.partitioned, cell.pattern == "a hundred")
            if kind != written:
                write_log(log, cell, rows, seed)
                written = kind
            say(f"{cell.form}, {cell.density}, {'partitions' if cell.partitioned else 'one stream'}, {cell.pattern}")
            yield _compared(cell, log, folder, repetitions)


def _compared(cell: Cell, log: Path, folder: Path, repetitions: int) -> list[Timed]:
    seconds: dict[str, list[float]] = {tool: [] for tool in TOOLS}
    peak = dict.fromkeys(TOOLS, 0.0)
    problems: dict[str, str] = {}
    for tool in TOOLS[1:]:
        if find_spec(tool.lower()) is None:
            problems[tool] = f"{tool} is not installed"
    for _ in range(repetitions):
        for tool in TOOLS:
            if tool in problems:
                continue
            output = folder / (tool if tool == OURS else "nothing")
            took, memory, status = _run(command(tool, cell, log, folder), output)
            seconds[tool].append(took)
            peak[tool] = max(peak[tool], memory)
            if status:
                problems[tool] = f"it ended with status {status}"
    answers = {tool: _answer(folder / tool) for tool in TOOLS if tool not in problems}
    for tool, answer in answers.items():
        if OURS in answers and answer != answers[OURS]:
            problems[tool] = "it has another answer"
    return [
        Timed(
            cell,
            tool,
            () if tool in problems else tuple(seconds[tool]),
            peak[tool],
            answers.get(tool, (0, 0))[0],
            problems.get(tool, ""),
        )
        for tool in TOOLS
    ]
