"""Spark sessions: quiet, on this machine unless told otherwise, with a Java found for them."""

import logging
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import warnings
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

from py4j.protocol import Py4JError, Py4JJavaError
from pyspark import SparkConf, SparkContext
from pyspark.accumulators import AccumulatorTCPServer, AccumulatorUnixServer
from pyspark.errors import PySparkException
from pyspark.java_gateway import launch_gateway
from pyspark.sql import SparkSession

from cluster.java import JavaMissing, find_java, launcher_home

DEFAULT_MASTER = "local[*]"

ATTEMPTS_PER_TASK = 8
"""In plain local mode Spark gives a task one attempt, and a lost worker ends the job; on a cluster it gives four."""

_LOCAL = re.compile(r"local(?:\[(?P<threads>\d+|\*)(?:,\s*(?P<attempts>\d+))?\])?")
_OTHER = re.compile(
    r"local-cluster\[\s*\d+\s*,\s*\d+\s*,\s*\d+\s*\]|yarn|(?:spark|k8s)://.+"
    r"|sc://(?:\[[^\]]+\]|[^/:;\[\]]+)(?::\d+)?(?:/.*)?"
)
_LOOPBACK = re.compile(r"local.*|spark://(?:localhost|127\.[\d.]+|\[::1\])(?::.*)?")

_SUBMITTED = "PYSPARK_GATEWAY_PORT"  # Set where spark-submit has started Spark's Java process, and then this Python


def retrying_master(master: str) -> str:
    """The master with a number of attempts for each task, where a `local` one says none; `ValueError` if it is none."""
    if local := _LOCAL.fullmatch(master):
        return f"local[{local['threads'] or 1},{local['attempts'] or ATTEMPTS_PER_TASK}]"
    if _OTHER.fullmatch(master):
        return master
    raise ValueError(
        f"not a Spark master: {master!r}; use for example local[4], spark://host:7077, yarn or sc://host:15002"
    )


def workers_are_ours(master: str) -> bool:
    """Whether the workers find the modules that are found here, as those of `local` do; others get what is sent."""
    return _LOCAL.fullmatch(master) is not None


def is_submitted() -> bool:
    """Whether this program was started by spark-submit, with Spark beside it."""
    return _SUBMITTED in os.environ


def submitted_settings() -> SparkConf:
    """The settings that spark-submit was given; to be asked for only where `is_submitted`."""
    SparkContext._ensure_initialized(gateway=SparkContext._gateway or launch_gateway())
    return SparkConf()


def usual_master() -> str:
    """The master where none is named: what spark-submit was given, or all processors of this machine."""
    return submitted_settings().get("spark.master", DEFAULT_MASTER) if is_submitted() else DEFAULT_MASTER


SAFE_PATH = "spark.executorEnv.PYTHONSAFEPATH"
"""Set for workers of this machine, so that a user's `types.py` does not stand in for Python's own."""

CONNECT_PORT = 15002  # The usual port of a Spark Connect server

_QUICK_START = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""For a Java that mostly waits for Python: a third less processor time until the first job."""

_COMPETING = ("MASTER", "SPARK_API_MODE", "SPARK_REMOTE")
"""Variables that would name another master than the one asked for."""

_ANOTHER_SPARK = ("PYSPARK_SUBMIT_ARGS", "SPARK_CONF_DIR", "SPARK_HOME")
"""Variables that would bring another Spark, or its settings, into a session on this machine."""

_NOTICES = ("Picked up ", "WARNING:", "Error occurred during initialization of VM")
"""How lines of Java begin that are not, or not yet, the reason why it ended."""


class SparkUnavailable(Exception):
    """Spark did not start, or its Java process ended before its time; the text says why in plain words."""


@contextmanager
def spark_session(master: str = DEFAULT_MASTER, *, options: Mapping[str, str] | None = None) -> Iterator[SparkSession]:
    """A Spark session, which is stopped at the end of the block; nothing is printed.

    Environment variables that Spark needs are set inside the block only; its Java process ends with that of Python. The
    settings that spark-submit was given win over the ones made here, and the `options` over all others. `ValueError`
    where Spark does not know the address of the master; `SparkUnavailable` where there is no Java, Spark does not
    start, a session is already running in this process, or the Java process ends inside the block.
    """
    master = retrying_master(master)
    settings = session_settings(master)
    with ExitStack() as stack:
        stack.enter_context(_environment(_variables(master)))
        stack.enter_context(_py4j_not_logging())
        if master.startswith("sc://"):
            session = _connect(master, settings | dict(options or {}))
        else:
            session = _start(master, settings, dict(options or {}))
        try:
            yield session
        except (Py4JError, ConnectionError) as error:
            if _was_interrupted(error):
                raise KeyboardInterrupt from error
            if _java_has_ended(patience=1):
                raise SparkUnavailable("Spark's Java process has ended: killed, or out of memory") from error
            raise
        except Exception as error:
            if type(error).__module__.partition(".")[0] == "grpc":
                raise SparkUnavailable(f"the connection to the Spark Connect server was lost: {error}") from error
            raise
        finally:
            _stop(session)


def session_settings(master: str) -> dict[str, str]:
    """The Spark settings of a session."""
    # Large enough that the cost of a batch is lost among its cases, small enough to wait for.
    settings = {"spark.sql.execution.arrow.maxRecordsPerBatch": "1000"}
    if master.startswith("sc://"):
        return settings  # the rest is the server's
    settings |= {
        "spark.app.name": "remora",
        "spark.python.worker.reuse": "true",
        "spark.task.maxFailures": str(ATTEMPTS_PER_TASK),
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    quick = [_QUICK_START] if master.startswith("local") else []
    if workers_are_ours(master):
        settings |= {SAFE_PATH: "1"}
    if _LOOPBACK.fullmatch(master):
        # Otherwise Spark looks up the machine's name, which fails where there is no network, and opens its
        # ports to the outside where there is one.
        settings |= {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
    return settings | {"spark.driver.extraJavaOptions": " ".join([*quick, *log_options("off")])}


def log_options(log_level: str) -> list[str]:
    """The options with which Java says nothing, or so much to standard error."""
    place = Path(__file__).with_name("log4j2.properties").as_uri()
    return [f"-Dlog4j2.configurationFile={place}", f"-Dremora.spark.log={log_level}"]


def _variables(master: str) -> dict[str, str | None]:
    """The environment variables to set (with None, to take away) while a session runs."""
    variables: dict[str, str | None] = dict.fromkeys(_COMPETING)
    if master.startswith("sc://"):
        return variables | {"SPARK_CONNECT_MODE_ENABLED": "1"}
    if not is_submitted():
        try:
            variables["JAVA_HOME"] = str(launcher_home(find_java()))
        except JavaMissing as missing:
            raise SparkUnavailable(str(missing)) from missing
    if master.startswith("local"):
        # Workers must be the Python that has this package, with the same version of everything else.
        variables |= {"PYSPARK_PYTHON": sys.executable, "PYSPARK_DRIVER_PYTHON": sys.executable}
        variables |= {"SPARK_LOCAL_IP": "127.0.0.1", "SPARK_LAUNCHER_OPTS": _QUICK_START}
        variables |= dict.fromkeys(_ANOTHER_SPARK)
    return variables


def _connect(master: str, settings: Mapping[str, str]) -> SparkSession:
    """A new session on a Spark Connect server; PySpark would go on trying for ten minutes where none answers."""
    address = urlsplit(master)
    try:
        from pyspark.sql.connect.session import SparkSession as ConnectSession

        socket.create_connection((address.hostname or "", address.port or CONNECT_PORT), 10).close()
        session: SparkSession = ConnectSession.builder.remote(master).config(map=dict(settings)).create()  # type: ignore[assignment]
        return session
    except (ImportError, PySparkException) as error:
        reason = str(error).partition("\n")[0]
        remedy = "; Spark Connect needs more packages: pip install 'remora[connect]'"
        remedy = remedy if isinstance(error, ImportError) or "PACKAGE" in reason else ""
        raise SparkUnavailable(f"Spark did not start on {master}: {reason}{remedy}") from error
    except (OSError, ValueError) as error:
        raise SparkUnavailable(f"no Spark Connect server answers: {error}") from error


def _start(master: str, settings: Mapping[str, str], options: Mapping[str, str]) -> SparkSession:
    """A new session of this process.

    Java is started here and not by PySpark, so that its words are kept from the terminal, and in a thread that finishes
    the start when Ctrl-C ends the wait: a Java left halfway would never end.
    """
    if _java_has_ended():
        raise SparkUnavailable("Spark's Java process has ended; a new one needs a new Python process")
    if SparkSession.getActiveSession() is not None:
        raise SparkUnavailable("a Spark session is already running in this process; stop it first")
    conf = submitted_settings() if is_submitted() else SparkConf()
    for name, value in settings.items():
        conf.setIfMissing(name, value)
    if not is_submitted():
        # The settings of the first session of a process stay in its Java, where all later ones would find them.
        conf.set(SAFE_PATH, settings.get(SAFE_PATH, ""))
    conf.setMaster(master).setAll(list(options.items()))
    with tempfile.TemporaryFile() as words:
        for server in (AccumulatorTCPServer, AccumulatorUnixServer):
            # Who waits for a job is told that Java is lost; PySpark's own servers would print it.
            server.handle_error = lambda *_: None  # type: ignore[method-assign]
        # PySpark makes Ctrl-C cancel all jobs from within the handler, in the main thread. That breaks into its own
        # connection, and is not needed: Python's handler ends the block, and so the session and its jobs.
        ours = threading.current_thread() is threading.main_thread()
        handler = signal.getsignal(signal.SIGINT)
        try:
            with ThreadPoolExecutor(1) as executor:
                streams = {"stdout": words, "stderr": words}
                gateway = SparkContext._gateway or executor.submit(launch_gateway, conf, streams).result()
            SparkContext(conf=conf, gateway=gateway)
            return SparkSession.builder.config(map=dict(conf.getAll())).getOrCreate()
        except Py4JJavaError as error:
            reason = str(error.java_exception.getMessage()).partition("\n")[0]
            if "stopped SparkContext" in reason:  # all that is left of a master that never answered
                reason = "it did not answer, or did not accept the application"
            raise SparkUnavailable(f"Spark did not start on {master}: {reason}") from error
        except (PySparkException, Py4JError, OSError) as error:
            words.seek(0)
            lines = [line for line in words.read().decode(errors="replace").splitlines() if line.strip()]
            reason = next((line for line in lines if not line.startswith(_NOTICES)), "Java gave no reason")
            reason = re.sub(r'^Exception in thread "main" [\w.$]+: ', "", reason)
            raise SparkUnavailable(f"Spark did not start on {master}: {reason}") from error
        finally:
            if ours:
                signal.signal(signal.SIGINT, handler)


def _stop(session: SparkSession) -> None:
    # An interrupted request leaves a broken connection behind, which the next request finds out and replaces:
    # better a question than the order to stop. A Java that has ended answers neither.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        for request in (lambda: session.version, session.stop):
            with suppress(Py4JError, PySparkException, OSError):
                request()


def _was_interrupted(error: BaseException | None) -> bool:
    """Tell whether an error came up while PySpark cleaned up after Ctrl-C, and took its place."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    return error is not None


def _java_has_ended(patience: float = 0) -> bool:
    """Whether the Java of this process, the only one that PySpark can start, is no more after a time of patience."""
    process = getattr(SparkContext._gateway, "proc", None)
    if process is None:
        return False
    try:
        process.wait(patience)
    except subprocess.TimeoutExpired:
        return False
    return True


@contextmanager
def _environment(changes: Mapping[str, str | None]) -> Iterator[None]:
    """Set environment variables (with None, take them away) inside the block; then they are as before."""

    def apply(values: Mapping[str, str | None]) -> None:
        for name in values:
            os.environ.pop(name, None)
        os.environ.update({name: value for name, value in values.items() if value is not None})

    before = {name: os.environ.get(name) for name in changes}
    apply(changes)
    try:
        yield
    finally:
        apply(before)


@contextmanager
def _py4j_not_logging() -> Iterator[None]:
    """Keep the connection to Java from logging, in part as the root logger, what it raises in any case."""

    def is_not_from_py4j(record: logging.LogRecord) -> bool:
        return Path(record.pathname).parent.name != "py4j"

    root, own = logging.getLogger(), logging.getLogger("py4j")
    level = own.level
    root.addFilter(is_not_from_py4j)
    own.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        own.setLevel(level)
        root.removeFilter(is_not_from_py4j)
