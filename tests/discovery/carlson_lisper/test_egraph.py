from functools import cache

import pytest
from hypothesis import given, settings, strategies as st

from discovery.carlson_lisper.egraph import EGraph, Step, derivation, plain
from laws.carlson_lisper.checks.strategies import expressions
from laws.carlson_lisper.claims import EquationClaim, laws, own
from laws.carlson_lisper.matching import rules_of, simplified
from semantics.carlson_lisper.decisions import Decider
from semantics.carlson_lisper.expressions import (
    Bound,
    BoundExtremum,
    BoundParameter,
    Expression,
    Identifier,
    evaluate_bound,
    put_at,
)
from semantics.carlson_lisper.syntax import parse, parse_equation, parse_schema
from tests.discovery.carlson_lisper.steps import holds, replayed
from tests.tables import table

EVENTS = frozenset("abc")


@cache
def equations() -> tuple[EquationClaim, ...]:
    found = [claim for claim in (*laws(), *own()) if isinstance(claim, EquationClaim)]
    return tuple(claim for claim in found if claim.equation.relation in ("==", "~="))


def chain(left: str, right: str, *, nodes: int = 3000, events: frozenset[str] = frozenset()) -> tuple[Step, ...] | None:
    one, other = map(parse_schema, (left, right))
    return derivation(one, other, equations(), nodes=nodes, rounds=6, events=events)


@pytest.mark.parametrize(("left", "right", "number"), table(__file__, "derived"))
def test_equations_are_derived_by_a_chain_that_replays(left: str, right: str, number: int) -> None:
    found = chain(left, right)
    assert found is not None and len(found) <= number
    assert replayed(plain(parse_schema(left)), found, frozenset()) == plain(parse_schema(right))


@pytest.mark.parametrize(("left", "right"), table(__file__, "not derived"))
def test_what_does_not_follow_is_not_derived(left: str, right: str) -> None:
    assert chain(left, right, nodes=500) is None


def test_a_law_of_event_types_is_for_those_alone() -> None:
    assert chain("a[t] | b", "a | b") is None
    (step,) = chain("a[t] | b", "a | b", events=EVENTS) or ()
    assert (step.claim.id, step.forward, step.place) == ("law:23", False, (0,))


@pytest.mark.slow
@settings(deadline=None, max_examples=40)
@given(expressions(max_leaves=5, max_bound=3))
def test_all_that_is_in_a_class_is_equal_and_each_member_is_told_by_laws(expression: Expression) -> None:
    graph = EGraph((rule for claim in equations() for rule in rules_of(claim)), nodes=150, events=EVENTS)
    first = graph.add(expression)
    graph.saturate(3)
    members = [term for term in range(len(graph.heads)) if graph.find(term) == graph.find(first)]
    for term in members[:: max(1, len(members) // 4)]:
        other = graph.expressions[term]
        assert replayed(plain(expression), graph.chain(first, term) or (), EVENTS) == other
        assert Decider((expression, other)).decide(expression, other).holds


def test_identifiers_that_are_event_types_stand_for_different_ones() -> None:
    law = EquationClaim("types", parse_equation("(A + B) - A == A - A"), frozenset("AB"))
    step = Step(law, True, (), parse("(a + b) - a"), parse("a - a"), parse("a - a"))
    assert holds(step, parse("(a + b) - a"), EVENTS)
    same = Step(law, True, (), parse("(a + a) - a"), parse("a - a"), parse("a - a"))
    assert not holds(same, parse("(a + a) - a"), EVENTS)
    for left, is_derived in (("(a + b) - a", True), ("(a + a) - a", False), ("(a + (b ; c)) - a", False)):
        found = derivation(parse(left), parse("a - a"), (law,), nodes=50, rounds=2, events=EVENTS)
        assert (found is not None) is is_derived


def test_a_step_that_is_none_is_noticed() -> None:
    (step,) = chain("A | (A ; B)", "(A ; B) | A") or ()
    first = parse("A | (A ; B)")
    assert holds(step, first, frozenset())
    wrong = parse("(B ; A) | A")
    for changed in (
        Step(step.claim, step.forward, (), first, wrong, wrong),
        Step(step.claim, step.forward, (0,), step.before, step.after, step.whole),
        Step(step.claim, step.forward, (), wrong, step.after, step.whole),
        Step(step.claim, step.forward, (), step.before, step.after, wrong),
        Step(laws()[2], step.forward, (), step.before, step.after, step.whole),
    ):
        assert not holds(changed, first, frozenset())


def test_a_rule_that_is_false_makes_equal_what_is_not() -> None:
    false = EquationClaim("false", parse_equation("A ; B ~= B ; A"))
    one, other = parse("a ; b"), parse("b ; a")
    assert derivation(one, other, (false,), nodes=50, rounds=2, events=EVENTS)
    assert not Decider((one, other)).decide(one, other).holds


_NAMES = {"t": 2, "u": 5, "v": 3}
_BOUNDS = st.recursive(
    st.sampled_from([BoundParameter(name) for name in _NAMES]) | st.integers(0, 6),
    lambda inner: st.builds(BoundExtremum, st.sampled_from(["min", "max"]), inner, inner),
    max_leaves=6,
)


@given(_BOUNDS, st.permutations([*_NAMES]))
def test_the_normal_form_of_a_bound_has_its_values(bound: Bound, order: list[str]) -> None:
    values = {name: 2 * place for place, name in enumerate(order)}
    assert evaluate_bound(simplified(bound), values) == evaluate_bound(bound, values)
    assert simplified(simplified(bound)) == simplified(bound)


@given(_BOUNDS, _BOUNDS)
def test_bounds_of_the_same_values_have_the_same_normal_form(one: Bound, other: Bound) -> None:
    grid = [{"t": t, "u": u, "v": v} for t in range(8) for u in range(8) for v in range(8)]
    same = all(evaluate_bound(one, values) == evaluate_bound(other, values) for values in grid)
    assert same == (simplified(one) == simplified(other))


def test_a_part_is_put_into_its_place() -> None:
    assert put_at(parse("(a ; b)[3] | c"), (0, 0, 1), Identifier("d")) == parse("(a ; d)[3] | c")
