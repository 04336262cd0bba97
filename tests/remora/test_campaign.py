import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from campaigns.campaign import CampaignFailed, run_locally
from campaigns.directory import CampaignDirectory
from campaigns.settings import Settings
from campaigns.summary import CampaignSummary, Share
from laws.standings import Standing
from remora.campaign_data import campaign_standing

Remora = Callable[..., tuple[int, str, str]]
Process = Callable[..., "subprocess.CompletedProcess[bytes]"]


@pytest.fixture
def begun(tmp_path: Path) -> Path:
    """A campaign of which only the settings were written."""
    folder = tmp_path / "begun"
    settings = Settings(seed=0, cases=300, detector="mutant:seq-newest")
    CampaignDirectory(folder).write_settings(settings)
    return folder


def test_a_replayed_failure_is_drawn_and_refuted(remora: Remora, begun: Path) -> None:
    status, out, err = remora("campaign", "replay", begun, "50")
    assert (status, err) == (1, "")
    assert "mutant:seq-newest: missing detection" in out
    assert "expected only  ┣━" in out


def test_a_replayed_case_that_is_right_is_as_claimed(remora: Remora, begun: Path) -> None:
    status, out, _ = remora("campaign", "replay", begun, "0")
    assert (status, "mutant:seq-newest: as the semantics says" in out) == (0, True)


def test_a_replayed_case_that_the_detector_refuses_is_inconclusive(remora: Remora, tmp_path: Path) -> None:
    CampaignDirectory(tmp_path).write_settings(Settings(seed=64, cases=2, detector="batch"))
    status, out, _ = remora("campaign", "replay", tmp_path, "1")
    assert (status, "refused: " in out, "expected" in out) == (3, True, False)
    status, out, _ = remora("campaign", "replay", tmp_path, "1", "--format", "json")
    found = json.loads(out)
    assert (status, found["ok"], found["kind"]) == (3, False, None)
    assert "has the label" in found["refused"]


def test_a_campaign_of_refused_cases_alone_says_nothing_of_the_detector(tmp_path: Path) -> None:
    settings = Settings(cases=5, detector="batch")
    none: dict[str, Share] = {}
    refused = [
        CampaignSummary(tmp_path, "", settings, Share(5, 0, 0, n), 0, 0, {}, none, none, (), 5, 1.0, 1.0)
        for n in (0, 4, 5)
    ]
    standings = [campaign_standing(summary) for summary in refused]
    assert standings == [Standing.TESTED, Standing.TESTED, Standing.UNKNOWN]


def test_a_replay_in_json_has_the_case_and_both_sides(remora: Remora, begun: Path) -> None:
    status, out, _ = remora("campaign", "replay", begun, "50", "--format", "json")
    found = json.loads(out)
    assert (status, found["schema"], found["case"], found["ok"]) == (1, "remora/replay/1", 50, False)
    assert found["expected"] != found["detected"]
    assert found["trace"][0].keys() == {"event", "time", "value"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("replay", "{begun}", "300"), "The cases are numbered from 0 to 299."),
        (("replay", "{begun}", "x"), "'x' is not a valid number."),
        (("replay", "{none}", "1"), "there is no campaign here"),
        (("show", "{begun}"), "the campaign here is not finished"),
        (("show", "{none}"), "there is no campaign here"),
        (("resume", "{none}"), "there is no campaign here"),
        (("run", "{begun}", "--seed", "4"), "the campaign here has other settings"),
        (("run", "{file}"), "is a file"),
        (("run", "{none}", "--master", "foo"), "not a Spark master: 'foo'"),
        (("run", "{none}", "--detector", "mutant:foo"), "no mutant is called 'foo'"),
        (("run", "{none}", "--detector", "nix:nix"), "cannot be imported"),
        (("run", "{none}", "--profile", "foo=3"), "no profile is called 'foo'"),
        (("run", "{none}", "--profile", "small"), "Write NAME=WEIGHT"),
        (("run", "{none}", "--profile", "small=0"), "the weights of profiles"),
        (("run", "{none}", "--cases", "0"), "0 is not in the range"),
    ],
)
def test_what_makes_no_sense_is_bad_input_before_spark_is_started(
    remora: Remora, begun: Path, arguments: tuple[str, ...], said: str
) -> None:
    (begun.parent / "file").write_text("")
    places = {"begun": begun, "none": begun.parent / "none", "file": begun.parent / "file"}
    status, out, err = remora("campaign", *(argument.format(**places) for argument in arguments))
    assert (status, out) == (2, "")
    assert said in err
    assert not places["none"].exists()


def test_a_campaign_that_could_not_run_is_a_failure_of_the_infrastructure(
    remora: Remora, begun: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise CampaignFailed("Java is on strike")

    monkeypatch.setattr("remora.commands.campaign.resume", fails)
    assert remora("campaign", "resume", begun) == (5, "", "error: Java is on strike\n")


@pytest.mark.slow
@pytest.mark.spark
def test_a_campaign_against_a_mutant_is_drawn_shown_and_replayed(process: Process, tmp_path: Path) -> None:
    folder = tmp_path / "a [mutant].campaign"
    master = ("--master", "local[2]")
    settings = Settings(cases=300, detector="mutant:seq-newest")
    wrong = [row.case for row in run_locally(settings, 0, 300) if row.kind is not None]
    run = process("campaign", "run", folder, "--cases", "300", "--detector", settings.detector, *master)
    out = run.stdout.decode()
    assert run.returncode == 1, run.stderr
    assert f"300 cases against mutant:seq-newest: {len(wrong)} failed" in out
    assert "a ; (a ; a)" in out
    assert "expected only  ┣━━━━━━━━━━━┫  [0, 2]" in out
    assert f"{len(wrong) - 3} more failed; see: remora campaign show {folder}" in run.stderr.decode()

    again = process("campaign", "resume", folder, "--format", "json", *master)
    found = json.loads(again.stdout)
    assert (again.returncode, found["schema"]) == (1, "remora/campaign-result/1")
    assert (found["standing"], found["judged_now"], found["failed"]) == ("refuted", 0, len(wrong))
    assert found["failures"][0]["original"]["expression"] != found["failures"][0]["expression"]
    assert b"all of them were there" in process("campaign", "resume", folder, *master).stdout

    shown = process("campaign", "show", folder)
    assert (shown.returncode, f"case {wrong[0]}: missing detection".encode() in shown.stdout) == (0, True)
    summary = json.loads(process("campaign", "show", folder, "--format", "json").stdout)
    assert (summary["schema"], summary["failures"]) == ("remora/campaign-summary/1", len(wrong))
    assert process("campaign", "replay", folder, str(wrong[0])).returncode == 1
