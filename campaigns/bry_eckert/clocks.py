"""Times among the data of random programs: an attribute that is one, its precision, and conditions about it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from campaigns.choices import Source
from semantics.bry_eckert.programs import Program, Rule
from semantics.bry_eckert.temporal import Related, Temporal, Within
from semantics.bry_eckert.terms import Variable
from semantics.bry_eckert.traces import distance
from semantics.events import Event

CLOCK = "x"
"""The attribute that becomes a time, of all event types that have it: variables join it."""

_PERIOD = 8
"""A clock shows the beginning of such a period, and the value that was there: so it may be behind, ahead, and equal."""

_DURATIONS = (2, 5, 8, 13)


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
    condition: Temporal = Within((name, other), _DURATIONS[source.below(len(_DURATIONS))])
    if source.chance(40):
        condition = Related(*((name, "before", other) if source.chance(50) else (other, "before", name)))
    return replace(rule, body=(*rule.body, condition))
