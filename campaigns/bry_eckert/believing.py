"""Axioms for random programs, about what their rules join; histories that obey them, and some that do not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import permutations

from campaigns.choices import Source
from semantics.bry_eckert.axioms import breaks, violations
from semantics.bry_eckert.programs import Always, Atom, Axiom, Program, Unique
from semantics.bry_eckert.temporal import ALLEN, Apart, Related, Temporal, Within
from semantics.bry_eckert.terms import Constant
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
