"""Claims: what the project proves, tests and reports on, one record each.

There are two shapes. An `EquationClaim` relates two expressions for all interpretations (laws, conjectures, most
canaries). A `RestrictionClaim` speaks of arbitrary streams and relations between them
(`laws.carlson_lisper.restriction_claims`). Solvers, tests, campaigns and reports all read these records.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import ClassVar, TypeAlias

from laws.carlson_lisper.restriction_claims import DerivedStream as DerivedStream
from laws.carlson_lisper.restriction_claims import RestrictionClaim as RestrictionClaim
from laws.carlson_lisper.restriction_claims import false_relations, relations
from laws.carlson_lisper.restriction_claims import theorems as theorems
from laws.claims import TIMES, named
from laws.standings import Standing
from semantics.carlson_lisper.expressions import bound_parameters, identifiers
from semantics.carlson_lisper.syntax import Equation, parse_equation
from semantics.errors import InputError


@dataclass(frozen=True)
class EquationClaim:
    """Two expressions and the relation claimed between their meanings, for every interpretation.

    Attributes:
        primitive: the identifiers that stand for primitive event types; all others stand for any expression.
        reading: what it means, in words.
        note: what is to be known about the printed form.
        expected: the standing that a right project reaches: proved, or refuted for canaries.
        alone: whether each way to a proof is asked about it on its own, as it is false and none may say yes.
        times: the temporal domains over which it is claimed.
    """

    id: str
    equation: Equation
    primitive: frozenset[str] = frozenset()
    source: str = ""
    reading: str = ""
    note: str = ""
    expected: Standing = Standing.PROVED
    alone: bool = False
    times: tuple[str, ...] = TIMES
    system: ClassVar[str] = "carlson_lisper"

    def __post_init__(self) -> None:
        """Refuse a side condition about what does not occur."""
        absent = self.primitive - set(self.variables)
        if absent:
            raise InputError(f"{', '.join(sorted(absent))} does not occur in {self.statement}", place=self.id)

    @property
    def statement(self) -> str:
        """The equation as text."""
        return str(self.equation)

    @property
    def condition(self) -> str:
        """The side condition in words."""
        return ", ".join(f"{name} is a primitive event type" for name in sorted(self.primitive))

    @property
    def variables(self) -> tuple[str, ...]:
        """The identifiers of both sides, sorted."""
        return tuple(sorted(identifiers(self.equation.left) | identifiers(self.equation.right)))

    @property
    def parameters(self) -> tuple[str, ...]:
        """The symbolic bounds of both sides, sorted."""
        return tuple(sorted(bound_parameters(self.equation.left) | bound_parameters(self.equation.right)))

    @property
    def is_vacuous(self) -> bool:
        """Whether both sides are the same text, so that the claim says nothing."""
        return self.equation.left == self.equation.right


Claim: TypeAlias = EquationClaim | RestrictionClaim

# ---------------------------------------------------------------------------------------------------- catalogue


def laws_from_toml(text: str) -> tuple[EquationClaim, ...]:
    """Read records of equations: laws and canaries, which are numbered, and other claims, which have an id.

    Raises:
        InputError: a record is not well-formed; names the record.
    """
    records = tomllib.loads(text)
    claims = []
    for kind, expected in (("law", Standing.PROVED), ("claim", Standing.PROVED), ("canary", Standing.REFUTED)):
        for record in records.get(kind, []):
            name = record.get("id", f"{kind}:{record.get('number', '?')}")
            try:
                claims.append(
                    EquationClaim(
                        id=name,
                        equation=parse_equation(record["statement"]),
                        primitive=frozenset(record.get("primitive", ())),
                        source=record.get("source", ""),
                        reading=record["reading"],
                        note=record.get("note", ""),
                        expected=expected,
                        alone=record.get("alone", False),
                        times=tuple(record.get("times", TIMES)),
                    )
                )
            except KeyError as error:
                raise InputError(f"the record has no {error.args[0]!r}", place=name) from None
            except InputError as error:
                raise InputError(str(error), place=name) from None
    return tuple(claims)


def _read(file: str) -> tuple[EquationClaim, ...]:
    return laws_from_toml(resources.files("laws.carlson_lisper").joinpath(file).read_text("utf-8"))


@cache
def laws() -> tuple[EquationClaim, ...]:
    """The 36 laws of the source (Theorems 4.2-4.4 and their corollaries)."""
    return _read("laws.toml")


@cache
def law(number: int) -> EquationClaim:
    """A law of the source by its number."""
    return next(claim for claim in laws() if claim.id == f"law:{number}")


@cache
def own() -> tuple[Claim, ...]:
    """Claims that the source does not state: they say what follows from its relations, and so pin these down."""
    return (*_read("own.toml"), *relations())


@cache
def canaries() -> tuple[Claim, ...]:
    """False claims that every run must refute."""
    equations = _read("canaries.toml")
    searched = [claim for claim in equations if not claim.alone]
    asked_alone = [claim for claim in equations if claim.alone]
    return (*searched, *false_relations(first=len(searched) + 1), *asked_alone)


def catalogue() -> tuple[Claim, ...]:
    """Every claim that is to be proved, those of the source in its order and then our own."""
    return (*laws(), *theorems(), *own())


def find(names: Iterable[str]) -> tuple[Claim, ...]:
    """The claims with the given ids (`laws.claims.named`), those with proof scripts left out.

    Raises:
        InputError: there is no such claim.
    """
    return named(names, (*catalogue(), *canaries()))
