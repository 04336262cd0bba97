"""The meaning of rules, by hand, and by everything that interprets a plan."""

from collections import Counter
from typing import Any

import pytest

from detectors.bry_eckert.catalogue import ENGINES
from detectors.bry_eckert.protocol import answers
from detectors.bry_eckert.relational import evaluate_duckdb
from laws.bry_eckert.catalogue import everything
from semantics.bry_eckert.algebra.planning import plan_of, planned, pushed, read_choices, rewritings, with_operands
from semantics.bry_eckert.algebra.plans import Expression, Merge, Project, Select, Union, operands
from semantics.bry_eckert.algebra.relations import Evaluation, derived_events
from semantics.bry_eckert.checking import parse
from semantics.bry_eckert.denotation import denotation
from semantics.bry_eckert.terms import Comparison
from semantics.events import Event
from tests.semantics.bry_eckert.programs import ORDERS, cases, same
from tests.tables import table

CLAIMED = [claim.id.removeprefix("rules:rewriting/") for claim in everything() if "/" in claim.id]
LAWS = [name.replace("-", "_") for name in CLAIMED if "." not in name and ("below" in name or "join-" in name)]
"""The laws that are claimed, but for what is done of itself with materialization points."""


ABSENT = (
    "event A(x: int) event B(x: int)\nE() <- a: A(x), w: extend(a, 5), while w: not B(x)\n"
    "F() <- a: A(), while a: not B()"
)
OPEN = "event A() event B()\nE() <- a: A(), w: extend(a, 3), while w: not B()"
COLLECTED = "event A() event B(x: int, y: int)\n{} <- a: A(), while a: collect B(x, y)"
COUNTS = COLLECTED.format("E(count(x), count_all(x), sum(x), sum_all(x))")


@pytest.mark.parametrize(
    ("text", "events", "expected"),
    [
        (
            ORDERS,
            [
                ("order", 3, 3, {"id": 42, "p": "muffins", "q": 2}),
                ("shipped", 7, 7, {"id": 42, "t": "T"}),
                ("order", 4, 4, {"id": 43, "p": "bread", "q": 2}),
                ("order", 5, 5, {"id": 44, "p": "cakes", "q": 20}),
            ],
            [
                ("comp", 3, 7, {"id": 42, "p": "muffins"}),
                ("rep", -20, 10, {"count_sid": 1}),
                ("overdue", 4, 10, {"id": 43}),
                ("rep", -19, 17, {"count_sid": 1}),
                ("overdue", 5, 17, {"id": 44}),
            ],
        ),
        (OPEN, [("A", 5, 5, {}), ("B", 5, 5, {})], [("E", 5, 8, {})]),
        (OPEN, [("A", 5, 5, {}), ("B", 6, 6, {})], []),
        (OPEN, [("A", 5, 5, {}), ("B", 7, 7, {})], []),
        (OPEN, [("A", 5, 5, {}), ("B", 8, 8, {})], [("E", 5, 8, {})]),
        ("event A(x: int, y: int)\nE() <- a: A(x = x)\nF() <- a: A()", [("A", 1, 1, {"y": 3})], [("F", 1, 1, {})]),
        (
            COUNTS,
            [("A", 0, 9, {}), *(("B", 2 + y, 3 + y, {"x": 5, "y": y}) for y in range(3))],
            [("E", 0, 9, {"count_x": 1, "count_all_x": 3, "sum_x": 5, "sum_all_x": 15})],
        ),
        (COUNTS, [("A", 0, 9, {})], []),
        (ABSENT, [("A", 1, 5, {"x": 1}), ("B", 3, 3, {"x": 2})], [("E", 1, 10, {})]),
        (
            "event s(s: int, e: int)\nr(s, e) <- r: s(s, e), s: s(e, s), r before s",
            [("s", 1, 1, {"s": 1, "e": 2}), ("s", 3, 3, {"s": 2, "e": 1})],
            [("r", 1, 3, {"s": 1, "e": 2})],
        ),
        (
            "event A(x: int)\nE(v = 6 / x) <- a: A(x)\nF(x) <- a: A(x), 6 / x > 1",
            [("A", 1, 1, {"x": 0}), ("A", 2, 2, {"x": 4})],
            [("E", 1, 1, {"v": None}), ("E", 2, 2, {"v": 1.5}), ("F", 2, 2, {"x": 4})],
        ),
    ],
    ids=["paper", "start", "first", "last", "end", "lacks", "counts", "nothing", "absence", "alike", "division"],
)  # fmt: skip
def test_denotation_and_algebra_derive_what_rules_mean(text: str, events: list[Any], expected: list[Any]) -> None:
    program, log = parse(text), [Event(*row) for row in events]
    assert [tuple(event) for event in denotation(program, log)] == expected
    for plan in (plan_of(program), pushed(plan_of(program))):
        assert [tuple(event) for event in derived_events(program, plan, log)] == expected


@pytest.mark.parametrize(("text", "choice"), table(__file__, "names"))
def test_names_that_a_user_may_write_are_none_of_those_within(text: str, choice: str) -> None:
    program = parse(text)
    plan = planned(program, read_choices(choice, program) if choice else {})
    types = [(name, next(iter(type.types))) for name, type in program.declared.items()]
    log = [Event(type, 9 - time, 9 + time, {name: 5}) for time, (type, name) in enumerate(reversed(types))]
    expected = denotation(program, log)
    assert expected and derived_events(program, plan, log) == expected == evaluate_duckdb(program, plan, log)
    for name in ("differencing", "nodes"):
        assert list(answers(ENGINES[name](program, plan, frozenset()), log)) == expected


def test_algebra_and_duckdb_agree_with_the_denotation_on_random_programs() -> None:
    for case in cases(8):
        expected = denotation(case.program, case.events)
        assert derived_events(case.program, plan_of(case.program), case.events) == expected, case.number
        found = evaluate_duckdb(case.program, pushed(plan_of(case.program)), case.events)
        assert same(found, expected), case.number


def _places(expression: Expression) -> list[Expression]:
    return [expression, *(part for operand in operands(expression) for part in _places(operand))]


def _replaced(expression: Expression, old: Expression, new: Expression) -> Expression:
    if expression is old:
        return new
    return with_operands(expression, [_replaced(operand, old, new) for operand in operands(expression)])


@pytest.mark.slow
def test_each_rule_of_rewriting_keeps_the_meaning() -> None:
    """Each rule in turn, at the first place at which it applies, again and again, on random plans."""
    applied = Counter[str]()
    for case in cases(80):
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
                            assert expression.schema == definition.expression.schema
                            assert whole.relation(expression) == expected, (case.number, law)
                            break
    assert all(applied[law] > 3 for law in LAWS), applied


def _raised(expression: Expression) -> Expression:
    match expression:
        case Project(columns, Merge(into, merged, Select(Comparison() as condition, operand))):
            return Project(columns, Select(condition, Merge(into, merged, operand)))
    return expression
