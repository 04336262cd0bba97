"""What the pages say beyond their commands: recipes are short, and an operator that restricts badly is found out."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.documentation.carrying_out import carried_out, checkout, environment
from tests.documentation.pages import FOLDER, Block, blocks

HOWTO = FOLDER / "howto"


def recipe(name: str, language: str) -> Block:
    found = [block for block in blocks((HOWTO / name).read_text("utf-8")) if block.language == language]
    return found[0]


def written(block: Block) -> list[str]:
    """The lines that a reader has to write."""
    lines = block.text.splitlines()
    if block.language == "diff":
        return [line for line in lines if line.startswith("+") and not line.startswith("+++")]
    return lines


@pytest.mark.parametrize(
    ("name", "language"), [("add-an-operator.md", "diff"), ("add-a-law.md", "toml"), ("add-a-detector.md", "python")]
)
def test_a_recipe_takes_less_than_twenty_lines(name: str, language: str) -> None:
    assert 0 < len(written(recipe(name, language))) < 20


def test_of_a_change_only_what_is_new_counts_as_written() -> None:
    change = Block(1, "diff", "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n")
    assert written(change) == ["+three"]


def test_an_operator_whose_operands_cannot_be_restricted_early_is_refuted(tmp_path: Path) -> None:
    folder = checkout(tmp_path)
    change = recipe("add-an-operator.md", "diff")
    overlap = 'And((Start("s") <= End("t"), Start("t") <= End("s")))'
    assert f"`{overlap}`" in (HOWTO / "add-an-operator.md").read_text("utf-8")
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
