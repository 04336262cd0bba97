"""Work ahead in another thread: the same items, the same error, and an end."""

import threading
from collections.abc import Iterator

import pytest

from semantics.ahead import AHEAD, ahead


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
    some.close()  # type: ignore[attr-defined]
    assert len(made) <= AHEAD + 3
    assert threading.active_count() == before
