"""Generated pages are up to date, and numbers in the text are those of the records; see also `tests/documentation`."""

import re
from collections import Counter
from pathlib import Path

import pytest

from campaigns.engine.rows import ROW_SCHEMA
from laws.carlson_lisper.claims import everything
from laws.errata import errata_of
from proofs.record import recorded
from remora.docs.pages import FOLDER, refreshed
from reports.report import CONFIRMED, ERRATA as KINDS

ERRATA = errata_of("carlson_lisper")

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
PROOFS = ROOT / "docs" / "proofs.md"


@pytest.mark.slow
@pytest.mark.parametrize("page", [one.name for one in FOLDER.glob("*.md") if "<!-- made: " in one.read_text("utf-8")])
def test_what_a_page_shows_of_the_records_is_up_to_date(page: str) -> None:
    committed = (FOLDER / page).read_text("utf-8")
    assert committed == refreshed(committed), "run `make docs`"


def test_a_part_of_a_page_is_made_anew_and_the_rest_stays() -> None:
    page = "Of <!-- made: atlas laws -->no<!-- end --> laws.\n\n<!-- made: canaries -->\n\nold\n\n<!-- end -->\n"
    made = refreshed(page)
    assert made.startswith("Of <!-- made: atlas laws -->44<!-- end --> laws.\n\n<!-- made: canaries -->\n\n| canary |")
    assert refreshed(made) == made
    with pytest.raises(KeyError):
        refreshed("<!-- made: nothing --><!-- end -->")


def test_the_readme_begins_with_the_two_commands_that_matter() -> None:
    lines = README.read_text("utf-8").splitlines()
    commands = [line.split("#")[0].strip() for line in lines if line.startswith("make ")]
    assert commands[:2] == ["make verify", "make test"]


def test_the_numbers_that_the_documentation_gives_are_those_of_the_records() -> None:
    of_the_first_system = {claim.id for claim in everything()}
    rows = [row for row in recorded().values() if row["claim"] in of_the_first_system]
    kinds = Counter(erratum.kind for erratum in ERRATA)
    proofs = " ".join(PROOFS.read_text("utf-8").split())
    ours = sum("our own" in claim.source for claim in everything())
    assert f"and {ours} claims of our own" in proofs
    assert f"{len(ERRATA)} entries: {len(ERRATA) - kinds[CONFIRMED]} errata and {kinds[CONFIRMED]} state" in proofs
    for kind in KINDS:
        assert f"| {kind} | {kinds[kind]} |" in proofs
    assert {row["standing"] for row in rows} == {"agreed", "computed"}


def test_the_columns_of_rows_have_the_types_that_the_page_says() -> None:
    page = (ROOT / "docs" / "campaigns.md").read_text("utf-8").partition("### The rows")[2]
    told = {
        name: line.split("|")[2].strip()
        for line in page.splitlines()
        if line.startswith("| `")
        for name in re.findall("`([a-z]+)`", line.split("|")[1])
    }
    assert told.keys() == set(ROW_SCHEMA.names)
    for field in ROW_SCHEMA:
        words = str(field.type).partition("<")[0]
        assert told[field.name].startswith(words), field
        inner = field.type.value_type if words == "list" else field.type
        if inner.num_fields:
            assert [each.name for each in inner] == re.findall("`([a-z]+)`", told[field.name])
