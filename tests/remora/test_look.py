"""`remora look`: all that stands against a log, and the options that read it, printed or stored beside it."""

import json
import shlex
from pathlib import Path

import pytest

from tests.remora.conftest import Remora, refused
from tests.remora.documents import rows

ROWS = ("05Z;pay;ann", "00Z;order;ann", "09.5Z;order;bob", "99Z;pay;bob", "12Z;pay;", "12Z;pay;bob")


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "shop.csv"
    path.write_text("".join(f"{row}\n" for row in ["at;what;user", *(f"2024-03-01T10:00:{row}" for row in ROWS)]))
    return path


def test_all_that_stands_against_a_log_is_said_at_once_with_a_command_that_reads_it(remora: Remora, log: Path) -> None:
    status, out, _ = remora("look", log, "--format", "json")
    found = json.loads(out)
    asked = {"time": "at", "event": "what", "delimiter": ";", "tick": "1ms", "sort": True, "same_time": "first"}
    assert (status, found["options"]) == (0, {**asked, "skip_bad": True})
    assert (found["rows"], found["events"], found["bad"], found["empty"]) == (5, {"pay": 3, "order": 2}, 1, {"user": 1})
    assert (found["out_of_order"], found["lag"], found["same_tick"], found["repeated"]) == (1, 5000, 1, 1)
    status, out, _ = remora(*shlex.split(found["command"])[1:])
    assert (status, len(rows(out))) == (0, 1)
    text = remora("look", log)[1]
    assert found["command"] in text
    assert "user (key?)" in text


def test_options_beside_a_log_are_used_and_told_and_the_command_line_goes_before_them(
    remora: Remora, log: Path, tmp_path: Path
) -> None:
    assert "stored in" in remora("look", log, "--write")[2]
    status, out, err = remora("detect", "order ; pay", log)
    assert (status, len(rows(out)), f"read as {tmp_path / 'remora.toml'} says: --time at" in err) == (0, 2, True)
    assert "no column 'when'" in refused(remora("detect", "order ; pay", log, "--time", "when"))
    assert "a table for shop.csv already" in refused(remora("look", log, "--write"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('tmie = "at"', "remora.toml: tmie: there is no such option\n  Did you mean time?"),
        ('["other.csv"]\nsort = 1', 'remora.toml: ["other.csv"] sort: 1 is no value of it\n  Write true or false.'),
        ("time = ", "remora.toml: it is no TOML"),
    ],
)
def test_a_file_beside_a_log_that_states_no_option_is_refused(remora: Remora, log: Path, text: str, said: str) -> None:
    (log.parent / "remora.toml").write_text(text)
    assert said in refused(remora("detect", "a", log))
