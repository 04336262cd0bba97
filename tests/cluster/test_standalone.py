"""Campaigns on a real cluster of this machine, whose Python does not have the project."""

import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from campaigns.engine.campaign import CampaignFailed, Listener, run_campaign, run_locally
from campaigns.engine.settings import Settings
from tests.campaigns.written import rows_in
from tests.cluster.processes import command_line, descendants
from tests.cluster.standalone import StandaloneCluster, standalone

pytestmark = [pytest.mark.spark, pytest.mark.long]


@pytest.fixture(scope="module")
def cluster() -> Iterator[StandaloneCluster]:
    with standalone(workers=2) as cluster:
        yield cluster


class Losses:
    """Kills processes of a cluster in the middle of a campaign: a Python daemon, then a worker with its executor."""

    def __init__(self, cluster: StandaloneCluster) -> None:
        self.cluster = cluster
        self.killed: list[str] = []

    def listener(self) -> Listener:
        return Listener(progress=self.progress)

    def progress(self, done: int, total: int, failures: int) -> None:
        victim = random.Random(5).choice(self.cluster.workers)
        executors = descendants(victim.pid)
        daemons = [process for process in executors if b"pyspark.daemon" in command_line(process)]
        if not daemons or done == total:
            return
        if not self.killed:
            os.kill(daemons[0], signal.SIGKILL)
            self.killed.append("daemon")
        elif len(self.killed) == 1 and done > 0:
            for process in (victim.pid, *executors):
                os.kill(process, signal.SIGKILL)
            self.killed.append("worker")


def test_the_foreign_python_has_what_the_project_needs_but_not_the_project(
    foreign_python: Path, tmp_path: Path
) -> None:
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

    def imports(module: str) -> bool:
        command = [str(foreign_python), "-c", f"import {module}"]
        return subprocess.run(command, cwd=tmp_path, env=environ, stderr=subprocess.DEVNULL).returncode == 0

    assert imports("pyspark, pyarrow, pandas, lark, numpy")
    for name in ("semantics", "laws", "detectors", "cluster", "campaigns"):
        assert not imports(name)


def test_the_project_and_a_users_detector_travel_to_the_workers(
    cluster: StandaloneCluster, foreign_python: Path, theirs: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYSPARK_PYTHON", str(foreign_python))
    settings = Settings(seed=4, cases=500, detectors=("figure2", theirs))
    summary = run_campaign(tmp_path / "one", settings, master=cluster.master)
    assert rows_in(tmp_path / "one") == list(run_locally(settings, 0, settings.cases))
    assert summary.detectors["figure2"].failures == 0
    assert summary.detectors[theirs].failures > 0


def test_a_python_without_the_packages_is_named_with_a_remedy(
    cluster: StandaloneCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = tmp_path / "bare"
    (bare / "bin").mkdir(parents=True)
    (bare / "bin" / "python").symlink_to(Path(sys.executable).resolve())
    (bare / "pyvenv.cfg").write_text(f"home = {Path(sys.executable).resolve().parent}\n")
    monkeypatch.setenv("PYSPARK_PYTHON", str(bare / "bin" / "python"))
    with pytest.raises(CampaignFailed, match=r"has no module \w+\. Every machine .*docs/cluster\.md"):
        run_campaign(tmp_path / "one", Settings(cases=10, relations=()), master=cluster.master)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds processes as Linux shows them")
def test_a_lost_machine_and_a_lost_python_change_no_row(
    cluster: StandaloneCluster, foreign_python: Path, theirs: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYSPARK_PYTHON", str(foreign_python))
    settings = Settings(seed=4, cases=800, detectors=("figure2", theirs), relations=(), wave=200)
    losses = Losses(cluster)
    run_campaign(tmp_path / "one", settings, master=cluster.master, listener=losses.listener())
    assert losses.killed == ["daemon", "worker"]
    assert rows_in(tmp_path / "one") == list(run_locally(settings, 0, settings.cases))
