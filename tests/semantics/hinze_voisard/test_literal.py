"""The definitions of the source word for word, which without slips are what runs."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import get_args

import pytest

from campaigns.choices import Source
from campaigns.hinze_voisard.cases import LIKENESSES, made_case
from laws.atlas.cells import instances, traces
from semantics.errors import InputError
from semantics.events import Event
from semantics.hinze_voisard.evaluation import evaluated
from semantics.hinze_voisard.literal import AsPrinted, Pairing, duplicate_lists, view
from semantics.hinze_voisard.pairing import FOLLOWS, Consumption, Instances, Listed, Selection, occurrence
from semantics.hinze_voisard.syntax import parse

SELECTIONS: tuple[Selection, ...] = ("first", "last", "all", 2)
CONSUMPTIONS: tuple[Consumption, ...] = get_args(Consumption)


def operands(most: int) -> Iterator[tuple[Instances, Instances]]:
    """Two classes in half the traces of so many events, some of them of one time; and classes that share events."""
    for types in (instances(trace) for trace in traces(2)[::2] if len(trace) <= most):
        yield types["a"], types["b"]
        yield types["a"], types["a"] | types["b"]


@pytest.mark.slow
@pytest.mark.parametrize("consumption", CONSUMPTIONS)
def test_the_definitions_without_slips_are_those_that_run(consumption: Consumption) -> None:
    found, follows = 0, FOLLOWS["points"]
    for left, right in operands(3):
        for anterior, posterior in product(SELECTIONS, SELECTIONS):
            for span in (None, 1):
                listed = Listed(anterior, posterior, consumption)
                then = set(listed.sequence(left, right, follows, span))
                assert Pairing(";", listed, span).pairs(left, right) == then
                if consumption == "primitives":  # what pairs here are primitive events
                    assert then == set(replace(listed, consumption="events").sequence(left, right, follows, span))
                found += len(then)
                for one in (listed, replace(listed, by_operand=True)):
                    assert Pairing(",", one, span).pairs(left, right) == set(one.conjunction(left, right, span))
    assert found > 500


@pytest.mark.parametrize("like", sorted(LIKENESSES.keys() - {"long"}))
def test_profiles_by_the_definitions_without_slips_occur_as_they_are_evaluated(like: str) -> None:
    likeness = replace(LIKENESSES[like], events=9, depth=2)
    cases = [made_case(Source(f"literal:{like}:{number}"), 0, number, like, likeness) for number in range(30)]
    for case in cases:
        assert evaluated(case.file, case.events, AsPrinted) == evaluated(case.file, case.events), case
    assert any(evaluated(case.file, case.events) for case in cases)


@pytest.mark.parametrize("selection", ["first", "last"])
def test_the_third_table_in_step_is_reapplication_between_two_lists(selection: Selection) -> None:
    listed = Listed(selection, selection, "reapply")
    for before, after in product(range(4), repeat=2):
        left = frozenset(occurrence(time, time) for time in range(before))
        right = frozenset(occurrence(time, time) for time in range(before, before + after))
        meant = Pairing(";", listed, None).pairs(left, right)
        assert len(meant) == min(before, after)
        assert Pairing(";", listed, None, {"reapplied-lists"}).pairs(left, right) == meant


@pytest.mark.parametrize("consumption", ["keep", "lists", "events"])
def test_slips_of_the_third_table_are_of_reapplication_alone(consumption: Consumption) -> None:
    listed, slips = (Listed("all", "all", consumption), {"reapplied-first", "reapplied-last", "reapplied-lists"})
    for left, right in operands(3):
        assert Pairing(";", listed, None, slips).pairs(left, right) == Pairing(";", listed, None).pairs(left, right)


def test_the_third_table_has_rows_for_first_and_last_alone() -> None:
    with pytest.raises(InputError, match="no row for this selection"):
        for left, right in operands(2):
            Pairing(";", Listed("all", "all", "reapply"), None, {"reapplied-first"}).pairs(left, right)


def test_the_lists_of_a_class_are_those_of_the_view_that_hold_it() -> None:
    for left, right in operands(3):
        if left & right:
            continue  # an event of both is in lists of both
        lists = view(left, right, roles=True)
        assert duplicate_lists(left, right) == [one for one in lists if one[0] in left]
        joined = {instance for one in lists for instance in one}
        assert joined <= left | right
        assert left <= joined


def test_a_place_that_is_none_is_refused() -> None:
    with pytest.raises(InputError, match="no place is called equation-9"):
        AsPrinted(parse("class a = event()\nprofile P = a"), [Event("a", 1, 1)], ["equation-9"])
