"""Truth tables of equations in many semantics: what these have in common is computed once.

An operator over a pool of instances is a circuit, a function from the columns of its operands to those of the result,
and is made once for each definition; a part of an equation is denoted once for all semantics that agree on the
operators in it.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import TypeAlias

from discovery.carlson_lisper.circuits import Circuit, Circuits, Truth
from laws.carlson_lisper.checks.exhaustive import ClaimTables
from semantics.carlson_lisper import expressions
from semantics.carlson_lisper.expressions import BoundValues, Expression, Operation, bottom_up, evaluate_bound
from semantics.carlson_lisper.operators import OPERATORS, Operator
from semantics.carlson_lisper.pool import Mask, Pool, PoolStream
from semantics.formulas import Formula, Scope, interpret

Columns: TypeAlias = Mapping[Mask, int]  # For each possible instance the rows of a truth table in which a stream has it


class SharedTables(ClaimTables):
    """Truth tables of claims in which parts are denoted once for all semantics that agree on the operators in them."""

    def __init__(
        self,
        names: Sequence[str],
        times: Sequence[int],
        instances: Sequence[Mask] | None = None,
        sampled: int | None = None,
    ) -> None:
        super().__init__(names, times, OPERATORS, instances, sampled=sampled)
        self._algebra = Circuits[Columns](self.algebra.everything)
        self._pool: Pool[Truth[Columns], int] = Pool(self._algebra, self.times)
        self._operands = [self._operand(self.instances, right) for right in (False, True)]
        self._circuits: dict[tuple[Operator, int | None], list[tuple[Mask, Circuit[Columns]]]] = {}
        self._formulas: dict[Formula, Circuit[Columns]] = {}
        self._shared: dict[object, PoolStream[int, int]] = {}

    def _operand(self, instances: Iterable[Mask], right: bool) -> PoolStream[Truth[Columns], int]:
        def column(mask: Mask) -> Circuit[Columns]:
            return lambda s, t: (t if right else s).get(mask, 0)

        return self._pool.stream({mask: column(mask) for mask in instances})

    def apply(
        self, definition: Operator, operands: Sequence[PoolStream[int, int]], bound: int | None
    ) -> PoolStream[int, int]:
        """The stream that an operator yields."""
        if (definition, bound) not in self._circuits:
            applied = self._pool.apply(definition, self._operands[: definition.arity], bound).belongs
            self._circuits[definition, bound] = [(mask, self._algebra.function(each)) for mask, each in applied.items()]
        left, right = operands[0].belongs, operands[-1].belongs
        found = ((mask, circuit(left, right)) for mask, circuit in self._circuits[definition, bound])
        return self.pool.stream({mask: rows for mask, rows in found if rows})

    def denotation(self, expression: Expression, bounds: BoundValues) -> PoolStream[int, int]:
        """⟦E⟧ under every choice, by the operators that are set."""
        return self._meaning(_ground(expression, tuple(sorted(bounds.items()))))

    def _meaning(self, expression: Expression) -> PoolStream[int, int]:
        if not isinstance(expression, Operation):
            return self.variables[str(expression)]
        key = (expression, *(self.operators[name] for name in operators_in(expression)))
        found = self._shared.get(key)
        if found is None:
            operands = [self._meaning(operand) for operand in expression.operands]
            bound = None if expression.bound is None else evaluate_bound(expression.bound)
            found = self._shared[key] = self.apply(self.operators[expression.operator], operands, bound)
        return found

    def formula(self, formula: Formula, streams: Mapping[str, PoolStream[int, int]]) -> int:
        """The choices under which a formula about the streams S and T holds."""
        if formula not in self._formulas:
            scope = Scope({}, dict(zip("ST", self._operands, strict=True)), {})
            self._formulas[formula] = self._algebra.function(interpret(formula, self._pool, scope))
        rows: int = self._formulas[formula](streams["S"].belongs, streams["T"].belongs)
        return rows


@cache
def _ground(expression: Expression, bounds: tuple[tuple[str, int], ...]) -> Expression:
    return expressions.with_bounds(expression, dict(bounds)) if bounds else expression


@cache
def operators_in(expression: Expression) -> tuple[str, ...]:
    """The operators of an expression, in alphabetical order."""
    return tuple(sorted({part.operator for part in bottom_up(expression) if isinstance(part, Operation)}))
