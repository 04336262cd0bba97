"""A campaign on Spark: the rows of a plain loop, only what is missing; a detector that ends its worker is a result."""

from pathlib import Path
from typing import Any

import pytest

from campaigns.engine.campaign import replay, run_campaign, run_locally
from campaigns.engine.rows import Shard, write_receipts
from campaigns.engine.settings import CampaignDirectory, Settings
from campaigns.judging.regressions import stored_regressions
from campaigns.judging.verdicts import Kind
from tests.campaigns.written import rows_in

pytestmark = [pytest.mark.usefixtures("in_spark"), pytest.mark.spark, pytest.mark.slow]


def test_what_is_missing_of_a_campaign_gets_the_rows_of_a_plain_loop_though_a_detector_ends_its_worker(
    tmp_path: Path, broken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("campaigns.engine.campaign.SMALLEST_SHARD", 5)  # a wave of two tasks
    monkeypatch.setattr("campaigns.engine.campaign.own_regressions", list)
    monkeypatch.setattr("campaigns.engine.summary.EXAMINED", 1)
    monkeypatch.setattr("campaigns.judging.judgements.BUDGET", 40)
    detectors = ("figure2", "mutant:seq-newest", f"{broken}Deadly")
    settings = Settings(seed=9, cases=20, detectors=detectors, relations=(), wave=10, seconds=1, constants=())
    place = CampaignDirectory(tmp_path / "one")
    place.write_settings(settings)
    write_receipts(place.wave(0), [Shard(settings, (".",), str(place.wave(0))).judged([*range(10)], apart=True)])
    kept = {path: path.stat().st_mtime_ns for path in place.wave(0).iterdir()}

    summary = run_campaign(place.path, settings, master="local[2]")
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert (summary.total.cases, summary.judged_now) == (20, 10)
    rows = [
        row._replace(failures=[failure for failure in row.failures if failure["detector"] != detectors[2]])
        for row in rows_in(place.path)
    ]
    plain = Settings(**{**vars(settings), "detectors": detectors[:2]})
    unlike: dict[str, Any] = {"campaign": "", "judgements": 0, "trace": None}
    assert [row._replace(**unlike) for row in rows] == [row._replace(**unlike) for row in run_locally(plain, 0, 20)]
    lost = [found for found in summary.causes if found.cause.detector == detectors[2]]
    assert {found.cause.kind for found in lost} == {Kind.WORKER_LOST}
    assert summary.detectors["figure2"].failures == 0 < summary.detectors["mutant:seq-newest"].failures
    faults = replay(place.path, lost[0].first, apart=True).faults
    assert Kind.WORKER_LOST in {fault.kind for fault in faults}
    assert {one.detector for one in stored_regressions(place.regressions)} == set(detectors[1:])
