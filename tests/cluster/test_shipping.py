"""What is sent to the machines of a cluster."""

import ast
import importlib
import sys
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from campaigns.carlson_lisper.loading import any_factory
from campaigns.engine.campaign import WORKERS_NEED
from cluster.session import spark_session, workers_are_ours
from cluster.shipping import module_place, own_modules, shipped, what_workers_lack


def test_every_room_that_campaigns_use_is_sent() -> None:
    used = set()
    for path in (
        name for room in WORKERS_NEED for name in Path(module_place(importlib.import_module(room))).rglob("*.py")
    ):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module is not None:
                used.add(node.module.partition(".")[0])
    ours = {path.name for path in Path(__file__).parents[2].iterdir() if (path / "__init__.py").exists()}
    assert used & ours == set(WORKERS_NEED)


@pytest.mark.parametrize(
    ("master", "ours"),
    [("local", True), ("local[4,8]", True), ("local[*]", True), ("local-cluster[2,1,1024]", False)]
    + [(master, False) for master in ("spark://127.0.0.1:7077", "yarn", "sc://localhost")],
)
def test_workers_of_all_masters_but_local_need_what_is_sent(master: str, ours: bool) -> None:
    assert workers_are_ours(master) is ours


def test_the_modules_of_the_current_directory_go_with_a_detector_from_there(theirs: str) -> None:
    assert own_modules(("figure2", theirs), Path.cwd()) == ()  # nobody has loaded it
    any_factory(theirs, (str(Path.cwd()),))
    assert own_modules(("figure2", theirs), Path.cwd()) == ("their_detectors", "their_helper")
    assert own_modules(("figure2", "mutant:seq-newest"), Path.cwd()) == ()
    assert own_modules((theirs,), Path.cwd().parent) == ()


def test_a_package_without_an_init_file_is_sent_as_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "spacious" / "inner").mkdir(parents=True)
    (tmp_path / "spacious" / "inner" / "detectors.py").write_text(
        "from detectors.carlson_lisper.source.figure2 import Figure2"
    )
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    any_factory("spacious.inner.detectors:Figure2", (str(tmp_path),))
    assert own_modules(("spacious.inner.detectors:Figure2",), tmp_path) == ("spacious",)
    assert module_place(importlib.import_module("spacious")) == tmp_path / "spacious"
    with pytest.raises(LookupError, match="sys has no file"):
        module_place(sys)


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("…\nModuleNotFoundError: No module named 'pyarrow'\n…", "no module pyarrow"),
        (
            "[PYTHON_VERSION_MISMATCH] Python in worker has different version: 3.13 than that in driver: 3.11,",
            "the workers run Python 3.13, and this is Python 3.11",
        ),
    ],
)
def test_what_the_python_of_the_workers_lacks_is_said_with_a_remedy(message: str, said: str) -> None:
    assert said in what_workers_lack(message)
    assert "docs/campaigns.md" in what_workers_lack(message)
    assert what_workers_lack("ValueError: something else") == ""


@pytest.mark.spark
@pytest.mark.long
def test_what_is_sent_is_what_workers_import(theirs: str) -> None:
    def where(session: SparkSession, module: str) -> str:
        def kernel(batches):  # type: ignore[no-untyped-def]
            import importlib

            import pyarrow as pa

            for _ in batches:
                yield pa.RecordBatch.from_pydict({"file": [importlib.import_module(module).__file__]})

        return str(session.range(1).mapInArrow(kernel, "file string").first()[0])  # type: ignore[index]

    any_factory(theirs, (str(Path.cwd()),))
    before = list(sys.path)
    with spark_session("local[1]"):
        pass  # what is said of local workers holds for no others, though Java goes on
    with spark_session("local-cluster[1,1,1024]") as session, shipped(session, ("semantics", "their_helper")):
        for name in ("semantics.carlson_lisper.intervals", "their_helper"):
            assert Path(where(session, name)) != Path(importlib.import_module(name).__file__ or "")
        assert Path(where(session, "laws.carlson_lisper.claims")).samefile(
            importlib.import_module("laws.carlson_lisper.claims").__file__ or ""
        )
    assert sys.path == before, "sending does not change where Python looks here"
