"""The rooms of the house and what may enter them."""

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from remora.terminal.packages import ROOMS
from semantics.systems import SYSTEMS
from tests.conftest import DEAREST, HERE
from tests.copies import ROOT

MAY_USE = {
    "semantics": set[str](),
    "laws": {"semantics"},
    "detectors": {"semantics"},
    "smt": {"semantics", "laws", "detectors"},
    "proofs": {"semantics", "laws", "smt", "detectors", "cluster"},
    "cluster": set(),
    "campaigns": {"semantics", "laws", "detectors", "cluster"},
    "streaming": {"semantics", "detectors", "cluster"},
    "reports": {"semantics"},
    "benchmarks": {"semantics", "laws", "detectors"},
}
MAY_USE["remora"] = set(MAY_USE)


TALKS_TO_ITS_OWN_CHILD = ROOT / "campaigns" / "judging" / "isolation.py"


OF_ALL_SYSTEMS = "atlas"
"""The folder in a room for what compares systems, which may use whatever there is of them."""

FACES = {"remora", "benchmarks"}
"""Rooms without folders of systems: they use whatever there is."""


@cache
def tree(path: Path) -> ast.Module:
    """What a module consists of."""
    return ast.parse(path.read_text("utf-8"))


def modules(path: Path) -> Iterator[str]:
    """The modules that a module imports, and what may be one: each name that it takes from another."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def imports(path: Path) -> Iterator[str]:
    return (module.partition(".")[0] for module in modules(path))


def system_in(parts: Iterable[str]) -> str | None:
    """The system that a module belongs to, by its folder."""
    return next((part for part in parts if part in SYSTEMS), None)


def foreign(path: Path, place: Path) -> set[str]:
    """The modules of systems that a module imports and may not: those of other systems than its own."""
    if OF_ALL_SYSTEMS in place.parts:
        return set()
    own = system_in(place.parts)
    return {module for module in modules(path) if system_in(module.split(".")) not in (None, own)}


@pytest.mark.parametrize("room", sorted(MAY_USE.keys() - FACES))
def test_what_is_common_imports_no_system_and_no_system_another(room: str) -> None:
    places = ((path, path.relative_to(ROOT)) for path in (ROOT / room).rglob("*.py"))
    assert {place: found for path, place in places if (found := foreign(path, place))} == {}


def test_the_check_of_systems_notices_an_import_in_either_direction(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text("def late():\n    from laws.carlson_lisper import claims\n")
    assert foreign(module, Path("laws/standings.py")) == {"laws.carlson_lisper.claims"}
    assert foreign(module, Path("laws/carlson_lisper/catalogue.py")) == set()
    assert foreign(module, Path("laws/another/catalogue.py")) == {"laws.carlson_lisper.claims"}


@pytest.mark.parametrize("room", MAY_USE)
def test_a_room_imports_only_the_rooms_that_it_may_use(room: str) -> None:
    allowed = MAY_USE[room] | {room}
    used = {(path.relative_to(ROOT), name) for path in (ROOT / room).rglob("*.py") for name in imports(path)}
    assert not {(path, name) for path, name in used if name in MAY_USE.keys() - allowed}


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
            for node in ast.walk(tree(path)):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                    assert node.func.id not in {"eval", "exec"}, path
            if path != TALKS_TO_ITS_OWN_CHILD:
                assert "pickle" not in set(imports(path)), path


def test_the_files_that_are_begun_first_are_there() -> None:
    assert [name for name in DEAREST if not (HERE / name).is_file()] == []
