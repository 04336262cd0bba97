"""Statements about streams, interpreted: sets of instances as streams of any logic, formulas as its truth values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from laws.carlson_lisper.statements.formula_syntax import (
    Applied,
    Builder,
    Meaning,
    Named,
    SetTerm,
    Statement,
    Union,
    parse_bound,
)
from semantics.carlson_lisper.expressions import (
    Bound,
    Identifier,
    bound_parameters,
    evaluate_bound,
    fold,
    identifiers,
)
from semantics.carlson_lisper.finite import FINITE_LOGIC, FiniteStream
from semantics.carlson_lisper.occurrences import Stream
from semantics.carlson_lisper.operators import OPERATORS, Operator, OperatorStream
from semantics.formulas import (
    TRUE,
    Compare,
    Difference,
    Formula,
    Logic,
    Parameter,
    Scope,
    StreamView,
    Term,
    interpret,
    subformulas,
)

TruthT = TypeVar("TruthT")
NumberT = TypeVar("NumberT")
ElementT = TypeVar("ElementT")


class _Bounds(dict[str, NumberT]):
    """The values of bounds by their text."""

    def __init__(self, value: Callable[[Bound], NumberT]) -> None:
        super().__init__()
        self.value = value

    def __missing__(self, text: str) -> NumberT:
        self[text] = self.value(parse_bound(text))
        return self[text]


class _UnionStream(Generic[TruthT, ElementT]):
    """The union of streams."""

    def __init__(
        self, logic: Logic[TruthT, NumberT, ElementT], parts: Sequence[StreamView[TruthT, ElementT]]
    ) -> None:
        self.logic = logic
        self.parts = parts

    def member(self, element: ElementT) -> TruthT:
        return self.logic.either(part.member(element) for part in self.parts)

    def some(self, body: Callable[[ElementT], TruthT]) -> TruthT:
        return self.logic.either(part.some(body) for part in self.parts)

    def each(self, body: Callable[[ElementT], TruthT]) -> TruthT:
        return self.logic.every(part.each(body) for part in self.parts)


class _BuilderStream(Generic[TruthT, NumberT, ElementT]):
    """The stream that a set builder describes."""

    def __init__(
        self,
        term: Builder,
        logic: Logic[TruthT, NumberT, ElementT],
        ranges: Sequence[tuple[str, StreamView[TruthT, ElementT]]],
        scope: Scope,
    ) -> None:
        self.term = term
        self.logic = logic
        self.ranges = ranges
        self.scope = scope

    def member(self, element: ElementT) -> TruthT:
        if len(self.ranges) == 1:
            ((variable, view),) = self.ranges
            scope = self._result(self.scope.bind(variable, element))[1]
            return self.logic.every((view.member(element), self._guard(scope)))
        return self._quantify(lambda result: self.logic.same(element, result), some=True)

    def some(self, body: Callable[[ElementT], TruthT]) -> TruthT:
        return self._quantify(body, some=True)

    def each(self, body: Callable[[ElementT], TruthT]) -> TruthT:
        return self._quantify(body, some=False)

    def _result(self, scope: Scope) -> tuple[ElementT, Scope]:
        first, *others = (scope.elements[name] for name in self.term.result)
        result: ElementT = first
        for other in others:
            result = self.logic.join(result, other)
        return result, scope.bind(self.term.name, result) if self.term.name else scope

    def _guard(self, scope: Scope) -> TruthT:
        return interpret(self.term.condition, self.logic, scope)

    def _quantify(self, body: Callable[[ElementT], TruthT], *, some: bool) -> TruthT:
        def descend(position: int, scope: Scope) -> TruthT:
            if position == len(self.ranges):
                result, full = self._result(scope)
                if self.term.condition == TRUE:
                    return body(result)
                guard = self._guard(full)
                if some:
                    return self.logic.every((guard, body(result)))
                return self.logic.either((self.logic.negate(guard), body(result)))
            variable, view = self.ranges[position]
            quantifier = view.some if some else view.each
            return quantifier(lambda element: descend(position + 1, scope.bind(variable, element)))

        return descend(0, self.scope)


@dataclass(frozen=True)
class Reading(Generic[TruthT, NumberT, ElementT]):
    """What streams, bounds and operators mean while statements are interpreted.

    Attributes:
        logic: the truth values, times and instances.
        streams: the arbitrary streams by name.
        bound: the value of a bound.
        operators: the definitions of the operators.
    """

    logic: Logic[TruthT, NumberT, ElementT]
    streams: Mapping[str, StreamView[TruthT, ElementT]]
    bound: Callable[[Bound], NumberT]
    operators: Mapping[str, Operator]

    def view(self, term: SetTerm) -> StreamView[TruthT, ElementT]:
        """The stream that a set is."""
        match term:
            case Named(name):
                return self.streams[name]
            case Meaning(expression):
                return fold(expression, lambda name: self.streams[name], self._apply)
            case Applied(operator, operands, bound):
                return self._apply(operator, [self.view(operand) for operand in operands], bound)
            case Union(parts):
                return _UnionStream(self.logic, [self.view(part) for part in parts])
            case Builder():
                ranges = [(variable, self.view(inner)) for variable, inner in term.ranges]
                return _BuilderStream(term, self.logic, ranges, self._scope(term.sets))

    def truth(self, statement: Statement) -> TruthT:
        """The truth value of a statement."""
        return interpret(statement.formula, self.logic, self._scope(statement.sets))

    def included(self, smaller: SetTerm, greater: SetTerm) -> TruthT:
        """Whether each element of one set belongs to the other."""
        return self.view(smaller).each(self.view(greater).member)

    def _scope(self, sets: Mapping[str, SetTerm]) -> Scope:
        views = {name: self.view(term) for name, term in sets.items()}
        return Scope({}, views, _Bounds(self.bound))

    def _apply(
        self, name: str, operands: Sequence[StreamView[TruthT, ElementT]], bound: Bound | None
    ) -> StreamView[TruthT, ElementT]:
        value = None if bound is None else self.bound(bound)
        return OperatorStream(self.operators[name], self.logic, tuple(operands), value)


def holds_for(statement: Statement, streams: Mapping[str, Stream], bounds: Mapping[str, int]) -> bool:
    """Whether a statement is true of finite streams, by evaluation."""
    reading = Reading(
        FINITE_LOGIC,
        {name: FiniteStream(stream) for name, stream in streams.items()},
        lambda bound: evaluate_bound(bound, bounds),
        OPERATORS,
    )
    return bool(reading.truth(statement))


# ------------------------------------------------------------------------------------------------ what is mentioned


def stream_names(statement: Statement | SetTerm) -> frozenset[str]:
    """The arbitrary streams that a statement or a set mentions."""
    match statement:
        case Statement():
            return frozenset[str]().union(*map(stream_names, statement.sets.values()))
        case Named(name):
            return frozenset((name,))
        case Meaning(expression):
            return identifiers(expression)
        case Applied(_, parts, _) | Union(parts):
            return frozenset[str]().union(*map(stream_names, parts))
        case Builder():
            inner = [term for _, term in statement.ranges] + list(statement.sets.values())
            return frozenset[str]().union(*map(stream_names, inner))


def bound_names(statement: Statement | SetTerm) -> frozenset[str]:
    """The symbolic bounds that a statement or a set mentions."""
    match statement:
        case Statement():
            inner = frozenset[str]().union(*map(bound_names, statement.sets.values()))
            return inner | _parameters(statement.formula)
        case Named():
            return frozenset()
        case Meaning(expression):
            return bound_parameters(expression)
        case Applied(_, parts, bound):
            own = frozenset[str]() if bound is None else _in_text_of(bound)
            return own.union(*map(bound_names, parts))
        case Union(parts):
            return frozenset[str]().union(*map(bound_names, parts))
        case Builder():
            terms = [term for _, term in statement.ranges] + list(statement.sets.values())
            return _parameters(statement.condition).union(*map(bound_names, terms))


def _in_text_of(bound: Bound) -> frozenset[str]:
    return bound_parameters(Identifier("A")[bound])


def _parameters(formula: Formula) -> frozenset[str]:
    def of_term(term: Term) -> Iterator[str]:
        if isinstance(term, Parameter):
            yield from _in_text_of(parse_bound(term.name))
        elif isinstance(term, Difference):
            yield from of_term(term.left)
            yield from of_term(term.right)

    compared = [part for part in subformulas(formula) if isinstance(part, Compare)]
    return frozenset(name for c in compared for side in (c.left, c.right) for name in of_term(side))
