"""Statements about streams, interpreted: sets of instances as streams of any logic, formulas as its truth values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from laws.carlson_lisper.statements import formula_syntax
from semantics import formulas
from semantics.carlson_lisper import expressions
from semantics.carlson_lisper.expressions import BoundValues
from semantics.carlson_lisper.finite import FINITE_LOGIC, FiniteStream
from semantics.carlson_lisper.occurrences import Streams
from semantics.carlson_lisper.operators import OPERATORS, Operators, OperatorStream

TruthT = TypeVar("TruthT")
NumberT = TypeVar("NumberT")
ElementT = TypeVar("ElementT")


class _Bounds(dict[str, NumberT]):
    """The values of bounds by their text."""

    def __init__(self, value: Callable[[expressions.Bound], NumberT]) -> None:
        super().__init__()
        self.value = value

    def __missing__(self, text: str) -> NumberT:
        self[text] = self.value(formula_syntax.parse_bound(text))
        return self[text]


class _UnionStream(Generic[TruthT, ElementT]):
    """The union of streams."""

    def __init__(
        self,
        logic: formulas.Logic[TruthT, NumberT, ElementT],
        parts: Sequence[formulas.StreamView[TruthT, ElementT]],
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
        term: formula_syntax.Builder,
        logic: formulas.Logic[TruthT, NumberT, ElementT],
        ranges: Sequence[tuple[str, formulas.StreamView[TruthT, ElementT]]],
        scope: formulas.Scope,
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

    def _result(self, scope: formulas.Scope) -> tuple[ElementT, formulas.Scope]:
        first, *others = (scope.elements[name] for name in self.term.result)
        result: ElementT = first
        for other in others:
            result = self.logic.join(result, other)
        return result, scope.bind(self.term.name, result) if self.term.name else scope

    def _guard(self, scope: formulas.Scope) -> TruthT:
        return formulas.interpret(self.term.condition, self.logic, scope)

    def _quantify(self, body: Callable[[ElementT], TruthT], *, some: bool) -> TruthT:
        def descend(position: int, scope: formulas.Scope) -> TruthT:
            if position == len(self.ranges):
                result, full = self._result(scope)
                if self.term.condition == formulas.TRUE:
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

    logic: formulas.Logic[TruthT, NumberT, ElementT]
    streams: Mapping[str, formulas.StreamView[TruthT, ElementT]]
    bound: Callable[[expressions.Bound], NumberT]
    operators: Operators

    def view(self, term: formula_syntax.SetTerm) -> formulas.StreamView[TruthT, ElementT]:
        """The stream that a set is."""
        match term:
            case formula_syntax.Named(name):
                return self.streams[name]
            case formula_syntax.Meaning(expression):
                return expressions.fold(expression, lambda name: self.streams[name], self._apply)
            case formula_syntax.Applied(operator, operands, bound):
                return self._apply(operator, [self.view(operand) for operand in operands], bound)
            case formula_syntax.Union(parts):
                return _UnionStream(self.logic, [self.view(part) for part in parts])
            case formula_syntax.Builder():
                ranges = [(variable, self.view(inner)) for variable, inner in term.ranges]
                return _BuilderStream(term, self.logic, ranges, self._scope(term.sets))

    def truth(self, statement: formula_syntax.Statement) -> TruthT:
        """The truth value of a statement."""
        return formulas.interpret(statement.formula, self.logic, self._scope(statement.sets))

    def included(self, smaller: formula_syntax.SetTerm, greater: formula_syntax.SetTerm) -> TruthT:
        """Whether each element of one set belongs to the other."""
        return self.view(smaller).each(self.view(greater).member)

    def _scope(self, sets: Mapping[str, formula_syntax.SetTerm]) -> formulas.Scope:
        views = {name: self.view(term) for name, term in sets.items()}
        return formulas.Scope({}, views, _Bounds(self.bound))

    def _apply(
        self,
        name: str,
        operands: Sequence[formulas.StreamView[TruthT, ElementT]],
        bound: expressions.Bound | None,
    ) -> formulas.StreamView[TruthT, ElementT]:
        value = None if bound is None else self.bound(bound)
        return OperatorStream(self.operators[name], self.logic, tuple(operands), value)


def holds_for(statement: formula_syntax.Statement, streams: Streams, bounds: BoundValues) -> bool:
    """Whether a statement is true of finite streams, by evaluation."""
    reading = Reading(
        FINITE_LOGIC,
        {name: FiniteStream(stream) for name, stream in streams.items()},
        lambda bound: expressions.evaluate_bound(bound, bounds),
        OPERATORS,
    )
    return bool(reading.truth(statement))


# ------------------------------------------------------------------------------------------------ what is mentioned


def stream_names(statement: formula_syntax.Statement | formula_syntax.SetTerm) -> frozenset[str]:
    """The arbitrary streams that a statement or a set mentions."""
    match statement:
        case formula_syntax.Statement():
            return frozenset[str]().union(*map(stream_names, statement.sets.values()))
        case formula_syntax.Named(name):
            return frozenset((name,))
        case formula_syntax.Meaning(expression):
            return expressions.identifiers(expression)
        case formula_syntax.Applied(_, parts, _) | formula_syntax.Union(parts):
            return frozenset[str]().union(*map(stream_names, parts))
        case formula_syntax.Builder():
            inner = [term for _, term in statement.ranges] + list(statement.sets.values())
            return frozenset[str]().union(*map(stream_names, inner))


def bound_names(statement: formula_syntax.Statement | formula_syntax.SetTerm) -> frozenset[str]:
    """The symbolic bounds that a statement or a set mentions."""
    match statement:
        case formula_syntax.Statement():
            inner = frozenset[str]().union(*map(bound_names, statement.sets.values()))
            return inner | _parameters(statement.formula)
        case formula_syntax.Named():
            return frozenset()
        case formula_syntax.Meaning(expression):
            return expressions.bound_parameters(expression)
        case formula_syntax.Applied(_, parts, bound):
            own = frozenset[str]() if bound is None else _in_text_of(bound)
            return own.union(*map(bound_names, parts))
        case formula_syntax.Union(parts):
            return frozenset[str]().union(*map(bound_names, parts))
        case formula_syntax.Builder():
            terms = [term for _, term in statement.ranges] + list(statement.sets.values())
            return _parameters(statement.condition).union(*map(bound_names, terms))


def _in_text_of(bound: expressions.Bound) -> frozenset[str]:
    return expressions.bound_parameters(expressions.Identifier("A")[bound])


def _parameters(formula: formulas.Formula) -> frozenset[str]:
    def of_term(term: formulas.Term) -> Iterator[str]:
        if isinstance(term, formulas.Parameter):
            yield from _in_text_of(formula_syntax.parse_bound(term.name))
        elif isinstance(term, formulas.Difference):
            yield from of_term(term.left)
            yield from of_term(term.right)

    compared = [part for part in formulas.subformulas(formula) if isinstance(part, formulas.Compare)]
    return frozenset(name for c in compared for side in (c.left, c.right) for name in of_term(side))
