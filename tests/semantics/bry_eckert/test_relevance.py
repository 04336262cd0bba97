"""How long tuples are relevant: the conditions of the paper's figure, and those that a solver decides."""

from dataclasses import replace

import pytest
import z3

from campaigns.bry_eckert.system import usual_plan
from detectors.bry_eckert.bodies import Body, Joins, body_of
from detectors.bry_eckert.catalogue import ENGINES
from detectors.bry_eckert.differencing import Differencing
from detectors.bry_eckert.node_engine import Nodes
from detectors.bry_eckert.protocol import answers
from remora.systems.bry_eckert.detection import safe_plan
from semantics.bry_eckert.algebra.distances import Relevance, distances, maximal
from semantics.bry_eckert.algebra.planning import planned, read_choices
from semantics.bry_eckert.algebra.plans import Base, Plan, Union, named
from semantics.bry_eckert.checking import parse
from semantics.bry_eckert.denotation import denotation
from semantics.bry_eckert.temporal import is_stamp
from semantics.events import Event
from smt.bry_eckert.relevance import decided, is_lost, is_needed
from smt.bry_eckert.tuples import Tuples
from tests.semantics.bry_eckert.programs import CHAIN, cases
from tests.tables import table

CHOICES = {"1": "", "2": "F: c, d / e"}  # the plans of Figure 1

FIGURE_3 = {
    "1": {
        ("A", "C"): "a.e >= now - 2 and a.s >= now - 2",
        ("B", "C"): "b.e >= now - 2 and b.s >= now - 2",
        ("C", "F"): "c.e >= now - 5 and c.s >= now - 5",
        ("D", "F"): "d.e >= now - 1 and d.s >= now - 1",
        ("E", "F"): "e.e >= now and e.s >= now",
    },
    "2": {
        ("A", "C"): "a.s >= now - 2",
        ("B", "C"): "b.s >= now - 2",
        ("C", "F/1"): "c.s >= now - 4",
        ("D", "F/1"): "d.e >= now and d.s >= now - 3",
        ("F/1", "F"): "d.s >= now - 1",
        ("E", "F"): "e.s >= now",
    },
}
"""Maximal conditions of plan 1, minimal ones of plan 2; what is printed for dense time is in whole ticks."""


def bodies(plan: Plan) -> dict[str, Body]:
    points = ((part.name, part.expression) for part in plan.definitions)
    return {named(name): body_of(given, plan) for name, given in points if not isinstance(given, Union)}


@pytest.mark.parametrize("number", CHOICES)
def test_the_conditions_of_figure_3_are_those_with_all_time_stamps_of_the_expression(number: str) -> None:
    program = parse(CHAIN)
    plan = planned(program, read_choices(CHOICES[number], program))
    found = {}
    for name, body in bodies(plan).items():
        stamps = [stamp for given in body.inputs for stamp in given.schema if is_stamp(stamp)]
        for given in body.inputs:
            most = maximal(body.distances, given.schema, stamps)
            found[named(given.relation if isinstance(given, Base) else given.name), name] = str(
                most if number == "1" else most.minimal(distances(given, plan))
            )
    assert found == FIGURE_3[number]


@pytest.mark.slow
def test_every_condition_of_random_plans_is_safe_and_one_that_is_a_tick_shorter_is_not_where_it_is_tight() -> None:
    tight = 0
    for case in cases(16):
        plan = usual_plan(case.program).with_points(case.points)
        for body, number in [(one, place) for one in bodies(plan).values() for place in Joins(one).keys]:
            kept = body.relevance(number, plan)[1]
            verdict = decided(case.program, plan, body, number, kept)
            assert verdict.safe, (case.number, str(kept))
            if kept.bounded:
                known = ("safe and tight", "nothing is ever needed")
                assert str(verdict) in known, (case.number, str(kept), str(verdict))
            if kept.bounded and all((verdict.tight or {}).values()):
                tight += 1
                shorter = Relevance({s: time - 1 for s, time in kept.times.items()})
                refuted = decided(case.program, plan, body, number, shorter)
                assert refuted.safe is False and refuted.refutation is not None
    assert tight > 2


def test_the_witness_of_a_tight_condition_is_replayed_and_another_history_is_not() -> None:
    program = parse(CHAIN)
    plan = usual_plan(program)
    for part in plan.definitions:
        body = bodies(plan)[named(part.name)]
        for number in Joins(body).keys:
            kept = body.relevance(number, plan)[1]
            ((stamp, witness),) = (decided(program, plan, body, number, kept).tight or {}).items()
            assert witness is not None
            assert any(answer.time == witness.now for answer in denotation(program, witness.history))
            assert is_needed(program, plan, part, number, kept, stamp, witness)
            longer = Relevance({stamp: kept.times[stamp] + 1})
            assert not is_needed(program, plan, part, number, longer, stamp, witness)
            assert is_lost(program, plan, part, number, Relevance({stamp: -9}), witness)
            early = replace(witness, history=witness.history[:1])
            assert not is_needed(program, plan, part, number, kept, stamp, early)


def test_rules_that_read_others_twice_are_decided_though_they_are_made_of_more_events_than_there_can_be() -> None:
    rules = (f"F{n + 1}() <- a: F{n}(), b: F{n}(), {{a, b}} within {n}" for n in range(30))
    program = parse("\n".join(("event F0()", *rules)))
    plan = usual_plan(program)
    body = bodies(plan)["F30"]
    kept = body.relevance(0, plan)[1]
    shorter = Relevance({stamp: ticks - 1 for stamp, ticks in kept.times.items()})
    assert [decided(program, plan, body, 0, one, tightness=False).safe for one in (kept, shorter)] == [True, None]
    tuples = Tuples(program, plan)
    tuples.of(body.inputs[0])
    assert not tuples.events and not tuples.whole  # no part of so many is unfolded
    assert len(list(answers(Nodes(program, plan), [Event("F0", 1, 1)]))) == 30


def test_no_witness_has_an_event_that_must_be_absent() -> None:
    """A B that comes in the 5 ticks after a hides that b is looked up: so b is needed for 15 ticks, and not for 19."""
    rule = "F() <- a: A(), b: B(), c: A(), a before b, b before c, {a, c} within 20"
    program = parse(f"event A() within 0 event B() within 0\n{rule}, w: from_end(a, 5), while w: not B()")
    plan = usual_plan(program)
    (part,), (body,) = plan.definitions, bodies(plan).values()
    numbers = sorted(Joins(body).keys)
    verdicts = [decided(program, plan, body, n, body.relevance(n, plan)[1]) for n in numbers]
    assert list(map(str, verdicts)) == ["safe and tight", "safe, not tight for b.s", "safe and tight"]
    for number, verdict in zip(numbers, verdicts, strict=True):
        for stamp, witness in (verdict.tight or {}).items():
            kept = body.relevance(number, plan)[1]
            assert witness is None or is_needed(program, plan, part, number, kept, stamp, witness)


@pytest.mark.parametrize(("rule", "stores"), table(__file__, "not-stored"))
def test_what_no_later_step_can_need_is_not_stored(rule: str, stores: list[int]) -> None:
    program = parse(f"event A(x: int) event B(x: int)\nV(x) <- {rule}")
    assert list(Joins(bodies(usual_plan(program))["V"]).keys) == stores


def test_what_is_stored_is_bounded_by_the_conditions_and_not_by_the_length_of_the_log() -> None:
    program = parse(CHAIN)
    peaks = []
    for length in (200, 1000):
        engine = Differencing(program, usual_plan(program), counting=True)
        log = [Event("ABDE"[time % 4], time, time, {"x": time // 4 % 3}) for time in range(length)]
        assert sum(1 for _ in answers(engine, log)) > 0
        peaks.append(engine.counts.peak)
    assert peaks[0] == peaks[1] < 20


def test_of_a_store_whose_condition_is_in_doubt_nothing_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    types = "event W(x: int) event A(x: int) event B(x: int)\n"
    program = parse(types + "F(x) <- w: W(x), r: A(x), while w: not B(x), {w, r} within 2")
    plan = planned(program, {})
    assert safe_plan(program, plan) == (plan, [])
    monkeypatch.setattr(z3.Solver, "check", lambda self: z3.unknown)
    safe, doubts = safe_plan(program, plan)
    assert safe.doubtful == {("F", 0), ("F", 1), ("F", 2)} and len(doubts) == 3
    log = [Event("WAB"[time % 3], time, time, {"x": 1}) for time in range(30)]
    for name in ENGINES:
        made = ENGINES[name](program, safe, frozenset())
        assert isinstance(made, Differencing | Nodes)
        assert list(answers(made, log)) == denotation(program, log)
        assert made.stored == 30


def test_a_condition_is_not_called_loose_where_the_solver_only_gave_up(monkeypatch: pytest.MonkeyPatch) -> None:
    program = parse(CHAIN)
    plan = planned(program, {})
    body = bodies(plan)["C"]
    monkeypatch.setattr(z3.Solver, "check", lambda self: z3.unknown)
    found = decided(program, plan, body, 0, body.relevance(0, plan)[1])
    assert str(found) == "not decided"
    assert [str(replace(found, safe=safe, tight=None)) for safe in (True, False)] == ["safe", "not safe"]
    assert str(replace(found, safe=True)) == "safe, tightness unknown for a.s"
