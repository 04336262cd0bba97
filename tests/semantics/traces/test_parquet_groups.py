"""Row groups of Parquet, unpacked as far as they matter: the rows that Arrow finds in them."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pytest
from pyarrow import parquet

from semantics.native import AVAILABLE
from semantics.traces import arrow_columns
from semantics.traces.arrow_rows import parquet_file, record_batches
from semantics.traces.columns import Columns, Unusual
from semantics.traces.instants import ReadReport
from semantics.traces.parquet.groups import Group, GroupReader
from semantics.traces.parquet.pages import Unreadable, pages
from semantics.traces.reading import Reading
from semantics.traces.rows import MAX_TIME, Partition

pytestmark = pytest.mark.skipif(not AVAILABLE, reason="there is no machine code without Numba")

ASKED = ("a", "b")

READING = {"partition_by": "user"}

Found = tuple[list[tuple[int, int, Partition]], dict[str, int], int]


def table_of(rows: int, seed: int, users: int = 300, kinds: int = 40) -> pyarrow.Table:
    """A log: a tenth of the rows of the types that are asked for, runs of one type among them."""
    rng = np.random.default_rng(seed)
    names = np.array([*ASKED, *(f"other{number}" for number in range(kinds - 2))])
    types = np.where(rng.random(rows) < 0.1, rng.integers(0, 2, rows), rng.integers(2, kinds, rows))
    types[rows // 3 : rows // 2] = kinds - 1
    return pyarrow.table(
        {
            "time": np.cumsum(rng.integers(0, 3, rows)),
            "user": [f"ü{number}" * (number % 4) for number in rng.integers(0, users, rows)],
            "event": names[types],
        }
    )


def found_in(path: Path, monkeypatch: pytest.MonkeyPatch, *, by_arrow: bool, **reading: Any) -> Found:
    """Rows by time, type and partition, how many events there are of each type, and how many row groups Arrow read."""
    by_batches: list[object] = []

    def noted(file: Any, names: Any, origin: Any, most: int, *groups: Any) -> Any:
        by_batches.append(groups)
        return record_batches(file, names, origin, most, *groups)

    with monkeypatch.context() as patch:
        patch.setattr(arrow_columns, "record_batches", noted)
        patch.setattr(arrow_columns, "_is_worth_while", lambda rows: not by_arrow)
        report = ReadReport()
        columns = Columns(
            str(path),
            "parquet",
            ASKED,
            Reading(**READING | {"same_time": "first"} | reading),
            report,
            values=False,
        )
        rows = [
            (time, kind, columns.keys[part])
            for some in columns.rows()
            if some.partitions is not None
            for time, kind, part in zip(
                some.times.tolist(), some.types.tolist(), some.partitions.tolist(), strict=True
            )
        ]
    return rows, dict(report.events), len(by_batches)


HOW: tuple[dict[str, Any], ...] = (
    {},
    {"compression": "zstd"},
    {"compression": "gzip", "row_group_size": 1000},
    {"compression": "none", "row_group_size": 7},
    {"compression": "brotli", "data_page_size": 100},
    {"compression": "zstd", "data_page_size": 500, "dictionary_pagesize_limit": 600},
    {"use_dictionary": ["event"], "column_encoding": {"time": "PLAIN", "user": "PLAIN"}},
)


@pytest.mark.parametrize("how", HOW, ids=str)
def test_the_rows_of_a_group_are_those_that_arrow_finds(
    how: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log.parquet"
    for rows, kinds in ((4000, 40), (100, 2), (5, 3), (1, 2)):
        table = table_of(rows, rows, kinds=max(kinds, 3))
        parquet.write_table(table, path, **how)
        rows_found, events, by_batches = found_in(path, monkeypatch, by_arrow=False)
        expected, all_events, _ = found_in(path, monkeypatch, by_arrow=True)
        assert (rows_found, events) == (expected, all_events)
        assert not by_batches


@pytest.mark.parametrize("nullable", [False, True])
def test_columns_that_cannot_be_null_and_times_of_day_are_read_likewise(
    nullable: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, begin = tmp_path / "log.parquet", datetime(2024, 2, 29, tzinfo=UTC)
    table = table_of(500, 1)
    for unit in ("ms", "us", "ns"):
        kind = pyarrow.timestamp(unit, "UTC")
        times = pyarrow.array([begin + timedelta(seconds=time) for time in table["time"].to_pylist()], kind)
        schema = pyarrow.schema(
            [
                pyarrow.field("time", kind, nullable),
                pyarrow.field("user", pyarrow.string(), nullable),
                pyarrow.field("event", pyarrow.string(), nullable),
            ]
        )
        parquet.write_table(pyarrow.table([times, table["user"], table["event"]], schema=schema), path)
        rows, events, by_batches = found_in(path, monkeypatch, by_arrow=False, tick="1s")
        assert (rows, events) == found_in(path, monkeypatch, by_arrow=True, tick="1s")[:2]
        assert rows
        assert not by_batches


@pytest.mark.parametrize(
    "how",
    [
        {"use_dictionary": False, "column_encoding": {"time": "DELTA_BINARY_PACKED"}},
        {"use_dictionary": False},
        {"data_page_version": "2.0"},
        {"compression": "lz4"},
    ],
    ids=str,
)
def test_a_group_that_is_written_otherwise_is_read_by_arrow(
    how: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log.parquet"
    parquet.write_table(table_of(900, 3), path, row_group_size=300, **how)
    rows, events, by_batches = found_in(path, monkeypatch, by_arrow=False)
    assert (rows, events) == found_in(path, monkeypatch, by_arrow=True)[:2]
    assert by_batches == 3


def test_only_the_groups_with_a_null_are_read_by_arrow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, table = tmp_path / "log.parquet", table_of(900, 4)
    users = [None if row == 450 else user for row, user in enumerate(table["user"].to_pylist())]
    parquet.write_table(table.set_column(1, "user", pyarrow.array(users)), path, row_group_size=300)
    rows, events, by_batches = found_in(path, monkeypatch, by_arrow=False)
    assert (rows, events) == found_in(path, monkeypatch, by_arrow=True)[:2]
    assert by_batches == 1


def test_of_a_damaged_file_no_other_rows_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, rng = tmp_path / "log.parquet", random.Random(5)
    parquet.write_table(table_of(400, 6), path, compression="none", data_page_size=300)
    whole = path.read_bytes()
    with parquet_file(str(path)) as file:
        reader = GroupReader(str(path), file, {"a": 0, "b": 1}, "time", "event", "user", every_time=False)
        good = reader(0)
        assert good is not None
        for _ in range(400):
            place = rng.randrange(4, file.metadata.row_group(0).total_byte_size)
            content = bytearray(whole)
            content[place] = rng.randrange(256)
            path.write_bytes(content)
            found = reader(0)
            assert found is None or _is_within(found, good)
        path.write_bytes(whole[: len(whole) // 3])
        assert reader(0) is None


def _is_within(found: Group, good: Group) -> bool:
    """Whether a group has as many rows as another one, and all places in it are there."""
    parts = [(texts.bounds, len(texts.data)) for texts in found.partitions]
    return (
        len(found.times) == len(found.rows)
        and int(found.counts.sum()) == int(good.counts.sum())
        and all(bounds.min(initial=0) >= 0 and bounds.max(initial=0) <= size for bounds, size in parts)
    )


@pytest.mark.parametrize(
    "chunk", [b"", b"\0", b"\x15\x00\x15\x02\x15\x02\x2c\x15\x02\x00\x00", b"\x1c" * 5000]
)
def test_what_is_no_column_chunk_is_refused(chunk: bytes) -> None:
    with pytest.raises((Unreadable, LookupError, RecursionError)):
        pages(chunk, "UNCOMPRESSED", 100, 1, nullable=False)


def test_disorder_between_groups_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, table = tmp_path / "log.parquet", table_of(600, 7)
    times = table["time"].to_numpy().copy()
    times[300:] -= times[300] - times[299] + 1
    parquet.write_table(table.set_column(0, "time", pyarrow.array(times)), path, row_group_size=300)
    with pytest.raises(Unusual):
        found_in(path, monkeypatch, by_arrow=False)
    rows = found_in(path, monkeypatch, by_arrow=False, sort=True)[0]
    assert rows == found_in(path, monkeypatch, by_arrow=True, sort=True)[0]
    assert rows


@pytest.mark.parametrize("time", [-1, MAX_TIME + 1, 0])
def test_a_time_that_cannot_be_is_noticed_in_a_row_that_nobody_asks_for(
    time: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, table = tmp_path / "log.parquet", table_of(600, 8)
    times = table["time"].to_numpy().copy()
    row = next(row for row in range(400, 600) if table["event"][row].as_py() not in ASKED)
    times[row] = time
    how: dict[str, Any] = {"row_group_size": 300, "use_dictionary": ["event", "user"]}
    parquet.write_table(table.set_column(0, "time", pyarrow.array(times)), path, **how)
    for by_arrow in (False, True):
        with pytest.raises(Unusual):
            found_in(path, monkeypatch, by_arrow=by_arrow, sort=time != 0)
    if time == 0:  # where rows are sorted, it can be
        rows = found_in(path, monkeypatch, by_arrow=False, sort=True)[0]
        assert rows == found_in(path, monkeypatch, by_arrow=True, sort=True)[0]
