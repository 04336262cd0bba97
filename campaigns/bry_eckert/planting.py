"""Histories and programs made to meet: events that match a rule, trails of timers, axioms that hold, times among data.

Random events alone seldom meet all conditions of a rule. Histories mostly obey the axioms, and the precisions of times
hold.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from types import MappingProxyType

from campaigns.choices import Source
from campaigns.histories import shifted
from semantics.bry_eckert import temporal, terms
from semantics.bry_eckert.denotation import breaks, violations
from semantics.bry_eckert.programs import Always, Atom, Axiom, EventType, Program, Rule, Unique
from semantics.bry_eckert.temporal import ALLEN, Apart, Related, Stamp, Temporal, Within, end, start
from semantics.bry_eckert.terms import Constant, Type, Variable
from semantics.bry_eckert.traces import distance
from semantics.events import Event, Value

VALUES: Mapping[Type, tuple[Value, ...]] = MappingProxyType(
    {"int": (0, 1, 3), "str": ("u", "v"), "float": (0.1, 1.1), "bool": (True, False)}
)
"""By type the values that attributes have."""

_MANY = 16  # So many events more are collected where these are a lot
_TRIES = 12  # So many random choices of times and values are tried for a rule
_SPAN = 9  # The events of a match begin within so many ticks
_AXIOMS = 6  # Of so many random axioms, the one is taken that a history breaks least
_MOST_AXIOMS = 2  # A program has at most so many axioms
_DURATIONS = (0, 2, 5, 8, 13)
_CLOCK_DURATIONS = (2, 5, 8, 13)
_CLOCK = "x"  # The attribute that becomes a time, of all event types that have it: variables join it
_PERIOD = 8  # A clock shows the beginning of such a period, and the value that was there: it may be behind, and ahead


class Planter:
    """Chooses matches of the rules of a program."""

    def __init__(self, source: Source, program: Program, *, points: bool, unit: int = 1, more: bool = False) -> None:
        """With `more` what is absent is there now and then, and what is collected is sometimes a lot."""
        self._source, self._program, self._points, self._unit, self._more = source, program, points, unit, more

    def planted(self, span: int) -> Iterator[Event]:
        """Events that make bodies of rules true, as far as nothing is absent, at times from 0 on."""
        for rule in self._program.rules:
            for _ in range(self._source.below(3) + self._more):
                tried = (self._match(rule, {}) for _ in range(_TRIES + 30 * self._more))
                match = next((found[0] for found in tried if found is not None), [])
                first = min([0, *(event.start for event in match)])
                yield from shifted(match, self._source.below(span + 1) * self._unit - first)

    def trail(self, atom: Atom, time: int) -> Iterator[Event]:
        """Events that an atom matches, one at each of some ticks after a time."""
        return (self._base(atom, {}, now, now) for now in range(time + 1, time + _SPAN))

    def _match(self, rule: Rule, given: Mapping[str, Value]) -> tuple[list[Event], int, int] | None:
        """The events, and when the derived event begins and ends; `given` are values of variables."""
        values: dict[str, Value] = dict(given)
        at: dict[Stamp, int] = {}
        events: list[Event] = []
        for atom in rule.atoms:
            chosen = self._event(atom, values)
            if chosen is None:
                return None
            events += chosen[0]
            at[start(atom.identifier)], at[end(atom.identifier)] = chosen[1:]
        for timer in rule.timers:
            interval = timer.interval(at[start(timer.of)], at[end(timer.of)])
            if interval is None:
                return None
            at[start(timer.into)], at[end(timer.into)] = interval
        if not all(temporal.holds(condition, at) for condition in rule.temporal):
            return None
        for window in rule.collections:
            first, last = at[start(window.window)], at[end(window.window)]
            for _ in range(1 + self._source.below(2) + _MANY * (self._more and self._source.chance(20))):
                if window.atom.type in self._program.declared and last - first > 1:
                    time = self._source.between(first + 1, last - 1)
                    events.append(self._base(window.atom, values, time, time))
        for window in rule.absences if self._more else ():
            first, last = at[start(window.window)], at[end(window.window)]
            if window.atom.type in self._program.declared and last - first > 1 and self._source.chance(25):
                events.append(self._base(window.atom, dict(values), first + 1, first + 1))
        known = (one for one in rule.comparisons if values.keys() >= {*terms.variables(one)})
        if not all(terms.holds(one, values) for one in known):
            return None
        names = rule.identifiers
        return events, min(at[start(name)] for name in names), max(at[end(name)] for name in names)

    def _event(self, atom: Atom, values: dict[str, Value]) -> tuple[list[Event], int, int] | None:
        if atom.type in self._program.declared:
            begin = self._source.below(_SPAN) * self._unit
            finish = begin if self._points or self._source.chance(60) else begin + self._source.below(7) * self._unit
            return [self._base(atom, values, begin, finish)], begin, finish
        type = self._program.signatures[atom.type]
        rule = self._source.one(self._program.rules_of(atom.type))
        wanted = self._bound(atom, values, type)
        head = zip(rule.attributes([each.name for each in type.attributes]), rule.head.terms, strict=True)
        given = {term.name: wanted[name] for name, term in head if isinstance(term, Variable) and name in wanted}
        found = self._match(rule, given)
        if found is None:
            return None
        moved = self._source.below(_SPAN) * self._unit
        return list(shifted(found[0], moved)), found[1] + moved, found[2] + moved

    def _base(self, atom: Atom, values: dict[str, Value], begin: int, finish: int) -> Event:
        type = self._program.declared[atom.type]
        fixed = self._bound(atom, values, type)
        anything = {each.name: self._source.one(VALUES[each.type]) for each in type.attributes}
        if self._more:
            anything |= {each.name: self._source.below(40) for each in type.attributes if each.type == "int"}
        return Event(atom.type, begin, finish, anything | fixed)

    def _bound(self, atom: Atom, values: dict[str, Value], type: EventType) -> dict[str, Value]:
        """The values of the attributes that an atom names; variables without a value receive one."""
        found: dict[str, Value] = {}
        for name, term in atom.arguments:
            if isinstance(term, Constant):
                found[name] = term.value
            else:
                if term.name not in values:
                    values[term.name] = self._source.one(VALUES[type.types[name]])
                found[name] = values[term.name]
        return found


def trailed(
    source: Source, program: Program, events: Sequence[Event], planter: Planter
) -> tuple[Program, tuple[Event, ...]]:
    """A program in which what a timer is relative to comes soon after a partner, and a history with many that do not.

    They come at each of some ticks after the last partner, so there are timers that are due when nothing is left that
    what is due could join.
    """
    rules, found = list[Rule](), list(events)
    for rule in program.rules:
        for timer in rule.timers[:1]:
            (atom,) = (each for each in rule.atoms if each.identifier == timer.of)
            first = rule.atoms[0]
            times = [event.time for event in events if event.type == first.type]
            if times and first != atom and atom.type in program.declared:
                near = Within((first.identifier, atom.identifier), 1 + source.below(_SPAN))
                before = Related(first.identifier, "before", atom.identifier)
                rule = replace(rule, body=(*rule.body, before, near))
                found += planter.trail(atom, max(times))
        rules.append(rule)
    return replace(program, rules=tuple(rules)), tuple(sorted(found, key=lambda event: event.time))


def believed(source: Source, program: Program, events: Iterable[Event]) -> tuple[Axiom, ...]:
    """Axioms for a program, which a history does not break more often than need be."""
    events, found = list(events), list[Axiom]()
    for _ in range(source.between(1, _MOST_AXIOMS)):
        tried = [axiom for _ in range(_AXIOMS) for axiom in _axiom(source, program)]
        if tried:
            known = {one: len(list(violations(replace(program, axioms=(one,)), events))) for one in tried}
            found.append(min(tried, key=known.__getitem__))
    return tuple(dict.fromkeys(found))


def obeying(axioms: Iterable[Axiom], events: Iterable[Event]) -> tuple[Event, ...]:
    """The events without those with which they break axioms."""
    axioms, kept = tuple(axioms), list[Event]()
    for event in events:
        if not any(breaks(axiom, event, earlier) for axiom in axioms for earlier in kept):
            kept.append(event)
    return tuple(kept)


def _axiom(source: Source, program: Program) -> Iterator[Axiom]:
    atoms = [atom for atom in source.one(program.rules).read() if atom.type in program.declared]
    if not atoms:
        return
    if source.chance(45):
        atom = source.one(atoms)
        yield Unique(atom.type, tuple(name for name, _ in atom.arguments if source.chance(80)))
        return
    pairs = [pair for pair in permutations(atoms, 2) if pair[0].type != pair[1].type]
    if pairs:
        first, second = source.one(pairs)
        conditions = tuple(_condition(source) for _ in range(1 + source.chance(25)))
        yield Always(_restricted(first, second, "k"), _restricted(second, first, "l"), conditions)


def _restricted(atom: Atom, other: Atom, identifier: str) -> Atom:
    """An atom with the constants and variables by which it is joined with another one."""
    kept = tuple(
        (name, term) for name, term in atom.arguments if isinstance(term, Constant) or term.name in other.variables
    )
    return Atom(identifier, atom.type, kept, positional=not kept)


def _condition(source: Source) -> Temporal:
    duration = source.one(_DURATIONS)
    if source.chance(35):
        return Within(("k", "l"), duration)
    if source.chance(25):
        return Apart(("k", "l"), duration)
    return Related("k", source.one(("before", "before", "after", *ALLEN)), "l")


def clocked(source: Source, program: Program, events: Iterable[Event]) -> tuple[Program, tuple[Event, ...]]:
    """A program with times in the place of numbers, whose rules have conditions about them, and a history for it."""
    shown, declared = tuple(map(_shown, events)), dict(program.declared)
    for name, type in program.declared.items():
        known = [
            replace(each, is_time=True, within=_precision(source, name, shown)) if each.name == _CLOCK else each
            for each in type.attributes
        ]
        declared[name] = replace(type, attributes=tuple(known))
    rules = tuple(_conditioned(source, rule, declared) for rule in program.rules)
    return replace(program, declared=declared, rules=rules), shown


def _shown(event: Event) -> Event:
    value = event.attributes.get(_CLOCK)
    if not isinstance(value, int):
        return event
    return event._replace(attributes={**event.attributes, _CLOCK: event.time // _PERIOD * _PERIOD + value})


def _precision(source: Source, type: str, events: Iterable[Event]) -> int | None:
    """A bound that holds for all events of a type, mostly the least one; None for none."""
    shown = ((event.attributes.get(_CLOCK), event) for event in events if event.type == type)
    far = [distance(time, event) for time, event in shown if isinstance(time, int)]
    return None if source.chance(20) else max([0, *far]) + source.chance(30)


def _conditioned(source: Source, rule: Rule, declared: Mapping[str, EventType]) -> Rule:
    read = [(name, term) for atom in rule.atoms if atom.type in declared for name, term in atom.arguments]
    names = sorted(term.name for name, term in read if name == _CLOCK and isinstance(term, Variable))
    if not names or source.chance(20):
        return rule
    name = source.one(names)
    others = [other for other in (*rule.identifiers, *names) if other != name]
    if name in rule.identifiers or not others:
        return rule
    other = source.one(others)
    condition: Temporal = Within((name, other), source.one(_CLOCK_DURATIONS))
    if source.chance(40):
        condition = Related(*((name, "before", other) if source.chance(50) else (other, "before", name)))
    return replace(rule, body=(*rule.body, condition))
