"""Helpers that write trace files and read them."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from pyarrow import parquet

from semantics.carlson_lisper.occurrences import Occurrence, Value
from semantics.carlson_lisper.traces import FORM
from semantics.errors import InputError
from semantics.traces.files import TraceSource, read_rows
from semantics.traces.reading import Reading
from semantics.traces.rows import ReadReport, Row


def file_of(folder: Path, content: str | bytes, name: str = "trace.csv") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def parquet_of(folder: Path, **columns: Any) -> Path:
    path = folder / "trace.parquet"
    parquet.write_table(pyarrow.table({name: pyarrow.array(cells) for name, cells in columns.items()}), path)
    return path


def rows_of(source: TraceSource, report: ReadReport | None = None, **options: Any) -> Iterator[Row]:
    return read_rows(source, Reading(**options), form=FORM, report=report)


def cells(source: TraceSource, report: ReadReport | None = None, **options: Any) -> list[tuple[int, str, Value]]:
    return [(row.time, row.event, row.value) for row in rows_of(source, report, **options)]


def refusal(source: TraceSource, **options: Any) -> InputError:
    return refusal_of_call(lambda: list(rows_of(source, **options)))


def refusal_of_call(call: Any) -> InputError:
    with pytest.raises(InputError) as caught:
        call()
    return caught.value


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
        kinds = enumerate(("int64", "string", None))
        columns = [pyarrow.array([row[place] for row in cells], kind) for place, kind in kinds]
        parquet.write_table(pyarrow.table(columns, names=names), path)
