"""The page of the documentation about formats, made of the schemas."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib import resources
from typing import Any

from reports.comparing.comparison import LEAST, RATIO
from reports.schemas import Field, definitions, fields, names, schema
from reports.writing.markup import code, table


def formats_page(made: str) -> str:
    """The page as Markdown: the prose of `schema/page.md`, and every field of every document.

    Args:
        made: the first line, which says what the page is made of.
    """
    text = resources.files("reports").joinpath("schema", "page.md").read_text("utf-8")
    parts = {
        "ratio": f"{RATIO:g}",
        "least": f"{LEAST:,}",
        "documents": "\n".join([*_index(), *_documents(), *_common()]).rstrip(),
    }
    for name, part in parts.items():
        text = text.replace(f"<!-- {name} -->", part)
    return f"{made}\n\n{text}"


def _index() -> Iterator[str]:
    rows = [(f"[`{name}`](#{_anchor(name)})", _written(schema(name))) for name in names()]
    yield from table(("schema", "written by"), rows)


def _anchor(name: str) -> str:
    """The anchor of a heading, as GitHub makes it."""
    return name.replace("/", "")


def _documents() -> Iterator[str]:
    for name in names():
        found = schema(name)
        yield from (f"### `{name}`", "", f"{found['description']} Written by: {_written(found)}.", "")
        yield from _fields(found)


def _written(found: Mapping[str, Any]) -> str:
    return ", ".join(code(part) for part in str(found.get("$comment", "")).split(", "))


def _common() -> Iterator[str]:
    yield from ("### What several documents have in common", "")
    for name, definition in definitions().items():
        yield from (f"#### {name.replace('_', ' ')}", "", str(definition["description"]), "")
        yield from _fields(definition)


def _fields(definition: Mapping[str, Any]) -> Iterator[str]:
    yield from table(("field", "type", "says"), map(_row, _shown(fields(definition))))


def _shown(found: Iterable[Field]) -> Iterator[Field]:
    return (field for field in found if field.path != "schema")


def _row(field: Field) -> tuple[str, str, str]:
    said = f"{field.text} Optional." if field.optional else field.text
    return tuple(text.replace("|", "\\|") for text in (code(field.path), field.kind, said))  # type: ignore[return-value]
