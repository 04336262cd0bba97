"""Questions with known answers are answered rightly, each group by itself; a verification asks all of them."""

from collections.abc import Iterator

import pytest

from remora.verification.selfchecks import self_checks
from smt.solvers.portfolio import Portfolio, installed

with installed() as _portfolio:
    GROUPS = list(self_checks(_portfolio))
"""The names of the groups; nothing is asked yet."""

DEAREST = ("atlas", "false equations")
"""Groups that take as long as all others together."""


@pytest.fixture(scope="module")
def portfolio() -> Iterator[Portfolio]:
    """The solvers of a verification."""
    with installed() as found:
        yield found


@pytest.mark.parametrize(
    "group", [pytest.param(name, marks=pytest.mark.long) if name in DEAREST else name for name in GROUPS]
)
def test_a_part_that_can_say_yes_says_no_where_that_is_right(group: str, portfolio: Portfolio) -> None:
    found = [check() for check in self_checks(portfolio)[group]]
    assert found and not [f"{each.id}: {each.detail}" for each in found if not each.ok]
