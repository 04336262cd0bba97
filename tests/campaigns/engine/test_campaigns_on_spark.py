"""Campaigns on Spark: the rows of a plain loop, whatever dies; detectors that end their worker are results."""

import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from campaigns.engine.campaign import replay, resume, run_campaign, run_locally
from campaigns.engine.settings import CampaignDirectory, Settings
from campaigns.judging.regressions import stored_regressions
from campaigns.judging.verdicts import Kind
from tests.campaigns.written import rows_in

pytestmark = [pytest.mark.spark, pytest.mark.slow]

MASTER = "local[2]"


def test_a_campaign_writes_the_rows_of_a_plain_loop_and_goes_on_where_something_was_lost(
    tmp_path: Path, broken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("campaigns.engine.campaign.SMALLEST_SHARD", 30)  # waves of two tasks each
    monkeypatch.setattr("campaigns.engine.campaign.own_regressions", list)
    detectors = ("figure2", "mutant:seq-newest", f"{broken}Deadly")
    settings = Settings(seed=9, cases=150, detectors=detectors, relations=(), wave=60, seconds=1, constants=())
    summary = run_campaign(tmp_path / "one", settings, master=MASTER)
    others = [
        {**row._asdict(), "failures": [one for one in row.failures if one["detector"] != detectors[2]]}
        for row in rows_in(tmp_path / "one")
    ]
    plain = Settings(**{**vars(settings), "detectors": detectors[:2]})
    expected = list(run_locally(plain, 0, 150))
    for name in ("case", "expression", "expected", "profile"):
        assert [row[name] for row in others] == [getattr(row, name) for row in expected]
    assert [row["failures"] for row in others] == [row.failures for row in expected]
    assert (summary.total.cases, summary.judged_now) == (150, 150)
    lost = [found for found in summary.causes if found.cause.detector == detectors[2]]
    assert {found.cause.kind for found in lost} == {Kind.WORKER_LOST}
    assert summary.detectors["figure2"].failures == 0 < summary.detectors["mutant:seq-newest"].failures
    faults = replay(tmp_path / "one", lost[0].first, apart=True).faults
    assert Kind.WORKER_LOST in {fault.kind for fault in faults}
    stored = stored_regressions(tmp_path / "one" / "regressions")
    assert {one.detector for one in stored} == set(detectors[1:])

    kept = {path: path.stat().st_mtime_ns for path in (tmp_path / "one" / "cases" / "wave=0").iterdir()}
    shutil.rmtree(tmp_path / "one" / "cases" / "wave=1")
    again = resume(tmp_path / "one", master=MASTER)
    assert again.judged_now == 60
    assert (again.causes, again.total) == (summary.causes, summary.total)
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert {failure.detector for failure in again.regressions.failures} == set(detectors[1:])


def test_a_killed_campaign_is_resumed_with_the_rows_of_an_undisturbed_one(tmp_path: Path) -> None:
    settings = Settings(
        seed=3, cases=900, detectors=("figure2", "mutant:seq-newest"), relations=(), wave=300, constants=()
    )
    place = CampaignDirectory(tmp_path / "one")
    place.write_settings(settings)
    command = [sys.executable, "-m", "remora", "campaign", "resume", str(place.path), "--master", MASTER]
    process = subprocess.Popen([*command, "--format", "json"], stdout=subprocess.PIPE, text=True)
    while process.poll() is None and not any(place.wave(1).glob("*.parquet")):
        time.sleep(0.001)
    process.kill()  # in the middle of the second wave
    process.communicate()
    assert process.returncode == -signal.SIGKILL, "it was over before it was killed"
    ended = subprocess.run([*command, "--format", "json"], capture_output=True, text=True, timeout=400, check=False)
    summary = json.loads(ended.stdout)
    assert ended.returncode == 1, "the mutant is wrong"
    assert rows_in(place.path) == list(run_locally(settings, 0, 900))
    assert 0 < summary["judged_now"] < summary["cases"] == 900
