"""Traces in files, and what becomes of them when they are read."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from pyarrow import parquet

from semantics.carlson_lisper.occurrences import Value
from semantics.errors import InputError
from semantics.traces.files import (
    Instant,
    ReadReport,
    SameTime,
    TraceSource,
    admissible,
    read_rows,
)


def file_of(folder: Path, content: str | bytes, name: str = "trace.csv") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def cells(source: TraceSource, **options: Any) -> list[tuple[int, str, Value]]:
    return [(row.time, row.event, row.value) for row in read_rows(source, **options)]


def refusal(source: TraceSource, **options: Any) -> InputError:
    with pytest.raises(InputError) as caught:
        list(read_rows(source, **options))
    return caught.value


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


def parquet_of(folder: Path, **columns: pyarrow.Array) -> Path:
    path = folder / "trace.parquet"
    parquet.write_table(pyarrow.table(columns), path)
    return path


def refusal_of_call(call: Any) -> InputError:
    with pytest.raises(InputError) as caught:
        call()
    return caught.value
