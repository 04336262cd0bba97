"""`remora.detect` on tables and files: the same findings by columns as instant by instant."""

from typing import Any

import pytest

import remora
from remora.api.detecting.found import Lazy

CELLS: dict[str, list[Any]] = {
    "time": [1, 2, 2, 5, 7, 8, 8, 12],
    "event": ["a", "b", "x", "a", "c", "b", "a", "b"],
    "value": ["u", None, "v", "w", "", "y", "z", "ü"],
}

PATTERN = "(a ; b)[6] - c"


@pytest.mark.parametrize("library", ["pyarrow", "pandas", "polars"])
@pytest.mark.parametrize("intervals", [False, True])
def test_a_table_has_the_same_findings_by_columns(library: str, intervals: bool) -> None:
    module = pytest.importorskip(library)
    table = module.table(CELLS) if library == "pyarrow" else module.DataFrame(CELLS)
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
