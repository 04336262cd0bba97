"""The meaning of rules, by hand, and by everything that interprets a plan."""

from collections import Counter

import pytest

from detectors.bry_eckert.catalogue import ENGINES
from detectors.bry_eckert.protocol import answers
from detectors.bry_eckert.relational import TOLERANCE, evaluate_duckdb
from laws.bry_eckert.catalogue import everything
from semantics.bry_eckert.algebra.planning import plan_of, planned, pushed, read_choices, rewritings, with_operands
from semantics.bry_eckert.algebra.plans import Expression, Merge, Project, Select, Union, operands
from semantics.bry_eckert.algebra.relations import Evaluation, derived_events
from semantics.bry_eckert.checking import parse
from semantics.bry_eckert.denotation import denotation
from semantics.bry_eckert.terms import Comparison
from semantics.events import Event
from tests.semantics.bry_eckert.programs import ORDERS, cases, same

CLAIMED = [claim.id.removeprefix("rules:rewriting/") for claim in everything() if "/" in claim.id]
LAWS = [name.replace("-", "_") for name in CLAIMED if "." not in name and ("below" in name or "join-" in name)]
"""The laws that are claimed, but for what is done of itself with materialization points."""


def event(type: str, start: int, time: int, **attributes: object) -> Event:
    return Event(type, start, time, attributes)  # type: ignore[arg-type]


def meant(text: str, *events: Event) -> list[Event]:
    """What a program derives, by the denotation and by the algebra, which agree."""
    program = parse(text)
    found = denotation(program, events)
    assert derived_events(program, plan_of(program), events) == found
    assert derived_events(program, pushed(plan_of(program)), events) == found
    return found


def test_the_rules_of_the_paper_derive_what_it_says() -> None:
    found = meant(
        ORDERS,
        event("order", 3, 3, id=42, p="muffins", q=2),
        event("shipped", 7, 7, id=42, t="T"),
        event("order", 4, 4, id=43, p="bread", q=2),
        event("order", 5, 5, id=44, p="cakes", q=20),
    )
    assert found == [
        event("comp", 3, 7, id=42, p="muffins"),
        event("rep", -20, 10, count_sid=1),
        event("overdue", 4, 10, id=43),
        event("rep", -19, 17, count_sid=1),
        event("overdue", 5, 17, id=44),
    ]


def test_a_window_is_open_at_both_ends() -> None:
    text = "event A() event B()\nE() <- a: A(), w: extend(a, 3), while w: not B()"
    found = [bool(meant(text, event("A", 5, 5), event("B", time, time))) for time in (5, 6, 7, 8)]
    assert found == [True, False, False, True]


def test_an_event_that_lacks_an_attribute_does_not_match_an_atom_that_names_it() -> None:
    text = "event A(x: int, y: int)\nE() <- a: A(x = x)\nF() <- a: A()"
    assert [answer.type for answer in meant(text, event("A", 1, 1, y=3))] == ["F"]


def test_projection_merges_equal_values_before_they_are_counted_unless_all_are_asked_for() -> None:
    head = "E(count(x), count_all(x), sum(x), sum_all(x))"
    text = f"event A() event B(x: int, y: int)\n{head} <- a: A(), while a: collect B(x, y)"
    found = meant(text, event("A", 0, 9), *(event("B", 2 + y, 3 + y, x=5, y=y) for y in range(3)))
    assert [dict(answer.attributes) for answer in found] == [
        {"count_x": 1, "count_all_x": 3, "sum_x": 5, "sum_all_x": 15}
    ]


def test_a_window_in_which_nothing_was_collected_yields_no_answer() -> None:
    text = "event A() event B(x: int)\nE(count(x)) <- a: A(), while a: collect B(x)"
    assert meant(text, event("A", 0, 9)) == []


def test_a_variable_of_an_absence_is_its_own_unless_it_is_bound_outside() -> None:
    declared, body = "event A(x: int) event B(x: int)", "a: A(x), w: extend(a, 5), while w: not"
    text = f"{declared}\nE() <- {body} B(x)\nF() <- {body} B(y)"
    found = meant(text, event("A", 1, 1, x=1), event("B", 3, 3, x=2))
    assert [answer.type for answer in found] == ["E"]


def test_identifiers_variables_and_columns_that_are_called_alike_stay_apart() -> None:
    text = "event s(s: int, e: int)\nr(s, e) <- r: s(s, e), s: s(e, s), r before s"
    found = meant(text, event("s", 1, 1, s=1, e=2), event("s", 3, 3, s=2, e=1))
    assert found == [event("r", 1, 3, s=1, e=2)]


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ('event A(x: int)\nD("#.e" = x, "q.s" = x) <- a: A(x)', ""),
        ('event A("a.s": int)\nD(y) <- a: A("a.s" = y)', ""),
        ('event A(x: int) event "F#1"(x: int)\nF(x) <- a: A(x)\nF(x) <- b: "F#1"(x), c: A(x)', ""),
        ('event A(x: int) event B(x: int) event "F/1"(x: int)\nF(x) <- a: A(x), b: B(x), c: "F/1"(x)', "F: a, b / c"),
        ('event A(x: int) event B(x: int)\nD("#y" = x, count(y)) <- a: A(x), while a: collect B(y)', ""),
    ],
)  # fmt: skip
def test_names_that_a_user_may_write_are_none_of_those_within(text: str, choice: str) -> None:
    program = parse(text)
    plan = planned(program, read_choices(choice, program) if choice else {})
    types = [(name, next(iter(type.types))) for name, type in program.declared.items()]
    log = [Event(type, 9 - time, 9 + time, {name: 5}) for time, (type, name) in enumerate(reversed(types))]
    expected = denotation(program, log)
    assert expected and derived_events(program, plan, log) == expected == evaluate_duckdb(program, plan, log)
    for name in ("differencing", "nodes"):
        assert list(answers(ENGINES[name](program, plan, frozenset()), log)) == expected


def test_a_division_by_zero_has_no_value() -> None:
    text = "event A(x: int)\nE(v = 6 / x) <- a: A(x)\nF(x) <- a: A(x), 6 / x > 1"
    found = meant(text, event("A", 1, 1, x=0), event("A", 2, 2, x=4))
    assert [(answer.type, dict(answer.attributes)) for answer in found] == [
        ("E", {"v": None}),
        ("E", {"v": 1.5}),
        ("F", {"x": 4}),
    ]


def test_algebra_and_duckdb_agree_with_the_denotation_on_random_programs() -> None:
    for case in cases(8):
        expected = denotation(case.program, case.events)
        assert derived_events(case.program, plan_of(case.program), case.events) == expected, case.number
        found = evaluate_duckdb(case.program, pushed(plan_of(case.program)), case.events)
        assert same(found, expected, tolerance=TOLERANCE), case.number


def _places(expression: Expression) -> list[Expression]:
    return [expression, *(part for operand in operands(expression) for part in _places(operand))]


def _replaced(expression: Expression, old: Expression, new: Expression) -> Expression:
    if expression is old:
        return new
    return with_operands(expression, [_replaced(operand, old, new) for operand in operands(expression)])


def test_each_rule_of_rewriting_keeps_the_meaning() -> None:
    """Each rule in turn, at the first place at which it applies, again and again, on random plans."""
    applied = Counter[str]()
    for case in cases(100):
        plan = plan_of(case.program)
        whole = Evaluation(plan, case.events)
        for definition in plan.definitions:
            if isinstance(definition.expression, Union):
                continue
            expression = _raised(definition.expression)
            expected = whole.relation(definition.expression)
            assert whole.relation(expression) == expected
            for _ in range(3):
                for law in LAWS:
                    for place in _places(expression):
                        changed = dict(rewritings(place)).get(law)
                        if changed is not None:
                            applied[law] += 1
                            expression = _replaced(expression, place, changed)
                            assert whole.relation(expression) == expected, (case.number, law)
                            break
    assert all(applied[law] > 5 for law in LAWS), applied


def _raised(expression: Expression) -> Expression:
    """The expression with comparisons of data above the merging, where the projection has not left them out yet."""
    match expression:
        case Project(columns, Merge(into, merged, Select(Comparison() as condition, operand))):
            return Project(columns, Select(condition, Merge(into, merged, operand)))
    return expression
