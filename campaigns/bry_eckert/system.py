"""Reductions, wrong engines and kinds of cases of rules (`campaigns.systems.CasesOfSystem`)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from campaigns.bry_eckert.cases import GENERATION, PROFILES, Case, Profile, made_case
from campaigns.bry_eckert.judge import RELATIONS, Meaning, judge, judge_relation
from campaigns.choices import Long, Weights, weights
from campaigns.histories import CasesOfHistories, earlier_events, fewer_events, plainer_events
from campaigns.judging.judgements import Shape, smaller_numbers
from campaigns.mutants import mutants_in
from detectors.bry_eckert.catalogue import DEFAULT_DETECTOR, ENGINES
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
    if isinstance(part, Program):
        return (*part.rules, *part.axioms)
    if isinstance(part, Rule):
        return part.body
    return (part.atom,) if isinstance(part, Window) else ()


def _with_children(part: Any, children: Sequence[Any]) -> Any:
    if isinstance(part, Rule):
        return replace(part, body=tuple(children))
    if isinstance(part, Window):
        return replace(part, atom=children[0]) if children else None
    rules = tuple(child for child in children if isinstance(child, Rule))
    axioms = tuple(child for child in children if not isinstance(child, Rule))
    return replace(part, rules=rules, axioms=axioms) if rules else None


def _simpler(part: Any) -> Iterator[Any]:
    """An atom or a head without an argument, a smaller duration."""

    def fewer(given: Sequence[Any]) -> Iterator[Any]:
        return (given[:place] + given[place + 1 :] for place in range(len(given)))

    match part:
        case Atom():
            yield from (replace(part, arguments=less, positional=not less) for less in fewer(part.arguments))
        case Rule():
            pairs = zip(fewer(part.head.terms), fewer(part.head.names), strict=True)
            yield from (replace(part, head=replace(part.head, terms=less, names=names)) for less, names in pairs)
        case Timing() | Within() | Apart():
            yield from (replace(part, duration=smaller) for smaller in smaller_numbers(part.duration))


PROGRAMS: Shape[Any] = Shape(_children, _with_children, _simpler)


def smaller_programs(case: Case) -> Iterator[Case]:
    """With a smaller program that passes its checks, without declarations that nothing reads."""
    for program in PROGRAMS.smaller(case.program):
        read = {atom.type for rule in program.rules for atom in rule.read()}
        kept = {name: type for name, type in program.declared.items() if name in read}
        axioms = tuple(axiom for axiom in program.axioms if set(axiom.types) <= kept.keys())
        text = str(replace(program, declared=kept, axioms=axioms))
        with suppress(InputError):
            parse(text)
            yield replace(case, text=text, events=tuple(event for event in case.events if event.type in kept))


def _lasting(length: int) -> Profile:
    return replace(PROFILES["plain"], events=14, unit=length)


def _crowded(length: int) -> Profile:
    return replace(PROFILES["windows"], rules=1, third=0, events=length + 20, span=2 * length)


class BryEckertCases(CasesOfHistories):
    """Cases of a program and a history (`cases.Case`); beyond the usual sizes durations or histories are long."""

    NAME = "bry_eckert"
    GENERATION = GENERATION
    CASE = Case
    ENGINES = ENGINES
    MUTANTS = mutants_in(Path(__file__).with_name("mutants.toml"), "detectors.bry_eckert.catalogue", "ENGINES")
    DEFAULT_DETECTOR = DEFAULT_DETECTOR
    USUAL = PROFILES
    LONG: Mapping[str, Long[Profile]] = {
        "lasting": Long(2, _lasting, 14, 300, 10**15, Weights((-1, 0, 0, 0, 1))),
        "crowded": Long(1, _crowded, 16, 60, 160, Weights((0, 1, 10))),
    }
    PROFILES = weights(USUAL, LONG)
    RELATIONS = RELATIONS
    REDUCTIONS = (fewer_events, smaller_programs, plainer_events, earlier_events)
    made = staticmethod(made_case)
    meaning = staticmethod(Meaning)
    judge = staticmethod(judge)
    measure = staticmethod(measure)
    judge_relation = staticmethod(judge_relation)

    def described(self) -> str:
        """The sizes of programs and histories."""
        rules, events = (max(each) for each in zip(*((p.rules, p.events) for p in PROFILES.values()), strict=True))
        return f"Random cases: programs of 1 to {rules} rules, histories of up to {events} events"

    def suspects(self, case: Case) -> Iterator[tuple[Case, str]]:
        """Each rule that reads no derived events alone, then the case; called by its constructs, as `join, not`."""
        rules = case.program.rules if len(case.program.rules) > 1 else ()
        alone = (replace(case.program, rules=(rule,)) for rule in rules)
        plain = (one for one in alone if all(atom.type in one.declared for atom in one.rules[0].read()))
        for found in (*(replace(case, text=str(one)) for one in plain), case):
            yield found, ", ".join(sorted(found.constructs)) or "event"


CASES = BryEckertCases()
