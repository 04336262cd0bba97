"""That a session starts anywhere, says nothing, leaves nothing behind, and survives a lost worker."""

import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

from cluster import session as module
from cluster.java import JavaMissing, JavaRuntime
from cluster.session import SparkUnavailable, retrying_master, session_settings, spark_session


@pytest.mark.parametrize(
    ("master", "retrying"),
    [
        ("local", "local[1,8]"),
        ("local[3]", "local[3,8]"),
        ("local[*]", "local[*,8]"),
        *((same, same) for same in ("local[3,1]", "local-cluster[2,1,1024]", "spark://host:7077", "yarn")),
        ("k8s://https://host:6443", "k8s://https://host:6443"),
        *((connect, connect) for connect in ("sc://host", "sc://host:15002", "sc://[::1]:15002/;use_ssl=true")),
    ],
)
def test_a_local_master_gets_attempts_and_any_other_stays(master: str, retrying: str) -> None:
    assert retrying_master(master) == retrying


@pytest.mark.parametrize(
    "master", ["", "locals", "local[]", "local[x]", "local[2", "host:7077", "spark://", "sc://", "sc:host"]
)
def test_a_master_that_spark_does_not_know_is_refused_before_anything_starts(master: str) -> None:
    with pytest.raises(ValueError, match="not a Spark master"), spark_session(master):
        pass


def test_a_session_on_this_machine_opens_no_port_to_the_outside_and_takes_no_file_here_for_a_module_of_python() -> None:
    settings = session_settings("local[2,4]")
    assert settings["spark.driver.host"] == settings["spark.driver.bindAddress"] == "127.0.0.1"
    assert settings["spark.executorEnv.PYTHONSAFEPATH"] == "1"
    assert "spark.driver.host" not in session_settings("spark://host:7077")
    for elsewhere in ("local-cluster[2,1,1024]", "spark://host:7077", "sc://host:15002"):
        assert not any("PYTHONSAFEPATH" in name for name in session_settings(elsewhere))


def test_without_a_java_the_reason_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    def find_none() -> JavaRuntime:
        raise JavaMissing("no Java was found", "Install one")

    monkeypatch.setattr(module, "find_java", find_none)
    with pytest.raises(SparkUnavailable, match=r"no Java was found\. Install one\."), spark_session():
        pass


@pytest.fixture
def bare(tmp_path: Path) -> dict[str, str]:
    """Environment variables of a machine that has a shell and no Java, and a Spark that is not ours."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("bash", "dirname", "sh"):
        place = next(Path(where, name) for where in ("/bin", "/usr/bin") if Path(where, name).exists())
        (folder / name).symlink_to(place)
    return {"PATH": str(folder), "HOME": str(tmp_path), "SPARK_HOME": "/nowhere", "SPARK_REMOTE": "sc://nowhere"}


@pytest.mark.spark
@pytest.mark.long
def test_on_a_machine_without_java_jobs_run_are_interrupted_without_a_word_and_the_end_of_java_is_told(
    bare: dict[str, str],
) -> None:
    program = """
        import os, signal, threading, time
        from pyspark import SparkContext
        from cluster.session import SparkUnavailable, spark_session

        def doubled(batches):
            import pyarrow as pa
            for batch in batches:
                yield pa.RecordBatch.from_pydict({"id": [2 * number.as_py() for number in batch["id"]]})

        def stuck(batches):
            import time
            time.sleep(600)
            yield from batches

        environ, handler = dict(os.environ), signal.getsignal(signal.SIGINT)
        for _ in range(2):
            with spark_session("local[1]") as session:
                rows = session.range(0, 100, 1, 2).mapInArrow(doubled, "id long").collect()
                assert signal.getsignal(signal.SIGINT) is handler
            assert sorted(row.id for row in rows) == list(range(0, 200, 2))
        assert {name: os.environ.get(name) for name in environ} == environ
        assert "JAVA_HOME" not in os.environ and "PYSPARK_PYTHON" not in os.environ
        try:
            with spark_session("local[1]") as session:
                threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()
                session.range(10).mapInArrow(stuck, "id long").collect()
        except KeyboardInterrupt:
            print("interrupted")
        for _ in range(2):
            try:
                with spark_session("local[1]") as session:
                    session.range(0, 1).mapInArrow(doubled, "id long").collect()
                    os.kill(SparkContext._gateway.proc.pid, signal.SIGKILL)
                    time.sleep(1)  # for what threads of PySpark say of it
                    session.range(10).count()
            except SparkUnavailable as unavailable:
                print(unavailable)
    """
    command = [sys.executable, "-c", textwrap.dedent(program)]
    answer = subprocess.run(command, capture_output=True, text=True, env=bare, timeout=300)
    assert answer.stdout.splitlines() == [
        "interrupted",
        "Spark's Java process has ended: killed, or out of memory",
        "Spark's Java process has ended; a new one needs a new Python process",
    ]
    assert (answer.returncode, answer.stderr) == (0, "")


@pytest.mark.spark
@pytest.mark.slow
def test_a_lost_worker_is_retried_and_every_row_comes_once(spark: SparkSession, tmp_path: Path) -> None:
    mark = tmp_path / "lost"

    def dies_once(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            if not mark.exists():
                mark.touch()
                os.kill(os.getpid(), signal.SIGKILL)
            yield batch

    rows = spark.range(0, 1000, 1, 4).mapInArrow(dies_once, "id long").collect()
    assert mark.exists()
    assert sorted(row.id for row in rows) == list(range(1000))
    with pytest.raises(SparkUnavailable, match="already running"), spark_session():
        pass
