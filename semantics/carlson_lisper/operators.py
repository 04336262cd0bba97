"""The five operators of the algebra, each defined once, as data (Def. 3.10).

An operator takes one or two streams, called S and T, and for the temporal restriction a time called τ. Its result is
the union of *comprehensions*: sets of the form { result | ranges, condition }. Nothing else in the project says what an
operator means.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from types import MappingProxyType
from typing import Generic, TypeAlias, TypeVar

from semantics import formulas
from semantics.formulas import TRUE, And, End, Exists, Formula, Logic, Not, Parameter, Scope, Start, StreamView

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
    """An operator of the algebra; one definition is equal to itself alone."""

    name: str
    symbol: str  # how it is written between operands; "" for the temporal restriction, written `A[t]`
    title: str
    arity: int  # how many streams it takes
    bounded: bool  # whether it takes a time as well
    comprehensions: tuple[Comprehension, ...]  # the definition; the result is their union
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
    (Comprehension((_S_IN,), ("s",), Not(Exists("t", "T", And((Start("s") <= Start("t"), End("t") <= End("s")))))),),
)

SEQUENCE = Operator(
    "seq", ";", "sequence", 2, False, (Comprehension((_S_IN, _T_IN), ("s", "t"), End("s") < Start("t")),)
)

RESTRICTION = Operator(
    "tim",
    "",
    "temporal restriction",
    1,
    True,
    (Comprehension((_S_IN,), ("s",), End("s") - Start("s") <= Parameter(BOUND_NAME)),),
)

Operators: TypeAlias = Mapping[str, Operator]  # Definitions of operators by name

OPERATORS: Operators = MappingProxyType(
    {op.name: op for op in (DISJUNCTION, CONJUNCTION, NEGATION, SEQUENCE, RESTRICTION)}
)
"""The operators by name, in the order of Def. 3.10."""

TruthT = TypeVar("TruthT")
NumberT = TypeVar("NumberT")
ElementT = TypeVar("ElementT")


def result_of(names: tuple[str, ...], logic: Logic[TruthT, NumberT, ElementT], scope: Scope) -> ElementT:
    """The union of the instances that some variables stand for."""
    elements: list[ElementT] = [scope.elements[name] for name in names]
    return reduce(logic.join, elements)


@dataclass(frozen=True)
class ComprehensionStream(Generic[TruthT, NumberT, ElementT]):
    """The stream { result | ranges, condition } in any logic: membership and quantifiers from its definition.

    A quantifier over the result becomes quantifiers over the range variables with the result substituted; this keeps
    the joined instance visible as a term, which is what the instantiation of quantifiers in SMT solvers needs.
    Under its title, if it has one, the condition speaks of the result.
    """

    logic: Logic[TruthT, NumberT, ElementT]
    ranges: Sequence[tuple[str, StreamView[TruthT, ElementT]]]
    result: tuple[str, ...]
    condition: Formula
    scope: Scope
    title: str = ""

    def member(self, element: ElementT) -> TruthT:
        """Whether the element is the result of some choice of the range variables."""
        if len(self.ranges) == 1 and self.result == (self.ranges[0][0],):
            ((variable, view),) = self.ranges

            def parts() -> Iterator[TruthT]:
                yield view.member(element)
                if self.condition != TRUE:
                    yield self._judged(self.scope.bind(variable, element))[0]

            return self.logic.every(parts())
        return self._quantify(lambda result: self.logic.same(element, result), some=True)

    def some(self, body: Callable[[ElementT], TruthT]) -> TruthT:
        """Whether some result satisfies the body."""
        return self._quantify(body, some=True)

    def each(self, body: Callable[[ElementT], TruthT]) -> TruthT:
        """Whether every result satisfies the body."""
        return self._quantify(body, some=False)

    def _judged(self, scope: Scope) -> tuple[TruthT, ElementT]:
        """The truth of the condition and the result, all range variables being bound."""
        result = result_of(self.result, self.logic, scope)
        full = scope.bind(self.title, result) if self.title else scope
        return formulas.interpret(self.condition, self.logic, full), result

    def _quantify(self, body: Callable[[ElementT], TruthT], *, some: bool) -> TruthT:
        def descend(position: int, scope: Scope) -> TruthT:
            if position < len(self.ranges):
                variable, view = self.ranges[position]
                quantifier = view.some if some else view.each
                return quantifier(lambda element: descend(position + 1, scope.bind(variable, element)))
            guard, result = self._judged(scope)
            conclusion = body(result)
            if self.condition == TRUE:
                return conclusion
            if some:
                return self.logic.every((guard, conclusion))
            return self.logic.either((self.logic.negate(guard), conclusion))

        return descend(0, self.scope)


@dataclass(frozen=True)
class UnionStream(Generic[TruthT, NumberT, ElementT]):
    """The union of streams of a logic."""

    logic: Logic[TruthT, NumberT, ElementT]
    parts: Sequence[StreamView[TruthT, ElementT]]

    def member(self, element: ElementT) -> TruthT:
        """Whether the element belongs to one of them."""
        return self.logic.either(part.member(element) for part in self.parts)

    def some(self, body: Callable[[ElementT], TruthT]) -> TruthT:
        """Whether some element of one of them satisfies the body."""
        return self.logic.either(part.some(body) for part in self.parts)

    def each(self, body: Callable[[ElementT], TruthT]) -> TruthT:
        """Whether every element of each of them satisfies the body."""
        return self.logic.every(part.each(body) for part in self.parts)


def operator_stream(
    operator: Operator,
    logic: Logic[TruthT, NumberT, ElementT],
    operands: Sequence[StreamView[TruthT, ElementT]],
    bound: NumberT | None = None,
) -> UnionStream[TruthT, NumberT, ElementT]:
    """The stream that an operator yields from streams of a logic, with the bound if it takes one."""
    streams = dict(zip(STREAM_NAMES, operands, strict=False))
    scope = Scope({}, streams, {} if bound is None else {BOUND_NAME: bound})
    parts = [
        ComprehensionStream(logic, [(name, streams[stream]) for name, stream in c.ranges], c.result, c.condition, scope)
        for c in operator.comprehensions
    ]
    return UnionStream(logic, parts)
