"""Reductions of cases: fewer events, rules and parts of rules, smaller times and numbers, plainer attributes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from campaigns.bry_eckert.cases import Case
from campaigns.histories import earlier_events, fewer_events, plainer_events
from semantics.bry_eckert.checking import parse
from semantics.bry_eckert.programs import Atom, BodyPart, Program, Rule, Window
from semantics.bry_eckert.temporal import Apart, Within
from semantics.bry_eckert.timers import Timing
from semantics.errors import InputError


def measure(case: Case) -> tuple[int, ...]:
    """The size of a case: parts of rules, length of the program, events, attributes, times, numbers."""
    program = case.program
    return (
        len(program.rules),
        sum(len(rule.body) for rule in program.rules),
        sum(len(atom.arguments) for rule in program.rules for atom in rule.read()),
        len(case.events),
        len(case.text),
        sum(len(event.attributes) for event in case.events),
        sum(event.time - event.start for event in case.events),
        case.events[-1].time if case.events else 0,
        sum(event.time for event in case.events),
        sum(int(number) for number in re.findall(r"\d+", case.text)),
    )


def _with(case: Case, program: Program) -> Iterator[Case]:
    """The case with another program, if that passes its checks; without declarations that nothing reads."""
    read = {atom.type for rule in program.rules for atom in rule.read()}
    kept = {name: type for name, type in program.declared.items() if name in read}
    axioms = tuple(axiom for axiom in program.axioms if set(axiom.types) <= kept.keys())
    text = str(replace(program, declared=kept, axioms=axioms))
    try:
        parse(text)
    except InputError:
        return
    yield replace(case, text=text, events=tuple(event for event in case.events if event.type in kept))


def fewer_rules(case: Case) -> Iterator[Case]:
    """Without one of the rules."""
    rules = case.program.rules
    for place in range(len(rules)):
        if len(rules) > 1:
            yield from _with(case, replace(case.program, rules=rules[:place] + rules[place + 1 :]))


def fewer_axioms(case: Case) -> Iterator[Case]:
    """Without one of the axioms."""
    axioms = case.program.axioms
    for place in range(len(axioms)):
        yield from _with(case, replace(case.program, axioms=axioms[:place] + axioms[place + 1 :]))


def _rewritten(case: Case, change: Callable[[Rule], Iterator[Rule]]) -> Iterator[Case]:
    rules = case.program.rules
    for place, rule in enumerate(rules):
        for changed in change(rule):
            yield from _with(
                case, replace(case.program, rules=(*rules[:place], changed, *rules[place + 1 :]))
            )


def shorter_bodies(case: Case) -> Iterator[Case]:
    """Without one part of a body."""

    def change(rule: Rule) -> Iterator[Rule]:
        for place in range(len(rule.body)):
            yield replace(rule, body=rule.body[:place] + rule.body[place + 1 :])

    return _rewritten(case, change)


def shorter_heads(case: Case) -> Iterator[Case]:
    """Without one attribute of a head."""

    def change(rule: Rule) -> Iterator[Rule]:
        head = rule.head
        for place in range(len(head.terms)):
            terms, names = (part[:place] + part[place + 1 :] for part in (head.terms, head.names))
            yield replace(rule, head=replace(head, terms=terms, names=names))  # type: ignore[arg-type]

    return _rewritten(case, change)


def fewer_arguments(case: Case) -> Iterator[Case]:
    """With arguments by name, without one of them."""

    def without_one(atom: Atom) -> Iterator[Atom]:
        for place in range(len(atom.arguments)):
            fewer = atom.arguments[:place] + atom.arguments[place + 1 :]
            yield replace(atom, arguments=fewer, positional=not fewer)

    def change(part: BodyPart) -> Iterator[BodyPart]:
        if isinstance(part, Atom):
            yield from without_one(part)
        elif isinstance(part, Window):
            yield from (replace(part, atom=atom) for atom in without_one(part.atom))

    return _rewritten(case, partial(_parts_changed, change))


def smaller_durations(case: Case) -> Iterator[Case]:
    """With a duration that is 0, halved, or less by one."""

    def change(part: BodyPart) -> Iterator[BodyPart]:
        if isinstance(part, Timing | Within | Apart):
            for smaller in dict.fromkeys((0, part.duration // 2, part.duration - 1)):
                if 0 <= smaller < part.duration:
                    yield replace(part, duration=smaller)

    return _rewritten(case, partial(_parts_changed, change))


def _parts_changed(change: Callable[[BodyPart], Iterator[BodyPart]], rule: Rule) -> Iterator[Rule]:
    for place, part in enumerate(rule.body):
        for changed in change(part):
            yield replace(rule, body=(*rule.body[:place], changed, *rule.body[place + 1 :]))


REDUCTIONS: Sequence[Callable[[Case], Iterator[Case]]] = (
    fewer_rules,
    fewer_axioms,
    fewer_events,
    shorter_bodies,
    shorter_heads,
    fewer_arguments,
    plainer_events,
    earlier_events,
    smaller_durations,
)
