"""`remora campaign` without Spark: replays, and what is refused before a campaign begins."""

import json
from pathlib import Path
from unittest.mock import Mock

import pytest

from campaigns.engine.campaign import CampaignFailed, run_locally
from campaigns.engine.settings import CampaignDirectory, Settings
from campaigns.engine.summary import Share
from laws.standings import Standing
from remora.api.campaigning import campaign_standing
from tests.remora.conftest import Remora, refused
from tests.remora.summaries import summary_of

SEQ_NEWEST = Settings(seed=0, cases=40, detectors=("mutant:seq-newest",))


@pytest.fixture
def begun(tmp_path: Path) -> Path:
    """A campaign of which only the settings were written."""
    folder = tmp_path / "begun"
    CampaignDirectory(folder).write_settings(SEQ_NEWEST)
    return folder


def test_an_interrupted_command_says_how_to_go_on(
    remora: Remora, begun: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("remora.commands.campaign.run_campaign", Mock(side_effect=KeyboardInterrupt))
    status, _, err = remora("campaign", "resume", begun, "--regressions", tmp_path)
    told = f"go on with: remora campaign resume {begun} --regressions {tmp_path}"
    assert (status, err) == (130, f"error: interrupted\n  {told}\n")
    err = remora("campaign", "run", tmp_path / "other", "--cases", "5")[2]
    assert "nothing of it is kept; again with: " in err
    assert "again with" not in remora("campaign", "show", begun)[2]
    # That it could not run is a failure of the infrastructure.
    monkeypatch.setattr("remora.commands.campaign.run_campaign", Mock(side_effect=CampaignFailed("Java is on strike")))
    assert remora("campaign", "resume", begun) == (5, "", "error: Java is on strike\n")


@pytest.mark.slow
def test_wrong_detectors_are_found_by_what_they_report_and_others_are_named(remora: Remora) -> None:
    listed = json.loads(remora("campaign", "power", "--list", "--format", "json")[1])["mutants"]
    status, out, _ = remora("campaign", "power", "--cases", "2", "--format", "json")
    found = json.loads(out)
    assert (status, found["killed"] + len(found["survivors"])) == (1, len(listed))
    assert found["killed"] > 2
    assert "crash" not in {death["kind"] for death in found["deaths"].values()}


def test_a_campaign_of_refused_cases_alone_says_nothing_of_the_detector(tmp_path: Path) -> None:
    settings = Settings(cases=5, detectors=("batch",))
    refused = [summary_of(tmp_path, settings, Share(5, 0, 0, number), 5) for number in (0, 4, 5)]
    standings = [campaign_standing(summary) for summary in refused]
    assert standings == [Standing.TESTED, Standing.TESTED, Standing.UNKNOWN]


@pytest.mark.slow
def test_a_replay_says_of_a_case_what_is_wrong(remora: Remora, begun: Path) -> None:
    wrong = [row.case for row in run_locally(SEQ_NEWEST, 0, SEQ_NEWEST.cases) if row.failures]
    status, out, _ = remora("campaign", "replay", begun, str(wrong[0]), "--format", "json")
    found = json.loads(out)
    assert (status, found["schema"], found["case"], found["ok"]) == (1, "remora/replay/2", wrong[0], False)
    assert found["expected"] != found["detected"]["mutant:seq-newest"]
    assert found["failures"][0]["detector"] == "mutant:seq-newest"
    assert found["trace"][0].keys() == {"event", "time", "value"}
    right = next(number for number in range(SEQ_NEWEST.cases) if number not in wrong)
    status, out, _ = remora("campaign", "replay", begun, right)
    assert (status, "mutant:seq-newest: as the semantics says" in out) == (0, True)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("replay", "{}", "40"), "The cases are numbered from 0 to 39."),
        (("show", "{}"), "the campaign here is not finished"),
        (("run", "{}", "--seed", "4"), "the campaign here has other settings"),
    ],
)
def test_what_makes_no_sense_is_bad_input_before_spark_is_started(
    remora: Remora, begun: Path, arguments: tuple[str, ...], said: str
) -> None:
    assert said in refused(remora("campaign", *(argument.format(begun) for argument in arguments)))


@pytest.mark.parametrize("command", [("replay", "0"), ("resume",)])
def test_code_that_a_folder_names_is_imported_by_those_alone_who_trust_it(
    remora: Remora, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("strange.py").write_text("from pathlib import Path\nPath('was-here').touch()\nraise ValueError('strange')\n")
    CampaignDirectory(tmp_path / "c").write_settings(Settings(cases=3, detectors=("strange:Detector",)))
    name, *rest = command
    status, out, err = remora("campaign", name, tmp_path / "c", *rest)
    assert (status, out, "strange:Detector" in err, "--trust" in err) == (2, "", True, True)
    assert not Path("was-here").exists()
    assert "cannot be imported: ValueError: strange" in remora("campaign", name, tmp_path / "c", *rest, "--trust")[2]
    assert Path("was-here").exists()
