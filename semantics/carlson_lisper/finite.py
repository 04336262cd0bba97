"""The logic of finite streams: formulas and operators evaluated on sets of instances, word for word."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import reduce
from itertools import product
from math import prod
from typing import Any, Generic, Protocol, Self, TypeVar

from semantics.carlson_lisper.operators import BOUND_NAME, STREAM_NAMES, Comprehension, Operator
from semantics.carlson_lisper.staged import staged_condition
from semantics.errors import LimitExceeded
from semantics.formulas import RELATIONS, quantified_streams


class Spanned(Protocol):
    """What has a start and an end in ticks and can be joined: an instance, or a bare interval."""

    @property
    def start(self) -> int:
        """The start, in ticks."""

    @property
    def end(self) -> int:
        """The end, in ticks."""

    def join(self, other: Self, /) -> Self:
        """The union: from the earlier start to the later end."""


CHECKS_PER_CANDIDATE = 25
"""How many comparisons under a quantifier cost about as much as building one instance."""

SpannedT = TypeVar("SpannedT", bound=Spanned)


class FiniteLogic(Generic[SpannedT]):
    """Truth values are Python's, times are integers, elements are instances or intervals."""

    def start(self, element: Spanned) -> int:
        """The start of the instance."""
        return element.start

    def end(self, element: Spanned) -> int:
        """The end of the instance."""
        return element.end

    def join(self, left: SpannedT, right: SpannedT) -> SpannedT:
        """The union, by the elements' own `join`."""
        return left.join(right)

    def subtract(self, left: int, right: int) -> int:
        """The difference in ticks."""
        return left - right

    def compare(self, relation: str, left: int, right: int) -> bool:
        """The comparison by name."""
        return RELATIONS[relation](left, right)

    def same(self, left: object, right: object) -> bool:
        """Equality of instances."""
        return left == right

    def every(self, parts: Iterable[bool]) -> bool:
        """All of the parts, lazily."""
        return all(parts)

    def either(self, parts: Iterable[bool]) -> bool:
        """Any of the parts, lazily."""
        return any(parts)

    def negate(self, part: bool) -> bool:
        """The negation."""
        return not part


FINITE_LOGIC: FiniteLogic[Any] = FiniteLogic()


class FiniteStream:
    """A finite set of elements as formulas see it."""

    def __init__(self, elements: Iterable[Spanned]) -> None:
        """Wrap the elements; they are kept as a set."""
        self.elements: Set[Spanned] = frozenset(elements)

    def member(self, element: Spanned) -> bool:
        """Whether the element belongs to the set."""
        return element in self.elements

    def some(self, body: Callable[[Spanned], bool]) -> bool:
        """Whether the body holds for some element."""
        return any(map(body, self.elements))

    def each(self, body: Callable[[Spanned], bool]) -> bool:
        """Whether the body holds for every element."""
        return all(map(body, self.elements))


ChosenT = TypeVar("ChosenT")


class Watch(Protocol):
    """Sees the candidates of one comprehension go by, so that somebody can be told how far an evaluation is."""

    def __call__(self, definition: Operator, number: int, candidates: Iterator[ChosenT]) -> Iterator[ChosenT]:
        """Hand all candidates on, in the same order; `number` says how many there are."""


def unwatched(definition: Operator, number: int, candidates: Iterator[ChosenT]) -> Iterator[ChosenT]:
    """Hands the candidates on; nobody is told."""
    return candidates


def apply_operator(
    definition: Operator,
    streams: Sequence[frozenset[SpannedT]],
    bound: int | None = None,
    *,
    quantified: Sequence[Set[Spanned]] | None = None,
    limit: int | None = None,
    watched: Watch = unwatched,
) -> frozenset[SpannedT]:
    """The stream that an operator yields from finite streams, by enumeration of its comprehensions.

    Args:
        bound: the time τ in ticks, for the temporal restriction.
        quantified: the streams that quantifiers inside the conditions range over, where they differ from `streams`
            (a part of the instances can be asked for while absence still means absence from the whole stream).
        limit: the greatest number of candidates that may be tried; comparisons under quantifiers may be
            `CHECKS_PER_CANDIDATE` times as many.
        watched: sees the candidates of each comprehension before they are tried.

    Raises:
        LimitExceeded: the limit would be exceeded.
    """
    whole = dict(zip(STREAM_NAMES, quantified or streams, strict=False))
    ranged = dict(zip(STREAM_NAMES, streams, strict=False))
    result: set[SpannedT] = set()
    for comprehension in definition.comprehensions:
        if limit is not None:
            _check_limit(comprehension, ranged, whole, limit, definition.title)
        variables = [variable for variable, _ in comprehension.ranges]
        holds = staged_condition(comprehension)
        environment: dict[str, Any] = {**whole, BOUND_NAME: bound}
        pools = [ranged[stream] for _, stream in comprehension.ranges]
        for chosen in watched(definition, prod(map(len, pools)), product(*pools)):
            environment.update(zip(variables, chosen, strict=True))
            if holds(environment):
                result.add(reduce(_join, [environment[name] for name in comprehension.result]))
    return frozenset(result)


def _check_limit(
    comprehension: Comprehension,
    ranged: Mapping[str, Set[Any]],
    whole: Mapping[str, Set[Any]],
    limit: int,
    title: str,
) -> None:
    candidates = prod(len(ranged[stream]) for _, stream in comprehension.ranges)
    if candidates > limit:
        raise LimitExceeded(
            f"a {title} has {candidates:,} candidate instances, more than the limit of {limit:,}"
        )
    checks = candidates * prod(len(whole[stream]) for stream in quantified_streams(comprehension.condition))
    if checks > limit * CHECKS_PER_CANDIDATE:
        raise LimitExceeded(
            f"a {title} has {checks:,} pairs of instances to compare,"
            f" more than the limit of {limit * CHECKS_PER_CANDIDATE:,}"
        )


def _join(left: SpannedT, right: SpannedT) -> SpannedT:
    return left.join(right)
