"""Dense time by whole numbers: parts of a tick say what fractions say, and enough of them say everything."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement, product

import pytest
from hypothesis import given, settings, strategies as st

from laws.carlson_lisper.checks.counterexamples import Counterexample, contradicts, in_dense_time, in_parts, replay
from laws.carlson_lisper.checks.representatives import bound_values, bounds_of, outcome_of, parts_for, tells_dense_time
from laws.carlson_lisper.checks.strategies import expressions, streams
from laws.carlson_lisper.claims import EquationClaim, laws
from laws.carlson_lisper.mutations import ALTERED_OPERATORS
from semantics.carlson_lisper.expressions import Expression, Identifier
from semantics.carlson_lisper.occurrences import Instance, Occurrence, Stream
from semantics.carlson_lisper.syntax import Equation
from tests.laws.carlson_lisper.conjectures import conjecture

POOL = [Occurrence("x", time) for time in range(6)] + [Occurrence("y", time) for time in range(0, 6, 2)]


def in_fractions(stream: Stream, parts: int) -> Stream:
    """A stream with its times divided, which are rational then; the executable semantics compares and subtracts."""
    return frozenset(
        Instance(o._replace(time=Fraction(o.time, parts)) for o in instance.occurrences)  # type: ignore[arg-type]
        for instance in stream
    )


@settings(deadline=None, max_examples=60)
@given(
    expressions(("A", "B"), max_leaves=4, max_bound=2),
    expressions(("A", "B"), max_leaves=4, max_bound=2),
    st.sampled_from(["==", "<=", "~="]),
    streams(POOL),
    streams(POOL),
    st.integers(1, 4),
)
def test_times_in_parts_of_a_tick_refute_what_fractions_of_a_tick_refute(
    left: Expression, right: Expression, relation: str, one: Stream, two: Stream, parts: int
) -> None:
    claim = EquationClaim("c", Equation(left, right, relation))  # type: ignore[arg-type]
    given_streams = {"A": one, "B": two}
    fractions = {name: in_fractions(stream, parts) for name, stream in given_streams.items()}
    assert contradicts(in_parts(claim, parts), given_streams, {}) == contradicts(claim, fractions, {})


def outcomes(claim: EquationClaim, occurrences: int, parts: int, span: int) -> set[object]:
    """How comparisons can come out for times in parts of a tick, up to a span in ticks."""
    scaled = in_parts(claim, parts)
    found: set[object] = set()
    for inner in combinations_with_replacement(range(span * parts + 1), occurrences - 1):
        times = (0, *inner)
        for chosen in product(bound_values(times, lengths_only=True), repeat=len(claim.parameters)):
            values = dict(zip(claim.parameters, chosen, strict=True))
            found.add(outcome_of(bounds_of(scaled), times, values, lengths_only=True))
    return found


@pytest.mark.parametrize(
    ("statement", "occurrences", "finer"),
    [("A[1] == A", 2, 6), ("A[1] == A[2]", 3, 12), ("A[1][t] == A", 3, 12), ("A[2] == A[1]", 4, 5)],
)
def test_the_parts_that_are_said_to_suffice_tell_all_apart_that_finer_ones_do(
    statement: str, occurrences: int, finer: int
) -> None:
    claim = conjecture(statement)
    parts = parts_for(claim, occurrences)
    assert parts is not None
    span = 3 if occurrences == 4 else 6
    assert outcomes(claim, occurrences, parts, span) >= outcomes(claim, occurrences, finer, span)


def test_fewer_parts_than_are_said_to_suffice_do_not_tell_all_apart() -> None:
    assert not outcomes(conjecture("A[1] == A"), 3, 1, 6) >= outcomes(conjecture("A[1] == A"), 3, 12, 6)
    assert not outcomes(conjecture("A[1] == A"), 4, 2, 4) >= outcomes(conjecture("A[1] == A"), 4, 3, 4)
    assert (parts_for(conjecture("A[1] == A[t]"), 4), parts_for(conjecture("A[1] == A"), 5)) == (None, 4)
    symbolic = conjecture("A[1][t] == A")
    assert not outcomes(symbolic, 3, 2, 6) >= outcomes(symbolic, 3, 3, 6)


def test_only_a_bound_that_is_a_number_tells_dense_time_from_integer_time() -> None:
    assert tells_dense_time(conjecture("A[1] == A"))
    assert tells_dense_time(conjecture("A[min(t, max(u, 3))] == A"))
    assert not tells_dense_time(conjecture("A[t][0] == A[min(t, 0)]"))
    assert not any(tells_dense_time(law) for law in laws())
    altered = {a.definition.name: a for a in ALTERED_OPERATORS}["tim"].operators()
    assert not tells_dense_time(conjecture("A[1] == A"), altered)


def test_every_bound_is_multiplied_and_a_symbolic_one_is_any_number_of_parts() -> None:
    claim = conjecture("(A[3] ; B[min(t, 2)])[max(0, u)] == A")
    assert in_parts(claim, 5).statement == "(A[15] ; B[min(t, 10)])[max(0, u)] == A"


STEPS = conjecture("(A ; B ; C)[1] <= A - A")


def counterexample_of(claim: EquationClaim, parts: int, *times: int) -> Counterexample:
    types = {name: Identifier(name.lower()) for name in claim.variables}
    found = replay(in_parts(claim, parts), types, {}, map(Occurrence, "abc", times))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("claim", "few", "many"),
    [(STEPS, (2, 0, 1, 2), (12, 0, 6, 12)), (conjecture("A ; B == B ; A"), (1, 0, 1), (3, 0, 3))],
)
def test_a_counterexample_is_given_in_as_few_parts_of_a_tick_as_it_takes(
    claim: EquationClaim, few: tuple[int, ...], many: tuple[int, ...]
) -> None:
    one, other = (in_dense_time(claim, counterexample_of(claim, *each), each[0]) for each in (few, many))
    assert one == other is not None


def test_what_the_executable_semantics_does_not_confirm_is_no_counterexample() -> None:
    found = counterexample_of(STEPS, 2, 0, 1, 2)
    assert in_dense_time(STEPS, replace(found, trace=found.trace[:2]), 2) is None
    assert in_dense_time(STEPS, found, 1) is None
