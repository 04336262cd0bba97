"""The commands for files of profiles: ticks, partitions, what can be withdrawn and what is stored, bad input."""

import json
from pathlib import Path

import pytest

from campaigns.hinze_voisard.system import CASES
from remora.terminal.options import Result
from tests.remora.conftest import Remora, refused
from tests.remora.documents import rows

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


@pytest.mark.parametrize("command", ["eval", "detect"])
def test_a_time_that_the_log_does_not_reach_is_told(remora: Remora, folder: Path, command: str) -> None:
    (folder / "two.profile").write_text(f"{FLEET}class two = time(14h)\nprofile P = (two ; jam)\n")
    status, out, err = remora(command, folder / "two.profile", folder / "log.csv", "--only", "P")
    assert (status, out) == (0, "")
    assert "the class two lies outside the trace, at 1970-01-01T14:00:00Z" in err
    assert "time(every 24h from 14h)" in err
    assert "outside" not in remora(command, folder / "two.profile", folder / "log.csv", "--only", "P1")[2]


def test_a_place_of_the_source_is_read_as_it_is_printed(remora: Remora, folder: Path) -> None:
    (folder / "two.profile").write_text(f"{FLEET}profile P = (jam ; truck)[5min]\n")
    options = "eval", folder / "two.profile", folder / "log.csv", "--only", "P"
    meant = rows(remora(*options)[1])
    status, out, err = remora(*options, "--as-printed", "end-of-a-sequence")
    assert (status, [(row["start"], row["time"]) for row in rows(out)]) == (
        0,
        [("2024-05-01T10:02:00Z", "2024-05-01T10:03:00Z")],
    )
    assert "as printed, end-of-a-sequence: a sequence ends within (t(e1), t(e1) + 1]" in err
    assert len(meant) == 4
    assert "is not one of" in refused(remora(*options, "--as-printed", "equation-9"))


def test_what_is_announced_and_not_withdrawn_is_what_is_evaluated(remora: Remora, folder: Path) -> None:
    options = folder / "fleet.profile", folder / "log.csv", "--partition-by", "area"
    said = rows(remora("detect", *options)[1])
    standing: list[dict[str, object]] = []
    for row in said:
        _, kind = row.pop("at"), row.pop("kind")
        standing.append(row) if kind == "announced" else standing.remove(row)
    wanted = rows(remora("eval", *options, "--until", "2024-05-01T10:04:00Z")[1])
    assert sorted(map(str, standing)) == sorted(map(str, wanted))
    assert {row["partition"] for row in standing} == {"A"}


def test_what_a_later_row_can_withdraw_is_pending_unless_the_log_is_complete(remora: Remora, folder: Path) -> None:
    (folder / "fleet.profile").write_text(f"{FLEET}profile Idle = not(truck)[3min]\n")
    options = folder / "fleet.profile", folder / "log.csv"
    status, out, err = remora("eval", *options)
    assert (status, {row["event"]: row.get("pending") for row in rows(out)}) == (0, {"P1": True, "P2": None})
    assert "2 occurrences are pending, as rows may follow the last one, at 2024-05-01T10:04:00Z" in err
    complete = (*options, "--until", "2024-05-01T10:08:00Z")
    status, out, err = remora("eval", *complete)
    found = [f"{row['event']} {row['start'][11:16]} {row['time'][11:16]}" for row in rows(out) if row["event"] != "P2"]
    assert (status, found) == (0, ["P1 10:00 10:04", "P1 10:02 10:04", "Idle 10:08 10:08"])
    assert "pending" not in out + err
    assert rows(remora("detect", *complete)[1])[-1]["at"] == "2024-05-01T10:08:00Z"
    short = rows(remora("eval", *options, "--until", "2024-05-01T10:03:00Z")[1])
    assert max(row["time"] for row in short) == "2024-05-01T10:03:00Z" and len(short) == 4


def test_a_profile_is_explained_with_what_can_be_withdrawn_and_what_has_no_bound(remora: Remora, folder: Path) -> None:
    out = remora("explain", folder / "fleet.profile", "--log", folder / "log.csv")[1]
    assert "jam and truck in either order at most 5 ticks apart; of successive jam all" in out
    assert "another last one of its list can follow" in out
    assert "no bound for (jam ; truck)" in out
    assert "\nP2     ├──" in out
    document = json.loads(remora("explain", folder / "fleet.profile", "--format", "json")[1])
    assert [one["bounded"] for one in document["profiles"]] == [True, False]
    assert [bool(one["withdraws"]) for one in document["profiles"]] == [True, False]


def test_a_name_of_events_of_two_classes_that_have_none_in_common_is_warned_of(remora: Remora, folder: Path) -> None:
    text = "profile {} = ((x: jam ; y: jam) {} (y: truck ; x: jam))\n"
    (folder / "never.profile").write_text(FLEET + text.format("All", "/\\") + text.format("Some", "\\/"))
    err = remora("explain", folder / "never.profile")[2]
    assert "in All y is an event of jam and of truck, which have none in common" in err
    assert err.count("warning") == 1


@pytest.mark.slow
def test_settings_are_measured_and_a_wrong_engine_gets_no_speed(
    remora: Remora, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("bench", "--system", "hinze_voisard", "--events", "1000", "--repetitions", "1", "--format", "json")
    status, out, _ = remora(*asked, "last-last-keep", "2-2-reapply")
    rows = json.loads(out)["rows"]
    assert (status, [one["case"]["setting"] for one in rows]) == (0, ["last-last-keep", "2-2-reapply"])
    assert all(one["rate"] > 0 for one in rows)
    monkeypatch.setattr("benchmarks.profiles.Engine", CASES.factory("mutant:last-is-never-withdrawn", ()))
    status, out, _ = remora(*asked, "last-last-keep")
    (row,) = json.loads(out)["rows"]
    assert (status, row["status"], row["rate"]) == (1, "wrong", 0)


def test_an_engine_on_a_log_is_compared_with_the_definition(
    remora: Remora, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "last.profile").write_text(
        'class a = event(name = "a")\nclass b = event(name = "b")\nprofile P = (a ; b) { select last }\n'
    )
    (tmp_path / "log.csv").write_text("time,event\n1,a\n2,b\n3,b\n")
    asked = "verify", tmp_path / "last.profile", tmp_path / "log.csv"
    same = (0, "same: 3 events, 2 announced, 1 withdrawn, 1 stand at the end\n", "")
    assert remora(*asked) == same
    for wrong, said in (
        (asked[:2], "Name the log too"),
        ((*asked, "--quick"), "--quick is for a whole verification"),
        (("verify", "--log", asked[2], asked[1]), "remora verify"),
    ):
        status, _, err = remora(*wrong)
        assert (status, said in err) == (2, True)
    monkeypatch.setattr("remora.systems.hinze_voisard.Engine", CASES.factory("mutant:last-is-never-withdrawn", ()))
    status, out, err = remora(*asked)
    assert (status, out[:9]) == (1, "different")
    assert 'by the engine alone: {"start": 1, "time": 2' in err
    status, out, _ = remora(*asked, "--format", "json")
    (partition,) = json.loads(out)["partitions"]
    assert (status, len(partition["differences"])) == (1, 2)


def test_a_stream_of_profiles_with_time_events_says_how_far_these_count(
    remora: Remora, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("remora.systems.protocol.FolderStream.run", lambda *given: Result(None))
    (tmp_path / "noon.profile").write_text(
        'class a = event(name = "a")\nclass noon = time(every 10)\nprofile P = (a ; noon)\nprofile Q = (a ; a)\n'
    )
    told = "time events count up to the last event of each log"
    asked = "stream", tmp_path / "noon.profile", tmp_path, "--key", "k"
    for only, said in ((), True), (("--only", "Q"), False):
        status, _, err = remora(*asked, *only)
        assert (status, told in err) == (0, said)
