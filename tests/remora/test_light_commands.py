"""Light commands, and the help of the others, load nothing that takes long to load."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = (
    *("cvc5", "hypothesis", "jinja2", "numba", "numpy"),
    *("pandas", "pyarrow", "pyspark", "sympy", "z3"),
)

LIGHT = {
    **{f"{name} --help": "" for name in ("verify", "laws", "test", "eval", "detect", "explain", "equiv")},
    **{f"{name} --help": "" for name in ("campaign", "gate", "report", "doctor", "completion")},
    "prove --help": "z3",
    "detect a t.csv": "",
    "eval a t.csv": "",
    "laws": "",
    "doctor": "",
    "--version": "",
}

LOADED = f"""
import sys
from remora.cli import main
try:
    main(sys.argv[1:])
finally:
    print(*(name for name in {HEAVY} if name in sys.modules), file=sys.stderr)
"""


def loaded(folder: Path, *arguments: str) -> set[str]:
    command = [sys.executable, "-c", LOADED, *arguments]
    ended = subprocess.run(command, capture_output=True, check=True, encoding="utf-8", cwd=folder)
    return set(ended.stderr.split())


@pytest.mark.parametrize("command", LIGHT)
def test_a_light_command_is_there_at_once(command: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("time,event\n1,a\n")
    assert loaded(tmp_path, *command.split()) <= {LIGHT[command]}


def test_what_a_command_needs_is_noticed_when_it_is_loaded(tmp_path: Path) -> None:
    assert "numpy" in loaded(tmp_path, "campaign", "power", "--help")


def test_sympy_is_imported_only_where_a_formula_is_asked_for(tmp_path: Path) -> None:
    assert "sympy" not in loaded(tmp_path, "explain", "a ; b[3]")
    assert "sympy" in loaded(tmp_path, "explain", "a ; b[3]", "--formula")
