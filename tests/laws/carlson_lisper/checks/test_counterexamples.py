"""Counterexamples: streams that contradict a claim become a small trace that the executable semantics replays."""

import pytest
from hypothesis import given, settings, strategies as st

from laws.carlson_lisper.checks import counterexamples
from laws.carlson_lisper.checks.counterexamples import concretise, holds
from laws.carlson_lisper.checks.strategies import bounds, stream_assignments
from laws.carlson_lisper.claims import EquationClaim, RestrictionClaim, canaries, find
from semantics.carlson_lisper.denotation import apply_operator, denotation
from semantics.carlson_lisper.expressions import Identifier
from semantics.carlson_lisper.occurrences import Instance, Occurrence, Stream, interpretation
from semantics.carlson_lisper.operators import OPERATORS, Operator
from semantics.carlson_lisper.restriction import restriction, same_intervals
from semantics.carlson_lisper.syntax import Relation, parse
from tests.hashing import printed_in_every_order
from tests.laws.carlson_lisper.conjectures import conjecture

quick = settings(deadline=None, max_examples=25)


@quick
@given(stream_assignments(["A", "B"]))
def test_a_relation_holds_of_streams_as_it_is_defined(streams: dict[str, Stream]) -> None:
    left, right = streams["A"], streams["B"]
    for one, other in ((left, right), (left, left), (left, left | right), (left | right, left)):
        assert holds("==", one, other) is (one == other)
        assert holds("<=", one, other) is one.issubset(other)
        assert holds("[=]", one, other) is ({each.interval for each in one} == {each.interval for each in other})
        assert holds("~=", one, other) is same_intervals(restriction(one), restriction(other))


@quick
@given(stream_assignments(["A", "B", "C"]), st.sampled_from(list(OPERATORS.values())), bounds())
def test_what_holds_at_one_level_holds_at_the_next_and_of_what_operators_make(
    streams: dict[str, Stream], operator: Operator, bound: int
) -> None:
    whole, other = streams["A"], streams["B"]
    ends = frozenset(Instance(o for o in each.occurrences if o.time in each.interval) for each in whole)
    levels: tuple[Relation, ...] = ("==", "[=]", "~=")
    for finest, same in enumerate((whole, ends, restriction(whole))):
        assert all(holds(level, whole, same) for level in levels[finest:])
        for sides in ((whole, other), (other, whole)):
            put = tuple(same if side is whole else side for side in sides)
            left, right = (apply_operator(operator, each[: operator.arity], bound) for each in (sides, put))
            assert all(holds(level, left, right) for level in levels[finest:])
    assert (found := [holds(level, whole, other) for level in levels]) == sorted(found)


@quick
@given(stream_assignments(["A", "B", "C"], frozenset({"A"})))
def test_streams_are_realised_by_expressions_on_a_trace(streams: dict[str, Stream]) -> None:
    substitution, occurrences = counterexamples.realise(streams, frozenset({"A"}))
    trace = interpretation(occurrences)
    assert substitution["A"] == Identifier("A")
    assert len(occurrences) == len({o for stream in streams.values() for i in stream for o in i.occurrences})
    for name, stream in streams.items():
        found = denotation(substitution[name], trace)
        shapes, expected = ([(*i.interval, len(i.occurrences)) for i in each] for each in (found, stream))
        assert sorted(shapes) == sorted(expected)


@pytest.mark.slow
@settings(deadline=None, max_examples=40)
@given(canary=st.sampled_from([claim for claim in canaries() if isinstance(claim, EquationClaim)]), data=st.data())
def test_what_contradicts_a_claim_is_shrunk_to_a_trace_that_still_does(
    canary: EquationClaim, data: st.DataObject
) -> None:
    streams = data.draw(stream_assignments(canary.variables, canary.primitive))
    values = data.draw(st.fixed_dictionaries({name: bounds() for name in canary.parameters}))
    found = concretise(canary, streams, values)
    assert (found is not None) is counterexamples.contradicts(canary, streams, values)
    if found is not None:
        trace = interpretation(found.trace)
        left, right = (denotation(side, trace) for side in (found.left_expression, found.right_expression))
        assert (left, right) == (found.left, found.right)
        assert not holds(canary.equation.relation, left, right)
        sizes = sum(len(i.occurrences) for stream in streams.values() for i in stream)
        assert len(found.trace) <= max(sizes, 1)


def test_a_counterexample_says_in_one_line_what_to_put_in_and_what_comes_out() -> None:
    claim = conjecture("(A ; B)[t] == A[t] ; B[t]")
    found = counterexamples.replay(
        claim, {"A": parse("a"), "B": parse("b | c")}, {"t": 1}, [Occurrence("b", 5), Occurrence("a", 2)]
    )
    assert found is not None
    assert found.summary() == (
        "with A = a, B = b | c, t = 1 on the trace a@2, b@5: the left side has no instance, the right side {a@2, b@5}"
    )


def test_occurrences_with_values_of_different_types_are_shrunk_too() -> None:
    values = [Instance([Occurrence("e", 1, value)]) for value in (None, "x", 3)]
    found = concretise(conjecture("A == B"), {"A": frozenset(values), "B": frozenset()}, {})
    assert found is not None
    assert len(found.trace) == 1


def test_the_event_types_of_a_counterexample_do_not_clash_with_the_names_of_a_claim() -> None:
    shared = Occurrence("y", 4)
    several = frozenset({Instance([shared]), Instance([shared, Occurrence("z", 6)])})
    streams = {"x1": frozenset({Instance.primitive("x1", 4)}), "X1": several}
    found = concretise(conjecture("x1 + X1 == x1", "x1"), streams, {})
    assert found is not None
    assert found.substitution["x1"] == Identifier("x1")
    assert "x1" not in str(found.substitution["X1"]).replace("x1_", "")


@pytest.mark.slow
def test_a_counterexample_does_not_depend_on_the_order_of_hashing() -> None:
    program = (
        "from laws.carlson_lisper.claims import find;"
        "from laws.carlson_lisper.checks.exhaustive import check_exhaustively;"
        "from laws.carlson_lisper.checks.random_checks import check_on_streams;"
        "claim, = find(['canary:1']);"
        "print(check_exhaustively(claim).counterexample.summary());"
        "print(check_on_streams(claim, examples=30).counterexample.summary())"
    )
    assert len(printed_in_every_order(program)) == 1


def test_assumptions_that_do_not_hold_refute_nothing() -> None:
    (theorem,) = find(["theorem:4.5"])
    assert isinstance(theorem, RestrictionClaim)
    one, other = (frozenset({Instance([Occurrence("x", time), Occurrence("y", 5)])}) for time in (1, 3))
    assert counterexamples.replay_restriction(theorem, {"S": one | other, "T": one, "T'": other}, None) is None
