"""`remora gate` on the command line, and that the page about it shows what it prints."""

import json
import re
from pathlib import Path

import pytest

from campaigns.judging.regressions import OWN
from tests.remora.conftest import Remora, refused
from tests.remora.documents import of_its_schema
from tests.reports.formats import read_junit

ROOT = Path(__file__).parents[3]
EXAMPLES = ROOT / "docs" / "examples"


def test_a_damaged_regression_is_bad_input(remora: Remora, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("{}")
    judged = remora("gate", "--cases", "5", "--detector", "figure2", "--regressions", tmp_path)
    assert "not a regression" in refused(judged)


@pytest.mark.slow
@pytest.mark.usefixtures("small_gate")
def test_the_command_writes_every_format(remora: Remora, tmp_path: Path) -> None:
    where = ("--regressions", tmp_path / "kept", "--out", tmp_path / "out")
    status, out, _ = remora("gate", "--cases", "10", "--detector", "mutant:seq-newest", *where)
    assert status == 1
    assert "expected only" in out
    assert out.rstrip().endswith("May not go in: mutant:seq-newest failed.")
    written = {path.name for path in (tmp_path / "out").iterdir()}
    assert written == {"gate.md", "gate.json", "gate.junit.xml"}
    document = of_its_schema((tmp_path / "out" / "gate.json").read_text("utf-8"))
    assert (document["exit_status"], bool(document["failures"])) == (1, True)
    for path in [*OWN.glob("*.json"), *(tmp_path / "kept").glob("*.json")]:
        of_its_schema(path.read_text("utf-8"))
    read_junit((tmp_path / "out" / "gate.junit.xml").read_text("utf-8"))


@pytest.mark.usefixtures("small_gate")
def test_another_format_is_all_that_is_printed(remora: Remora, tmp_path: Path) -> None:
    status, out, err = remora(
        "gate", "--cases", "5", "--detector", "figure2", "--regressions", tmp_path, "--format", "json"
    )
    assert (status, err) == (3, "")
    assert json.loads(out)["exit_status"] == 3


def test_the_pre_commit_entry_and_the_workflow_call_commands_that_exist(remora: Remora) -> None:
    hooks = (ROOT / ".pre-commit-hooks.yaml").read_text("utf-8")
    workflow = (EXAMPLES / "gate.yml").read_text("utf-8")
    _, text, _ = remora("gate", "--help")
    assert "entry: remora gate\n" in hooks
    for option in re.findall(r"--[a-z]+", hooks + workflow):
        assert option in text


@pytest.mark.usefixtures("small_gate")
def test_the_users_own_log_is_put_to_the_detector(remora: Remora, tmp_path: Path) -> None:
    log = tmp_path / "log.csv"
    log.write_text("when;event;user\n1;a;u\n2;b;u\n2;a;v\n5;b;v\n7;a;\n")
    given = ("--log", log, "a ; b", "--time", "when", "--delimiter", ";", "--partition-by", "user")
    where = ("--cases", "3", "--detector", "mutant:seq-newest", "--regressions", tmp_path / "kept")
    _, out, err = remora("gate", *where, *given)
    assert "logs         passed    3 of your logs for the detector" in out
    assert f"--time when --delimiter ';' --partition-by user --log {log} 'a ; b'" in err
    assert "without a value of 'user'" in err
    assert "this system has none" in refused(remora("gate", "--system", "bry_eckert", *given))
