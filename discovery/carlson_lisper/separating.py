"""Laws as tests: the wrong semantics of one or two changed symbols, and which of them each law tells from the right one.

Whether a law fails depends on the definitions of the operators in it alone, so each is judged once for each choice of
these, on a battery of streams: as truth tables, all choices of streams at once, and with every failure replayed by the
executable semantics. That a wrong semantics satisfies a law is tested on the battery, and not proved.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, product
from typing import TypeAlias

from laws.carlson_lisper.checks.counterexamples import contradicts
from laws.carlson_lisper.checks.exhaustive import ClaimTables
from laws.carlson_lisper.claims import EquationClaim
from laws.carlson_lisper.mutations import Change, changes
from semantics.carlson_lisper.expressions import BoundValues, Expression, Operation, bottom_up, evaluate_bound
from semantics.carlson_lisper.expressions import with_bounds as grounded
from semantics.carlson_lisper.notation import operator_text
from semantics.carlson_lisper.occurrences import Streams
from semantics.carlson_lisper.operators import OPERATORS, Operator, Operators
from semantics.carlson_lisper.pool import Mask, Pool, PoolStream
from semantics.formulas import RELATIONS, Formula, Scope, interpret

Columns = Mapping[Mask, int]  # For each possible instance the rows of a truth table in which a stream has it
Circuit = Callable[[Columns, Columns], int]  # Rows of a truth table from the streams S and T

ALL_CHOICES = ((0,), (0, 0), (0, 1), (0, 2))  # Times of occurrences over which all choices of streams are tried
AT_RANDOM = ((0, 1, 2), (0, 0, 1), (0, 1, 1), (0, 1, 3), (0, 1, 2, 3), (0, 0, 1, 1), (0, 2, 3, 6))  # … and some
SAMPLED = 11  # The logarithm of the number of those
BOUNDS = range(4)  # The values of symbolic bounds, in ticks


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
        some = list[Circuit]()
        for part in parts:
            if part is False:
                return False
            if part is not True:
                some.append(part)
        if len(some) <= 1:
            return some[0] if some else True

        def circuit(left: Columns, right: Columns) -> int:
            rows = some[0](left, right)
            for part in some[1:]:
                if not rows:
                    break
                rows &= part(left, right)
            return rows

        return circuit

    def either(self, parts: Iterable[Circuit | bool]) -> Circuit | bool:
        some = list[Circuit]()
        for part in parts:
            if part is True:
                return True
            if part is not False:
                some.append(part)
        if len(some) <= 1:
            return some[0] if some else False

        def circuit(left: Columns, right: Columns) -> int:
            rows = 0
            for part in some:
                rows |= part(left, right)
            return rows

        return circuit

    def negate(self, part: Circuit | bool) -> Circuit | bool:
        if isinstance(part, bool):
            return not part
        everything = self.everything
        return lambda left, right: everything ^ part(left, right)

    def name(self, hint: str, part: Circuit | bool) -> Circuit | bool:
        return part


class SharedTables(ClaimTables):
    """Truth tables of claims in which parts are denoted once for all semantics that agree on the operators in them."""

    def __init__(
        self, names: Sequence[str], times: Sequence[int], instances: Sequence[Mask] | None, sampled: int | None
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
        key = (expression, *(self.operators[name] for name in _operators_in(expression)))
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
def _operators_in(expression: Expression) -> tuple[str, ...]:
    return tuple(sorted({part.operator for part in bottom_up(expression) if isinstance(part, Operation)}))


@dataclass(frozen=True, eq=False)
class Meaning:
    """A meaning that changes give an operator, with these changes: of one symbol first, then of two."""

    operator: str
    ways: tuple[Change, ...]
    symbols: int  # how many symbols the least change is; none where nothing is wrong

    @property
    def definition(self) -> Operator:
        """The definition after the least change."""
        return self.ways[0].definition if self.symbols else OPERATORS[self.operator]


COMPARED = (((0, 1, 2, 3), (1, 2, 4, 8, 3, 5, 9, 6, 10, 12)), ((0, 0, 1, 1), (1, 2, 4, 8, 5, 9, 6, 10)))
"""Times, and instances of one or two occurrences there: two definitions that yield the same of streams of these, some
chosen at random, are taken for one."""


def _signature(definition: Operator) -> bytes:
    """What a definition yields on all streams S and T of few instances at up to four times."""
    digest = hashlib.blake2b()
    for tables in _comparing():
        operands = [tables.variables[name] for name in ("S", "T")[: definition.arity]]
        for bound in BOUNDS if definition.bounded else (None,):
            for mask, rows in tables.apply(definition, operands, bound).belongs.items():
                digest.update(f"{bound} {mask} ".encode() + rows.to_bytes(rows.bit_length() // 8 + 1, "little"))
    return digest.digest()


@cache
def _comparing() -> tuple[SharedTables, ...]:
    return tuple(SharedTables(("S", "T"), *places, SAMPLED) for places in COMPARED)


@cache
def meanings(operator: str) -> tuple[Meaning, ...]:
    """The meanings that a change of one symbol, or of two, gives an operator; the first one is the right one."""
    singles = {change.text: change for change in changes(operator)}
    doubles = dict[str, Change]()
    for one in singles.values():
        for both in changes(operator, one.text):
            if both.text not in singles and both.text != operator_text(OPERATORS[operator]):
                doubles.setdefault(both.text, replace(both, what=f"{one.what}, {both.what}", symbols=2))
    found: dict[bytes, list[Change]] = {_signature(OPERATORS[operator]): []}
    for change in (*singles.values(), *doubles.values()):
        found.setdefault(_signature(change.definition), []).append(change)
    return tuple(Meaning(operator, tuple(ways), number and ways[0].symbols) for number, ways in enumerate(found.values()))


@dataclass(frozen=True, eq=False)
class Wrong:
    """A wrong semantics: other meanings of one operator or of two."""

    meanings: tuple[Meaning, ...]

    @property
    def texts(self) -> list[str]:
        """The definitions as they read."""
        return [each.ways[0].text for each in self.meanings]

    @property
    def operators(self) -> Operators:
        """All operators, with the right meanings of the others."""
        return {**OPERATORS, **{each.operator: each.definition for each in self.meanings}}

    @property
    def symbols(self) -> int:
        """How many symbols are changed."""
        return sum(each.symbols for each in self.meanings)

    def within(self, operators: Collection[str]) -> tuple[Meaning, ...]:
        """The meanings that are wrong among some operators."""
        return tuple(each for each in self.meanings if each.operator in operators)


@cache
def wrong_semantics() -> tuple[Wrong, ...]:
    """Every wrong semantics of one changed symbol, then of two in one operator, then of two in two; each once."""
    alone = [Wrong((each,)) for name in OPERATORS for each in meanings(name)[1:]]
    single = {name: [each for each in meanings(name)[1:] if each.symbols == 1] for name in OPERATORS}
    pairs = (pair for one, other in combinations(OPERATORS, 2) for pair in product(single[one], single[other]))
    return (*sorted(alone, key=lambda wrong: wrong.symbols), *map(Wrong, pairs))


@dataclass(frozen=True)
class Failure:
    """Streams and bounds for which a law fails; replayed by the executable semantics."""

    streams: Streams
    bounds: BoundValues


Failures: TypeAlias = dict[tuple[str, tuple[Meaning, ...]], Failure]
"""By the id of a law, and the wrong meanings among its operators."""


def battery(names: Sequence[str]) -> Iterator[SharedTables]:
    """The streams on which laws are tried, the smallest first."""
    for times in ALL_CHOICES:
        yield SharedTables(names, times, None, None)
    for times in AT_RANDOM:
        yield SharedTables(names, times, None, SAMPLED)


def failures(
    laws: Sequence[EquationClaim], semantics: Sequence[Wrong], tell: Callable[[str], object] = lambda _: None
) -> Failures:
    """Where laws fail in wrong semantics, the first failure that the battery has of each."""
    open_ = {
        law: dict.fromkeys(key for wrong in semantics if (key := wrong.within(_operators_of(law)))) for law in laws
    }
    found = Failures()
    names = sorted({name for law in laws for name in law.variables})
    for tables in battery(names):
        tell(f"{len(tables.times)} occurrences")
        for law, pending in open_.items():
            bounds = [dict(zip(law.parameters, each, strict=True)) for each in product(BOUNDS, repeat=len(law.parameters))]
            for key in list(pending):
                failure = _failure(law, key, bounds, tables)
                if failure is not None:
                    found[law.id, key] = failure
                    del pending[key]
    return found


def _operators_of(law: EquationClaim) -> frozenset[str]:
    return frozenset(_operators_in(law.equation.left) + _operators_in(law.equation.right))


def _failure(
    law: EquationClaim, wrong: tuple[Meaning, ...], bounds: Sequence[BoundValues], tables: SharedTables
) -> Failure | None:
    tables.operators = Wrong(wrong).operators
    for values in bounds:
        _, rows = tables.judge(law, values)
        if rows:
            streams = tables.streams((rows & -rows).bit_length() - 1)
            if not contradicts(law, streams, values, tables.operators):
                raise AssertionError(f"{law.id} fails on {streams} with {values} in tables alone")
            return Failure(streams, values)
    return None
