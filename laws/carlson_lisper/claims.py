"""Claims: what the project proves, tests and reports on, one record each, and their catalogue.

An `EquationClaim` relates two expressions for all interpretations (laws, conjectures, most canaries), a
`RestrictionClaim` arbitrary streams: Theorems 4.5 and 4.6, and what we add. That `~=`, ≅, rem and valid are the right
relations is said by claims of our own, and by false ones, which must be refuted.
"""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
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
from semantics.events import unquoted
from semantics.formulas import And, End, ForAll, Formula, In, implies, renamed

NAME = "carlson_lisper"  # The name of the system that these claims are about


@dataclass(frozen=True)
class EquationClaim:
    """Two expressions and the relation claimed between their meanings, for every interpretation."""

    id: str
    equation: Equation
    # the identifiers that stand for primitive event types; all others stand for any expression
    primitive: frozenset[str] = frozenset()
    source: str = ""
    reading: str = ""
    note: str = ""
    expected: Standing = Standing.PROVED
    alone: bool = False  # whether each way to a proof is asked about it on its own, as it is false and none may say yes
    times: tuple[str, ...] = TIMES
    never: bool = (
        False  # whether it says that both sides never occur, so that neither needs an instance to say something
    )
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


@dataclass(frozen=True)
class DerivedStream:
    """A stream that is an operator's value on other streams of a claim."""

    operator: str
    operands: tuple[str, ...]


@dataclass(frozen=True)
class RestrictionClaim:
    """A statement about arbitrary streams, some of which may be valid restrictions of others."""

    id: str
    statement: str
    # the names of the arbitrary streams, in an order in which restrictions come after what they restrict
    streams: tuple[str, ...]
    restrictions: tuple[tuple[str, str], ...]  # pairs (S, S') for which rem(S, S') is assumed
    conclusions: Conclusions  # what follows, as named formulas
    reading: str
    source: str = "our own"
    # streams that are values of operators; they use the bound τ
    derived: Mapping[str, DerivedStream] = field(default_factory=dict)
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


def _halves(left: str, right: str, halves: Callable[[str, str], tuple[Formula, Formula]]) -> Conclusions:
    return tuple(zip((f"{left} within {right}", f"{right} within {left}"), halves(left, right), strict=True))


def _given(premises: tuple[Formula, ...], conclusions: Conclusions) -> Conclusions:
    return tuple((name, implies(And(premises), formula)) for name, formula in conclusions)


def _rem_conclusions(stream: str, restricted: str) -> Conclusions:
    found = (renamed(condition, streams={"S": stream, "S'": restricted}) for condition in REM.conditions)
    return tuple((f"condition {number}", formula) for number, formula in enumerate(found, start=1))


def _theorem_4_6(operator: Operator) -> RestrictionClaim:
    plain = ("S", "T")[: operator.arity]
    primed = tuple(f"{name}'" for name in plain)
    bound = (BOUND_NAME,) if operator.bounded else ()
    inner = f"{operator.name}({', '.join(primed + bound)})"
    outer = f"{operator.name}({', '.join(plain + bound)})"
    pairs = tuple(zip(plain, primed, strict=True))
    return RestrictionClaim(
        f"theorem:4.6.{operator.name}",
        f"{' and '.join(f'rem({s}, {r})' for s, r in pairs)} and rem({inner}, U) imply rem({outer}, U)",
        (*(name for pair in pairs for name in pair), "U"),
        (*pairs, (inner, "U")),
        _rem_conclusions(outer, "U"),
        f"Restricting the operands of a {operator.title} first is as valid as restricting only its result.",
        "Theorem 4.6",
        {inner: DerivedStream(operator.name, primed), outer: DerivedStream(operator.name, plain)},
    )


@cache
def theorems() -> tuple[RestrictionClaim, ...]:
    """Theorem 4.5, and Theorem 4.6 for each operator."""
    unique = RestrictionClaim(
        "theorem:4.5",
        "rem(S, T) and rem(S, T') imply T ≅ T'",
        ("S", "T", "T'"),
        (("S", "T"), ("S", "T'")),
        _halves("T", "T'", same_intervals),
        "All valid restrictions of a stream have the same starts and ends.",
        "Theorem 4.5",
    )
    return (unique, *(_theorem_4_6(operator) for operator in OPERATORS.values()))


@cache
def relations() -> tuple[RestrictionClaim, ...]:
    """Claims that follow from rem, ≅, `~=` and valid, and determine them; the source does not state them."""
    primed, restricted = ("S", "S'", "T", "T'"), (("S", "S'"), ("T", "T'"))
    return (
        RestrictionClaim(
            "relation:restricted",
            "rem(S, S') implies S ~= S'",
            ("S", "S'"),
            (("S", "S'"),),
            _halves("S", "S'", same_detections),
            "A valid restriction has the detections of the whole.",
        ),
        RestrictionClaim(
            "relation:subset",
            "T ⊆ S, S ~= T and rem(T, U) imply rem(S, U)",
            ("S", "T", "U"),
            (("T", "U"),),
            _given((ForAll("t", "T", In("t", "S")), *same_detections("S", "T")), _rem_conclusions("S", "U")),
            "What does not show may be left out before restricting.",
        ),
        RestrictionClaim(
            "relation:detections",
            "rem(S, S'), rem(T, T') and S ~= T imply S' ~= T'",
            primed,
            restricted,
            _given(same_detections("S", "T"), _halves("S'", "T'", same_detections)),
            "Streams with the same detections have valid restrictions with the same detections.",
        ),
        RestrictionClaim(
            "relation:unique",
            "rem(S, S'), rem(T, T') and S' ~= T' imply S' ≅ T'",
            primed,
            restricted,
            _given(same_detections("S'", "T'"), _halves("S'", "T'", same_intervals)),
            "Valid restrictions with the same detections have the same starts and ends.",
        ),
        RestrictionClaim(
            "relation:intervals",
            "S ≅ T implies S ~= T",
            ("S", "T"),
            (),
            _given(same_intervals("S", "T"), _halves("S", "T", same_detections)),
            "Streams with the same starts and ends have the same detections.",
        ),
        RestrictionClaim(
            "relation:valid",
            "rem(S, S') implies valid(s, S, end(s)) for every s in S'",
            ("S", "S'"),
            (("S", "S'"),),
            (("valid", ForAll("e", "S'", renamed(VALID_INSTANCE, times={"τ": End("e")}))),),
            "Each instance of a valid restriction is a right output at its end: the converse of Lemma 5.1.",
        ),
    )


def false_relations(first: int) -> tuple[RestrictionClaim, ...]:
    """Canaries about ≅, numbered from a given number on: streams with the same detections and other intervals."""
    sequence, alternative = "seq(A, B)", "dis(B, seq(A, B))"
    derived = {sequence: DerivedStream("seq", ("A", "B")), alternative: DerivedStream("dis", ("B", sequence))}
    reading = "A sequence starts earlier than what it ends with, although it does not show in detections."
    sides = {"B | (A ; B) ≅ B": (alternative, "B"), "B ≅ B | (A ; B)": ("B", alternative)}
    claims = (
        RestrictionClaim(name, statement, ("A", "B"), (), _halves(*pair, same_intervals), reading, "", derived)
        for name, (statement, pair) in zip((f"canary:{first}", f"canary:{first + 1}"), sides.items(), strict=True)
    )
    return tuple(replace(claim, expected=Standing.REFUTED) for claim in claims)


def laws_from_toml(text: str) -> tuple[EquationClaim, ...]:
    """Read records of equations: laws and canaries, which are numbered, and other claims, which have an id."""
    records = tomllib.loads(text)
    found: list[EquationClaim] = []
    for kind, expected in (("law", Standing.PROVED), ("claim", Standing.PROVED), ("canary", Standing.REFUTED)):
        for record in records.get(kind, []):
            name = record.get("id", f"{kind}:{record.get('number', '?')}")
            optional = {key: record[key] for key in ("source", "note", "alone", "never") if key in record}
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


def _text(file: str) -> str:
    return resources.files("laws.carlson_lisper").joinpath(file).read_text("utf-8")


@cache
def laws() -> tuple[EquationClaim, ...]:
    """The 36 laws of the source (Theorems 4.2-4.4 and their corollaries)."""
    return laws_from_toml(_text("laws.toml"))


@cache
def law(number: int) -> EquationClaim:
    """A law of the source by its number."""
    return next(claim for claim in laws() if claim.id == f"law:{number}")


@cache
def own() -> tuple[Claim, ...]:
    """Claims that the source does not state: they say what follows from its relations, and so pin these down."""
    return (*laws_from_toml(_text("own.toml")), *relations())


@cache
def discovered() -> tuple[EquationClaim, ...]:
    """Equations that were found by going through all of a size, and are proved like those of the source."""
    return tuple(replace(claim, source="discovered") for claim in laws_from_toml(_text("discovered.toml")))


LISTS: Mapping[str, Callable[[], Iterable[EquationClaim]]] = {
    "source": laws,
    "own": lambda: (claim for claim in own() if isinstance(claim, EquationClaim)),
    "discovered": discovered,
    "shortest": lambda: named(tomllib.loads(_text("shortest.toml"))["laws"], listed("all")),
    "all": lambda: (*laws(), *listed("own"), *discovered()),
}
"""Lists of equations by name; the shortest one refutes all that all do, among wrong semantics of few changes."""


def listed(name: str) -> tuple[EquationClaim, ...]:
    """The equations of a list, without those that say nothing."""
    return tuple(claim for claim in LISTS[name]() if not claim.is_vacuous)


@cache
def canaries() -> tuple[Claim, ...]:
    """False claims that a run of all claims must refute."""
    equations = laws_from_toml(_text("canaries.toml"))
    searched = [claim for claim in equations if not claim.alone]
    return (*searched, *false_relations(22), *(claim for claim in equations if claim.alone))


def catalogue() -> tuple[Claim, ...]:
    """Every claim that is to be proved, those of the source in its order and then our own."""
    return (*laws(), *theorems(), *own())


def find(names: Iterable[str]) -> tuple[Claim, ...]:
    """The claims with the given ids (`laws.claims.named`), those with proof scripts left out."""
    return named(names, (*catalogue(), *discovered(), *canaries()))


_ORDER = ("theorem:4.1", "law:", "theorem:4.4", "theorem:4.5", "corollary:4.4", "theorem:4.6")


def everything() -> tuple[claims.Claim, ...]:
    """All claims that are to be proved: those of the source in its order, our own, and equations that were found."""

    def chapter(claim: claims.Claim) -> int:
        return next((n for n, prefix in enumerate(_ORDER) if claim.id.startswith(prefix)), len(_ORDER))

    of_source: list[claims.Claim] = [*scripted_theorems(), *laws(), *theorems()]
    return (*sorted(of_source, key=chapter), *own(), *discovered())


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
    """Theorem 4.1, Corollary 4.4, the lemmas and theorems of Sections 5 and 6, and those of our own."""
    return tuple(each for file in ("theorems.toml", "own.toml") for each in theorems_from_toml(_text(file), NAME))


_ID = re.compile(r"[0-9]+|[A-Za-z]+:[\w.'/ -]*")
_NAMES = re.compile(r"""\"(?:[^\"\\]|\\.)+\"|'(?:[^'\\]|\\.)+'|[^,\s][^,]*""")


def chosen_claims(names: Iterable[str], primitive: str = "") -> tuple[claims.Claim, ...]:
    """The claims that arguments name: ids, equations, or everything if there are none."""
    listed = {unquoted(name) if name[0] in "\"'" else name.strip() for name in _NAMES.findall(primitive)}
    names = tuple(names)
    chosen: list[claims.Claim] = [] if names else list(claims.every_claim())
    used: set[str] = set()
    for name in names:
        if not isinstance(name, str) or not name.strip():
            remedy = "Write an id such as 14, or an equation such as 'A | B == B | A', in quotes; none is all."
            raise InputError(f"{name!r} names no claim", remedy=remedy)
        if _ID.fullmatch(name.strip()):
            chosen += claims.find([name.strip()])
            continue
        number = sum(claim.id.startswith("conjecture:") for claim in chosen) + 1
        claim = EquationClaim("", parse_equation(name))
        chosen.append(replace(claim, id=f"conjecture:{number}", primitive=frozenset(listed & set(claim.variables))))
        used |= set(claim.variables)
    if listed - used:
        raise InputError(
            f"--primitive names {', '.join(sorted(listed - used))}, which no conjecture mentions",
            remedy="It lists identifiers of the equations given on the command line.",
        )
    return tuple(chosen)
