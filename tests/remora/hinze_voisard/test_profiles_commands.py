"""The commands for files of profiles: ticks, partitions, what can be withdrawn and what is stored, bad input."""

import json
from pathlib import Path

import pytest

from tests.remora.conftest import Remora, refused
from tests.remora.documents import of_its_schema

FLEET = """\
tick = 1min
class jam = event(name = "jam")
class truck = event(name = "truck")
profile P1 = (jam , truck)[5min] { select jam: all, truck: last }
profile P2 = (jam ; truck) { consume lists }
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "fleet.profile").write_text(FLEET)
    (tmp_path / "log.csv").write_text(
        "time,event,area\n"
        "2024-05-01T10:00:00Z,jam,A\n2024-05-01T10:02:00Z,jam,B\n"
        "2024-05-01T10:03:00Z,truck,A\n2024-05-01T10:04:00Z,truck,A\n"
    )
    return tmp_path


def rows(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


def test_times_of_day_are_counted_in_the_tick_of_the_file(remora: Remora, folder: Path) -> None:
    status, out, err = remora("eval", folder / "fleet.profile", folder / "log.csv", "--only", "P1")
    assert (status, err) == (0, "")
    assert [(row["start"], row["time"]) for row in rows(out)] == [
        ("2024-05-01T10:00:00Z", "2024-05-01T10:04:00Z"),
        ("2024-05-01T10:02:00Z", "2024-05-01T10:04:00Z"),
    ]


@pytest.mark.parametrize("command", ["eval", "detect"])
def test_another_tick_than_that_of_the_file_is_refused(remora: Remora, folder: Path, command: str) -> None:
    ended = remora(command, folder / "fleet.profile", folder / "log.csv", "--tick", "1s")
    assert "--tick: the tick is 1s, and the file states 1min" in refused(ended)


def test_what_is_announced_and_not_withdrawn_is_what_is_evaluated(remora: Remora, folder: Path) -> None:
    options = folder / "fleet.profile", folder / "log.csv", "--partition-by", "area"
    said = rows(remora("detect", *options)[1])
    standing: list[dict[str, object]] = []
    for row in said:
        _, kind = row.pop("at"), row.pop("kind")
        standing.append(row) if kind == "announced" else standing.remove(row)
    wanted = rows(remora("eval", *options)[1])
    assert sorted(map(str, standing)) == sorted(map(str, wanted))
    assert {row["partition"] for row in standing} == {"A"}


def test_a_profile_is_explained_with_what_can_be_withdrawn_and_what_has_no_bound(
    remora: Remora, folder: Path
) -> None:
    out = remora("explain", folder / "fleet.profile", "--log", folder / "log.csv")[1]
    assert "jam and truck in either order at most 5 ticks apart; of successive jam all" in out
    assert "another last one of its list can follow" in out
    assert "no bound for (jam ; truck)" in out
    assert "\nP2     ├──" in out
    document = of_its_schema(remora("explain", folder / "fleet.profile", "--format", "json")[1])
    assert [one["bounded"] for one in document["profiles"]] == [True, False]
    assert [bool(one["withdraws"]) for one in document["profiles"]] == [True, False]
