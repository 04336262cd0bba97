"""Derivations of answers, and nearest misses of rules: as the definition says of each part of a body."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

import pytest

from semantics.bry_eckert.checking import parse
from semantics.bry_eckert.denotation import Assignment, Facts, bodies, denotation
from semantics.bry_eckert.programs import Program, Rule
from semantics.bry_eckert.temporal import end
from semantics.errors import LimitExceeded
from semantics.events import Event, Time, in_ticks
from semantics.reasons import bry_eckert
from semantics.reasons.bry_eckert import Derivations, Part, ordered
from semantics.reasons.claims import Reason
from tests.semantics.bry_eckert.programs import ORDERS, cases
from tests.tables import table

NUMBER = 8  # of cases

SHOP = (
    Event("order", 3, 3, {"id": 42, "p": "muffins", "q": 2}),
    Event("order", 4, 4, {"id": 43, "p": "bread", "q": 2}),
    Event("shipped", 6, 6, {"id": 99, "t": "U"}),
    Event("shipped", 7, 7, {"id": 42, "t": "T"}),
)


def derivations(program: Program, history: tuple[Event, ...]) -> Derivations:
    return Derivations(program, history, denotation(program, history), in_ticks)


def claims(reason: Reason) -> Iterator[Reason]:
    yield reason
    for part in reason.parts:
        yield from claims(part)


def fulfilled(rule: Rule, parts: list[Part], known: Facts, time: Time) -> list[Assignment]:
    """The assignments to which a part of a body alone gives an answer at a time, or up to it."""
    shorter = replace(rule, body=tuple(part for part in parts if part is not None))
    found = list(bodies(shorter, known))
    last = [max((each[end(name)] for name in shorter.identifiers), default=time) for each in found]
    return [each for each, at in zip(found, last, strict=True) if at == time or (at < time and None not in parts)]


def test_every_answer_is_derived_and_of_a_miss_no_events_fulfil_more_of_the_body() -> None:
    seen = [0, 0]
    for case in cases(NUMBER):
        program, history = case.program, tuple(case.events)
        answers = denotation(program, history)
        known: Facts = defaultdict(set)
        whole = Derivations(program, history, answers, in_ticks)
        for event in (*history, *answers):
            if event.type in program.signatures:
                names = program.signatures[event.type].types
                known[event.type].add((event.start, event.time, tuple((n, event.attributes.get(n)) for n in names)))
        for time in sorted({each.time for each in (*history, *answers)})[::4]:
            early: Facts = defaultdict(
                set, {type: {one for one in some if one[1] <= time} for type, some in known.items()}
            )
            for type in program.derived:
                found = whole.at(time, [type])
                expected = [each for each in answers if (each.time, each.type) == (time, type)]
                assert len(found.answers) == len(expected)
                for claim in (each for root in found.answers for each in claims(root)):
                    seen[0] += 1
                    assert claim.met
                    assert bool(claim.parts) == (
                        claim.data["claim"] == "rule" or claim.data.get("event") in program.derived
                    )
                rules = program.rules_of(type) if not expected else ()
                for rule, miss in zip(rules, found.missed, strict=True):
                    seen[1] += 1
                    parts, wrong = ordered(rule), miss.parts[-1]
                    done = [place for place, part in enumerate(parts) if part is not None][len(miss.parts) - 1 :]
                    place = parts.index(None) if wrong.said.startswith("these events end") else done[0]
                    assert [each.met for each in miss.parts] == [True] * (len(miss.parts) - 1) + [False]
                    assert fulfilled(rule, parts[: place + 1], early, time) == [], (case.number, time, miss)
                    assert fulfilled(rule, parts[:place], early, time), (case.number, time, miss)
    assert min(seen) > NUMBER


@pytest.mark.parametrize(("time", "type", "said"), table(__file__, "missing"))
def test_the_part_that_fails_is_named_with_what_is_nearest(time: Time, type: str, said: str) -> None:
    found = derivations(parse(ORDERS), SHOP).at(time, [type])
    assert said in [each.said for miss in found.missed for each in claims(miss)]


def test_nearest_is_what_differs_least() -> None:
    program = parse("event A(x: int, y: int)\nsame() <- a: A(x, x)\nshort() <- a: A(x, y), w: shorten(a, 5)")
    history = tuple(Event("A", s, t, {"x": 1, "y": y}) for s, t, y in ((2, 4, 0), (5, 5, 0), (9, 9, 1)))
    same, short = (derivations(program, history).at(8, [type]).missed[0].parts[-1].said for type in ("same", "short"))
    assert same == "no A(x, x) up to 8 (nearest: A(x = 1, y = 1) [9, 9])"
    assert short == "w: shorten(a, 5) is [2, -1], which ends before it starts"


def test_an_answer_is_derived_through_other_rules_with_all_that_a_window_collects() -> None:
    (answer,) = derivations(parse(ORDERS), SHOP).at(10, ["rep"]).answers
    said = [each.said for each in claims(answer)]
    assert said[0] == "rep(count_sid = 2) [-20, 10]"
    assert {"o: overdue(id = 43) [4, 10]", "o: order(id = 43, p = bread, q = 2) [4, 4]"} < {*said}
    assert "while w: shipped(id = 42, t = T) [7, 7]" in said


def test_an_int_that_became_a_float_is_derived() -> None:
    program = parse("event A(x: int) event B(x: float)\nE(x) <- a: A(x)\nE(x) <- b: B(x)")
    (answer,) = derivations(program, (Event("A", 1, 1, {"x": 2**53 + 1}),)).at(1, []).answers
    assert answer.met and [each.said for each in claims(answer)][-1] == f"a: A(x = {2**53 + 1}) [1, 1]"


def test_too_many_combinations_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bry_eckert, "MAX_LOOKS", 3)
    with pytest.raises(LimitExceeded, match="more than 3 combinations"):
        derivations(parse(ORDERS), SHOP).at(9, ["comp"])
