"""Reductions of cases: fewer events, profiles and operators, plainer parameters, smaller times and numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from campaigns.hinze_voisard.cases import Case
from campaigns.histories import earlier_events, fewer_events, plainer_events
from semantics.hinze_voisard.notation import file_text
from semantics.hinze_voisard.profiles import (
    Absent,
    Logical,
    OfClass,
    Paired,
    Part,
    ProfileFile,
    Selected,
    operands,
    parts,
)


def measure(case: Case) -> tuple[int, ...]:
    """The size of a case: operators, parameters, events, length of the text, attributes, times, numbers."""
    found = [part for one in case.file.profiles for part in parts(one.expression)]
    return (
        len(case.file.profiles),
        len(found),
        sum(_parameters(part) for part in found),
        len(case.events),
        len(case.text),
        sum(len(event.attributes) for event in case.events),
        case.events[-1].time if case.events else 0,
        sum(event.time for event in case.events),
        sum(int(number) for number in re.findall(r"\d+", case.text)),
    )


def _parameters(part: Part) -> int:
    if not isinstance(part, Paired):
        return 0
    listed = part.listed
    return (
        (listed.anterior != "all")
        + (listed.posterior != "all")
        + (listed.consumption != "keep")
        + (part.span is not None)
    )


def _with(case: Case, file: ProfileFile) -> Case:
    return replace(case, text=file_text(file))


def fewer_profiles(case: Case) -> Iterator[Case]:
    """Without one of the profiles."""
    file = case.file
    for place in range(len(file.profiles)):
        if len(file.profiles) > 1:
            rest = file.profiles[:place] + file.profiles[place + 1 :]
            yield _with(case, replace(file, profiles=rest))


def simpler_expressions(case: Case) -> Iterator[Case]:
    """With an operand in the place of an expression, or a parameter that is plainer or smaller."""
    file = case.file
    for place, one in enumerate(file.profiles):
        for simpler in _simpler(one.expression):
            changed = replace(one, expression=simpler)
            profiles = (*file.profiles[:place], changed, *file.profiles[place + 1 :])
            yield _with(case, replace(file, profiles=profiles))


def _simpler(part: Part) -> Iterator[Part]:
    given = operands(part)
    yield from given
    match part:
        case Paired("," | ";", _, _, span, listed):
            if listed.anterior != "all":
                yield replace(part, listed=replace(listed, anterior="all"))
            if listed.posterior != "all":
                yield replace(part, listed=replace(listed, posterior="all"))
            if listed.consumption != "keep":
                yield replace(part, listed=replace(listed, consumption="keep"))
            if span is not None:
                yield replace(part, span=None)
                yield from (
                    replace(part, span=less) for less in dict.fromkeys((0, span - 1)) if 0 <= less < span
                )
        case Absent(_, span):
            yield from (replace(part, span=less) for less in dict.fromkeys((0, span - 1)) if 0 <= less < span)
        case Selected(_, number) if number > 1:
            yield replace(part, place=number - 1)
        case Logical(_, clauses) if len(clauses) > 2:
            for place in range(len(clauses)):
                yield replace(part, clauses=clauses[:place] + clauses[place + 1 :])
    for place, operand in enumerate(given):
        for simpler in _simpler(operand):
            yield _with_operands(part, (*given[:place], simpler, *given[place + 1 :]))


def _with_operands(part: Part, given: tuple[Part, ...]) -> Part:
    match part:
        case Paired():
            left, right = given
            named = [one.name or one.type for one in given if isinstance(one, OfClass)]
            by_operand = part.listed.by_operand and len(set(named)) == 2
            return replace(part, left=left, right=right, listed=replace(part.listed, by_operand=by_operand))
        case Absent() | Selected():
            return replace(part, operand=given[0])
        case Logical():
            return replace(part, clauses=given)
        case OfClass():
            return part


REDUCTIONS: Sequence[Callable[[Case], Iterator[Case]]] = (
    fewer_profiles,
    fewer_events,
    simpler_expressions,
    plainer_events,
    earlier_events,
)
