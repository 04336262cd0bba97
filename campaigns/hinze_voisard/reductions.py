"""Reductions of cases: fewer events, profiles and operators, plainer parameters, smaller times and numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from campaigns.hinze_voisard.cases import Case
from campaigns.histories import earlier_events, fewer_events, plainer_events
from campaigns.judging.minimise import Shape, smaller_numbers
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

PLAIN = {"anterior": "all", "posterior": "all", "consumption": "keep"}
"""The parameters of a binary operator that restrict nothing."""


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
    listed = sum(1 for name, plain in PLAIN.items() if getattr(part.listed, name) != plain)
    return listed + (part.span is not None)


def _children(part: Any) -> Sequence[Any]:
    """The profiles of a file, their expressions without their names, the operands of an operator."""
    return part.profiles if isinstance(part, ProfileFile) else () if not _is_part(part) else operands(part)


def _is_part(part: Any) -> bool:
    return isinstance(part, Paired | Absent | Selected | Logical)


def _with_children(part: Any, given: Sequence[Any]) -> Any:
    match part:
        case ProfileFile():
            return replace(part, profiles=tuple(given)) if given else None
        case Paired() if len(given) == 2:
            left, right = given
            named = {one.name or one.type for one in given if isinstance(one, OfClass)}
            by_operand = part.listed.by_operand and len(named) == 2
            return replace(part, left=left, right=right, listed=replace(part.listed, by_operand=by_operand))
        case Absent() | Selected() if given:
            return replace(part, operand=given[0])
        case Logical() if len(given) > 1:
            return replace(part, clauses=tuple(given))
    return None


def _simpler(part: Any) -> Iterator[Any]:
    """An operand in the place of an operator, or a parameter that is plainer or smaller."""
    if hasattr(part, "expression"):  # a profile
        yield from (replace(part, expression=simpler) for simpler in EXPRESSIONS.smaller(part.expression))
    elif _is_part(part):
        yield from operands(part)
    match part:
        case Paired("," | ";", _, _, span, listed):
            for name, plain in PLAIN.items():
                if getattr(listed, name) != plain:
                    yield replace(part, listed=replace(listed, **{name: plain}))  # type: ignore[arg-type]
            if span is not None:
                yield replace(part, span=None)
                yield from (replace(part, span=less) for less in smaller_numbers(span))
        case Absent(_, span):
            yield from (replace(part, span=less) for less in smaller_numbers(span))
        case Selected(_, number) if number > 1:
            yield replace(part, place=number - 1)


EXPRESSIONS: Shape[Any] = Shape(_children, _with_children, _simpler)


def smaller_files(case: Case) -> Iterator[Case]:
    """With fewer profiles, or a simpler one."""
    for file in EXPRESSIONS.smaller(case.file):
        yield replace(case, text=file_text(file))


REDUCTIONS: Sequence[Callable[[Case], Iterator[Case]]] = (fewer_events, smaller_files, plainer_events, earlier_events)
