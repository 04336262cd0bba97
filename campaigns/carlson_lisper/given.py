"""Input of a detector: the instants of a case, each with a mapping of its own.

A mapping has no order that means anything, so what occurs together comes in one that its time decides: sorted at some
instants, in the order of no alphabet at others. Who reads the rows of a file meets any order.
"""

from __future__ import annotations

from collections.abc import Iterator

from campaigns.carlson_lisper.cases import Case
from semantics.carlson_lisper.occurrences import Time, Value

_SPREAD = 0x9E3779B97F4A7C15
"""2⁶⁴ by the golden ratio: its multiples are spread well over their upper bits."""


def given(case: Case) -> Iterator[tuple[Time, dict[str, Value]]]:
    """The instants of a case in order of time, with what occurs at each in an order that follows from its time."""
    for time, occurrences in case.instants():
        yield time, turned(occurrences, time) if len(occurrences) > 1 else occurrences


def turned(occurrences: dict[str, Value], time: Time) -> dict[str, Value]:
    """The same mapping in another order: turned round by some places, and in half of all cases backwards."""
    spread = time * _SPREAD >> 40 & 0xFFFFFF
    items = list(occurrences.items())
    if spread & 1 == 0:
        items.reverse()
    place = (spread >> 1) % len(items)
    return dict(items[place:] + items[:place])
