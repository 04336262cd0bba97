"""The schemas are JSON Schemas, stand by themselves, say what every field means, and refuse what is damaged."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from reports.schemas import LONGEST, complaint, definitions, fields, names, schema
from reports.writing.format_page import formats_page
from semantics.errors import InputError
from tests.reports.formats import strict

ROOT = Path(__file__).parent.parent.parent
PAGE = ROOT / "docs" / "formats.md"

OURS_ALONE = {
    "remora/accepted/1", "remora/campaign/3", "remora/detector/1", "remora/generated-detector/3",
    "remora/proofs/2", "remora/rules-state/1", "remora/state/1",
    "remora/stream/1",
}  # fmt: skip
"""Schemas of files that Remora alone reads."""

WITHOUT_KEY = {"remora/row/1"}
"""Rows, which do not name their schema."""


@pytest.mark.parametrize("name", names())
def test_a_schema_is_one_and_stands_by_itself(name: str) -> None:
    found = schema(name)
    Draft202012Validator.check_schema({part: text for part, text in found.items() if part != "$defs"})
    assert found["title"] == name
    assert name in WITHOUT_KEY or (found["properties"]["schema"]["const"], found["required"][0]) == (
        name,
        "schema",
    )
    assert found["$comment"].startswith(("remora ", "regressions/"))
    references = set(re.findall(r'"\$ref": "([^"]*)"', json.dumps(found)))
    known = {f"common.json#/$defs/{one}" for one in found["$defs"]["common"]["$defs"]}
    assert references <= known | {f"#/$defs/{one}" for one in found["$defs"]["common"]["$defs"]}


@pytest.mark.parametrize("name", names())
def test_every_field_says_what_it_means(name: str) -> None:
    for field in fields(schema(name)):
        assert re.search(r"[.…]$", field.text), field
        assert field.kind


def test_every_common_definition_is_one_and_says_what_it_is() -> None:
    Draft202012Validator.check_schema(schema("remora/report/1")["$defs"]["common"])
    for name, definition in definitions().items():
        assert definition["description"], name
        assert all(field.text for field in fields(definition))


def test_every_document_that_the_code_names_has_a_schema() -> None:
    written = set()
    for path in ROOT.glob("*/**/*.py"):
        if path.relative_to(ROOT).parts[0] not in (".venv", "tests"):
            written |= set(re.findall(r'"(remora/[a-z-]+/[0-9]+)"', path.read_text("utf-8")))
    documents = written - OURS_ALONE
    assert {name for name in documents if not (ROOT / name).exists()} == set(names()) - WITHOUT_KEY
    assert OURS_ALONE <= written


def test_a_name_that_is_none_is_said() -> None:
    with pytest.raises(InputError, match="there is no schema 'remora/nix/1'"):
        complaint("remora/nix/1", {})


def damaged(document: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """The document with one value replaced by one of a type that is nowhere right, at each place in turn."""
    if isinstance(document, dict):
        for key, value in document.items():
            for place, other in [(f"{path}.{key}", _other(value)), *damaged(value, f"{path}.{key}")]:
                yield place, {**document, key: other}
    elif isinstance(document, list) and document:
        first = document[0]
        for place, other in [(f"{path}[0]", _other(first)), *damaged(first, f"{path}[0]")]:
            yield place, [other, *document[1:]]


def with_one_of_each(document: Any) -> Any:
    """The document with the first item alone of each list, which is the one that is replaced."""
    if isinstance(document, dict):
        return {key: with_one_of_each(value) for key, value in document.items()}
    return [with_one_of_each(document[0])] if isinstance(document, list) and document else document


def _other(value: object) -> object:
    return [[]] if value is None or isinstance(value, dict) else {"": [[]]}


@pytest.mark.long
def test_a_report_that_is_damaged_anywhere_is_refused(proofs: dict[str, Any]) -> None:
    proofs["axioms"]["rows"].pop()  # of a report without the needs
    assert complaint("remora/report/1", proofs) is None
    open_to_all = (".settings", ".changed", ".unstable", ".disagreements", ".examples", ".throughput")
    tried = 0
    for place, document in damaged(with_one_of_each(proofs)):
        new = place.rpartition(".")[2] in ("detector", "crashed") and place.startswith(".campaign.")
        if not new and not any(part in place for part in open_to_all) and ".history" not in place:
            tried += 1
            found = complaint("remora/report/1", document)
            assert found is not None, place
            assert len(found.reason) < LONGEST + 10
    assert tried > 150


def test_a_field_that_is_not_known_is_accepted_and_one_that_is_missing_is_not(report: dict[str, Any]) -> None:
    assert complaint("remora/report/1", {**report, "later": 1}) is None
    found = complaint("remora/report/1", {key: report[key] for key in report if key != "verdict"})
    assert found is not None
    assert (found.place, found.reason) == ("", "'verdict' is a required property")
    assert complaint("remora/row/1", {"start": 0, "end": 2}) is None
    assert all(complaint("remora/row/1", row) for row in ({"start": -1, "end": 2}, {"start": 0}))


def test_undocumented_fields_do_not_pass_the_strict_form() -> None:
    found = strict(schema("remora/completion/1"))
    document = {"schema": "remora/completion/1", "shell": "bash", "script": "x"}
    assert Draft202012Validator(found).is_valid(document)
    assert not Draft202012Validator(found).is_valid({**document, "more": 1})


# ----------------------------------------------------------------------------------------------------- documentation


def test_the_page_has_every_document_and_field() -> None:
    text = formats_page("")
    for name in names():
        assert f"### `{name}`" in text
        assert f"](#{name.replace('/', '')})" in text
        for field in fields(schema(name)):
            assert f"| `{field.path}` | " in text or field.path == "schema"


def test_the_program_of_the_page_prints_what_it_shows() -> None:
    text = PAGE.read_text("utf-8")
    (program,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    (shown,) = re.findall(r"prints\n\n```\n(.*?)```", text, re.DOTALL)
    run = subprocess.run(
        [sys.executable, "-"], input=program, cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert run.stdout == shown
