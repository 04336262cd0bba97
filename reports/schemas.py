"""The JSON Schemas of every document that a command writes, as data files of this package.

A document says by its key `schema` which one is its own, as `remora/report/1`. The rule of versions: fields may be
added to a document of the same version, and whoever reads it has to ignore those that he does not know; whatever would
break a reader (a field that goes, or has another meaning, unit or type) takes the next number.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, cast

from semantics.errors import InputError

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

COMMON = "common"
"""What several documents have in common; it is a part of each schema that `schema` returns."""

LONGEST = 200
"""A complaint is cut after so many characters: it may quote a whole document."""


@dataclass(frozen=True)
class Complaint:
    """Why something is no document of a schema.

    Attributes:
        place: the path to what is wrong, such as `claims[3].standing`; "" for the whole.
    """

    place: str
    reason: str


@cache
def names() -> tuple[str, ...]:
    """The names of all schemas, such as `remora/report/1`, in alphabetical order."""
    folder = resources.files("reports").joinpath("schema")
    stems = sorted(
        item.name.removesuffix(".json") for item in folder.iterdir() if item.name.endswith(".json")
    )
    return tuple("remora/" + "/".join(stem.rsplit("-", 1)) for stem in stems if stem != COMMON)


def schema(name: str) -> dict[str, Any]:
    """A JSON Schema (draft 2020-12) that stands by itself.

    Args:
        name: what documents of this schema have under `schema`, such as `remora/report/1`.

    Raises:
        InputError: there is no such schema.
    """
    if name not in names():
        raise InputError(f"there is no schema {name!r}", remedy=f"There are {', '.join(names())}.")
    return {**_file("-".join(name.split("/")[1:])), "$defs": {COMMON: _file(COMMON)}}


@cache
def _file(stem: str) -> dict[str, Any]:
    text = resources.files("reports").joinpath("schema", f"{stem}.json").read_text("utf-8")
    return cast(dict[str, Any], json.loads(text))


def validator(given: Mapping[str, Any]) -> Draft202012Validator:
    """The validator of a schema that `schema` returned, or of a stricter one.

    It is told where the common part is: otherwise it looks through the whole schema for it at each reference.
    """
    from jsonschema import Draft202012Validator
    from referencing import Registry
    from referencing.jsonschema import DRAFT202012

    common = given["$defs"][COMMON]
    known: Registry[Any] = Registry()
    registry = known.with_resource(common["$id"], DRAFT202012.create_resource(common))
    return Draft202012Validator(given, registry=registry)


def complaint(name: str, document: object) -> Complaint | None:
    """What is wrong with a document of a schema; None if it is as it should be.

    Raises:
        InputError: there is no such schema.
    """
    from jsonschema.exceptions import best_match

    error = best_match(validator(schema(name)).iter_errors(document))
    if error is None:
        return None
    text = error.message
    if len(text) > LONGEST:
        text = f"{text[: LONGEST // 2]} … {text[-LONGEST // 2 :]}"
    return Complaint(_path(error.absolute_path), text)


def _path(steps: Any) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps).lstrip(".")


# ----------------------------------------------------------------------------------------------------- documentation


@dataclass(frozen=True)
class Field:
    """A field of a document, as it is documented.

    Attributes:
        path: where it is, such as `claims[].standing`.
        kind: its type in a few words.
    """

    path: str
    kind: str
    optional: bool
    text: str


def fields(definition: Mapping[str, Any]) -> list[Field]:
    """The fields of a schema or of a definition, those within its own objects included.

    What refers to a common definition names it; its fields are listed once, under that name.
    """
    found: list[Field] = []
    _collect(definition, "", found)
    return found


def definitions() -> dict[str, Mapping[str, Any]]:
    """The common definitions that have fields, by name."""
    return {name: found for name, found in _file(COMMON)["$defs"].items() if "properties" in found}


def _collect(definition: Mapping[str, Any], path: str, found: list[Field]) -> None:
    required = definition.get("required", ())
    for name, field in definition.get("properties", {}).items():
        here = f"{path}.{name}" if path else name
        found.append(Field(here, kind(field), name not in required, _text(field)))
        _within(field, here, found)


def _text(field: Mapping[str, Any]) -> str:
    """What a field says: its own description, or that of what it refers to."""
    own = field.get("description") or _target(field).get("description")
    return str(own) if own else next(filter(None, map(_text, field.get("anyOf", ()))), "")


def _within(field: Mapping[str, Any], path: str, found: list[Field]) -> None:
    """The fields of what a field holds, through lists, mappings and alternatives."""
    _collect(field, path, found)
    if isinstance(field.get("items"), Mapping):
        _within(field["items"], f"{path}[]", found)
    if isinstance(field.get("additionalProperties"), Mapping):
        _within(field["additionalProperties"], f"{path}.*", found)
    for each in field.get("anyOf", ()):
        _within(each, path, found)


def _target(field: Mapping[str, Any]) -> Mapping[str, Any]:
    reference = str(field.get("$ref", ""))
    return cast(Mapping[str, Any], _file(COMMON)["$defs"][reference.rpartition("/")[2]]) if reference else {}


def kind(field: Mapping[str, Any]) -> str:
    """The type of a field in a few words."""
    if "$ref" in field:
        name = str(field["$ref"]).rpartition("/")[2]
        return name.replace("_", " ") if "properties" in _target(field) else kind(_target(field))
    if "const" in field:
        return f'"{field["const"]}"'
    if "enum" in field:
        return "one of " + ", ".join(map(str, field["enum"]))
    if "anyOf" in field:
        return " or ".join(dict.fromkeys(kind(each) for each in field["anyOf"]))
    types = field.get("type", "anything")
    return " or ".join(_type(each, field) for each in ([types] if isinstance(types, str) else types))


def _type(word: str, field: Mapping[str, Any]) -> str:
    match word:
        case "array" if isinstance(field.get("items"), Mapping):
            return f"list of {_plural(kind(field['items']))}"
        case "object" if isinstance(field.get("additionalProperties"), Mapping):
            return f"mapping to {_plural(kind(field['additionalProperties']))}"
        case "array":
            return "list"
        case _:
            return word


def _plural(word: str) -> str:
    return word if " " in word or word.endswith("s") or word == "anything" else f"{word}s"
