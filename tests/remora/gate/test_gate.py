"""The gate lets right detectors pass, finds out the others within the time it is given, and says how sure it is."""

import json
import re
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from campaigns.carlson_lisper.mutants import MUTANTS
from campaigns.carlson_lisper.system import CASES
from campaigns.engine.findings import Check, Clock
from campaigns.judging.regressions import OWN, stored_regressions
from campaigns.judging.verdicts import Kind
from campaigns.power import Death, Power
from laws.standings import ExitStatus, Standing
from proofs.proving import RECORDED
from remora.gate.gate import Gate, GateResult, Request, parse_budget
from remora.gate.output import gate_data, rendered, stage_lines
from remora.terminal.progress import Progress
from reports.documents import complaint
from semantics.errors import InputError, LimitExceeded
from tests.remora.conftest import Remora, refused
from tests.remora.documents import of_its_schema
from tests.remora.gates import checks, outcome
from tests.reports.formats import read_junit

ROOT = Path(__file__).parents[3]
BROKEN = "tests.campaigns.broken_detectors"


def gate_of(folder: Path, **others: Any) -> Gate:
    return Gate(Request(("figure2",), folder, **others), Progress(quiet=True))


@pytest.mark.parametrize(
    ("text", "seconds"), [("2h3m4s", 7384), ("0.5m", 30), ("1h", 3600), ("30s", 30), ("1m30s", 90), ("20h59m", 75540)]
)
def test_a_budget_is_the_sum_of_its_parts(text: str, seconds: float) -> None:
    assert parse_budget(text) == seconds
    for wrong in ("", "2", "m", "2 m", f"-{text}", "0s", f"{text}!", "2d", "1e3s", "²m"):
        with pytest.raises(InputError, match="is not a time"):
            parse_budget(wrong)


def test_a_share_of_a_budget_is_one_of_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 70.0
    monkeypatch.setattr("campaigns.engine.findings.monotonic", lambda: now)
    clock = Clock(100.0)
    assert clock.until(0.5) == 120
    now = 130.0
    assert (clock.used, clock.until(0.5), clock.until()) == (60, 150, 170)
    now = 200.0
    assert clock.until() == 200
    assert Clock(None).until(0.1) == float("inf")


@pytest.mark.slow
@pytest.mark.usefixtures("few_laws")
def test_enough_cases_of_a_right_detector_are_green(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # With those that are soon found; the page on the gate shows what it takes to find all of them.
    some = {name: MUTANTS[name] for name in ("seq-newest", "con-forgets")}
    monkeypatch.setattr("campaigns.carlson_lisper.mutants.MUTANTS", some)
    result = outcome(Request(("figure4",), tmp_path, budget=None, cases=60))
    assert result.status is ExitStatus.AS_CLAIMED
    said = "May go in: nothing was found against figure4; not tried: logs of your own, more than "
    assert re.fullmatch(said + r"[\d,]+ events, speed\.", result.summary())
    assert {check.standing for check in result.checks} == {Standing.TESTED, Standing.KERNEL_CHECKED}
    assert all(check.detail == RECORDED for check in checks(result, "proofs").values())
    assert not result.findings and not any(tmp_path.iterdir())


@pytest.mark.long
@pytest.mark.usefixtures("few_laws")
def test_a_wrong_detector_is_found_out_and_the_result_is_the_same_every_time_but_for_what_is_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("campaigns.carlson_lisper.mutants.MUTANTS", {"seq-earliest": MUTANTS["seq-earliest"]})
    found = []
    for name in "12":  # what the first run stores is not there in the second one
        folder = tmp_path / name
        result = outcome(Request(("mutant:seq-earliest", "figure4"), folder, budget=None, cases=5))
        data = gate_data(result)
        del data["seconds"], data["stages"]
        found.append(json.dumps(data).replace(str(folder), ""))
    assert found[0] == found[1]
    refuted = {check.stage for check in result.checks if check.standing is Standing.REFUTED}
    assert refuted >= {"regressions", "campaign"}
    assert all(finding.steady for finding in result.findings)
    (regression,) = (finding for finding in result.findings if finding.stage == "regressions")
    assert regression.verdict is not None
    assert result.summary() == "May not go in: mutant:seq-earliest failed."
    stored = {f"{one.name}.json" for one in stored_regressions(tmp_path / "2")}
    assert stored == {Path(each.regression).name for each in result.findings if each.regression} != set()
    known = {f"{name}.json" for name in gate_of(tmp_path / "2").known}
    assert known >= stored, "they are tried first the next time"


@pytest.mark.slow
@pytest.mark.usefixtures("small_gate")
@pytest.mark.parametrize(
    ("name", "kind"), [("Exiting", Kind.WORKER_LOST), pytest.param("Spans", None, marks=pytest.mark.long)]
)
def test_a_budget_is_kept_to_and_a_detector_that_ends_its_process_does_not_end_the_gate(
    name: str, kind: Kind | None, tmp_path: Path
) -> None:
    result = outcome(Request((f"{BROKEN}:{name}",), tmp_path, budget=5.0))
    assert (result.status is ExitStatus.REFUTED) == (kind is not None)
    assert {finding.kind for finding in result.findings} >= ({kind} - {None})
    assert result.cases >= 1
    random = checks(result, "campaign")["random cases"]
    assert random.tried + random.refused == result.cases


@pytest.mark.slow
@pytest.mark.usefixtures("small_gate")
@pytest.mark.parametrize("seconds", [0.2, 60.0])
def test_what_does_not_finish_is_no_answer_within_the_budget_and_no_wrong_detector(
    tmp_path: Path, seconds: float
) -> None:
    begin = monotonic()
    result = outcome(Request((f"{BROKEN}:Looping",), tmp_path, budget=1.0, seconds=seconds))
    assert (result.status, result.wrong()) == (ExitStatus.INCONCLUSIVE, [])
    assert "not finished" in result.summary() or "not one case" in result.summary()
    assert monotonic() - begin < 1.0 + 2.5
    assert not any(tmp_path.iterdir())


class NothingAtAll:
    def __init__(self, expression: object) -> None:
        raise LimitExceeded("not taken today")


@pytest.mark.slow
@pytest.mark.usefixtures("small_gate")
def test_a_detector_that_takes_no_case_is_not_green(tmp_path: Path) -> None:
    log = CASES.case_from_json({"expression": "a", "trace": [{"time": 1, "event": "a"}]}, 0, 0, "log")
    result = outcome(Request((f"{__name__}:NothingAtAll",), tmp_path, budget=None, cases=5, logs=((log, "mine"),)))
    words = {stage: word for stage, word, _ in stage_lines(result)}
    assert "passed" not in words.values()
    assert (words["regressions"], words["logs"], words["campaign"]) == ("open", "open", "open")
    assert result.status is ExitStatus.INCONCLUSIVE
    assert "took none of" in checks(result, "regressions")["stored regressions"].detail
    assert "took none of 5 cases" in checks(result, "campaign")["random cases"].detail
    assert {check.standing for check in checks(result, "laws").values()} == {None}


def test_a_module_that_ends_its_process_and_a_class_without_a_step_are_bad_input(
    remora: Remora, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "leaving.py").write_text("import os\nos._exit(0)\n")
    (tmp_path / "formless.py").write_text("class Formless:\n    def __init__(self, expression):\n        pass\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert "cannot be imported" in refused(remora("gate", "--cases", "5", "--detector", "leaving:Any"))
    for command in (("gate",), ("campaign", "run", tmp_path / "one.campaign")):
        err = refused(remora(*command, "--cases", "5", "--detector", "formless:Formless"))
        assert "formless.py:1: the detector formless:Formless makes a Formless, which has no method step" in err
        assert "Give it step(time, occurrences)" in err


def test_disagreement_and_infrastructure_come_before_everything_else(tmp_path: Path) -> None:
    result = GateResult(Request(("figure2",), tmp_path))
    ended = [result.status]
    worse = ("tested", "proved", "unknown", "refuted", "error", "disagreement")
    for standing in (None, *map(Standing, worse)):
        result.checks.append(Check("laws", "law:1", "figure2", standing, 5, "said"))
        ended.append(result.status)
        assert result.summary()
    assert list(map(int, ended)) == [3, 3, 0, 0, 3, 1, 5, 4]


def test_the_code_that_judged_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = {"commit": "0123456789abcdef", "changed": True}
    monkeypatch.setattr("remora.gate.gate.checkout", lambda: code)
    result = gate_of(tmp_path).result
    assert "(commit 0123456789ab, changed since), python" in rendered(result, "markdown")
    data = gate_data(result)
    assert data["code"] == code
    assert complaint("remora/gate/1", data) is None


@pytest.mark.parametrize(
    ("found", "cases", "said"),
    [
        (Power(0, 640, {}, tuple(MUTANTS)), 4000, "640 cases find 0 of the"),
        (Power(0, 10, {name: Death(9, Kind.MISSING, "") for name in MUTANTS}, ()), 7, "7 cases find 0 of the"),
    ],
)
def test_wrong_detectors_that_the_cases_do_not_find_are_counted(
    found: Power, cases: int, said: str, tmp_path: Path
) -> None:
    gate = gate_of(tmp_path)
    gate.result.cases = cases
    gate.worth(found)
    (check,) = gate.result.checks
    assert check.standing is Standing.UNKNOWN
    assert check.detail.startswith(said)


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


def test_the_pre_commit_entry_and_the_workflow_call_commands_that_exist(remora: Remora) -> None:
    hooks = (ROOT / ".pre-commit-hooks.yaml").read_text("utf-8")
    workflow = (ROOT / "docs" / "examples" / "gate.yml").read_text("utf-8")
    _, text, _ = remora("gate", "--help")
    assert "entry: remora gate\n" in hooks
    for option in re.findall(r"--[a-z]+", hooks + workflow):
        assert option in text


@pytest.mark.slow
@pytest.mark.usefixtures("small_gate")
def test_the_users_own_log_is_put_to_the_detector(remora: Remora, tmp_path: Path) -> None:
    log = tmp_path / "log.csv"
    log.write_text("when;event;user\n1;a;u\n2;b;u\n2;a;v\n5;b;v\n7;a;\n")
    given = ("--log", log, "a ; b", "--time", "when", "--delimiter", ";", "--partition-by", "user")
    where = ("--cases", "3", "--detector", "mutant:seq-newest", "--regressions", tmp_path / "kept")
    status, out, err = remora("gate", *where, *given)
    assert status == 1
    assert "logs         passed    3 of your logs for the detector" in out
    assert f"--time when --delimiter ';' --partition-by user --log {log} 'a ; b'" in err
    assert "without a value of 'user'" in err
    assert "these are patterns, of another" in refused(remora("gate", "--system", "bry_eckert", *given))
    (tmp_path / "x.json").write_text("{}")
    assert "not a regression" in refused(remora("gate", "--detector", "figure2", "--regressions", tmp_path))
