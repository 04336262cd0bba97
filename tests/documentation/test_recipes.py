"""What a recipe says beyond its commands: an operator that restricts badly is found out."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.documentation.carrying_out import carried_out, checkout, environment
from tests.documentation.pages import FOLDER, Block, blocks


@pytest.mark.slow
def test_an_operator_whose_operands_cannot_be_restricted_early_is_refuted(tmp_path: Path) -> None:
    folder = checkout(tmp_path)
    recipe = (FOLDER / "howto" / "add-an-operator.md").read_text("utf-8")
    change = next(block for block in blocks(recipe) if block.language == "diff")
    overlap = 'And((Start("s") <= End("t"), Start("t") <= End("s")))'
    assert f"`{overlap}`" in recipe
    altered = Block(change.line, "diff", change.text.replace('End("s") <= Start("t")', overlap))
    assert altered.text != change.text
    assert not list(carried_out([altered], folder, slow=False))
    run = subprocess.run(
        [sys.executable, "-m", "remora", "prove", "theorem:4.6.met", "--no-canaries"],
        cwd=folder,
        env=environment(folder),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert run.returncode == 1, run.stderr
    assert "✕ refuted" in run.stdout
