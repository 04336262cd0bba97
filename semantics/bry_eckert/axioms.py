"""Axioms about logs (2008, Section 6.4): what follows from them for the events of a rule, and where a log breaks them.

An axiom makes tuples irrelevant sooner. It is believed by what forgets, and looked after by a watch over the log
(`detectors.bry_eckert.watch`).
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from semantics.bry_eckert import temporal
from semantics.bry_eckert.algebra.plans import Base, Expression, Plan, Schema, Select
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
    if isinstance(other, Base):
        given = dict(other.arguments)
        for axiom in plan.axioms:
            if isinstance(axiom, Unique) and axiom.type == other.relation:
                terms = [given.get(name) for name in axiom.attributes]
                if all(isinstance(t, Constant) or (isinstance(t, Variable) and t.name in stored) for t in terms):
                    return other.identifier
    return ""


@dataclass(frozen=True)
class Violation:
    """Events of a log that break an axiom; the earlier one may end at the same time."""

    axiom: Axiom
    event: Event
    earlier: Event

    def __str__(self) -> str:
        said = f"{shown(self.event)} after {shown(self.earlier)}"
        return f"{said} breaks the axiom in line {self.axiom.line} of the program: {self.axiom}"


def shown(event: Event) -> str:
    """An event with its attributes and its interval, in words."""
    values = ", ".join(f"{name} = {value}" for name, value in event.attributes.items())
    return f"{quoted(event.type)}({values}) [{event.start}, {event.time}]"


def breaks(axiom: Axiom, event: Event, earlier: Event) -> bool:
    """Whether two events of a log break an axiom; equal ones are one event."""
    if isinstance(axiom, Unique):
        one, other = (matched(axiom.atom, each) for each in (event, earlier))
        return one is not None and one == other and event != earlier
    for first, second in ((event, earlier), (earlier, event)):
        one, other = matched(axiom.first, first), matched(axiom.second, second)
        if one is not None and other is not None and all(one[name] == other[name] for name in axiom.shared):
            at: dict[Any, Any] = {**one, **other}
            for atom, each in ((axiom.first, first), (axiom.second, second)):
                at[start(atom.identifier)], at[end(atom.identifier)] = each.start, each.time
            return not all(temporal.holds(condition, at) for condition in axiom.conditions)
    return False


def violations(program: Program, events: Iterable[Event]) -> Iterator[Violation]:
    """The ways in which a log breaks the axioms of a program: for each event that does so, one earlier event.

    By definition, from all pairs of events: `detectors.bry_eckert.watch` finds the same with what it remembers.
    """
    seen: list[Event] = []
    for event in events:
        for axiom in program.axioms:
            earlier = next((each for each in seen if breaks(axiom, event, each)), None)
            if earlier is not None:
                yield Violation(axiom, event, earlier)
        seen.append(event)


def matched(atom: Atom, event: Event) -> Mapping[str, Value] | None:
    """The values of the variables of an atom that an event matches; None where it does not."""
    if atom.type != event.type:
        return None
    values: dict[str, Value] = {}
    for name, term in atom.arguments:
        value = event.attributes.get(name)
        wanted = term.value if isinstance(term, Constant) else values.setdefault(term.name, value)
        if value is None or value != wanted:
            return None
    return values
