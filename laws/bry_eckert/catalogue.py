"""Claims about relations and their tuples, as records: what evaluation step by step and planning rest on."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from laws.claims import Claim
from laws.outcomes import TestOutcome
from laws.standings import Standing
from laws.theorems import Theorem

FILES = ("relations.toml", "temporal_joins.toml", "rewriting.toml", "claims.toml")


@dataclass(frozen=True)
class TupleClaim(Theorem):
    """A formula about arbitrary relations, tuples and time stamps that holds for all histories, unless it is `false`.

    Relations and conditions are predicates on tuples; constants are tuples and values: times and durations, or truth
    values where the name ends in a question mark. Formulas are SMT-LIB with definitions (parameters and a body) and
    functions of tuples (the sorts of arguments and value).
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


@cache
def _claims(kind: str) -> tuple[TupleClaim, ...]:
    """The records of a kind; what one of the files defines, all may use."""
    folder = resources.files("laws.bry_eckert")
    files = [tomllib.loads(folder.joinpath(name).read_text("utf-8")) for name in FILES]
    shared: dict[str, Any] = {"system": "bry_eckert", "scheme": "", "false": kind == "canary"}
    for table in ("definitions", "functions"):
        shared[table] = tuple(pair for file in files for pair in file.get(table, {}).items())
    records = [record for file in files for record in file[kind]]
    return tuple(
        TupleClaim(**{**shared, **record, **{name: tuple(record.get(name, ())) for name in _LISTS}})
        for record in records
    )


def everything() -> tuple[TupleClaim, ...]:
    """Claims behind evaluation step by step: preservation, differencing, streams, suppression, relevance, rewriting."""
    return _claims("claim")


def canaries() -> tuple[TupleClaim, ...]:
    """False claims that a run of all claims must refute."""
    return _claims("canary")


def check(claim: Claim, *, examples: int, seed_number: int) -> Iterator[TestOutcome]:
    """No checks of their own: tests judge the operators and engines that rest on the claims."""
    return iter(())
