"""`remora verify`: each stage notes what is not as claimed, and a stage that breaks down is named in the report."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest

from campaigns.engine.campaign import CampaignFailed
from campaigns.engine.settings import CampaignDirectory, Settings
from campaigns.engine.summary import CampaignSummary, CauseCount, Share
from campaigns.judging.verdicts import MEANING, Cause, Kind
from laws.carlson_lisper.claims import EquationClaim, find
from laws.outcomes import TestOutcome
from laws.standings import Standing
from remora.api.provenance import checkout
from remora.systems.carlson_lisper.comparing import comparable, read_log
from remora.terminal.progress import Progress
from remora.verification import run as running, stages
from remora.verification.canaries import SelfCheck
from remora.verification.run import QUICK, Run, Stage, verdict, verified
from remora.verification.stages import combined
from reports.documents import complaint
from semantics.carlson_lisper.occurrences import Occurrence, interpretation
from semantics.carlson_lisper.syntax import parse, parse_equation
from tests.campaigns.broken_detectors import Silent, doing, raise_late
from tests.remora.conftest import Remora, refused
from tests.remora.summaries import summary_of
from tests.tables import table

Patch = pytest.MonkeyPatch


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run(replace(QUICK, examples=1), tmp_path, 0, [], "local[1]", Progress(quiet=True))


def claims(run: Run) -> Mapping[str, Any]:
    run.note(Standing.AGREED, "")
    return {"claims": [{"id": "law:1", "statement": "A | A == A", "standing": "agreed"}]}


def test_a_stage_that_breaks_down_is_named_and_the_others_go_on(run: Run) -> None:
    def errata(_: Run) -> Mapping[str, Any]:
        raise KeyError("law:14")

    report = verified(run, "remora verify", (errata, claims))
    assert report["verdict"]["exit_status"] == 5
    (problem,) = report["verdict"]["problems"]
    assert problem.startswith("the stage 'errata' broke down: KeyError: 'law:14' (test_verify.py:")
    assert report["claims"]
    assert report.get("code", {}).get("commit") == (checkout() or {}).get("commit")
    assert complaint("remora/report/1", report) is None


@pytest.mark.parametrize("forks", [True, False])
def test_what_stages_beside_the_others_find_and_note_is_in_the_report(
    run: Run, monkeypatch: Patch, forks: bool
) -> None:
    def noting(run: Run) -> Mapping[str, Any]:
        with run.progress.stage("noting", None):
            run.note(Standing.REFUTED, "found beside")
        return {"warnings_of_it": [1]}

    monkeypatch.setattr(running, "can_isolate", lambda: forks)
    report = verified(run, "remora verify", (claims,), (noting,))
    assert report["warnings_of_it"] == [1]
    assert (report["verdict"]["exit_status"], report["verdict"]["problems"]) == (1, ["found beside"])
    assert report["verdict"]["summary"].endswith("Not as claimed: found beside.")
    assert "noting" in [stage["name"] for stage in report["stages"] if stage["detail"]]
    if forks:
        report = verified(run, "remora verify", (claims,), (Mock(side_effect=SystemExit(3)),))
        assert (report["verdict"]["exit_status"], "was lost" in report["verdict"]["problems"][-1]) == (5, True)


def test_the_first_sentence_of_the_verdict_says_what_was_sampled(run: Run) -> None:
    run.note(Standing.AGREED, "")
    rows = [{"standing": "agreed"}, {"standing": "proved"}]
    said = verdict(run, rows)["summary"]
    assert said.startswith("Sampled by seed 0: 3 of ")
    assert said.endswith(
        " certificates made anew. All 2 claims hold for all event streams (1 agreed, 1 proved), and no detector failed."
    )
    run.effort = replace(QUICK, certificates=None)
    assert verdict(run, rows)["summary"].startswith("All 2 claims")


@pytest.mark.parametrize(("proof", "tests", "expected"), table(__file__, "combined"))
def test_a_test_contradicts_a_proof_and_refutes_what_was_open(proof: str, tests: list[str], expected: str) -> None:
    outcomes = [TestOutcome("exhaustive", Standing(word), 1, "all") for word in tests]
    found: Any = SimpleNamespace(standing=Standing(proof)), SimpleNamespace(outcomes=outcomes)
    assert combined(*found) is Standing(expected)


def test_claims_are_proved_tested_and_a_false_one_is_refuted(run: Run, monkeypatch: Patch) -> None:
    false = EquationClaim("law:37", parse_equation("A ; (B - C) == (A ; B) - C"), source="Nowhere")
    monkeypatch.setattr(stages, "every_claim", lambda: (*find(["law:2"]), false))
    right, wrong = run.carry_out(stages.claims)["claims"]
    assert (right["standing"], right["dense_time"]) == ("kernel-checked", "agreed")
    assert right["tests"][0]["standing"] == "tested"
    assert {row["time"] for row in right["obligations"]} == {"int", "real"}
    assert (wrong["standing"], bool(wrong["counterexample"]["trace"])) == ("refuted", True)
    assert run.problems == ["law:37 is refuted: A ; (B - C) == (A ; B) - C", "law:37 over dense time is refuted"]


def test_a_false_equation_that_is_not_refuted_puts_the_solvers_in_doubt(run: Run, monkeypatch: Patch) -> None:
    (law,) = find(["law:2"])
    assert isinstance(law, EquationClaim)
    monkeypatch.setattr(stages, "every_false_claim", lambda: [replace(law, alone=True)])
    run.carry_out(stages.canaries)
    assert run.standings == [Standing.DISAGREEMENT] * 2, "over integer and dense time"
    assert run.problems == ["law:2 is false and was not refuted: A | B == B | A"] * 2


def test_what_differs_from_the_record_of_proofs_is_noted(run: Run, monkeypatch: Patch) -> None:
    monkeypatch.setattr(stages, "certificate_differences", lambda *_, **__: ["law:14: another certificate"])
    found = run.carry_out(stages.record)["record"]
    assert found["same"] is False
    for said in ("law:14/⊆: in the record, and no longer an obligation", "law:14: another certificate"):
        assert f"the record of proofs is another one: {said}" in run.problems
    assert set(run.standings) == {Standing.REFUTED}


def test_solvers_that_contradict_each_other_are_noticed(run: Run) -> None:
    def said(solver: str, status: str) -> SimpleNamespace:
        answer = SimpleNamespace(seconds=1.0)
        return SimpleNamespace(solver=solver, status=status, proved=status == "unsat", answer=answer)

    part = SimpleNamespace(
        opinions=[said("z3", "unsat"), said("cvc5", "sat")], obligation=SimpleNamespace(id="law:9"), reason="both"
    )
    results: Any = [SimpleNamespace(obligations=[part])]
    run.results = results
    found = run.carry_out(stages.solvers)["solvers"]
    assert found["disagreements"] == [{"id": "law:9", "detail": "both"}]
    assert [(row["solver"], row["proofs"], row["asked"]) for row in found["rows"]] == [("z3", 1, 1), ("cvc5", 0, 1)]
    assert run.standings == [Standing.DISAGREEMENT]


def test_evidence_that_is_another_one_is_noted(run: Run, monkeypatch: Patch) -> None:
    result = SimpleNamespace(as_claimed=False, erratum=SimpleNamespace(id="six"), to_data=dict)
    monkeypatch.setattr(stages, "check_every_erratum", lambda _: [result])
    assert run.carry_out(stages.errata)["errata"] == [{}]
    assert run.problems == ["the evidence for six is another one"]


def test_logs_of_the_users_are_detected_and_compared(run: Run, logins: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr(stages, "EXAMPLES", ())
    log, told = read_log("own", logins, "(fail ; fail)[60] - ok")
    run.logs = [log, read_log("none", logins, "Fail")[0]]
    found = run.carry_out(stages.detection)["detection"]
    assert [(row["detections"], row["agree"]) for row in found] == [(1, True), (0, True)]
    assert (len(told), "the time 9" in told[0], run.problems) == (1, True, [])


@pytest.mark.parametrize(
    ("made", "said"), [(doing(raise_late(RuntimeError("no order"))), ": RuntimeError: no order"), (Silent, "")]
)
def test_a_detector_that_breaks_down_or_misses_a_detection_is_refuted(
    run: Run, logins: Path, monkeypatch: Patch, made: type, said: str
) -> None:
    monkeypatch.setattr(stages, "EXAMPLES", ())
    monkeypatch.setattr("remora.systems.carlson_lisper.comparing.DETECTORS", {"figure4": made, "figure2": made})
    run.logs = [read_log("own", logins, "fail ; fail")[0]]
    (row,) = run.carry_out(stages.detection)["detection"]
    assert (row["agree"], run.standings) == (False, [Standing.REFUTED])
    assert run.problems[0].endswith(f"disagrees with the meaning of fail ; fail on own{said}")


def campaign_of(share: Callable[[int], Share], causes: tuple[CauseCount, ...] = ()) -> Callable[..., CampaignSummary]:
    def campaign(directory: Path, settings: Settings, **_: object) -> CampaignSummary:
        return summary_of(directory, settings, share(settings.cases), settings.cases, causes)

    return campaign


CAUSE = CauseCount(Cause("batch", MEANING, "tim(seq)", Kind.SPURIOUS), 3, 17, "at 4: spurious")


@pytest.mark.parametrize(
    ("found", "standing", "said"),
    [
        (campaign_of(lambda cases: Share(cases, 0, 0)), [], ""),
        (campaign_of(lambda cases: Share(cases, 0, 3), (CAUSE,)), [Standing.REFUTED], "3 of 200 campaign cases failed"),
        (campaign_of(lambda cases: Share(cases, 0, 0, cases)), [Standing.UNKNOWN], "every case was refused by"),
        (Mock(side_effect=CampaignFailed("no Java")), [Standing.ERROR], "the campaign did not run: no Java"),
    ],
)
def test_a_campaign_that_fails_or_says_nothing_or_does_not_run_is_noted(
    run: Run, monkeypatch: Patch, found: Callable[..., CampaignSummary], standing: list[Standing], said: str
) -> None:
    monkeypatch.setattr(stages, "run_campaign", found)
    monkeypatch.setattr(stages, "validated_texts", lambda _: [])
    campaign = run.carry_out(stages.judged)["campaign"]
    assert campaign["cases"] == (0 if campaign.get("error") else 200)
    assert run.standings == standing
    assert said in "".join(run.problems)


def test_a_check_that_fails_and_a_wrong_detector_that_lives_are_disagreements(run: Run, monkeypatch: Patch) -> None:
    checks = {"few": [lambda: SelfCheck("one", "a check", False, "nothing noticed")]}
    monkeypatch.setattr(stages, "self_checks", lambda _: checks)
    monkeypatch.setattr(stages, "cases_of", lambda: SimpleNamespace(KILLED_WITHIN=1))
    found = run.carry_out(stages.checks)
    assert "the check 'one' failed: nothing noticed" in run.problems
    alive = [check for check in found["checks"] if check["detail"] == "not found within 1 cases"]
    assert alive and {check["ok"] for check in alive} == {False}
    assert len(run.problems) == 1 + len(alive)
    assert set(found["power"]["survivors"]) == {check["id"].removeprefix("mutant:") for check in alive}


@pytest.mark.parametrize(
    ("failures", "refusals", "answers", "expected"),
    [(0, 1, 5, []), (1, 0, 5, [Standing.REFUTED]), (0, 3, 5, [Standing.UNKNOWN]), (0, 0, 0, [Standing.UNKNOWN])],
)
def test_failures_and_refusals_of_judged_engines_are_noted(
    run: Run, monkeypatch: Patch, failures: int, refusals: int, answers: int, expected: list[Standing]
) -> None:
    rows = [
        SimpleNamespace(case=n, failures=[{}] * (n < failures), refusals=n < refusals, judgements=1, expected=answers)
        for n in range(200)
    ]
    monkeypatch.setattr(stages, "run_locally", lambda *_: rows)
    run.effort = replace(QUICK, engines=200)
    found = stages.judged_engines("bry_eckert", ("one",), run)
    assert (len(found["failures"]), found["refused"], found["judgements"]) == (failures, refusals, 200)
    assert run.standings == expected


@pytest.mark.parametrize("stage", [stages.rules, stages.profiles])
@pytest.mark.slow
def test_engines_of_rules_and_of_profiles_are_judged_and_noted(run: Run, monkeypatch: Patch, stage: Stage) -> None:
    monkeypatch.setattr(stages, "run_locally", lambda *_: [])
    (found,) = run.carry_out(stage).values()
    assert found["cases"]["cases"] == QUICK.engines
    assert [said.partition(" of the ")[0] for said in run.problems] == ["too little is known"]


@pytest.mark.parametrize(
    ("decision", "standing"),
    [
        ("safe and tight", "proved"), ("no bound", "proved"), ("", "proved"), ("not decided", "unknown"),
        ("safe, tightness unknown for a.s", "unknown"), ("not safe", "refuted"), ("safe, not tight", "refuted"),
    ],
)  # fmt: skip
def test_a_condition_that_is_not_as_it_should_be_is_doubted(decision: str, standing: str) -> None:
    assert stages.stands(decision) is Standing(standing)


def test_a_tool_with_a_wrong_answer_is_noted_and_a_quick_run_measures_nothing(run: Run, monkeypatch: Patch) -> None:
    assert run.carry_out(stages.speed) == {"throughput": None}
    run.effort = replace(QUICK, throughput=True)
    monkeypatch.setattr(stages, "throughput", lambda *_, **__: iter(()))
    monkeypatch.setattr(stages, "speed_standing", lambda _: Standing.REFUTED)
    assert run.carry_out(stages.speed)["throughput"]["schema"] == "remora/bench/3"
    assert run.problems == ["a tool or a detector whose speed was measured has a wrong answer"]


def test_the_command_writes_the_report_and_says_what_is_in_it(
    remora: Remora, monkeypatch: Patch, tmp_path: Path
) -> None:
    monkeypatch.setattr(stages, "PLAN", ((claims,),))
    folder = tmp_path / "report"
    status, out, err = remora("verify", "--quick", "--out", folder)
    assert status == 0
    assert "◉ agreed 1 claim\n" in out
    assert "All 1 claims hold for all event streams (1 agreed), and no detector failed." in out
    assert out.endswith(f"Report: {folder / 'report.html'}\n")
    assert "note: a quick verification of all systems takes about three minutes on two cores" in err
    assert (folder / "report.html").read_text("utf-8").startswith("<!doctype html>")

    def wrong(run: Run) -> Mapping[str, Any]:
        run.note(Standing.DISAGREEMENT, "engines contradict each other")
        return {}

    monkeypatch.setattr(stages, "PLAN", ((wrong, claims),))
    status, out, err = remora("verify", "--quick", "--out", folder, "--format", "json")
    assert (status, json.loads(out)) == (4, json.loads((folder / "report.json").read_text("utf-8")))


def test_what_would_spoil_the_end_is_told_at_the_beginning(remora: Remora, monkeypatch: Patch, tmp_path: Path) -> None:
    monkeypatch.setattr(stages, "PLAN", ((),))
    log = tmp_path / "log.csv"
    log.write_text("time,event\n1,a\n")
    (tmp_path / "file").write_text("")
    CampaignDirectory(tmp_path / "own" / "campaign").write_settings(Settings(cases=12345))
    for arguments, said in (
        (("--master", "foo"), "not a Spark master"),
        (("--out", tmp_path / "file" / "below"), "nothing can be written to this folder"),
        (("--out", tmp_path / "own"), "this is not from an earlier verification"),
        (("--log", tmp_path / "no.csv", "a"), "there is no such file"),
        (("--log", log, "a ;"), "the text ends too early"),
    ):
        assert said in refused(remora("verify", "--quick", "--out", tmp_path / "new", *arguments))
    assert CampaignDirectory(tmp_path / "own" / "campaign").settings().cases == 12345


def test_the_campaign_of_an_earlier_verification_is_not_gone_on_with(
    remora: Remora, monkeypatch: Patch, tmp_path: Path
) -> None:
    monkeypatch.setattr(stages, "PLAN", ((claims,),))
    assert remora("verify", "--quick", "--out", tmp_path)[0] == 0
    CampaignDirectory(tmp_path / "campaign").write_settings(Settings(cases=QUICK.cases))
    left = tmp_path / "campaign" / "cases" / "wave=0"
    left.mkdir(parents=True)
    assert remora("verify", "--quick", "--out", tmp_path)[0] == 0
    assert not left.exists()


def test_of_a_long_trace_the_beginning_is_compared_with_the_meaning(monkeypatch: Patch) -> None:
    monkeypatch.setattr("remora.systems.carlson_lisper.comparing.MAX_INSTANTS", 4)
    occurrences = [Occurrence("ab"[number % 2], number) for number in range(6)]
    scenario = interpretation([*occurrences, Occurrence("other", 0), Occurrence("other", 9)])
    part, last = comparable(parse("a ; b"), scenario)
    assert (last, max(one.time for one in part.occurrences())) == (3, 3)
    assert comparable(parse("a ; a"), scenario) == (scenario, None)
