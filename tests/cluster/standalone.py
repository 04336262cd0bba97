"""A standalone Spark cluster on this machine, for trying a real one."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import pyspark

from cluster.java import find_java, launcher_home
from cluster.session import SparkUnavailable, log_options

LOOPBACK = "127.0.0.1"

START_SECONDS = 60
"""How long a process of the cluster may take to start."""


@dataclass(frozen=True)
class StandaloneCluster:
    """A master and its workers, which are processes of this machine.

    Attributes:
        workers: the processes of the workers; each starts executors.
    """

    master: str
    workers: list[subprocess.Popen[bytes]]


@contextmanager
def standalone(workers: int = 2, *, apart: bool = False) -> Iterator[StandaloneCluster]:
    """Start a master and workers that listen on loopback only; end them with the block.

    The executors run in the environment of this process, but not in its folder, and not with its `PYTHONPATH`. Which
    Python they start is for the session to say (`PYSPARK_PYTHON`).

    Args:
        workers: how many there are; each runs one task at a time, and gives 1 GB of memory to executors.
        apart: whether each worker has a loopback address of its own and so passes for another machine, as Linux
            allows; Spark makes no second copy of a slow task on the same one.

    Raises:
        JavaMissing: there is no Java for Spark.
        SparkUnavailable: a process did not start.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="remora-cluster-")))
        master = _start(stack, folder, "master", LOOPBACK, "Master", "--port", "0", "--webui-port", "0")
        address = _said(master, folder / "master", r"Starting Spark master at (spark://\S+)")
        resources = ("--cores", "1", "--memory", "1g")
        started = []
        for number in range(workers):
            name, host = f"worker-{number}", f"127.0.0.{number + 2}" if apart else LOOPBACK
            place = ("--port", "0", "--webui-port", "0", "--work-dir", str(folder / f"work-{number}"))
            started.append(_start(stack, folder, name, host, "Worker", *place, *resources, address))
        for number, worker in enumerate(started):
            _said(worker, folder / f"worker-{number}", r"(Successfully registered) with master")
        yield StandaloneCluster(address, started)


def _start(stack: ExitStack, folder: Path, name: str, host: str, role: str, *arguments: str) -> subprocess.Popen[bytes]:
    spark_home = Path(pyspark.__file__).parent
    command = [str(spark_home / "bin" / "spark-class"), f"org.apache.spark.deploy.{role.lower()}.{role}"]
    command += ["--host", host, *arguments]
    environ = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "SPARK_CONF_DIR")}
    environ |= {
        "JAVA_HOME": str(launcher_home(find_java())),
        "SPARK_HOME": str(spark_home),
        "SPARK_LOCAL_IP": host,
        "SPARK_DAEMON_MEMORY": "512m",
        "SPARK_DAEMON_JAVA_OPTS": " ".join(log_options("info")),
    }
    words: IO[bytes] = stack.enter_context((folder / name).open("wb"))
    process = subprocess.Popen(command, cwd=folder, env=environ, stdin=subprocess.DEVNULL, stdout=words, stderr=words)
    stack.callback(_end, process)
    return process


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process; a worker ends its executors before it goes."""
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _said(process: subprocess.Popen[bytes], words: Path, pattern: str) -> str:
    """Wait until a process says something in its log; returns the first group of the pattern."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        if found := re.search(pattern, words.read_text(errors="replace")):
            return found[1]
        time.sleep(0.1)
    last = (words.read_text(errors="replace").splitlines() or ["it said nothing"])[-1]
    raise SparkUnavailable(f"Spark's {words.name} did not start: {last}")
