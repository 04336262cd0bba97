"""Statements about streams, interpreted: sets of instances as streams of any logic, formulas as its truth values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from laws.carlson_lisper.statements import formula_syntax
from semantics import formulas
from semantics.carlson_lisper import expressions
from semantics.carlson_lisper.denotation import FINITE_LOGIC, FiniteStream
from semantics.carlson_lisper.expressions import BoundValues
from semantics.carlson_lisper.occurrences import Streams
from semantics.carlson_lisper.operators import OPERATORS, ComprehensionStream, Operators, UnionStream, operator_stream

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


@dataclass(frozen=True)
class Reading(Generic[TruthT, NumberT, ElementT]):
    """What streams, bounds and operators mean while statements are interpreted.

    Attributes:
        bound: the value of a bound.
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
                return UnionStream(self.logic, [self.view(part) for part in parts])
            case formula_syntax.Builder():
                ranges = [(variable, self.view(inner)) for variable, inner in term.ranges]
                scope = self._scope(term.sets)
                return ComprehensionStream(self.logic, ranges, term.result, term.condition, scope, term.name)

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
        self, name: str, operands: Sequence[formulas.StreamView[TruthT, ElementT]], bound: expressions.Bound | None
    ) -> formulas.StreamView[TruthT, ElementT]:
        value = None if bound is None else self.bound(bound)
        return operator_stream(self.operators[name], self.logic, operands, value)


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
