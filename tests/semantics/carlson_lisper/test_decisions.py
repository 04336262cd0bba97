"""Decisions against evaluation on all short traces, and against each other."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Any, get_args

import pytest
from hypothesis import given, settings, strategies as st

from laws.carlson_lisper.checks.strategies import expressions
from laws.carlson_lisper.claims import EquationClaim, laws
from semantics.carlson_lisper import decisions, languages
from semantics.carlson_lisper.decisions import LEVELS, DecidedRelation, Decider, Level, Undecided
from semantics.carlson_lisper.denotation import denotation
from semantics.carlson_lisper.expressions import Expression, Identifier, substitute, with_bounds
from semantics.carlson_lisper.languages import Languages
from semantics.carlson_lisper.notation import operator_text
from semantics.carlson_lisper.occurrences import Interpretation, Occurrence, interpretation
from semantics.carlson_lisper.operators import OPERATORS
from semantics.carlson_lisper.syntax import Equation, parse, parse_equation
from semantics.errors import EnginesDisagree, InputError
from semantics.formulas import End, Start
from tests.tables import table

quick = settings(deadline=None, max_examples=40)

NAMES = ("a", "b")
small = expressions(NAMES, max_leaves=4, max_bound=2)


def decide(left: str, right: str, level: Level = "detection", **given: Any) -> decisions.Decision:
    sides = parse(left), parse(right)
    return Decider(sides, **given).decide(*sides, level)


def traces(instants: int) -> Iterator[list[Occurrence]]:
    """All traces over the two event types, by number of instants from the first to the last, then of occurrences."""
    subsets = [[name for bit, name in enumerate(NAMES) if number >> bit & 1] for number in range(4)]
    for count in range(1, instants + 1):
        found = [
            [Occurrence(name, time) for time, letter in enumerate(word) for name in letter]
            for word in product(subsets, repeat=count)
            if word[0] and word[-1]
        ]
        yield from sorted(found, key=len)


SHORT_TRACES = [(trace, interpretation(trace)) for trace in traces(4)]


def is_shortest(trace: Sequence[Occurrence], telling: Iterator[list[Occurrence]]) -> bool:
    """Whether it is as short as the first of the short traces that tell something, or longer than all if none does."""
    first = next(telling, None)
    return (trace[-1].time, len(trace)) == (first[-1].time, len(first)) if first else trace[-1].time >= 4


@pytest.mark.slow
@pytest.mark.parametrize(("left", "right", "finest"), table(__file__, "levels"))
def test_the_finest_level_at_which_two_expressions_are_equivalent(left: str, right: str, finest: str) -> None:
    found = [level for level in LEVELS if decide(left, right, level).holds]
    assert found == (list(LEVELS[LEVELS.index(finest) :]) if finest in LEVELS else [])


def test_event_types_that_only_one_side_mentions_may_occur_or_not() -> None:
    witness = decide("a - b", "a").witness
    assert witness is not None
    assert ([str(occurrence) for occurrence in witness.trace], witness.holder) == (["a@0", "b@0"], "right")


@quick
@given(small, small, st.sampled_from(LEVELS), st.sampled_from(get_args(DecidedRelation)))
def test_a_decision_is_that_of_evaluation_and_its_witness_a_shortest_one(
    left: Expression, right: Expression, level: Level, relation: DecidedRelation
) -> None:
    def differs(scenario: Interpretation) -> bool:
        return not decisions.related(level, relation, denotation(left, scenario), denotation(right, scenario))

    decision = Decider((left, right)).decide(left, right, level, relation)
    differing = (trace for trace, scenario in SHORT_TRACES if differs(scenario))
    assert decision.holds == (decision.witness is None)
    if decision.witness is None:
        assert next(differing, None) is None
    else:
        scenario = interpretation(decision.witness.trace)
        sides = (denotation(left, scenario), denotation(right, scenario))
        assert (decision.witness.left, decision.witness.right) == sides
        assert differs(scenario) and is_shortest(decision.witness.trace, differing)


@quick
@given(small)
def test_an_expression_can_occur_exactly_if_a_trace_says_so_and_that_is_a_shortest_one(expression: Expression) -> None:
    found = Decider([expression]).possibility(expression)
    telling = (trace for trace, scenario in SHORT_TRACES if denotation(expression, scenario))
    if found.trace is None:
        assert next(telling, None) is None
    else:
        assert found.instances == denotation(expression, interpretation(found.trace)) != frozenset()
        assert is_shortest(found.trace, telling)


@pytest.mark.slow
@settings(deadline=None, max_examples=30)
@given(law=st.sampled_from(laws()), data=st.data())
def test_both_sides_of_laws_mean_the_same_whatever_is_put_in(law: EquationClaim, data: st.DataObject) -> None:
    put_in = expressions(NAMES, max_leaves=3, max_bound=2)
    names = st.sampled_from(NAMES).map(Identifier)
    chosen = {name: data.draw(names if name in law.primitive else put_in) for name in law.variables}
    values = {name: data.draw(st.integers(0, 3)) for name in law.parameters}
    left, right = (with_bounds(substitute(side, chosen), values) for side in (law.equation.left, law.equation.right))
    assert decisions.decide_equation(Equation(left, right)).holds


@pytest.mark.parametrize(
    ("equation", "holds"),
    [
        ("a + a == a", False), ("a + a ~= a", True), ("a - b <= a", True), ("a <= a - b", False),
        ("a + a [=] a", False), ("a + (a + a) [=] a + a", True), ("a + (a + a) == a + a", False),
    ],
)  # fmt: skip
def test_an_equation_is_decided_by_its_relation(equation: str, holds: bool) -> None:
    assert decisions.decide_equation(parse_equation(equation)).holds is holds


def test_a_symbolic_bound_is_an_error_that_says_who_takes_it() -> None:
    with pytest.raises(InputError, match="symbolic") as raised:
        decisions.decide_equation(parse_equation("a[t] == a"))
    assert "remora prove" in str(raised.value)


@pytest.mark.parametrize("level", LEVELS)
def test_a_difference_that_is_not_confirmed_is_a_disagreement(monkeypatch: pytest.MonkeyPatch, level: Level) -> None:
    texts = {operator: operator_text(definition) for operator, definition in OPERATORS.items()}
    wrong = {texts["con"]: Languages.sequence, texts["neg"]: Languages.disjunction}
    monkeypatch.setattr(languages, "LANGUAGES", {**languages.LANGUAGES, **wrong})
    with pytest.raises(EnginesDisagree, match="do not differ on"):
        decide("a + b", "b + a", level)
    with pytest.raises(EnginesDisagree, match="has no instance on"):
        Decider([never := parse("(b ; b) - b")]).possibility(never)


LARGE = "(a ; b)[400] + (b ; a)[300]"


@pytest.mark.parametrize("level", ["meaning", "detection"])
def test_a_question_that_is_too_large_is_given_up_and_says_how_far_the_answer_is_known(level: Level) -> None:
    with pytest.raises(Undecided, match="nothing was found on traces") as raised:
        decide(LARGE, "(b ; a)[300] + (a ; b)[400]", level, steps=5_000)
    assert 3 <= raised.value.instants < 301
    assert f"at most {raised.value.instants} instants" in str(raised.value)


@pytest.mark.parametrize("steps", [3_000, 2_000_000])
def test_a_stretched_trace_is_replaced_by_a_shortest_trace_where_the_automata_reach_it(steps: int) -> None:
    witness = decide("(a ; b)[60]", "(a ; b)[61]", steps=steps).witness
    assert witness is not None
    assert witness.shortest is (steps > 3_000)
    assert [str(occurrence) for occurrence in witness.trace] == ["a@0", "b@61"]


def test_bounds_that_no_automaton_can_count_to_cost_next_to_nothing() -> None:
    bound, steps = 10**17, 100_000
    left, right = parse(f"(a ; b)[{bound}]"), parse(f"(a ; b)[{bound}] | (a ; b)[{bound - 1}]")
    decider = Decider((left, right), steps=steps)
    with pytest.raises(Undecided) as raised:
        decider.decide(left, right, "meaning")
    assert decider.budget.spent < steps // 3
    assert raised.value.instants > 30
    assert decider.decide(right, parse(f"(a ; b)[{bound + 1}]"), "meaning").witness is not None
    assert decider.budget.spent < steps // 3


@pytest.mark.parametrize(("steps", "text"), [(20, "nothing is known"), (20_000, "no language is stated")])
def test_a_question_of_which_nothing_is_known_says_why(steps: int, text: str) -> None:
    meeting = replace(OPERATORS["seq"].comprehensions[0], condition=End("s") <= Start("t"))
    operators = {**OPERATORS, "seq": replace(OPERATORS["seq"], comprehensions=(meeting,))}
    with pytest.raises(Undecided, match=text) as raised:
        decide("(a ; b) + c", "c + (a ; b)", operators=operators if steps > 20 else OPERATORS, steps=steps)
    assert raised.value.instants == 0


def test_a_difference_within_reach_is_found_although_the_whole_question_is_too_large() -> None:
    witness = decide(LARGE, f"({LARGE}) - (a ; a)[4]", steps=3_000).witness
    assert witness is not None
    assert witness.shortest


def test_a_large_bound_is_decided_for_detections() -> None:
    sides = parse("(a ; b)[600] - c"), parse("((a - c) ; b)[600]")
    assert decisions.Decider(sides, steps=200_000).decide(*sides, "detection", "inclusion").holds


@pytest.mark.slow
def test_a_difference_that_many_events_at_exact_distances_show_is_found_with_smaller_bounds() -> None:
    witness = decide("((a + b) - (c ; c))[77]", "(a + b)[77] - (c ; c)[76]", steps=200_000).witness
    assert witness is not None
    assert [str(one) for one in witness.trace] == ["b@0", "c@0", "a@77", "c@77"]
