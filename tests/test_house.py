"""The rooms of the house and what may enter them."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from remora.cli import ROOMS
from tests.conftest import DEAREST, HERE
from tests.copies import ROOT

MAY_USE = {
    "semantics": set[str](),
    "laws": {"semantics"},
    "detectors": {"semantics"},
    "smt": {"semantics", "laws", "detectors"},
    "proofs": {"semantics", "laws", "smt", "detectors"},
    "cluster": set(),
    "campaigns": {"semantics", "laws", "detectors", "cluster"},
    "streaming": {"semantics", "detectors", "cluster"},
    "reports": {"semantics"},
    "benchmarks": {"semantics", "detectors"},
    "remora": {
        "semantics",
        "laws",
        "detectors",
        "smt",
        "proofs",
        "cluster",
        "campaigns",
        "streaming",
        "reports",
        "benchmarks",
    },
}

SCRIPTS = {
    Path("benchmarks/solver_versions.py"): {"proofs", "smt", "laws"},
}
"""Programs of their own, which measure another room."""


TALKS_TO_ITS_OWN_CHILD = ROOT / "campaigns" / "judging" / "isolation.py"


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            yield (node.module or "").partition(".")[0]


@pytest.mark.parametrize("room", MAY_USE)
def test_a_room_imports_only_the_rooms_that_it_may_use(room: str) -> None:
    allowed = MAY_USE[room] | {room}
    used = {(path.relative_to(ROOT), name) for path in (ROOT / room).rglob("*.py") for name in imports(path)}
    assert not {
        (path, name) for path, name in used if name in MAY_USE.keys() - allowed - SCRIPTS.get(path, set())
    }


def test_the_check_of_imports_notices_one_that_is_not_allowed(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text("def late():\n    from smt.attempts import prove_all\n    import reports.html\n")
    assert set(imports(module)) == {"smt", "reports"}


def test_copies_of_the_project_have_every_room() -> None:
    assert set(MAY_USE) == ROOMS


def test_every_room_says_what_lives_there() -> None:
    for room in MAY_USE:
        assert ast.get_docstring(ast.parse((ROOT / room / "__init__.py").read_text("utf-8")))


def test_nothing_evaluates_text_as_code_or_unpickles_files() -> None:
    for room in MAY_USE:
        for path in (ROOT / room).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                    assert node.func.id not in {"eval", "exec"}, path
            if path != TALKS_TO_ITS_OWN_CHILD:
                assert "pickle" not in set(imports(path)), path


def test_the_files_that_are_begun_first_are_there() -> None:
    assert [name for name in DEAREST if not (HERE / name).is_file()] == []
