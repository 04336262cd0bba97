"""Reductions of cases: fewer events, rules and parts of rules, smaller times and numbers, plainer attributes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from campaigns.bry_eckert.cases import Case
from campaigns.histories import earlier_events, fewer_events, plainer_events
from campaigns.judging.minimise import Shape, smaller_numbers
from semantics.bry_eckert.checking import parse
from semantics.bry_eckert.programs import Atom, Program, Rule, Window
from semantics.bry_eckert.temporal import Apart, Timing, Within
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


def _children(part: Any) -> Sequence[Any]:
    """The rules and axioms of a program, the parts of a body, the atom of a window."""
    match part:
        case Program():
            return (*part.rules, *part.axioms)
        case Rule():
            return part.body
        case Window():
            return (part.atom,)
    return ()


def _with_children(part: Any, children: Sequence[Any]) -> Any:
    match part:
        case Program():
            rules = tuple(child for child in children if isinstance(child, Rule))
            axioms = tuple(child for child in children if not isinstance(child, Rule))
            return replace(part, rules=rules, axioms=axioms) if rules else None
        case Rule():
            return replace(part, body=tuple(children))
        case Window() if children:
            return replace(part, atom=children[0])
    return None


def _simpler(part: Any) -> Iterator[Any]:
    """An atom or a head without an argument, a smaller duration."""
    match part:
        case Atom():
            for place in range(len(part.arguments)):
                fewer = part.arguments[:place] + part.arguments[place + 1 :]
                yield replace(part, arguments=fewer, positional=not fewer)
        case Rule():
            head = part.head
            for place in range(len(head.terms)):
                terms, names = (kept[:place] + kept[place + 1 :] for kept in (head.terms, head.names))
                yield replace(part, head=replace(head, terms=terms, names=names))  # type: ignore[arg-type]
        case Timing() | Within() | Apart():
            for smaller in smaller_numbers(part.duration):
                yield replace(part, duration=smaller)


PROGRAMS: Shape[Any] = Shape(_children, _with_children, _simpler)


def smaller_programs(case: Case) -> Iterator[Case]:
    """With a smaller program that passes its checks, without declarations that nothing reads."""
    for program in PROGRAMS.smaller(case.program):
        read = {atom.type for rule in program.rules for atom in rule.read()}
        kept = {name: type for name, type in program.declared.items() if name in read}
        axioms = tuple(axiom for axiom in program.axioms if set(axiom.types) <= kept.keys())
        text = str(replace(program, declared=kept, axioms=axioms))
        try:
            parse(text)
        except InputError:
            continue
        yield replace(case, text=text, events=tuple(event for event in case.events if event.type in kept))


REDUCTIONS: Sequence[Callable[[Case], Iterator[Case]]] = (
    fewer_events,
    smaller_programs,
    plainer_events,
    earlier_events,
)
