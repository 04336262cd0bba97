"""Denotation at the instance level: the meaning of an expression on finite streams, word for word (Def. 3.11).

Formulas are evaluated on finite sets of instances or intervals in two ways: interpreted at once (`FINITE_LOGIC`), or
compiled to a function of an environment, an order of magnitude faster, for what is asked of every candidate.
"""

import operator
from collections.abc import Callable, Iterable, Sequence, Set
from functools import cache, reduce
from itertools import product
from math import prod
from types import SimpleNamespace
from typing import Any, Protocol, Self, TypeVar, cast

from semantics import formulas
from semantics.carlson_lisper.expressions import Bound, BoundValues, Expression, evaluate_bound, fold
from semantics.carlson_lisper.occurrences import Stream, Streams
from semantics.carlson_lisper.operators import BOUND_NAME, OPERATORS, STREAM_NAMES, Operator, Operators
from semantics.errors import LimitExceeded

MAX_CANDIDATES = 2_000_000
"""How many candidate instances one operator may try before the evaluation is refused; some twenty seconds of work."""

CHECKS_PER_CANDIDATE = 25  # How many comparisons under a quantifier cost about as much as building one instance


class _Spanned(Protocol):
    """Element of a stream, with a start and an end in ticks, that can be joined: an instance, or a bare interval."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    def join(self, other: Self, /) -> Self: ...


SpannedT = TypeVar("SpannedT", bound=_Spanned)


def _join(left: SpannedT, right: SpannedT) -> SpannedT:
    return left.join(right)


FINITE_LOGIC = cast(
    "formulas.Logic[bool, int, Any]",
    SimpleNamespace(
        start=operator.attrgetter("start"),
        end=operator.attrgetter("end"),
        join=_join,
        subtract=operator.sub,
        compare=lambda relation, left, right: formulas.RELATIONS[relation](left, right),
        same=operator.eq,
        every=all,
        either=any,
        negate=operator.not_,
    ),
)
"""Truth values are Python's, times are integers, elements are instances or intervals."""


class FiniteStream:
    """A finite set of elements as formulas see it."""

    def __init__(self, elements: Iterable[_Spanned]) -> None:
        self.elements: Set[_Spanned] = frozenset(elements)

    def member(self, element: _Spanned) -> bool:
        """Whether the element belongs to the set."""
        return element in self.elements

    def some(self, body: Callable[[_Spanned], bool]) -> bool:
        """Whether the body holds for some element."""
        return any(map(body, self.elements))

    def each(self, body: Callable[[_Spanned], bool]) -> bool:
        """Whether the body holds for every element."""
        return all(map(body, self.elements))


Environment = dict[str, Any]  # By name, what the variables, streams and times of a formula stand for

Test = Callable[[Environment], bool]


@cache
def compiled(formula: formulas.Formula) -> Test:
    """A function that tells whether a formula holds in an environment."""
    match formula:
        case formulas.Compare(relation, left, right):
            holds, one, other = formulas.RELATIONS[relation], _time(left), _time(right)
            return lambda environment: holds(one(environment), other(environment))
        case formulas.Same(name, other_name):
            return lambda environment: environment[name] == environment[other_name]
        case formulas.In(name, stream):
            return lambda environment: environment[name] in environment[stream]
        case formulas.And((first, second)):
            before, after = compiled(first), compiled(second)
            return lambda environment: before(environment) and after(environment)
        case formulas.And(parts):
            tests = tuple(map(compiled, parts))
            return lambda environment: all(test(environment) for test in tests)
        case formulas.Or(parts):
            tests = tuple(map(compiled, parts))
            return lambda environment: any(test(environment) for test in tests)
        case formulas.Not(body):
            test = compiled(body)
            return lambda environment: not test(environment)
        case formulas.Exists(name, stream, body) | formulas.ForAll(name, stream, body):
            return _search(name, stream, compiled(body), wanted=isinstance(formula, formulas.Exists))


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


def _time(term: formulas.Term) -> Callable[[Environment], int]:
    match term:
        case formulas.Start(name):
            return lambda environment: environment[name].start
        case formulas.End(name):
            return lambda environment: environment[name].end
        case formulas.Parameter(name):
            return operator.itemgetter(name)
        case formulas.Difference(left, right):
            one, other = _time(left), _time(right)
            return lambda environment: one(environment) - other(environment)


def apply_operator(
    definition: Operator, streams: Sequence[frozenset[SpannedT]], bound: int | None = None, *, limit: int | None = None
) -> frozenset[SpannedT]:
    """The stream that an operator yields from finite streams, by enumeration of its comprehensions; times are ticks.

    `LimitExceeded` beyond `limit` candidates, or `CHECKS_PER_CANDIDATE` times as many comparisons under quantifiers.
    """
    known = dict(zip(STREAM_NAMES, streams, strict=False))
    result: set[SpannedT] = set()
    for comprehension in definition.comprehensions:
        candidates = prod(len(known[stream]) for _, stream in comprehension.ranges)
        if limit is not None:
            quantified = formulas.quantified_streams(comprehension.condition)
            checks = candidates * prod(len(known[stream]) for stream in quantified)
            for count, most, what in (
                (candidates, limit, "candidate instances"),
                (checks, limit * CHECKS_PER_CANDIDATE, "pairs of instances to compare"),
            ):
                if count > most:
                    reason = f"a {definition.title} has {count:,} {what}, more than the limit of {most:,}"
                    raise LimitExceeded(reason)
        variables = [variable for variable, _ in comprehension.ranges]
        holds = compiled(comprehension.condition)
        environment: dict[str, Any] = {**known, BOUND_NAME: bound}
        for chosen in product(*(known[stream] for _, stream in comprehension.ranges)):
            environment.update(zip(variables, chosen, strict=True))
            if holds(environment):
                result.add(reduce(_join, [environment[name] for name in comprehension.result]))
    return frozenset(result)


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
        streams: what the identifiers denote: an interpretation, or any streams where identifiers stand for arbitrary
            expressions.
        bounds: values in ticks of symbolic bounds.
        operators: the definitions to evaluate with.
        limit: the greatest number of candidates one operator may try; conjunctions multiply. LimitExceeded otherwise.
    """

    def operation(name: str, operands: Sequence[Stream], bound: Bound | None) -> Stream:
        value = None if bound is None else evaluate_bound(bound, bounds)
        return apply_operator(operators[name], operands, value, limit=limit)

    return fold(expression, streams.__getitem__, operation)
