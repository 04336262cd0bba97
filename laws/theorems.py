"""Theorems and lemmas whose proofs take more than one query, as records."""

import tomllib
from dataclasses import dataclass
from typing import ClassVar

from laws.claims import TIMES
from laws.standings import Standing
from semantics.errors import InputError


@dataclass(frozen=True)
class Part:
    """A formula and what it follows from, in the language of a system."""

    name: str
    says: str
    given: tuple[str, ...] = ()


@dataclass(frozen=True)
class Theorem:
    """A statement that Rocq's kernel proves, or a script in `proofs/`, or both; or that consists of formulas."""

    system: str
    id: str
    statement: str
    source: str
    reading: str
    scheme: str = ""  # where solvers have obligations, what holds these together
    note: str = ""
    rests_on: tuple[str, ...] = ()  # the ids of claims that the proof uses; `theorem:4.6` stands for all its parts
    trusts: tuple[str, ...] = ()  # what the scheme rests on that is not proved here
    dense: str = ""  # why it does not carry over to dense time; "" where it does
    parts: tuple[Part, ...] = ()  # where there is no script
    condition: ClassVar[str] = ""

    @property
    def expected(self) -> Standing:
        """The standing that a right project reaches."""
        return Standing.PROVED

    @property
    def times(self) -> tuple[str, ...]:
        """The temporal domains to which it carries over."""
        return TIMES[:1] if self.dense else TIMES


def theorems_from_toml(text: str, system: str) -> tuple[Theorem, ...]:
    """Read theorem records; InputError where one lacks a field or has an unknown one."""
    found: list[Theorem] = []
    for record in tomllib.loads(text).get("theorem", []):
        for name in ("rests_on", "trusts"):
            record[name] = tuple(record.get(name, ()))
        try:
            parts = (Part(**{**part, "given": tuple(part.get("given", ()))}) for part in record.pop("parts", ()))
            record["parts"] = tuple(parts)
            theorem = Theorem(system, **record)
        except TypeError as error:
            raise InputError(str(error), place=str(record.get("id", "theorem:?"))) from None
        found.append(theorem)
    return tuple(found)
