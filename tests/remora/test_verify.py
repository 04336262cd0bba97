"""`remora verify` on a few claims and without Spark, and `remora report`."""

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from campaigns.carlson_lisper.mutants import TELLING
from campaigns.engine.campaign import CampaignFailed
from campaigns.engine.settings import CampaignDirectory, Settings
from campaigns.engine.summary import CampaignSummary, CauseCount, Share
from campaigns.judging.verdicts import MEANING, Cause, Kind
from campaigns.mutants.power import power
from detectors.carlson_lisper.source.figure2 import Figure2
from laws.carlson_lisper.claims import EquationClaim, find
from laws.errata import errata_of
from proofs.errata import check_errata
from proofs.proving import prove_claims
from proofs.record import certificate_differences, text_differences
from remora.api.claiming.claims import checked
from remora.api.provenance import checkout, environment
from remora.gate.decisions import validated_texts
from remora.verification.profiles import verified_profiles
from remora.verification.rules import verified_rules
from remora.verification.selfchecks import self_checks
from semantics.carlson_lisper.occurrences import Instance, Time, Value
from semantics.carlson_lisper.syntax import parse_equation
from tests.remora.conftest import Remora, refused
from tests.remora.summaries import summary_of

ERRATA = errata_of("carlson_lisper")


def campaign_without_spark(directory: Path, settings: Settings, **_: object) -> CampaignSummary:
    CampaignDirectory(directory).write_settings(settings)
    return summary_of(directory, settings, Share(settings.cases, 0, 0), settings.cases)


def plain(given: object) -> object:
    """What an argument is, as far as answers depend on it: numbers and words, claims by their statements."""
    if isinstance(given, Mapping | list | tuple):
        return [plain(each) for each in given]
    claim = getattr(given, "claim", given)
    name = (getattr(claim, "id", type(claim).__name__), str(getattr(claim, "statement", "")))
    return given if isinstance(given, str | int | Settings) else name


def once(answer: Callable[..., Any]) -> Callable[..., Any]:
    """A function that is asked once for the same arguments: verifications differ in what becomes of its answers."""
    answers: dict[str, Any] = {}

    def asked(*given: object, **options: object) -> Any:
        key = repr((plain(given), plain(list(options.items()))))
        if key not in answers:
            answers[key] = answer(*given, **options)
        return answers[key]

    return asked


ONCE = {
    "stages.verified_rules": once(lambda *_: verified_rules(4, 0, lambda done, case: None)),
    "stages.verified_profiles": once(lambda *_: verified_profiles(4, 0, lambda done, case: None)),
    "stages.checked": once(checked),
    "stages.certificate_differences": once(certificate_differences),
    "campaign.validated_texts": once(validated_texts),
    "stages.power": once(power),
    "stages.environment": once(environment),
    "stages.check_every_erratum": once(lambda solver: check_errata("carlson_lisper", solver, ERRATA[:2])),
    "stages.self_checks": once(
        lambda portfolio: {"few": [*map(cache, self_checks(portfolio)["proofs that are none"])]}
    ),
    "proofs.prove_claims": once(prove_claims),
}
"""What takes long, by where the verification finds it."""


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes a verification small: two claims, one canary, one mutant, two checks of checkers, a few cases, no Spark."""
    few = find(["law:2", "theorem:4.5"])
    monkeypatch.setattr("remora.verification.stages.every_claim", lambda: few)
    monkeypatch.setattr("remora.verification.rules.EVENTS", 60)
    monkeypatch.setattr("remora.verification.beside.can_isolate", lambda: False)  # what is found once is kept
    for place, answer in ONCE.items():
        monkeypatch.setattr(f"remora.verification.{place}", answer)
    monkeypatch.setattr("remora.verification.stages.every_false_claim", lambda: find(["canary:1"]))
    monkeypatch.setattr("remora.verification.stages.TELLING", {"seq-newest": TELLING["seq-newest"]})
    monkeypatch.setattr(
        "remora.verification.stages.text_differences",
        lambda obligations, proved: text_differences(
            obligations, claims={claim.id for claim in few}, proved=proved
        ),
    )
    monkeypatch.setattr("remora.verification.stages.side_by_side", list)
    monkeypatch.setattr("remora.verification.stages.changed_generators", lambda *_: [])
    monkeypatch.setattr("remora.verification.campaign.run_campaign", campaign_without_spark)


@pytest.fixture
def verify(
    small: None, remora: Remora, tmp_path: Path
) -> Callable[..., tuple[int, dict[str, Any], str, str]]:
    """Runs a small verification: exit status, report, both streams."""

    def run(*arguments: str | Path) -> tuple[int, dict[str, Any], str, str]:
        status, out, err = remora("verify", "--quick", "--out", tmp_path / "report", *arguments)
        return status, json.loads((tmp_path / "report" / "report.json").read_text("utf-8")), out, err

    return run


Verify = Callable[..., tuple[int, dict[str, Any], str, str]]


def test_a_verification_in_which_all_is_well_says_so_and_writes_the_report(
    verify: Verify, tmp_path: Path
) -> None:
    status, report, out, err = verify()
    assert status == 0
    assert "◉ agreed 2 claims\n" in out
    assert "All 2 claims hold for all event streams (2 agreed), and no detector failed. The seed chose" in out
    assert out.endswith(f"Report: {tmp_path / 'report' / 'report.html'}\n")
    first, *lines = err.splitlines()
    assert first.startswith("note: a quick verification of all systems takes about ")
    shown = [stage["name"] for stage in report["stages"] if not stage["detail"]]
    assert [line.partition(": ")[0] for line in lines] == shown
    assert {"proofs", "tests", "campaign"} <= {stage["name"] for stage in report["stages"]}
    here = checkout()
    assert report.get("code", {}).get("commit") == (here or {}).get("commit")
    assert (tmp_path / "report" / "report.html").read_text("utf-8").startswith("<!doctype html>")


def test_json_on_standard_output_is_the_report_and_nothing_else(
    verify: Verify, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, report, out, _ = verify("--format", "json")
    assert json.loads(out) == report


def test_a_false_law_is_refuted_and_fails_the_verification(
    verify: Verify, monkeypatch: pytest.MonkeyPatch
) -> None:
    false = EquationClaim("law:37", parse_equation("A ; (B - C) == (A ; B) - C"), source="Nowhere")
    monkeypatch.setattr("remora.verification.stages.every_claim", lambda: (*find(["law:2"]), false))
    status, report, out, err = verify()
    assert status == 1
    assert report["verdict"]["counts"] == {"agreed": 1, "refuted": 1}
    assert "error: law:37 is refuted: A ; (B - C) == (A ; B) - C\n" in err
    assert "Not as claimed: law:37 is refuted" in out
    assert report["claims"][1]["counterexample"]["trace"]


@pytest.mark.long
def test_a_claim_that_is_proved_and_refuted_by_a_test_is_a_disagreement(
    verify: Verify, monkeypatch: pytest.MonkeyPatch
) -> None:
    from laws.carlson_lisper.catalogue import check

    (canary,) = find(["canary:2"])
    monkeypatch.setattr(
        "laws.carlson_lisper.catalogue.check", lambda _claim, **options: check(canary, **options)
    )
    monkeypatch.setattr("remora.verification.stages.checked", checked)
    status, report, _, err = verify()
    assert status == 4
    assert report["verdict"]["counts"] == {"disagreement": 2}
    assert "law:2 is disagreement" in err


class Breaks(Figure2):
    def step(self, time: Time, occurrences: Mapping[str, Value]) -> Instance | None:
        raise RuntimeError("out of order")


def no_java(*_: object, **__: object) -> None:
    raise CampaignFailed("no Java was found")


def test_a_stage_that_breaks_down_is_named_and_the_others_go_on(
    verify: Verify, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(given: object) -> None:
        raise KeyError("law:14")

    for stage, part in (("errata", "check_every_erratum"), ("checks", "self_checks")):
        with monkeypatch.context() as patch:
            patch.setattr(f"remora.verification.stages.{part}", broken)
            status, report, _, err = verify()
        assert status == 5
        assert f"error: the stage '{stage}' broke down: KeyError: 'law:14' (test_verify.py:" in err
        assert stage not in report and report["campaign"]
        assert "Traceback" not in err


def test_a_claim_that_is_gone_is_named_by_what_the_record_has_of_it(
    verify: Verify, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "remora.verification.stages.text_differences",
        lambda obligations, **_: text_differences(obligations, claims={"law:2", "theorem:4.5", "law:14"}),
    )
    status, report, _, err = verify()
    assert status == 1
    assert "law:14/⊆: in the record, and no longer an obligation" in err
    assert report["record"]["same"] is False


def test_a_log_of_the_users_is_detected_and_compared(verify: Verify, logins: Path) -> None:
    status, report, _, err = verify("--log", logins, "(fail ; fail)[60] - ok", "--log", logins, "Fail")
    own = [row for row in report["detection"] if row["trace"] == str(logins)]
    assert status == 0
    assert [(row["detections"], row["agree"]) for row in own] == [(1, True), (0, True)]
    assert f"warning: {logins}: Fail never occurs in the trace; did you mean fail?\n" in err
    assert report["warnings"] == [f"{logins}: Fail never occurs in the trace; did you mean fail?"]


def test_a_log_may_be_out_of_order_and_of_several_users(verify: Verify, tmp_path: Path) -> None:
    log = tmp_path / "log.csv"
    log.write_text("time,event,user\n5,b,ann\n1,a,ann\n1,a,ben\n2,b,ben\n3,a,cem\n4,a,cem\n")
    status, report, _, err = verify("--log", log, "a ; b", "--sort", "--partition-by", "user")
    (found,) = [row for row in report["detection"] if row["trace"].startswith(str(log))]
    assert (status, found["trace"]) == (0, f"{log}, by user (3 traces)")
    assert (found["events"], found["detections"], found["agree"]) == (6, 2, True)
    assert "sorted all rows by time" in err


def test_a_long_log_is_detected_in_whole_and_compared_in_part(
    verify: Verify, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("remora.verification.logs.MAX_INSTANTS", 5)
    log = tmp_path / "log.csv"
    log.write_text("time,event\n" + "".join(f"{n},{'ab'[n % 2]}\n" for n in range(50)))
    status, report, _, _ = verify("--log", log, "a ; b")
    (found,) = [row for row in report["detection"] if row["trace"].startswith(str(log))]
    assert (status, found["detections"], found["agree"]) == (0, 25, True)
    assert found["compared"] == "the first 5 instants, up to 4"


def test_what_would_spoil_the_end_is_told_at_the_beginning(
    small: None, remora: Remora, tmp_path: Path
) -> None:
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
        err = refused(remora("verify", "--quick", "--out", tmp_path / "new", *arguments))
        assert said in err
        assert "proofs:" not in err
    assert CampaignDirectory(tmp_path / "own" / "campaign").settings().cases == 12345


def test_the_campaign_of_an_earlier_verification_is_not_gone_on_with(verify: Verify, tmp_path: Path) -> None:
    verify()
    left = tmp_path / "report" / "campaign" / "cases" / "wave=0"
    left.mkdir(parents=True)
    assert verify()[0] == 0
    assert not left.exists()


def test_a_detector_that_fails_cases_of_the_campaign_fails_the_verification(
    verify: Verify, monkeypatch: pytest.MonkeyPatch
) -> None:
    cause = CauseCount(Cause("batch", MEANING, "tim(seq)", Kind.SPURIOUS), 3, 17, "at 4: spurious")

    def failed(directory: Path, settings: Settings, **_: object) -> CampaignSummary:
        return summary_of(directory, settings, Share(settings.cases, 0, 3), settings.cases, (cause,))

    monkeypatch.setattr("remora.verification.campaign.run_campaign", failed)
    status, report, _, _ = verify()
    assert status == 1
    assert "3 of" in report["verdict"]["summary"]
    assert report["campaign"]["causes"][0]["path"] == "tim(seq)"
