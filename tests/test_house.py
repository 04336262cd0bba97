"""The rooms of the house and what may enter them."""

import ast
import subprocess
import sys
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
    "discovery": {"semantics", "laws", "detectors", "smt", "proofs", "cluster"},
    "campaigns": {"semantics", "laws", "detectors", "cluster"},
    "streaming": {"semantics", "detectors", "cluster"},
    "reports": {"semantics"},
    "benchmarks": {"semantics", "laws", "detectors", "discovery"},
}
MAY_USE["remora"] = set(MAY_USE)


TALKS_TO_ITS_OWN_CHILD = ROOT / "campaigns" / "judging" / "isolation.py"


OF_ALL_SYSTEMS = (
    "*/atlas/*.py", "remora/docs/*.py", "remora/verification/*.py", "remora/commands/atlas.py",
    "remora/commands/detection.py",
)  # fmt: skip
"""Places that compare systems, or name them all, and may use whatever there is of them."""

SPEAKS_OF = {
    "remora": "carlson_lisper",
    "benchmarks": "carlson_lisper",
    "benchmarks/rules.py": "bry_eckert",
    "benchmarks/profiles.py": "hinze_voisard",
}
"""The system of places that are in no folder of one; those of other rooms have none."""

LAYERS = ("terminal", "api", "systems", "gate", "verification", "commands", "docs")
"""The folders of `remora`, each of which uses only what comes before it; `systems` and `gate` do without each other."""


@cache
def tree(path: Path) -> ast.Module:
    """What a module consists of."""
    return ast.parse(path.read_text("utf-8"))


@cache
def modules(path: Path) -> tuple[str, ...]:
    """The modules that a module imports, and what may be one: each name that it takes from another."""
    found = list[str]()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return tuple(found)


def imports(path: Path) -> Iterator[str]:
    return (module.partition(".")[0] for module in modules(path))


def system_in(parts: Iterable[str]) -> str | None:
    """The system that a module belongs to, by its folder or its name."""
    return next((part for part in parts if part in SYSTEMS), None)


def foreign(path: Path, place: Path) -> set[str]:
    """The modules of systems that a module imports and may not: those of other systems than its own."""
    if any(place.match(pattern) for pattern in OF_ALL_SYSTEMS):
        return set()
    known = (SPEAKS_OF.get(str(each)) for each in (place, *place.parents))
    own = {system_in(place.with_suffix("").parts) or next(filter(None, known), None), None}
    return {module for module in modules(path) if system_in(module.split(".")) not in own}


@pytest.mark.parametrize("room", MAY_USE)
def test_what_is_common_imports_no_system_and_no_system_another(room: str) -> None:
    places = ((path, path.relative_to(ROOT)) for path in (ROOT / room).rglob("*.py"))
    assert {place: found for path, place in places if (found := foreign(path, place))} == {}


def backwards(path: Path, layer: str) -> set[str]:
    """The modules that a module of a layer imports from layers that come after it, or beside it."""
    later = {*LAYERS[LAYERS.index(layer) + 1 :], *(("systems",) if layer == "gate" else ())}
    return {module for module in modules(path) if module.startswith("remora.") and module.split(".")[1] in later}


@pytest.mark.parametrize("layer", LAYERS)
def test_folders_of_remora_use_what_comes_before_them(layer: str) -> None:
    folder = ROOT / "remora" / layer
    assert {path.name: found for path in folder.rglob("*.py") if (found := backwards(path, layer))} == {}


def test_the_checks_notice_an_import_in_the_wrong_direction(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text("def late():\n    from laws.carlson_lisper import claims\n")
    assert foreign(module, Path("laws/standings.py")) == {"laws.carlson_lisper.claims"}
    assert foreign(module, Path("laws/carlson_lisper/claims.py")) == set()
    assert foreign(module, Path("laws/bry_eckert/catalogue.py")) == {"laws.carlson_lisper.claims"}
    assert foreign(module, Path("reports/hinze_voisard.py")) == {"laws.carlson_lisper.claims"}
    assert foreign(module, Path("remora/cli.py")) == foreign(module, Path("laws/atlas/cells.py")) == set()
    upward = tmp_path / "upward.py"
    upward.write_text("from remora.commands.gate import gate\nfrom remora.terminal.console import emit\n")
    assert backwards(upward, "api") == {"remora.commands.gate.gate"}


@pytest.mark.parametrize("room", MAY_USE)
def test_a_room_imports_only_the_rooms_that_it_may_use(room: str) -> None:
    allowed = MAY_USE[room] | {room}
    used = {(path.relative_to(ROOT), name) for path in (ROOT / room).rglob("*.py") for name in imports(path)}
    assert not {(path, name) for path, name in used if name in MAY_USE.keys() - allowed}


def test_the_check_of_imports_notices_one_that_is_not_allowed(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text("def late():\n    from smt.attempts import prove_all\n    import reports.html\n")
    assert set(imports(module)) == {"smt", "reports"}


def test_the_denotation_of_rules_knows_nothing_of_the_algebra_that_it_judges() -> None:
    code = "import semantics.bry_eckert.{}, sys; sys.exit(any('bry_eckert.algebra' in each for each in sys.modules))"
    for name, status in (("denotation", 0), ("algebra.plans", 1)):
        assert subprocess.run([sys.executable, "-c", code.format(name)], cwd=ROOT).returncode == status


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
