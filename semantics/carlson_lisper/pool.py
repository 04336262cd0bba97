"""Streams over a finite pool of occurrences, with truth values in any Boolean algebra.

A pool has k occurrences; its possible instances are the 2ᵏ - 1 non-empty sets of them, written as bit masks. A stream
over the pool says of each possible instance whether it belongs, as an element of some Boolean algebra: a truth table
over all streams at once (the exhaustive check), or a formula whose models a solver searches (counterexamples).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Generic, Protocol, TypeAlias, TypeVar

from semantics.carlson_lisper.operators import BOUND_NAME, STREAM_NAMES, Comprehension, Operator, result_of
from semantics.formulas import Exists, ForAll, In, Scope, Truths, interpret, subformulas

TruthT = TypeVar("TruthT")
NumberT = TypeVar("NumberT")

Mask = int  # A possible instance: the set of the pool's occurrences whose bits are set


_Choice: TypeAlias = tuple[Mapping[str, Mask], Mask, TruthT | None]
"""Instances by variable, the result, and the condition if it depends on the instances alone."""


class Algebra(Truths[TruthT, NumberT], Protocol[TruthT, NumberT]):
    """A Boolean algebra with constants, and an ordered domain of times."""

    def constant(self, value: bool) -> TruthT: ...  # noqa: D102
    def name(self, hint: str, part: TruthT) -> TruthT:
        """The same truth value, possibly under a name of its own so that it is written once."""


@dataclass(frozen=True)
class PoolStream(Generic[TruthT, NumberT]):
    """A stream over a pool: per possible instance, when it belongs. Instances not listed never do."""

    algebra: Algebra[TruthT, NumberT]
    belongs: Mapping[Mask, TruthT]

    def member(self, element: Mask) -> TruthT:
        """When the instance belongs to the stream."""
        return self.belongs.get(element, self.algebra.constant(False))

    def some(self, body: Callable[[Mask], TruthT]) -> TruthT:
        """When some instance of the stream satisfies the body."""
        every = self.algebra.every
        return self.algebra.either(every((body(mask), when)) for mask, when in self.belongs.items())

    def each(self, body: Callable[[Mask], TruthT]) -> TruthT:
        """When every instance of the stream satisfies the body."""
        either, negate = self.algebra.either, self.algebra.negate
        return self.algebra.every(either((negate(when), body(mask))) for mask, when in self.belongs.items())


class Pool(Generic[TruthT, NumberT]):
    """The logic over a pool of occurrences at given times, in ascending order."""

    def __init__(self, algebra: Algebra[TruthT, NumberT], times: Sequence[NumberT]) -> None:
        self.algebra, self.times = algebra, times
        self.instances = range(1, 2 ** len(times))
        self.subtract, self.compare = algebra.subtract, algebra.compare
        self.every, self.either, self.negate = algebra.every, algebra.either, algebra.negate
        self._choices: dict[tuple[Comprehension, NumberT | None], list[_Choice[TruthT]]] = {}

    def start(self, element: Mask) -> NumberT:
        """The start of a possible instance."""
        return self.times[(element & -element).bit_length() - 1]

    def end(self, element: Mask) -> NumberT:
        """The end of a possible instance."""
        return self.times[element.bit_length() - 1]

    def join(self, left: Mask, right: Mask) -> Mask:
        """The union of two possible instances."""
        return left | right

    def same(self, left: Mask, right: Mask) -> TruthT:
        """Whether two possible instances are the same set."""
        return self.algebra.constant(left == right)

    def stream(self, belongs: Mapping[Mask, TruthT]) -> PoolStream[TruthT, NumberT]:
        """A stream over this pool."""
        return PoolStream(self.algebra, belongs)

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
        found: dict[Mask, list[TruthT]] = {}
        for comprehension in definition.comprehensions:
            for elements, result, guard in self._choices_of(comprehension, bound):
                members = [streams[stream].member(elements[variable]) for variable, stream in comprehension.ranges]
                if never in members:
                    continue
                if guard is None:
                    guard = interpret(comprehension.condition, self, Scope(elements, streams, _parameters(bound)))
                found.setdefault(result, []).append(algebra.every((*members, guard)))
        return self.stream(
            {mask: algebra.name(f"{hint}.{mask}", algebra.either(ways)) for mask, ways in sorted(found.items())}
        )

    def _choices_of(self, comprehension: Comprehension, bound: NumberT | None) -> list[_Choice[TruthT]]:
        """The choices of instances for the range variables, without those that the condition always excludes."""
        if (comprehension, bound) not in self._choices:
            choices = self._choices[comprehension, bound] = []
            of_streams = (isinstance(part, Exists | ForAll | In) for part in subformulas(comprehension.condition))
            own, never = not any(of_streams), self.algebra.constant(False)
            for masks in product(self.instances, repeat=len(comprehension.ranges)):
                elements = {variable: mask for (variable, _), mask in zip(comprehension.ranges, masks, strict=True)}
                scope = Scope(elements, {}, _parameters(bound))
                guard = interpret(comprehension.condition, self, scope) if own else None
                if guard != never:
                    choices.append((elements, result_of(comprehension.result, self, scope), guard))
        return self._choices[comprehension, bound]


def _parameters(bound: NumberT | None) -> dict[str, NumberT]:
    return {} if bound is None else {BOUND_NAME: bound}
