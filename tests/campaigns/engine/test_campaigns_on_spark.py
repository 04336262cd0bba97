"""Campaigns on Spark: the rows of a plain loop, whatever dies; detectors that end their worker are results."""

import shutil
from pathlib import Path

import pytest

from campaigns.engine.campaign import replay, resume, run_campaign, run_locally
from campaigns.engine.settings import Settings
from campaigns.judging.regressions import stored_regressions
from campaigns.judging.verdicts import Kind
from tests.campaigns.written import rows_in

pytestmark = [pytest.mark.spark, pytest.mark.slow]

MASTER = "local[2]"


def test_a_campaign_writes_the_rows_of_a_plain_loop_and_goes_on_where_something_was_lost(
    tmp_path: Path, broken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("campaigns.engine.campaign.SMALLEST_SHARD", 20)  # waves of two tasks each
    monkeypatch.setattr("campaigns.engine.campaign.own_regressions", list)
    detectors = ("figure2", "mutant:seq-newest", f"{broken}Deadly")
    settings = Settings(seed=9, cases=80, detectors=detectors, relations=(), wave=40, seconds=1, constants=())
    summary = run_campaign(tmp_path / "one", settings, master=MASTER)
    others = [
        {**row._asdict(), "failures": [one for one in row.failures if one["detector"] != detectors[2]]}
        for row in rows_in(tmp_path / "one")
    ]
    plain = Settings(**{**vars(settings), "detectors": detectors[:2]})
    expected = list(run_locally(plain, 0, 80))
    for name in ("case", "expression", "expected", "profile"):
        assert [row[name] for row in others] == [getattr(row, name) for row in expected]
    assert [row["failures"] for row in others] == [row.failures for row in expected]
    assert (summary.total.cases, summary.judged_now) == (80, 80)
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
    assert again.judged_now == 40
    assert (again.causes, again.total) == (summary.causes, summary.total)
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert {failure.detector for failure in again.regressions.failures} == set(detectors[1:])
