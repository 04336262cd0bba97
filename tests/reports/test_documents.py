"""Documents are declared once: their schemas stand by themselves, and what is damaged is refused with its place."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reports.comparison import LEAST, RATIO
from reports.documents import LONGEST, complaint, documents, schema
from semantics.errors import InputError

ROOT = Path(__file__).parent.parent.parent
PAGE = ROOT / "reports" / "formats.md"
LINES = ("remora/row/1", "remora/case/1", "remora/case-answer/1")

OURS_ALONE = {
    "remora/atlas-record/1", "remora/kernel/1", "remora/detector/1", "remora/generated-detector/3", "remora/campaign/3",
    "remora/proofs/3", "remora/rules-state/1", "remora/state/1", "remora/stream/1", "remora/exploration/1",
}  # fmt: skip
"""Schemas of files that Remora alone reads."""


@pytest.mark.parametrize("name", documents())
def test_a_schema_stands_by_itself_and_says_who_writes_it(name: str) -> None:
    found = schema(name)
    assert found["title"] == name
    assert name in LINES or "schema" in found["required"]
    assert found["$comment"].startswith(("`remora ", "`regressions/"))
    assert set(re.findall(r"'\$ref': '#/\$defs/(\w+)'", str(found))) <= set(found["$defs"])


def test_every_document_that_the_code_names_has_a_schema() -> None:
    written = set()
    for path in ROOT.glob("*/**/*.py"):
        if path.relative_to(ROOT).parts[0] not in (".venv", "tests"):
            written |= set(re.findall(r'"(remora/[a-z-]+/[0-9]+)"', path.read_text("utf-8")))
    named = written - OURS_ALONE
    assert {name for name in named if not (ROOT / name).exists()} <= set(documents())


def test_a_name_that_is_none_is_said() -> None:
    with pytest.raises(InputError, match="there is no schema 'remora/nix/1'"):
        complaint("remora/nix/1", {})


def damaged(document: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """The document with one value replaced by one of a type that is nowhere right, at each place in turn."""
    if isinstance(document, dict):
        for key, value in document.items():
            for place, other in [(f"{path}.{key}", _other(value)), *damaged(value, f"{path}.{key}")]:
                yield place, {**document, key: other}
    elif isinstance(document, list) and document:  # of which the first item alone is enough
        first = document[0]
        yield from ((place, [other]) for place, other in [(f"{path}[0]", _other(first)), *damaged(first, f"{path}[0]")])


def _other(value: object) -> object:
    return [[]] if value is None or isinstance(value, dict) else {"": [[]]}


def test_a_report_that_is_damaged_anywhere_is_refused(proofs: dict[str, Any]) -> None:
    assert complaint("remora/report/1", proofs) is None
    unknown = ("throughput", "crashed", ".campaign.detector", ".settings")
    tried = 0
    for place, document in damaged(proofs):
        if not place.endswith(unknown) and ".operators" not in place:
            tried += 1
            found = complaint("remora/report/1", document)
            assert found is not None, place
            assert len(found.reason) < LONGEST + 10
    assert tried > 120


def test_a_field_that_is_not_known_is_accepted_and_one_that_is_missing_is_not(report: dict[str, Any]) -> None:
    assert complaint("remora/report/1", {**report, "later": 1}) is None
    found = complaint("remora/report/1", {key: report[key] for key in report if key != "verdict"})
    assert found is not None
    assert (found.place, found.reason) == ("", "Object missing required field `verdict`")
    assert complaint(LINES[0], {"start": 0, "end": 2}) is None
    assert all(complaint(LINES[0], row) for row in ({"start": -1, "end": 2}, {"start": 0}))


def test_the_page_lists_every_document_and_every_row_of_its_tables_is_a_field() -> None:
    text = PAGE.read_text("utf-8")
    for name in documents():
        assert f"](#{name.replace('/', '')})" in text
    rows = re.findall(r"^\| `(\w+)` \| ", text, re.MULTILINE)
    parts = {part: text for name in documents() for part, text in schema(name)["$defs"].items()}
    fields = [field for part in parts.values() for field in part.get("properties", ())]
    fields += [field for name in documents() for field in schema(name)["properties"] if field != "schema"]
    assert sorted(rows) == sorted(fields)
    assert f"a factor of {RATIO:g} and by {LEAST:,} units" in text
