"""Standings and how a run ends with them."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.standings import ExitStatus, Standing, exit_status, weakest


@pytest.mark.parametrize(
    ("standing", "status", "unbounded"),
    [
        (Standing.CERTIFIED, 0, True),
        (Standing.AGREED, 0, True),
        (Standing.PROVED, 0, True),
        (Standing.TESTED, 0, False),
        (Standing.REFUTED, 1, False),
        (Standing.UNKNOWN, 3, False),
        (Standing.DISAGREEMENT, 4, False),
        (Standing.ERROR, 5, False),
    ],
)
def test_the_exit_status_of_each_standing(standing: Standing, status: int, unbounded: bool) -> None:
    assert exit_status([Standing.PROVED, standing]) == status
    assert exit_status([standing]) == status
    assert standing.unbounded is unbounded


def test_the_table_covers_every_standing() -> None:
    assert len(Standing) == 8
    assert [int(status) for status in ExitStatus] == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("standings", "expected"),
    [
        ([Standing.PROVED, Standing.TESTED], Standing.TESTED),
        ([Standing.CERTIFIED, Standing.AGREED, Standing.PROVED], Standing.PROVED),
        ([Standing.TESTED, Standing.UNKNOWN], Standing.UNKNOWN),
        ([Standing.UNKNOWN, Standing.REFUTED], Standing.REFUTED),
        ([Standing.REFUTED, Standing.ERROR], Standing.ERROR),
        ([Standing.ERROR, Standing.DISAGREEMENT], Standing.DISAGREEMENT),
        ([], Standing.UNKNOWN),
    ],
)
def test_a_claim_stands_as_its_weakest_part(standings: list[Standing], expected: Standing) -> None:
    assert weakest(standings) is expected


@given(st.lists(st.sampled_from(Standing), min_size=1), st.lists(st.sampled_from(Standing), min_size=1))
def test_weakest_does_not_depend_on_order_or_grouping(left: list[Standing], right: list[Standing]) -> None:
    assert weakest([*left, *right]) is weakest([*right, *left]) is weakest([weakest(left), weakest(right)])
    assert weakest(left) in left


@given(st.lists(st.sampled_from(Standing)))
def test_a_run_is_green_only_if_nothing_is_refuted_unknown_or_broken(standings: list[Standing]) -> None:
    good: Iterable[Standing] = (Standing.CERTIFIED, Standing.AGREED, Standing.PROVED, Standing.TESTED)
    green = bool(standings) and set(standings).issubset(good)
    assert (exit_status(iter(standings)) is ExitStatus.AS_CLAIMED) is green
