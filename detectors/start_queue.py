"""The queue of a sequence that works with starts alone: a static array that goes round (Section 5.3).

The array holds a start and an end for each of a power of two of places, all -1 at first. The number of pushes says
where the next one goes. `detectors.kernels` has the functions in compiled form.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import TypeAlias

from semantics.expressions import UNBOUNDED, Label
from semantics.occurrences import Time

StartQueue: TypeAlias = MutableSequence[int]
"""Starts at even places, ends behind them."""

SPARE = 3
"""Places beyond the label: the match itself, one for a push that does not count, and one that says -1."""

FIRST_PLACES = 64
"""How many places a queue has at first if its label asks for more: it grows when they are used."""

LINEAR = 4
"""How many candidates are looked at one by one before the search becomes binary: most matches are near the end."""


def places(label: Label) -> Label:
    """How many places the queue of a sequence with this label needs at most: a power of two, or ∞."""
    return UNBOUNDED if label == UNBOUNDED else 1 << (int(label) + SPARE - 1).bit_length()


def empty_queue(label: Label) -> list[int]:
    """The queue of a sequence with this label before the first push."""
    return [-1] * (2 * int(min(places(label), FIRST_PLACES)))


def grown(queue: Sequence[int], pushed: int, size: int) -> list[int]:
    """A queue with the same candidates in more places, a power of two."""
    old = len(queue) >> 1
    copy = [-1] * (2 * size)
    for position in range(max(pushed - old, 0), pushed):
        here, there = 2 * (position & (old - 1)), 2 * (position & (size - 1))
        copy[there : there + 2] = queue[here : here + 2]
    return copy


def with_room(queue: list[int], pushed: int, label: Label, pushes: int = 1) -> list[int]:
    """The queue, or one that has grown, in which so many more pushes overwrite nothing that can be asked for."""
    size, needed = len(queue) >> 1, pushed + pushes + SPARE
    if size >= needed or size >= places(label):
        return queue
    return grown(queue, pushed, int(min(places(label), 1 << (needed - 1).bit_length())))


def push(queue: StartQueue, pushed: int, start: Time, end: Time) -> None:
    """Add a candidate, later in start and end than all before, to a queue with so many pushes so far."""
    place = 2 * (pushed & ((len(queue) >> 1) - 1))
    queue[place] = start
    queue[place + 1] = end


def latest_before(queue: StartQueue, pushed: int, time: Time) -> Time:
    """The greatest start of a candidate that ends before a time, or -1."""
    size = len(queue) >> 1
    mask = size - 1
    position = pushed - 1
    for _ in range(LINEAR):
        place = 2 * (position & mask)
        if queue[place + 1] < time:
            return queue[place]
        position -= 1
    low = max(pushed - size + 1, -1)
    while low < position:
        middle = (low + position + 1) >> 1
        if queue[2 * (middle & mask) + 1] < time:
            low = middle
        else:
            position = middle - 1
    return queue[2 * (low & mask)]
