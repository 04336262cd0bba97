"""Claims about tuples of any relations, as records: what evaluation step by step rests on."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from laws.standings import Standing
from laws.theorems import Theorem

SYSTEM = "bry_eckert"


@dataclass(frozen=True)
class TupleClaim(Theorem):
    """A formula about the time stamps of arbitrary tuples that holds for all relations and histories.

    Attributes:
        tuples: the constants: time stamps and durations; truth values where the name ends in a question mark.
        given: what is assumed, in SMT-LIB.
        says: the conclusion.
        definitions: what formulas may call: names with parameters and a body, such as `(x y) (ite (>= x y) x y)`.
        false: whether it is false, and every run must refute it.
    """

    tuples: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    says: str = "false"
    definitions: tuple[tuple[str, str], ...] = ()
    false: bool = False

    @property
    def expected(self) -> Standing:
        """The standing that a right project reaches."""
        return Standing.REFUTED if self.false else Standing.AGREED


def claims_from_toml(text: str) -> tuple[tuple[TupleClaim, ...], tuple[TupleClaim, ...]]:
    """The claims of a file, and the false ones that every run must refute."""
    data = tomllib.loads(text)
    definitions = tuple(data["definitions"].items())
    true, false = (tuple(_claims(data[kind], definitions, kind)) for kind in ("claim", "canary"))
    return true, false


def _claims(
    records: list[dict[str, Any]], definitions: tuple[tuple[str, str], ...], kind: str
) -> Iterator[TupleClaim]:
    for record in records:
        lists = {name: tuple(record.get(name, ())) for name in ("tuples", "given", "rests_on", "trusts")}
        defaults = {"system": SYSTEM, "scheme": "", "definitions": definitions}
        yield TupleClaim(**{**defaults, **record, **lists}, false=kind == "canary")
