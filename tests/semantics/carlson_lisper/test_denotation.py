"""What expressions mean: the definition literally, at the level of intervals, and for one instance at a time."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import combinations

import pytest
from hypothesis import given, settings, strategies as st

from laws.carlson_lisper.checks.strategies import expressions, traces
from semantics.carlson_lisper.denotation import denotation
from semantics.carlson_lisper.expressions import Expression, Identifier
from semantics.carlson_lisper.intervals import Intervals
from semantics.carlson_lisper.occurrences import Instance, Interpretation, Occurrence, Stream, Streams, interpretation
from semantics.carlson_lisper.restriction import restriction
from semantics.carlson_lisper.syntax import parse, parse_schema
from semantics.errors import LimitExceeded
from tests.tables import table

quick = settings(deadline=None, max_examples=25)


def scenario(text: str) -> Interpretation:
    """`a@1 b@3`: what occurs, and when."""
    pairs = (word.split("@") for word in text.split())
    return interpretation(Occurrence(event, int(time)) for event, time in pairs)


LITERALLY: dict[str, Callable[[Stream, Stream, int], Iterable[Instance]]] = {
    "dis": lambda S, T, _: S | T,
    "con": lambda S, T, _: {Instance(s.occurrences | t.occurrences) for s in S for t in T},
    "neg": lambda S, T, _: {s for s in S if not any(s.start <= t.start and t.end <= s.end for t in T)},
    "seq": lambda S, T, _: {Instance(s.occurrences | t.occurrences) for s in S for t in T if s.end < t.start},
    "tim": lambda S, _, tau: {s for s in S if s.end - s.start <= tau},
}


@quick
@given(expressions(), traces())
def test_the_meaning_of_an_operation_is_the_operator_on_the_meanings_of_its_operands(
    expression: Expression, trace: Interpretation
) -> None:
    def defined(node: Expression) -> Stream:
        if isinstance(node, Identifier):
            return trace[node.name]
        operator, parts, bound = node.operator, node.operands, node.bound  # type: ignore[attr-defined]
        known = [defined(part) for part in parts]
        return frozenset(LITERALLY[operator](known[0], known[-1], bound or 0))

    assert denotation(expression, trace) == defined(expression)


@pytest.mark.parametrize(("expression", "trace", "expected"), table(__file__, "meanings"))
def test_what_an_expression_means_on_a_trace(expression: str, trace: str, expected: list[str]) -> None:
    found = denotation(parse(expression), scenario(trace))
    assert found == {Instance(scenario(text).occurrences()) for text in expected}


def test_identifiers_may_stand_for_any_streams_whose_values_are_forwarded_and_bounds_for_any_time() -> None:
    long = Instance([Occurrence("x", 0, "low"), Occurrence("y", 5, 12)])
    stream: Streams = {"A": frozenset({long}), "B": frozenset()}
    assert denotation(parse_schema("A[t] | B"), stream, {"t": 5}) == {long}
    assert denotation(parse_schema("A[t] | B"), stream, {"t": 4}) == set()


@pytest.mark.slow
@settings(deadline=None, max_examples=150)
@given(expressions(), traces())
def test_the_interval_semantics_has_the_intervals_of_instances(expression: Expression, trace: Interpretation) -> None:
    found = denotation(expression, trace)
    spans = Intervals(expression, trace)
    assert set(spans.intervals()) == {instance.interval for instance in found}
    assert {(i.start, i.end) for i in spans.restricted()} == {i.interval for i in restriction(found)}


@quick
@given(expressions(max_leaves=5), traces(max_size=6))
def test_members_are_the_instances_of_the_meaning_and_no_others(expression: Expression, trace: Interpretation) -> None:
    found = denotation(expression, trace)
    members = Intervals(expression, trace)
    candidates = {Instance(c) for n in range(1, 5) for c in combinations(trace.occurrences(), n)} | found
    assert {instance for instance in candidates if instance in members} == found


def test_an_occurrence_that_is_not_in_the_trace_makes_no_member() -> None:
    members = Intervals(parse("a | (a ; b)"), scenario("a@1 b@3"))
    assert Instance.primitive("a", 1) in members
    assert Instance.primitive("a", 1, "another value") not in members
    assert Instance([Occurrence("a", 1), Occurrence("b", 3), Occurrence("c", 2)]) not in members


@quick
@given(expressions(), traces(), st.integers(1, 20))
def test_a_limit_refuses_or_changes_nothing(expression: Expression, trace: Interpretation, limit: int) -> None:
    whole = denotation(expression, trace, limit=None)
    with suppress(LimitExceeded):
        assert denotation(expression, trace, limit=limit) == whole


def test_too_many_candidates_are_refused_by_number_before_they_are_tried() -> None:
    trace = interpretation(Occurrence(event, time) for event in "ab" for time in range(5_000))
    with pytest.raises(LimitExceeded, match="conjunction has 25,000,000 candidate instances"):
        denotation(parse("a + b"), trace)
