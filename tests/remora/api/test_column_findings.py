"""`remora.detect` on tables and files: the same findings by columns as instant by instant."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from pyarrow import parquet

import remora
from remora.api.detecting.found import Lazy

CELLS: dict[str, list[Any]] = {
    "time": [1, 2, 2, 5, 7, 8, 8, 12],
    "event": ["a", "b", "x", "a", "c", "b", "a", "b"],
    "value": ["u", None, "v", "w", "", "y", "z", "ü"],
}

PATTERN = "(a ; b)[6] - c"


def tables() -> list[Any]:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    table = pyarrow.table(CELLS)
    return [table, pandas.DataFrame(CELLS), polars.DataFrame(CELLS)]


@pytest.mark.parametrize("kind", range(3))
@pytest.mark.parametrize("intervals", [False, True])
def test_a_table_has_the_same_findings_by_columns(kind: int, intervals: bool) -> None:
    table = tables()[kind]
    found: Any = remora.detect(PATTERN, table, intervals=intervals)
    meant: Any = remora.detect(PATTERN, remora.trace(table), intervals=intervals)
    assert isinstance(found.found, Lazy)
    assert found.found == meant.found
    assert found.rows() == meant.rows()
    arrow = found.to_arrow()
    assert arrow.select(meant.to_arrow().column_names) == meant.to_arrow()
    assert intervals or arrow["rows"].to_pylist() == [[0, 1], [6, 7]]
    assert found.trace.events == meant.trace.only("a", "b", "c").events
    assert found.trace.occurrences == meant.trace.only("a", "b", "c").occurrences
    assert repr(found).partition("detected by")[0] == repr(meant).partition("detected by")[0]


def test_times_of_day_are_read_and_shown(tmp_path: Path) -> None:
    begin = datetime(2024, 3, 1, tzinfo=UTC)
    cells = {**CELLS, "time": [begin + timedelta(seconds=time) for time in CELLS["time"]]}
    path = tmp_path / "log.parquet"
    parquet.write_table(pyarrow.table(cells), path)
    for given in (path, pyarrow.table(cells)):
        found = remora.detect("(a ; b)[6s]", given, tick="1s")
        assert isinstance(found.found, Lazy)
        assert found.rows()[0]["start"] == "2024-03-01T00:00:01Z"
        assert found.rows() == remora.detect("(a ; b)[6s]", remora.read_trace(path, tick="1s")).rows()
