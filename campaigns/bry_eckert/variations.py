"""Variations of random programs: axioms about what their rules join, and times among their data.

Histories mostly obey the axioms, and the precisions of times hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import permutations

from campaigns.choices import Source
from semantics.bry_eckert.axioms import breaks, violations
from semantics.bry_eckert.programs import Always, Atom, Axiom, Program, Rule, Unique
from semantics.bry_eckert.temporal import ALLEN, Apart, Related, Temporal, Within
from semantics.bry_eckert.terms import Constant, Variable
from semantics.bry_eckert.traces import distance
from semantics.events import Event

_TRIES = 6
"""Of so many random axioms, the one is taken that a history breaks least."""

_MOST = 2
"""A program has at most so many axioms."""

_DURATIONS = (0, 2, 5, 8, 13)


def believed(source: Source, program: Program, events: Iterable[Event]) -> tuple[Axiom, ...]:
    """Axioms for a program, which a history does not break more often than need be."""
    events, found = list(events), list[Axiom]()
    for _ in range(source.between(1, _MOST)):
        tried = [axiom for _ in range(_TRIES) for axiom in _axiom(source, program)]
        if tried:
            found.append(min(tried, key=lambda axiom: _breaches(axiom, program, events)))
    return tuple(dict.fromkeys(found))


def _breaches(axiom: Axiom, program: Program, events: Iterable[Event]) -> int:
    return sum(1 for _ in violations(replace(program, axioms=(axiom,)), events))


def obeying(axioms: Iterable[Axiom], events: Iterable[Event]) -> tuple[Event, ...]:
    """The events without those with which they break axioms."""
    axioms, kept = tuple(axioms), list[Event]()
    for event in events:
        if not any(breaks(axiom, event, earlier) for axiom in axioms for earlier in kept):
            kept.append(event)
    return tuple(kept)


def _axiom(source: Source, program: Program) -> Iterator[Axiom]:
    """A random axiom about what a rule reads; none where it has nothing to be about."""
    rules = program.rules
    atoms = [atom for atom in rules[source.below(len(rules))].read() if atom.type in program.declared]
    if not atoms:
        return
    if source.chance(45):
        atom = atoms[source.below(len(atoms))]
        yield Unique(atom.type, tuple(name for name, _ in atom.arguments if source.chance(80)))
        return
    pairs = [pair for pair in permutations(atoms, 2) if pair[0].type != pair[1].type]
    if pairs:
        first, second = pairs[source.below(len(pairs))]
        conditions = tuple(_condition(source) for _ in range(1 + source.chance(25)))
        yield Always(_restricted(first, second, "k"), _restricted(second, first, "l"), conditions)


def _restricted(atom: Atom, other: Atom, identifier: str) -> Atom:
    """An atom with the constants and variables by which it is joined with another one."""
    kept = tuple(
        (name, term) for name, term in atom.arguments if isinstance(term, Constant) or term.name in other.variables
    )
    return Atom(identifier, atom.type, kept, positional=not kept)


def _condition(source: Source) -> Temporal:
    duration = _DURATIONS[source.below(len(_DURATIONS))]
    if source.chance(35):
        return Within(("k", "l"), duration)
    if source.chance(25):
        return Apart(("k", "l"), duration)
    names = ("before", "before", "after", *ALLEN)
    return Related("k", names[source.below(len(names))], "l")


# ---------------------------------------------------------------------------------------------- times among data

CLOCK = "x"
"""The attribute that becomes a time, of all event types that have it: variables join it."""

_PERIOD = 8
"""A clock shows the beginning of such a period, and the value that was there: so it may be behind, ahead, and equal."""

_CLOCK_DURATIONS = (2, 5, 8, 13)


def clocked(source: Source, program: Program, events: Iterable[Event]) -> tuple[Program, tuple[Event, ...]]:
    """A program with times in the place of numbers, whose rules have conditions about them, and a history for it."""
    shown = tuple(_shown(event) for event in events)
    declared = {
        type.name: replace(
            type,
            attributes=tuple(
                replace(each, is_time=True, within=_precision(source, type.name, shown)) if each.name == CLOCK else each
                for each in type.attributes
            ),
        )
        for type in program.declared.values()
    }
    rules = tuple(_conditioned(source, rule, declared.keys()) for rule in program.rules)
    return replace(program, declared=declared, rules=rules), shown


def _shown(event: Event) -> Event:
    value = event.attributes.get(CLOCK)
    if not isinstance(value, int):
        return event
    return event._replace(attributes={**event.attributes, CLOCK: event.time // _PERIOD * _PERIOD + value})


def _precision(source: Source, type: str, events: Iterable[Event]) -> int | None:
    """A bound that holds for all events of a type, mostly the least one; None for none."""
    far = [
        distance(time, event)
        for event in events
        if event.type == type and isinstance(time := event.attributes.get(CLOCK), int)
    ]
    return None if source.chance(20) else max([0, *far]) + source.chance(30)


def _conditioned(source: Source, rule: Rule, declared: Iterable[str]) -> Rule:
    """A rule with a condition about a time that it binds, where there is one."""
    names = sorted(
        term.name
        for atom in rule.atoms
        for name, term in atom.arguments
        if name == CLOCK and isinstance(term, Variable) and atom.type in declared
    )
    if not names or source.chance(20):
        return rule
    name = names[source.below(len(names))]
    others = [other for other in (*rule.identifiers, *names) if other != name]
    if name in rule.identifiers or not others:
        return rule
    other = others[source.below(len(others))]
    condition: Temporal = Within((name, other), _CLOCK_DURATIONS[source.below(len(_CLOCK_DURATIONS))])
    if source.chance(40):
        condition = Related(*((name, "before", other) if source.chance(50) else (other, "before", name)))
    return replace(rule, body=(*rule.body, condition))
