"""Whatever dies in the meantime, a campaign's rows are in the end those of an undisturbed one, byte for byte."""

import errno
import io
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark import SparkContext

from campaigns.engine.campaign import CampaignFailed, run_campaign, run_locally
from campaigns.engine.rows import ROW_SCHEMA, to_batch
from campaigns.engine.settings import CampaignDirectory, Settings
from campaigns.judging.verdicts import Kind
from tests.cluster.processes import children, command_line
from tests.cluster.standalone import standalone

pytestmark = [pytest.mark.spark, pytest.mark.long]

DETECTORS = ("figure2", "mutant:seq-newest")
SETTINGS = Settings(seed=3, cases=1600, detectors=DETECTORS, relations=(), wave=400)
"""Four waves of two shards."""


def as_bytes(table: pa.Table) -> bytes:
    """All columns of the rows, sorted by case, as bytes."""
    records = table.select(ROW_SCHEMA.names).sort_by("case").to_pylist()
    stream = io.BytesIO()
    with pa.ipc.new_stream(stream, ROW_SCHEMA) as writer:
        writer.write_table(pa.Table.from_pylist(records, ROW_SCHEMA))
    return stream.getvalue()


def rows_in(directory: Path) -> bytes:
    return as_bytes(pq.read_table(directory / "cases"))


def plain_rows(settings: Settings) -> bytes:
    return as_bytes(pa.Table.from_batches([to_batch(run_locally(settings, 0, settings.cases))]))


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The rows of a campaign that nothing happened to."""
    directory = tmp_path_factory.mktemp("undisturbed") / "one"
    run_campaign(directory, SETTINGS, master="local[2]")
    rows = rows_in(directory)
    assert rows == plain_rows(SETTINGS)
    return rows


def test_a_missing_a_double_and_an_altered_row_would_be_noticed() -> None:
    batch = to_batch(run_locally(SETTINGS, 0, 20))
    table = pa.Table.from_batches([batch])
    expected = as_bytes(table)
    assert as_bytes(pa.concat_tables([table.slice(10), table.slice(0, 10)])) == expected
    assert as_bytes(table.slice(1)) != expected
    assert as_bytes(pa.concat_tables([table, table.slice(7, 1)])) != expected
    altered = table.set_column(
        table.schema.get_field_index("expected"), "expected", pa.array([9] * 20, pa.int32())
    )
    assert as_bytes(altered) != expected


# ------------------------------------------------------------------------------------------ the driver is killed


def resumed(directory: Path) -> "subprocess.Popen[str]":
    """`remora campaign resume`, running."""
    command = [sys.executable, "-m", "remora", "campaign", "resume", str(directory), "--master", "local[2]"]
    return subprocess.Popen([*command, "--format", "json"], stdout=subprocess.PIPE, text=True)


def test_a_driver_killed_again_and_again_leaves_the_rows_of_an_undisturbed_campaign(
    tmp_path: Path, undisturbed: bytes
) -> None:
    chance = random.Random(1)
    place = CampaignDirectory(tmp_path / "one")
    place.write_settings(SETTINGS)
    for number, patience in ((0, 0.0), (2, chance.uniform(0, 0.5))):
        process = resumed(place.path)
        while process.poll() is None and not any(place.wave(number).glob("*.parquet")):
            time.sleep(0.001)
        time.sleep(patience)  # at once, when one of two shards may be there; or in the middle of anything
        process.kill()
        assert process.wait() == -signal.SIGKILL, "it was not in the middle of its work"
        process.communicate()
    last = resumed(place.path)
    summary = json.loads(last.communicate(timeout=300)[0])
    assert last.returncode == 1  # the mutant is wrong
    assert rows_in(place.path) == undisturbed
    assert 0 < summary["judged_now"] < summary["cases"] == SETTINGS.cases


# ------------------------------------------------------------------------------------------ workers are killed

KILLS = 6


class Killer(threading.Thread):
    """Kills Python workers of Spark at random moments; in between, the daemon that starts them."""

    def __init__(self, seed: int) -> None:
        super().__init__(daemon=True)
        self.chance = random.Random(seed)
        self.killed: list[int] = []
        self.over = threading.Event()

    def run(self) -> None:
        while len(self.killed) < KILLS and not self.over.wait(self.chance.uniform(0.5, 1.5)):
            java = getattr(getattr(SparkContext._gateway, "proc", None), "pid", None)
            daemons = children({java}) if java else set()
            daemons = {process for process in daemons if b"cluster.daemon" in command_line(process)}
            workers = children(daemons)
            if workers:
                victim = self.chance.choice(sorted(daemons if len(self.killed) == 3 else workers))
                os.kill(victim, signal.SIGKILL)
                self.killed.append(victim)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds processes as Linux shows them")
def test_workers_killed_at_random_change_no_row(tmp_path: Path, broken: str) -> None:
    settings = Settings(
        seed=5, cases=80, detectors=(f"{broken}Slow", "mutant:seq-newest"), relations=(), wave=40
    )
    killer = Killer(seed=7)
    killer.start()
    try:
        run_campaign(tmp_path / "one", settings, master="local[2]")
    finally:
        killer.over.set()
        killer.join()
    assert len(killer.killed) >= 3
    assert rows_in(tmp_path / "one") == plain_rows(settings)


# ------------------------------------------------------------------------------------------ the disk is full

SMALL_DISK = """
import os, subprocess, sys
from pathlib import Path
from campaigns.engine.campaign import CampaignFailed, Listener, resume
from campaigns.engine.settings import CampaignDirectory
from campaigns.engine.settings import Settings

disk, original = Path(sys.argv[1]), Path(sys.argv[2])
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", disk], check=True)
place = CampaignDirectory(disk / "one")
place.write_settings(CampaignDirectory(original).settings())
ballast = disk / "ballast"

def fill(done, total, failures):
    if done >= 400 and not ballast.exists():
        with ballast.open("wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(4096))
            except OSError:
                pass

try:
    resume(place.path, master="local[2]", listener=Listener(fill))
except CampaignFailed as error:
    print(error.reason)
ballast.unlink()
summary = resume(place.path, master="local[2]")
print(summary.judged_now)
subprocess.run(["cp", "-r", place.cases, original], check=True)
"""


def can_mount() -> bool:
    """Whether a small disk can be had: in a name space of one's own, no rights are needed where that is allowed."""
    if shutil.which("unshare") is None:
        return False
    command = ["unshare", "-Urm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    return subprocess.run(command, stderr=subprocess.DEVNULL).returncode == 0


@pytest.mark.skipif(not can_mount(), reason="needs a name space in which a small disk can be mounted")
def test_a_full_disk_ends_the_campaign_with_a_plain_word_and_nothing_is_lost(
    tmp_path: Path, undisturbed: bytes
) -> None:
    disk, original = tmp_path / "disk", CampaignDirectory(tmp_path / "original")
    disk.mkdir()
    original.write_settings(SETTINGS)
    command = ["unshare", "-Urm", sys.executable, "-c", SMALL_DISK, str(disk), str(original.path)]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=400)
    assert answer.stdout.splitlines() == ["the disk is full", "1200"], answer.stderr
    assert rows_in(original.path) == undisturbed


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_disk_that_is_full_for_us_but_not_for_spark_is_called_by_its_name_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def full(*_: object) -> None:
        raise OSError(number, "some words", "summary.json")

    monkeypatch.setattr("campaigns.engine.execution.write_json", full)
    with pytest.raises(CampaignFailed, match=r"^the disk is full$"):
        run_campaign(tmp_path / "one", replace(SETTINGS, cases=20), master="local[1]")


# ------------------------------------------------------------------------------------------ slow and endless cases

SLOW_ONCE = """
import time
from pathlib import Path

from pyspark import TaskContext

from detectors.carlson_lisper.source.figure2 import Figure2

HERE = Path({folder!r})
context = TaskContext.get()
if context is not None:
    (HERE / f"{{context.partitionId()}}-{{context.attemptNumber()}}").touch()
    try:
        (HERE / "slow").touch(exist_ok=False)
    except FileExistsError:
        pass
    else:
        time.sleep(20)


class Right(Figure2):
    pass
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs two loopback addresses")
def test_a_case_that_is_judged_by_two_copies_of_a_task_counts_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    traces = tmp_path / "traces"
    traces.mkdir()
    (tmp_path / "slow_once.py").write_text(SLOW_ONCE.format(folder=str(traces)))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    settings = Settings(seed=6, cases=800, detectors=("slow_once:Right", "mutant:seq-newest"), relations=())
    options = {
        "spark.speculation": "true",
        "spark.speculation.interval": "100ms",
        "spark.speculation.multiplier": "1.1",
        "spark.speculation.quantile": "0.25",
        "spark.speculation.minTaskRuntime": "100ms",
        "spark.python.worker.reuse": "false",  # so that every task loads the detector
    }
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    with standalone(workers=2, apart=True) as cluster:
        summary = run_campaign(tmp_path / "one", settings, master=cluster.master, options=options)
    attempts = {path.name for path in traces.iterdir()}
    assert any(name.endswith("-1") for name in attempts), "no task was copied"
    assert summary.total.cases == settings.cases
    assert rows_in(tmp_path / "one") == plain_rows(settings)


def test_cases_that_never_end_or_want_all_memory_are_rows_and_the_campaign_goes_on(
    tmp_path: Path, broken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Each would be put to all of these detectors, which takes minutes.
    monkeypatch.setattr("campaigns.engine.campaign.own_regressions", list)
    bad = {"Looping": Kind.TIMEOUT, "Deaf": Kind.TIMEOUT, "Greedy": Kind.MEMORY}
    names = {f"{broken}{name}": kind for name, kind in bad.items()}
    settings = Settings(seed=1, cases=4, detectors=("figure2", *names), relations=(), seconds=0.2, memory=500)
    summary = run_campaign(tmp_path / "one", settings, master="local[2]")
    assert summary.total.cases == 4
    assert summary.detectors["figure2"].failures == 0
    rows = pq.read_table(tmp_path / "one" / "cases").to_pylist()
    for row in rows:
        assert {failure["detector"]: failure["kind"] for failure in row["failures"]} == names
