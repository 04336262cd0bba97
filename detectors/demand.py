"""What a program that works with starts has to know of each subexpression, and what it can look up.

A start carries its matches in the sequences that will ask for them (`detectors.carried`): which these are, follows from
the steps, from the whole expression down.

Where a stretch of a trace is at hand, some event types are looked up instead of walked through. The left side of a
sequence and the right side of a negation are only asked for their latest start before some time. If such a side is an
event type, or a disjunction of some, its instances are points in time, and the answer stands in the trace: in the
sorted times of each type, or in a bit plane of a dense block. Then only the other event types have to be walked
through, often a small part of the trace. What a start carries for a sequence whose left side is looked up, is the match
that came before the stretch; the one within the stretch is looked for when it is asked for.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeAlias

from detectors.carried import START, Suffix, match_in, of_now, sequences
from detectors.figure2 import STEPS, StepFactory
from detectors.parts import Part, parts
from detectors.protocol import event_types
from detectors.specialisation import StartRewriting
from detectors.steps import SequenceStep
from detectors.templates import placed
from semantics.expressions import Expression, Identifier, Operation

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

    @property
    def result(self) -> str:
        """The variable with the start of the expression's current instance."""
        return f"a{len(self.parts)}"


Lookup: TypeAlias = Callable[[ast.expr], ast.expr]
"""Makes of a time the expression for the latest time of a side before it, or -1."""


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
    assert part.place is not None
    rewriting = StartRewriting(part.place, part.suffixes)
    rewriting.statements()
    place = part.place
    return " ".join(
        f"{variable}{suffix}"
        for variable, suffixes in rewriting.needs.items()
        if variable in (place.left, place.right, place.match)
        for suffix in suffixes
    )


# --------------------------------------------------------------------------------------------------------- lookups


def in_columns(operation: LookedUp, names: Sequence[str]) -> Lookup:
    """Looks a side up in the sorted times of its event types, searched from where the last search ended.

    Where that was, is kept by operation and column.
    """

    def before(time: ast.expr) -> ast.expr:
        found = [
            _call("latest_point", f"c{column}", "hints", len(names) * operation.part.number + column, time)
            for column in map(names.index, operation.names)
        ]
        return found[0] if len(found) == 1 else _call("max", *found)

    return before


def in_plane(operation: LookedUp) -> Lookup:
    """Looks a side up in a bit plane that says at which instants of a block one of its event types occurs."""

    def before(time: ast.expr) -> ast.expr:
        return _call("latest_in", f"plane{operation.part.number}", time, "base")

    return before


def _call(function: str, *arguments: ast.expr | str | int) -> ast.expr:
    nodes = [
        ast.Name(argument, ast.Load())
        if isinstance(argument, str)
        else ast.Constant(argument)
        if isinstance(argument, int)
        else argument
        for argument in arguments
    ]
    return ast.Call(ast.Name(function, ast.Load()), nodes, [])


def _load(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _assign(name: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], value)


def lookup_statements(operation: LookedUp, before: Lookup) -> list[ast.stmt]:
    """The statements of an operation with a side that is looked up."""
    part = operation.part
    place = part.place
    assert place is not None
    asked = place.right if operation.sequence else place.left
    exists = ast.Compare(_load(asked), [ast.GtE()], [ast.Constant(0)])
    nothing = [
        _assign(place.result + suffix, ast.UnaryOp(ast.USub(), ast.Constant(1))) for suffix in part.suffixes
    ]
    if operation.sequence:
        earlier = [_assign(place.result + suffix, _load(place.match + suffix)) for suffix in part.suffixes]
        names = [f"{place.result}{suffix}" for suffix in part.suffixes]
        looked_up = _later(place.result, before(_load(asked)), names)
        return [*nothing, ast.If(exists, [*earlier, *looked_up], [])]
    # The step of a negation keeps the greatest start of its right side so far. It may as well be told all of it at
    # once, when there is a left instance to compare with: the latest time up to now.
    now = ast.BinOp(_load("now"), ast.Add(), ast.Constant(1))
    step = StartRewriting(place, part.suffixes).statements()
    return [*nothing, ast.If(exists, [_assign(place.right, before(now)), *step], [])]


def after_lookups(
    wanted: Demand, variables: Collection[str], lookup: Callable[[LookedUp], Lookup], end: str
) -> list[ast.stmt]:
    """The statements after a stretch: what was not carried because it could be looked up there, is from now on.

    Args:
        wanted: what the program asks for.
        variables: in which starts are kept between instants.
        lookup: looks up a side in the stretch.
        end: the text of the first instant after the stretch.
    """
    statements: list[ast.stmt] = []
    for number in sorted(wanted.looked_up):  # inner sequences first: their matches carry those of outer ones
        operation = wanted.looked_up[number]
        before = lookup(operation)
        if operation.sequence:
            asking = [name for name in variables if name + match_in(number) in variables]
            for name in asking:
                statements += _later(name + match_in(number), before(_load(name)), variables)
        statements += _later(f"t{number}", before(ast.parse(end, mode="eval").body), variables)
    return statements


def _later(name: str, point: ast.expr, variables: Collection[str]) -> list[ast.stmt]:
    """A start is replaced by a point in time if that is later; the matches of a point are those of the present."""
    carried = [other.removeprefix(name) for other in variables if other.startswith(f"{name}_")]
    replaced = [_assign(name + suffix, _load(of_now(suffix))) for suffix in carried]
    is_later = ast.Compare(_load(name), [ast.Lt()], [_load("point")])
    return [_assign("point", point), ast.If(is_later, [*replaced, _assign(name, _load("point"))], [])]
