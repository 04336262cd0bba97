"""`remora why`: what is found or missed at a time, drawn and as a document that a checker without our code accepts."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import remora as api
from tests.copies import ROOT
from tests.remora.conftest import Remora, refused
from tests.remora.test_systems import GIVEN

PATTERN = "(fail ; fail)[60] - ok"


def checked(document: str, log: Path, folder: Path) -> tuple[int, str]:
    """Exit status and output of the checker, which runs without Remora."""
    (folder / "why.json").write_text(document)
    command = list(map(str, (sys.executable, "-I", ROOT / "docs/examples/check_why.py", folder / "why.json", log)))
    ended = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    return ended.returncode, ended.stdout


def test_the_tree_is_drawn_and_the_document_accepted_by_the_checker(
    remora: Remora, logins: Path, tmp_path: Path
) -> None:
    status, out, _ = remora("why", PATTERN, logins, "--at", 9)
    assert (status, out.splitlines()[0]) == (0, f"{PATTERN} at 9: not found")
    assert "└─ ✗ ok(x)@9" in out and "ok(x)@9 lies within [3, 9]" in out
    assert remora("why", PATTERN, logins, "--at", 3)[1].count("┤  [1, 3]") == 3  # drawn in time
    for at, found in ((3, True), (9, False)):
        document = remora("why", PATTERN, logins, "--at", at, "--format", "json")[1]
        assert bool(json.loads(document)["answers"]) is found
        assert checked(document, logins, tmp_path)[0] == 0
    assert checked(document.replace('"at": ', '"at": 1'), logins, tmp_path)[0] == 1
    assert checked(document.replace('"language": "patterns"', '"language": "rules"'), logins, tmp_path)[0] == 2


def test_a_partition_is_named_and_rows_of_a_tick_may_have_an_order(
    remora: Remora, logins: Path, tmp_path: Path
) -> None:
    by = ("--partition-by", "user")
    document = remora("why", "fail ; fail", logins, "--at", 12, *by, "--partition", "a", "--format", "json")[1]
    assert [(one["start"], one["end"]) for one in json.loads(document)["answers"]] == [(9, 12)]
    assert checked(document, logins, tmp_path)[0] == 0
    assert "Name one of the values of user" in refused(remora("why", "fail", logins, "--at", 3, *by))
    assert "no logs are called 'c'" in refused(remora("why", "fail", logins, "--at", 3, *by, "--partition", "c"))
    assert "Say --partition-by" in refused(remora("why", "fail", logins, "--at", 3, "--partition", "c"))
    ordered = remora("why", "fail ; ok", logins, "--at", 9, "--ties", "order", "--format", "json")[1]
    assert (json.loads(ordered)["answers"][0]["start"], checked(ordered, logins, tmp_path)[0]) == ([9, 0], 0)
    assert "left out" not in remora("why", "fail ; ok", logins, "--at", 9, "--ties", "order")[1]  # one time is drawn
    assert not json.loads(remora("why", "ok ; fail", logins, "--at", 9, "--format", "json")[1])["answers"]


def test_times_of_day_are_asked_for_and_shown_as_such(remora: Remora, tmp_path: Path) -> None:
    log = tmp_path / "log.csv"
    log.write_text("time,event\n2024-05-01T10:00:00Z,a\n2024-05-01T10:01:30Z,b\n")
    asked = ("why", "(a ; b)[1min]", log, "--tick", "1s", "--at")
    out = remora(*asked, "2024-05-01T10:01:30Z")[1]
    assert "takes 90, at most 60" in out and "a@2024-05-01T10:00:00Z" in out
    assert checked(remora(*asked, "2024-05-01T10:01:30Z", "--format", "json")[1], log, tmp_path)[0] == 0
    assert "--at" in refused(remora(*asked, "soon"))
    log.write_text("time,event,value\n3,a,\x1b[31m\n")
    assert "a(\\x1b[31m)@3" in remora("why", "a", log, "--at", 3)[1]
    assert "--only is for rules and profiles" in refused(remora("why", "a", log, "--at", 3, "--only", "P"))


def test_a_log_is_complete_up_to_a_stated_time(remora: Remora) -> None:
    asked = ("why", *GIVEN["rules"], "--at", 42, "--only", "overdue", "--until")
    assert remora(*asked, 50)[2] == "" and "up to 30" in remora(*asked[:-1])[2]
    assert "left out 1 row after 20" in remora(*asked, 20)[2]


@pytest.mark.parametrize("language", GIVEN)
def test_every_language_has_answers_and_misses(remora: Remora, language: str) -> None:
    (text, log), at = GIVEN[language], {"patterns": 4000, "rules": 19, "profiles": 604}[language]
    for time in (at, 3):
        status, out, err = remora("why", text, log, "--at", time, "--format", "json")
        document = json.loads(out)
        assert (status, document["language"], "Traceback" in err) == (0, language, False)
        assert document["answers"] or document["missed"]
        found = api.why(str(text), log, at=time)
        assert (found.found, found.document) == (bool(document["answers"]), document)
        assert found.heading in str(found)


def test_a_log_in_memory_has_reasons_too(tmp_path: Path) -> None:
    found = api.why(api.parse("a ; b"), {"a": [3], "b": [(9, "x")]}, at=9)
    assert found.found and "b(x)@9" in str(found)
    log = tmp_path / "log.csv"
    log.write_text("time,event\n5,b\n5,a\n")
    ordered = api.read_trace(log, ties="order")
    assert [api.why(pattern, ordered, at=5).found for pattern in ("b ; a", "a ; b", "b + a")] == [True, False, True]
    with pytest.raises(api.InputError, match="this is neither"):
        api.why("a", ordered, at=5, ties="order")
