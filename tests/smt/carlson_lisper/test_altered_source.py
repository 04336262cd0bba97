"""A slip of the pen in `semantics/carlson_lisper/restriction.py`: whoever asks `remora prove` afterwards is told."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.copies import copy_rooms

PLACE = Path("semantics", "carlson_lisper", "restriction.py")

ASKED = (
    "primitive:1", "detection:1", "detection:2", "relation:subset", "relation:intervals", "relation:valid",
)  # fmt: skip

SLIPS = {
    "~=": ('And((Start("s") <= Start("t"),', 'And((Start("t") <= Start("s"),'),
    "≅": ('Compare("=", End(variable), End(other))', 'Compare("<=", End(variable), End(other))'),
    "valid": ('And((Start("e") < Start("s"),', 'And((Start("e") <= Start("s"),'),
    "event types": ('ForAll("q", "Q", Not(Same("p", "q")))', 'ForAll("q", "Q", Same("p", "q"))'),
}
"""What is written, in its place once, and what is written instead."""

DEAREST = ("≅", "event types", "valid")
"""Those that only canaries notice, all of which are put to the solvers then, and one of the others."""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the project."""
    copy_rooms(tmp_path)
    code = f"import semantics; assert semantics.__file__.startswith({str(tmp_path)!r})"
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)
    return tmp_path


def proved(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """The outcome of `remora prove` in a copy of the project."""
    command = [sys.executable, "-m", "remora", "prove", *ASKED, *options]
    return subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.long) if name in DEAREST else name for name in SLIPS]
)
def test_a_slip_in_a_definition_makes_a_claim_or_a_canary_red(name: str, copy: Path) -> None:
    old, new = SLIPS[name]
    text = (copy / PLACE).read_text("utf-8")
    assert text.count(old) == 1
    (copy / PLACE).write_text(text.replace(old, new), encoding="utf-8")
    run = proved(copy, "--no-canaries")
    if run.returncode == 0:
        run = proved(copy)
    assert run.returncode in (1, 3, 4), run.stdout + run.stderr
