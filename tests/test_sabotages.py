"""Sabotages of the trust base: each changes one definition so that it says yes too easily, and a test has to fail.

`sabotages.toml` names the definition, the change and the file of tests that sees it. The quick test keeps the catalogue
in step with the code; the long one applies a sample in a copy of the project, all of them with `REMORA_SABOTAGES=all`.
"""

import ast
import os
import random
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.copies import ROOT, copy_rooms

SABOTAGES: Mapping[str, Mapping[str, str]] = tomllib.loads((ROOT / "tests" / "sabotages.toml").read_text("utf-8"))
SAMPLE = 6
"""So many are applied in a run."""


def sampled() -> list[str]:
    """The sabotages of this run: all, those that are named, or some at random."""
    asked = os.environ.get("REMORA_SABOTAGES", "")
    names = sorted(SABOTAGES)
    if asked == "all":
        return names
    return asked.split(",") if asked else random.Random(str(len(names))).sample(names, SAMPLE)


def module_of(sabotage: Mapping[str, str]) -> Path:
    return Path(sabotage["module"].replace(".", "/") + ".py")


def sabotaged(text: str, sabotage: Mapping[str, str]) -> str:
    """The text of the module with the change in the definition."""
    node: ast.AST = ast.parse(text)
    for name in sabotage["definition"].split("."):
        kinds = (ast.FunctionDef, ast.ClassDef)
        node = next(each for each in ast.walk(node) if isinstance(each, kinds) and each.name == name)
    assert isinstance(node, ast.FunctionDef | ast.ClassDef)
    lines = text.splitlines(keepends=True)
    first, last = node.lineno - 1, node.end_lineno
    inside = "".join(lines[first:last])
    assert inside.count(sabotage["before"]) == 1, f"{inside.count(sabotage['before'])} places"
    return "".join([*lines[:first], inside.replace(sabotage["before"], sabotage["after"]), *lines[last:]])


@pytest.mark.parametrize("name", SABOTAGES)
def test_a_sabotage_changes_one_place_of_a_definition_that_exists(name: str) -> None:
    sabotage = SABOTAGES[name]
    text = (ROOT / module_of(sabotage)).read_text("utf-8")
    changed = sabotaged(text, sabotage)
    assert ast.unparse(ast.parse(changed)) != ast.unparse(ast.parse(text))
    assert (ROOT / sabotage["seen_by"]).is_file()


@pytest.fixture(scope="session")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sabotaged")
    copy_rooms(folder)
    unneeded = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "tests", folder / "tests", ignore=unneeded)
    shutil.copytree(ROOT / "docs", folder / "docs", ignore=unneeded)
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


@pytest.mark.long
@pytest.mark.parametrize("name", sampled())
def test_a_sabotage_is_seen_by_its_tests(copy: Path, name: str) -> None:
    sabotage = SABOTAGES[name]
    module = copy / module_of(sabotage)
    text = module.read_text("utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", sabotage["seen_by"]]
    environment = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    module.write_text(sabotaged(text, sabotage), "utf-8")
    try:
        run = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, check=False)
    finally:
        module.write_text(text, "utf-8")
    assert run.returncode == 1, f"{sabotage['what']}: nothing saw it\n{run.stdout[-2000:]}{run.stderr[-2000:]}"
