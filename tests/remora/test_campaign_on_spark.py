"""Campaigns that really run, from the command and from a program; in this process, whose Java serves them all."""

import json
from pathlib import Path

import pytest

import remora as api
from campaigns.carlson_lisper.cases import generate
from campaigns.engine.campaign import run_locally
from campaigns.engine.settings import Settings
from tests.remora.conftest import Remora, few_regressions

pytestmark = [pytest.mark.usefixtures("in_spark"), pytest.mark.long, pytest.mark.spark]
CASES = 30


@pytest.fixture(autouse=True)
def few_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    """Has each run try seven stored cases only, and examine one failure of each cause."""
    monkeypatch.setattr("campaigns.engine.campaign.own_regressions", few_regressions)
    monkeypatch.setattr("campaigns.engine.summary.EXAMINED", 1)


def test_a_campaign_against_a_mutant_is_drawn_shown_and_replayed(remora: Remora, tmp_path: Path) -> None:
    settings = Settings(seed=0, cases=CASES, detectors=("mutant:seq-newest",))
    wrong = [row.case for row in run_locally(settings, 0, CASES) if row.failures]
    folder = tmp_path / "a [mutant].campaign"
    where = ("--master", "local[2]", "--regressions", tmp_path / "kept")
    options = ("--cases", str(CASES), "--detector", "mutant:seq-newest", *where)
    status, out, err = remora("campaign", "run", folder, *options)
    assert status == 1, err
    assert f"judgements of mutant:seq-newest: {len(wrong)} cases failed" in out
    assert f"{CASES} cases are few" in err
    assert "a ; (a ; a)" in out
    assert "expected only  ┣━━━━━━━━━━━┫  [0, 2]" in out
    assert out.count("missing detection at seq(") >= 2  # drawn when it was found, and counted at the end

    status, out, _ = remora("campaign", "resume", folder, "--format", "json", *where)
    found = json.loads(out)
    assert (status, found["schema"]) == (1, "remora/campaign-result/3")
    assert (found["standing"], found["judged_now"], found["failed"]) == ("refuted", 0, len(wrong))
    assert found["failures"][0]["original"]["expression"] != found["failures"][0]["expression"]
    assert found["regressions"]["failures"]

    status, out, _ = remora("campaign", "show", folder)
    assert (status, f"case {wrong[0]}: mutant:seq-newest" in out) == (0, True)
    summary = json.loads(remora("campaign", "show", folder, "--format", "json")[1])
    assert (summary["schema"], summary["failures"]) == ("remora/campaign-summary/3", len(wrong))
    assert summary["examples"]
    assert remora("campaign", "replay", folder, str(wrong[0]))[0] == 1

    # A program that asks for the same is answered from what is there.
    same = api.campaign(folder, cases=CASES, detectors="mutant:seq-newest", master="local[2]")
    assert same.standing is api.Standing.REFUTED
    assert not same
    assert "mutant:seq-newest" in str(same)
    assert "<svg" in same._repr_html_()
    assert (same.summary.judged_now, same.summary.settings.seed) == (0, generate(0, 0).seed)
