"""What claims say of operators is what plans evaluate: the tuples of each fulfil its definition, and no others do."""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from random import Random
from typing import Any, NamedTuple

import pytest

from laws.bry_eckert.catalogue import everything
from semantics.bry_eckert.algebra import plans
from semantics.bry_eckert.algebra.relations import Evaluation, Tuple, computed, joiner, picker, predicate
from semantics.bry_eckert.temporal import Timing, Within, inside
from semantics.bry_eckert.terms import Comparison, Constant, Variable
from semantics.events import Event
from smt.bry_eckert.histories import BOOL, TUPLE, Definitions, History as OfTuples

SHARED = ("x", Variable("x"))
L = plans.Base("l", "L", (SHARED, ("a", Variable("a"))))
R = plans.Base("r", "R", (SHARED, ("b", Variable("b"))))
S = plans.Base("s", "S", (SHARED,))
LR = plans.Join(L, R)
NEGATIVE = Comparison(Variable("a"), "<", Constant(0))
TIMER = plans.Timer(Timing("w", "extend", "l", 2), L)
MERGED = plans.Merge("j", ("l", "r"), LR)
FEWER = plans.Project((("b", Variable("b")),), LR)
LONG = Within(("l",), 2)
ABSENT = plans.AntiSemiJoin(L, S, inside("s", "l"))


class Case(NamedTuple):
    """A formula, that a tuple t is one of an expression, with the relations of the formula.

    Its functions of tuples have the expressions whose tuples they take and yield; its predicates those that they take.
    """

    formula: str
    means: plans.Expression
    relations: Mapping[str, plans.Expression]
    functions: Mapping[str, tuple[plans.Expression, plans.Expression, Callable[[Tuple], Tuple]]]
    conditions: Mapping[str, tuple[Sequence[plans.Expression], Callable[..., bool]]]


def near(left: Tuple, right: Tuple) -> bool:
    """Whether two tuples agree on shared data and the right one lies in the interval of the left one."""
    both = tuple(dict.fromkeys((*L.schema, *S.schema)))
    agree = left[L.schema.index("x")] == right[S.schema.index("x")]
    return agree and predicate(inside("s", "l"), both)(joiner(L.schema, S.schema, both)(left, right))


def timed(row: Tuple) -> bool:
    """Whether the timer of a tuple is as it should be."""
    event, timer = (picker(plans.stamps([name]), TIMER.schema)(row) for name in "lw")
    return TIMER.timing.interval(*event) == timer


ON_LR = {"onL": (LR, L, picker(L.schema, LR.schema)), "onR": (LR, R, picker(R.schema, LR.schema))}
CASES = [
    Case("(join onL onR L R t)", LR, {"L": L, "R": R}, ON_LR, {}),
    Case("(select c L t)", plans.Select(NEGATIVE, L), {"L": L}, {}, {"c": ([L], predicate(NEGATIVE, L.schema))}),
    Case("(select c L t)", plans.Select(LONG, L), {"L": L}, {}, {"c": ([L], predicate(LONG, L.schema))}),
    Case("(absent near L S t)", ABSENT, {"L": L, "S": S}, {}, {"near": ([L, S], near)}),
    Case("(image f E t)", MERGED, {"E": LR}, {"f": (LR, MERGED, computed(MERGED))}, {}),
    Case("(image f E t)", FEWER, {"E": LR}, {"f": (LR, FEWER, computed(FEWER))}, {}),
    Case(
        "(timer onE timed E t)", TIMER, {"E": L}, {"onE": (TIMER, L, picker(L.schema, TIMER.schema))},
        {"timed": ([TIMER], timed)},
    ),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.formula)
def test_a_definition_means_its_operator(case: Case) -> None:
    """Of histories with four events of each type, over few times and values, so that they join."""
    answers = 0
    for number in range(12):
        random, history = Random(number), list[Event]()
        for type in "LRS" * 4:
            begin = random.randrange(4)
            values = {name: random.randrange(-1, 1) for name in "xab"}
            history.append(Event(type, begin, begin + random.randrange(5), values))
        evaluation = Evaluation(plans.Plan(()), history)
        expected = evaluation.relation(case.means)
        answers += len(expected)
        columns = list(zip(*sorted(expected), strict=True))
        mixed = {tuple(random.choice(column) for column in columns) for _ in range(20 if columns else 0)}
        assert members(case, evaluation, {*expected, *mixed}) == expected
    assert answers


def members(case: Case, evaluation: Evaluation, asked: set[Tuple]) -> set[Tuple]:
    """The tuples among some of which the formula of a case is true."""
    formula = Definitions(everything()[0].definitions).expanded(case.formula)
    vocabulary = {
        **dict.fromkeys(case.functions, (TUPLE, TUPLE)),
        **{name: (*[TUPLE] * len(of), BOOL) for name, (of, _) in case.conditions.items()},
        **dict.fromkeys(case.relations, (TUPLE, BOOL)),
        "t": (TUPLE,),
    }
    rows: dict[plans.Schema, set[Tuple]] = {one.schema: set() for one in (L, R, S, LR, MERGED, FEWER, case.means)}
    for one in case.relations.values():
        rows[one.schema] |= evaluation.relation(one)
    rows[case.means.schema] |= asked
    for taken, given, function in case.functions.values():
        rows[given.schema] |= set(map(function, rows[taken.schema]))
    tuples = [(schema, row) for schema, own in rows.items() for row in sorted(own)]
    numbers = {one: number for number, one in enumerate(tuples)}
    nothing = len(tuples)  # of what a function takes no tuple

    def cells(taken: Sequence[plans.Expression], function: Callable[..., Any], other: Any) -> dict[Any, Any]:
        """The value for all combinations of tuples, `other` where one is of another schema than is taken."""
        return {
            cell: function(*(tuples[one][1] for one in cell))
            if all(one < nothing and tuples[one][0] == of.schema for one, of in zip(cell, taken, strict=True))
            else other
            for cell in product(range(nothing + 1), repeat=len(taken))
        }

    values: dict[str, Any] = {name: cells(of, holds, False) for name, (of, holds) in case.conditions.items()}
    for name, one in case.relations.items():
        values[name] = cells([one], evaluation.relation(one).__contains__, False)
    for name, (taken, given, function) in case.functions.items():
        values[name] = cells([taken], lambda row, to=given, f=function: numbers[to.schema, f(row)], nothing)
    schema = case.means.schema
    places = {row: {**values, "t": {(): numbers[schema, row]}} for row in asked}
    return {row for row, known in places.items() if OfTuples(nothing + 1, vocabulary, known).holds(formula)}
