"""What the documentation says is what the project does."""

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from laws.catalogue import everything
from laws.definitions import altered_definitions, altered_symbols
from laws.errata import errata
from proofs.record import recorded
from remora.docs import PAGES
from reports.errata import CONFIRMED, KINDS
from smt.cvc5_solver import is_installed

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
PROOFS = ROOT / "docs" / "proofs.md"


@pytest.mark.parametrize("name", PAGES)
def test_a_generated_page_is_up_to_date(name: str) -> None:
    committed = (ROOT / "docs" / name).read_text("utf-8")
    assert committed == PAGES[name](), "run `make docs`"


def console_examples() -> list[tuple[str, str]]:
    """The commands of the console blocks, each with the output that is shown for it."""
    examples = []
    for page in (README, PROOFS):
        for block in re.findall(r"```console\n(.*?)```", page.read_text("utf-8"), re.DOTALL):
            for command, output in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
                examples.append((command, output))
    return examples


def without_measurements(text: str) -> list[str]:
    """The lines without trailing blanks; seconds and units of work are masked, everything else must be exact."""
    return [re.sub(r" +\d+\.\d{3} +[\d,]+ +", " # # ", line).rstrip() for line in text.splitlines()]


def test_seconds_and_work_are_masked_and_nothing_else() -> None:
    row = "law:1  ◉ agreed    0.010  1,234  A == A"
    masked = without_measurements(row)
    assert masked == without_measurements("law:1  ◉ agreed   10.500     99  A == A")
    assert masked != without_measurements("law:1  ● proved    0.010  1,234  A == A")
    assert masked != without_measurements("law:1  ◉ agreed    0.010  1,234  A == B")


def test_the_documentation_shows_commands_with_their_output() -> None:
    assert len(console_examples()) >= 9


@pytest.mark.parametrize(("command", "output"), console_examples())
def test_a_command_prints_what_the_documentation_shows(command: str, output: str) -> None:
    if command.startswith("remora prove") and not is_installed():
        pytest.skip("without cvc5 nothing is agreed")
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
    assert without_measurements(run.stdout + run.stderr) == without_measurements(output)


def test_the_readme_begins_with_the_two_commands_that_matter() -> None:
    lines = README.read_text("utf-8").splitlines()
    commands = [line.split("#")[0].strip() for line in lines if line.startswith("make ")]
    assert commands[:2] == ["make verify", "make test"]


def test_the_numbers_that_the_documentation_gives_are_those_of_the_records() -> None:
    rows = recorded().values()
    times = Counter(row["time"] for row in rows)
    kinds = Counter(erratum.kind for erratum in errata())
    unions = sum("join-associative" in row["axioms"] for row in rows)
    readme, proofs = (" ".join(page.read_text("utf-8").split()) for page in (README, PROOFS))
    ours = sum("our own" in claim.source for claim in everything())
    claims = f"{len(everything())} claims, {len(everything()) - ours} of the source and {ours} of our own"
    assert f"everything: {claims}" in readme
    assert f"and {ours} claims of our own" in proofs
    assert f"which makes {len(altered_definitions())} altered definitions" in proofs
    assert f"Of these {len(altered_symbols())} altered definitions" in proofs
    assert f"They become {len(rows)} questions" in readme
    assert f"turned up {len(errata()) - kinds[CONFIRMED]} errata" in readme
    assert (
        f"{len(rows)} obligations, {times['int']} over integer and {times['real']} over dense time" in proofs
    )
    assert f"Only {unions} of the {len(rows)} obligations" in proofs
    assert f"each of the {len(rows)} obligations has a certificate" in proofs
    assert (
        f"{len(errata())} entries: {len(errata()) - kinds[CONFIRMED]} errata and {kinds[CONFIRMED]} state"
        in proofs
    )
    for kind in KINDS:
        assert f"| {kind} | {kinds[kind]} |" in proofs
    assert {row["standing"] for row in rows} == {"agreed"}
    assert all(row["certificate"] for row in rows)


def test_the_proof_script_of_the_documentation_proves_what_it_shows() -> None:
    text = PROOFS.read_text("utf-8")
    (script,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    (shown,) = re.findall(r"It prints\n\n```\n(.*?)```", text, re.DOTALL)
    run = subprocess.run(
        [sys.executable, "-"],
        input=script,
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    assert run.stdout == (shown if is_installed() else shown.replace("agreed", "proved"))


@pytest.mark.parametrize("page", [README, *sorted((ROOT / "docs").glob("*.md"))], ids=lambda page: page.name)
def test_links_lead_to_files_that_exist(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text("utf-8")):
        assert target.startswith("https://") or (page.parent / target).exists(), target
