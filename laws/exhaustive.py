"""Exhaustive checks: a claim evaluated on all streams over a few occurrences, with the bound stated.

A pool of k occurrences has 2ᵏ - 1 possible instances, so v identifiers have 2^(v·(2ᵏ - 1)) choices of streams. All of
them are evaluated at once: a truth value is a Python integer whose bit c is the value under choice c (a truth table),
and the operators act on these by their definitions (`semantics.pool`).
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product

from laws.claims import Claim, EquationClaim, RestrictionClaim
from laws.counterexamples import (
    Counterexample,
    RestrictionCounterexample,
    concretise,
    replay_restriction,
)
from laws.outcomes import TestOutcome
from laws.standings import Standing
from semantics.errors import LimitExceeded
from semantics.expressions import evaluate_bound
from semantics.formulas import Scope, interpret
from semantics.occurrences import Instance, Occurrence, Stream
from semantics.operators import OPERATORS, Operator
from semantics.pool import Pool, PoolStream
from semantics.restriction import DOMINATED, REM

MAX_TABLE_BITS = 21
"""The logarithm of the longest truth table: 2²¹ choices of streams at once."""

LARGEST_POOL = 4
"""The greatest number of occurrences in a pool."""

MAX_GAP = 2
"""The greatest time between neighbouring occurrences, in ticks."""

MAX_BOUND = 4
"""The greatest value of a symbolic bound, in ticks; less where a claim has more than three of them."""

MAX_BOUND_CHOICES = (MAX_BOUND + 1) ** 3
"""How many choices of values for all symbolic bounds of a claim are tried at the most, as far as 0 and 1 allow."""

_RELATIONS = {"<": operator.lt, "<=": operator.le, "=": operator.eq}


@cache
def _column(bits: int, index: int) -> int:
    """The truth table of one of several Boolean variables: 2ⁱ zeros and 2ⁱ ones, over and over."""
    length = 2 << index
    column = ((1 << (length // 2)) - 1) << (length // 2)
    while length < 1 << bits:
        column |= column << length
        length *= 2
    return column


class _TruthTables:
    """Truth values as integers of 2ᵇ bits; times as integers."""

    def __init__(self, bits: int) -> None:
        self.everything = (1 << (1 << bits)) - 1

    def earliest(self, times: Sequence[int]) -> int:
        return min(times)

    def latest(self, times: Sequence[int]) -> int:
        return max(times)

    def subtract(self, left: int, right: int) -> int:
        return left - right

    def compare(self, relation: str, left: int, right: int) -> int:
        return self.constant(_RELATIONS[relation](left, right))

    def constant(self, value: bool) -> int:
        return self.everything if value else 0

    def every(self, parts: Iterable[int]) -> int:
        result = self.everything
        for part in parts:
            result &= part
            if not result:
                break
        return result

    def either(self, parts: Iterable[int]) -> int:
        result = 0
        for part in parts:
            result |= part
            if result == self.everything:
                break
        return result

    def negate(self, part: int) -> int:
        return self.everything ^ part

    def name(self, hint: str, part: int) -> int:
        return part


def pool_size(streams: int) -> int:
    """How many occurrences the check ranges over for a number of arbitrary streams."""
    size = 1
    while size < LARGEST_POOL and streams * (2 ** (size + 1) - 1) <= MAX_TABLE_BITS:
        size += 1
    return size


def greatest_bound(parameters: int) -> int:
    """The greatest value that is tried for each of a number of symbolic bounds, in ticks."""
    greatest = MAX_BOUND
    while greatest > 1 and (greatest + 1) ** parameters > MAX_BOUND_CHOICES:
        greatest -= 1
    return greatest


def check_exhaustively(
    claim: Claim, operators: Mapping[str, Operator] = OPERATORS, *, largest: int = LARGEST_POOL
) -> TestOutcome:
    """Evaluate a claim on all streams over a pool, for all gaps and bounds up to the stated greatest ones.

    Args:
        claim: the claim.
        operators: the definitions of the operators.
        largest: the greatest number of occurrences; fewer are taken where the claim has many identifiers.

    Raises:
        LimitExceeded: the claim has too many identifiers.
    """
    match claim:
        case EquationClaim():
            names: tuple[str, ...] = claim.variables
            parameters = claim.parameters
        case RestrictionClaim():
            names, parameters = claim.streams, (("t",) if claim.uses_bound else ())
    if len(names) > MAX_TABLE_BITS:
        raise LimitExceeded(
            f"{claim.id} has {len(names)} identifiers; the exhaustive check takes at most {MAX_TABLE_BITS}"
        )
    size = min(largest, pool_size(len(names)))
    highest = greatest_bound(len(parameters))
    bound = f"all streams over {size} occurrences, neighbours up to {MAX_GAP} ticks apart"
    if parameters:
        bound += f", bounds up to {highest} ticks"
    cases = 0
    for gaps in product(range(MAX_GAP + 1), repeat=size - 1):
        times = [sum(gaps[:position]) for position in range(size)]
        tables = _Tables(names, times, operators)
        for values in product(range(highest + 1), repeat=len(parameters)):
            bounds = dict(zip(parameters, values, strict=True))
            assumed, failing = tables.judge(claim, bounds)
            cases += assumed.bit_count()
            if failing:
                streams = tables.streams((failing & -failing).bit_length() - 1)
                found = _confirm(claim, streams, bounds, operators)
                standing = Standing.ERROR if found is None else Standing.REFUTED
                return TestOutcome("exhaustive", standing, cases, bound, found)
    return TestOutcome("exhaustive", Standing.TESTED, cases, bound)


class _Tables:
    """Streams for the names of a claim as columns of a truth table, over occurrences at given times."""

    def __init__(self, names: Sequence[str], times: Sequence[int], operators: Mapping[str, Operator]) -> None:
        self.names = names
        self.operators = operators
        self.occurrences = [Occurrence(f"x{number}", time) for number, time in enumerate(times, start=1)]
        per_stream = 2 ** len(times) - 1
        bits = len(names) * per_stream
        self.algebra = _TruthTables(bits)
        self.pool: Pool[int, int] = Pool(self.algebra, times)
        self.variables = {
            name: self.pool.stream(
                {mask: _column(bits, place * per_stream + mask - 1) for mask in self.pool.instances}
            )
            for place, name in enumerate(names)
        }

    def streams(self, choice: int) -> dict[str, Stream]:
        """The streams of one choice."""
        return {
            name: frozenset(
                Instance(o for bit, o in enumerate(self.occurrences) if mask >> bit & 1)
                for mask, column in stream.belongs.items()
                if column >> choice & 1
            )
            for name, stream in self.variables.items()
        }

    def judge(self, claim: Claim, bounds: Mapping[str, int]) -> tuple[int, int]:
        """The choices that satisfy the assumptions of a claim, and those of them under which it fails."""
        match claim:
            case EquationClaim():
                assumed = self.pool.primitive_types(claim.primitive, self.variables)
                return assumed, assumed & self._equation_fails(claim, bounds)
            case RestrictionClaim():
                return self._restriction(claim, bounds)

    def _equation_fails(self, claim: EquationClaim, bounds: Mapping[str, int]) -> int:
        left, right = (
            self.pool.denotation(
                side, self.variables, lambda bound: evaluate_bound(bound, bounds), self.operators
            )
            for side in (claim.equation.left, claim.equation.right)
        )
        if claim.equation.relation == "~=":
            return self.algebra.either(
                self.algebra.negate(self._formula(DOMINATED, {"S": first, "T": second}))
                for first, second in ((left, right), (right, left))
            )
        both_ways = claim.equation.relation == "=="
        return self.algebra.either(
            left.member(mask) ^ right.member(mask)
            if both_ways
            else left.member(mask) & self.algebra.negate(right.member(mask))
            for mask in self.pool.instances
        )

    def _restriction(self, claim: RestrictionClaim, bounds: Mapping[str, int]) -> tuple[int, int]:
        streams: dict[str, PoolStream[int, int]] = dict(self.variables)
        for name, derived in claim.derived.items():
            definition = self.operators[derived.operator]
            operands = [streams[operand] for operand in derived.operands]
            streams[name] = self.pool.apply(definition, operands, bounds["t"] if definition.bounded else None)
        assumed = self.algebra.every(
            self._formula(condition, {"S": streams[whole], "S'": streams[part]})
            for whole, part in claim.restrictions
            for condition in REM.conditions
        )
        concluded = self.algebra.every(
            interpret(conclusion, self.pool, Scope({}, streams, {})) for _, conclusion in claim.conclusions
        )
        return assumed, assumed & self.algebra.negate(concluded)

    def _formula(self, formula: object, streams: Mapping[str, PoolStream[int, int]]) -> int:
        return interpret(formula, self.pool, Scope({}, streams, {}))  # type: ignore[arg-type]


def _confirm(
    claim: Claim, streams: Mapping[str, Stream], bounds: Mapping[str, int], operators: Mapping[str, Operator]
) -> Counterexample | RestrictionCounterexample | None:
    return next(_confirmations(claim, streams, bounds, operators), None)


def _confirmations(
    claim: Claim, streams: Mapping[str, Stream], bounds: Mapping[str, int], operators: Mapping[str, Operator]
) -> Iterator[Counterexample | RestrictionCounterexample]:
    if isinstance(claim, EquationClaim):
        found = concretise(claim, streams, bounds, operators)
        if found is not None:
            yield found
        return
    for conclusion, _ in claim.conclusions:
        failed = replay_restriction(claim, conclusion, streams, bounds.get("t"), operators)
        if failed is not None:
            yield failed
