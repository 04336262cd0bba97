"""What the documentation says is what the project does."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from remora.docs import PAGES

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("name", PAGES)
def test_a_generated_page_is_up_to_date(name: str) -> None:
    committed = (ROOT / "docs" / name).read_text("utf-8")
    assert committed == PAGES[name](), "run `make docs`"


def console_examples() -> list[tuple[str, str]]:
    """The commands of the README's console blocks, each with the output that is shown for it."""
    examples = []
    for block in re.findall(r"```console\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL):
        for command, output in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
            examples.append((command, output))
    return examples


def without_seconds(text: str) -> list[str]:
    """The lines without trailing blanks; measured seconds are masked, everything else must be exact."""
    return [re.sub(r" +\d+\.\d{3} +", " # ", line).rstrip() for line in text.splitlines()]


def test_the_readme_shows_commands_with_their_output() -> None:
    assert len(console_examples()) >= 4


@pytest.mark.parametrize(("command", "output"), console_examples())
def test_a_command_of_the_readme_prints_what_the_readme_shows(command: str, output: str) -> None:
    binary = Path(sys.executable).parent
    run = subprocess.run(
        command,
        shell=True,
        cwd=ROOT,
        env={"PATH": f"{binary}:/usr/bin:/bin", "COLUMNS": "100", "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert without_seconds(run.stdout + run.stderr) == without_seconds(output)


def test_the_readme_begins_with_the_two_commands_that_matter() -> None:
    lines = (ROOT / "README.md").read_text("utf-8").splitlines()
    commands = [line.split("#")[0].strip() for line in lines if line.startswith("make ")]
    assert commands[:2] == ["make verify", "make test"]
