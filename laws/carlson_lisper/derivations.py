"""Derivations: the chains by which the source proves its laws and Lemma 6.1, as printed and as they are meant."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import chain, combinations, pairwise
from typing import Any

from laws.carlson_lisper.claims import EquationClaim, laws
from laws.carlson_lisper.statements.algebra import Condition, finite_condition, finite_equation
from laws.carlson_lisper.statements.formula_syntax import SetTerm, parse_bound, parse_set
from semantics.carlson_lisper.syntax import Equation, parse_equation, parse_schema
from semantics.errors import InputError


@dataclass(frozen=True)
class Citation:
    """What a step is said to follow from.

    Attributes:
        laws: the numbers of laws.
        assumptions: whether the assumptions of the induction are used.
    """

    laws: tuple[int, ...] = ()
    assumptions: bool = False

    def __str__(self) -> str:
        """Such as `laws 24, 25 and the assumptions`."""
        parts = [", ".join(map(str, self.laws))] if self.laws else []
        words = [f"law{'s' if len(self.laws) > 1 else ''} {part}" for part in parts]
        return " and ".join(words + ["the assumptions"] * self.assumptions) or "no law"


@dataclass(frozen=True)
class Link:
    """An equation between two lines of a chain and what it follows from."""

    equation: Equation
    citation: Citation


@dataclass(frozen=True)
class Step:
    """A step of a chain.

    Attributes:
        id: the chain's id with the number of the step, from 1.
        printed: the text in the source; empty for a step that the source does not print.
        meant: the step that makes the chain right.
        as_printed: the step as it stands in the source, None if it is not printed.
    """

    id: str
    printed: str
    meant: Link
    as_printed: Link | None


@dataclass(frozen=True)
class Derivation:
    """A chain of equivalences.

    Attributes:
        id: such as `law:19` or `lemma:6.1/negation/meaning`.
        assumptions: what is assumed of the fixed expressions.
        printed_assumptions: the same as printed.
        conditions: what is assumed of the bounds.
        primitive: the fixed expressions that are primitive event types.
        infinite: the bounds that may be ∞.
        always_infinite: the bounds that are ∞.
    """

    id: str
    place: str
    conclusion: Equation
    steps: tuple[Step, ...]
    assumptions: tuple[Equation, ...]
    printed_assumptions: tuple[Equation, ...]
    conditions: tuple[Condition, ...]
    primitive: frozenset[str]
    infinite: tuple[str, ...]
    always_infinite: frozenset[str]

    def cases(self) -> Iterator[BoundsCase]:
        """The choices of which bounds are ∞, those that the conditions allow."""
        subsets = chain.from_iterable(
            combinations(self.infinite, size) for size in range(len(self.infinite) + 1)
        )
        for chosen in subsets:
            infinite = self.always_infinite | frozenset(chosen)
            reduced = [finite_condition(condition, infinite) for condition in self.conditions]
            if False not in reduced:
                finite = tuple(condition for condition in reduced if isinstance(condition, Condition))
                yield BoundsCase(infinite, finite)


@dataclass(frozen=True)
class BoundsCase:
    """Which bounds are ∞, and what is then left of the conditions on the others."""

    infinite: frozenset[str]
    conditions: tuple[Condition, ...]

    def equation(self, equation: Equation) -> Equation:
        """An equation in this case."""
        return finite_equation(equation, self.infinite)


@dataclass(frozen=True)
class Computation:
    """A proof by definition: sets of instances, each said to be equal to the one before.

    Attributes:
        number: the law under whose number it is printed.
        law: the law that it proves, None for an auxiliary set.
        part: what it is, where a law has more than one.
        lines: the sets, as text.
        printed_first: the first line as printed, where it differs.
        primitive: the identifiers that are event types.
    """

    number: int
    law: EquationClaim | None
    part: str
    lines: tuple[str, ...]
    printed_first: str
    primitive: frozenset[str]

    @property
    def id(self) -> str:
        """Such as `law:14`, after the number under which it is printed."""
        return f"law:{self.number}" + (f"/{self.part}" if self.part else "")

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Each line with the next one."""
        yield from pairwise(self.lines)

    def proves(self, law: EquationClaim, lines: Sequence[str] | None = None) -> bool:
        """Whether the first and the last line are the two sides of a law."""
        chosen = self.lines if lines is None else lines
        ends = [parse_set(chosen[0]), parse_set(chosen[-1])]
        sides: list[SetTerm] = [parse_set(f"⟦{side}⟧") for side in (law.equation.left, law.equation.right)]
        return ends in (sides, sides[::-1])

    @property
    def as_printed(self) -> tuple[str, ...]:
        """The lines as the source prints them."""
        return (self.printed_first or self.lines[0], *self.lines[1:])


@cache
def law(number: int) -> EquationClaim:
    """A law by its number."""
    return next(claim for claim in laws() if claim.id == f"law:{number}")


def derivations_from_toml(text: str) -> tuple[Derivation, ...]:
    """Read chains.

    Raises:
        InputError: a record is not well-formed; names the record.
    """
    found = []
    for record in tomllib.loads(text).get("derivation", ()):
        try:
            found.append(_derivation(record))
        except (InputError, KeyError) as error:
            raise InputError(str(error), place=str(record.get("id", "?"))) from None
    return tuple(found)


def _derivation(record: Mapping[str, Any]) -> Derivation:
    steps = []
    line, printed_line = record["first"], record.get("printed_first", record["first"])
    for number, step in enumerate(record["step"], start=1):
        reached, citation = step["line"], _citation(step["by"])
        printed_reached = step.get("printed_line", reached)
        as_printed = None
        if not step.get("missing", False):
            cited = _citation(step["printed_by"]) if "printed_by" in step else citation
            as_printed = Link(_equation(printed_line, printed_reached), cited)
        steps.append(
            Step(
                f"{record['id']}#{number}",
                step["printed"],
                Link(_equation(line, reached), citation),
                as_printed,
            )
        )
        line, printed_line = reached, printed_reached
    assumptions = tuple(map(parse_equation, record.get("assume", ())))
    conclusion = record.get("conclusion")
    return Derivation(
        id=record["id"],
        place=record["place"],
        conclusion=(
            parse_equation(conclusion) if conclusion else law(int(record["id"].partition(":")[2])).equation
        ),
        steps=tuple(steps),
        assumptions=assumptions,
        printed_assumptions=tuple(map(parse_equation, record.get("printed_assume", ()))) or assumptions,
        conditions=tuple(map(_condition, record.get("where", ()))),
        primitive=frozenset(record.get("primitive", ())),
        infinite=tuple(record.get("infinite", ())),
        always_infinite=frozenset(record.get("always_infinite", ())),
    )


def _equation(left: str, right: str) -> Equation:
    return Equation(parse_schema(left), parse_schema(right))


def _citation(by: Sequence[int | str]) -> Citation:
    unknown = [word for word in by if isinstance(word, str) and word not in ("a", "∞")]
    if unknown:
        raise InputError(f"a step does not go by {unknown[0]!r}")
    return Citation(tuple(word for word in by if isinstance(word, int)), "a" in by)


def _condition(text: str) -> Condition:
    for relation in ("<=", "<", "="):
        left, found, right = text.partition(f" {relation} ")
        if found:
            return Condition(relation, parse_bound(left), parse_bound(right))
    raise InputError(f"not a condition on bounds: {text}")


def computations_from_toml(text: str) -> tuple[Computation, ...]:
    """Read proofs by definition."""
    return tuple(
        Computation(
            number=record["number"],
            law=None if record.get("part") else law(record.get("law", record["number"])),
            part=record.get("part", ""),
            lines=tuple(record["lines"]),
            printed_first=record.get("printed_first", ""),
            primitive=frozenset(record.get("primitive", ())),
        )
        for record in tomllib.loads(text).get("computation", ())
    )


def _text() -> str:
    return resources.files("laws.carlson_lisper").joinpath("derivations.toml").read_text("utf-8")


@cache
def derivations() -> tuple[Derivation, ...]:
    """The chains of Corollaries 4.1-4.3, Lemma 6.1 and Theorem 6.1, in the order of the source."""
    return derivations_from_toml(_text())


@cache
def computations() -> tuple[Computation, ...]:
    """The proofs by definition of Theorems 4.2-4.4, in the order of the source."""
    return computations_from_toml(_text())
