"""Programs of rules and profiles from Python: what they find is what the commands print."""

import json
from pathlib import Path

import pyarrow
import pytest

from remora import derive
from semantics.errors import InputError
from tests.remora.conftest import Remora

RULES = "event A(x: int)\nevent B(x: int)\nAB(x) <- a: A(x), b: B(x), a before b\n"
PROFILES = 'class a = event(name = "a")\nclass b = event(name = "b")\nprofile P = (a ; b)[5]\n'
LOG: list[dict[str, object]] = [
    {"time": time, "event": event, "x": x, "user": user}
    for time, event, x, user in ((1, "A", 1, "u"), (2, "A", 2, "v"), (3, "B", 1, "u"), (4, "B", 2, "u"))
]


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "ab.rules"
    path.write_text(RULES)
    return path


def test_rules_derive_the_events_that_the_command_prints(rules: Path, tmp_path: Path, remora: Remora) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text("".join(json.dumps(row) + "\n" for row in LOG))
    printed = [json.loads(line) for line in remora("eval", rules, log)[1].splitlines()]
    found = derive(rules, log)
    assert printed == [{"start": n, "time": n + 2, "event": "AB", "x": n} for n in (1, 2)] == found.rows()
    assert found[0]["x"] == 1 and len(found) == 2
    assert "2 events derived" in str(found)
    assert derive(rules, pyarrow.Table.from_pylist(LOG)).to_arrow().to_pylist() == found.rows()
    assert derive(rules, LOG[:1]).to_arrow().num_rows == 0
    rules.write_text("event A(x: int)\nF(x) <- a: A(x), w: extend(a, 9)\n")
    assert [each["time"] for each in derive(rules, LOG, until="10")] == [10]
    assert [each.get("pending") for each in derive(rules, LOG)] == [True, True]
    assert [each.get("pending") for each in derive(rules, LOG, until=1 << 31, tick="1s")] == [None, None]


def test_an_int_of_more_than_64_bits_is_in_rows_and_refused_where_there_are_columns(rules: Path) -> None:
    rules.write_text("event A(x: int)\nF(v = x * x) <- a: A(x)\n")
    found = derive(rules, [{"time": 1, "event": "A", "x": 2**62}])
    assert found[0]["v"] == 2**124
    with pytest.raises(InputError, match="'v' make no column") as caught:
        found.to_arrow()
    assert "Take `rows`" in caught.value.remedy
    with pytest.raises(InputError, match="'x' make no column"):
        derive(rules, [{"time": 1, "event": "A", "x": 2**63}, *LOG])


def test_each_partition_is_looked_at_by_itself(rules: Path) -> None:
    (found,) = derive(rules, LOG, partition_by="user")
    assert found == {"start": 1, "time": 3, "event": "AB", "x": 1, "partition": "u"}


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
