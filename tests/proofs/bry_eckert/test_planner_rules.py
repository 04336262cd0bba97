"""The rules of the planner and the operators of plans beside the claims about them."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from laws.bry_eckert.catalogue import everything
from proofs.bry_eckert.planner import GROUP, claims_of, objections, sides
from semantics.bry_eckert.algebra import planning, plans
from semantics.bry_eckert.algebra.planning import REWRITINGS, pushed_down
from semantics.bry_eckert.algebra.relations import Evaluation, History, derived_events
from semantics.bry_eckert.checking import parse
from semantics.bry_eckert.denotation import denotation
from semantics.bry_eckert.temporal import Related, Timing, Within, inside
from semantics.bry_eckert.terms import Comparison, Constant, Variable
from semantics.events import Event

EQUATIONS = [
    claim for claim in everything() for rule in (*REWRITINGS, "early_selection") if claim in claims_of(rule, [claim])
]


def rows(random: Random, names: set[str]) -> History:
    """Three events of each type, over few times and values, so that they join."""
    return History(
        {
            name: [
                (begin := random.randrange(4), begin + random.randrange(4),
                 {column: random.randrange(-1, 1) for column in ("shared", f"{name}_c", f"{name}_d")})
                for _ in range(3)
            ]
            for name in sorted(names)
        }
    )  # fmt: skip


def evaluated(expression: plans.Expression, history: History) -> frozenset[dict[str, Any]]:
    """The tuples of an expression by their columns, in whatever order these are."""
    found = Evaluation(plans.Plan(()), history).relation(expression)
    return frozenset(frozenset(zip(found.schema, row, strict=True)) for row in found.tuples)  # type: ignore[misc]


def test_each_rule_does_what_its_claim_says() -> None:
    assert list(objections(REWRITINGS, everything())) == []


@pytest.mark.parametrize("rule", REWRITINGS)
def test_a_rule_whose_claim_is_gone_is_noticed_and_one_that_does_nothing(rule: str) -> None:
    own = claims_of(rule, everything())
    others = [claim for claim in everything() if claim not in own]
    assert list(objections(REWRITINGS, others)) == [f"{rule} has no claim"]
    assert len(list(objections({rule: lambda _: None}, everything()))) == len(own) > 0


@pytest.mark.parametrize("claim", EQUATIONS, ids=lambda claim: claim.id.removeprefix(GROUP))
def test_both_sides_of_a_rewriting_have_the_same_tuples(claim: Any) -> None:
    left, right = sides(claim)
    names, answers = {one.relation for one in plans.read(left) if isinstance(one, plans.Base)}, 0
    for number in range(30):
        history = rows(Random(number), names)
        found = evaluated(left, history)
        assert found == evaluated(right, history)
        answers += len(found)
    assert answers


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
        ("select_below_merge", plans.Select(Within(("L",), 3), plans.Merge("L", ("L", "R"), plans.Join(L, R)))),
        ("absence_below_join", plans.AntiSemiJoin(plans.Join(L, R), OF_S, inside("s", "L"))),
        ("absence_below_join", plans.AntiSemiJoin(plans.Join(L, R), plans.Base("s", "S", ()), inside("s", "R"))),
    ],
)  # fmt: skip
def test_a_rule_does_not_apply_where_its_condition_is_not_met(rule: str, expression: plans.Expression) -> None:
    assert REWRITINGS[rule](expression) is None


def test_a_timer_goes_to_the_side_that_has_its_event() -> None:
    for of, expected in (("L", plans.Join(plans.Timer(Timing("w", "extend", "L", 2), L), R)), ("R", None)):
        found = pushed_down(plans.Timer(Timing("w", "extend", of, 2), plans.Join(L, R)))
        assert found == (expected or plans.Join(L, plans.Timer(Timing("w", "extend", "R", 2), R)))


def test_a_materialization_point_without_the_columns_that_are_shared_derives_something_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    program = parse(
        "event A(x: int)\nevent B(x: int)\nevent C(x: int)\nF() <- a: A(x), b: B(x), c: C(x), a before b, b before c\n"
    )
    events = [Event(type, n, n, {"x": x}) for n, (type, x) in enumerate([("A", 1), ("B", 1), ("C", 2)])]
    choice = {"F": planning.Choice((("a", "b"), ("c",)))}
    assert derived_events(program, planning.planned(program, choice), events) == []
    assert denotation(program, events) == []
    kept = planning._kept
    monkeypatch.setattr(planning, "_kept", lambda joined, rule, later: kept(joined, rule, set()))
    assert len(derived_events(program, planning.planned(program, choice), events)) == 1
