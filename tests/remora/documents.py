"""What commands print as JSON, read strictly."""

import json
from typing import Any

from msgspec import to_builtins

from reports.documents import value_of
from tests.reports.formats import undocumented


def of_its_schema(text: str, name: str = "") -> Any:
    """The document, if it has all fields of its schema, and no other ones."""
    document = json.loads(text)
    known = to_builtins(value_of(name or document["schema"], document))
    assert not undocumented(document, known)
    return document


def rows(text: str) -> list[dict[str, Any]]:
    """The rows that are printed; detections of patterns, which have an end, are of their schema."""
    found: list[dict[str, Any]] = [json.loads(line) for line in text.splitlines()]
    for line, row in zip(text.splitlines(), found, strict=True):
        if row.keys() & {"end", "instance"}:
            of_its_schema(line, "remora/row/1")
    return found


def spans(text: str) -> list[tuple[int, int]]:
    return [(row["start"], row["end"]) for row in rows(text)]


def intervals_of(text: str) -> list[tuple[int, int]]:
    assert all(set(row) <= {"start", "end", "partition"} for row in rows(text))
    return spans(text)
