"""`remora explore`: what is found, and the account of a pair."""

import json
from typing import Any

import pytest

from reports.documents import complaint
from tests.remora.conftest import Remora

pytestmark = pytest.mark.slow


def explored(remora: Remora, *arguments: object, status: int = 0) -> dict[str, Any]:
    ended, out, err = remora("explore", *arguments, "--format", "json")
    found: dict[str, Any] = json.loads(out)
    assert (ended, err, complaint("remora/explore/1", found)) == (status, "", None)
    return found


def test_laws_come_smallest_first_and_every_pair_is_accounted_for(remora: Remora) -> None:
    found = explored(remora, "--size", 5, "--variables", 2, "--bounds", 0, "--unaided")
    totals, sizes = found["totals"], [law["size"] for law in found["laws"]]
    assert totals["equal"] + totals["apart"] + totals["open"] == totals["pairs"]
    assert sizes == sorted(sizes) and totals["open"] == 0
    statements = {law["statement"] for law in found["laws"]}
    assert {"A | A ~= A", "A + A ~= A", "A - (A + B) ~= A - B"} <= statements
    assert "A | (A + B) ~= A" not in statements


def test_an_account_is_a_chain_of_laws_or_a_trace(remora: Remora) -> None:
    (same,) = explored(remora, "--account", "(x | y) - x ~= y - x")["account"]["orders"]
    assert same["equal"] and same["steps"][-1]["whole"] == "B - A"
    (apart,) = explored(remora, "--account", "x | (x + y) ~= x", status=1)["account"]["orders"]
    assert apart["equal"] is False and apart["counterexample"]["trace"]


def test_an_equation_with_a_number_for_a_bound_is_refused(remora: Remora) -> None:
    status, out, err = remora("explore", "--account", "A[3] ~= A")
    assert (status, out) == (2, "") and "the bound 3" in err and "remora equiv" in err


def test_the_relation_of_an_equation_says_what_is_to_be_the_same(remora: Remora) -> None:
    found = explored(remora, "--account", "A + A == A", status=1)
    assert found["level"] == "meaning" and found["account"]["orders"][0]["equal"] is False
    found = explored(remora, "--account", "A + A == A", "--up-to", "detection")
    assert found["account"]["orders"][0]["equation"] == "A + A ~= A"


@pytest.mark.parametrize(
    ("asked", "remedy"), [("A <= A | B", "Write A | (A | B) == A | B."), (f"{' | '.join('A' * 7)} ~= A", "above 11")]
)
def test_what_no_exploration_accounts_for_is_refused(remora: Remora, asked: str, remedy: str) -> None:
    status, out, err = remora("explore", "--account", asked)
    assert (status, out) == (2, "") and remedy in err
