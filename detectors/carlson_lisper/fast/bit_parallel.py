"""Bit-parallel detection of short instances: 64 instants in an operation on words.

Plane `d` of an expression has a bit for each instant: whether an instance ends there whose start, the latest of those
that end there, was `d` ticks ago. Where no instance is longer than a few ticks, these planes are the restricted stream,
and each operator is a handful of operations on words. Which these are follows from the definitions of the operators at
the level of intervals, where restricted operands suffice (Thm 4.6). A second kind of plane, *recent*, says at each
instant whether something that has ended by then started `g` ticks ago: what a sequence, a conjunction and a negation
ask of an operand.

A length is all that is needed of what came before, so the planes have no state from stretch to stretch: what ends in a
stretch is known from its letters and those of `bound` ticks before it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import TypeAlias

from detectors.carlson_lisper.generated.demand import points
from detectors.carlson_lisper.source.transformation import transform
from semantics.carlson_lisper.expressions import Expression, Label, Operation, bottom_up, evaluate_bound

MAX_BOUND = 63
"""Instances of more ticks would reach back further than the word before."""

MAX_OPERATIONS = 200
"""More operations on a word may take longer than to walk through its instants."""

WORTH = 1 << 16
"""In shorter stretches, what is done one by one at both ends takes longer than words save."""

MAX_PARTS = 100
"""More subexpressions would be too deep for functions that call themselves."""

Plane: TypeAlias = str | None
"""The name of a plane; None for one without bits."""

Planes: TypeAlias = list[Plane]
"""Plane `d` at place `d`; those behind the last have no bits."""


@dataclass(frozen=True)
class BitParallel:
    """The program of an expression for one word of instants.

    Attributes:
        bound: no instance is longer, in ticks.
        filled: the planes that are taken from the letters, by the event types of which one has to occur.
        statements: compute the other planes.
        carried: the planes of which the word before is needed.
        detected: the plane with the ends of all detections.
        digits: the binary digits of the ages of these, the lowest first; None where all are 0.
    """

    bound: int
    filled: Mapping[str, tuple[str, ...]]
    statements: tuple[str, ...]
    carried: tuple[str, ...]
    detected: str
    digits: tuple[Plane, ...]

    @property
    def busy(self) -> float:
        """In what share of the letters something has to occur; a walk skips the others."""
        return max(0, len(self.statements) - 40) / 1000


@cache
def bit_parallel(expression: Expression) -> BitParallel | None:
    """The program of an expression, or None if its instances are too long or it takes too many operations."""
    bound: Label = transform(expression).bound
    if bound > MAX_BOUND or len(bottom_up(expression)) > MAX_PARTS:
        return None
    program = _Program()
    try:
        planes = program.restricted(expression, int(bound))
        detected = program.either(*planes)
        digits = [
            program.either(*(plane for age, plane in enumerate(planes) if age >> digit & 1))
            for digit in range(int(bound).bit_length())
        ]
    except _TooLong:
        return None
    if detected is None:
        return None
    carried = tuple(dict.fromkeys(program.carried))
    return BitParallel(
        int(bound), program.filled, tuple(program.statements), carried, detected, tuple(digits)
    )


def words_for(
    expression: Expression, instants: int, worth: int = WORTH, busy: float = 1.0
) -> BitParallel | None:
    """The program to take for a stretch of so many instants; None if they are better walked through.

    Args:
        expression: what is detected.
        instants: how many letters there are.
        worth: how many there have to be at least.
        busy: in what share of them something occurs.
    """
    program = bit_parallel(expression) if instants >= worth else None
    return None if program is None or instants <= program.bound or busy < program.busy else program


class _TooLong(Exception):
    """A program takes more than `MAX_OPERATIONS`."""


class _Program:
    """A program that is being written; equal operations are written once."""

    def __init__(self) -> None:
        self.filled: dict[str, tuple[str, ...]] = {}
        self.statements: list[str] = []
        self.carried: list[str] = []
        self._names: dict[object, str] = {}
        self._known: dict[tuple[str, Expression, int], Planes] = {}

    # ------------------------------------------------------------------------------------------ operations on words

    def _named(self, value: str) -> str:
        name = self._names.get(value)
        if name is None:
            if len(self.statements) >= MAX_OPERATIONS:
                raise _TooLong
            name = self._names[value] = f"w{len(self._names)}"
            self.statements.append(f"{name} = {value}")
        return name

    def either(self, *planes: Plane) -> Plane:
        """Where one of some planes has a bit."""
        found: Plane = None
        for plane in planes:
            if found is None or plane is None or found == plane:
                found = found or plane
            else:
                found = self._named(f"{found} | {plane}")
        return found

    def both(self, one: Plane, other: Plane) -> Plane:
        """Where two planes have a bit."""
        if one is None or other is None or one == other:
            return None if one is None or other is None else one
        return self._named(f"{one} & {other}")

    def without(self, one: Plane, other: Plane) -> Plane:
        """Where the first of two planes has a bit and the second has none."""
        if one is None or other is None or one == other:
            return None if one == other else one
        return self._named(f"{one} & ~{other}")

    def later(self, plane: Plane, ticks: int) -> Plane:
        """The bits of a plane, moved so many ticks on."""
        if plane is None or ticks == 0:
            return plane
        self.carried.append(plane)
        return self._named(f"moved({plane}, before_{plane}, {ticks})")

    # ----------------------------------------------------------------------------------------- planes of expressions

    def restricted(self, expression: Expression, limit: int) -> Planes:
        """Plane `d`: an instance ends here, and the latest start of one was `d` ticks ago; up to a limit."""
        return self._once("restricted", expression, limit, self._restricted)

    def recent(self, expression: Expression, limit: int) -> Planes:
        """Plane `g`: an instance that has ended by now started `g` ticks ago; for each `g` up to a limit."""
        return self._once("recent", expression, limit, self._recent)

    def recently(self, expression: Expression, limit: int) -> Planes:
        """Plane `g`: an instance that has ended by now started at most `g` ticks ago."""
        return self._once("recently", expression, limit, self._recently)

    def _once(
        self, kind: str, expression: Expression, limit: int, make: Callable[[Expression, int], Planes]
    ) -> Planes:
        known = self._known.get((kind, expression, limit))
        if known is None:
            known = self._known[kind, expression, limit] = make(expression, limit)
        return known

    def _restricted(self, expression: Expression, limit: int) -> Planes:
        if types := points(expression):
            name = self._names.setdefault(types, f"w{len(self._names)}")
            self.filled[name] = types
            return [name]
        assert isinstance(expression, Operation)
        if expression.operator == "tim":
            assert expression.bound is not None
            return self.restricted(expression.operands[0], min(limit, evaluate_bound(expression.bound)))
        left, right = expression.operands
        return self._first(_OPERATORS[expression.operator](self, left, right, limit))

    def _recent(self, expression: Expression, limit: int) -> Planes:
        ended_now = self.restricted(expression, limit)
        planes: Planes = []
        for ticks in range(limit + 1):
            before = self.later(planes[-1], 1) if planes else None
            planes.append(self.either(before, _plane(ended_now, ticks)))
        return planes

    def _recently(self, expression: Expression, limit: int) -> Planes:
        planes: Planes = []
        for plane in self.recent(expression, limit):
            planes.append(self.either(planes[-1] if planes else None, plane))
        return planes

    def _first(self, planes: Sequence[Plane]) -> Planes:
        """Of each bit that is in several planes, the one in the first of them: the latest start."""
        seen: Plane = None
        kept: Planes = []
        for plane in planes:
            kept.append(self.without(plane, seen))
            seen = self.either(seen, plane)
        while kept and kept[-1] is None:
            kept.pop()
        return kept


def _plane(planes: Planes, number: int) -> Plane:
    return planes[number] if number < len(planes) else None


def _disjunction(program: _Program, left: Expression, right: Expression, limit: int) -> Planes:
    lefts, rights = program.restricted(left, limit), program.restricted(right, limit)
    return [program.either(_plane(lefts, age), _plane(rights, age)) for age in range(limit + 1)]


def _conjunction(program: _Program, left: Expression, right: Expression, limit: int) -> Planes:
    # One of the two ends now; the other one has ended by now, and one of them is as old as the whole.
    planes: list[Plane] = [None] * (limit + 1)
    for now, other in ((left, right), (right, left)):
        ending = program.restricted(now, limit)
        recent, recently = program.recent(other, limit), program.recently(other, limit)
        ended: Plane = None
        for age in range(limit + 1):
            ended = program.either(ended, _plane(ending, age))
            planes[age] = program.either(
                planes[age],
                program.both(_plane(ending, age), recently[age]),
                program.both(ended, recent[age]),
            )
    return planes


def _negation(program: _Program, left: Expression, right: Expression, limit: int) -> Planes:
    lefts = program.restricted(left, limit)
    if not lefts:
        return []
    within = program.recently(right, len(lefts) - 1)
    return [program.without(plane, _plane(within, age)) for age, plane in enumerate(lefts)]


def _sequence(program: _Program, left: Expression, right: Expression, limit: int) -> Planes:
    if limit == 0:
        return []
    rights, lefts = program.restricted(right, limit - 1), program.recent(left, limit - 1)
    planes: Planes = [None]
    for age in range(1, limit + 1):
        # The right one started so many ticks ago, the left one had ended a tick before.
        found = [
            program.both(_plane(rights, started), program.later(lefts[age - started - 1], started + 1))
            for started in range(min(age, len(rights)))
        ]
        planes.append(program.either(*found))
    return planes


_Operator: TypeAlias = Callable[[_Program, Expression, Expression, int], Planes]

_OPERATORS: Mapping[str, _Operator] = MappingProxyType(
    {"dis": _disjunction, "con": _conjunction, "neg": _negation, "seq": _sequence}
)
"""Where an operation's instances end, by the ticks since they started: more than the latest of each end may be said."""
