"""Helpers that write trace files and read them."""

import csv
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from pyarrow import parquet

from semantics.carlson_lisper.occurrences import Occurrence, Value
from semantics.carlson_lisper.traces import FORM, read_instants
from semantics.errors import InputError
from semantics.traces.files import TraceSource, read_rows
from semantics.traces.instants import Instant, ReadReport
from semantics.traces.reading import Reading
from semantics.traces.rows import Row


def file_of(folder: Path, content: str | bytes, name: str = "trace.csv") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def rows_of(source: TraceSource, report: ReadReport | None = None, **options: Any) -> Iterator[Row]:
    return read_rows(source, Reading(**options), form=FORM, report=report)


def cells(source: TraceSource, **options: Any) -> list[tuple[int, str, Value]]:
    return [(row.time, row.event, row.value) for row in rows_of(source, **options)]


def refusal(source: TraceSource, **options: Any) -> InputError:
    return refusal_of_call(lambda: list(rows_of(source, **options)))


def instants(source: TraceSource, report: ReadReport | None = None, **options: Any) -> list[Instant]:
    return list(read_instants(source, Reading(**options), report=report))


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
            pyarrow.array([row[i] for row in cells], kind) for i, kind in ((0, "int64"), (1, "string"), (2, None))
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
