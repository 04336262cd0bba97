"""JSON Schemas of all documents, what is wrong with a document, and the page of the documentation about them.

A document says by its key `schema` which one is its own, as `remora/report/1`. Within a version fields may be added,
and readers ignore those that they do not know; whatever would break a reader takes the next number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, TypeVar

import msgspec

from reports.comparison import LEAST, RATIO
from reports.documents import benchmarks, campaigns, patterns, proofs, report
from reports.documents.patterns import DetectedRow
from reports.documents.values import Value
from reports.markdown import code, table
from semantics.errors import InputError

ROW = "remora/row/1"
"""The rows of detections, which do not name their schema."""

LONGEST = 200
"""A complaint is cut after so many characters: it may quote a whole document."""

V = TypeVar("V")


@dataclass(frozen=True)
class Complaint:
    """Reason why something is no document of a schema.

    Attributes:
        place: the path to what is wrong, such as `claims[3].standing`; "" for the whole.
    """

    place: str
    reason: str


@cache
def documents() -> Mapping[str, type[Value]]:
    """All documents by the names of their schemas, in alphabetical order."""
    found = {ROW: DetectedRow}
    for module in (benchmarks, campaigns, patterns, proofs, report):
        for each in vars(module).values():
            tag = each.__struct_config__.tag if isinstance(each, type) and issubclass(each, Value) else None
            if tag:
                found[str(tag)] = each
    return dict(sorted(found.items()))


def _document(name: str) -> type[Value]:
    if name not in documents():
        raise InputError(f"there is no schema {name!r}", remedy=f"There are {', '.join(documents())}.")
    return documents()[name]


def schema(name: str) -> dict[str, Any]:
    """A JSON Schema (draft 2020-12) that stands by itself.

    Args:
        name: what documents of this schema have under `schema`, such as `remora/report/1`.

    Raises:
        InputError: there is no such schema.
    """
    document = _document(name)
    found = msgspec.json.schema(document)
    parts = found["$defs"]
    own = parts.pop(document.__name__)
    written = getattr(document, "written", "")
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$comment": written}
    return {**head, **own, "title": name, "$defs": parts}


def complaint(name: str, document: object) -> Complaint | None:
    """The first thing that is wrong with a document of a schema; None if it is as it should be.

    Raises:
        InputError: there is no such schema.
    """
    try:
        value_of(_document(name), document)
    except msgspec.ValidationError as error:
        text, _, place = str(error).partition(" - at `$")
        reason = text if len(text) <= LONGEST else f"{text[: LONGEST // 2]} … {text[-LONGEST // 2 :]}"
        return Complaint(place.rstrip("`").lstrip("."), reason)
    return None


def value_of(kind: type[V], data: object) -> V:
    """Plain data as a value of a type.

    Raises:
        msgspec.ValidationError: the data are not of that type.
    """
    return msgspec.convert(data, kind)


# ------------------------------------------------------------------------------------------------------------- the page


def formats_page(made: str) -> str:
    """The page as Markdown: the prose of `documents/page.md`, and every field of every document.

    Args:
        made: the first line, which says what the page is made of.
    """
    text = resources.files("reports").joinpath("documents", "page.md").read_text("utf-8")
    listed = "\n".join([*_index(), *_documents(), *_parts()]).rstrip()
    for name, part in {"ratio": f"{RATIO:g}", "least": f"{LEAST:,}", "documents": listed}.items():
        text = text.replace(f"<!-- {name} -->", part)
    return f"{made}\n\n{text}"


def _index() -> Iterator[str]:
    rows = [(f"[`{name}`](#{name.replace('/', '')})", _written(schema(name))) for name in documents()]
    yield from table(("schema", "written by"), rows)


def _documents() -> Iterator[str]:
    for name in documents():
        found = schema(name)
        said = " ".join(found.get("description", "").split())
        yield from (f"### `{name}`", "", f"{said} Written by: {_written(found)}.", "")
        yield from _fields(found)


def _written(found: Mapping[str, Any]) -> str:
    return ", ".join(code(part) for part in found["$comment"].split(", "))


def _parts() -> Iterator[str]:
    """The parts of documents, each once under its own name."""
    yield from ("### Parts of documents", "")
    parts = {name: part for document in documents() for name, part in schema(document)["$defs"].items()}
    for name in sorted(parts):
        yield from (f"#### {_words(name)}", "")
        said = " ".join(parts[name].get("description", "").split())
        yield from (said, "") if said else ()
        yield from _fields(parts[name])


def _fields(found: Mapping[str, Any]) -> Iterable[str]:
    rows = []
    for name, field in found.get("properties", {}).items():
        if name != "schema":
            said = field.get("description", "")
            optional = "" if name in found.get("required", ()) else "Optional."
            cells = (code(name), kind(field), f"{said} {optional}".strip())
            rows.append(tuple(text.replace("|", "\\|") for text in cells))
    return table(("field", "type", "says"), rows)


def _words(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", " ", name).lower()


def kind(field: Mapping[str, Any]) -> str:
    """The type of a field in a few words."""
    if "$ref" in field:
        return _words(str(field["$ref"]).rpartition("/")[2])
    if "enum" in field:
        return "one of " + ", ".join(str(each) or "nothing" for each in field["enum"])
    if "anyOf" in field:
        return " or ".join(sorted((kind(each) for each in field["anyOf"]), key="null".__eq__))
    match field.get("type"):
        case "array" if "prefixItems" in field:
            return f"list of {', '.join(map(kind, field['prefixItems']))}"
        case "array" if field.get("items"):
            return f"list of {kind(field['items'])}"
        case "object" if isinstance(field.get("additionalProperties"), Mapping):
            return f"mapping to {kind(field['additionalProperties'])}"
        case "array":
            return "list"
        case None:
            return "anything"
        case word:
            return str(word)
