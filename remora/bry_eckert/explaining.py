"""Explanations of rules, in words and in the algebra, of plans as trees, and of what the watch over axioms remembers.

The explanation of a rule has an example in time: the earliest time stamps that all its temporal conditions allow. A
rule whose conditions contradict each other never derives anything.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from detectors.bry_eckert.watch import Way, ways
from reports.drawing.layout import Bar, Timeline
from semantics.bry_eckert.algebra.distances import Distance, Distances, distances
from semantics.bry_eckert.algebra.plans import Definition, Expression, Plan, Union, operands
from semantics.bry_eckert.algebra.translation import expression_of
from semantics.bry_eckert.notation import definition, in_words, result_of, symbol
from semantics.bry_eckert.programs import Atom, Axiom, Program, Rule
from semantics.bry_eckert.temporal import Moment, Stamp, end, start
from semantics.events import quoted


@dataclass(frozen=True)
class RuleExplained:
    """A rule, in words and in the algebra, with an example in time.

    Attributes:
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
    moments = (name for part in rule.temporal for name in part.identifiers if isinstance(name, Moment))
    names += dict.fromkeys(moments)
    return RuleExplained(rule, in_words(rule), algebra, example(distances(expression, plan), names))


def example(known: Distances, names: list[str]) -> dict[str, tuple[int, int]] | None:
    """The earliest time stamps from 0 on that obey some distances; None where they contradict each other."""
    columns = [stamp for name in names for stamp in (start(name), end(name))]
    if any(contradicts(known, i, j) for i in columns for j in columns):
        return None
    at: dict[Stamp, int] = {}
    for stamp in columns:
        least = [
            time - bound.ticks for other, time in at.items() if (bound := known[stamp, other]) is not None
        ]
        at[stamp] = max(least, default=0)
    first = min(at.values(), default=0)
    return {name: (at[start(name)] - first, at[end(name)] - first) for name in names}


def contradicts(known: Distances, one: Stamp, other: Stamp) -> bool:
    """Whether no two time stamps can be as far apart as is known."""
    there, back = known[one, other], known[other, one]
    return there is not None and back is not None and there + back < Distance(0)


@dataclass(frozen=True)
class Remembered:
    """What the watch over the axioms remembers of the events that an atom of an axiom matches.

    Attributes:
        keys: the variables for each of whose values it remembers some.
        relevant: how long, `true` for ever.
    """

    axiom: str
    events: str
    keys: tuple[str, ...]
    relevant: str
    bounded: bool

    def __str__(self) -> str:
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
