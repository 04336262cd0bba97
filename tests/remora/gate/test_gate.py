"""The gate lets right detectors pass, finds out the others within the time it is given, and says how sure it is."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from campaigns.carlson_lisper.mutants import MUTANTS
from campaigns.judging.findings import Check
from campaigns.judging.regressions import stored_regressions
from campaigns.judging.verdicts import Kind
from campaigns.power import Death, Power
from campaigns.systems import cases_of
from detectors.carlson_lisper.source.figure2 import Figure2
from laws.standings import ExitStatus, Standing
from proofs.proving import RECORDED
from remora import __version__
from remora.gate.gate import Gate, GateResult, Request
from remora.gate.output import gate_data, markdown, stage_lines
from remora.terminal.progress import Progress
from reports.documents import complaint
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.occurrences import Instance, Time, Value
from semantics.errors import LimitExceeded
from tests.remora.conftest import Remora
from tests.remora.gate import test_engine
from tests.remora.gates import checks, outcome

# Detectors of `test_engine` are named by their place. It is imported here, because it needs all laws to be there.
KILLED_WITHIN = cases_of().KILLED_WITHIN
SOME = ("seq-newest", "con-forgets", "neg-forgets")


def gate_of(folder: Path, **others: Any) -> Gate:
    return Gate(Request(("figure2",), folder, **others), Progress(quiet=True))


class NothingButOne:
    """Takes one expression that no case has."""

    def __init__(self, expression: Expression) -> None:
        raise LimitExceeded(f"not taken today: {len(str(expression)) % 2}")


@pytest.mark.slow
def test_a_right_detector_passes_every_stage_but_too_few_cases_are_no_answer(tmp_path: Path) -> None:
    result = outcome(Request(("figure2",), tmp_path, budget=None, cases=30))
    standings = {check.standing for check in result.checks if check.stage != "mutants"}
    assert standings == {Standing.TESTED, Standing.KERNEL_CHECKED}
    assert not result.findings
    assert not any(tmp_path.iterdir())
    assert len(checks(result, "laws")) == 44
    assert all(check.detail == RECORDED for check in checks(result, "proofs").values())
    (check,) = checks(result, "mutants").values()
    assert check.standing is Standing.UNKNOWN
    assert "30 of them find" in check.detail
    assert result.status is ExitStatus.INCONCLUSIVE
    assert result.summary().startswith("No answer, which is not a yes")
    named = check.detail.partition("not found: ")[2].partition(" and ")[0]
    assert set(named.split(", ")) < set(MUTANTS)


@pytest.mark.usefixtures("few_laws")
def test_enough_cases_of_a_right_detector_are_green(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # With those that are soon found; the page on the gate shows what it takes to find all of them.
    monkeypatch.setattr("campaigns.carlson_lisper.mutants.MUTANTS", {name: MUTANTS[name] for name in SOME[:2]})
    result = outcome(Request(("figure4",), tmp_path, budget=None, cases=60))
    assert result.status is ExitStatus.AS_CLAIMED
    assert result.summary() == "May go in: nothing was found against figure4."


@pytest.mark.usefixtures("few_laws")
@pytest.mark.parametrize(
    ("mutant", "stages", "runs"),
    [
        pytest.param("seq-earliest", {"regressions", "campaign"}, "12", marks=pytest.mark.slow),
        ("neg-forgets", {"regressions"}, "2"),
    ],
)
def test_a_wrong_detector_is_found_out_and_the_result_is_the_same_every_time_but_for_what_is_stored(
    mutant: str, stages: set[str], runs: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("campaigns.carlson_lisper.mutants.MUTANTS", {mutant: MUTANTS[mutant]})
    found = []
    for name in runs:  # what the first run stores is not there in the second one
        folder = tmp_path / name
        result = outcome(Request((f"mutant:{mutant}", "figure4"), folder, budget=None, cases=12))
        data = gate_data(result)
        del data["seconds"], data["stages"]
        found.append(json.dumps(data).replace(str(folder), ""))
    assert len(set(found)) == 1
    assert stages <= {check.stage for check in result.checks if check.standing is Standing.REFUTED}
    assert all(finding.steady for finding in result.findings)
    (regression,) = (finding for finding in result.findings if finding.stage == "regressions")
    assert regression.verdict is not None
    assert result.summary() == f"May not go in: mutant:{mutant} failed."
    stored = {f"{one.name}.json" for one in stored_regressions(tmp_path / "2")}
    assert stored == {Path(each.regression).name for each in result.findings if each.regression}
    assert bool(stored) == (mutant == "seq-earliest")
    known = gate_of(tmp_path / "2").known
    assert {f"{one.name}.json" for one in known} >= stored, "they are tried first the next time"


@pytest.mark.usefixtures("small_gate")
@pytest.mark.parametrize(
    ("name", "kind"), [("Vanishing", Kind.WORKER_LOST), pytest.param("Figure2", None, marks=pytest.mark.slow)]
)
def test_a_budget_is_kept_to_and_a_detector_that_ends_its_process_does_not_end_the_gate(
    name: str, kind: Kind | None, tmp_path: Path
) -> None:
    result = outcome(Request((f"{test_engine.__name__}:{name}",), tmp_path, budget=5.0))
    assert (result.status is ExitStatus.REFUTED) == (kind is not None)
    assert {finding.kind for finding in result.findings} >= ({kind} - {None})
    assert result.cases >= 1
    random = checks(result, "campaign")["random cases"]
    assert random.tried + random.refused == result.cases


class Hanging(Figure2):
    """Never comes back."""

    def step(self, time: Time, occurrences: Mapping[str, Value]) -> Instance | None:
        while True:
            sleep(0)


@pytest.mark.usefixtures("small_gate")
@pytest.mark.parametrize("seconds", [0.2, 60.0])
def test_what_does_not_finish_is_no_answer_within_the_budget_and_no_wrong_detector(
    tmp_path: Path, seconds: float
) -> None:
    begin = monotonic()
    result = outcome(Request((f"{__name__}:Hanging",), tmp_path, budget=1.5, seconds=seconds))
    assert (result.status, result.wrong()) == (ExitStatus.INCONCLUSIVE, [])
    assert "not finished" in result.summary() or "not one case" in result.summary()
    assert monotonic() - begin < 1.5 + 2.5
    assert not any(tmp_path.iterdir())


@pytest.mark.usefixtures("small_gate")
def test_a_detector_that_takes_no_case_is_not_green(tmp_path: Path) -> None:
    result = outcome(Request((f"{__name__}:NothingButOne",), tmp_path, budget=None, cases=5))
    words = {stage: word for stage, word, _ in stage_lines(result)}
    assert "passed" not in words.values()
    assert (words["regressions"], words["campaign"]) == ("open", "open")
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
    status, _, err = remora("gate", "--cases", "5", "--detector", "leaving:Any")
    assert status == 2
    assert "cannot be imported" in err
    for command in (("gate",), ("campaign", "run", tmp_path / "one.campaign")):
        status, out, err = remora(*command, "--cases", "5", "--detector", "formless:Formless")
        assert (status, out) == (2, "")
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


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (None, f"remora {__version__}, python"),
        ({"commit": "0123456789abcdef", "changed": True}, "(commit 0123456789ab, changed since), python"),
    ],
)
def test_the_code_that_judged_is_named_where_it_is_known(
    found: dict[str, Any] | None, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("remora.gate.gate.checkout", lambda: found)
    result = gate_of(tmp_path).result
    assert said in markdown(result)
    data = gate_data(result)
    assert data.get("code") == found
    assert complaint("remora/gate/1", data) is None


# ------------------------------------------------------------------------------------------------- mutants


NONE = tuple(MUTANTS)
LATE = {name: Death(9, Kind.MISSING, "") for name in MUTANTS}


@pytest.mark.parametrize(
    ("found", "cases", "said", "remedy"),
    [
        (Power(0, 20, {}, NONE), 20, "the cases are too few: 20 of them find 0 of the", ""),
        (Power(0, 640, {}, NONE), 4000, "there was too little time for wrong detectors: 640 of the cases", "--budget"),
        (Power(0, KILLED_WITHIN, {}, NONE), 2 * KILLED_WITHIN, f"the cases are too few: {KILLED_WITHIN:,} of them", ""),
        (Power(0, 0, LATE, ()), 7, "the cases are too few: 7 of them find 0 of the", "the first 10 cases find all"),
    ],
)
def test_too_few_cases_and_too_little_time_are_told_apart(
    found: Power, cases: int, said: str, remedy: str, tmp_path: Path
) -> None:
    gate = gate_of(tmp_path)
    gate.result.cases = cases
    gate.worth(found)
    (check,) = gate.result.checks
    assert check.standing is Standing.UNKNOWN
    assert check.detail.startswith(said)
    assert remedy in check.detail
    assert ("--budget" in check.detail) is (remedy == "--budget")
