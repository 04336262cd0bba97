"""Times among the data of events: how they are declared, what conditions on them mean, what they make irrelevant."""

from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from random import Random

import pytest

from campaigns.bry_eckert.cases import Case
from campaigns.bry_eckert.judge import Feeding, Meaning, judge, usual_plan
from detectors.bry_eckert.adding import reaches
from detectors.bry_eckert.bodies import Body, body_of
from detectors.bry_eckert.catalogue import ENGINES
from detectors.bry_eckert.relational import evaluate_duckdb
from semantics.bry_eckert.algebra.planning import planned, read_choices
from semantics.bry_eckert.algebra.plans import Plan
from semantics.bry_eckert.algebra.relations import derived_events
from semantics.bry_eckert.algebra.translation import plan_of
from semantics.bry_eckert.checking import parse
from semantics.bry_eckert.denotation import denotation
from semantics.bry_eckert.programs import Program
from semantics.bry_eckert.traces import events_of, read_log
from semantics.errors import InputError
from semantics.events import Event
from smt.bry_eckert.relevance import decided, doubtful

TYPES = (
    "event S(i: int, at: time within 2) within 0\nevent R(i: int, at: time within 3) within 4\n"
    "event C(i: int, at: time, n: int)\n"
)
SENT = TYPES + "F(i, p, q) <- s: S(i, p), r: R(i, q), p before q, {p, q} within 6"

PROGRAMS = (
    SENT,
    SENT + "\nG(i, q) <- f: F(i, p, q), c: C(i, r, n), {q, r} within 4, {f, c} within 9",
    TYPES + "F(i) <- s: S(i, p), r: R(i, q), {p, q} 2 apart, {s, q} within 7, p during r",
    TYPES + "F(i) <- s: S(i, p), c: C(i, q, n), p = q, q before c, {s, c} within 5",
    TYPES + "F(i) <- s: S(i, p), r: R(i, q), {p, q} within 4, w: extend(s, 5), while w: not C(i, p, n)",
    TYPES + "F(p, count(n)) <- s: S(i, p), w: extend(s, 6), while w: collect C(i, q, n), p meets s\n"
    "G(q, p) <- f: F(p, n), r: R(i, q), p before q, {p, q} within 4\n"
    "H(i) <- g: G(p, q), s: S(i, q), p after q",
    TYPES + "F(i, p) <- s: S(i, p)\nF(i, q) <- r: R(i, q)\nG(i) <- f: F(i, x), c: C(i, y, n), x before y,"
    " {y, c} within 2, {x, y} within 5",
)


def histories(program: Program, number: int) -> Iterator[tuple[Event, ...]]:
    """Random histories in which times are as near their events as they are declared to be, and often at the limit."""
    for seed in range(number):
        random, time, found = Random(seed), 0, list[Event]()
        for _ in range(40):
            time += random.choice((0, 0, 1, 1, 2, 3))
            type = random.choice(list(program.declared.values()))
            begin = time - random.randrange(4 if type.within is None else type.within + 1)
            values = {
                attribute.name: random.randrange(2)
                if not attribute.is_time
                else random.choice((begin - (near := attribute.within or 4), begin - 1, time, time + near))
                for attribute in type.attributes
                if random.random() < 0.95
            }
            found.append(Event(type.name, begin, time, values))
        yield tuple(found)


def body(program: Program, plan: Plan, name: str) -> Body:
    return body_of(plan.by_name[name].expression, plan)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", PROGRAMS)
def test_conditions_are_safe_and_engines_the_algebra_and_duckdb_agree_with_the_meaning(text: str) -> None:
    program = parse(text)
    assert list(doubtful(program, usual_plan(program))) == []
    found = 0
    for number, history in enumerate(histories(program, 5)):
        case = Case(0, 0, "", text, history)
        meaning = Meaning(case)
        found += len(meaning.said)
        for name in ("differencing", "nodes"):
            feeding = Feeding(backwards=number % 2 == 1, restored=number % 2 == 1)
            verdict = judge(case, ENGINES[name], meaning, seconds=5, feeding=feeding)
            assert verdict.kind is None and not verdict.refusal, (name, verdict.detail, history)
        expected = denotation(program, history)
        assert derived_events(program, plan_of(program), history) == expected
        assert derived_events(program, usual_plan(program), history) == expected
        if number == 0:
            assert evaluate_duckdb(program, usual_plan(program), history) == expected
    assert found > 1


def test_how_near_times_are_bounds_what_is_stored_and_a_log_needs_the_boundary() -> None:
    program = parse(SENT)
    plan = usual_plan(program)
    of = body(program, plan, "F")
    assert [str(of.relevance(number, plan)[1]) for number in (0, 1)] == ["p >= now - 13", "q >= now - 1"]
    for number in (0, 1):
        verdict = decided(program, plan, of, number, of.relevance(number, plan)[1])
        assert str(verdict) == "safe and tight"
        (witness,) = (verdict.tight or {}).values()
        assert witness is not None
        for event in witness.history:
            near = {"S": 2, "R": 3}[event.type]
            at = event.attributes["at"]
            assert isinstance(at, int) and event.start - near <= at <= event.time + near


def test_without_its_declaration_a_condition_is_refuted() -> None:
    program = parse(SENT)
    plan = usual_plan(program)
    of = body(program, plan, "F")
    kept = of.relevance(0, plan)[1]
    for precisions in (plan.precisions[:1], ()):
        verdict = decided(program, replace(plan, precisions=precisions), of, 0, kept)
        assert verdict.safe is False and verdict.refutation is not None


def test_times_pass_through_materialization_points_under_the_names_that_rules_give_them() -> None:
    """The names are exchanged in the heads, so a bound that kept the names would be of the other time."""
    program = parse(
        TYPES + "F(q, p) <- s: S(i, p), r: R(j, q), p before q, {p, q} within 6\n"
        "G(p) <- f: F(p, q), c: C(i, r, n), {p, r} within 3, r before p, {q, r} 1 apart"
    )
    plan = usual_plan(program)
    known = body(program, plan, "G").distances
    assert known["q", "p"] == 6
    assert known["p", "q"] == -1
    assert list(doubtful(program, plan)) == []
    text = TYPES + "F(i, n) <- s: S(i, p), r: R(i, q), c: C(j, x, n), p before q, {p, q} within 6, {q, x} within 2"
    program = parse(text)
    plan = planned(program, read_choices("F: s, r / c", program))
    assert list(doubtful(program, plan)) == []
    for history in histories(program, 4):
        assert derived_events(program, plan, history) == denotation(program, history)


def test_rules_that_are_added_reach_back_by_the_ends_of_events_and_not_by_their_data() -> None:
    program = parse(TYPES + "F(i) <- s: S(i, p), r: R(i, q), {p, q} within 1")
    assert reaches(usual_plan(program)) == {"S": 4 + 3 + 1 + 2, "R": 2 + 1 + 3}


@pytest.mark.parametrize(
    ("rule", "reason", "remedy"),
    [
        ("F(i) <- c: C(i, p, n), n before c", "called n, and the variable is no time", "n: time"),
        ("F(i) <- c: C(i, p, n), q before c", "no event or timer is called q", "There are c, p."),
        (
            "F(i) <- c: C(i, p, n), while c: not R(i, q), q before p",
            "the variable is bound in a window alone",
            "Compare it as data, as in q < p.",
        ),
        ("F(i) <- c: C(i, p, n), w: extend(p, 3)", "w is relative to p, which no event has", "There are c."),
        ("event E(i: int within 3)\nF(i) <- e: E(i)", "only a time is near its event", "i: time within"),
        ("event E(i: when)\nF(i) <- e: E(i)", "there is no type when", "bool, time"),
        ("event F(p: time within 3)\nF(p) <- c: C(i, p, n)", "F is derived", "Leave `within` out"),
        ("event F(p: time)\nF(p / 2) <- c: C(i, p, n)", "p is declared as int, and derived as float", "float"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused_with_its_place_a_reason_and_a_remedy(
    rule: str, reason: str, remedy: str
) -> None:
    with pytest.raises(InputError) as refused:
        parse(TYPES + rule)
    assert reason in refused.value.reason and remedy in (refused.value.remedy or "")
    assert (refused.value.place or "").startswith(("line 4", "line 5"))


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ('{"time": 9, "event": "S", "at": 12}', "at of S is 12, 3 ticks away from the event at [9, 9]"),
        ('{"time": 9, "start": 6, "event": "R", "at": 2}', "4 ticks away from the event at [6, 9]"),
        ('{"time": 9, "event": "S", "at": "2024-01-01T00:00:00Z"}', "which is no time in whole ticks"),
        ('{"time": 9, "event": "S", "at": 8.5}', "which is no time in whole ticks"),
    ],
)  # fmt: skip
def test_a_row_whose_time_is_farther_from_its_event_than_declared_is_refused(row: str, reason: str) -> None:
    program = parse(PROGRAMS[1])

    def read(text: str) -> list[Event]:
        return [event for instant in read_log(StringIO(text), program) for event in events_of(instant.rows, program)]

    times = (("S", 7), ("S", 11.0), ("C", -99))
    near = "".join(f'{{"time": 9, "event": "{type}", "at": {at}}}\n' for type, at in times)
    assert [event.attributes["at"] for event in read(near)] == [7, 11, -99]
    with pytest.raises(InputError, match="stream:4") as caught:
        read(near + row + "\n")
    assert reason in caught.value.reason
