"""Bodies: an expression in parts, inputs, timers, conditions, absences and head, in whatever order it nests them.

Joins commute with selections, timers and anti-semi-joins as long as time stamps stay, so an expression is a set of
inputs with conditions, timers and absences, and a head. Which inputs can be the last to arrive, and which are joined
only when a timer is due, is decided by what all conditions together imply (`semantics.bry_eckert.algebra.distances`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

from semantics.bry_eckert.algebra import plans
from semantics.bry_eckert.algebra.distances import Distances, Relevance, distances, maximal, of_condition, of_join
from semantics.bry_eckert.axioms import only_partner
from semantics.bry_eckert.temporal import Difference, Stamp, Timing, end
from semantics.errors import InputError

Input: TypeAlias = plans.Base | plans.Point
"""A relation that a body reads."""

Headed: TypeAlias = plans.Merge | plans.Project | plans.Group | plans.Select
"""An operator of a head."""


@dataclass(frozen=True)
class Absence:
    """A relation of which no tuple may lie in a window.

    Attributes:
        conditions: that a tuple lies in the window, and what else is selected.
        distances: what holds for a joined tuple with such a tuple.
    """

    input: Input
    conditions: tuple[plans.Condition, ...]
    distances: Distances

    @property
    def possible(self) -> bool:
        """Whether the conditions allow that a tuple lies in the window."""
        return not self.distances.contradictory


@dataclass(frozen=True)
class Body:
    """An expression in parts; inputs are said by their numbers, after which the relations of absences are numbered.

    Attributes:
        head: what is made of a joined tuple, from the inside: merging, projections, a grouping, selections after them.
        distances: what all conditions together imply.
    """

    expression: plans.Expression
    inputs: tuple[Input, ...]
    timers: tuple[Timing, ...]
    conditions: tuple[plans.Condition, ...]
    absences: tuple[Absence, ...]
    head: tuple[Headed, ...]
    distances: Distances

    @cached_property
    def names(self) -> tuple[tuple[str, ...], ...]:
        """The event identifiers of each input."""
        return tuple(plans.identifiers_of(given.schema) for given in self.inputs)

    @cached_property
    def late(self) -> tuple[int, ...]:
        """The inputs that always end before a timer: they are joined when it is due.

        An input that a timer is relative to is none of them.
        """
        origins = {timing.of for timing in self.timers}
        return tuple(
            number
            for number, names in enumerate(self.names)
            if origins.isdisjoint(names) and any(self._before(number, timing.into) for timing in self.timers)
        )

    @cached_property
    def core(self) -> tuple[int, ...]:
        """The inputs that are joined as they arrive."""
        return tuple(number for number in range(len(self.inputs)) if number not in self.late)

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The core inputs in the order in which what is new of them in a step is joined, and then stored.

        One that always ends no later than another one is before it.
        """

        def earlier(number: int) -> int:
            names = self.names[number]
            return sum(any(self._before(one, name, strict=False) for name in names) for one in self.core)

        return tuple(sorted(self.core, key=earlier))

    @cached_property
    def triggers(self) -> tuple[int, ...]:
        """The core inputs that can be the last to come, so that all others are stored when they are joined.

        The conditions have to allow that one of its ends is now, and all others have come.
        """

        def have_come(last: Stamp, place: int) -> Iterator[Difference]:
            for other, one in enumerate(self.order):
                for name in self.names[one]:
                    yield Difference(end(name), last, strict=other > place)

        return tuple(
            one
            for place, one in enumerate(self.order)
            if any(not self.distances.with_(have_come(end(name), place)).contradictory for name in self.names[one])
        )

    def lookups(self, number: int) -> tuple[Stamp, ...]:
        """The time stamps one of which is the time when a stored tuple of a relation is looked up.

        A tuple of the core is looked up when another one of the core arrives; all else when the last one has arrived
        or a timer is due.
        """
        core = [name for one in self.core if one != number for name in self.names[one]]
        timers = [timing.into for timing in self.timers]
        return tuple(map(end, core if number in self.core else [*core, *timers]))

    @property
    def relations(self) -> tuple[Input, ...]:
        """All relations that are read: the inputs, then those of the absences."""
        return (*self.inputs, *(absence.input for absence in self.absences))

    def relevance(self, number: int, plan: plans.Plan) -> tuple[Relevance, Relevance]:
        """How long a tuple of a relation is relevant: the maximal and the minimal condition."""
        given, inputs = self.relations[number], len(self.inputs)
        known = self.distances if number < inputs else self.absences[number - inputs].distances
        partner = self.partner(number)
        until = "" if partner is None else only_partner(given.schema, self.inputs[partner], plan)
        most = replace(maximal(known, given.schema, self.lookups(number)), until=until)
        return most, most.minimal(distances(given, plan))

    def partner(self, number: int) -> int | None:
        """The only input that a stored tuple of an input is looked up by: the other one of a core of two."""
        if number not in self.core or len(self.core) != 2:
            return None
        return next(one for one in self.core if one != number)

    def _before(self, number: int, identifier: str, *, strict: bool = True) -> bool:
        """Whether a tuple of an input always ends before an event; or no later, where it is not strict."""
        return all(
            self.distances.implies(Difference(end(name), end(identifier), strict=strict)) for name in self.names[number]
        )


def body_of(expression: plans.Expression, plan: plans.Plan) -> Body:
    """The parts of an expression.

    Raises:
        InputError: it computes or groups below a join; such an expression needs a materialization point there.
    """
    whole, head = expression, list[Headed]()
    while isinstance(_unselected(expression), plans.Merge | plans.Project | plans.Group):
        assert isinstance(expression, plans.Merge | plans.Project | plans.Group | plans.Select)
        head.insert(0, expression)
        expression = expression.operand
    inputs, timers = list[Input](), list[Timing]()
    conditions, absences = list[plans.Condition](), list[Absence]()

    def collect(part: plans.Expression) -> None:
        match part:
            case plans.Base() | plans.Point():
                inputs.append(part)
            case plans.Join(left, right):
                collect(left)
                collect(right)
            case plans.Timer(timing, operand):
                collect(operand)
                timers.append(timing)
            case plans.Select(condition, operand):
                collect(operand)
                conditions.append(condition)
            case plans.AntiSemiJoin(left, right, inside):
                collect(left)
                known, selected = of_condition(of_join(expression, right, plan), inside), [*_selected(right)]
                absent = _unselected(right)
                if not isinstance(absent, plans.Base | plans.Point):
                    remedy = "Give it a materialization point of its own."
                    raise InputError("what is absent has to be one relation", remedy=remedy)
                absences.append(Absence(absent, (inside, *selected), known))
            case _:
                remedy = "Give that part a materialization point of its own."
                raise InputError(f"a plan has {type(part).__name__.lower()} below a join", remedy=remedy)

    collect(expression)
    parts = tuple(inputs), tuple(timers), tuple(conditions), tuple(absences), tuple(head)
    return Body(whole, *parts, distances(expression, plan))


def _unselected(expression: plans.Expression) -> plans.Expression:
    """An expression without the selections above it."""
    while isinstance(expression, plans.Select):
        expression = expression.operand
    return expression


def _selected(expression: plans.Expression) -> Iterator[plans.Condition]:
    while isinstance(expression, plans.Select):
        yield expression.condition
        expression = expression.operand
