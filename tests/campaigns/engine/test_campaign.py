import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from campaigns.engine.campaign import CampaignFailed, Listener, replay, resume, run_campaign, run_locally
from campaigns.engine.failures import Failure
from campaigns.engine.settings import Settings
from campaigns.engine.summary import CampaignSummary, summary_to_json
from campaigns.judging.regressions import stored_regressions
from campaigns.judging.verdicts import Kind
from tests.campaigns.written import rows_in

MASTER = "local[2]"


@pytest.mark.spark
@pytest.mark.long
def test_a_campaign_writes_the_rows_of_a_plain_loop_and_can_be_continued(
    tmp_path: Path, broken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Three waves of two tasks each, or one; more cases would only repeat what rows and waves are tried on.
    monkeypatch.setattr("campaigns.engine.execution.SMALLEST_SHARD", 30)
    # What the project has stored and memory are looked at in each of the three runs: tests of their own ask for them.
    monkeypatch.setattr("campaigns.engine.campaign.own_regressions", list)
    monkeypatch.setattr("campaigns.engine.campaign.growing", lambda *_: ())
    directory = tmp_path / "a [strange] name" / "one"
    wrong, selective = ("mutant:seq-newest", "mutant:con-earlier"), f"{broken}Selective"
    settings = Settings(seed=9, cases=160, detectors=("figure2", *wrong, selective), wave=60)
    told: list[tuple[int, int, int]] = []
    shown: list[Failure] = []

    summary = run_campaign(
        directory, settings, master=MASTER, listener=Listener(lambda *state: told.append(state), shown.append)
    )

    expected = list(run_locally(settings, 0, settings.cases))
    failed = [row for row in expected if row.failures]
    failures = [failure for row in expected for failure in row.failures]
    assert rows_in(directory) == expected
    assert (summary.total.cases, summary.total.failures) == (160, len(failed))
    assert summary.total.vacuous == sum(row.vacuous for row in expected)
    assert summary.judgements == sum(row.judgements for row in expected)
    assert sum(summary.kinds.values()) == sum(found.cases for found in summary.causes) == len(failures)
    assert summary.detectors["figure2"].failures == summary.detectors[selective].failures == 0
    for name in wrong:
        assert summary.detectors[name].failures == sum(failure["detector"] == name for failure in failures)
    assert sum(share.cases for share in summary.profiles.values()) == 160
    assert sum(summary.relations.values()) == 160
    for name, count in summary.coverage.counts.items():
        assert count == sum(name in row.covered for row in expected)
    refused = sum(bool(row.refusals) for row in expected)
    written = summary_to_json(summary)
    assert written["refused"] == written["detectors"][selective]["refused"] == refused
    assert sum(share["refused"] for share in written["profiles"].values()) == refused
    assert written["detectors"]["figure2"]["refused"] == 0 < refused < 160

    # Each cause has been told once, with an example that was made small, and is kept as a regression.
    assert tuple(shown) == summary.failures
    assert len({failure.cause for failure in shown}) == len(shown) > 0
    assert {failure.cause for failure in shown} <= {found.cause for found in summary.causes}
    assert all(failure.reproduced and failure.minimised for failure in shown)
    assert replay(directory, failed[0].case).faults[0].kind == failed[0].failures[0]["kind"]
    stored = stored_regressions(directory / "regressions")
    assert {regression.detector for regression in stored} == set(wrong)
    record = json.loads((directory / "summary.json").read_text())
    assert (record["schema"], record["failures"]) == ("remora/campaign-summary/2", summary.total.failures)
    assert told[0] == (0, 160, 0)
    assert told[-1] == (160, 160, len(failed))
    assert [done for done, _, _ in told] == sorted(done for done, _, _ in told)

    # What was lost is done again, and nothing else.
    kept = {path: path.stat().st_mtime_ns for path in (directory / "cases" / "wave=0").iterdir()}
    shutil.rmtree(directory / "cases" / "wave=1")
    damaged = next((directory / "cases" / "wave=2").glob("part-*.parquet"))
    damaged.write_bytes(damaged.read_bytes()[:-100])
    again = resume(directory, master=MASTER)
    assert again.judged_now == 100
    assert rows_in(directory) == expected
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert (again.causes, again.total, again.coverage) == (summary.causes, summary.total, summary.coverage)

    # What once failed is tried first the next time, and fails again.
    assert again.regressions.tried >= len(stored)
    once_failed = {failure.detector for failure in again.regressions.failures}
    assert once_failed == set(wrong)

    # Where nothing is missing the answer comes from what is stored, and is the one that was counted.
    def record_of(summary: CampaignSummary) -> list[tuple[str, object]]:
        told = summary_to_json(replace(summary, judged_now=0, seconds=1.0))
        return list(json.loads(json.dumps(told)).items())

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("Spark was started")

    files = {path: path.read_bytes() for path in directory.rglob("*") if path.is_file()}
    monkeypatch.setattr("campaigns.engine.campaign.spark_session", refuse)
    found = resume(directory, master=MASTER)
    assert record_of(found) == record_of(again)
    assert (found.ok, found.failures, found.judged_now) == (False, again.failures, 0)
    after = {path: path.read_bytes() for path in directory.rglob("*") if path.is_file()}
    assert {path.name for path in after if after[path] != files.get(path)} == {"summary.json"}


@pytest.mark.long
@pytest.mark.spark
def test_detectors_that_end_or_overfill_their_worker_are_results(tmp_path: Path, broken: str) -> None:
    settings = Settings(seed=1, cases=40, detectors=("figure2", f"{broken}Deadly"), seconds=1)
    summary = run_campaign(tmp_path / "deadly", settings, master=MASTER)
    assert summary.kinds.keys() == {Kind.WORKER_LOST}
    assert summary.total.cases == 40
    assert summary.detectors["figure2"].failures == 0
    number = summary.causes[0].first
    assert [fault.kind for fault in replay(tmp_path / "deadly", number, apart=True).faults] == [
        Kind.WORKER_LOST
    ]

    settings = Settings(seed=1, cases=8, detectors=(f"{broken}Greedy",), memory=500)
    summary = run_campaign(tmp_path / "greedy", settings, master=MASTER)
    assert summary.kinds == {Kind.MEMORY: 8}


@pytest.mark.spark
@pytest.mark.slow
def test_a_disk_that_cannot_be_written_is_a_failure_with_a_plain_reason(tmp_path: Path) -> None:
    directory = tmp_path / "one"

    def obstruct(done: int, total: int, failures: int) -> None:
        (directory / "cases").write_text("in the way")

    with pytest.raises(CampaignFailed) as error:
        run_campaign(directory, Settings(cases=10), master=MASTER, listener=Listener(obstruct))
    assert "\n" not in error.value.reason


@pytest.mark.spark
@pytest.mark.long
def test_a_file_of_the_user_that_is_named_as_a_module_of_python_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "types.py").write_text("nothing = None\n")
    (tmp_path / "mine.py").write_text("from detectors.carlson_lisper.source.figure2 import Figure2 as Mine\n")
    (tmp_path / "real.csv").write_text("event,time\na,1\nb,3\n")
    remora = str(Path(sys.executable).with_name("remora"))
    command = [remora, "campaign", "run", "one", "--cases=20", "--detector=mine:Mine", "--corpus=real.csv"]
    command.append(f"--master={MASTER}")
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr.count("EOFException")) == (0, 0)
