"""The command started by spark-submit: its master and its settings are those that spark-submit was given."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pyspark
import pytest

from campaigns.engine.campaign import run_locally
from campaigns.engine.settings import Settings
from cluster.java import find_java, launcher_home
from cluster.session import DEFAULT_MASTER, is_submitted, usual_master
from tests.campaigns.written import rows_in


def test_a_program_that_was_not_submitted_uses_this_machine() -> None:
    assert not is_submitted()
    assert usual_master() == DEFAULT_MASTER


def submitted(
    folder: Path, options: list[str], program: list[str], **environ: str
) -> "subprocess.CompletedProcess[str]":
    home = Path(pyspark.__file__).parent
    settings = {
        **os.environ,
        "JAVA_HOME": str(launcher_home(find_java())),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_DRIVER_PYTHON": sys.executable,
        **environ,
    }
    command = [str(home / "bin" / "spark-submit"), *options, *program]
    return subprocess.run(command, cwd=folder, env=settings, capture_output=True, text=True, timeout=400)


@pytest.mark.spark
@pytest.mark.long
def test_a_campaign_runs_under_spark_submit(foreign_python: Path, theirs: str, tmp_path: Path) -> None:
    script = subprocess.run([sys.executable, "-m", "remora.submit"], capture_output=True, text=True, check=True)
    settings = Settings(seed=4, cases=300, detectors=("figure2", theirs), relations=())
    program = [script.stdout.strip(), "campaign", "run", str(tmp_path / "one"), "--cases", "300", "--seed", "4"]
    program += ["--relation", "none", "--detector", "figure2", "--detector", theirs, "--format", "json"]
    master = "local-cluster[2,1,1024]"
    answer = submitted(
        Path.cwd(),
        ["--master", master, "--conf", "spark.task.maxFailures=5"],
        program,
        PYSPARK_PYTHON=str(foreign_python),
    )
    assert answer.returncode == 1, answer.stderr[-2000:]  # their detector is wrong
    result = json.loads(answer.stdout)
    assert (result["master"], result["cases"]) == (master, 300)
    assert rows_in(tmp_path / "one") == list(run_locally(settings, 0, settings.cases))
