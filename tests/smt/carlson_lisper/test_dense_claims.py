"""Verdicts over both times against an evaluation of our own: nothing of the product judges here but by its verdict.

The evaluator knows instances as sets of (event type, time) with times as fractions, and the five operators as sets.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from random import Random
from typing import TypeAlias, get_args

import pytest
from hypothesis import given, settings, strategies as st

from laws.carlson_lisper.checks.counterexamples import Counterexample
from laws.carlson_lisper.claims import EquationClaim
from laws.standings import Standing
from semantics.carlson_lisper.expressions import Bound, BoundExtremum, BoundParameter, Expression, Identifier, Operation
from semantics.carlson_lisper.syntax import Relation
from smt.attempts import ClaimResult
from smt.carlson_lisper.law_proofs import LADDER, prove
from smt.smtlib import TimeSort
from tests.laws.carlson_lisper.conjectures import conjecture
from tests.smt.fakes import z3

Instance: TypeAlias = frozenset[tuple[str, Fraction]]
Stream: TypeAlias = frozenset[Instance]


def span(instance: Instance) -> tuple[Fraction, Fraction]:
    times = [time for _, time in instance]
    return min(times), max(times)


def bound_value(bound: Bound, bounds: Mapping[str, Fraction], unit: Fraction) -> Fraction:
    match bound:
        case int():
            return bound * unit
        case BoundParameter(name):
            return bounds[name]
        case BoundExtremum(function, left, right):
            values = bound_value(left, bounds, unit), bound_value(right, bounds, unit)
            return min(values) if function == "min" else max(values)


def meaning(
    expression: Expression, streams: Mapping[str, Stream], bounds: Mapping[str, Fraction], unit: Fraction = Fraction(1)
) -> Stream:
    """⟦E⟧ where numbers as bounds are multiples of a unit."""
    if isinstance(expression, Identifier):
        return streams[expression.name]
    assert isinstance(expression, Operation)
    first, *others = (meaning(operand, streams, bounds, unit) for operand in expression.operands)
    match expression.operator:
        case "tim":
            assert expression.bound is not None
            longest = bound_value(expression.bound, bounds, unit)
            return frozenset(x for x in first if span(x)[1] - span(x)[0] <= longest)
        case "dis":
            return first | others[0]
        case "con":
            return frozenset(x | y for x, y in product(first, others[0]))
        case "seq":
            return frozenset(x | y for x, y in product(first, others[0]) if span(x)[1] < span(y)[0])
    spans = [span(y) for y in others[0]]
    return frozenset(x for x in first if not any(span(x)[0] <= one and other <= span(x)[1] for one, other in spans))


def fails(
    claim: EquationClaim, streams: Mapping[str, Stream], bounds: Mapping[str, Fraction], unit: Fraction = Fraction(1)
) -> bool:
    left, right = (meaning(side, streams, bounds, unit) for side in (claim.equation.left, claim.equation.right))
    match claim.equation.relation:
        case "<=":
            return not left <= right
        case "==":
            return left != right
        case "[=]":
            return set(map(span, left)) != set(map(span, right))
    return detections(left) != detections(right)


def detections(stream: Stream) -> set[tuple[Fraction, Fraction]]:
    found: dict[Fraction, Fraction] = {}
    for start, end in map(span, stream):
        found[end] = max(start, found.get(end, start))
    return set(found.items())


def drawn(claim: EquationClaim, parts: int, seed: int) -> Iterator[tuple[dict[str, Stream], dict[str, Fraction]]]:
    random = Random(seed)

    def fraction(most: int) -> Fraction:
        return Fraction(random.randrange(most * parts + 1), parts)

    while True:
        streams = {}
        for name in claim.variables:
            ends = [(fraction(3), fraction(2)) for _ in range(random.randrange(1, 4))]
            streams[name] = frozenset(
                frozenset({(f"{name}{number}", first), (f"{name}{number}", first + length)})
                for number, (first, length) in enumerate(ends)
            )
        yield streams, {name: fraction(4) for name in claim.parameters}


def contradicted(claim: EquationClaim, parts: int, cases: int) -> bool:
    found = drawn(claim, parts, seed=parts)
    return any(fails(claim, *next(found)) for _ in range(cases))


def confirmed(claim: EquationClaim, result: ClaimResult) -> bool:
    found = result.counterexample
    assert isinstance(found, Counterexample)
    unit = Fraction(found.parts_of_tick)
    trace: dict[str, set[Instance]] = {}
    for each in found.trace:
        trace.setdefault(each.event, set()).add(frozenset({(each.event, Fraction(each.time))}))
    events = {name: frozenset(some) for name, some in trace.items()}
    absent: dict[str, Stream] = dict.fromkeys("abcdefghxyz", frozenset())
    streams = {name: meaning(side, {**absent, **events}, {}) for name, side in found.substitution.items()}
    bounds = {name: Fraction(value) for name, value in found.bounds.items()}
    return fails(claim, streams, bounds, unit)


BOTH_WAYS = ("A[{0}] ; (A - A[{0}])", "(A - A[{0}]) ; A[{0}]", "A[{0}] + (A - A[{0}])", "A[{0}] ; (B - B[{0}])")
"""What a greater bound neither only adds to nor only takes from."""

ONE_WAY = (
    "A[{0}]", "(A ; B)[{0}]", "A - (B - B[{0}])", "A[{0}] ; B[{0}]", "A[{0}] - (B - B[{0}])", "(A ; (B - A[{0}]))[{0}]",
    "A - A[{0}]", "A ; (B - B[{0}])",
)  # fmt: skip


def between(shape: str, most: int) -> EquationClaim:
    """That a meaning with a bound up to `most` is covered by those with whole numbers as bounds."""
    whole = " | ".join(f"({shape.format(number)})" for number in range(most + 1))
    return conjecture(f"{shape.format(f'min(t, {most})')} <= {whole}")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shape", "most"), [(each, 1 if place % 3 else 3) for place, each in enumerate((*BOTH_WAYS, *ONE_WAY))]
)
def test_a_bound_between_whole_numbers_makes_a_difference_in_dense_time_only(shape: str, most: int) -> None:
    claim = between(shape, most)
    verdicts = {time: prove(claim, z3(), time=time) for time in ("int", "real")}
    dense = Standing.REFUTED if shape in BOTH_WAYS else Standing.PROVED
    assert [verdicts[time].standing for time in ("int", "real")] == [Standing.PROVED, dense]
    if dense is Standing.REFUTED:
        assert confirmed(claim, verdicts["real"])
    else:
        assert not any(contradicted(claim, parts, 100) for parts in (2, 3))
    assert not contradicted(claim, 1, 100)


def statements() -> st.SearchStrategy[str]:
    bounds = st.sampled_from(["0", "1", "2", "3", "t", "u", "min(t, 1)", "max(t, 2)", "min(t, u)"])

    def larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        paired = st.tuples(inner, st.sampled_from("|+-;"), inner).map(lambda each: f"({' '.join(each)})")
        return st.one_of(paired, st.tuples(inner, bounds).map(lambda each: f"{each[0]}[{each[1]}]"))

    side = st.recursive(st.sampled_from("AB"), larger, max_leaves=3)
    return st.tuples(side, st.sampled_from(get_args(Relation)), side).map(" ".join)


@pytest.mark.slow
@pytest.mark.parametrize("time", ["int", "real"])
@settings(deadline=None, max_examples=10)
@given(statements())
def test_no_verdict_on_a_conjecture_is_wrong(time: TimeSort, statement: str) -> None:
    claim = conjecture(statement)
    result = prove(claim, z3(), time=time, ladder=LADDER[:1])
    if result.standing is Standing.REFUTED:
        assert confirmed(claim, result)
    elif result.standing.unbounded:
        assert not any(contradicted(claim, parts, 60) for parts in ((1,) if time == "int" else (1, 2, 3)))
