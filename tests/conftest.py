"""Settings of all tests: interrupts that arrive, examples that may take their time, and an order."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings
from xdist.scheduler import LoadFileScheduling

from tests.documentation.spark_pages import needs_spark

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

HERE = Path(__file__).parent

os.environ["POLARS_MAX_THREADS"] = "1"  # read once, when Polars is imported; a benchmark with more would be left out

QUICK = {
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}
"""Settings of Spark under which a few rows take seconds: one task for each processor, and no Java made for queries."""

ONE_JAVA = (
    "streaming/test_streams.py",
    "streaming/bry_eckert/test_rules_stream.py",
    "campaigns/engine/test_campaigns_on_spark.py",
    "remora/test_campaign_on_spark.py",
    "cluster/test_shipping.py",
    "cluster/test_session.py",
    "detectors/carlson_lisper/test_columns.py",
    "remora/bry_eckert/test_rules_commands.py",
    "proofs/atlas/test_atlas.py",
    "discovery/carlson_lisper/test_on_spark.py",
)
"""The files whose tests need Spark in their own process: one process takes them all, with one Java."""

PAGES = "documentation/test_pages.py"

DEAREST = (
    *ONE_JAVA,
    PAGES,
    "proofs/carlson_lisper/kernel/test_kernel.py",
    "smt/test_prove.py",
    "remora/gate/test_gate.py",
    "smt/carlson_lisper/test_dense_claims.py",
    "semantics/traces/test_scan.py",
    "proofs/carlson_lisper/kernel/test_sensitivity.py",
    "remora/gate/test_step_proofs.py",
    "remora/test_terminal.py",
)
"""The files that take longest, the longest first, and are begun first."""


def pytest_configure() -> None:
    """Set what holds for every test; until they are collected there is no garbage to look for."""
    gc.disable()
    # Processes inherit what is ignored; whoever started the tests may have wanted no interrupts, the tests do.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # How long an example takes says something of the machine and of what else it does, nothing of the code. Faults show
    # within some tens of examples or after thousands.
    settings.register_profile("untimed", settings(), deadline=None, max_examples=50)
    settings.load_profile("untimed")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The dearest files come first, then all with slow tests: no core is left with one when the others are done.

    What is long is slow too, and so left out by a run that says nothing.
    """
    places = {HERE / name: place for place, name in enumerate(DEAREST)}
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    for item in items:
        if item.get_closest_marker("long"):
            item.add_marker(pytest.mark.slow)
    items.sort(key=lambda item: (places.get(item.path, len(places)), item.path not in slow))


def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """Work for the processes of a run with `-n`: a file at a time, as fixtures of modules want it; one Java together.

    Pages are apart, but for those that need Java.

    Groups of tests would say it too, but those of pytest-xdist 3.8 are lost with pytest 9.2, without a word.
    """
    scheduler = LoadFileScheduling(config, log)
    file_of: Callable[[str], str] = scheduler._split_scope
    together = {f"tests/{file}": "spark" for file in ONE_JAVA}

    def scope(test: str) -> str:
        page = HERE.parent / test.partition("[")[2].removesuffix("]")
        if file_of(test) == f"tests/{PAGES}" and page.suffix == ".md":
            return "spark" if needs_spark(page.read_text("utf-8")) else test
        return together.get(file_of(test), file_of(test))

    scheduler._split_scope = scope
    return scheduler


def pytest_collection_finish() -> None:
    """Leave what was imported and collected out of the search for garbage, and unwritten in forked processes."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """The session of Spark that tests share: Java and its Python workers start once. A task has two attempts."""
    from cluster.session import spark_session
    from streaming.folder import SESSION_OPTIONS

    with spark_session("local[2,2]", options={**SESSION_OPTIONS, **QUICK}) as session:
        yield session


@pytest.fixture
def in_spark(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    """Has commands that ask for a session of Spark get the one that tests share."""
    monkeypatch.setattr("cluster.session._start", lambda *_: spark)
    monkeypatch.setattr("cluster.session._stop", lambda _: None)


def pytest_unconfigure() -> None:
    """Let libraries find at the end what was left out of the search."""
    gc.unfreeze()
