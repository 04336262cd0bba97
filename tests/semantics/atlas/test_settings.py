"""Settings of event algebras: the contexts of Snoop, and pairs by duplicate lists as the source defines them."""

import re
from collections.abc import Iterator
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.atlas.cases import Trace, instances
from remora.docs.pages import FOLDER
from semantics.atlas.catalogue import CONTEXTS, SETTINGS
from semantics.hinze_voisard.literal import Pairing
from semantics.hinze_voisard.pairing import FOLLOWS, Consumption, Instance, Listed, Selection, occurrence


def at(*times: int) -> frozenset[Instance]:
    return frozenset(occurrence(time, time) for time in times)


def figure_4() -> Iterator[tuple[Selection, Consumption, str]]:
    """The cells of the table in docs/profiles.md: selection, consumption, and the pairs by their places."""
    page = (FOLDER / "profiles.md").read_text("utf-8")
    for consumption, *cells in re.findall(r"^\| `consume (\w+)` \| (.*) \| (.*) \| (.*) \|$", page, re.MULTILINE):
        selections: tuple[Selection, ...] = ("all", "first", "last")
        yield from ((one, cast(Consumption, consumption), cell) for one, cell in zip(selections, cells, strict=True))


@pytest.mark.parametrize(("selection", "consumption", "expected"), list(figure_4()))
def test_figure_4_is_rederived_as_its_page_shows(selection: Selection, consumption: Consumption, expected: str) -> None:
    left, right, listed = at(1, 4, 5), at(2, 3, 6, 7), Listed(selection, selection, consumption)
    for found in (listed.sequence(left, right, FOLLOWS["points"], None), Pairing(";", listed, None).pairs(left, right)):
        assert " ".join(sorted(f"{one.end}–{other.end}" for one, other in found)) == expected


A_A_B_B: Trace = (("a", 0), ("a", 1), ("b", 2), ("b", 3))


@pytest.mark.parametrize(
    ("context", "expected"),
    [
        ("unrestricted", [(0, 2), (0, 3), (1, 2), (1, 3)]),
        ("recent", [(1, 2), (1, 3)]),
        ("chronicle", [(0, 2), (1, 3)]),
        ("continuous", [(0, 2), (1, 2)]),
        ("cumulative", [(0, 2)]),
    ],
)
def test_the_contexts_of_snoop_on_two_initiators_and_two_terminators(
    context: str, expected: list[tuple[int, int]]
) -> None:
    types = instances(A_A_B_B)
    assert sorted(one[:2] for one in SETTINGS[f"snoop-{context}-points"].sequence(types["a"], types["b"])) == expected


subsets = st.frozensets(st.builds(occurrence, st.integers(0, 6), st.integers(0, 6)), max_size=5)


@given(subsets, subsets)
@pytest.mark.parametrize("name", ["carlson-lisper", *(f"snoop-{context}-points" for context in CONTEXTS)])
def test_a_conjunction_does_not_depend_on_the_order_of_its_operands(
    name: str, left: frozenset[Instance], right: frozenset[Instance]
) -> None:
    setting = SETTINGS[name]
    assert setting.conjunction(left, right) == setting.conjunction(right, left)


@given(subsets, subsets)
def test_a_pair_of_lists_shares_no_occurrence_and_events_are_used_once(
    left: frozenset[Instance], right: frozenset[Instance]
) -> None:
    used = [one for both in Listed("all", "all", "events").conjunction(left, right, None) for one in both]
    assert len(used) == len(set(used))
    for one, other in Listed("all", "all", "keep").conjunction(left, right, None):
        assert not one.members & other.members


@given(subsets, subsets)
@pytest.mark.parametrize("consumption", ["events", "reapply"])
def test_an_instance_of_both_operands_is_in_one_pair_at_most(
    consumption: Consumption, left: frozenset[Instance], right: frozenset[Instance]
) -> None:
    listed = Listed("first", "last", consumption)
    for operands in ((left, right), (left, left | right), (left, left)):
        used = [one for both in listed.sequence(*operands, FOLLOWS["points"], None) for one in both]
        assert len(used) == len(set(used))


def test_rounds_of_reapplying_are_not_limited() -> None:
    left, right = at(*range(1_100)), at(*range(1_100, 2_200))
    assert len(list(Listed("first", "first", "reapply").sequence(left, right, FOLLOWS["points"], None))) == 1_100
