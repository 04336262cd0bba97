"""Claims about arbitrary streams and the relations between them: Theorems 4.5 and 4.6, and what we add.

What the source defines is pinned down by what follows from it. That `~=`, ≅, rem and valid are the right relations is
said by the claims here that are our own, and by the false ones, which every run must refute.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import ClassVar, TypeAlias

from laws.claims import TIMES
from laws.standings import Standing
from semantics.carlson_lisper.operators import BOUND_NAME, OPERATORS, Operator
from semantics.carlson_lisper.restriction import DOMINATED, REM, SAME_INTERVALS, VALID_INSTANCE
from semantics.formulas import And, End, ForAll, Formula, In, implies, renamed

Conclusions: TypeAlias = tuple[tuple[str, Formula], ...]
"""Conclusions as named formulas."""

OUR_OWN = "our own"
"""The source of a claim that the source does not state."""


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
    conclusions: Conclusions
    source: str
    reading: str
    note: str = ""
    condition: str = ""
    expected: Standing = field(default=Standing.PROVED)
    system: ClassVar[str] = "carlson_lisper"
    times: ClassVar[tuple[str, ...]] = TIMES

    @property
    def variables(self) -> tuple[str, ...]:
        """Arbitrary streams of the claim."""
        return self.streams

    @property
    def parameters(self) -> tuple[str, ...]:
        """The symbolic bounds: `t` for the bound τ, where it occurs."""
        return ("t",) if any(OPERATORS[derived.operator].bounded for derived in self.derived.values()) else ()


# ------------------------------------------------------------------------------------------------------ relations


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


# ----------------------------------------------------------------------------------------------- of the source


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


# -------------------------------------------------------------------------------------------------------- our own


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
    return RestrictionClaim(name, statement, streams, {}, restrictions, conclusions, OUR_OWN, reading)


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
