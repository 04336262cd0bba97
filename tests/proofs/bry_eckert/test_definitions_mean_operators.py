"""What claims say of operators is what plans evaluate: the tuples of each fulfil its definition, and no others do."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from random import Random
from typing import Any

import pytest

from laws.bry_eckert.catalogue import everything
from semantics.bry_eckert.algebra import plans
from semantics.bry_eckert.algebra.relations import Evaluation, Tuple, computed, joiner, picker, predicate
from semantics.bry_eckert.temporal import Timing, Within, end, inside, start
from semantics.bry_eckert.terms import Comparison, Constant, Variable
from semantics.events import Event
from smt.bry_eckert.histories import BOOL, TUPLE, Definitions
from smt.bry_eckert.histories import History as OfTuples

SHARED = ("x", Variable("x"))
L = plans.Base("l", "L", (SHARED, ("a", Variable("a"))))
R = plans.Base("r", "R", (SHARED, ("b", Variable("b"))))
S = plans.Base("s", "S", (SHARED,))
LR = plans.Join(L, R)
NEGATIVE = Comparison(Variable("a"), "<", Constant(0))
TIMING = Timing("w", "extend", "l", 2)
MERGED = plans.Merge("j", ("l", "r"), LR)
FEWER = plans.Project((("b", Variable("b")),), LR)
LONG = Within(("l",), 2)


@dataclass(frozen=True)
class Case:
    """A formula about a tuple t, and the expression that it is to mean.

    Attributes:
        formula: that t is a tuple of it.
        means: the expression.
        relations: the relations of the formula.
        functions: its functions of tuples: the expressions whose tuples they take and yield, and what they do.
        conditions: its predicates: the expressions whose tuples they take, and when they hold.
    """

    formula: str
    means: plans.Expression
    relations: Mapping[str, plans.Expression]
    functions: Mapping[str, tuple[plans.Expression, plans.Expression, Callable[[Tuple], Tuple]]] = field(
        default_factory=dict
    )
    conditions: Mapping[str, tuple[Sequence[plans.Expression], Callable[..., bool]]] = field(default_factory=dict)


def part(of: plans.Schema, whole: plans.Schema) -> Callable[[Tuple], Tuple]:
    """A tuple without the columns that are not asked for."""
    return picker(of, whole)


def near(left: Tuple, right: Tuple) -> bool:
    """Whether two tuples agree on shared data and the right one lies in the interval of the left one."""
    both = tuple(dict.fromkeys((*L.schema, *S.schema)))
    agree = left[L.schema.index("x")] == right[S.schema.index("x")]
    return agree and predicate(inside("s", "l"), both)(joiner(L.schema, S.schema, both)(left, right))


def timed(row: Tuple) -> bool:
    """Whether the timer of a tuple is as it should be."""
    columns = dict(zip(plans.Timer(TIMING, L).schema, row, strict=True))
    interval = TIMING.interval(columns[start("l")], columns[end("l")])
    return interval == tuple(columns[stamp] for stamp in plans.stamps(["w"]))


ON_L = {"onL": (LR, L, part(L.schema, LR.schema))}
ON_R = {"onR": (LR, R, part(R.schema, LR.schema))}
ABSENT = plans.AntiSemiJoin(L, S, inside("s", "l"))
CASES = [
    Case("(join onL onR L R t)", LR, {"L": L, "R": R}, ON_L | ON_R),
    Case("(select c L t)", plans.Select(NEGATIVE, L), {"L": L}, {}, {"c": ([L], predicate(NEGATIVE, L.schema))}),
    Case("(select c L t)", plans.Select(LONG, L), {"L": L}, {}, {"c": ([L], predicate(LONG, L.schema))}),
    Case("(absent near L S t)", ABSENT, {"L": L, "S": S}, {}, {"near": ([L, S], near)}),
    Case("(image f E t)", MERGED, {"E": LR}, {"f": (LR, MERGED, computed(MERGED))}),
    Case("(image f E t)", FEWER, {"E": LR}, {"f": (LR, FEWER, computed(FEWER))}),
    Case(
        "(timer onE timed E t)", plans.Timer(TIMING, L), {"E": L},
        {"onE": (plans.Timer(TIMING, L), L, part(L.schema, plans.Timer(TIMING, L).schema))},
        {"timed": ([plans.Timer(TIMING, L)], timed)},
    ),
]  # fmt: skip


def history(number: int) -> list[Event]:
    """Four events of each type, over few times and values, so that they join."""
    random = Random(number)

    def event(type: str) -> Event:
        begin = random.randrange(4)
        values = {name: random.randrange(-1, 1) for name in "xab"}
        return Event(type, begin, begin + random.randrange(5), values)

    return [event(type) for type in "LRS" for _ in range(4)]


def some_others(found: Sequence[Tuple], random: Random) -> list[Tuple]:
    """Tuples that mix the values of those that there are."""
    if not found:
        return []
    columns = list(zip(*found, strict=True))
    return [tuple(random.choice(column) for column in columns) for _ in range(20)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.formula)
def test_a_definition_means_its_operator(case: Case) -> None:
    definitions = everything()[0].definitions
    answers = 0
    for number in range(12):
        evaluation = Evaluation(plans.Plan(()), history(number))
        expected = evaluation.relation(case.means).tuples
        answers += len(expected)
        asked = {*expected, *some_others(sorted(expected), Random(number))}
        assert members(case, definitions, evaluation, asked) == expected
    assert answers


def members(
    case: Case, definitions: tuple[tuple[str, str], ...], evaluation: Evaluation, asked: set[Tuple]
) -> set[Tuple]:
    """The tuples among some of which the formula of a case is true."""
    formula = Definitions(definitions).expanded(case.formula)
    vocabulary = {
        **dict.fromkeys(case.functions, (TUPLE, TUPLE)),
        **{name: (*[TUPLE] * len(of), BOOL) for name, (of, _) in case.conditions.items()},
        **dict.fromkeys(case.relations, (TUPLE, BOOL)),
        "t": (TUPLE,),
    }
    rows: dict[plans.Schema, set[Tuple]] = {one.schema: set() for one in (L, R, S, LR, MERGED, FEWER, case.means)}
    for one in case.relations.values():
        rows[one.schema] |= evaluation.relation(one).tuples
    rows[case.means.schema] |= asked
    for taken, given, function in case.functions.values():
        rows[given.schema] |= set(map(function, rows[taken.schema]))
    tuples = [(schema, row) for schema, own in rows.items() for row in sorted(own)]
    numbers = {one: number for number, one in enumerate(tuples)}
    nothing = len(tuples)  # of what a function takes no tuple

    def cells(
        taken: Sequence[plans.Expression], function: Callable[..., Any], other: Any
    ) -> dict[tuple[int, ...], Any]:
        """The value for all combinations of tuples, `other` where one is of another schema than is taken."""
        return {
            cell: function(*(tuples[one][1] for one in cell))
            if all(one < nothing and tuples[one][0] == of.schema for one, of in zip(cell, taken, strict=True))
            else other
            for cell in product(range(nothing + 1), repeat=len(taken))
        }

    values: dict[str, Any] = {name: cells(of, holds, False) for name, (of, holds) in case.conditions.items()}
    for name, one in case.relations.items():
        values[name] = cells([one], evaluation.relation(one).tuples.__contains__, False)
    for name, (taken, given, function) in case.functions.items():
        values[name] = cells(
            [taken], lambda row, given=given, function=function: numbers[given.schema, function(row)], nothing
        )
    return {
        row
        for row in asked
        if OfTuples(nothing + 1, vocabulary, {**values, "t": {(): numbers[case.means.schema, row]}}).holds(formula)
    }
