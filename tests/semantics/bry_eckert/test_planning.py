"""Plans: every order and every materialization point derive the same; choices are text that is read back."""

from math import inf

import pytest

from detectors.bry_eckert.catalogue import ENGINES
from detectors.bry_eckert.protocol import answers
from remora.systems.bry_eckert.detection import cost, least_cost
from semantics.bry_eckert.algebra import planning, plans
from semantics.bry_eckert.algebra.planning import rule_names
from semantics.bry_eckert.algebra.relations import derived_events
from semantics.bry_eckert.checking import parse
from semantics.bry_eckert.denotation import denotation
from semantics.bry_eckert.temporal import Related, Timing, Within, inside
from semantics.bry_eckert.terms import Comparison, Constant, Variable
from semantics.errors import InputError
from semantics.events import Event
from tests.semantics.bry_eckert.programs import CHAIN, cases

CROSS = """\
event A(x: int) event B(x: int, y: int) event C(y: int) event D(y: int)
F(x, y) <- a: A(x), c: C(y), d: D(y), b: B(x, y), {a, b, c, d} within 100
"""
"""A rule whose first two atoms share no variable."""


def test_every_plan_derives_the_same() -> None:
    tried = 0
    for case in cases(6):
        program, expected = case.program, denotation(case.program, case.events)
        for name, rule in rule_names(program).items():
            for choice in list(planning.candidates(rule))[1:5]:
                tried += 1
                plan = planning.planned(program, {name: choice})
                assert planning.read_choices(f"{name}: {choice}", program) == {name: choice}
                assert derived_events(program, plan, case.events) == expected, (case.number, choice)
                for engine in ENGINES.values():
                    assert list(answers(engine(program, plan, case.points), case.events)) == expected, case.number
    assert tried > 8


L, R = (plans.Base(name, name, (("shared", Variable("shared")), ("c", Variable(f"{name}_c")))) for name in "LR")
TIMED = plans.Timer(Timing("w", "extend", "L", 2), L)
OF_S = plans.Base("s", "S", (("c", Variable("R_c")),))
OF_R = Comparison(Variable("R_c"), "<", Constant(0))


@pytest.mark.parametrize(
    ("rule", "expression"),
    [
        ("select_below_join_left", plans.Select(OF_R, plans.Join(L, R))),
        ("select_below_join_right", plans.Select(Comparison(Variable("L_c"), "<", Constant(0)), plans.Join(L, R))),
        ("select_below_join_left", plans.Select(Related("L", "before", "R"), plans.Join(L, R))),
        ("select_below_timer", plans.Select(Within(("L", "w"), 3), TIMED)),
        ("select_below_merge", plans.Select(Within(("m",), 3), plans.Merge("m", ("L", "R"), plans.Join(L, R)))),
        ("absence_below_join", plans.AntiSemiJoin(plans.Join(L, R), OF_S, inside("s", "L"))),
        ("absence_below_join", plans.AntiSemiJoin(plans.Join(L, R), plans.Base("s", "S", ()), inside("s", "R"))),
    ],
)  # fmt: skip
def test_a_rule_does_not_apply_where_its_condition_is_not_met(rule: str, expression: plans.Expression) -> None:
    assert rule not in dict(planning.rewritings(expression))


def test_the_choice_with_the_least_cost_is_taken() -> None:
    program = parse(CHAIN)
    wanted = planning.Choice((("e", "d"), ("c",)))
    found = planning.chosen(program, lambda plan, _: 0 if plan == planning.planned(program, {"F": wanted}) else 1)
    assert found == {"F": wanted}
    assert planning.chosen(program, lambda *_: 1) == {}


def test_atoms_without_a_common_variable_are_joined_only_where_no_other_order_is_left() -> None:
    program = parse(CROSS)
    orders = [choice.groups[0] for choice in planning.candidates(program.rules[0]) if len(choice.groups) == 1]
    assert ("a", "b", "c", "d") in orders
    assert all({*order[:2]} not in ({"a", "c"}, {"a", "d"}) for order in orders)
    alone = parse("event A(x: int) event B(y: int)\nF(x, y) <- a: A(x), b: B(y)")
    assert [choice.groups for choice in planning.candidates(alone.rules[0])] == [(("a", "b"),), (("b", "a"),)]


@pytest.mark.slow
def test_of_many_orders_those_that_are_tried_begin_with_all_atoms() -> None:
    atoms = ", ".join(f"a{each}: A(x)" for each in range(7))
    found = [choice.groups for choice in planning.candidates(parse(f"event A(x: int)\nF(x) <- {atoms}").rules[0])]
    assert {groups[0][0] for groups in found} == {f"a{each}" for each in range(7)}
    assert len(set(found)) == len(found) == 2 * planning.MOST_ORDERS


@pytest.mark.slow
def test_a_plan_with_a_large_materialized_cross_product_is_given_up_and_not_chosen() -> None:
    program = parse(CROSS)
    log = [Event("AACCDDB"[n * 3 % 7], n, n, {"x": n * 5 % 9, "y": n * 7 % 8}) for n in range(100)]
    crossed = planning.planned(program, planning.read_choices("F: a, c / d / b", program))
    written = cost(program, planning.planned(program, {}), [log])
    assert cost(program, crossed, [log], written) == inf
    assert cost(program, crossed, [log]) > 2 * written
    assert cost(program, planning.planned(program, least_cost(program, [log])), [log]) <= written


@pytest.mark.parametrize(
    ("text", "reason"),
    [("G: a, b", "'G' is no rule"), ("F: c, d", "c, d does not join each atom once"), ("F c, d, e", "is no rule")],
)
def test_a_choice_that_does_not_fit_is_refused_with_its_line(text: str, reason: str) -> None:
    with pytest.raises(InputError, match="line 2") as caught:
        planning.read_choices(f"# plan\n{text}\n", parse(CHAIN))
    assert reason in caught.value.reason
