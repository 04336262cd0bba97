"""Documents that commands write: their values, their JSON Schemas, and what is wrong with one.

`formats.md` declares each once, as a table of its fields; the page of the documentation is that file.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache, reduce
from importlib import resources
from operator import or_
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, cast

import msgspec

from reports.page import STANDINGS
from semantics.errors import InputError

Document: TypeAlias = Any
"""A document or a part of one as a value: a Struct of msgspec, with the fields that `formats.md` names."""

LONGEST = 200  # A complaint is cut after so many characters: it may quote a whole document

_HEADING = re.compile(r"^(?:### `(remora/[^`]+)`|#### ([a-z ]+))$", re.MULTILINE)
_FIELD = re.compile(r"^\| `(\w+)` \| (.*?) \| ?(.*?) ?\|$", re.MULTILINE)
_OPTIONAL = re.compile(r" ?Optional(?:: `(.*)`)?\.$")

_WORDS: Mapping[str, Any] = {
    "text": str,
    "integer": int,
    "count": Annotated[int, msgspec.Meta(ge=0)],
    "time": Annotated[int, msgspec.Meta(ge=0)] | str,
    "number": float,
    "boolean": bool,
    "null": None,
    "scalar": str | int | float | bool | None,
    "row": dict[str, str | int | float | bool | None],
    "object": dict[str, Any],
    "anything": Any,
    "standing": Literal[tuple(STANDINGS)],
}
_EMPTY = {str: "", int: 0, float: 0.0, bool: False}


class Complaint(NamedTuple):
    """Reason why something is no document of a schema, and the path to it: `claims[3].standing`, "" for the whole."""

    place: str
    reason: str


@cache
def _sections() -> Mapping[str, str]:
    """The text of each document and part by its name."""
    text = resources.files("reports").joinpath("formats.md").read_text("utf-8")
    found = list(_HEADING.finditer(text))
    ends = [*(heading.start() for heading in found[1:]), len(text)]
    return {one[1] or one[2]: text[one.end() : end] for one, end in zip(found, ends, strict=True)}


def documents() -> list[str]:
    """The names of all schemas, such as `remora/report/1`, in alphabetical order."""
    return sorted(name for name in _sections() if "/" in name)


@cache
def type_of(name: str) -> Any:
    """The type of a document or of a part; `InputError` where there is none of that name."""
    text = _sections().get(name)
    if text is None:
        raise InputError(f"there is no schema {name!r}", remedy=f"There are {', '.join(documents())}.")
    fields = [_field(*row) for row in _FIELD.findall(text)]
    is_line = "It carries no `schema`." in text  # lines are many
    named: dict[str, Any] = {"tag_field": "schema", "tag": name} if "/" in name and not is_line else {}
    made = "".join(word.capitalize() for word in re.findall(r"[a-z]+", name))
    said, _, written = " ".join(text.partition("|")[0].split()).partition(" Written by: ")
    return msgspec.defstruct(
        made, fields, kw_only=True, namespace={"__doc__": said, "written": written.rstrip(".")}, **named
    )


def _field(name: str, words: str, said: str) -> tuple[str, Any] | tuple[str, Any, Any]:
    optional = _OPTIONAL.search(said)
    said = said[: optional.start()] if optional else said
    kind = _kind(words)
    if said:
        kind = Annotated[kind, msgspec.Meta(description=said)]
    if optional is None:
        return name, kind
    if optional[1]:
        default: Any = int(optional[1]) if optional[1].isdecimal() else optional[1]
        return name, kind, default
    if words.startswith("list of"):
        return name, kind, ()
    if words.startswith("mapping to") or words == "object":
        return name, kind, msgspec.field(default_factory=dict)
    if words.startswith("one of") or words.endswith('""'):
        return name, kind, ""
    plain = int if words == "count" else _WORDS.get(words)
    if plain in _EMPTY:
        return name, kind, _EMPTY[cast(type, plain)]
    return name, kind | None, None


def _kind(words: str) -> Any:
    alternatives = list(_alternatives(words))
    if len(alternatives) > 1:
        return reduce(or_, map(_kind, alternatives))
    if words.startswith("("):
        return _kind(words[1:-1])
    if words.startswith("list of "):
        return tuple[_kind(words.removeprefix("list of ")), ...]  # type: ignore[misc]
    if words.startswith("mapping to "):
        return dict[str, _kind(words.removeprefix("mapping to "))]  # type: ignore[misc]
    if words.startswith("pair of "):
        return tuple[(_kind(words.removeprefix("pair of ")),) * 2]  # type: ignore[misc]
    if words.startswith("one of "):
        listed = words.removeprefix("one of ").split(", ")
        return Literal[tuple(word.strip('`"') for word in listed)]
    return _WORDS[words] if words in _WORDS else type_of(words)


def _alternatives(words: str) -> Iterator[str]:
    """The parts of words between ` or ` that stand in no brackets."""
    depth, begin = 0, 0
    for place, character in enumerate(words):
        depth += (character == "(") - (character == ")")
        if not depth and words.startswith(" or ", place):
            yield words[begin:place]
            begin = place + len(" or ")
    yield words[begin:]


def value_of(name: str, data: object) -> Document:
    """Plain data as a document or a part of one; raises `msgspec.ValidationError` where they have another form."""
    return msgspec.convert(data, type_of(name))


def complaint(name: str, document: object) -> Complaint | None:
    """The first thing that is wrong with a document of a schema, if anything; `InputError` without such a schema."""
    try:
        value_of(name, document)
    except msgspec.ValidationError as error:
        text, _, place = str(error).partition(" - at `$")
        reason = text if len(text) <= LONGEST else f"{text[: LONGEST // 2]} … {text[-LONGEST // 2 :]}"
        return Complaint(place.rstrip("`").lstrip("."), reason)
    return None


def schema(name: str) -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of documents such as `remora/report/1`; `InputError` where there is none."""
    document = type_of(name)
    found = msgspec.json.schema(document)
    own = found["$defs"].pop(document.__name__)
    draft = "https://json-schema.org/draft/2020-12/schema"
    return {"$schema": draft, "$comment": document.written, **own, "title": name, "$defs": found["$defs"]}
