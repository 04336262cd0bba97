"""Streams over a finite pool of occurrences, with truth values in any Boolean algebra.

A pool has k occurrences; its possible instances are the 2ᵏ - 1 non-empty sets of them, written as bit masks. A stream
over the pool says of each possible instance whether it belongs, as an element of some Boolean algebra: a truth table
over all streams at once (the exhaustive check), or a formula whose models a solver searches (counterexamples). The
operators act on such streams by their definitions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Generic, Protocol, TypeVar

from semantics.carlson_lisper.expressions import Bound, Expression, fold
from semantics.carlson_lisper.operators import (
    BOUND_NAME,
    OPERATORS,
    STREAM_NAMES,
    Comprehension,
    Operator,
    Operators,
    result_of,
)
from semantics.formulas import Scope, interpret, quantified_streams

TruthT = TypeVar("TruthT")
NumberT = TypeVar("NumberT")

Mask = int
"""A possible instance: the set of the pool's occurrences whose bits are set."""


class TruthAndTime(Protocol[TruthT, NumberT]):
    """A Boolean algebra and an ordered domain of times."""

    def earliest(self, times: Sequence[NumberT]) -> NumberT:
        """The least of several times."""

    def latest(self, times: Sequence[NumberT]) -> NumberT:
        """The greatest of several times."""

    def subtract(self, left: NumberT, right: NumberT) -> NumberT:
        """The difference of two times."""

    def compare(self, relation: str, left: NumberT, right: NumberT) -> TruthT:
        """The comparison of two times by `<`, `<=` or `=`."""

    def constant(self, value: bool) -> TruthT:
        """Truth or falsity."""

    def every(self, parts: Iterable[TruthT]) -> TruthT:
        """The conjunction."""

    def either(self, parts: Iterable[TruthT]) -> TruthT:
        """The disjunction."""

    def negate(self, part: TruthT) -> TruthT:
        """The negation."""

    def name(self, hint: str, part: TruthT) -> TruthT:
        """The same truth value, possibly under a name of its own so that it is written once."""


@dataclass(frozen=True)
class PoolStream(Generic[TruthT, NumberT]):
    """A stream over a pool: per possible instance, when it belongs. Instances not listed never do."""

    pool: Pool[TruthT, NumberT]
    belongs: Mapping[Mask, TruthT]

    def member(self, element: Mask) -> TruthT:
        """When the instance belongs to the stream."""
        return self.belongs.get(element, self.pool.algebra.constant(False))

    def some(self, body: Callable[[Mask], TruthT]) -> TruthT:
        """When some instance of the stream satisfies the body."""
        algebra = self.pool.algebra
        return algebra.either(algebra.every((body(mask), when)) for mask, when in self.belongs.items())

    def each(self, body: Callable[[Mask], TruthT]) -> TruthT:
        """When every instance of the stream satisfies the body."""
        algebra = self.pool.algebra
        return algebra.every(algebra.either((algebra.negate(when), body(mask))) for mask, when in self.belongs.items())


@dataclass(frozen=True)
class _Choice(Generic[TruthT]):
    """One choice of instances for the range variables of a comprehension.

    Attributes:
        guard: the condition, if it depends on the chosen instances alone; None if it asks about whole streams.
    """

    members: tuple[tuple[str, Mask], ...]
    elements: Mapping[str, Mask]
    result: Mask
    guard: TruthT | None


class Pool(Generic[TruthT, NumberT]):
    """The logic over a pool of occurrences with given times."""

    def __init__(self, algebra: TruthAndTime[TruthT, NumberT], times: Sequence[NumberT]) -> None:
        """Create the pool.

        Args:
            algebra: truth values and times.
            times: the time of each occurrence.
        """
        self.algebra = algebra
        self._choices: dict[tuple[Comprehension, NumberT | None], list[_Choice[TruthT]]] = {}
        self.instances = range(1, 2 ** len(times))
        members = {m: [t for bit, t in enumerate(times) if m >> bit & 1] for m in self.instances}
        self._start = {mask: algebra.earliest(own) for mask, own in members.items()}
        self._end = {mask: algebra.latest(own) for mask, own in members.items()}
        self.subtract = algebra.subtract
        self.compare = algebra.compare
        self.every = algebra.every
        self.either = algebra.either
        self.negate = algebra.negate

    def start(self, element: Mask) -> NumberT:
        """The start of a possible instance."""
        return self._start[element]

    def end(self, element: Mask) -> NumberT:
        """The end of a possible instance."""
        return self._end[element]

    def join(self, left: Mask, right: Mask) -> Mask:
        """The union of two possible instances."""
        return left | right

    def same(self, left: Mask, right: Mask) -> TruthT:
        """Whether two possible instances are the same set."""
        return self.algebra.constant(left == right)

    def stream(self, belongs: Mapping[Mask, TruthT]) -> PoolStream[TruthT, NumberT]:
        """A stream over this pool."""
        return PoolStream(self, belongs)

    def apply(
        self,
        definition: Operator,
        operands: Sequence[PoolStream[TruthT, NumberT]],
        bound: NumberT | None = None,
        hint: str = "",
    ) -> PoolStream[TruthT, NumberT]:
        """The stream that an operator yields, by enumeration of its comprehensions."""
        algebra, never = self.algebra, self.algebra.constant(False)
        streams = dict(zip(STREAM_NAMES, operands, strict=False))
        parameters = {} if bound is None else {BOUND_NAME: bound}
        found: dict[Mask, list[TruthT]] = {}
        for comprehension in definition.comprehensions:
            for choice in self._choices_of(comprehension, bound):
                members = [streams[stream].member(mask) for stream, mask in choice.members]
                if never in members:
                    continue
                guard = choice.guard
                if guard is None:
                    scope = Scope(choice.elements, streams, parameters)
                    guard = interpret(comprehension.condition, self, scope)
                found.setdefault(choice.result, []).append(algebra.every((*members, guard)))
        return self.stream(
            {mask: algebra.name(f"{hint}.{mask}", algebra.either(ways)) for mask, ways in sorted(found.items())}
        )

    def _choices_of(self, comprehension: Comprehension, bound: NumberT | None) -> list[_Choice[TruthT]]:
        """The choices for the range variables, without those that the condition always excludes."""
        known = self._choices.get((comprehension, bound))
        if known is not None:
            return known
        variables = [variable for variable, _ in comprehension.ranges]
        own = not quantified_streams(comprehension.condition)
        never = self.algebra.constant(False)
        parameters = {} if bound is None else {BOUND_NAME: bound}
        choices: list[_Choice[TruthT]] = []
        for masks in product(self.instances, repeat=len(variables)):
            elements = dict(zip(variables, masks, strict=True))
            scope = Scope(elements, {}, parameters)
            guard = interpret(comprehension.condition, self, scope) if own else None
            if guard != never:
                members = tuple((stream, elements[variable]) for variable, stream in comprehension.ranges)
                result = result_of(comprehension.result, self, scope)
                choices.append(_Choice(members, elements, result, guard))
        self._choices[comprehension, bound] = choices
        return choices

    def denotation(
        self,
        expression: Expression,
        streams: Mapping[str, PoolStream[TruthT, NumberT]],
        bound_value: Callable[[Bound], NumberT],
        operators: Operators = OPERATORS,
    ) -> PoolStream[TruthT, NumberT]:
        """⟦E⟧ over the pool, where identifiers denote the given streams."""
        counter = iter(range(1, 1_000_000))

        def operation(
            name: str, operands: Sequence[PoolStream[TruthT, NumberT]], bound: Bound | None
        ) -> PoolStream[TruthT, NumberT]:
            value = None if bound is None else bound_value(bound)
            return self.apply(operators[name], operands, value, f"{name}.{next(counter)}")

        return fold(expression, lambda name: streams[name], operation)
