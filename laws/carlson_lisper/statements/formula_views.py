"""Statements about streams, interpreted: sets of instances as streams of any logic, formulas as its truth values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
    """Meaning of streams, bounds and operators while statements are interpreted.

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
