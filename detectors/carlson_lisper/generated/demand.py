"""Demand analysis: the starts that a program asks of each subexpression.

A start carries its matches in the sequences that will ask for them (`detectors.carlson_lisper.generated.carried`):
which these are, follows from the steps, from the whole expression down.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

from detectors.carlson_lisper.generated.carried import START, Suffix, match_in, sequences
from detectors.carlson_lisper.generated.parts import Part, parts
from detectors.carlson_lisper.generated.specialisation import StartRewriting
from detectors.carlson_lisper.generated.templates import placed
from detectors.carlson_lisper.source.figure2 import STEPS, StepFactory
from detectors.carlson_lisper.source.steps import SequenceStep
from semantics.carlson_lisper.expressions import Expression, Identifier, Operation

START_STEPS: Mapping[str, StepFactory] = {**STEPS, "seq": lambda _: SequenceStep()}
"""The step of each operator: sequences keep no candidates, so any step of theirs will do."""


def points(expression: Expression) -> tuple[str, ...]:
    """The event types of a disjunction of event types; none if the expression is anything else."""
    if isinstance(expression, Identifier):
        return (expression.name,)
    if isinstance(expression, Operation) and expression.operator == "dis":
        left, right = map(points, expression.operands)
        return tuple(dict.fromkeys([*left, *right])) if left and right else ()
    return ()


@lru_cache(maxsize=256)
def demand(expression: Expression) -> tuple[Part, ...]:
    """All subexpressions of the transformed expression, bottom-up, with what their instances carry."""
    found = parts(expression, START_STEPS)
    carried: dict[int, set[Suffix]] = {part.number: set() for part in found}
    carried[found[-1].number].add(START)
    carrying_parts: list[Part] = []
    for any_part in reversed(found):
        part = replace(any_part, suffixes=_ordered(carried[any_part.number]))
        carrying_parts.append(part)
        if isinstance(part.expression, Operation):
            for number, suffix in read_by_step(part):
                carried[number].add(suffix)
    return tuple(reversed(carrying_parts))


def _ordered(suffixes: Collection[Suffix]) -> tuple[Suffix, ...]:
    return tuple(sorted(suffixes, key=lambda suffix: (suffix.count("_"), sequences(suffix))))


def read_by_step(part: Part) -> Iterator[tuple[int, Suffix]]:
    """What a step reads of its operands: the number of each, and what its instance has to carry for that."""
    for name in placed(part, _read).split():
        operand, _, rest = name.partition("_")
        yield int(operand[1:]), match_in(rest) if rest else START


def _read(part: Part) -> str:
    place = part.place
    assert place is not None
    return " ".join(
        f"{variable}{suffix}"
        for variable, suffixes in needs(part).items()
        if variable in (place.left, place.right, place.match)
        for suffix in suffixes
    )


def needs(part: Part) -> Mapping[str, Collection[Suffix]]:
    """What each variable of a step has to carry for its result."""
    assert part.place is not None
    rewriting = StartRewriting(part.place, part.suffixes)
    rewriting.statements()
    return rewriting.needs
