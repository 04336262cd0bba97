"""Campaigns on a Spark Connect server, whose Python does not have the project, and started by spark-submit."""

import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pyspark
import pytest

from campaigns.engine.campaign import CampaignFailed, run_campaign, run_locally
from campaigns.engine.settings import Settings
from cluster.java import find_java, launcher_home
from cluster.session import DEFAULT_MASTER, SparkUnavailable, is_submitted, log_options, spark_session, usual_master
from tests.campaigns.written import rows_in

SERVER = "org.apache.spark.sql.connect.service.SparkConnectServer"


def test_without_the_packages_of_connect_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspark.sql.connect.session", None)
    with pytest.raises(SparkUnavailable, match=r"pip install 'remora\[connect\]'"), spark_session("sc://localhost"):
        pass


def test_a_server_that_does_not_answer_is_told_at_once() -> None:
    pytest.importorskip("grpc")
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        master = f"sc://127.0.0.1:{unused.getsockname()[1]}"
        with pytest.raises(SparkUnavailable, match="no Spark Connect server answers"), spark_session(master):
            pass


@pytest.fixture
def server(tmp_path: Path, foreign_python: Path) -> Iterator[str]:
    pytest.importorskip("grpc")
    home = Path(pyspark.__file__).parent
    settings = {
        "spark.driver.extraJavaOptions": " ".join(log_options("info")),
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.connect.grpc.binding.port": "0",
        "spark.ui.enabled": "false",
    }
    command = [str(home / "bin" / "spark-submit"), "--class", SERVER, "--master", "local[2,4]"]
    command += [part for name, value in settings.items() for part in ("--conf", f"{name}={value}")]
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environ |= {"JAVA_HOME": str(launcher_home(find_java())), "SPARK_HOME": str(home), "SPARK_LOCAL_IP": "127.0.0.1"}
    environ |= {"PYSPARK_PYTHON": str(foreign_python)}
    folder = tmp_path / "server"
    folder.mkdir()
    log = folder / "log"
    with log.open("wb") as words:
        process = subprocess.Popen(command, cwd=folder, env=environ, stdout=words, stderr=words)
        try:
            deadline = time.monotonic() + 120
            while not (found := re.search(r"server started at: \S*?:(\d+)", log.read_text(errors="replace"))):
                assert process.poll() is None and time.monotonic() < deadline, log.read_text(errors="replace")[-2000:]
                time.sleep(0.2)
            yield f"sc://127.0.0.1:{found[1]}"
        finally:
            process.terminate()
            process.wait(30)


@pytest.mark.spark
@pytest.mark.long
def test_a_campaign_on_connect_has_the_rows_of_a_plain_loop(server: str, theirs: str, tmp_path: Path) -> None:
    settings = Settings(seed=4, cases=300, detectors=("figure2", theirs), relations=(), wave=200)
    summary = run_campaign(tmp_path / "one", settings, master=server)
    assert rows_in(tmp_path / "one") == list(run_locally(settings, 0, settings.cases))
    assert summary.detectors["figure2"].failures == 0
    assert summary.detectors[theirs].failures > 0
    # A session of the other kind can follow in the same process.
    with spark_session("local[1]") as session:
        assert session.range(3).count() == 3
    with pytest.raises(CampaignFailed):
        run_campaign(Path("/proc/nowhere"), settings, master=server)


def test_a_program_that_was_not_submitted_uses_this_machine() -> None:
    assert not is_submitted()
    assert usual_master() == DEFAULT_MASTER


@pytest.mark.spark
@pytest.mark.long
def test_a_campaign_runs_under_spark_submit(foreign_python: Path, theirs: str, tmp_path: Path) -> None:
    script = subprocess.run([sys.executable, "-m", "remora.submit"], capture_output=True, text=True, check=True)
    settings = Settings(seed=4, cases=300, detectors=("figure2", theirs), relations=())
    program = [script.stdout.strip(), "campaign", "run", str(tmp_path / "one"), "--cases", "300", "--seed", "4"]
    program += ["--relation", "none", "--detector", "figure2", "--detector", theirs, "--format", "json"]
    master = "local-cluster[2,1,1024]"
    environ = {**os.environ, "JAVA_HOME": str(launcher_home(find_java())), "SPARK_LOCAL_IP": "127.0.0.1"}
    environ |= {"PYSPARK_DRIVER_PYTHON": sys.executable, "PYSPARK_PYTHON": str(foreign_python)}
    options = ["--master", master, "--conf", "spark.task.maxFailures=5"]
    command = [str(Path(pyspark.__file__).parent / "bin" / "spark-submit"), *options, *program]
    answer = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=400)
    assert answer.returncode == 1, answer.stderr[-2000:]  # their detector is wrong
    result = json.loads(answer.stdout)
    assert (result["master"], result["cases"]) == (master, 300)
    assert rows_in(tmp_path / "one") == list(run_locally(settings, 0, settings.cases))
