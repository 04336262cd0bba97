"""Changed formulas: each kind of change is there, none is the formula itself, and none is listed twice."""

import pytest

from laws.carlson_lisper.altered.changed_formulas import changed_comparisons
from semantics.carlson_lisper.restriction import (
    DOMINATED,
    PRIMITIVE,
    REM,
    SAME_INTERVALS,
    VALID_INSTANCE,
    primitive_conditions,
)
from semantics.formulas import (
    And,
    Compare,
    End,
    Exists,
    ForAll,
    Formula,
    In,
    Not,
    Parameter,
    Same,
    Start,
    renamed,
)
from tests.laws.carlson_lisper.altered.symbols import changed_symbols

DEFINITIONS = [*REM.conditions, *SAME_INTERVALS.conditions, *PRIMITIVE.conditions, DOMINATED, VALID_INSTANCE]


def changed(formula: Formula, streams: tuple[str, ...] = ("S", "T")) -> list[Formula]:
    return [each.formula for each in changed_symbols(formula, streams, ("e",))]


@pytest.mark.parametrize("formula", DEFINITIONS, ids=range(len(DEFINITIONS)))
def test_each_change_is_another_formula_and_is_made_once(formula: Formula) -> None:
    found = changed(formula, ("S", "S'"))
    assert found
    assert formula not in found
    assert len(set(found)) == len(found)


def test_every_kind_of_symbol_is_changed() -> None:
    earlier = Start("e") < Start("s")
    found = changed(ForAll("s", "S", earlier))
    assert Exists("s", "S", earlier) in found
    assert ForAll("s", "T", earlier) in found
    for other in (
        Start("e") <= Start("s"),
        Compare("=", Start("e"), Start("s")),
        Start("s") < Start("e"),
        End("e") < Start("s"),
        Start("s") < Start("s"),
    ):
        assert ForAll("s", "S", other) in found
    both = And((In("e", "S"), Not(Same("e", "e"))))
    assert {In("e", "S"), Not(Same("e", "e")), And((In("e", "T"), Not(Same("e", "e"))))} <= set(changed(both))


def test_a_part_of_a_definition_can_be_left_out() -> None:
    parts = (Start("e") < End("e"), In("e", "S"), In("e", "T"))
    assert And(parts[1:]) in changed(And(parts))
    assert And((parts[0], parts[2])) in changed(And(parts))


def test_changes_of_comparisons_are_among_the_changes_of_symbols_if_they_change_one() -> None:
    symbols = set(changed(DOMINATED))
    swapped = 1  # end(t) ≤ end(s) for end(s) = end(t) changes two
    assert len([c for c in changed_comparisons(DOMINATED) if c.formula not in symbols]) == swapped


def test_a_time_takes_the_place_of_a_parameter_and_of_nothing_else() -> None:
    formula = Not(
        Exists("s", "S", And((Compare("=", End("s"), Parameter("τ")), Start("s") < Parameter("t"))))
    )
    placed = Not(Exists("s", "S", And((Compare("=", End("s"), End("e")), Start("s") < Parameter("t")))))
    assert renamed(formula, times={"τ": End("e")}) == placed
    assert renamed(placed, times={"τ": End("x")}) == placed


def test_conditions_on_event_types_are_stated_of_each_and_of_each_pair() -> None:
    assert len(primitive_conditions([])) == 0
    assert len(primitive_conditions(["A"])) == 2
    assert len(primitive_conditions(["A", "B", "C"])) == 3 * 2 + 3
    assert ForAll("p", "A", ForAll("q", "C", Not(Same("p", "q")))) in primitive_conditions(["A", "B", "C"])
