"""Truth tables over all streams: a claim evaluated under every choice of streams over a few occurrences at once.

A pool of k occurrences has 2ᵏ - 1 possible instances, so v identifiers have 2^(v·(2ᵏ - 1)) choices of streams. A truth
value is a Python integer whose bit c is the value under choice c, and the operators act on these by their definitions
(`semantics.carlson_lisper.pool`).
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import TypeVar

from laws.carlson_lisper.claims import Claim, EquationClaim, RestrictionClaim
from semantics.carlson_lisper.expressions import Bound, BoundValues, Expression, evaluate_bound, fold, with_bounds
from semantics.carlson_lisper.occurrences import Instance, Occurrence, Stream
from semantics.carlson_lisper.operators import OPERATORS, Operators
from semantics.carlson_lisper.pool import Mask, Pool, PoolStream
from semantics.carlson_lisper.restriction import DOMINATED, REM
from semantics.carlson_lisper.syntax import Relation
from semantics.formulas import RELATIONS, Formula, Scope, interpret

MAX_TABLE_BITS = 21
"""The logarithm of the longest truth table: 2²¹ choices of streams at once."""


TruthT = TypeVar("TruthT")
NumberT = TypeVar("NumberT")


def writable(
    pool: Pool[TruthT, NumberT],
    streams: Mapping[str, PoolStream[TruthT, NumberT]],
    primitive: Collection[str],
    at_once: Mapping[tuple[int, int], TruthT],
) -> TruthT:
    """When all streams can be written as `realise` does: primitive ones share no occurrence and no time."""
    algebra = pool.algebra
    parts = []
    for name in sorted(primitive):
        stream = streams[name]
        for mask, belongs in stream.belongs.items():
            if mask.bit_count() > 1:
                parts.append(algebra.negate(belongs))
            else:
                others = [
                    other.member(m) for n, other in streams.items() if n != name for m in other.belongs if m & mask
                ]
                parts.append(algebra.either((algebra.negate(belongs), algebra.negate(algebra.either(others)))))
        for (one, other), same in at_once.items():
            parts.append(algebra.negate(algebra.every((same, stream.member(1 << one), stream.member(1 << other)))))
    return algebra.every(parts)


@cache
def column(bits: int, index: int) -> int:
    """The truth table of one of several Boolean variables: 2ⁱ zeros and 2ⁱ ones, over and over."""
    length = 2 << index
    table = ((1 << (length // 2)) - 1) << (length // 2)
    while length < 1 << bits:
        table |= table << length
        length *= 2
    return table


class _TruthTables:
    """The Boolean algebra of truth tables with 2ᵇ rows; times are integers."""

    def __init__(self, bits: int) -> None:
        self.everything = (1 << (1 << bits)) - 1

    def subtract(self, left: int, right: int) -> int:
        return left - right

    def compare(self, relation: str, left: int, right: int) -> int:
        return self.constant(RELATIONS[relation](left, right))

    def constant(self, value: bool) -> int:
        return self.everything if value else 0

    def every(self, parts: Iterable[int]) -> int:
        result = everything = self.everything
        for part in parts:
            if part is not everything:
                result = part if result is everything else result & part
            if not result:
                break
        return result

    def either(self, parts: Iterable[int]) -> int:
        result, everything = 0, self.everything
        for part in parts:
            if part is everything:
                return everything
            if part:
                result = result | part if result else part
        return result

    def negate(self, part: int) -> int:
        if part is self.everything:
            return 0
        return self.everything ^ part if part else self.everything

    def name(self, hint: str, part: int) -> int:
        return part


class ClaimTables:
    """Streams for names as columns of truth tables, over occurrences at given times; each part is denoted once."""

    def __init__(
        self,
        names: Sequence[str],
        times: Sequence[int],
        operators: Operators = OPERATORS,
        instances: Sequence[Mask] | None = None,
    ) -> None:
        self.names, self.times, self.operators = tuple(names), tuple(times), operators
        self.instances = range(1, 2 ** len(times)) if instances is None else instances
        bits = len(self.names) * len(self.instances)
        self.algebra = _TruthTables(bits)
        self.pool: Pool[int, int] = Pool(self.algebra, self.times)
        columns = iter(range(bits))
        self.variables = {
            name: self.pool.stream({mask: column(bits, next(columns)) for mask in self.instances}) for name in names
        }
        self._denoted: dict[Expression, PoolStream[int, int]] = {}

    def streams(self, choice: int) -> dict[str, Stream]:
        """The streams of one choice: the row of the tables with that number."""
        occurrences = [Occurrence(f"x{number}", time) for number, time in enumerate(self.times, start=1)]
        return {
            name: frozenset(
                Instance(o for bit, o in enumerate(occurrences) if mask >> bit & 1)
                for number, mask in enumerate(self.instances, place * len(self.instances))
                if choice >> number & 1
            )
            for place, name in enumerate(self.names)
        }

    def denotation(self, expression: Expression, bounds: BoundValues) -> PoolStream[int, int]:
        """⟦E⟧ under every choice."""
        ground = with_bounds(expression, bounds) if bounds else expression

        def operation(name: str, operands: Sequence[PoolStream[int, int]], bound: Bound | None) -> PoolStream[int, int]:
            value = None if bound is None else evaluate_bound(bound)
            return self.pool.apply(self.operators[name], operands, value)

        return fold(ground, self.variables.__getitem__, operation, self._denoted)

    def judge(self, claim: Claim, bounds: BoundValues) -> tuple[int, int]:
        """The choices that a claim speaks of, and those of them under which it fails.

        An equation speaks of the streams that can be written as expressions, which excludes some only if it has
        primitive identifiers; a claim about restrictions speaks of the streams that satisfy its assumptions.
        """
        match claim:
            case EquationClaim():
                equation = claim.equation
                sides = (self.denotation(side, bounds) for side in (equation.left, equation.right))
                failing = self.unrelated(equation.relation, *sides)
                if not claim.primitive:
                    return self.algebra.everything, failing
                written = self.written(claim.primitive)
                return written, written & failing
            case RestrictionClaim():
                assumed, concluded = self.restriction(claim, bounds)
                return assumed, assumed & self.algebra.negate(concluded)

    def witnessed(self, claim: Claim, side: str, bounds: BoundValues) -> int:
        """The choices under which a side of an equation, or each stream of another claim, has an instance."""
        everything, every = self.algebra.everything, self.algebra.every
        match claim:
            case EquationClaim():
                expression = claim.equation.left if side == "left" else claim.equation.right
                some = self.denotation(expression, bounds).some(lambda _: everything)
                return every((some, self.written(claim.primitive))) if claim.primitive else some
            case RestrictionClaim():
                streams = self.derived(claim, bounds).values()
                assumed, _ = self.restriction(claim, bounds)
                return every((assumed, *(stream.some(lambda _: everything) for stream in streams)))

    def written(self, primitive: frozenset[str]) -> int:
        """The choices whose streams can be written as expressions."""
        pairs = combinations(range(len(self.times)), 2)
        at_once = {pair: self.algebra.everything for pair in pairs if self.times[pair[0]] == self.times[pair[1]]}
        return writable(self.pool, self.variables, primitive, at_once)

    def unrelated(self, relation: Relation, left: PoolStream[int, int], right: PoolStream[int, int]) -> int:
        """The choices under which two streams are not related as claimed."""
        either, negate = self.algebra.either, self.algebra.negate
        if relation == "~=":
            sides = ({"S": left, "T": right}, {"S": right, "T": left})
            return either(negate(self.formula(DOMINATED, side)) for side in sides)
        pairs = [(left.member(mask), right.member(mask)) for mask in self.pool.instances]
        if relation == "==":
            return either(one ^ other for one, other in pairs)
        return either(one & negate(other) for one, other in pairs)

    def restriction(self, claim: RestrictionClaim, bounds: BoundValues) -> tuple[int, int]:
        """The choices that satisfy the assumptions of a claim, and those that satisfy its conclusions."""
        streams = self.derived(claim, bounds)
        assumed = self.algebra.every(
            self.formula(condition, {"S": streams[whole], "S'": streams[part]})
            for whole, part in claim.restrictions
            for condition in REM.conditions
        )
        concluded = self.algebra.every(self.formula(formula, streams) for _, formula in claim.conclusions)
        return assumed, concluded

    def derived(self, claim: RestrictionClaim, bounds: BoundValues) -> dict[str, PoolStream[int, int]]:
        """The streams of a claim, the derived ones among them."""
        streams: dict[str, PoolStream[int, int]] = dict(self.variables)
        for name, derived in claim.derived.items():
            definition = self.operators[derived.operator]
            operands = [streams[operand] for operand in derived.operands]
            streams[name] = self.pool.apply(definition, operands, bounds["t"] if definition.bounded else None)
        return streams

    def formula(self, formula: Formula, streams: Mapping[str, PoolStream[int, int]]) -> int:
        """The choices under which a formula about streams holds."""
        return interpret(formula, self.pool, Scope({}, streams, {}))
