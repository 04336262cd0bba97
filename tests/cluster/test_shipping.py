"""What is sent to the machines of a cluster."""

import ast
import importlib
import sys
from pathlib import Path

import pytest

from campaigns.carlson_lisper.loading import any_factory
from campaigns.engine.campaign import WORKERS_NEED
from cluster.jobs import module_place, own_modules, what_workers_lack


@pytest.mark.slow
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
