import json
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from campaigns.campaign import CampaignFailed, replay, resume, run_campaign, run_locally
from campaigns.judge import Kind
from campaigns.rows import Row
from campaigns.settings import Settings
from semantics.errors import InputError

MASTER = "local[2]"


def rows_in(directory: Path) -> list[Row]:
    columns = list(Row._fields)
    records = pq.read_table(directory / "cases").select(columns).sort_by("case").to_pylist()
    return [Row(**record)._replace(microseconds=0) for record in records]


def locally(settings: Settings) -> list[Row]:
    return [row._replace(microseconds=0) for row in run_locally(settings, 0, settings.cases)]


@pytest.mark.parametrize("master", ["somewhere", "local[many]"])
def test_what_is_no_master_is_an_error_of_the_user(tmp_path: Path, master: str) -> None:
    with pytest.raises(InputError, match="not a Spark master"):
        run_campaign(tmp_path / "new", Settings(), master=master)
    assert not (tmp_path / "new").exists()


def test_an_unknown_detector_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no detector"):
        run_campaign(tmp_path / "new", Settings(detector="figure9"))
    assert not (tmp_path / "new").exists()


@pytest.mark.spark
@pytest.mark.slow
def test_a_campaign_writes_the_rows_of_a_plain_loop_and_can_be_continued(tmp_path: Path) -> None:
    directory = tmp_path / "a [strange] name" / "one"
    settings = Settings(seed=9, cases=2600, detector="mutant:seq-newest", wave=1000)
    told: list[tuple[int, int, int]] = []

    summary = run_campaign(directory, settings, master=MASTER, progress=lambda *state: told.append(state))

    expected = locally(settings)
    failed = [row for row in expected if row.kind]
    assert rows_in(directory) == expected
    assert (summary.total.cases, summary.total.failures) == (2600, len(failed))
    assert summary.total.vacuous == sum(row.vacuous for row in expected)
    assert sum(summary.kinds.values()) == len(failed)
    assert summary.operators["seq"].failures == len(failed)
    assert sum(share.cases for share in summary.profiles.values()) == 2600
    assert [failure.case.number for failure in summary.failures] == [row.case for row in failed[:20]]
    assert all(failure.reproduced and failure.minimised for failure in summary.failures)
    assert replay(directory, failed[0].case).verdict.kind == failed[0].kind
    record = json.loads((directory / "summary.json").read_text())
    assert (record["schema"], record["failures"]) == ("remora/campaign-summary/1", len(failed))
    assert told[0] == (0, 2600, 0)
    assert told[-1] == (2600, 2600, len(failed))
    assert [done for done, _, _ in told] == sorted(done for done, _, _ in told)

    # What was lost is done again, and nothing else.
    kept = {path: path.stat().st_mtime_ns for path in (directory / "cases" / "wave=0").iterdir()}
    shutil.rmtree(directory / "cases" / "wave=1")
    damaged = next((directory / "cases" / "wave=2").glob("part-*.parquet"))
    damaged.write_bytes(damaged.read_bytes()[:-100])
    again = resume(directory, master=MASTER)
    assert again.judged_now == 1600
    assert rows_in(directory) == expected
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert (again.kinds, again.total) == (summary.kinds, summary.total)


@pytest.mark.spark
@pytest.mark.slow
def test_detectors_that_end_or_block_their_worker_are_results(
    tmp_path: Path, broken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(seed=1, cases=120, detector=f"{broken}Deadly", seconds=1)
    summary = run_campaign(tmp_path / "deadly", settings, master=MASTER)
    assert summary.kinds.keys() == {Kind.WORKER_LOST}
    assert summary.total.cases == 120
    number = summary.failures[0].case.number
    assert replay(tmp_path / "deadly", number, isolated=True).verdict.kind is Kind.WORKER_LOST

    monkeypatch.setattr("campaigns.isolation.GRACE", 0.1)
    settings = Settings(seed=1, cases=3, detector=f"{broken}Deaf", seconds=0.2)
    summary = run_campaign(tmp_path / "deaf", settings, master=MASTER)
    assert summary.kinds == {Kind.TIMEOUT: 3}


@pytest.mark.spark
@pytest.mark.slow
def test_a_disk_that_cannot_be_written_is_a_failure_with_a_plain_reason(tmp_path: Path) -> None:
    directory = tmp_path / "one"

    def obstruct(done: int, total: int, failures: int) -> None:
        (directory / "cases").write_text("in the way")

    with pytest.raises(CampaignFailed) as error:
        run_campaign(directory, Settings(cases=10), master=MASTER, progress=obstruct)
    assert "\n" not in error.value.reason
