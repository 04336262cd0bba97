"""The gate lets right detectors pass and finds out the others, within the time that it is given."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from campaigns.carlson_lisper.mutants.catalogue import TELLING
from campaigns.carlson_lisper.relations.suite import LawOutcome
from campaigns.judging.regressions import stored_regressions
from campaigns.judging.verdicts import Kind
from laws.standings import ExitStatus, Standing
from remora.judging.reports import gate_data
from remora.judging.results import Check, GateResult, Request
from remora.judging.step_proofs import AS_RECORDED
from remora.judging.tallies import SuiteTally
from semantics.carlson_lisper.expressions import Expression
from semantics.errors import LimitExceeded
from tests.remora.gates import checks, outcome

Remora = Callable[..., tuple[int, str, str]]


def test_a_right_detector_passes_every_stage(tmp_path: Path) -> None:
    request = Request(("figure2",), tmp_path, budget=None, cases=30)
    result = outcome(request)
    standings = {check.standing for check in result.checks if check.stage != "mutants"}
    assert standings == {Standing.TESTED, Standing.AGREED}
    assert not result.findings
    assert not any(tmp_path.iterdir())
    assert len(checks(result, "laws")) == 44
    assert all(check.detail == AS_RECORDED for check in checks(result, "proofs").values())


def test_too_few_cases_to_find_wrong_detectors_are_no_answer(tmp_path: Path) -> None:
    result = outcome(Request(("figure2",), tmp_path, budget=None, cases=10))
    (check,) = checks(result, "mutants").values()
    assert check.standing is Standing.UNKNOWN
    assert "10 of them find" in check.detail
    assert result.status is ExitStatus.INCONCLUSIVE
    assert result.summary().startswith("No answer, which is not a yes")
    survivors = check.detail.partition("not found: ")[2].split(", ")
    assert set(survivors) < set(TELLING)


def test_memory_that_grows_although_a_bound_is_stated_is_found_without_a_failing_case(tmp_path: Path) -> None:
    name = "tests.campaigns.carlson_lisper.test_growth:Keeping"
    result = outcome(Request((name, "figure2"), tmp_path, budget=None, cases=10))
    failed = [check for check in result.checks if check.standing is Standing.REFUTED]
    assert [(check.name, check.detector) for check in failed] == [("memory in a long run", name)]
    assert "although it states a bound" in failed[0].detail
    assert result.status is ExitStatus.REFUTED


def test_enough_cases_of_a_right_detector_are_green(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # With those that are soon found; the page on the gate shows what it takes to find all of them.
    monkeypatch.setattr(
        "remora.judging.gate.TELLING", {name: TELLING[name] for name in ("seq-newest", "con-forgets")}
    )
    result = outcome(Request(("figure4",), tmp_path, budget=None, cases=60))
    assert result.status is ExitStatus.AS_CLAIMED
    assert result.summary() == "May go in: nothing was found against figure4."


@pytest.mark.parametrize(
    ("mutant", "stages"),
    [("seq-newest", {"regressions", "laws", "campaign"}), ("neg-forgets", {"regressions"})],
)
def test_a_wrong_detector_is_found_out(mutant: str, stages: set[str], tmp_path: Path) -> None:
    result = outcome(Request((f"mutant:{mutant}",), tmp_path / "new", budget=None, cases=30))
    failed = {check.stage for check in result.checks if check.standing is Standing.REFUTED}
    assert stages <= failed
    assert all(finding.steady for finding in result.findings)
    assert result.status is ExitStatus.REFUTED
    assert result.summary() == f"May not go in: mutant:{mutant} failed."


def test_what_was_found_is_stored_and_fails_first_the_next_time(tmp_path: Path) -> None:
    request = Request(("mutant:seq-earliest",), tmp_path, budget=None, cases=40)
    outcome(request)
    kept = stored_regressions(tmp_path)
    assert kept
    again = outcome(request)
    names = {
        finding.remark.split()[1].rstrip(",") for finding in again.findings if finding.stage == "regressions"
    }
    assert checks(again, "regressions")["stored regressions"].standing is Standing.REFUTED
    assert names
    assert stored_regressions(tmp_path) == kept


def test_a_number_of_cases_makes_the_same_result_every_time(tmp_path: Path) -> None:
    found = []
    for folder in (
        tmp_path / "1",
        tmp_path / "2",
    ):  # what the first run stores is not there in the second one
        request = Request(("mutant:con-earlier", "figure3"), folder, budget=None, cases=30)
        data = gate_data(outcome(request))
        del data["seconds"], data["stages"]
        found.append(json.dumps(data).replace(str(folder), ""))
    assert found[0] == found[1]


def test_a_budget_is_kept_to_and_the_number_of_cases_is_said(tmp_path: Path) -> None:
    result = outcome(Request(("figure2",), tmp_path, budget=4.0))
    assert result.cases >= 1
    assert checks(result, "campaign")["random cases"].tried == result.cases


@pytest.mark.parametrize(("name", "kind"), [("Vanishing", Kind.WORKER_LOST), ("Silent", Kind.MISSING)])
def test_a_detector_that_ends_its_process_does_not_end_the_gate(
    name: str, kind: Kind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "vanishing.py").write_text(
        "import os\n"
        "from detectors.carlson_lisper.source.figure2 import Figure2\n\n"
        "class Silent(Figure2):\n"
        "    def step(self, time, occurrences):\n"
        "        super().step(time, occurrences)\n\n"
        "class Vanishing(Figure2):\n"
        "    def step(self, time, occurrences):\n"
        "        if len(occurrences) > 1:\n"
        "            os._exit(0)\n"
        "        return super().step(time, occurrences)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    result = outcome(Request((f"vanishing:{name}",), tmp_path / "kept", budget=3.0))
    assert result.status is ExitStatus.REFUTED
    assert kind in {finding.kind for finding in result.findings}


def test_a_detector_that_never_ends_is_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "endless.py").write_text(
        "from detectors.carlson_lisper.source.figure2 import Figure2\n\n"
        "class Endless(Figure2):\n"
        "    def step(self, time, occurrences):\n"
        "        while len(occurrences) > 1:\n"
        "            pass\n"
        "        return super().step(time, occurrences)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    result = outcome(Request(("endless:Endless",), tmp_path / "kept", budget=2.0, seconds=0.05))
    assert result.status is ExitStatus.REFUTED
    assert Kind.TIMEOUT in {finding.kind for finding in result.findings}


class Choosy:
    """Takes nothing."""

    def __init__(self, expression: Expression) -> None:
        raise LimitExceeded(f"{expression} is not to my taste")


@pytest.mark.usefixtures("few_mutants")
def test_a_detector_that_takes_no_case_is_not_green(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("remora.judging.gate.any_factory", lambda name, search_path: Choosy)
    monkeypatch.setattr("campaigns.carlson_lisper.system.any_factory", lambda name, search_path: Choosy)
    result = outcome(Request(("mine:Choosy",), tmp_path, budget=None, cases=5))
    assert result.status is ExitStatus.INCONCLUSIVE
    assert "took none of 5 cases" in checks(result, "campaign")["random cases"].detail
    assert {check.standing for check in checks(result, "laws").values()} == {None}


def test_a_law_without_a_case_leaves_the_gate_open_unless_a_detector_has_failed() -> None:
    tally = SuiteTally("laws", 5)
    passed = LawOutcome("law:1", 0, "mine", None, "", False, False)
    assert list(tally.add([(passed,)])) == []
    assert tally.check("law:1", "mine").standing is Standing.TESTED
    assert tally.check("law:2", "mine").standing is Standing.UNKNOWN
    failed = passed._replace(number=1, kind=Kind.MISSING, detail="at 1: nothing")
    assert list(tally.add([(failed,), (failed,)])) == [failed], "one of a kind is looked at"
    assert tally.check("law:1", "mine").standing is Standing.REFUTED
    assert tally.check("law:2", "mine").standing is None
    assert not tally.blocked
    list(tally.add([(failed._replace(kind=Kind.TIMEOUT),)]))
    assert tally.blocked


def test_a_module_that_ends_its_process_is_bad_input_and_not_green(
    remora: Remora, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "leaving.py").write_text("import os\nos._exit(0)\n")
    monkeypatch.syspath_prepend(tmp_path)
    status, _, err = remora("gate", "--cases", "5", "--detector", "leaving:Any")
    assert status == 2
    assert "cannot be imported" in err


def test_disagreement_and_infrastructure_come_before_everything_else(tmp_path: Path) -> None:
    result = GateResult(Request(("figure2",), tmp_path))
    ended = [result.status]
    for standing in (
        None,
        Standing.TESTED,
        Standing.PROVED,
        Standing.UNKNOWN,
        Standing.REFUTED,
        Standing.ERROR,
        Standing.DISAGREEMENT,
    ):
        result.checks.append(Check("laws", "law:1", "figure2", standing, 5, "said"))
        ended.append(result.status)
        assert result.summary()
    assert list(map(int, ended)) == [3, 3, 0, 0, 3, 1, 5, 4]
