"""Claims about tuples of any relations, as records: what evaluation step by step rests on."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from laws.standings import Standing


@dataclass(frozen=True)
class TupleClaim:
    """A formula about the time stamps of arbitrary tuples that holds for all relations and histories.

    Attributes:
        id: its name, such as `rules:streaming/right`.
        statement: what is claimed, as a reader of the papers writes it.
        source: where the papers state it, or that it is our own.
        reading: what it means, in words.
        tuples: the constants: time stamps and durations; truth values where the name ends in a question mark.
        given: what is assumed, in SMT-LIB.
        says: the conclusion.
        expected: the standing that a right project reaches.
    """

    id: str
    statement: str
    source: str
    reading: str
    tuples: tuple[str, ...]
    given: tuple[str, ...]
    says: str
    expected: Standing = Standing.AGREED
    system: str = "bry_eckert"
    condition: str = ""
    note: str = ""


def claims_from_toml(text: str) -> tuple[tuple[TupleClaim, ...], tuple[TupleClaim, ...]]:
    """The claims of a file, and the false ones that every run must refute."""
    data = tomllib.loads(text)
    false = _claims(data["canary"], Standing.REFUTED)
    return tuple(_claims(data["claim"], Standing.AGREED)), tuple(false)


def _claims(records: list[dict[str, Any]], expected: Standing) -> Iterator[TupleClaim]:
    for record in records:
        lists = {name: tuple(record[name]) for name in ("tuples", "given")}
        yield TupleClaim(**{**record, **lists}, expected=expected)
