"""Programs of rules and profiles from Python: what they find is what the commands print."""

import json
from pathlib import Path

import pyarrow
import pytest

from remora import InputError, derive, detect
from tests.remora.conftest import Remora

RULES = "event A(x: int)\nevent B(x: int)\nAB(x) <- a: A(x), b: B(x), a before b\n"
PROFILES = 'class a = event(name = "a")\nclass b = event(name = "b")\nprofile P = (a ; b)[5]\n'
LOG = [
    {"time": 1, "event": "A", "x": 1, "user": "u"},
    {"time": 2, "event": "A", "x": 2, "user": "v"},
    {"time": 3, "event": "B", "x": 1, "user": "u"},
    {"time": 4, "event": "B", "x": 2, "user": "u"},
]


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "ab.rules"
    path.write_text(RULES)
    return path


def written(folder: Path) -> Path:
    path = folder / "log.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in LOG))
    return path


def test_rules_derive_the_events_that_the_command_prints(rules: Path, tmp_path: Path, remora: Remora) -> None:
    log = written(tmp_path)
    printed = [json.loads(line) for line in remora("eval", rules, log)[1].splitlines()]
    found = derive(rules, log)
    assert (
        found.rows()
        == printed
        == [{"start": 1, "time": 3, "event": "AB", "x": 1}, {"start": 2, "time": 4, "event": "AB", "x": 2}]
    )
    assert found[0]["x"] == 1 and len(found) == 2
    assert "2 events derived" in str(found)


def test_a_table_is_a_log_and_each_partition_is_looked_at_by_itself(rules: Path) -> None:
    table = pyarrow.Table.from_pylist(LOG)
    assert derive(rules, table).rows() == derive(rules, LOG).rows()
    (found,) = derive(rules, table, partition_by="user")
    assert found == {"start": 1, "time": 3, "event": "AB", "x": 1, "partition": "u"}


def test_what_is_derived_is_a_table_with_a_column_for_each_attribute(rules: Path) -> None:
    table = derive(rules, LOG).to_arrow()
    assert table.column_names == ["start", "time", "event", "x"]
    assert table.column("x").to_pylist() == [1, 2]
    assert derive(rules, LOG[:1]).to_arrow().num_rows == 0


def test_profiles_find_their_occurrences(tmp_path: Path) -> None:
    path = tmp_path / "p.profile"
    path.write_text(PROFILES)
    rows = [{"time": time, "event": event} for time, event in enumerate("abab")]
    found = derive(path, rows)
    assert {each["event"] for each in found} == {"P"} and found[0]["events"][0]["event"] == "a"


def test_times_of_day_come_back_as_they_were_given(rules: Path) -> None:
    rows = [{**row, "time": f"2024-03-01T10:00:0{row['time']}Z"} for row in LOG]
    found = derive(rules, rows, tick="1s")
    assert found.rows()[0]["time"] == "2024-03-01T10:00:03Z"
    assert str(found.to_arrow().column("time").type) == "timestamp[ns, tz=UTC]"


def test_mistakes_are_told_with_their_remedy(rules: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no program"):
        derive("(a ; b)", LOG)
    with pytest.raises(InputError, match="a program, no pattern") as error:
        detect(str(rules), {"a": [1]})
    assert "remora.derive" in error.value.remedy
    with pytest.raises(InputError, match="cannot be read"):
        derive(tmp_path / "none.rules", LOG)
