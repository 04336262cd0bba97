"""Helpers that write trace files and read them."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from pyarrow import parquet

from semantics.carlson_lisper.occurrences import Occurrence, Value
from semantics.carlson_lisper.traces import admissible, read_rows
from semantics.errors import InputError
from semantics.traces.files import TraceSource
from semantics.traces.instants import Instant, ReadReport, SameTime


def file_of(folder: Path, content: str | bytes, name: str = "trace.csv") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def cells(source: TraceSource, **options: Any) -> list[tuple[int, str, Value]]:
    return [(row.time, row.event, row.value) for row in read_rows(source, **options)]


def refusal(source: TraceSource, **options: Any) -> InputError:
    return refusal_of_call(lambda: list(read_rows(source, **options)))


def instants(
    source: TraceSource,
    *,
    sort: bool = False,
    same_time: SameTime | None = None,
    report: ReadReport | None = None,
    partition_by: str | None = None,
) -> list[Instant]:
    rows = read_rows(source, partition_by=partition_by)
    return list(admissible(rows, sort=sort, same_time=same_time, report=report or ReadReport()))


def kept(found: Iterable[Instant]) -> list[tuple[int, str, Value]]:
    return [(row.time, row.event, row.value) for instant in found for row in instant.rows]


def written(path: Path, occurrences: list[Occurrence]) -> None:
    """Write a trace in the format of the path's suffix, as the library of the format does."""
    names, cells = ["time", "event", "value"], [(o.time, o.event, o.value) for o in occurrences]
    if path.suffix == ".csv":
        with path.open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream).writerows([names, *cells])
    elif path.suffix == ".jsonl":
        lines = (json.dumps(dict(zip(names, row, strict=True))) for row in cells)
        path.write_text("".join(f"{line}\n" for line in lines) or "\n")
    else:
        columns = [
            pyarrow.array([row[i] for row in cells], kind)
            for i, kind in ((0, "int64"), (1, "string"), (2, None))
        ]
        parquet.write_table(pyarrow.table(columns, names=names), path)


def parquet_of(folder: Path, **columns: pyarrow.Array) -> Path:
    path = folder / "trace.parquet"
    parquet.write_table(pyarrow.table(columns), path)
    return path


def refusal_of_call(call: Any) -> InputError:
    with pytest.raises(InputError) as caught:
        call()
    return caught.value
