"""Cases: a program of one to four rules and a history, both determined by a seed and a number.

Programs have all constructs of the language, some of them axioms, and use few names, so that identifiers, variables and
attributes are often called alike. Histories have ties, intervals, bursts and gaps, and few values, so that data joins.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from campaigns.bry_eckert.planting import VALUES, Planter, believed, clocked, obeying, planted, trailed
from campaigns.choices import Source, Weights
from campaigns.histories import HistoryCase
from semantics.bry_eckert.checking import parse
from semantics.bry_eckert.programs import Attribute, EventType, Program, Unique
from semantics.bry_eckert.temporal import (
    ALLEN,
    TIMERS,
    Apart,
    Related,
    Stamp,
    Temporal,
    Timing,
    Within,
    end,
    holds,
    start,
)
from semantics.bry_eckert.terms import AGGREGATES, NUMBERS, Type
from semantics.errors import InputError
from semantics.events import Event

GENERATION = 6
"""The version of the generation; it goes up when the same two numbers yield another case."""

BASES: tuple[EventType, ...] = (
    EventType("A", (Attribute("x", "int"),)),
    EventType("B", (Attribute("x", "int"), Attribute("s", "str"))),
    EventType("C", (Attribute("x", "int"), Attribute("y", "int"))),
    EventType("D", (Attribute("f", "float"), Attribute("b", "bool"), Attribute("x", "int"))),
    EventType("a", ()),
)
"""The event types that histories have."""

IDENTIFIERS = ("a", "b", "r", "o", "w", "x", "s", "v")
VARIABLES: Mapping[Type, tuple[str, ...]] = MappingProxyType(
    {"int": ("x", "y", "o"), "str": ("s", "t"), "float": ("f",), "bool": ("b",)}
)
CONSTANTS: Mapping[Type, tuple[str, ...]] = MappingProxyType(
    {"int": ("0", "1"), "str": ('"u"', '"v"'), "float": ("0.1", "1.1", "1"), "bool": ("true", "false")}
)
NAMES = ("x", "y", "f", "s", "v", "X", "n")
"""The names of attributes of a head, where the head names them."""

DURATIONS = (0, 1, 2, 3, 5, 8, 13)
UNITS = (0, 1, 1, 1, 2)
"""The durations where the unit is more than a tick, in units."""

NEAR = (-1, 0, 0, 0, 0, 1)
"""Offsets of durations from multiples of the unit, in ticks."""

_CONDITIONS = 8
"""So many random conditions are tried for one that can hold."""

_TRAILED = 8
"""The percentage of histories with a trail of events that a timer is relative to."""

_CLOCKED = 12
"""The percentage of programs that have times among their data."""

_BELIEVED = 20
"""The percentage of programs that have axioms."""

_OBEYED = 75
"""The percentage of their histories that obey them."""

COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")


@dataclass(frozen=True)
class Profile:
    """Profile of cases, and how often it is used.

    Attributes:
        rules: at most so many rules.
        events: at most so many events.
        span: at most so many ticks.
        points: whether all events are points in time, and engines are told so.
        windows: the percentage of rules with something absent or collected.
        third: the percentage of rules with a third event.
        chained: the percentage of atoms that read what another rule derives, where there is one.
        unit: all durations and times are about multiples of so many ticks.
    """

    weight: int
    rules: int = 2
    events: int = 24
    span: int = 30
    points: bool = False
    windows: int = 45
    third: int = 15
    chained: int = 10
    unit: int = 1


PROFILES: Mapping[str, Profile] = MappingProxyType(
    {
        "plain": Profile(6),
        "points": Profile(5, points=True),
        "chained": Profile(4, rules=4, events=18, chained=50),
        "chained-points": Profile(4, rules=3, events=18, points=True, chained=60),
        "joins": Profile(4, rules=1, points=True, windows=10, third=80),
        "windows": Profile(4, rules=2, windows=90, points=True),
        "dense": Profile(3, events=30, span=8),
        "sparse": Profile(2, events=12, span=200),
    }
)

_parsed = lru_cache(maxsize=64)(parse)
"""The judges, the reductions and the engines ask for the program of one case many times, one after the other."""


@dataclass(frozen=True)
class Case(HistoryCase):
    """A program and a history."""

    system: str = field(default="bry_eckert", compare=False)

    @property
    def program(self) -> Program:
        """The program, checked."""
        return _parsed(self.text)

    @property
    def points(self) -> frozenset[str]:
        """The event types of which an engine is told that they have points alone."""
        told = PROFILES[self.profile].points if self.profile in PROFILES else False
        types = {declared.name for declared in self.program.declared.values()}
        return frozenset(types if told and all(event.start == event.time for event in self.events) else ())

    @property
    def constructs(self) -> frozenset[str]:
        """The constructs of its program."""
        program, found = self.program, set[str]()
        for rule in program.rules:
            found |= {timing.kind for timing in rule.timers}
            found |= {condition.__class__.__name__.lower() for condition in rule.temporal}
            there = {
                "join": len(rule.atoms) > 1,
                "not": rule.absences,
                "collect": rule.collections,
                "comparison": rule.comparisons,
                "chain": any(atom.type in program.derived for atom in rule.read()),
            }
            found |= {name for name, has in there.items() if has}
        found |= {"union"} if len(program.derived) < len(program.rules) else set()
        found |= {"time" for type in program.declared.values() if type.times}
        return frozenset(found | {"unique" if isinstance(axiom, Unique) else "always" for axiom in program.axioms})


# ----------------------------------------------------------------------------------------------------- generation


def generate(seed: int, number: int, weights: Weights[str]) -> Case:
    """The case with a number: a program that passes its static checks, and a history."""
    source = Source(f"bry_eckert:{seed}:{number}")
    profile = source.weighted(weights)
    return made_case(source, seed, number, profile, PROFILES[profile])


def made_case(source: Source, seed: int, number: int, profile: str, known: Profile) -> Case:
    """A case like a profile, whose name it gets."""
    while True:
        text = _Writer(source, known).program()
        try:
            program = parse(text)
        except InputError:  # such as a variable whose types differ; the next one is as good
            continue
        events = history(source, program, known)
        more = Source(f"bry_eckert:{seed}:{number}:trails")
        if more.chance(_TRAILED):
            program, events = trailed(more, program, events, Planter(more, program, points=known.points))
            text = str(program)
        more = Source(f"bry_eckert:{seed}:{number}:clocks")
        if more.chance(_CLOCKED):
            timed, shown = clocked(more, program, events)
            with suppress(InputError):  # such as a time that is a name twice
                text, program, events = str(timed), parse(str(timed)), shown
        more = Source(f"bry_eckert:{seed}:{number}:axioms")
        if more.chance(_BELIEVED):
            axioms = believed(more, program, events)
            text += "".join(f"{axiom}\n" for axiom in axioms)
            events = obeying(axioms, events) if more.chance(_OBEYED) else events
        return Case(seed, number, profile, text, events)


class _Writer:
    """Writes a random program."""

    def __init__(self, source: Source, profile: Profile) -> None:
        self._source, self._profile = source, profile
        self._types: dict[str, EventType] = {type.name: type for type in BASES}

    def program(self) -> str:
        points = self._profile.points and self._source.chance(50)
        lines = [str(replace(type, within=0) if points else type) for type in BASES]
        for number in range(self._source.between(1, self._profile.rules)):
            lines.append(self._altered(lines[-1]) if number and self._source.chance(25) else self._rule())
        return "\n".join(lines) + "\n"

    def _altered(self, rule: str) -> str:
        """A rule for the same event type: with other durations, or without the end of its body."""
        if self._source.chance(50):
            return re.sub(r"\d+(?=\)|,|$)", lambda _: str(self._duration()), rule)
        return rule.rpartition(", ")[0] or rule

    def _one(self, among: Sequence[str]) -> str:
        return among[self._source.below(len(among))]

    def _rule(self) -> str:
        source = self._source
        free = list(IDENTIFIERS)
        body: list[str] = []
        atoms: list[str] = []
        bound: dict[str, Type] = {}
        third = source.chance(self._profile.third)
        at: dict[Stamp, int] = {}  # intervals of which most conditions hold, so that rules are satisfiable
        for _ in range(1 + (source.chance(65) or third) + third):
            atoms.append(free.pop(source.below(len(free))))
            body.append(f"{atoms[-1]}: {self._atom(bound)}")
            unit = self._profile.unit
            begin = source.below(9) * unit
            at[start(atoms[-1])] = begin
            at[end(atoms[-1])] = begin if self._profile.points or source.chance(40) else begin + source.below(9) * unit
        identifiers = list(atoms)
        for _ in range(source.chance(45) + source.chance(20)):
            identifiers.append(free.pop(source.below(len(free))))
            timer = Timing(identifiers[-1], self._one(list(TIMERS)), self._one(atoms), self._duration())
            interval = timer.interval(at[start(timer.of)], at[end(timer.of)])
            if interval is None:
                identifiers.pop()
                continue
            at[start(timer.into)], at[end(timer.into)] = interval
            body.append(str(timer))
        collected: dict[str, Type] = {}
        for _ in range(source.chance(self._profile.windows) + source.chance(10)):
            window = identifiers[-1] if source.chance(70) else self._one(identifiers)
            if source.chance(60):
                body.append(f"while {window}: not {self._atom(dict(bound))}")
            else:
                scope = {**bound, **collected}
                body.append(f"while {window}: collect {self._atom(scope)}")
                collected |= {name: type for name, type in scope.items() if name not in bound}
        for _ in range(source.chance(60) + source.chance(30)):
            body.append(self._temporal(identifiers, at))
        if source.chance(30):
            body.append(self._comparison({**bound, **collected}))
        collects = any(": collect " in part for part in body)
        head = self._head(bound, collected, collects)
        return f"{head} <- {', '.join(body)}"

    def _duration(self) -> int:
        if self._profile.unit == 1:
            return DURATIONS[self._source.below(len(DURATIONS))]
        units = UNITS[self._source.below(len(UNITS))]
        return max(0, units * self._profile.unit + NEAR[self._source.below(len(NEAR))])

    def _atom(self, bound: dict[str, Type]) -> str:
        source = self._source
        derived = list(self._types)[len(BASES) :]
        chained = derived and source.chance(self._profile.chained)
        type = self._types[self._one(derived if chained else list(self._types))]
        terms = []
        positional = source.chance(40)
        for attribute in type.attributes:
            if not positional and source.chance(45):
                continue
            if source.chance(15):
                term = self._one(CONSTANTS[attribute.type])
            else:
                term = self._one(VARIABLES[attribute.type])
                bound[term] = attribute.type
            terms.append(term if positional else f"{attribute.name} = {term}")
        return f"{type.name}({', '.join(terms)})"

    def _temporal(self, identifiers: Sequence[str], at: Mapping[Any, int]) -> str:
        """A condition that holds of some intervals; sometimes any condition."""
        conditions = [self._any_temporal(identifiers) for _ in range(_CONDITIONS)]
        if self._source.chance(10):
            return str(conditions[0])
        return str(next((one for one in conditions if holds(one, at)), conditions[0]))

    def _any_temporal(self, identifiers: Sequence[str]) -> Temporal:
        source = self._source
        if len(identifiers) > 1 and source.chance(60):
            left = self._one(identifiers)
            right = self._one([name for name in identifiers if name != left])
            weighted = ("before", "before", "before", "during", "during", "contains", "after", *ALLEN)
            return Related(left, self._one(weighted), right)
        group = tuple(name for name in identifiers if source.chance(80)) or (identifiers[0],)
        if source.chance(80) or len(group) < 2:
            return Within(group, self._duration())
        return Apart(group, self._duration())

    def _comparison(self, bound: Mapping[str, Type]) -> str:
        source = self._source
        names = sorted(bound)
        if not names:
            return "1 < 2"
        name = self._one(names)
        type = bound[name]
        others = [other for other in names if bound[other] == type and other != name]
        right = self._one(others) if others and source.chance(60) else self._one(CONSTANTS[type])
        if type in NUMBERS and source.chance(30):
            right = self._computed(right)
        sign = self._one(COMPARISONS[:2] if type == "bool" else COMPARISONS)
        return f"{name} {sign} {right}"

    def _computed(self, number: str) -> str:
        """Arithmetic with a number; the constants are no sums of powers of two, whose arithmetic would be exact."""
        constants = CONSTANTS["float" if self._source.chance(50) else "int"]
        return f"{number} {self._one('+-*/')} {self._one(constants)}"

    def _head(self, bound: Mapping[str, Type], collected: Mapping[str, Type], collects: bool) -> str:
        source = self._source
        kept = sorted({**bound, **({} if collects and source.chance(60) else collected)})
        kept = [name for name in kept if source.chance(65)]
        scope = {**bound, **collected}
        terms = list(kept)
        attributes = [Attribute(name, scope[name]) for name in kept]
        if collects and source.chance(85):
            for _ in range(1 + source.chance(20)):
                numbers = [name for name, type in scope.items() if type in NUMBERS]
                function = self._one(list(AGGREGATES))
                among = numbers if AGGREGATES[function].numbers else sorted(scope)
                if among:
                    variable = self._one(among)
                    term = f"{function}({variable})"
                    type = AGGREGATES[function].type or scope[variable]
                    if term not in terms:
                        terms.append(term)
                        attributes.append(Attribute(f"{function}_{variable}", type))
        name = f"E{len(self._types) - len(BASES) + 1}"
        if source.chance(30) and len(terms) <= len(NAMES):
            return self._named_head(name, terms, attributes)
        self._types[name] = EventType(name, tuple(attributes))
        return f"{name}({', '.join(terms)})"

    def _named_head(self, name: str, terms: Sequence[str], attributes: Sequence[Attribute]) -> str:
        """A head that names its attributes, and may compute them."""
        free, named = list(NAMES), list[Attribute]()
        written = []
        for term, attribute in zip(terms, attributes, strict=True):
            called, type = free.pop(self._source.below(len(free))), attribute.type
            if term == attribute.name and type in NUMBERS and self._source.chance(70):
                term, type = self._computed(term), "float"
            named.append(Attribute(called, type))
            written.append(f"{called} = {term}")
        self._types[name] = EventType(name, tuple(named))
        return f"{name}({', '.join(written)})"


def history(source: Source, program: Program, profile: Profile) -> tuple[Event, ...]:
    """A random history: mostly of the types that the program reads, with bursts at one time and gaps.

    Among them are mostly some that match its rules.
    """
    read = [program.declared[name] for name in program.read] or list(BASES)
    time = 0
    found: list[Event] = []
    step = max(1, profile.span // max(1, profile.events))
    unit = profile.unit
    planter = Planter(source, program, points=profile.points, unit=unit)
    chosen = list(planted(planter, program, source, profile.span)) if source.chance(75) else []
    for _ in range(source.between(2, max(2, profile.events - len(chosen)))):
        if source.chance(75):
            time += source.between(1, 2 * step) * unit
        if source.chance(3):
            time += 40 * unit
        if found and source.chance(3):
            begin = time if profile.points else min(time, found[-1].start)
            found.append(found[-1]._replace(time=time, start=begin))
        type = read[source.below(len(read))] if source.chance(92) else BASES[source.below(len(BASES))]
        start = time if profile.points or source.chance(60) else max(0, time - source.below(7) * unit)
        values = {
            attribute.name: VALUES[attribute.type][source.below(len(VALUES[attribute.type]))]
            for attribute in type.attributes
            if not source.chance(4)
        }
        found.append(Event(type.name, start, time, values))
    return tuple(sorted(found + chosen, key=lambda event: event.time))
