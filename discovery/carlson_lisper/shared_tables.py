"""Truth tables of equations in many semantics: what these have in common is computed once.

An operator over a pool of instances is a circuit, a function from the columns of its operands to those of the result,
and is made once for each definition; a part of an equation is denoted once for all semantics that agree on the
operators in it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, reduce
from operator import and_, or_
from typing import TypeAlias

from laws.carlson_lisper.checks.exhaustive import ClaimTables
from semantics.carlson_lisper.expressions import BoundValues, Expression, Operation, bottom_up, evaluate_bound
from semantics.carlson_lisper.expressions import with_bounds as grounded
from semantics.carlson_lisper.operators import OPERATORS, Operator
from semantics.carlson_lisper.pool import Mask, Pool, PoolStream
from semantics.formulas import RELATIONS, Formula, Scope, interpret

Columns: TypeAlias = Mapping[Mask, int]  # For each possible instance the rows of a truth table in which a stream has it
Circuit: TypeAlias = Callable[[Columns, Columns], int]  # Rows of a truth table from the streams S and T


class _Circuits:
    """The Boolean algebra of functions of two streams' columns, with `everything` as the table of all rows."""

    def __init__(self, everything: int) -> None:
        self.everything = everything

    def subtract(self, left: int, right: int) -> int:
        return left - right

    def compare(self, relation: str, left: int, right: int) -> Circuit | bool:
        return RELATIONS[relation](left, right)

    def constant(self, value: bool) -> Circuit | bool:
        return value

    def every(self, parts: Iterable[Circuit | bool]) -> Circuit | bool:
        return _joined(parts, True, and_)

    def either(self, parts: Iterable[Circuit | bool]) -> Circuit | bool:
        return _joined(parts, False, or_)

    def negate(self, part: Circuit | bool) -> Circuit | bool:
        if isinstance(part, bool):
            return not part
        everything = self.everything
        return lambda left, right: everything ^ part(left, right)

    def name(self, hint: str, part: Circuit | bool) -> Circuit | bool:
        return part


def _joined(parts: Iterable[Circuit | bool], neutral: bool, join: Callable[[int, int], int]) -> Circuit | bool:
    some = list[Circuit]()
    for part in parts:
        if not isinstance(part, bool):
            some.append(part)
        elif part is not neutral:
            return part
    if len(some) <= 1:
        return some[0] if some else neutral
    return lambda left, right: reduce(join, [part(left, right) for part in some])


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
        self._algebra = _Circuits(self.algebra.everything)
        self._pool: Pool[Circuit | bool, int] = Pool(self._algebra, self.times)
        self._operands = [self._operand(self.instances, right) for right in (False, True)]
        self._circuits: dict[tuple[Operator, int | None], list[tuple[Mask, Circuit]]] = {}
        self._formulas: dict[Formula, Circuit] = {}
        self._shared: dict[object, PoolStream[int, int]] = {}

    def _operand(self, instances: Iterable[Mask], right: bool) -> PoolStream[Circuit | bool, int]:
        def column(mask: Mask) -> Circuit:
            return lambda s, t: (t if right else s).get(mask, 0)

        return self._pool.stream({mask: column(mask) for mask in instances})

    def apply(
        self, definition: Operator, operands: Sequence[PoolStream[int, int]], bound: int | None
    ) -> PoolStream[int, int]:
        """The stream that an operator yields."""
        if (definition, bound) not in self._circuits:
            applied = self._pool.apply(definition, self._operands[: definition.arity], bound).belongs
            self._circuits[definition, bound] = [(mask, self._function(each)) for mask, each in applied.items()]
        left, right = operands[0].belongs, operands[-1].belongs
        found = ((mask, circuit(left, right)) for mask, circuit in self._circuits[definition, bound])
        return self.pool.stream({mask: rows for mask, rows in found if rows})

    def _function(self, circuit: Circuit | bool) -> Circuit:
        everything = self.algebra.everything
        return (lambda *_: everything if circuit else 0) if isinstance(circuit, bool) else circuit

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
            self._formulas[formula] = self._function(interpret(formula, self._pool, scope))
        return self._formulas[formula](streams["S"].belongs, streams["T"].belongs)


@cache
def _ground(expression: Expression, bounds: tuple[tuple[str, int], ...]) -> Expression:
    return grounded(expression, dict(bounds)) if bounds else expression


@cache
def operators_in(expression: Expression) -> tuple[str, ...]:
    """The operators of an expression, in alphabetical order."""
    return tuple(sorted({part.operator for part in bottom_up(expression) if isinstance(part, Operation)}))
