"""The five operators of the algebra, each defined once, as data (Def. 3.10).

An operator takes one or two streams, called S and T, and for the temporal restriction a time called τ. Its result is
the union of *comprehensions*: sets of the form { result | ranges, condition }. The executable semantics, the interval
semantics, the SMT encoding and the printed documentation are all computed from these values; nothing else in the
project says what an operator means.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Generic, TypeAlias, TypeVar

from semantics.formulas import (
    TRUE,
    And,
    End,
    Exists,
    Formula,
    Logic,
    Not,
    Parameter,
    Scope,
    Start,
    StreamView,
    interpret,
)

STREAM_NAMES = ("S", "T")
BOUND_NAME = "τ"


@dataclass(frozen=True, eq=False)
class Comprehension:
    """The set { result | variable ∈ stream for each range, condition }; one definition is equal to itself alone.

    `result` names one variable (the instance itself) or two (the union of both).
    """

    ranges: tuple[tuple[str, str], ...]
    result: tuple[str, ...]
    condition: Formula = TRUE


@dataclass(frozen=True, eq=False)
class Operator:
    """An operator of the algebra; one definition is equal to itself alone.

    Attributes:
        name: the source's name for the function over streams, such as `seq`.
        symbol: how it is written between operands; "" for the temporal restriction, written `A[t]`.
        title: the word for it.
        arity: how many streams it takes.
        bounded: whether it takes a time as well.
        comprehensions: the definition; the result is their union.
        source: where the source defines it.
    """

    name: str
    symbol: str
    title: str
    arity: int
    bounded: bool
    comprehensions: tuple[Comprehension, ...]
    source: str = "Def. 3.10"


_S_IN, _T_IN = ("s", "S"), ("t", "T")

DISJUNCTION = Operator(
    "dis", "|", "disjunction", 2, False, (Comprehension((_S_IN,), ("s",)), Comprehension((_T_IN,), ("t",)))
)

CONJUNCTION = Operator("con", "+", "conjunction", 2, False, (Comprehension((_S_IN, _T_IN), ("s", "t")),))

NEGATION = Operator(
    "neg",
    "-",
    "negation",
    2,
    False,
    (
        Comprehension(
            (_S_IN,),
            ("s",),
            Not(Exists("t", "T", And((Start("s") <= Start("t"), End("t") <= End("s"))))),
        ),
    ),
)

SEQUENCE = Operator(
    "seq",
    ";",
    "sequence",
    2,
    False,
    (Comprehension((_S_IN, _T_IN), ("s", "t"), End("s") < Start("t")),),
)

RESTRICTION = Operator(
    "tim",
    "",
    "temporal restriction",
    1,
    True,
    (Comprehension((_S_IN,), ("s",), End("s") - Start("s") <= Parameter(BOUND_NAME)),),
)

Operators: TypeAlias = Mapping[str, Operator]
"""Definitions of operators by name."""

OPERATORS: Operators = MappingProxyType(
    {op.name: op for op in (DISJUNCTION, CONJUNCTION, NEGATION, SEQUENCE, RESTRICTION)}
)
"""The operators by name, in the order of Def. 3.10."""


TruthT = TypeVar("TruthT")
NumberT = TypeVar("NumberT")
ElementT = TypeVar("ElementT")


def result_of(
    comprehension: Comprehension, logic: Logic[TruthT, NumberT, ElementT], scope: Scope
) -> ElementT:
    """The resulting instance of a comprehension, its range variables being bound in the scope."""
    elements = [scope.elements[name] for name in comprehension.result]
    joined: ElementT = elements[0]
    for element in elements[1:]:
        joined = logic.join(joined, element)
    return joined


class OperatorStream(Generic[TruthT, NumberT, ElementT]):
    """The stream that an operator yields from streams, in any logic: membership and quantifiers from its definition.

    A quantifier over the result becomes quantifiers over the range variables with the result substituted; this keeps
    the joined instance visible as a term, which is what the instantiation of quantifiers in SMT solvers needs.
    """

    def __init__(
        self,
        operator: Operator,
        logic: Logic[TruthT, NumberT, ElementT],
        streams: tuple[StreamView[TruthT, ElementT], ...],
        bound: NumberT | None = None,
    ) -> None:
        """Apply an operator to streams of a logic, with the bound if it takes one."""
        self.operator = operator
        self.logic = logic
        parameters = {} if bound is None else {BOUND_NAME: bound}
        self.scope = Scope({}, dict(zip(STREAM_NAMES, streams, strict=False)), parameters)

    def member(self, element: ElementT) -> TruthT:
        """Whether the element is the result of some choice of the range variables."""
        return self.logic.either(self._member(c, element) for c in self.operator.comprehensions)

    def _member(self, comprehension: Comprehension, element: ElementT) -> TruthT:
        if len(comprehension.ranges) == 1 and comprehension.result == (comprehension.ranges[0][0],):
            ((variable, stream),) = comprehension.ranges
            scope = self.scope.bind(variable, element)

            def parts() -> Iterator[TruthT]:
                yield self.scope.streams[stream].member(element)
                if comprehension.condition != TRUE:
                    yield interpret(comprehension.condition, self.logic, scope)

            return self.logic.every(parts())
        return self._quantify(comprehension, lambda result: self.logic.same(element, result), some=True)

    def some(self, body: Callable[[ElementT], TruthT]) -> TruthT:
        """Whether some result satisfies the body."""
        return self.logic.either(self._quantify(c, body, some=True) for c in self.operator.comprehensions)

    def each(self, body: Callable[[ElementT], TruthT]) -> TruthT:
        """Whether every result satisfies the body."""
        return self.logic.every(self._quantify(c, body, some=False) for c in self.operator.comprehensions)

    def _quantify(
        self, comprehension: Comprehension, body: Callable[[ElementT], TruthT], *, some: bool
    ) -> TruthT:
        logic = self.logic

        def innermost(scope: Scope) -> TruthT:
            guard = interpret(comprehension.condition, logic, scope)
            conclusion = body(result_of(comprehension, logic, scope))
            if comprehension.condition == TRUE:
                return conclusion
            if some:
                return logic.every((guard, conclusion))
            return logic.either((logic.negate(guard), conclusion))

        def descend(position: int, scope: Scope) -> TruthT:
            if position == len(comprehension.ranges):
                return innermost(scope)
            variable, stream = comprehension.ranges[position]
            view = scope.streams[stream]
            quantifier = view.some if some else view.each
            return quantifier(  # type: ignore[no-any-return]
                lambda element: descend(position + 1, scope.bind(variable, element))
            )

        return descend(0, self.scope)
