"""Work ahead in another thread: the same items, the same error, and an end."""

import threading
from collections.abc import Iterator

import pytest

from semantics.ahead import AHEAD, ahead, side_by_side


def test_items_come_in_order_and_an_error_after_those_before_it() -> None:
    def items() -> Iterator[int]:
        yield from range(10)
        raise ValueError("no eleventh")

    found: list[int] = []
    with pytest.raises(ValueError, match="no eleventh"):
        found.extend(ahead(items()))
    assert found == list(range(10))


def test_no_more_is_made_than_a_few_ahead_and_nothing_after_the_end() -> None:
    made = []

    def items() -> Iterator[int]:
        for number in range(1000):
            made.append(number)
            yield number

    before = threading.active_count()
    some = ahead(items())
    assert next(some) == 0
    some.close()
    assert len(made) <= AHEAD + 3
    assert threading.active_count() == before


def test_what_workers_make_comes_in_the_order_of_the_items_and_an_error_after_it() -> None:
    def doubled(number: int) -> int:
        if number == 17:
            raise ValueError("seventeen")
        return 2 * number

    before = threading.active_count()
    for workers in (1, 2, 3):
        assert list(side_by_side(range(10), [doubled] * workers)) == list(range(0, 20, 2))
        found: list[int] = []
        with pytest.raises(ValueError, match="seventeen"):
            found.extend(side_by_side(range(100), [doubled] * workers))
        assert found == list(range(0, 34, 2))
        some = side_by_side(range(10), [doubled] * workers)
        assert next(some) == 0
        some.close()
        assert threading.active_count() == before
    with pytest.raises(ValueError, match="none"):
        list(side_by_side((int("none") for _ in "a"), [doubled]))


def test_workers_begin_at_the_same_time() -> None:
    all_there = threading.Barrier(3, timeout=60)

    def met(number: int) -> int:
        all_there.wait()
        return number

    assert list(side_by_side(range(3), [met] * 3)) == [0, 1, 2]
