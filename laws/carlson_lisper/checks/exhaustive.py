"""Exhaustive checks, smallest counterexamples and witnesses: claims on all streams over a few occurrences.

A pool of k occurrences has 2ᵏ - 1 possible instances, so v identifiers have 2^(v·(2ᵏ - 1)) choices of streams. All are
evaluated at once: a truth value is a Python integer whose bit c is the value under choice c, at times and bounds that
represent all others (`laws.carlson_lisper.checks.representatives`). The order of counterexamples is: fewest
occurrences, then shortest span, times, bounds, the number of occurrences in all instances that identifiers are given,
and at last the number of the row in the truth table, so that there is one smallest counterexample.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, count, groupby, product
from operator import itemgetter
from random import Random
from typing import Literal, TypeVar

from laws.carlson_lisper.checks.counterexamples import Counterexample, RestrictionCounterexample, confirm, with_derived
from laws.carlson_lisper.checks.representatives import representatives
from laws.carlson_lisper.claims import Claim, EquationClaim, RestrictionClaim
from laws.outcomes import TestOutcome
from laws.standings import Standing
from semantics.carlson_lisper.denotation import denotation
from semantics.carlson_lisper.expressions import Bound, BoundValues, Expression, evaluate_bound, fold, with_bounds
from semantics.carlson_lisper.occurrences import Instance, Occurrence, Stream, Streams
from semantics.carlson_lisper.operators import OPERATORS, Operators
from semantics.carlson_lisper.pool import Mask, Pool, PoolStream
from semantics.carlson_lisper.restriction import HALVES, REM, rem
from semantics.errors import LimitExceeded
from semantics.formulas import RELATIONS, Formula, Scope, interpret

MAX_TABLE_BITS = 21  # The logarithm of the longest truth table: 2²¹ choices of streams at once

LARGEST_TABLE_SEARCH = 3
"""The greatest number of occurrences that truth tables are asked for; four are too many except for one identifier."""

LARGEST_POOL = 4  # The greatest number of occurrences of an exhaustive check

MAX_WITNESS_BITS, LARGEST_WITNESS = 15, 4
"""The logarithm of the longest truth table that is made for a simple witness, and its most occurrences."""

Side = Literal["left", "right"]  # The side of an equation that is to have an instance

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


def _drawn(bits: int, source: Random) -> int:
    """A random truth table: true in a half of the rows, then a quarter, an eighth and a sixteenth of them."""
    part, table = (1 << bits) // 4, 0
    for several in range(4):
        rows = source.getrandbits(part)
        for _ in range(several):
            rows &= source.getrandbits(part)
        table |= rows << several * part
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
    """Streams for names as columns of truth tables, over occurrences at times in order; each part is denoted once.

    `instances` are those that streams may have, as bits. The columns have a row for each choice of streams, or 2 to
    the `sampled` rows for choices at random, which follow from names, times and instances.
    """

    def __init__(
        self,
        names: Sequence[str],
        times: Sequence[int],
        operators: Operators = OPERATORS,
        instances: Sequence[Mask] | None = None,
        *,
        sampled: int | None = None,
    ) -> None:
        self.names, self.times, self.operators = tuple(names), tuple(times), operators
        self.instances = range(1, 2 ** len(times)) if instances is None else instances
        bits = len(self.names) * len(self.instances) if sampled is None else sampled
        self.algebra = _TruthTables(bits)
        self.pool: Pool[int, int] = Pool(self.algebra, self.times)
        columns: Iterator[int] = (column(bits, index) for index in range(bits))
        if sampled is not None:
            source = Random(f"{self.names} {self.times} {list(self.instances)}")
            columns = (_drawn(bits, source) for _ in count())
        self.variables = {name: self.pool.stream({mask: next(columns) for mask in self.instances}) for name in names}
        self._denoted: dict[Expression, PoolStream[int, int]] = {}

    def streams(self, choice: int) -> dict[str, Stream]:
        """The streams of one choice: the row of the tables with that number."""
        occurrences = [Occurrence(f"x{number}", time) for number, time in enumerate(self.times, start=1)]
        return {
            name: frozenset(
                Instance(o for bit, o in enumerate(occurrences) if mask >> bit & 1)
                for mask, belongs in stream.belongs.items()
                if belongs >> choice & 1
            )
            for name, stream in self.variables.items()
        }

    def denotation(self, expression: Expression, bounds: BoundValues) -> PoolStream[int, int]:
        """⟦E⟧ under every choice."""
        ground = with_bounds(expression, bounds) if bounds else expression

        def operation(name: str, operands: Sequence[PoolStream[int, int]], bound: Bound | None) -> PoolStream[int, int]:
            return self.pool.apply(self.operators[name], operands, None if bound is None else evaluate_bound(bound))

        return fold(ground, self.variables.__getitem__, operation, self._denoted)

    def judge(self, claim: Claim, bounds: BoundValues) -> tuple[int, int]:
        """The choices that a claim speaks of, and those of them under which it fails.

        An equation speaks of the streams that can be written as expressions, which excludes some only if it has
        primitive identifiers; a claim about restrictions speaks of the streams that satisfy its assumptions.
        """
        if isinstance(claim, EquationClaim):
            assumed, failing = self.written(claim.primitive), self.unrelated(claim, bounds)
        else:
            streams = self.derived(claim, bounds)
            assumed = self.restricted(claim, streams)
            concluded = (self.formula(formula, streams) for _, formula in claim.conclusions)
            failing = self.algebra.negate(self.algebra.every(concluded))
        return assumed, self.algebra.every((assumed, failing))

    def witnessed(self, claim: Claim, side: Side, bounds: BoundValues) -> int:
        """The choices under which a side of an equation, or each stream of another claim, has an instance."""
        if isinstance(claim, EquationClaim):
            expression = claim.equation.left if side == "left" else claim.equation.right
            assumed, streams = self.written(claim.primitive), [self.denotation(expression, bounds)]
        else:
            known = self.derived(claim, bounds)
            assumed, streams = self.restricted(claim, known), list(known.values())
        return self.algebra.every((assumed, *(each.some(lambda _: self.algebra.everything) for each in streams)))

    def written(self, primitive: frozenset[str]) -> int:
        """The choices whose streams can be written as expressions."""
        pairs = combinations(range(len(self.times)), 2)
        at_once = {pair: self.algebra.everything for pair in pairs if self.times[pair[0]] == self.times[pair[1]]}
        return writable(self.pool, self.variables, primitive, at_once)

    def unrelated(self, claim: EquationClaim, bounds: BoundValues) -> int:
        """The choices under which the two sides of an equation are not related as claimed."""
        either, negate, relation = self.algebra.either, self.algebra.negate, claim.equation.relation
        left, right = (self.denotation(side, bounds) for side in (claim.equation.left, claim.equation.right))
        if relation in HALVES:
            sides = ({"S": left, "T": right}, {"S": right, "T": left})
            return either(negate(self.formula(HALVES[relation], side)) for side in sides)
        pairs = [(left.member(mask), right.member(mask)) for mask in self.pool.instances]
        return either(one ^ other if relation == "==" else one & negate(other) for one, other in pairs)

    def restricted(self, claim: RestrictionClaim, streams: Mapping[str, PoolStream[int, int]]) -> int:
        """The choices that satisfy the assumptions of a claim."""
        pairs = ({"S": streams[whole], "S'": streams[part]} for whole, part in claim.restrictions)
        return self.algebra.every(self.formula(condition, pair) for pair in pairs for condition in REM.conditions)

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


@dataclass(frozen=True)
class TableSearch:
    """The outcome of a search by truth tables."""

    # the smallest one, replayed; there is none over `complete_up_to` occurrences or fewer
    counterexample: Counterexample | RestrictionCounterexample | None
    complete_up_to: int
    cases: int = 0  # how many choices of streams were judged
    # whether the executable semantics did not confirm a failure, which is an error of the machinery
    unconfirmed: bool = False


def smallest_counterexample(
    claim: Claim, operators: Operators = OPERATORS, *, max_occurrences: int = LARGEST_TABLE_SEARCH
) -> TableSearch:
    """The smallest counterexample over a few occurrences, as far as truth tables of 2 to the `MAX_TABLE_BITS` reach."""
    complete = cases = 0
    for occurrences in range(1, max_occurrences + 1):
        found = representatives(claim, occurrences, operators)
        if found is None or len(claim.variables) * (2**occurrences - 1) > MAX_TABLE_BITS:
            break
        for times, choices in groupby(found, key=itemgetter(0)):
            tables = ClaimTables(claim.variables, times, operators)
            for _, bounds in choices:
                assumed, rows = tables.judge(claim, bounds)
                cases += assumed.bit_count()
                if rows:
                    confirmed = confirm(claim, tables.streams(_lightest(rows, tables)), bounds, operators)
                    return TableSearch(confirmed, complete, cases, unconfirmed=confirmed is None)
        complete = occurrences
    return TableSearch(None, complete, cases)


def check_exhaustively(claim: Claim, operators: Operators = OPERATORS, *, largest: int = LARGEST_POOL) -> TestOutcome:
    """Evaluate a claim on all streams over a few occurrences, at any times and with any bounds.

    Fewer occurrences are taken where it has many identifiers or bounds; LimitExceeded where these are too many.
    """
    if len(claim.variables) > MAX_TABLE_BITS:
        takes = f"the exhaustive check takes at most {MAX_TABLE_BITS}"
        raise LimitExceeded(f"{claim.id} has {len(claim.variables)} identifiers; {takes}")
    found = smallest_counterexample(claim, operators, max_occurrences=largest)
    reached = found.complete_up_to + (found.counterexample is not None)
    bound = f"all streams over {reached} occurrences or fewer, at any times{', any bounds' if claim.parameters else ''}"
    standing = Standing.TESTED if found.counterexample is None else Standing.REFUTED
    if found.unconfirmed:
        standing = Standing.ERROR
    return TestOutcome("exhaustive", standing, found.cases, bound, found.counterexample)


def _lightest(rows: int, tables: ClaimTables) -> int:
    """The row whose streams have the fewest occurrences in all their instances, the first of several."""
    weights = tuple(mask.bit_count() for mask in tables.instances)
    for light in _by_weight(weights * len(tables.names)):
        chosen = rows & light
        if chosen:
            return (chosen & -chosen).bit_length() - 1
    raise ValueError("there is no such row")


@cache
def _by_weight(weights: tuple[int, ...]) -> tuple[int, ...]:
    """For each total weight the rows that have it, as tables; each variable of the tables weighs something if true."""
    levels = [1]
    for place, weight in enumerate(weights):
        shifted = [0] * weight + [level << (1 << place) for level in levels]
        levels += [0] * weight
        levels = [level | other for level, other in zip(levels, shifted, strict=True)]
    return tuple(levels)


def simple_witness(claim: Claim, side: Side, operators: Operators = OPERATORS) -> Streams | None:
    """Streams over a few occurrences for which what a claim assumes holds and matters; replayed.

    The occurrences are one tick apart, or if there is no such witness all at once.

    For an equation the given side must have an instance; for a claim about restrictions all of these must hold with
    streams that are not empty. Bounds admit everything. Single occurrences are tried first, then all instances. None
    if there is no such witness; then there may be others.
    """
    for apart, occurrences in product((1, 0), range(1, LARGEST_WITNESS + 1)):
        single = [1 << place for place in range(occurrences)]
        for instances in (single, range(1, 2**occurrences)):
            if len(claim.variables) * len(instances) > MAX_WITNESS_BITS:
                continue
            tables = ClaimTables(claim.variables, [apart * place for place in range(occurrences)], operators, instances)
            bounds = dict.fromkeys(claim.parameters, occurrences - 1)
            rows = tables.witnessed(claim, side, bounds)
            if rows:
                streams = tables.streams((rows & -rows).bit_length() - 1)
                if is_witness(claim, side, streams, bounds, operators):
                    return streams
    return None


def is_witness(
    claim: Claim, side: Side, streams: Streams, bounds: BoundValues, operators: Operators = OPERATORS
) -> bool:
    """Whether what the claim assumes holds for these streams in a way that matters, by the executable semantics."""
    if isinstance(claim, EquationClaim):
        expression = claim.equation.left if side == "left" else claim.equation.right
        return bool(denotation(expression, streams, bounds, operators=operators))
    known = with_derived(claim, streams, bounds.get("t", 0), operators)
    return all(known.values()) and all(rem(known[whole], known[part]) for whole, part in claim.restrictions)
