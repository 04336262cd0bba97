"""That rows are packed by key without loss, and that a cell that breaks a rule of traces is refused."""

from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from semantics.errors import InputError
from streaming.packs import as_json, check, grouped

ROWS = st.lists(
    st.tuples(
        st.sampled_from([None, "u", "v", ""]),
        st.integers(0, 50),
        st.sampled_from("ab"),
        st.none() | st.text(),
    )
)


def batch(rows: list[tuple[Any, ...]]) -> pa.RecordBatch:
    keys, times, events, values = ([row[place] for row in rows] for place in range(4))
    columns = [
        pa.array(keys, pa.string()),
        pa.array(times, pa.int64()),
        pa.array(events, pa.string()),
        pa.array(values, pa.string()),
    ]
    return pa.RecordBatch.from_arrays(columns, ["key", "time", "event", "value"])


@given(ROWS)
@settings(deadline=None)
def test_a_pack_has_the_rows_of_its_key_in_their_order(rows: list[tuple[Any, ...]]) -> None:
    packs = [pack for one in grouped(batch(rows)) for pack in one.to_pylist()]
    assert len({pack["key"] for pack in packs}) == len(packs)
    for pack in packs:
        mine = [row[1:] for row in rows if row[0] == pack["key"]]
        assert list(zip(pack["times"], pack["events"], pack["values"], strict=True)) == mine
    assert sum(len(pack["times"]) for pack in packs) == len(rows)


@pytest.mark.parametrize(
    ("time", "event", "problem"),
    [
        (-1, "a", "is negative"),
        (None, "a", "the time is missing"),
        (10**18 + 1, "a", "greater than the limit"),
        (1, None, "the event is missing"),
        (1, "", "is missing"),
    ],
)
def test_a_cell_that_breaks_a_rule_is_refused(time: int | None, event: str | None, problem: str) -> None:
    good = ("u", 1, "a", None)
    check(batch([good, good]))
    with pytest.raises(InputError, match=problem):
        check(batch([good, ("u", time, event, None), good]))


def test_values_are_scalars() -> None:
    assert [as_json(value) for value in (None, 3, "x", True)] == [None, "3", '"x"', "true"]
    with pytest.raises(InputError, match="is an array"):
        as_json([1])
