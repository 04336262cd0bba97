"""Axioms about logs: how they are written, what they make irrelevant, and that a log that breaks them is noticed."""

import json
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from campaigns.bry_eckert.cases import Case
from campaigns.bry_eckert.judge import Feeding, Meaning, judge, usual_plan
from detectors.bry_eckert.bodies import body_of
from detectors.bry_eckert.catalogue import ENGINES
from detectors.bry_eckert.differencing import Differencing
from detectors.bry_eckert.nodes.engine import Nodes
from detectors.bry_eckert.protocol import answers
from detectors.bry_eckert.watch import Watch, ways
from semantics.bry_eckert.algebra.planning import planned, read_choices
from semantics.bry_eckert.algebra.plans import Plan, Union
from semantics.bry_eckert.axioms import violations
from semantics.bry_eckert.checking import parse
from semantics.bry_eckert.programs import Program
from semantics.errors import InputError
from semantics.events import Event
from smt.bry_eckert.relevance import decided, doubtful

TYPES = "event S(i: int, t: int)\nevent D(t: int) within 2\nevent R(t: int, i: int) within 0\n"
CLOCKS = "event A(x: int, at: time within 2) within 0\nevent B(x: int, at: time) within 3\n"
PARCELS = TYPES + "axiom D(t) unique\naxiom s: S(t = t), d: D(t = t) => s before d, {s, d} within 9\n"

PROGRAMS = (
    PARCELS + "F(i) <- s: S(i, t), d: D(t)",
    PARCELS + "F(i) <- s: S(i, t), d: D(t), r: R(t, j)",
    PARCELS + "F(i) <- s: S(i, t), w: extend(s, 12), while w: not D(t)",
    PARCELS + "F(i, count(j)) <- s: S(i, t), d: D(t), w: extend(s, 6), while w: collect R(u, j)\n"
    "G(i) <- f: F(i, n), r: R(t, i)",
    PARCELS + "axiom R(i) unique\nF(t) <- s: S(i, t), r: R(u, i), d: D(t), w: extend(s, 3), while w: not R(t, 4)",
    TYPES + "axiom D(t) unique\naxiom R(t, i) unique\nF(i) <- r: R(t, i), d: D(t)\nF(i) <- s: S(i, 3), d: D(3)",
    TYPES + "axiom a: R(t = x, i = 1), b: S(t = x) => a before b\nF(t) <- a: R(t, 1), b: S(i, t)",
    TYPES + "axiom R() unique\nF(x) <- s: S(x, y), r: R(z, w), s before r",
    CLOCKS + "axiom a: A(x = i, at = p), b: B(x = i, at = q) => p before q, {p, b} within 6\n"
    "F(i, p) <- a: A(i, p), b: B(i, q)\nG(i) <- f: F(i, p), a: A(i, r), r after p, {r, f} within 9",
    CLOCKS + "axiom a: A(x = i, at = p), b: B(x = i) => {p, b} within 3\n"
    "F(i) <- b: B(i, q), w: extend(b, 4), while w: not A(i, p)\nG(i) <- a: A(i, 3), b: B(i, q)",
)


def histories(program: Program, number: int) -> Iterator[tuple[Event, ...]]:
    """Random histories that obey the axioms of a program: an event that breaks one is left out."""
    for seed in range(number):
        random, time, found = Random(seed), 0, list[Event]()
        for _ in range(30):
            time += random.choice((0, 0, 1, 1, 2, 5))
            type = random.choice(list(program.declared.values()))
            begin = max(0, time - random.randrange(9 if type.within is None else type.within + 1))
            values = {name: random.randrange(5) for name in type.types if random.random() < 0.95}
            for name in values.keys() & type.times:
                values[name] = random.randrange(begin - 2, time + 3)
            event = Event(type.name, begin, time, values)
            if not any(violations(program, [*found, event])):
                found.append(event)
        yield tuple(found)


@pytest.mark.parametrize("text", PROGRAMS)
def test_conditions_are_safe_by_the_axioms_and_engines_agree_on_logs_that_obey_them(text: str) -> None:
    program = parse(text)
    assert list(doubtful(program, usual_plan(program))) == []
    found = 0
    for history in histories(program, 3):
        case = Case(0, 0, "", text, history)
        meaning = Meaning(case)
        found += len(meaning.said)
        for name in ("differencing", "nodes"):
            for feeding in (Feeding(), Feeding(backwards=True, restored=True)):
                verdict = judge(case, ENGINES[name], meaning, seconds=5, feeding=feeding)
                assert verdict.kind is None and not verdict.refusal, (name, verdict.detail, history)
    assert found


def test_without_its_axiom_a_condition_is_refuted_by_a_log_that_breaks_it() -> None:
    program = parse(PROGRAMS[0])
    plan = usual_plan(program)
    bare = Plan(plan.definitions, plan.durations)
    ((body, number),) = [
        (body_of(part.expression, plan), 0) for part in plan.definitions if not isinstance(part.expression, Union)
    ]
    kept = body.relevance(number, plan)[1]
    assert str(kept) == "s.s >= now - 9, until its d has come"
    verdict = decided(program, plan, body, number, kept)
    assert str(verdict) == "safe and tight"
    (witness,) = (verdict.tight or {}).values()
    assert witness is not None and not any(violations(program, witness.history))
    for axioms in (plan.axioms[:1], plan.axioms[1:]):
        verdict = decided(program, Plan(bare.definitions, bare.durations, axioms), body, number, kept)
        assert verdict.safe is False and verdict.refutation is not None
        assert any(violations(program, verdict.refutation.history))


@pytest.mark.parametrize("engine", [Differencing, Nodes])
def test_what_found_its_only_partner_is_dropped(engine: type) -> None:
    """Parcels are delivered once, after any time: without the key each would be stored for ever."""
    text = TYPES + "{}F(i) <- s: S(i, t), d: D(t)"
    log = [
        Event("S", time, time, {"i": 0, "t": time}) if time % 2 == 0 else Event("D", time, time, {"t": time - 1})
        for time in range(400)
    ]
    peaks = []
    for axiom in ("", "axiom D(t) unique\naxiom S(t) unique\n"):
        program = parse(text.format(axiom))
        made = engine(program, usual_plan(program), **({"counting": True} if engine is Differencing else {}))
        assert len(list(answers(made, log))) == 200
        peaks.append(made.counts.peak)
    assert peaks[0] >= 200 and peaks[1] <= 2


def test_a_bounded_store_forgets_its_deadlines_with_its_tuples() -> None:
    program = parse(TYPES + "axiom D(t) unique\naxiom S(t) unique\nF(i) <- s: S(i, t), d: D(t), {s, d} within 100000")
    engine = Differencing(program, usual_plan(program))
    for time in range(2000):
        engine.step(2 * time, [Event("S", 2 * time, 2 * time, {"i": 0, "t": time})])
        engine.step(2 * time + 1, [Event("D", 2 * time + 1, 2 * time + 1, {"t": time})])
    (point,) = engine.points.values()
    assert all(len(store._queue) < 100 for store in point.stores.values())


def test_axioms_hold_across_materialization_points() -> None:
    text = TYPES + "axiom s: S(t = t), d: D(t = t) => {s, d} within 9\nF(i) <- s: S(i, t), r: R(t, i), d: D(t)"
    program = parse(text)
    plan = planned(program, read_choices("F: s, r / d", program))
    body = body_of(plan.by_name["F"].expression, plan)  # type: ignore[arg-type]
    assert "s.s >= now - 9" in str(body.relevance(0, plan)[1])
    assert list(doubtful(program, plan)) == []


@pytest.mark.parametrize(
    ("axiom", "reason", "remedy"),
    [
        ("axiom E(x) unique", "the event type E is not declared", "event E(…)"),
        ("axiom F(i) unique", "F is derived", "events that its rules read"),
        ("axiom S(u) unique", "S has no attribute u", "There are i, t."),
        ("axiom S(i, t)", "the program ends too early", "unique"),
        ("axiom a: S(i, t), b: S(i, u) => a before b", "both events of the axiom are of the type S", "unique"),
        ("axiom a: S(i, t), a: D(t) => a before a", "the identifier a is given twice", "a and b"),
        ("axiom a: S(i, t), b: D(t) => a before c", "a before c: no event is called c", "There are a, b."),
        ("axiom a: S(i, t), b: D(t) => t before b", "called t, and no time", "There are a, b."),
        ("axiom a: S(i), b: D(t) => a before b", "S(i) has 1 arguments", "in order"),
        ('axiom a: S(i, "x"), b: D(t) => a before b', "cannot be compared", "text to text"),
        ("axiom a: S(i, t), b: D(t) => t < 3", "unexpected", ""),
    ],
)
def test_a_wrong_axiom_is_refused_with_its_place_a_reason_and_a_remedy(axiom: str, reason: str, remedy: str) -> None:
    with pytest.raises(InputError) as refused:
        parse(TYPES + "F(i) <- s: S(i, t), d: D(t)\n" + axiom)
    assert reason in refused.value.reason and remedy in (refused.value.remedy or "")
    assert (refused.value.place or "").startswith("line 5")


def test_a_log_that_breaks_an_axiom_is_noticed_also_after_a_restored_state() -> None:
    program = parse(PARCELS + "F(i) <- s: S(i, t), d: D(t)")
    first, *later = (
        Event("D", 3, 3, {"t": 7}),
        Event("D", 4, 4, {"t": 8}),
        Event("D", 5, 5, {"t": 7}),
        Event("S", 5, 5, {"i": 1, "t": 8}),
        Event("D", 6, 6, {}),
        Event("D", 6, 6, {}),
    )
    watch = Watch(program)
    assert list(watch.see(first)) == []
    again = Watch(program)
    again.restore(json.loads(json.dumps(watch.snapshot())))
    found = [str(one) for event in later for one in again.see(event)]
    assert found == [
        "D(t = 7) [5, 5] after D(t = 7) [3, 3] breaks the axiom in line 4 of the program: axiom D(t) unique",
        "S(i = 1, t = 8) [5, 5] after D(t = 8) [4, 4] breaks the axiom in line 5 of the program:"
        " axiom s: S(t = t), d: D(t = t) => s before d, {s, d} within 9",
    ]
    assert list(violations(program, [first, first])) == []


def test_the_watch_finds_what_breaks_an_axiom_by_definition_also_where_it_forgets() -> None:
    """Of random logs; some of the axioms let it forget."""
    forgotten = 0
    for text in (
        PROGRAMS[0],
        TYPES + "axiom r: R(t = x), d: D(t = x) => {r, d} 2 apart, r before d\nF() <- r: R(), d: D()",
        TYPES + "axiom s: S(t = x), d: D(t = x) => s overlaps d, {s, d} within 9\nF() <- s: S(), d: D()",
        TYPES + "axiom R() unique\naxiom d: D(), r: R() => {d, r} 3 apart\nF() <- r: R()",
        CLOCKS + "axiom a: A(at = p), b: B(at = q) => p before q\nF() <- a: A()",
        CLOCKS + "axiom a: A(at = p), b: B() => p before b\nF() <- a: A()",
        CLOCKS + "axiom a: A(x = i, at = p), b: B(x = i) => {p, b} within 3\nF() <- a: A()",
        CLOCKS + "axiom a: A(at = p), b: B(at = q) => {p, q} 2 apart, {a, q} within 9\nF() <- a: A()",
    ):
        program = parse(text)
        loose = replace(program, axioms=())
        for history in histories(loose, 6):
            watch, found = Watch(program), set[tuple[int, str]]()
            for event in history:
                found |= {(one.event.time, str(one.axiom)) for one in watch.see(event)}
            assert found == {(one.event.time, str(one.axiom)) for one in violations(program, history)}
            watch.go_on(history[-1].time + 100)
            forgotten += watch.stored < len(history)
    assert forgotten > 10
    assert {way.bounded for way in ways(parse(PROGRAMS[0]))} == {True, False}


def test_what_is_remembered_of_an_axiom_with_a_bound_does_not_grow_with_the_log() -> None:
    program = parse(TYPES + "axiom r: R(), d: D() => {r, d} 2 apart\nF() <- r: R(), d: D()")
    watch = Watch(program)
    peak = 0
    for time in range(0, 3000, 3):
        assert list(watch.see(Event("R", time, time, {"t": 1, "i": time}))) == []
        peak = max(peak, watch.stored)
    assert peak <= 2


def test_a_tuple_that_is_irrelevant_when_it_comes_is_not_dropped_twice() -> None:
    program = parse(
        "event A(x: int)\nevent C(x: int, y: int)\naxiom C(x, y) unique\n"
        "E(x) <- w: A(x), o: C(x, x), r: from_start(w, 2), o equals r"
    )
    log = (
        Event("A", 51, 56, {"x": 2}),
        Event("C", 56, 56, {"x": 2, "y": 2}),
        Event("A", 53, 58, {"x": 2}),
        Event("A", 87, 89, {"x": 1}),
    )
    for engine in ("differencing", "nodes"):
        assert list(answers(ENGINES[engine](program, usual_plan(program), frozenset()), log)) == []
