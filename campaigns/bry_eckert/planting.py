"""Events that match a rule, chosen for it: random events alone seldom meet all conditions of a rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from campaigns.choices import Source
from semantics.bry_eckert import temporal, terms
from semantics.bry_eckert.programs import Atom, EventType, Program, Rule
from semantics.bry_eckert.temporal import Related, Stamp, Within, end, start
from semantics.bry_eckert.terms import Constant, Type, Variable
from semantics.events import Event, Value

Values = Mapping[Type, Sequence[Value]]
"""By type the values that attributes have."""

_TRIES = 12
"""So many random choices of times and values are tried for a rule."""

_SPAN = 9
"""The events of a match begin within so many ticks."""


class Planter:
    """Chooses matches of the rules of a program."""

    def __init__(self, source: Source, program: Program, values: Values, *, points: bool, unit: int = 1) -> None:
        self._source, self._program, self._values, self._points = source, program, values, points
        self.unit = unit

    def match(self, rule: Rule) -> list[Event]:
        """Events that make the body of a rule true, as far as nothing is absent; none where no choice did."""
        for _ in range(_TRIES):
            found = self._match(rule, {})
            if found is not None:
                return found[0]
        return []

    def trail(self, atom: Atom, time: int) -> Iterator[Event]:
        """Events that an atom matches, one at each of some ticks after a time."""
        for tick in range(1, _SPAN):
            yield self._base(atom, {}, time + tick, time + tick)

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
            for _ in range(1 + self._source.below(2)):
                if window.atom.type in self._program.declared and last - first > 1:
                    time = self._source.between(first + 1, last - 1)
                    events.append(self._base(window.atom, values, time, time))
        if not all(terms.holds(one, values) for one in rule.comparisons if _known(one, values)):
            return None
        return (
            events,
            min(at[start(name)] for name in rule.identifiers),
            max(at[end(name)] for name in rule.identifiers),
        )

    def _event(self, atom: Atom, values: dict[str, Value]) -> tuple[list[Event], int, int] | None:
        """An event for an atom, of a derived type the events that it is derived from."""
        if atom.type in self._program.declared:
            begin = self._source.below(_SPAN) * self.unit
            finish = begin if self._points or self._source.chance(60) else begin + self._source.below(7) * self.unit
            return [self._base(atom, values, begin, finish)], begin, finish
        rules = self._program.rules_of(atom.type)
        rule = rules[self._source.below(len(rules))]
        wanted = dict(self._bound(atom, values, self._program.signatures[atom.type]))
        names = rule.attributes([each.name for each in self._program.signatures[atom.type].attributes])
        head = zip(names, rule.head.terms, strict=True)
        found = self._match(
            rule, {term.name: wanted[name] for name, term in head if isinstance(term, Variable) and name in wanted}
        )
        if found is None:
            return None
        moved = self._source.below(_SPAN) * self.unit
        return (
            [event._replace(start=event.start + moved, time=event.time + moved) for event in found[0]],
            found[1] + moved,
            found[2] + moved,
        )

    def _base(self, atom: Atom, values: dict[str, Value], begin: int, finish: int) -> Event:
        type = self._program.declared[atom.type]
        fixed = dict(self._bound(atom, values, type))
        attributes = {each.name: fixed.get(each.name, self._any(each.type)) for each in type.attributes}
        return Event(atom.type, begin, finish, attributes)

    def _bound(self, atom: Atom, values: dict[str, Value], type: EventType) -> Iterator[tuple[str, Value]]:
        """The values of the attributes that an atom names; variables without a value receive one."""
        for name, term in atom.arguments:
            if isinstance(term, Constant):
                yield name, term.value
            else:
                if term.name not in values:
                    values[term.name] = self._any(type.types[name])
                yield name, values[term.name]

    def _any(self, type: Type) -> Value:
        among = self._values[type]
        return among[self._source.below(len(among))]


def _known(comparison: terms.Comparison, values: Mapping[str, Value]) -> bool:
    return all(name in values for name in terms.variables_of(comparison))


def planted(planter: Planter, program: Program, source: Source, span: int) -> Iterator[Event]:
    """Events that match rules of a program, at times from 0 on."""
    for rule in program.rules:
        for _ in range(source.below(3)):
            match = planter.match(rule)
            first = min(chain((event.start for event in match), [0]))
            moved = source.below(span + 1) * planter.unit - first
            for event in match:
                yield event._replace(start=event.start + moved, time=event.time + moved)


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
