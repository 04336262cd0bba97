"""An engine of profiles on a log of one's own, and what a stream of profiles says."""

import json
from pathlib import Path

import pytest

from campaigns.hinze_voisard.system import CASES
from remora.terminal.options import Result
from tests.remora.conftest import Remora


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
    monkeypatch.setattr("remora.systems.folders.FolderStream.run", lambda *given: Result(None))
    (tmp_path / "noon.profile").write_text(
        'class a = event(name = "a")\nclass noon = time(every 10)\nprofile P = (a ; noon)\nprofile Q = (a ; a)\n'
    )
    told = "time events count up to the last event of each log"
    asked = "stream", tmp_path / "noon.profile", tmp_path, "--key", "k"
    for only, said in ((), True), (("--only", "Q"), False):
        status, _, err = remora(*asked, *only)
        assert (status, told in err) == (0, said)
