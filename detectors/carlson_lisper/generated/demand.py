"""Demand analysis: the starts that a program asks of each subexpression, and what it can look up instead.

A start carries its matches in the sequences that will ask for them
(`detectors.carlson_lisper.generated.carried`): which these are, follows from
the steps, from the whole expression down.

Where a stretch of a trace is at hand, some event types are looked up instead of walked through. The left side of a
sequence and the right side of a negation are only asked for their latest start before some time. If such a side is an
event type, or a disjunction of some, its instances are points in time, and the answer stands in the trace: in the
sorted times of each type, or in a bit plane of a dense block. Then only the other event types have to be walked
through, often a small part of the trace (`detectors.carlson_lisper.fast.lookups`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from detectors.carlson_lisper.generated.carried import START, Suffix, match_in, sequences
from detectors.carlson_lisper.generated.parts import Part, parts
from detectors.carlson_lisper.generated.specialisation import StartRewriting
from detectors.carlson_lisper.generated.templates import placed
from detectors.carlson_lisper.protocol import event_types
from detectors.carlson_lisper.source.figure2 import STEPS, StepFactory
from detectors.carlson_lisper.source.steps import SequenceStep
from semantics.carlson_lisper.expressions import Expression, Identifier, Operation

START_STEPS: Mapping[str, StepFactory] = {**STEPS, "seq": lambda _: SequenceStep()}
"""The step of each operator: sequences keep no candidates, so any step of theirs will do."""

MAX_CHAIN = 3
"""A start carries at most so many matches one after the other for sequences that are looked up, because what it carries
for these is asked for one by one; for others only the last one is."""


@dataclass(frozen=True)
class LookedUp:
    """An operation with a side that is looked up.

    Attributes:
        part: the operation.
        names: the event types of the side.
    """

    part: Part
    names: tuple[str, ...]

    @property
    def sequence(self) -> bool:
        """Whether it is a sequence, whose left side is looked up; a negation's right side otherwise."""
        return _is_sequence(self.part)


@dataclass(frozen=True)
class Demand:
    """What a program asks for.

    Attributes:
        parts: all subexpressions with what their instances carry, bottom-up.
        names: the event types.
        walked: the parts that are computed at every instant that is walked through.
        looked_up: the operations of these with a side that is looked up, by number.
        drivers: the event types whose times are walked through.
    """

    parts: tuple[Part, ...]
    names: tuple[str, ...]
    walked: tuple[Part, ...]
    looked_up: dict[int, LookedUp]
    drivers: tuple[str, ...]


def points(expression: Expression) -> tuple[str, ...]:
    """The event types of a disjunction of event types; none if the expression is anything else."""
    if isinstance(expression, Identifier):
        return (expression.name,)
    if isinstance(expression, Operation) and expression.operator == "dis":
        left, right = map(points, expression.operands)
        return tuple(dict.fromkeys([*left, *right])) if left and right else ()
    return ()


@lru_cache(maxsize=256)
def demand(expression: Expression) -> Demand:
    """What a program for an expression asks for."""
    found = parts(expression, START_STEPS)
    names = tuple(event_types(expression))
    as_good_walked: set[int] = set()
    while True:
        wanted = _demand(found, names, as_good_walked)
        new = {
            number
            for number, operation in wanted.looked_up.items()
            if set(operation.names) <= set(wanted.drivers)
        }
        if not new:
            return wanted
        as_good_walked |= new


def _demand(found: Sequence[Part], names: tuple[str, ...], excepted: Collection[int]) -> Demand:
    """The demand if all sides are looked up that can be, but for those of some operations."""
    numbers = {part.expression: part.number for part in found}
    carried: dict[int, set[Suffix]] = {part.number: set() for part in found}
    carried[found[-1].number].add(START)
    walked = {found[-1].number}
    looked_up: dict[int, LookedUp] = {}
    carrying_parts: list[Part] = []
    for any_part in reversed(found):
        part = replace(any_part, suffixes=_ordered(carried[any_part.number]))
        carrying_parts.append(part)
        if not isinstance(part.expression, Operation):
            continue
        operands = [numbers[operand] for operand in part.expression.operands]
        for number, suffix in read_by_step(part):
            carried[number].add(suffix)
        if part.number not in walked:
            continue
        side = {"seq": 0, "neg": 1}.get(part.expression.operator)
        if side is not None and part.number not in excepted and _can_be_asked_later(part, looked_up):
            types = points(part.expression.operands[side])
            if types:
                looked_up[part.number] = LookedUp(part, types)
                del operands[side]
                carried[operands[0]].add(START)  # to look up before when
        walked |= set(operands)
    everything = tuple(reversed(carrying_parts))
    kept = tuple(part for part in everything if part.number in walked)
    drivers = {part.expression.name for part in kept if isinstance(part.expression, Identifier)}
    return Demand(everything, names, kept, looked_up, tuple(name for name in names if name in drivers))


def _ordered(suffixes: Collection[Suffix]) -> tuple[Suffix, ...]:
    return tuple(sorted(suffixes, key=lambda suffix: (suffix.count("_"), sequences(suffix))))


def _can_be_asked_later(part: Part, looked_up: Collection[int]) -> bool:
    """Whether the match of a sequence can be found out when it is asked for: also what that match carries."""
    chains = [sequences(suffix) for suffix in part.suffixes]
    return not _is_sequence(part) or all(
        len(chain) < MAX_CHAIN and all(number in looked_up for number in chain) for chain in chains
    )


def _is_sequence(part: Part) -> bool:
    return isinstance(part.expression, Operation) and part.expression.operator == "seq"


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
