"""Claims: what the project proves, tests and reports on, one record each, and their catalogue.

There are two shapes. An `EquationClaim` relates two expressions for all interpretations (laws, conjectures, most
canaries). A `RestrictionClaim` speaks of arbitrary streams and relations between them: Theorems 4.5 and 4.6, and what
we add. What the source defines is pinned down by what follows from it: that `~=`, ≅, rem and valid are the right
relations is said by claims of our own, and by false ones, which every run must refute.
"""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import ClassVar, TypeAlias

from laws import claims
from laws.claims import TIMES, named
from laws.outcomes import TestOutcome
from laws.standings import Standing
from laws.theorems import Theorem, theorems_from_toml
from semantics.carlson_lisper.expressions import bound_parameters, identifiers
from semantics.carlson_lisper.operators import BOUND_NAME, OPERATORS, Operator
from semantics.carlson_lisper.restriction import DOMINATED, REM, SAME_INTERVALS, VALID_INSTANCE
from semantics.carlson_lisper.syntax import Equation, parse_equation
from semantics.errors import InputError
from semantics.formulas import And, End, ForAll, Formula, In, implies, renamed

NAME = "carlson_lisper"
"""The name of the system that these claims are about."""


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
    system: ClassVar[str] = NAME

    def __post_init__(self) -> None:
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


Conclusions: TypeAlias = tuple[tuple[str, Formula], ...]
"""Conclusions as named formulas."""


@dataclass(frozen=True)
class DerivedStream:
    """A stream that is an operator's value on other streams of a claim."""

    operator: str
    operands: tuple[str, ...]


@dataclass(frozen=True)
class RestrictionClaim:
    """A statement about arbitrary streams, some of which may be valid restrictions of others.

    Attributes:
        streams: the names of the arbitrary streams, in an order in which restrictions come after what they restrict.
        derived: streams that are values of operators; they use the bound τ.
        restrictions: pairs (S, S') for which rem(S, S') is assumed.
        conclusions: what follows, as named formulas.
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
    expected: Standing = Standing.PROVED
    system: ClassVar[str] = NAME
    times: ClassVar[tuple[str, ...]] = TIMES

    @property
    def variables(self) -> tuple[str, ...]:
        """Arbitrary streams of the claim."""
        return self.streams

    @property
    def parameters(self) -> tuple[str, ...]:
        """The symbolic bounds: `t` for the bound τ, where it occurs."""
        return ("t",) if any(OPERATORS[derived.operator].bounded for derived in self.derived.values()) else ()


Claim: TypeAlias = EquationClaim | RestrictionClaim


def same_intervals(left: str, right: str) -> tuple[Formula, Formula]:
    """Both halves of left ≅ right (Def. 4.3)."""
    first, second = (renamed(c, streams={"S": left, "T": right}) for c in SAME_INTERVALS.conditions)
    return first, second


def same_detections(left: str, right: str) -> tuple[Formula, Formula]:
    """Both halves of left ~= right."""
    return (renamed(DOMINATED, streams={"S": left, "T": right}), renamed(DOMINATED, streams={"S": right, "T": left}))


def _halves(left: str, right: str, halves: tuple[Formula, Formula]) -> Conclusions:
    return tuple(zip((f"{left} within {right}", f"{right} within {left}"), halves, strict=True))


def _given(premises: tuple[Formula, ...], conclusions: Conclusions) -> Conclusions:
    return tuple((name, implies(And(premises), formula)) for name, formula in conclusions)


def _rem_conclusions(stream: str, restricted: str) -> Conclusions:
    names = {"S": stream, "S'": restricted}
    return tuple(
        (f"condition {number}", renamed(condition, streams=names))
        for number, condition in enumerate(REM.conditions, start=1)
    )


def _theorem_4_5() -> RestrictionClaim:
    names = {"S": "T", "T": "T'"}
    left, right = (renamed(condition, streams=names) for condition in SAME_INTERVALS.conditions)
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


@cache
def relations() -> tuple[RestrictionClaim, ...]:
    """Claims that follow from rem, ≅, `~=` and valid, and determine them; the source does not state them."""
    subset = ForAll("t", "T", In("t", "S"))
    primed = ("S", "S'", "T", "T'")
    restricted = (("S", "S'"), ("T", "T'"))
    return (
        _own(
            "relation:restricted",
            "rem(S, S') implies S ~= S'",
            ("S", "S'"),
            (("S", "S'"),),
            _halves("S", "S'", same_detections("S", "S'")),
            "A valid restriction has the detections of the whole.",
        ),
        _own(
            "relation:subset",
            "T ⊆ S, S ~= T and rem(T, U) imply rem(S, U)",
            ("S", "T", "U"),
            (("T", "U"),),
            _given((subset, *same_detections("S", "T")), _rem_conclusions("S", "U")),
            "What does not show may be left out before restricting.",
        ),
        _own(
            "relation:detections",
            "rem(S, S'), rem(T, T') and S ~= T imply S' ~= T'",
            primed,
            restricted,
            _given(same_detections("S", "T"), _halves("S'", "T'", same_detections("S'", "T'"))),
            "Streams with the same detections have valid restrictions with the same detections.",
        ),
        _own(
            "relation:unique",
            "rem(S, S'), rem(T, T') and S' ~= T' imply S' ≅ T'",
            primed,
            restricted,
            _given(same_detections("S'", "T'"), _halves("S'", "T'", same_intervals("S'", "T'"))),
            "Valid restrictions with the same detections have the same starts and ends.",
        ),
        _own(
            "relation:intervals",
            "S ≅ T implies S ~= T",
            ("S", "T"),
            (),
            _given(same_intervals("S", "T"), _halves("S", "T", same_detections("S", "T"))),
            "Streams with the same starts and ends have the same detections.",
        ),
        _own(
            "relation:valid",
            "rem(S, S') implies valid(s, S, end(s)) for every s in S'",
            ("S", "S'"),
            (("S", "S'"),),
            (("valid", ForAll("e", "S'", renamed(VALID_INSTANCE, times={"τ": End("e")}))),),
            "Each instance of a valid restriction is a right output at its end: the converse of Lemma 5.1.",
        ),
    )


def _own(
    name: str,
    statement: str,
    streams: tuple[str, ...],
    restrictions: tuple[tuple[str, str], ...],
    conclusions: Conclusions,
    reading: str,
) -> RestrictionClaim:
    return RestrictionClaim(name, statement, streams, {}, restrictions, conclusions, "our own", reading)


def false_relations(first: int) -> tuple[RestrictionClaim, ...]:
    """Canaries about ≅, numbered from a given number on: streams with the same detections and other intervals."""
    sequence, alternative = "seq(A, B)", "dis(B, seq(A, B))"
    derived = {sequence: DerivedStream("seq", ("A", "B")), alternative: DerivedStream("dis", ("B", sequence))}
    return tuple(
        RestrictionClaim(
            id=f"canary:{number}",
            statement=statement,
            streams=("A", "B"),
            derived=derived,
            restrictions=(),
            conclusions=_halves(left, right, same_intervals(left, right)),
            source="",
            reading="A sequence starts earlier than what it ends with, although it does not show in detections.",
            expected=Standing.REFUTED,
        )
        for number, (statement, left, right) in enumerate(
            (("B | (A ; B) ≅ B", alternative, "B"), ("B ≅ B | (A ; B)", "B", alternative)), start=first
        )
    )


def laws_from_toml(text: str) -> tuple[EquationClaim, ...]:
    """Read records of equations: laws and canaries, which are numbered, and other claims, which have an id."""
    records = tomllib.loads(text)
    found: list[EquationClaim] = []
    for kind, expected in (("law", Standing.PROVED), ("claim", Standing.PROVED), ("canary", Standing.REFUTED)):
        for record in records.get(kind, []):
            name = record.get("id", f"{kind}:{record.get('number', '?')}")
            optional = {key: record[key] for key in ("source", "note", "alone") if key in record}
            primitive, times = frozenset(record.get("primitive", ())), tuple(record.get("times", TIMES))
            try:
                equation, reading = parse_equation(record["statement"]), record["reading"]
                claim = EquationClaim(name, equation, primitive, reading=reading, expected=expected, times=times)
                found.append(replace(claim, **optional))
            except KeyError as error:
                raise InputError(f"the record has no {error.args[0]!r}", place=name) from None
            except InputError as error:
                raise InputError(str(error), place=name) from None
    return tuple(found)


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
    """The claims with the given ids (`laws.claims.named`), those with proof scripts left out."""
    return named(names, (*catalogue(), *canaries()))


_ORDER = ("theorem:4.1", "law:", "theorem:4.4", "theorem:4.5", "corollary:4.4", "theorem:4.6")


def everything() -> tuple[claims.Claim, ...]:
    """All claims that are to be proved: those of the source in its order, then our own."""
    found: list[claims.Claim] = [*scripted_theorems(), *catalogue()]
    added = {claim.id for claim in own()}
    places = {claim.id: number for number, claim in enumerate(found)}

    def place(claim: claims.Claim) -> tuple[int, int]:
        chapter = next((n for n, prefix in enumerate(_ORDER) if claim.id.startswith(prefix)), len(_ORDER))
        return (len(_ORDER) + 1 if claim.id in added else chapter), places[claim.id]

    return tuple(sorted(found, key=place))


def check(claim: claims.Claim, *, examples: int, seed_number: int) -> Iterator[TestOutcome]:
    """Check a claim exhaustively up to a bound, and at random; campaigns test theorems about the detectors."""
    from laws.carlson_lisper.checks.exhaustive import check_exhaustively
    from laws.carlson_lisper.checks.random_checks import check_on_expressions, check_on_streams

    if isinstance(claim, EquationClaim | RestrictionClaim):
        yield check_exhaustively(claim)
        yield check_on_streams(claim, examples=examples, seed_number=seed_number)
    if isinstance(claim, EquationClaim):
        yield check_on_expressions(claim, examples=examples, seed_number=seed_number)


@cache
def scripted_theorems() -> tuple[Theorem, ...]:
    """Theorem 4.1, Corollary 4.4, and the lemmas and theorems of Sections 5 and 6."""
    text = resources.files("laws.carlson_lisper").joinpath("theorems.toml").read_text("utf-8")
    return theorems_from_toml(text, NAME)
