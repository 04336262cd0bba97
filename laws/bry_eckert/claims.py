"""Claims about relations and their tuples, as records: what evaluation step by step and planning rest on."""

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
    """A formula about arbitrary relations, tuples and time stamps that holds for all histories.

    Attributes:
        relations: predicates on tuples: relations, and conditions.
        tuples: the constants that are tuples.
        values: the constants that are time stamps and durations; truth values where the name ends in a question mark.
        given: what is assumed, in SMT-LIB.
        says: the conclusion.
        definitions: what formulas may call: names with parameters and a body, such as `(x y) (ite (>= x y) x y)`.
        functions: the functions of tuples that formulas may use: names with the sorts of arguments and value.
        false: whether it is false, and every run must refute it.
    """

    relations: tuple[str, ...] = ()
    tuples: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    says: str = "false"
    definitions: tuple[tuple[str, str], ...] = ()
    functions: tuple[tuple[str, str], ...] = ()
    false: bool = False

    @property
    def expected(self) -> Standing:
        """The standing that a right project reaches."""
        return Standing.REFUTED if self.false else Standing.AGREED


_LISTS = ("relations", "tuples", "values", "given", "rests_on", "trusts")


def claims_from_toml(*texts: str) -> tuple[tuple[TupleClaim, ...], tuple[TupleClaim, ...]]:
    """The claims of files, and the false ones that every run must refute; what one of them defines, all may use."""
    files = [tomllib.loads(text) for text in texts]
    shared: dict[str, Any] = {"system": SYSTEM, "scheme": ""}
    for table in ("definitions", "functions"):
        shared[table] = tuple(pair for file in files for pair in file.get(table, {}).items())
    true, false = (
        tuple(one for file in files for one in _claims(file[kind], shared, kind)) for kind in ("claim", "canary")
    )
    return true, false


def _claims(records: list[dict[str, Any]], shared: dict[str, Any], kind: str) -> Iterator[TupleClaim]:
    for record in records:
        lists = {name: tuple(record.get(name, ())) for name in _LISTS}
        yield TupleClaim(**{**shared, **record, **lists}, false=kind == "canary")
