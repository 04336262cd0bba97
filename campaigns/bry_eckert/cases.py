"""Cases: a program of one to four rules and a history, both determined by a seed and a number.

Programs use few names, so that identifiers, variables and attributes are often called alike, and histories few values,
so that data joins.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import lru_cache
from math import prod
from pathlib import Path
from types import MappingProxyType
from typing import Any

from campaigns.bry_eckert.planting import VALUES, Planter, believed, clocked, obeying, trailed
from campaigns.choices import Source, kinds_in
from campaigns.histories import MANY, TABLES, HistoryCase, after_many, alike, is_many, shifted, uneven, with_values
from semantics.bry_eckert import temporal
from semantics.bry_eckert.checking import parse
from semantics.bry_eckert.programs import Attribute, EventType, Program, Unique
from semantics.bry_eckert.temporal import Stamp, Temporal, Timing, end, holds, start
from semantics.bry_eckert.terms import AGGREGATES, NUMBERS, Constant, Type
from semantics.errors import InputError
from semantics.events import Event, Value, quoted

COST = 60_000  # The definition looks at fewer assignments in the cases of the tails that have thousands of events
GENERATION = 6  # The version of the generation; it goes up when the same two numbers yield another case

BASES: tuple[EventType, ...] = (
    EventType("A", (Attribute("x", "int"),)),
    EventType("B", (Attribute("x", "int"), Attribute("s", "str"))),
    EventType("C", (Attribute("x", "int"), Attribute("y", "int"))),
    EventType("D", (Attribute("f", "float"), Attribute("b", "bool"), Attribute("x", "int"))),
    EventType("a", ()),
)
"""The event types that histories have."""

ATTRIBUTES: tuple[tuple[str, Type], ...] = (
    *(("x", "int"), ("s", "str"), ("y", "int"), ("it's", "float"), ('"', "bool"), ("a b", "int")),
)
MORE = (
    *BASES,
    *(
        EventType(name, tuple(Attribute(*each) for each in ATTRIBUTES[n % 4 :]))
        for n, name in enumerate(TABLES["names"])
    ),
)
"""The event types of larger programs."""

LATE, KEPT = 1_400, "".join(f"{type}\n" for type in BASES) + "E1(x) <- a: A(x), b: C(x = x), a before b\n"
"""So many events are kept in some cases, for this rule, before they are needed."""

IDENTIFIERS = ("a", "b", "r", "o", "w", "x", "s", "v")
VARIABLES: Mapping[Type, tuple[str, ...]] = MappingProxyType(
    {"int": ("x", "y", "o"), "str": ("s", "t"), "float": ("f",), "bool": ("b",)}
)
CONSTANTS: Mapping[Type, tuple[str, ...]] = MappingProxyType(
    {"int": ("0", "1"), "str": ('"u"', '"v"'), "float": ("0.1", "1.1", "1"), "bool": ("true", "false")}
)
NAMES = ("x", "y", "f", "s", "v", "X", "n")  # Of attributes of a head, where the head names them
COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")
RELATIONS = ("before", "before", "before", "during", "during", "contains", "after", *temporal.ALLEN)
DURATIONS = (0, 1, 2, 3, 5, 8, 13)
UNITS = (0, 1, 1, 1, 2)  # The durations where the unit is more than a tick, in units
NEAR = (-1, 0, 0, 0, 0, 1)  # Offsets of durations from multiples of the unit, in ticks
_CONDITIONS = 8  # So many random conditions are tried for one that can hold
_TRAILED = 8  # The percentage of histories with a trail of events that a timer is relative to
_CLOCKED = 12  # The percentage of programs that have times among their data
_BELIEVED = 20  # The percentage of programs that have axioms
_OBEYED = 75  # The percentage of their histories that obey them


@dataclass(frozen=True)
class Profile:
    """Profile of cases, and how often it is used."""

    weight: int
    rules: int = 2  # at most so many
    events: int = 24  # at most so many
    span: int = 30  # at most so many ticks
    points: bool = False  # whether all events are points in time, and engines are told so
    windows: int = 45  # the percentage of rules with something absent or collected
    third: int = 15  # the percentage of rules with a third event
    chained: int = 10  # the percentage of atoms that read what another rule derives, where there is one
    unit: int = 1  # all durations and times are about multiples of so many ticks
    tails: bool = False  # whether values are alike, and history is uneven, or long
    more: int = 0  # at most so many more atoms, windows and timers than usual; durations, values, names are of any size


PROFILES, TAILS, SHAPES = kinds_in(Path(__file__).with_name("profiles.toml"), Profile)

_parsed = lru_cache(maxsize=64)(parse)  # The program of one case is asked for many times, one after the other


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
        known = PROFILES.get(self.profile) or TAILS.get(self.profile)
        points = known is not None and known.points and all(event.start == event.time for event in self.events)
        return frozenset(self.program.declared if points else ())

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


def made_case(source: Source, seed: int, number: int, profile: str, known: Profile) -> Case:
    """A case like a profile, whose name it gets: a program that passes its static checks, and a history."""
    known = replace(known, unit=source.one(TABLES["scales"])) if known.more else known
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
        if known.more and is_many(number):
            numbered = [Event("A", time, time, {"x": time}) for time in range(LATE)]
            numbered += [Event("C", LATE, LATE, {"x": time, "y": 0}) for time in range(0, LATE, 99)]
            return Case(seed, number, profile, KEPT, tuple(numbered))
        if known.more:
            if _cost(program, events) < COST:
                return Case(seed, number, profile, *_alike(program, events, alike(source, VALUES, "odd")))
            continue
        if known.tails:
            return Case(seed, number, profile, *_tailed(source, number, program, events))
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


def _tailed(source: Source, number: int, program: Program, events: Sequence[Event]) -> tuple[str, tuple[Event, ...]]:
    """The program with values that are alike, and the history with these, uneven or after thousands of events."""
    text, events = _alike(program, events, alike(source, VALUES))
    program, found = parse(text), uneven(source, events)
    if is_many(number):
        names = [name for name in program.declared if _cost(program, found, name) < COST]
        name = source.one([each for each in names if each in program.read] or names or ["a"])
        like = [event for event in found if event.type == name] or [Event(name, 0, 0, {})]
        found = after_many(source, found, like, 4)
    return text, found


def _alike(program: Program, events: Iterable[Event], other: Callable[[Value], Value]) -> tuple[str, tuple[Event, ...]]:
    """The program and the history with other values."""
    rules = tuple(with_constants(rule, other) for rule in program.rules)
    return str(replace(program, rules=rules)), tuple(with_values(event, other) for event in events)


def with_constants(part: Any, changed: Callable[[Value], Value]) -> Any:
    """A part of a program, or several, with other constants."""
    if isinstance(part, Constant):
        return Constant(changed(part.value))  # type: ignore[arg-type]  # a constant is no null
    if isinstance(part, tuple):
        return tuple(with_constants(each, changed) for each in part)
    if not is_dataclass(part) or isinstance(part, type):
        return part
    return replace(part, **{each.name: with_constants(getattr(part, each.name), changed) for each in fields(part)})


def _cost(program: Program, events: Sequence[Event], many: str = "") -> int:
    """At most so many assignments the definition looks at where there are many events of a type, if it is named."""
    known, total = Counter(event.type for event in events) + Counter({many: MANY if many else 0}), 0
    for rule in program.rules:
        each = prod(known[atom.type] for atom in rule.atoms)
        total += each * prod(known[window.atom.type] + 1 for window in rule.windows)
        known[rule.head.type] += each
    return total


class _Writer:
    def __init__(self, source: Source, profile: Profile) -> None:
        self._source, self._profile = source, profile
        self._bases = MORE if profile.more else BASES
        self._types: dict[str, EventType] = {type.name: type for type in self._bases}

    def program(self) -> str:
        """Declarations and rules, some of which are the one before it with other durations, or a shorter body."""
        source = self._source
        points = self._profile.points and source.chance(50)
        lines = [str(replace(type, within=0) if points else type) for type in self._bases]
        for number in range(source.between(1, self._profile.rules)):
            if not (number and source.chance(40 if self._profile.more else 25)):
                lines.append(self._rule())
            elif source.chance(50):
                lines.append(re.sub(r"\d+(?=\)|,|$)", lambda _: str(self._duration()), lines[-1]))
            else:
                lines.append(lines[-1].rpartition(", ")[0] or lines[-1])
        return "\n".join(lines) + "\n"

    def _rule(self) -> str:
        source, unit = self._source, self._profile.unit
        free, body, atoms = [*IDENTIFIERS, *("i" * (self._profile.more > 0))], list[str](), list[str]()
        bound, collected = dict[str, Type](), dict[str, Type]()
        at: dict[Stamp, int] = {}  # intervals of which most conditions hold, so that rules are satisfiable
        third = source.chance(self._profile.third)
        short = self._profile.more and source.chance(40)
        more = [0] * 3 if short or not self._profile.more else [source.below(self._profile.more + 1) for _ in range(3)]
        for _ in range(1 if short else 1 + (source.chance(65) or third) + third + more[0]):
            atoms.append(free.pop(source.below(len(free))))
            body.append(f"{atoms[-1]}: {self._atom(bound)}")
            begin = source.below(9) * unit
            at[start(atoms[-1])] = begin
            at[end(atoms[-1])] = begin if self._profile.points or source.chance(40) else begin + source.below(9) * unit
        identifiers = list(atoms)
        for _ in range(0 if short else source.chance(45) + source.chance(20) + more[1]):
            into = free.pop(source.below(len(free)))
            timer = Timing(into, source.one(list(temporal.TIMERS)), source.one(atoms), self._duration())
            interval = timer.interval(at[start(timer.of)], at[end(timer.of)])
            if interval is not None:
                identifiers.append(into)
                at[start(into)], at[end(into)] = interval
                body.append(str(timer))
        for _ in range(0 if short else source.chance(self._profile.windows) + source.chance(10) + more[2]):
            window = identifiers[-1] if source.chance(70) else source.one(identifiers)
            if source.chance(60):
                body.append(f"while {window}: not {self._atom(dict(bound))}")
            else:
                scope = {**bound, **collected}
                body.append(f"while {window}: collect {self._atom(scope)}")
                collected |= {name: type for name, type in scope.items() if name not in bound}
        for _ in range(0 if short else source.chance(60) + source.chance(0 if self._profile.more else 30)):
            conditions = [self._temporal(identifiers) for _ in range(_CONDITIONS)]
            possible = [] if source.chance(10) else [one for one in conditions if holds(one, at)]
            body.append(str((possible or conditions)[0]))
        if source.chance(30):
            body.append(self._comparison({**bound, **collected}))
        return f"{self._head(bound, collected, any(': collect ' in part for part in body))} <- {', '.join(body)}"

    def _duration(self) -> int:
        if self._profile.unit == 1:
            return self._source.one(DURATIONS)
        return max(0, self._source.one(UNITS) * self._profile.unit + self._source.one(NEAR))

    def _atom(self, bound: dict[str, Type]) -> str:
        source = self._source
        derived = list(self._types)[len(self._bases) :]
        chained = derived and source.chance(self._profile.chained if bound or not self._profile.more else 70)
        type = self._types[source.one(derived if chained else list(self._types))]
        terms = []
        positional = source.chance(40)
        for attribute in type.attributes:
            if not positional and source.chance(45):
                continue
            if source.chance(15):
                term = source.one(CONSTANTS[attribute.type])
            else:
                term = source.one(VARIABLES[attribute.type])
                bound[term] = attribute.type
            terms.append(term if positional else f"{quoted(attribute.name)} = {term}")
        return f"{quoted(type.name)}({', '.join(terms)})"

    def _temporal(self, identifiers: Sequence[str]) -> Temporal:
        source = self._source
        if len(identifiers) > 1 and source.chance(60):
            left = source.one(identifiers)
            right = source.one([name for name in identifiers if name != left])
            return temporal.Related(left, source.one(RELATIONS), right)
        group = tuple(name for name in identifiers if source.chance(80)) or (identifiers[0],)
        kind = temporal.Within if source.chance(80) or not 2 <= len(group) <= 5 else temporal.Apart
        return kind(group, self._duration())

    def _comparison(self, bound: Mapping[str, Type]) -> str:
        source = self._source
        names = sorted(bound)
        if not names:
            return "1 < 2"
        name = source.one(names)
        type = bound[name]
        others = [other for other in names if bound[other] == type and other != name]
        right = source.one(others if others and source.chance(60) else CONSTANTS[type])
        if type in NUMBERS and source.chance(30):
            right = self._computed(right)
        return f"{name} {source.one(COMPARISONS[:2] if type == 'bool' else COMPARISONS)} {right}"

    def _computed(self, number: str) -> str:
        """Arithmetic with a number; the constants are no sums of powers of two, whose arithmetic would be exact."""
        constants = CONSTANTS["float" if self._source.chance(50) else "int"]
        return f"{number} {self._source.one('+-*/')} {self._source.one(constants)}"

    def _head(self, bound: Mapping[str, Type], collected: Mapping[str, Type], collects: bool) -> str:
        """A head with some variables and aggregates; it may name its attributes, and compute them."""
        source, scope = self._source, {**bound, **collected}
        kept = sorted(bound if collects and source.chance(60) else scope)
        found = {name: Attribute(name, scope[name]) for name in kept if source.chance(65)}
        if collects and source.chance(85):
            for _ in range(1 + source.chance(20)):
                numbers = [name for name, type in scope.items() if type in NUMBERS]
                function = source.one(list(AGGREGATES))
                among = numbers if AGGREGATES[function].numbers else sorted(scope)
                if among:
                    variable = source.one(among)
                    attribute = Attribute(f"{function}_{variable}", AGGREGATES[function].type or scope[variable])
                    found.setdefault(f"{function}({variable})", attribute)
        name, written = f"E{'.' * bool(self._profile.more)}{len(self._types) - len(self._bases) + 1}", list(found)
        if source.chance(30) and len(found) <= len(NAMES):
            free, written = list(TABLES["names"] if self._profile.more else NAMES), []
            for term, attribute in found.items():
                called, value, type = free.pop(source.below(len(free))), term, attribute.type
                if term == attribute.name and type in NUMBERS and source.chance(70):
                    value, type = self._computed(term), "float"
                found[term] = Attribute(called, type)
                written.append(f"{quoted(called)} = {value}")
        self._types[name] = EventType(name, tuple(found.values()))
        return f"{quoted(name)}({', '.join(written)})"


def history(
    source: Source, program: Program, profile: Profile, values_of: Mapping[Type, Sequence[Value]] = VALUES
) -> tuple[Event, ...]:
    """A random history, mostly of what the program reads and matches its rules, with bursts at one time and gaps."""
    bases = MORE if profile.more else BASES
    read = [program.declared[name] for name in program.read] or list(bases)
    time, unit, found = 0, profile.unit, list[Event]()
    step = max(1, profile.span // max(1, profile.events))
    planter = Planter(source, program, points=profile.points, unit=unit, more=profile.more > 0, values=values_of)
    chosen = list(planter.planted(profile.span)) if profile.more or source.chance(75) else []
    if profile.more:
        chosen += [one for event in chosen if source.chance(40) for one in shifted([event], source.below(12) * unit)]
    for _ in range(source.between(2, max(2, profile.events - len(chosen)))):
        if source.chance(75):
            time += source.between(1, 2 * step) * unit
        if source.chance(3):
            time += 40 * unit
        if found and source.chance(3):
            begin = time if profile.points else min(time, found[-1].start)
            found.append(found[-1]._replace(time=time, start=begin))
        type = source.one(read if source.chance(92) else bases)
        start = time if profile.points or source.chance(60) else max(0, time - source.below(7) * unit)
        values = {each.name: source.one(values_of[each.type]) for each in type.attributes if not source.chance(4)}
        found.append(Event(type.name, start, time, values))
    return tuple(sorted(found + chosen, key=lambda event: event.time))
