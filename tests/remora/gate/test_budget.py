"""Budgets of time: how they are written and said, and what is left of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaigns.judging.findings import Clock
from remora.gate.gate import duration, parse_budget
from semantics.errors import InputError


@given(st.integers(0, 20), st.integers(0, 59), st.integers(1, 59))
def test_a_budget_is_the_sum_of_its_parts(hours: int, minutes: int, seconds: int) -> None:
    assert parse_budget(f"{hours}h{minutes}m{seconds}s") == 3600 * hours + 60 * minutes + seconds
    assert parse_budget(f"{minutes}.5m") == 60 * minutes + 30


@pytest.mark.parametrize("text", ["", "2", "m", "2 m", "-2m", "0s", "2m!", "2d", "1e3s", "²m"])
def test_what_is_not_a_time_is_no_budget(text: str) -> None:
    with pytest.raises(InputError, match="is not a time"):
        parse_budget(text)


def test_a_duration_is_said_in_the_units_of_a_budget() -> None:
    assert [duration(seconds) for seconds in (0.42, 45, 120, 125, 3600, 4200)] == [
        "0.4 s", "45 s", "2 min", "2 min 5 s", "1 h", "1 h 10 min",
    ]  # fmt: skip


def test_a_share_of_a_budget_is_one_of_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 70.0
    monkeypatch.setattr("campaigns.judging.findings.monotonic", lambda: now)
    clock = Clock(100.0)
    assert clock.until(0.5) == 120
    now = 130.0
    assert (clock.used, clock.until(0.5), clock.until()) == (60, 150, 170)
    now = 200.0
    assert clock.until() == 200
    assert Clock(None).until(0.1) == float("inf")
