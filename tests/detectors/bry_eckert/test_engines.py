"""Engines of rules: each answer at its time, once; whatever is left out could not have joined."""

import pytest

from campaigns.bry_eckert.system import RELATIONS, Meaning, judge, judge_relation
from detectors.bry_eckert.catalogue import ENGINES
from detectors.bry_eckert.differencing import Differencing
from detectors.bry_eckert.node_engine import Nodes
from detectors.bry_eckert.nodes import kind_of
from detectors.bry_eckert.protocol import answers
from semantics.bry_eckert.algebra.distances import Distances, of_condition
from semantics.bry_eckert.algebra.planning import plan_of, pushed
from semantics.bry_eckert.algebra.plans import stamps
from semantics.bry_eckert.checking import parse
from semantics.bry_eckert.denotation import denotation
from semantics.bry_eckert.temporal import Difference, Related, end, start
from semantics.events import Event
from tests.semantics.bry_eckert.programs import ORDERS, cases


@pytest.mark.parametrize("name", ENGINES)
def test_an_engine_gives_what_is_derived_at_its_time_and_once(name: str) -> None:
    for case in cases(20):
        verdict = judge(case, ENGINES[name], Meaning(case), seconds=20)
        assert verdict.ok, (case.number, verdict.detail)


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("name", ENGINES)
def test_an_engine_keeps_every_relation(name: str, relation: str) -> None:
    for case in cases(8):
        verdict = judge_relation(relation, case, ENGINES[name], seconds=20)
        assert verdict.ok, (case.number, verdict.detail)


@pytest.mark.parametrize("name", ENGINES)
def test_a_state_takes_the_place_of_what_an_engine_had_stored(name: str) -> None:
    for case in cases(10):
        engine = ENGINES[name](case.program, pushed(plan_of(case.program)), frozenset())
        initial, first = engine.snapshot(), list(answers(engine, case.events))
        engine.restore(initial)
        assert engine.snapshot() == initial
        assert list(answers(engine, case.events)) == first


@pytest.mark.parametrize("name", ENGINES)
def test_an_attribute_of_an_answer_may_have_the_name_of_another_variable_of_its_body(name: str) -> None:
    program = parse("event D(f: int, x: time within 3)\nE(f = o) <- a: D(f = f, x = o), b: D(f = f), {a, b} within 13")
    log = [Event("D", time, time, {"f": 1, "x": time}) for time in (20, 24)]
    found = list(answers(ENGINES[name](program, pushed(plan_of(program)), frozenset()), log))
    assert found and sorted(found, key=repr) == sorted(denotation(program, log), key=repr)


@pytest.mark.parametrize(
    ("relations", "left", "right"),
    [("before during meets overlaps", False, True), ("after contains", True, False), ("finishes equals", True, True)],
)
def test_what_a_condition_implies_decides_which_side_streams(relations: str, left: bool, right: bool) -> None:
    facts = Distances().with_([Difference(start("i"), end("i")), Difference(start("j"), end("j"))])
    for relation in relations.split():
        kind = kind_of(of_condition(facts, Related("i", relation, "j")), stamps(["i"]), stamps(["j"]))
        assert (kind.left_streams, kind.right_streams) == (left, right), relation
        assert (end("i") in dict(kind.suppressing)) == (relation in ("before", "meets")), relation


def test_optimized_joins_store_less_and_suppress() -> None:
    program = parse(ORDERS)
    plan, points = pushed(plan_of(program)), frozenset(program.declared)
    log = [
        Event(type, time, time, {"id": time % 7, "p": "p", "q": 2, "t": "t"})
        for time, type in enumerate(["shipped", "order", "shipped", "shipped"] * 20)
    ]
    engines = [Nodes(program, plan, points=points), Nodes(program, plan, streaming=False, suppressing=False)]
    assert list(answers(engines[0], log)) == list(answers(engines[1], log))
    fewer, all_stored = (engine.counts for engine in engines)
    assert fewer.stored < all_stored.stored
    assert fewer.avoided > 0 == all_stored.avoided


@pytest.mark.parametrize(
    "rule",
    [
        "F(x) <- a: A(x, q), b: B(x), a before b, {a, b} within 50, q > 8, {a} within 2",
        "F(x) <- b: B(x), w: extend(b, 20), while w: not A(x, 9)",
        "F(x, count(q)) <- b: B(x), w: extend_backward(b, 20), while w: collect A(x, q), q > 8",
    ],
)
def test_finite_differencing_stores_no_tuple_that_fails_a_selection_on_its_own_columns(rule: str) -> None:
    program = parse("event A(x: int, q: int) event B(x: int)\n" + rule)
    log = [Event("AB"[time % 2], time - time % 4, time, {"x": time // 2 % 3, "q": time % 11}) for time in range(120)]
    plan = pushed(plan_of(program))
    engine, nodes = Differencing(program, plan, counting=True), Nodes(program, plan)
    assert list(answers(engine, log)) == list(answers(nodes, log)) != []
    assert engine.counts.mean <= nodes.counts.mean
    assert engine.counts.peak <= nodes.counts.peak


@pytest.mark.parametrize("head", ["F(y, v = x + y)", "F(y, count(x), count(z))"])
def test_variables_that_are_compared_for_equality_are_joined_like_one(head: str) -> None:
    types = "event A(x: int, z: int) event B(y: int)\n"
    window = ", while b: not A(y, z), while w: collect A(y, z)" if "count" in head else ", while b: not A(y, 1)"
    body = "a: A(x, 1), b: B(y), w: extend_backward(b, 9), a before b, {a, b} within 50" + window
    log = [
        Event("AB"[time % 2], time - time % 4, time, {"x": time // 2 % 3, "y": time % 3, "z": 1}) for time in range(60)
    ]
    found = []
    for text in (f"{head} <- {body}, x = y", f"{head} <- {body}, x <= y, x >= y"):
        program = parse(types + text)
        engine = Differencing(program, pushed(plan_of(program)), counting=True)
        found.append((list(answers(engine, log)), engine.counts.candidates))
        assert found[-1][0] == list(answers(Nodes(program, pushed(plan_of(program))), log))
        assert found[-1][0] == denotation(program, log)
    (equal, hashed), (between, looked_at) = found
    assert equal == between != []
    assert hashed < looked_at / 2


def test_a_timer_that_was_due_while_its_side_was_not_evaluated_is_not_due_again() -> None:
    program = parse(
        "event A(x: int) within 0\nevent B(x: int) within 0\nevent C()\nS() <- c: C()\n"
        "R(x) <- b: B(x), a: A(x), w: extend(a, 5), b before a, {b, a} within 2"
    )
    engine = Nodes(program, pushed(plan_of(program)), points=frozenset("AB"))
    for event in (Event("B", 0, 0, {"x": 0}), Event("A", 5, 5, {"x": 0}), Event("C", 9, 9)):
        engine.step(event.time, [event])
    avoided = engine.counts.avoided
    assert engine.due() == 10
    engine.step(10, [])
    assert engine.counts.avoided == avoided + 1
    assert engine.due() is None


def test_a_tuple_that_is_irrelevant_when_it_comes_ends_no_suppression() -> None:
    program = parse("event A(x: int)\nevent B(x: int) within 0\nF(x) <- a: A(x), b: B(x), a before b, {a, b} within 5")

    def avoided(*events: Event) -> int:
        engine = Nodes(program, pushed(plan_of(program)))
        assert list(answers(engine, events)) == []
        return engine.counts.avoided

    value, rest = {"x": 1}, [Event("B", time, time, {"x": 2}) for time in (30, 40)]
    first = [Event("A", 1, 1, value), Event("B", 9, 9, {"x": 2})]
    assert avoided(*first, Event("A", 0, 19, value), *rest) == avoided(*first, *rest) + 1
