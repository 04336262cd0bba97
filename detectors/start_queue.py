"""The queue of a sequence that works with starts alone: a static array that goes round (Section 5.3).

The array holds a start and an end for each of a power of two of places, all -1 at first. The number of pushes says
where the next one goes. `detectors.kernels` has the functions in compiled form.
"""

from __future__ import annotations

from collections.abc import MutableSequence
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


def places_for(pushed: int, label: Label) -> int:
    """How many places so many pushes need: a power of two.

    A queue that had to grow has not gone round yet, so it grows by free places behind those that it has.
    """
    return int(min(places(label), 1 << (pushed + SPARE - 1).bit_length()))


def empty_queue(label: Label) -> list[int]:
    """The queue of a sequence with this label before the first push."""
    return [-1] * (2 * int(min(places(label), FIRST_PLACES)))


def filled_queue(candidates: list[int], label: Label) -> list[int]:
    """A queue into which these candidates were pushed, each given by its start and its end; at most label + 1."""
    size = max(len(empty_queue(label)), 2 * places_for(len(candidates) >> 1, label))
    return candidates + [-1] * (size - len(candidates))


def kept(queue: list[int], pushed: int, label: Label) -> list[int]:
    """The candidates that can still be asked for, in order, each as its start and its end."""
    size = len(queue) >> 1
    count = int(min(pushed, size, label + 1))
    begin = 2 * ((pushed - count) % size)
    return (queue[begin:] + queue[:begin])[: 2 * count]


def with_room(queue: list[int], pushed: int, label: Label) -> list[int]:
    """The queue, or one with twice the places, in which the next push overwrites nothing that can be asked for."""
    size = len(queue) >> 1
    if size >= pushed + 1 + SPARE or size >= places(label):
        return queue
    return queue + [-1] * (2 * (places_for(pushed + 1, label) - size))


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
