"""Denotation at the instance level: the meaning of an expression on finite streams, word for word (Def. 3.11).

Formulas are evaluated on finite sets of instances or intervals in two ways: interpreted at once (`FINITE_LOGIC`), or
compiled to a function of an environment, an order of magnitude faster, for what is asked of every candidate.
"""

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import cache, reduce
from itertools import product
from math import prod
from operator import attrgetter, itemgetter
from typing import Any, Protocol, Self, TypeVar, cast

from semantics.carlson_lisper.expressions import Bound, BoundValues, Expression, evaluate_bound, fold
from semantics.carlson_lisper.occurrences import Stream, Streams
from semantics.carlson_lisper.operators import BOUND_NAME, OPERATORS, STREAM_NAMES, Comprehension, Operator, Operators
from semantics.errors import LimitExceeded
from semantics.formulas import (
    RELATIONS,
    And,
    Compare,
    Difference,
    End,
    Exists,
    ForAll,
    Formula,
    In,
    Logic,
    Not,
    Or,
    Parameter,
    Same,
    Start,
    Term,
    quantified_streams,
)

MAX_CANDIDATES = 2_000_000
"""How many candidate instances one operator may try before the evaluation is refused; some twenty seconds of work."""


class Spanned(Protocol):
    """Element of a stream, with a start and an end in ticks, that can be joined: an instance, or a bare interval."""

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


def _join(left: SpannedT, right: SpannedT) -> SpannedT:
    return left.join(right)


def _compared(relation: str, left: int, right: int) -> bool:
    return RELATIONS[relation](left, right)


class _FiniteLogic:
    start = staticmethod(attrgetter("start"))
    end = staticmethod(attrgetter("end"))
    join = staticmethod(_join)
    subtract = staticmethod(operator.sub)
    compare = staticmethod(_compared)
    same = staticmethod(operator.eq)
    every = staticmethod(all)
    either = staticmethod(any)
    negate = staticmethod(operator.not_)


FINITE_LOGIC = cast("Logic[bool, int, Any]", _FiniteLogic())
"""Truth values are Python's, times are integers, elements are instances or intervals."""


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


Environment = dict[str, Any]
"""By name, what the variables, streams and times of a formula stand for."""

Test = Callable[[Environment], bool]


@cache
def compiled(formula: Formula) -> Test:
    """A function that tells whether a formula holds in an environment."""
    match formula:
        case Compare(relation, left, right):
            holds, one, other = RELATIONS[relation], _time(left), _time(right)
            return lambda environment: holds(one(environment), other(environment))
        case Same(name, other_name):
            return lambda environment: environment[name] == environment[other_name]
        case In(name, stream):
            return lambda environment: environment[name] in environment[stream]
        case And((first, second)):
            before, after = compiled(first), compiled(second)
            return lambda environment: before(environment) and after(environment)
        case And(parts):
            tests = tuple(map(compiled, parts))
            return lambda environment: all(test(environment) for test in tests)
        case Or(parts):
            tests = tuple(map(compiled, parts))
            return lambda environment: any(test(environment) for test in tests)
        case Not(body):
            test = compiled(body)
            return lambda environment: not test(environment)
        case Exists(name, stream, body) | ForAll(name, stream, body):
            return _search(name, stream, compiled(body), wanted=isinstance(formula, Exists))


def _search(name: str, stream: str, test: Test, *, wanted: bool) -> Test:
    """A quantifier: whether a test gives what is wanted for an element of a stream, or else what is not."""

    def search(environment: Environment) -> bool:
        outer, found = environment.get(name), not wanted
        for element in environment[stream]:
            environment[name] = element
            if test(environment) is wanted:
                found = wanted
                break
        environment[name] = outer
        return found

    return search


def _time(term: Term) -> Callable[[Environment], int]:
    match term:
        case Start(name):
            return lambda environment: environment[name].start
        case End(name):
            return lambda environment: environment[name].end
        case Parameter(name):
            return itemgetter(name)
        case Difference(left, right):
            one, other = _time(left), _time(right)
            return lambda environment: one(environment) - other(environment)


def apply_operator(
    definition: Operator,
    streams: Sequence[frozenset[SpannedT]],
    bound: int | None = None,
    *,
    quantified: Sequence[Set[Spanned]] | None = None,
    limit: int | None = None,
) -> frozenset[SpannedT]:
    """The stream that an operator yields from finite streams, by enumeration of its comprehensions.

    Args:
        bound: the time τ in ticks, for the temporal restriction.
        quantified: the streams that quantifiers inside the conditions range over, where they differ from `streams`
            (a part of the instances can be asked for while absence still means absence from the whole stream).
        limit: the greatest number of candidates that may be tried; comparisons under quantifiers may be
            `CHECKS_PER_CANDIDATE` times as many.

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
        holds = compiled(comprehension.condition)
        environment: dict[str, Any] = {**whole, BOUND_NAME: bound}
        pools = [ranged[stream] for _, stream in comprehension.ranges]
        for chosen in product(*pools):
            environment.update(zip(variables, chosen, strict=True))
            if holds(environment):
                result.add(reduce(_join, [environment[name] for name in comprehension.result]))
    return frozenset(result)


def _check_limit(
    comprehension: Comprehension, ranged: Mapping[str, Set[Any]], whole: Mapping[str, Set[Any]], limit: int, title: str
) -> None:
    candidates = prod(len(ranged[stream]) for _, stream in comprehension.ranges)
    if candidates > limit:
        raise LimitExceeded(f"a {title} has {candidates:,} candidate instances, more than the limit of {limit:,}")
    checks = candidates * prod(len(whole[stream]) for stream in quantified_streams(comprehension.condition))
    if checks > limit * CHECKS_PER_CANDIDATE:
        raise LimitExceeded(
            f"a {title} has {checks:,} pairs of instances to compare,"
            f" more than the limit of {limit * CHECKS_PER_CANDIDATE:,}"
        )


def denotation(
    expression: Expression,
    streams: Streams,
    bounds: BoundValues | None = None,
    *,
    operators: Operators = OPERATORS,
    limit: int | None = MAX_CANDIDATES,
) -> Stream:
    """⟦E⟧: all instances of an expression.

    Args:
        expression: the expression.
        streams: what the identifiers denote: an interpretation, or any streams where identifiers stand for arbitrary
            expressions.
        bounds: values in ticks of symbolic bounds.
        operators: the definitions to evaluate with.
        limit: the greatest number of candidates one operator may try; conjunctions multiply.

    Raises:
        LimitExceeded: the limit was reached.
    """

    def operation(name: str, operands: Sequence[Stream], bound: Bound | None) -> Stream:
        value = None if bound is None else evaluate_bound(bound, bounds)
        return apply_operator(operators[name], operands, value, limit=limit)

    return fold(expression, lambda name: streams[name], operation)
