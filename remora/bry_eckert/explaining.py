"""Explanations of programs: each rule in words and in the algebra, the plan, what is stored.

The explanation of a rule has an example in time: the earliest time stamps that all its temporal conditions allow. A
rule whose conditions contradict each other never derives anything.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

from detectors.bry_eckert.bodies import Body, Input, body_of
from detectors.bry_eckert.differencing import as_joined
from detectors.bry_eckert.joins import Joins
from detectors.bry_eckert.watch import Way, ways
from remora.bry_eckert.node_joins import joins_of
from reports.layout import Bar, Timeline
from semantics.bry_eckert.distances import Distance, Distances, distances
from semantics.bry_eckert.notation import definition, in_words, result_of, symbol
from semantics.bry_eckert.plans import (
    Base,
    Definition,
    Expression,
    Plan,
    Union,
    identifiers_of,
    operands,
    stamps,
)
from semantics.bry_eckert.programs import Atom, Axiom, Program, Rule
from semantics.bry_eckert.temporal import end, identifier_of, start
from semantics.bry_eckert.translation import expression_of
from semantics.events import quoted


@dataclass(frozen=True)
class Stored:
    """What an input of a materialization point is kept for.

    Attributes:
        relation: its event type or materialization point.
        identifier: the event identifier; "" where it has several.
        kept: whether its tuples are stored.
        keys: the columns by which they are looked up, for each index.
        why: why it is stored or not, in a few words.
        relevant: the condition under which a tuple is kept, `true` for ever; "" where it is not stored.
        maximal: the condition with the comparisons that others imply.
        decision: whether the condition is safe and tight, as a solver decides it for this plan.
        advice: a condition that would give a bound, in words; "" where there is one.
        printed: the condition as 2008 prints the algorithm, with its decision; "" where it was not asked for.
        joining: the condition with a join, and its decision; "" where a join drops nothing more (2008, Section 6.3).
    """

    relation: str
    identifier: str
    kept: bool
    keys: tuple[tuple[str, ...], ...]
    why: str
    relevant: str = ""
    maximal: str = ""
    decision: str = ""
    advice: str = ""
    printed: str = ""
    joining: str = ""


@dataclass(frozen=True)
class RuleExplained:
    """A rule, in words and in the algebra, with an example in time.

    Attributes:
        rule: the rule.
        words: a sentence.
        algebra: its expression as the papers write it.
        example: by identifier an interval, so that all temporal conditions hold; None where they contradict each other.
    """

    rule: Rule
    words: str
    algebra: str
    example: dict[str, tuple[int, int]] | None

    def timeline(self) -> Timeline:
        """The example as a drawing."""
        bars = (Bar(*interval, "both", False, name=name) for name, interval in (self.example or {}).items())
        return Timeline("", (), ("", ""), (), tuple(bars), compares=False)


def explained(rule: Rule, program: Program, plan: Plan) -> RuleExplained:
    """The explanation of a rule."""
    expression = expression_of(rule, program)
    algebra = definition(Definition(quoted(rule.head.type), expression, rule.head.type))
    names = [*rule.identifiers, *(window.atom.identifier for window in rule.collections)]
    return RuleExplained(rule, in_words(rule), algebra, example(distances(expression, plan), names))


def example(known: Distances, names: list[str]) -> dict[str, tuple[int, int]] | None:
    """The earliest time stamps from 0 on that obey some distances; None where they contradict each other."""
    columns = [stamp for name in names for stamp in (start(name), end(name))]
    if any(contradicts(known, i, j) for i in columns for j in columns):
        return None
    at: dict[str, int] = {}
    for stamp in columns:
        least = [
            time - bound.ticks for other, time in at.items() if (bound := known[stamp, other]) is not None
        ]
        at[stamp] = max(least, default=0)
    first = min(at.values(), default=0)
    return {name: (at[start(name)] - first, at[end(name)] - first) for name in names}


def contradicts(known: Distances, one: str, other: str) -> bool:
    """Whether no two time stamps can be as far apart as is known."""
    there, back = known[one, other], known[other, one]
    return there is not None and back is not None and there + back < Distance(0)


def distance_rows(part: Definition, plan: Plan) -> list[tuple[str, ...]]:
    """The temporal distances of a rule as a matrix (2008, Figure 4): a heading, then a row for each time stamp.

    The cell of i and j bounds `j - i` for all joined tuples, in ticks: `< 5`, or 5 where it may be equal; empty without
    a bound.
    """
    if isinstance(part.expression, Union):
        return []
    body = body_of(part.expression, plan)
    names = [name for given in body.inputs for name in identifiers_of(given.schema)]
    columns = stamps([*names, *(timing.into for timing in body.timers)])

    def cell(i: str, j: str) -> str:
        found = body.distances[i, j]
        return "" if found is None else str(found.bound) if found.included else f"< {found.bound}"

    shown = [column.replace("#", "′") for column in columns]
    return [
        ("", *shown),
        *((name, *(cell(i, j) for j in columns)) for i, name in zip(columns, shown, strict=True)),
    ]


def stored(part: Definition, program: Program, plan: Plan, *, as_printed: bool = False) -> Iterator[Stored]:
    """What the engine of finite differencing stores for a materialization point, and for how long.

    Args:
        part: the materialization point.
        program: the rules.
        plan: the plan.
        as_printed: whether the conditions of the printed algorithm are decided as well.
    """
    from smt.bry_eckert.relevance import decided  # with a solver, which loads slowly

    if isinstance(part.expression, Union):
        return
    body = body_of(part.expression, plan)
    joins = Joins(body)
    for number, given in enumerate(joins.relations):
        keys = tuple(joins.keys.get(number, ()))
        if number >= len(body.inputs):
            why = "looked up in the window in which it must be absent"
        elif given in body.late:
            why = "looked up when the timer is due: it always ends before"
        elif not keys:
            why = (
                "not stored: it is always the last to end"
                if len(body.inputs) > 1
                else "not stored: nothing joins it"
            )
        elif given in body.triggers:
            why = "joined when it arrives, and looked up by what arrives later"
        else:
            why = "looked up by what arrives later: it is never the last to end"
        if body.timers and given in body.core:
            why += "; its joined tuples wait for the timer"
        found = Stored(*_named(given), bool(keys), keys, why)
        if keys:
            most, least = body.relevance(number, plan)
            asked = least.bounded or least.until
            decision = str(decided(program, plan, body, number, least)) if asked else "no bound"
            advice = "" if least.bounded else _advice(body, number, given, plan)
            found = replace(found, relevant=str(least), maximal=str(most), decision=decision, advice=advice)
            joined = as_joined(body, number, plan, frozenset())
            if joined.companion is not None:
                verdict = decided(program, plan, body, number, joined, tightness=False)
                found = replace(found, joining=f"{joined}: {verdict}")
            if as_printed:
                condition = body.printed_relevance(number, plan)[1]
                verdict = decided(program, plan, body, number, condition, plan.points)
                found = replace(found, printed=f"{condition}: {verdict if condition.bounded else 'no bound'}")
        yield found


def _advice(body: Body, number: int, given: Input, plan: Plan) -> str:
    """A condition that would bound how long a relation is stored: how far apart two events may be."""
    known = (
        body.distances if number < len(body.inputs) else body.absences[number - len(body.inputs)].distances
    )
    own = identifiers_of(given.schema)
    far = [
        identifier_of(stamp)
        for stamp in body.lookups(number)
        if all(known[end(name), stamp] is None for name in own)
    ]
    names = [name for name in (*own[:1], *far[:1]) if "#" not in name]
    if len(names) == 2:
        return f"{{{', '.join(names)}}} within a duration would give one"
    unknown = [
        one.relation
        for one in body.inputs
        if isinstance(one, Base) and one.relation not in plan.by_name and one.relation not in plan.longest
    ]
    if unknown:
        return f"that {' and '.join(dict.fromkeys(unknown))} take at most a duration, if declared, would give one"
    return "a condition on how long the window may last would give one"


@dataclass(frozen=True)
class Remembered:
    """What the watch over the axioms remembers of the events that an atom of an axiom matches.

    Attributes:
        axiom: the axiom.
        events: the atom.
        keys: the variables for each of whose values it remembers some.
        relevant: how long, `true` for ever.
        bounded: whether the memory has a bound.
    """

    axiom: str
    events: str
    keys: tuple[str, ...]
    relevant: str
    bounded: bool

    def __str__(self) -> str:
        """In words."""
        by = f" for each ({', '.join(self.keys)})" if self.keys else ""
        kept = f"while {self.relevant}" if self.relevant != "true" else "for ever"
        return f"{self.events}{by}, {kept}{'' if self.bounded else ': a store without bound'}"


def remembered(program: Program) -> Iterator[Remembered]:
    """What the watch over the axioms remembers."""
    found: dict[tuple[Axiom, Atom], list[Way]] = {}
    for way in ways(program):
        found.setdefault((way.axiom, way.atom), []).append(way)
    for (axiom, atom), ones in found.items():
        ends = all(way.bounded for way in ones)
        relevant = " or ".join(dict.fromkeys(str(way.relevance) for way in ones)) if ends else "true"
        few = not ones[0].shared and all(way.few for way in ones)
        events = str(atom) if atom.identifier else atom.query
        yield Remembered(str(axiom), events, ones[0].shared, relevant, ends or few)


def _named(given: Input) -> tuple[str, str]:
    if isinstance(given, Base):
        return given.relation, given.identifier.partition("#")[0]
    return given.name, ""


def plan_data(program: Program, plan: Plan, *, as_printed: bool = False) -> list[dict[str, Any]]:
    """The materialization points of a plan with their stores and temporal distances, as plain data."""
    joins = joins_of(program, plan)
    return [
        {
            "name": part.name,
            "algebra": definition(part),
            "stores": [
                {**asdict(given), "keys": [list(key) for key in given.keys]}
                for given in stored(part, program, plan, as_printed=as_printed)
            ],
            "joins": list(map(asdict, joins.get(part.name, ()))),
            "distances": [list(row) for row in distance_rows(part, plan)],
        }
        for part in plan.definitions
    ]


def tree(part: Definition) -> Iterator[str]:
    """The lines of a materialization point's expression as a tree, from the top down."""
    if not isinstance(part.expression, Union):
        yield from _tree(part.expression, result_of(part))


def _tree(expression: Expression, result: str, first: str = "", rest: str = "") -> Iterator[str]:
    yield first + symbol(expression, result)
    parts = operands(expression)
    for number, part in enumerate(parts, 1):
        last = number == len(parts)
        yield from _tree(part, result, rest + ("└─ " if last else "├─ "), rest + ("   " if last else "│  "))
