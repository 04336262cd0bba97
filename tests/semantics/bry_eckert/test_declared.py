"""What is declared of logs: times among data, and axioms; what both make irrelevant, and how a log breaks them."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from random import Random

import pytest

from campaigns.bry_eckert.cases import Case
from campaigns.bry_eckert.system import Feeding, Meaning, judge, usual_plan
from detectors.bry_eckert.bodies import Body, body_of
from detectors.bry_eckert.catalogue import ENGINES, reaches
from detectors.bry_eckert.differencing import Differencing
from detectors.bry_eckert.node_engine import Nodes
from detectors.bry_eckert.protocol import answers
from detectors.bry_eckert.relational import evaluate_duckdb
from detectors.bry_eckert.watch import Watch, ways
from semantics.bry_eckert.algebra.planning import planned, read_choices
from semantics.bry_eckert.algebra.plans import Plan
from semantics.bry_eckert.algebra.relations import derived_events
from semantics.bry_eckert.checking import parse
from semantics.bry_eckert.denotation import denotation, violations
from semantics.bry_eckert.programs import Program
from semantics.bry_eckert.traces import as_declared
from semantics.events import Event
from smt.bry_eckert.relevance import decided, doubtful

TYPES = "event S(i: int, t: int)\nevent D(t: int) within 2\nevent R(t: int, i: int) within 0\n"
CLOCKS = "event A(x: int, at: time within 2) within 0\nevent B(x: int, at: time) within 3\n"
PARCELS = TYPES + "axiom D(t) unique\naxiom s: S(t = t), d: D(t = t) => s before d, {s, d} within 9\n"

BELIEVED = (
    PARCELS + "F(i) <- s: S(i, t), d: D(t)",
    PARCELS + "F(i, count(j)) <- s: S(i, t), d: D(t), w: extend(s, 6), while w: collect R(u, j)\n"
    "G(i) <- f: F(i, n), r: R(t, i)",
    PARCELS + "axiom R(i) unique\nF(t) <- s: S(i, t), r: R(u, i), d: D(t), w: extend(s, 3), while w: not R(t, 4)",
    TYPES + "axiom a: R(t = x, i = 1), b: S(t = x) => a before b\nF(t) <- a: R(t, 1), b: S(i, t)",
    CLOCKS + "axiom a: A(x = i, at = p), b: B(x = i, at = q) => p before q, {p, b} within 6\n"
    "F(i, p) <- a: A(i, p), b: B(i, q)\nG(i) <- f: F(i, p), a: A(i, r), r after p, {r, f} within 9",
    CLOCKS + "axiom a: A(x = i, at = p), b: B(x = i) => {p, b} within 3\n"
    "F(i) <- b: B(i, q), w: extend(b, 4), while w: not A(i, p)\nG(i) <- a: A(i, 3), b: B(i, q)",
)

TIMES = (
    "event S(i: int, at: time within 2) within 0\nevent R(i: int, at: time within 3) within 4\n"
    "event C(i: int, at: time, n: int)\n"
)
SENT = TIMES + "F(i, p, q) <- s: S(i, p), r: R(i, q), p before q, {p, q} within 6"

TIMED = (
    SENT + "\nG(i, q) <- f: F(i, p, q), c: C(i, r, n), {q, r} within 4, {f, c} within 9",
    TIMES + "F(i) <- s: S(i, p), r: R(i, q), {p, q} 2 apart, {s, q} within 7, p during r",
    TIMES + "F(i) <- s: S(i, p), c: C(i, q, n), p = q, q before c, {s, c} within 5",
    TIMES + "F(p, count(n)) <- s: S(i, p), w: extend(s, 6), while w: collect C(i, q, n), p meets s\n"
    "G(q, p) <- f: F(p, n), r: R(i, q), p before q, {p, q} within 4\n"
    "H(i) <- g: G(p, q), s: S(i, q), p after q",
    TIMES + "F(i, p) <- s: S(i, p)\nF(i, q) <- r: R(i, q)\nG(i) <- f: F(i, x), c: C(i, y, n), x before y,"
    " {y, c} within 2, {x, y} within 5",
)


def histories(program: Program, number: int) -> Iterator[tuple[Event, ...]]:
    """Random histories that obey the axioms of a program, in which times are often as far as they may be."""
    for seed in range(number):
        random, time, found, values_of = Random(seed), 0, list[Event](), 5 if program.axioms else 2
        for _ in range(40):
            time += random.choice((0, 0, 1, 1, 2, 3))
            type = random.choice(list(program.declared.values()))
            begin = max(0, time - random.randrange(5 if type.within is None else type.within + 1))
            values = {name: random.randrange(values_of) for name in type.types if random.random() < 0.95}
            for one in type.attributes:
                if one.is_time and one.name in values:
                    near = one.within or 4
                    values[one.name] = random.choice((begin - near, begin - 1, time, time + near))
            event = Event(type.name, begin, time, values)
            if not any(violations(program, [*found, event])):
                found.append(event)
        yield tuple(found)


def body(plan: Plan, name: str) -> Body:
    return body_of(plan.by_name[name].expression, plan)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", [*TIMED, *BELIEVED])
def test_conditions_are_safe_and_engines_the_algebra_and_duckdb_agree_with_the_meaning(text: str) -> None:
    program = parse(text)
    plan = usual_plan(program)
    assert list(doubtful(program, plan)) == []
    found = 0
    for number, history in enumerate(histories(program, 3)):
        case = Case(0, 0, "", text, history)
        meaning = Meaning(case)
        found += len(meaning.said)
        for name in ENGINES:
            feeding = Feeding(backwards=number % 2 == 1, restored=number % 2 == 1)
            verdict = judge(case, ENGINES[name], meaning, seconds=5, feeding=feeding)
            assert verdict.kind is None and not verdict.refusal, (name, verdict.detail, history)
        expected = denotation(program, history)
        assert derived_events(program, plan, history) == expected
        if number == 0:
            assert evaluate_duckdb(program, plan, history) == expected
    assert found


def test_how_near_times_are_bounds_what_is_stored_and_a_log_needs_the_boundary() -> None:
    program = parse(SENT)
    plan = usual_plan(program)
    of = body(plan, "F")
    assert [str(of.relevance(number, plan)[1]) for number in (0, 1)] == ["p >= now - 13", "q >= now - 1"]
    for number in (0, 1):
        verdict = decided(program, plan, of, number, of.relevance(number, plan)[1])
        assert str(verdict) == "safe and tight"
        (witness,) = (verdict.tight or {}).values()
        assert witness is not None and all(as_declared(one, program.declared[one.type]) for one in witness.history)
    for precisions in (plan.precisions[:1], ()):
        less = replace(plan, precisions=precisions)
        verdict = decided(program, less, of, 0, of.relevance(0, plan)[1], tightness=False)
        assert verdict.safe is False and verdict.refutation is not None


def test_times_pass_through_materialization_points_under_the_names_that_rules_give_them() -> None:
    """The names are exchanged in the heads, so a bound that kept the names would be of the other time."""
    exchanged = "F(q, p) <- s: S(i, p), r: R(j, q), p before q, {p, q} within 6\nG(p) <- f: F(p, q), c: C(i, r, n)"
    known = body(usual_plan(parse(TIMES + exchanged)), "G").distances
    assert (known["q", "p"], known["p", "q"]) == (6, -1)
    text = TIMES + "F(i, n) <- s: S(i, p), r: R(i, q), c: C(j, x, n), p before q, {p, q} within 6, {q, x} within 2"
    program = parse(text)
    plan = planned(program, read_choices("F: s, r / c", program))
    assert list(doubtful(program, plan)) == []
    for history in histories(program, 3):
        assert derived_events(program, plan, history) == denotation(program, history)


def test_rules_that_are_added_reach_back_by_the_ends_of_events_and_not_by_their_data() -> None:
    program = parse(TIMES + "F(i) <- s: S(i, p), r: R(i, q), {p, q} within 1")
    assert reaches(usual_plan(program)) == {"S": 4 + 3 + 1 + 2, "R": 2 + 1 + 3}


def test_without_its_axiom_a_condition_is_refuted_by_a_log_that_breaks_it() -> None:
    program = parse(BELIEVED[0])
    plan = usual_plan(program)
    of, number = body(plan, "F"), 0
    kept = of.relevance(number, plan)[1]
    assert str(kept) == "s.s >= now - 9, until its d has come"
    verdict = decided(program, plan, of, number, kept)
    assert str(verdict) == "safe and tight"
    (witness,) = (verdict.tight or {}).values()
    assert witness is not None and not any(violations(program, witness.history))
    for axioms in (plan.axioms[:1], plan.axioms[1:]):
        verdict = decided(program, replace(plan, axioms=axioms), of, number, kept, tightness=False)
        assert verdict.safe is False and verdict.refutation is not None
        assert any(violations(program, verdict.refutation.history))


@pytest.mark.parametrize("engine", [partial(Differencing, counting=True), Nodes], ids=["differencing", "nodes"])
def test_what_found_its_only_partner_is_dropped(engine: Callable[[Program, Plan], Differencing | Nodes]) -> None:
    """Parcels are delivered once, after any time: without the key each would be stored for ever."""
    log = [Event("SD"[time % 2], time, time, {"i": 0, "t": time - time % 2}) for time in range(200)]
    peaks = []
    for axiom in ("", "axiom D(t) unique\naxiom S(t) unique\n"):
        program = parse(TYPES + axiom + "F(i) <- s: S(i, t), d: D(t)")
        made = engine(program, usual_plan(program))
        assert len(list(answers(made, log))) == 100
        peaks.append(made.counts.peak)
    assert peaks[0] >= 100 and peaks[1] <= 2


def test_a_bounded_store_forgets_its_deadlines_with_its_tuples() -> None:
    program = parse(TYPES + "axiom D(t) unique\naxiom S(t) unique\nF(i) <- s: S(i, t), d: D(t), {s, d} within 100000")
    engine = Differencing(program, usual_plan(program))
    for time in range(500):
        engine.step(2 * time, [Event("S", 2 * time, 2 * time, {"i": 0, "t": time})])
        engine.step(2 * time + 1, [Event("D", 2 * time + 1, 2 * time + 1, {"t": time})])
    (point,) = engine.points.values()
    assert all(len(store._queue) < 100 for store in point.stores.values())


def test_axioms_hold_across_materialization_points() -> None:
    program = parse(PARCELS + "F(i) <- s: S(i, t), r: R(t, i), d: D(t)")
    plan = planned(program, read_choices("F: s, r / d", program))
    assert "s.s >= now - 9" in str(body(plan, "F").relevance(0, plan)[1])
    assert list(doubtful(program, plan)) == []


def test_a_log_that_breaks_an_axiom_is_noticed_also_after_a_restored_state() -> None:
    program = parse(PARCELS + "F(i) <- s: S(i, t), d: D(t)")
    first = Event("D", 3, 3, {"t": 7})
    later = [Event("D", 4, 4, {"t": 8}), Event("D", 5, 5, {"t": 7}), Event("S", 5, 5, {"i": 1, "t": 8})]
    watch, again = Watch(program), Watch(program)
    assert list(watch.see(first)) == []
    again.restore(json.loads(json.dumps(watch.snapshot())))
    found = [str(one) for event in (*later, *[Event("D", 6, 6, {})] * 2) for one in again.see(event)]
    assert found == [
        "D(t = 7) [5, 5] after D(t = 7) [3, 3] breaks the axiom in line 4 of the program: axiom D(t) unique",
        "S(i = 1, t = 8) [5, 5] after D(t = 8) [4, 4] breaks the axiom in line 5 of the program:"
        " axiom s: S(t = t), d: D(t = t) => s before d, {s, d} within 9",
    ]
    assert list(violations(program, [first, first])) == []


def test_the_watch_finds_what_breaks_an_axiom_by_definition_also_where_it_forgets() -> None:
    forgotten = 0
    for text in (
        BELIEVED[0],
        TYPES + "axiom r: R(t = x), d: D(t = x) => {r, d} 2 apart, r before d\nF() <- r: R(), d: D()",
        TYPES + "axiom R() unique\naxiom d: D(), r: R() => {d, r} 3 apart\nF() <- r: R()",
        CLOCKS + "axiom a: A(at = p), b: B(at = q) => p before q\nF() <- a: A()",
        CLOCKS + "axiom a: A(x = i, at = p), b: B(x = i) => {p, b} within 3\nF() <- a: A()",
        CLOCKS + "axiom a: A(at = p), b: B(at = q) => {p, q} 2 apart, {a, q} within 9\nF() <- a: A()",
    ):
        program = parse(text)
        loose = replace(program, axioms=())
        for history in histories(loose, 4):
            watch, found = Watch(program), set[tuple[int, str]]()
            for event in history:
                found |= {(one.event.time, str(one.axiom)) for one in watch.see(event)}
            assert found == {(one.event.time, str(one.axiom)) for one in violations(program, history)}
            watch.go_on(history[-1].time + 100)
            forgotten += sum(map(len, watch.snapshot())) < len(history)
    assert forgotten > 5
    assert {way.relevance.bounded for way in ways(parse(BELIEVED[0]))} == {True, False}


def test_what_is_remembered_of_an_axiom_with_a_bound_does_not_grow_with_the_log() -> None:
    watch = Watch(parse(TYPES + "axiom r: R(), d: D() => {r, d} 2 apart\nF() <- r: R(), d: D()"))
    for time in range(0, 600, 3):
        assert list(watch.see(Event("R", time, time, {"t": 1, "i": time}))) == []
        assert sum(map(len, watch.snapshot())) <= 2


def test_a_tuple_that_is_irrelevant_when_it_comes_is_not_dropped_twice() -> None:
    program = parse(
        "event A(x: int)\nevent C(x: int, y: int)\naxiom C(x, y) unique\n"
        "E(x) <- w: A(x), o: C(x, x), r: from_start(w, 2), o equals r"
    )
    rows = (("A", 51, 56, 2), ("C", 56, 56, 2), ("A", 53, 58, 2), ("A", 87, 89, 1))
    log = [Event(type, begin, end, {"x": x, "y": x}) for type, begin, end, x in rows]
    for engine in ENGINES.values():
        assert list(answers(engine(program, usual_plan(program), frozenset()), log)) == []
