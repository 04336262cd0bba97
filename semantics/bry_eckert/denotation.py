"""The meaning of programs by definition: a rule derives an event for each assignment that makes its body true.

Nested loops over all events of a history; nothing of the relational algebra. It is the oracle of everything that
evaluates plans: slow, and close to the text of 2007, Section 2. What breaks an axiom (2008, 6.4) is found likewise.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from semantics.bry_eckert import temporal, terms
from semantics.bry_eckert.programs import Aggregate, Atom, Axiom, Program, Rule, Unique, Window, by_time
from semantics.bry_eckert.temporal import Column, end, inside, start
from semantics.bry_eckert.terms import AGGREGATES, Constant
from semantics.events import Event, Time, Value, in_ticks, quoted

Assignment: TypeAlias = dict[Column, Any]  # values of variables, and of the time stamps of identifiers

Fact: TypeAlias = tuple[int, int, tuple[tuple[str, Value], ...]]  # an event of a type: start, end, attributes

Facts: TypeAlias = defaultdict[str, set[Fact]]  # the events that are known, by type


def denotation(program: Program, history: Iterable[Event]) -> list[Event]:
    """All events that a program derives from a history, each once, by time, start and type.

    An answer happens at the end of its interval, which covers all events of the body outside windows, timers included.
    """
    known: Facts = defaultdict(set)
    for event in history:
        if event.type in program.declared:
            names = program.declared[event.type].types
            values = tuple((name, event.attributes.get(name)) for name in names)
            known[event.type].add((event.start, event.time, values))
    found: list[Event] = []
    for type, signature in program.signatures.items():
        for rule in program.rules_of(type):
            attributes = rule.attributes(list(signature.types))
            for (begin, finish, keys), assignments in grouped(rule, bodies(rule, known)).items():
                data = answered(rule, attributes, keys, assignments)
                known[type].add((begin, finish, tuple(signature.typed(data).items())))
        if type in program.derived:
            found += (Event(type, begin, finish, dict(data)) for begin, finish, data in known[type])
    return sorted(found, key=by_time)


def grouped(rule: Rule, bodies: Iterable[Assignment]) -> Mapping[Any, list[Assignment]]:
    """The assignments that make a body true by start and end of the answer, and its attributes but for aggregates."""
    groups: dict[Any, list[Assignment]] = defaultdict(list)
    # Events that differ only in attributes that no atom names are one tuple of the relation of the atom.
    for assignment in {frozenset(found.items()): found for found in bodies}.values():
        begin = min(assignment[start(name)] for name in rule.identifiers)
        finish = max(assignment[end(name)] for name in rule.identifiers)
        keys = tuple(None if isinstance(term, Aggregate) else terms.value(term, assignment) for term in rule.head.terms)
        groups[begin, finish, keys].append(assignment)
    return groups


def answered(
    rule: Rule, names: Sequence[str], keys: Sequence[Value], assignments: Sequence[Assignment]
) -> dict[str, Value]:
    """The attributes of the answer of a group; equal rows of aggregated variables count once, but for `all`."""
    wanted = [term for term in rule.head.terms if isinstance(term, Aggregate)]
    data: dict[str, Value] = dict(zip(names, keys, strict=True))
    rows = [tuple(assignment[each.variable] for each in wanted) for assignment in assignments]
    for name, term in zip(names, rule.head.terms, strict=True):
        if isinstance(term, Aggregate):
            function, place = AGGREGATES[term.function], wanted.index(term)
            data[name] = function.over([row[place] for row in (rows if function.all else dict.fromkeys(rows))])
    return data


def bodies(rule: Rule, known: Facts) -> Iterator[Assignment]:
    """The assignments that make a body true; where events are collected, one for each way to choose one of them."""
    for extended in _matches(rule.atoms, {}, known):
        for timer in rule.timers:
            interval = timer.interval(extended[start(timer.of)], extended[end(timer.of)])
            if interval is None:
                break
            extended[start(timer.into)], extended[end(timer.into)] = interval
        else:
            if all(temporal.holds(condition, extended) for condition in rule.temporal) and not any(
                True for window in rule.absences for _ in _inside((window,), extended, known)
            ):
                for collected in _inside(rule.collections, extended, known):
                    if all(terms.holds(comparison, collected) for comparison in rule.comparisons):
                        yield collected


def _inside(windows: tuple[Window, ...], given: Assignment, known: Facts) -> Iterator[Assignment]:
    if not windows:
        yield given
        return
    condition = inside(windows[0].atom.identifier, windows[0].window)
    for found in _matches((windows[0].atom,), given, known):
        if temporal.holds(condition, found):
            yield from _inside(windows[1:], found, known)


def _matches(atoms: tuple[Atom, ...], given: Assignment, known: Facts) -> Iterator[Assignment]:
    if not atoms:
        yield given
        return
    atom = atoms[0]
    for begin, finish, data in known[atom.type]:
        found = {**given, start(atom.identifier): begin, end(atom.identifier): finish}
        if agrees(atom, dict(data), found):
            yield from _matches(atoms[1:], found, known)


def agrees(atom: Atom, data: Mapping[str, Value], assignment: Assignment) -> bool:
    """Whether an event has what an atom says; adds the variables that it binds to the assignment."""
    for name, term in atom.arguments:
        value = data.get(name)
        wanted = term.value if isinstance(term, Constant) else assignment.setdefault(term.name, value)
        if value is None or value != wanted:
            return False
    return True


@dataclass(frozen=True)
class Violation:
    """Events of a log that break an axiom; the earlier one may end at the same time."""

    axiom: Axiom
    event: Event
    earlier: Event

    def __str__(self) -> str:
        said = f"{shown(self.event)} after {shown(self.earlier)}"
        return f"{said} breaks the axiom in line {self.axiom.line} of the program: {self.axiom}"


def shown(event: Event, time: Callable[[Time], Time | str] = in_ticks) -> str:
    """An event with its attributes and its interval, in words."""
    values = ", ".join(f"{name} = {value}" for name, value in event.attributes.items())
    return f"{quoted(event.type)}({values}) [{time(event.start)}, {time(event.time)}]"


def breaks(axiom: Axiom, event: Event, earlier: Event) -> bool:
    """Whether two events of a log break an axiom; equal ones are one event."""
    if isinstance(axiom, Unique):
        one, other = (matched(axiom.atom, each) for each in (event, earlier))
        return one is not None and one == other and event != earlier
    for first, second in ((event, earlier), (earlier, event)):
        one, other = matched(axiom.first, first), matched(axiom.second, second)
        if one is not None and other is not None and all(one[name] == other[name] for name in axiom.shared):
            at = {**one, **other}
            for atom, each in ((axiom.first, first), (axiom.second, second)):
                at[start(atom.identifier)], at[end(atom.identifier)] = each.start, each.time
            return not all(temporal.holds(condition, at) for condition in axiom.conditions)
    return False


def matched(atom: Atom, event: Event) -> Assignment | None:
    """The values of the variables of an atom that an event matches; None where it does not."""
    values: Assignment = {}
    return values if atom.type == event.type and agrees(atom, event.attributes, values) else None


def violations(program: Program, events: Iterable[Event]) -> Iterator[Violation]:
    """The ways in which a log breaks the axioms of a program: for each event that does so, one earlier event."""
    seen: list[Event] = []
    for event in events:
        for axiom in program.axioms:
            earlier = next((each for each in seen if breaks(axiom, event, each)), None)
            if earlier is not None:
                yield Violation(axiom, event, earlier)
        seen.append(event)
