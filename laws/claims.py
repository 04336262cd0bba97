"""Claims: what the project proves, tests and reports on, one record each.

There are two shapes. An `EquationClaim` relates two expressions for all interpretations (the laws, conjectures,
canaries). A `RestrictionClaim` speaks of arbitrary streams and valid restrictions of them (Theorems 4.5 and 4.6).
Solvers, tests, campaigns and reports all read these records.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import TypeAlias

from laws.standings import Standing
from semantics.errors import InputError
from semantics.expressions import bound_parameters, identifiers
from semantics.formulas import Formula, rename_streams
from semantics.operators import BOUND_NAME, OPERATORS, Operator
from semantics.restriction import REM, SAME_INTERVALS
from semantics.syntax import Equation, parse_equation


@dataclass(frozen=True)
class EquationClaim:
    """Two expressions and the relation claimed between their meanings, for every interpretation.

    Attributes:
        id: such as `law:14`.
        equation: the two sides and the relation.
        primitive: the identifiers that stand for primitive event types; all others stand for any expression.
        source: where the source states it.
        reading: what it means, in words.
        note: what is to be known about the printed form.
        expected: the standing that a right project reaches: proved, or refuted for canaries.
    """

    id: str
    equation: Equation
    primitive: frozenset[str] = frozenset()
    source: str = ""
    reading: str = ""
    note: str = ""
    expected: Standing = Standing.PROVED

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


@dataclass(frozen=True)
class DerivedStream:
    """A stream that is an operator's value on other streams of a claim."""

    operator: str
    operands: tuple[str, ...]


@dataclass(frozen=True)
class RestrictionClaim:
    """A statement about arbitrary streams, some of which are valid restrictions of others.

    Attributes:
        id: such as `theorem:4.6.seq`.
        statement: the claim as text.
        streams: the names of the arbitrary streams, in an order in which restrictions come after what they restrict.
        derived: streams that are values of operators; they use the bound τ.
        restrictions: pairs (S, S') for which rem(S, S') is assumed.
        conclusions: what follows, as named formulas.
        source: where the source states it.
        reading: what it means, in words.
    """

    id: str
    statement: str
    streams: tuple[str, ...]
    derived: Mapping[str, DerivedStream]
    restrictions: tuple[tuple[str, str], ...]
    conclusions: tuple[tuple[str, Formula], ...]
    source: str
    reading: str
    note: str = ""
    condition: str = ""
    expected: Standing = field(default=Standing.PROVED)

    @property
    def uses_bound(self) -> bool:
        """Whether the bound τ occurs."""
        return any(OPERATORS[derived.operator].bounded for derived in self.derived.values())


Claim: TypeAlias = EquationClaim | RestrictionClaim

# ---------------------------------------------------------------------------------------------------- catalogue


def laws_from_toml(text: str) -> tuple[EquationClaim, ...]:
    """Read law and canary records.

    Raises:
        InputError: a record is not well-formed; names the record.
    """
    records = tomllib.loads(text)
    claims = []
    for kind, expected in (("law", Standing.PROVED), ("canary", Standing.REFUTED)):
        for record in records.get(kind, []):
            name = f"{kind}:{record.get('number', '?')}"
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
                    )
                )
            except KeyError as error:
                raise InputError(f"the record has no {error.args[0]!r}", place=name) from None
            except InputError as error:
                raise InputError(str(error), place=name) from None
    return tuple(claims)


@cache
def laws() -> tuple[EquationClaim, ...]:
    """The 36 laws of the source (Theorems 4.2-4.4 and their corollaries)."""
    return laws_from_toml(resources.files("laws").joinpath("laws.toml").read_text("utf-8"))


@cache
def canaries() -> tuple[EquationClaim, ...]:
    """False equations that every run must refute."""
    return laws_from_toml(resources.files("laws").joinpath("canaries.toml").read_text("utf-8"))


def _rem_conclusions(stream: str, restricted: str) -> tuple[tuple[str, Formula], ...]:
    renamed = {"S": stream, "S'": restricted}
    return tuple(
        (f"condition {number}", rename_streams(condition, renamed))
        for number, condition in enumerate(REM.conditions, start=1)
    )


def _theorem_4_5() -> RestrictionClaim:
    names = {"S": "T", "T": "T'"}
    left, right = (rename_streams(condition, names) for condition in SAME_INTERVALS.conditions)
    return RestrictionClaim(
        id="theorem:4.5",
        statement="rem(S, T) and rem(S, T') imply T ≅ T'",
        streams=("S", "T", "T'"),
        derived={},
        restrictions=(("S", "T"), ("S", "T'")),
        conclusions=(("T within T'", left), ("T' within T", right)),
        source="Theorem 4.5",
        reading="All valid restrictions of a stream have the same starts and ends.",
    )


def _theorem_4_6(operator: Operator) -> RestrictionClaim:
    plain = ("S", "T")[: operator.arity]
    primed = tuple(f"{name}'" for name in plain)
    bound = (BOUND_NAME,) if operator.bounded else ()
    inner = f"{operator.name}({', '.join(primed + bound)})"
    outer = f"{operator.name}({', '.join(plain + bound)})"
    given = " and ".join(f"rem({s}, {r})" for s, r in zip(plain, primed, strict=True))
    return RestrictionClaim(
        id=f"theorem:4.6.{operator.name}",
        statement=f"{given} and rem({inner}, U) imply rem({outer}, U)",
        streams=(*(name for pair in zip(plain, primed, strict=True) for name in pair), "U"),
        derived={inner: DerivedStream(operator.name, primed), outer: DerivedStream(operator.name, plain)},
        restrictions=(*zip(plain, primed, strict=True), (inner, "U")),
        conclusions=_rem_conclusions(outer, "U"),
        source="Theorem 4.6",
        reading=f"Restricting the operands of a {operator.title} first is as valid as restricting only its result.",
    )


@cache
def theorems() -> tuple[RestrictionClaim, ...]:
    """Theorem 4.5, and Theorem 4.6 for each operator."""
    return (_theorem_4_5(), *(_theorem_4_6(operator) for operator in OPERATORS.values()))


def catalogue() -> tuple[Claim, ...]:
    """Every claim that is to be proved, in the order of the source."""
    return (*laws(), *theorems())


def find(names: Iterable[str]) -> tuple[Claim, ...]:
    """The claims with the given ids; a bare number is a law, `theorem:4.6` is all its parts.

    Raises:
        InputError: there is no such claim.
    """
    known: tuple[Claim, ...] = (*catalogue(), *canaries())
    found: list[Claim] = []
    for name in names:
        wanted = f"law:{name}" if name.isdecimal() else name
        matching = [claim for claim in known if claim.id == wanted or claim.id.startswith(wanted + ".")]
        if not matching:
            raise InputError(
                f"there is no claim {name!r}",
                remedy="`remora laws list` names them all; a conjecture of your own needs ==, <= or ~=.",
            )
        found += [claim for claim in matching if claim not in found]
    return tuple(found)
