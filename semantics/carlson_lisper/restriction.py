"""The restriction policy and the relations around it, as formulas (Def. 3.12, 4.2, 4.3, 5.2).

Like the operators, each relation is a formula over named streams; `rem`, `valid` and `same_intervals` below evaluate
it on finite streams, the proofs translate the same formula.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from semantics import formulas
from semantics.carlson_lisper.denotation import compiled
from semantics.carlson_lisper.occurrences import Instance, Stream, Time
from semantics.formulas import And, Compare, End, Exists, ForAll, Formula, In, Not, Parameter, Same, Start, implies


@dataclass(frozen=True)
class Relation:
    """A relation between streams: its conditions all have to hold."""

    name: str
    streams: tuple[str, ...]
    conditions: tuple[Formula, ...]
    source: str


REM = Relation(
    "rem",
    ("S", "S'"),
    (
        ForAll("s", "S'", In("s", "S")),
        ForAll("s", "S", Exists("s'", "S'", And((Start("s") <= Start("s'"), Compare("=", End("s"), End("s'")))))),
        ForAll("s", "S'", ForAll("s'", "S'", implies(Compare("=", End("s"), End("s'")), Same("s", "s'")))),
    ),
    "Def. 3.12",
)
"""rem(S, S'): S' is a valid restriction of S. The three conditions are those of the definition, in its order."""


def _covered(variable: str, left: str, right: str) -> Formula:
    other = variable + "'"
    same = And((Compare("=", Start(variable), Start(other)), Compare("=", End(variable), End(other))))
    return ForAll(variable, left, Exists(other, right, same))


SAME_INTERVALS = Relation("same intervals", ("S", "T"), (_covered("s", "S", "T"), _covered("t", "T", "S")), "Def. 4.3")
"""S ≅ T: the two streams have the same pairs of start and end."""

DOMINATED: Formula = ForAll(
    "s", "S", Exists("t", "T", And((Start("s") <= Start("t"), Compare("=", End("s"), End("t")))))
)
"""Every instance of S has one of T with the same end and no earlier start.

In both directions this says that S and T have the same detections: where both have valid restrictions, those have the
same starts and ends (Def. 4.3, Thm 4.5).
"""

HALVES: Mapping[str, Formula] = {"[=]": SAME_INTERVALS.conditions[0], "~=": DOMINATED}
"""One half of a relation that does not compare instances themselves: S within T; the other half is T within S."""

PRIMITIVE = Relation(
    "primitive",
    ("P", "Q"),
    (
        ForAll("p", "P", Compare("=", Start("p"), End("p"))),
        ForAll("p", "P", ForAll("q", "P", implies(Compare("=", Start("p"), Start("q")), Same("p", "q")))),
        ForAll("p", "P", ForAll("q", "Q", Not(Same("p", "q")))),
    ),
    "Def. 3.3, 3.4",
)
"""Relation of the streams P and Q of two primitive event types.

An instance starts where it ends, those of one type have different times, and those of different types differ.
"""


def primitive_conditions(names: Sequence[str], primitive: Relation = PRIMITIVE) -> list[Formula]:
    """Conditions on the streams of primitive event types (Def. 3.3, 3.4); those that speak of P alone hold of each."""
    first, second = primitive.streams
    conditions: list[Formula] = []
    for position, name in enumerate(names):
        for condition in primitive.conditions:
            others = names[position + 1 :] if second in formulas.quantified_streams(condition) else [name]
            conditions += [formulas.renamed(condition, streams={first: name, second: other}) for other in others]
    return conditions


VALID_INSTANCE: Formula = And(
    (
        In("e", "S"),
        Compare("=", End("e"), Parameter("τ")),
        Not(Exists("s", "S", And((Start("e") < Start("s"), Compare("=", End("s"), Parameter("τ")))))),
    )
)
"""valid(e, S, τ) for an instance e: it ends at τ and no instance of S that ends at τ starts later (Def. 5.2)."""

VALID_ABSENCE: Formula = Not(Exists("s", "S", Compare("=", End("s"), Parameter("τ"))))
"""valid(⟨⟩, S, τ) for the non-occurrence: no instance of S ends at τ (Def. 5.2)."""


def _holds(relation: Relation, streams: Mapping[str, Stream]) -> bool:
    return all(compiled(condition)(dict(streams)) for condition in relation.conditions)


def rem(stream: Stream, restricted: Stream) -> bool:
    """Whether `restricted` is a valid restriction of `stream` (Def. 3.12)."""
    return _holds(REM, {"S": stream, "S'": restricted})


def same_intervals(left: Stream, right: Stream) -> bool:
    """Whether two streams have the same pairs of start and end (Def. 4.3)."""
    return _holds(SAME_INTERVALS, {"S": left, "T": right})


def dominated(left: Stream, right: Stream) -> bool:
    """Whether every instance of the left stream has one of the right with the same end and no earlier start."""
    return compiled(DOMINATED)({"S": left, "T": right})


def within(relation: str, left: Stream, right: Stream) -> bool:
    """Whether one half of a relation of an equation holds: inclusion, or that of `HALVES`."""
    return compiled(HALVES[relation])({"S": left, "T": right}) if relation in HALVES else left <= right


def valid(instance: Instance | None, stream: Stream, time: Time) -> bool:
    """Whether an instance, or the non-occurrence `None`, is a right output at a time in ticks (Def. 5.2)."""
    if instance is None:
        return compiled(VALID_ABSENCE)({"S": stream, "τ": time})
    return compiled(VALID_INSTANCE)({"e": instance, "S": stream, "τ": time})


def restriction(stream: Iterable[Instance]) -> Stream:
    """One valid restriction: for each end the instance with the greatest start, the first by `sort_key` of several."""
    best: dict[Time, Instance] = {}
    for instance in stream:
        kept = best.setdefault(instance.end, instance)
        if kept.start < instance.start or (kept.start == instance.start and instance.sort_key() < kept.sort_key()):
            best[instance.end] = instance
    return frozenset(best.values())
