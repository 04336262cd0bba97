"""Errata of a source, and statements of it that were checked, as records; proofs carry out the evidence."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

from semantics.errors import InputError

KINDS = ("false as printed", "vacuous", "wrong law number", "superfluous", "gap", "misprint", "scope", "confirmed")
"""Kinds of errata; the records of each system explain the words."""

ORIGINS = ("print", "scan or print")
"""Whether the source must have printed it so, or a sign may have been lost when the text was read from paper."""


@dataclass(frozen=True)
class Evidence:
    """A check that is to be carried out: what is checked and what must come out, by keys that depend on the check."""

    check: str
    details: Mapping[str, Any] = field(hash=False)


@dataclass(frozen=True)
class Erratum:
    """A place in the source where something is wrong, with a reading that makes it right; or what was in doubt."""

    id: str
    place: str
    kind: str
    origin: str
    printed: str
    problem: str
    reading: str
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True)
class Wording:
    """A slip of language, which changes nothing."""

    place: str
    printed: str
    reading: str


def errata_from_toml(text: str) -> tuple[Erratum, ...]:
    """Read errata; InputError where a record is not well-formed, or TOML's own error where a name is there twice."""
    found: list[Erratum] = []
    for name, record in tomllib.loads(text).get("erratum", {}).items():
        try:
            entries = ({**record.get("each", {}), **entry} for entry in record["evidence"])
            evidence = tuple(Evidence(entry.pop("check"), entry) for entry in entries)
            optional = (record.get("origin", "print"), record["printed"], record["problem"], record.get("reading", ""))
            erratum = Erratum(name, record["place"], record["kind"], *optional, evidence)
            found.append(erratum)
        except KeyError as error:
            raise InputError(f"the record has no {error.args[0]!r}", place=name) from None
        for value, known in ((erratum.kind, KINDS), (erratum.origin, ORIGINS)):
            if value not in known:
                raise InputError(f"{value!r} is none of {', '.join(known)}", place=name)
        if (erratum.kind == "confirmed") == bool(erratum.reading):
            raise InputError("a reading is for what is wrong, and for all of that", place=name)
    return tuple(found)


@cache
def errata_of(system: str) -> tuple[Erratum, ...]:
    """Errata of a system's source, in its order, from its `errata.toml`."""
    return errata_from_toml(_records(system))


@cache
def wordings_of(system: str) -> tuple[Wording, ...]:
    """Slips of language and type in a system's source, in its order."""
    return tuple(Wording(**record) for record in tomllib.loads(_records(system)).get("wording", ()))


def _records(system: str) -> str:
    return resources.files(f"laws.{system}").joinpath("errata.toml").read_text("utf-8")
