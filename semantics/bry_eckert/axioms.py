"""Axioms about logs (2008, Section 6.4): what follows from them for the events of a rule, and where a log breaks them.

An axiom makes tuples irrelevant sooner. It is believed by what forgets, and looked after by a watch over the log.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from semantics.bry_eckert import temporal
from semantics.bry_eckert.plans import Base, Expression, Plan, Schema, Select
from semantics.bry_eckert.programs import Always, Atom, Axiom, Program, Unique
from semantics.bry_eckert.temporal import end, start
from semantics.bry_eckert.terms import Constant, Term, Variable
from semantics.events import Event, Value, quoted


def applies(axiom: Always, one: Base, other: Base) -> bool:
    """Whether all events that two queries match, with equal values of equal variables, match the axiom's atoms."""
    values: dict[str, Term] = {}
    for atom, query in ((axiom.first, one), (axiom.second, other)):
        given = dict(query.arguments)
        if atom.type != query.relation or any(name not in given for name, _ in atom.arguments):
            return False
        for name, term in atom.arguments:
            found = given[name]
            if found != (term if isinstance(term, Constant) else values.setdefault(term.name, found)):
                return False
    return True


def only_partner(stored: Schema, other: Expression, plan: Plan) -> str:
    """The identifier of an expression of which at most one tuple joins a stored one; "" where there may be several."""
    while isinstance(other, Select):
        other = other.operand
    if not isinstance(other, Base):
        return ""
    given = dict(other.arguments)
    for axiom in plan.axioms:
        if isinstance(axiom, Unique) and axiom.type == other.relation:
            terms = [given.get(name) for name in axiom.attributes]
            if all(isinstance(t, Constant) or (isinstance(t, Variable) and t.name in stored) for t in terms):
                return other.identifier
    return ""


# ------------------------------------------------------------------------------------------------------- logs


@dataclass(frozen=True)
class Violation:
    """Events of a log that break an axiom.

    Attributes:
        axiom: the axiom.
        event: the event with which it is broken.
        earlier: the event that came before, or ends at the same time.
    """

    axiom: Axiom
    event: Event
    earlier: Event

    def __str__(self) -> str:
        """Both events, and the axiom with its place in the program."""
        said = f"{_shown(self.event)} after {_shown(self.earlier)}"
        return f"{said} breaks the axiom in line {self.axiom.line} of the program: {self.axiom}"


def _shown(event: Event) -> str:
    values = ", ".join(f"{name} = {value}" for name, value in event.attributes.items())
    return f"{quoted(event.type)}({values}) [{event.start}, {event.time}]"


_Fact: TypeAlias = tuple[int, int, tuple[tuple[str, Value], ...]]


class Watch:
    """Looks whether the events of a log obey the axioms of a program.

    It remembers the events that axioms are about, whatever is forgotten elsewhere: what breaks an axiom may come at
    any time.

    Args:
        program: the program, checked.
    """

    def __init__(self, program: Program) -> None:
        """No event has been seen."""
        self._axioms = [_Watched.of(axiom) for axiom in program.axioms]

    def see(self, event: Event) -> Iterator[Violation]:
        """An event comes, no earlier than those before it; for each axiom that it breaks, one way how."""
        for one in self._axioms:
            yield from one.see(event)

    def snapshot(self) -> list[Any]:
        """What is remembered, as plain data."""
        return [one.snapshot() for one in self._axioms]

    def restore(self, snapshot: Sequence[Any]) -> None:
        """Take up what `snapshot` made."""
        for one, state in zip(self._axioms, snapshot, strict=True):
            one.restore(state)


def violations(program: Program, events: Iterable[Event]) -> Iterator[Violation]:
    """The ways in which events in the order of time break the axioms of a program."""
    watch = Watch(program)
    for event in events:
        yield from watch.see(event)


@dataclass
class _Watched:
    """An axiom with the events that it is about, by the values that they share."""

    axiom: Axiom
    atoms: tuple[Atom, ...]
    shared: tuple[str, ...]
    seen: list[defaultdict[Any, dict[_Fact, None]]]

    @classmethod
    def of(cls, axiom: Axiom) -> _Watched:
        """Nothing is remembered."""
        if isinstance(axiom, Unique):
            names = axiom.attributes
            atoms: tuple[Atom, ...] = (
                Atom("", axiom.type, tuple((name, Variable(name)) for name in names), positional=False),
            )
        else:
            atoms = (axiom.first, axiom.second)
            names = tuple(name for name in axiom.first.variables if name in axiom.second.variables)
        return cls(axiom, atoms, names, [defaultdict(dict) for _ in atoms])

    def see(self, event: Event) -> Iterator[Violation]:
        for place, atom in enumerate(self.atoms):
            values = _matched(atom, event) if atom.type == event.type else None
            if values is None:
                continue
            key = tuple(values[name] for name in self.shared)
            fact = (event.start, event.time, tuple(sorted(event.attributes.items())))
            others = self.seen[place if isinstance(self.axiom, Unique) else 1 - place].get(key, {})
            for other in others:
                if self._broken(place, fact, other):
                    type = self.atoms[place if isinstance(self.axiom, Unique) else 1 - place].type
                    yield Violation(self.axiom, event, Event(type, other[0], other[1], dict(other[2])))
                    break
            self.seen[place][key][fact] = None

    def _broken(self, place: int, fact: _Fact, other: _Fact) -> bool:
        if isinstance(self.axiom, Unique):
            return fact != other
        first, second = (fact, other) if place == 0 else (other, fact)
        at = {}
        for atom, (begin, finish, _) in zip(self.atoms, (first, second), strict=True):
            at[start(atom.identifier)], at[end(atom.identifier)] = begin, finish
        return not all(temporal.holds(condition, at) for condition in self.axiom.conditions)

    def snapshot(self) -> list[Any]:
        return [[[list(key), list(facts)] for key, facts in seen.items()] for seen in self.seen]

    def restore(self, state: Sequence[Any]) -> None:
        for seen, entries in zip(self.seen, state, strict=True):
            seen.clear()
            for key, facts in entries:
                for begin, finish, data in facts:
                    seen[tuple(key)][begin, finish, tuple(map(tuple, data))] = None


def _matched(atom: Atom, event: Event) -> Mapping[str, Value] | None:
    """The values of the variables of an atom that an event matches; None where it does not."""
    values: dict[str, Value] = {}
    for name, term in atom.arguments:
        value = event.attributes.get(name)
        wanted = term.value if isinstance(term, Constant) else values.setdefault(term.name, value)
        if value is None or value != wanted:
            return None
    return values
