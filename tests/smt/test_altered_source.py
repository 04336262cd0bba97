"""A slip of the pen in `semantics/restriction.py`: whoever asks `remora prove` afterwards is told."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
ROOMS = (
    "semantics",
    "laws",
    "smt",
    "detectors",
    "proofs",
    "cluster",
    "campaigns",
    "streaming",
    "reports",
    "remora",
)
PLACE = Path("semantics", "restriction.py")

ASKED = (
    "primitive:1",
    "detection:1",
    "detection:2",
    "relation:subset",
    "relation:intervals",
    "relation:valid",
)

SLIPS = {
    "~=, start": (
        '"s", "S", Exists("t", "T", And((Start("s") <= ',
        '"s", "S", Exists("t", "T", And((Start("s") < ',
    ),
    "~=, swapped": ('And((Start("s") <= Start("t"),', 'And((Start("t") <= Start("s"),'),
    "~=, end": (
        'Start("t"), Compare("=", End("s"), End("t"))',
        'Start("t"), Compare("<=", End("s"), End("t"))',
    ),
    "~=, quantifier": ('"s", "S", Exists("t", "T", And(', '"s", "S", ForAll("t", "T", And('),
    "≅, start": (
        'Compare("=", Start(variable), Start(other))',
        'Compare("<=", Start(variable), Start(other))',
    ),
    "≅, end": ('Compare("=", End(variable), End(other))', 'Compare("<=", End(variable), End(other))'),
    "valid": ('And((Start("e") < Start("s"),', 'And((Start("e") <= Start("s"),'),
    "event types, unique": ('Compare("=", Start("p"), Start("q"))', 'Compare("<=", Start("p"), Start("q"))'),
    "event types, different": ('ForAll("q", "Q", Not(Same("p", "q")))', 'ForAll("q", "Q", Same("p", "q"))'),
}
"""What is written, in its place once, and what is written instead."""


def proved_with(folder: Path, old: str, new: str) -> subprocess.CompletedProcess[str]:
    """The outcome of `remora prove` in a copy of the project with one text in the place of another."""
    for room in ROOMS:
        ignored = shutil.ignore_patterns("__pycache__", "obligations")
        shutil.copytree(ROOT / room, folder / room, ignore=ignored)
    text = (folder / PLACE).read_text("utf-8")
    assert text.count(old) == 1
    (folder / PLACE).write_text(text.replace(old, new), encoding="utf-8")
    code = f"import semantics; assert semantics.__file__.startswith({str(folder)!r})"
    subprocess.run([sys.executable, "-c", code], cwd=folder, check=True)
    command = [sys.executable, "-m", "remora", "prove", *ASKED]
    return subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", SLIPS)
def test_a_slip_in_a_definition_makes_a_claim_or_a_canary_red(name: str, tmp_path: Path) -> None:
    run = proved_with(tmp_path, *SLIPS[name])
    assert run.returncode in (1, 3, 4), run.stdout + run.stderr


@pytest.mark.slow
def test_without_a_slip_all_is_as_claimed(tmp_path: Path) -> None:
    run = proved_with(tmp_path, "REM = ", "REM = ")
    assert run.returncode == 0, run.stdout + run.stderr
