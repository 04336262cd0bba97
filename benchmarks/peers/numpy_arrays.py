"""NumPy: the vectorised code that somebody writes by hand, on sorted times and on masks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.subjects import Answer, NoQuery, Pattern, Prepared, Subject
from benchmarks.traces import Times, Trace
from semantics.carlson_lisper.expressions import identifiers

Masks = Mapping[str, NDArray[np.bool_]]


def _without(starts: Times, ends: Times, forbidden: Times) -> tuple[Times, Times]:
    """The intervals that no forbidden time lies in."""
    place = np.searchsorted(forbidden, ends, side="right")
    if len(forbidden):
        kept = (place == 0) | (forbidden[place - 1] < starts)
        return starts[kept], ends[kept]
    return starts, ends


def _before(times: Times, earlier: Times) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Of increasing times, those that something earlier comes before, as places, and the place of the latest such."""
    place = np.searchsorted(earlier, times)
    first = int(np.searchsorted(place, 1))
    return np.arange(first, len(times)), place[first:] - 1


def _near_repetition(columns: Mapping[str, Times]) -> Answer:
    b = columns["B"]
    near = np.flatnonzero(np.diff(b) <= 2)
    starts, ends = b[near], b[near + 1]
    for name in ("P", "T"):
        starts, ends = _without(starts, ends, columns[name])
    return Answer(starts, ends)


def _sequence(columns: Mapping[str, Times]) -> Answer:
    later, latest = _before(columns["B"], columns["A"])
    return Answer(columns["A"][latest], columns["B"][later])


def _conjunction(columns: Mapping[str, Times]) -> Answer:
    starts, ends = [], []
    # Both at once is found from A, so that the second time the distance is at least 1.
    for this, other, least in (("A", "B", 0), ("B", "A", 1)):
        place = np.searchsorted(columns[other], columns[this], side="right")
        first = int(np.searchsorted(place, 1))
        end = columns[this][first:]
        start = columns[other][place[first:] - 1]
        kept = (end - start <= 10) & (end - start >= least)
        starts.append(start[kept])
        ends.append(end[kept])
    merged = np.concatenate(ends)
    order = np.argsort(merged, kind="stable")
    return Answer(np.concatenate(starts)[order], merged[order])


def _nested_sequence(columns: Mapping[str, Times]) -> Answer:
    later, latest = _before(columns["C"], columns["B"])
    c, b = columns["C"][later], columns["B"][latest]
    near = c - b <= 5
    c, b = c[near], b[near]
    later, latest = _before(b, columns["A"])
    return Answer(columns["A"][latest], c[later])


SEARCHES: Mapping[str, Callable[[Mapping[str, Times]], Answer]] = {
    "i": _near_repetition,
    "ii": _sequence,
    "iii": _conjunction,
    "iv": _nested_sequence,
}
"""Binary searches of sorted times in sorted times, by pattern."""


def _latest(mask: NDArray[np.bool_]) -> Times:
    """For each tick the latest tick up to it where the mask holds, or -1."""
    return np.maximum.accumulate(np.where(mask, np.arange(len(mask)), -1))


def _masked_near_repetition(masks: Masks) -> Answer:
    free = ~(masks["P"] | masks["T"])
    b = masks["B"] & free
    # Two places in front, so that the ticks 0 and 1 need no case of their own.
    b, free = np.pad(b, (2, 0)), np.pad(free, (2, 0))
    one = b[2:] & b[1:-1]
    ends = np.flatnonzero(one | (b[2:] & free[1:-1] & b[:-2]))
    return Answer(ends - 2 + one[ends], ends)


def _masked_sequence(masks: Masks) -> Answer:
    latest = _latest(masks["A"])
    ends = np.flatnonzero(masks["B"][1:]) + 1
    starts = latest[ends - 1]
    first = int(np.searchsorted(starts, 0))
    return Answer(starts[first:], ends[first:])


def _masked_conjunction(masks: Masks) -> Answer:
    ends = np.flatnonzero(masks["A"] | masks["B"])
    starts = np.minimum(_latest(masks["A"])[ends], _latest(masks["B"])[ends])
    kept = (starts >= 0) & (ends - starts <= 10)
    return Answer(starts[kept], ends[kept])


def _masked_nested_sequence(masks: Masks) -> Answer:
    ends = np.flatnonzero(masks["C"][1:]) + 1
    b = _latest(masks["B"])[ends - 1]
    near = (ends - b <= 5) & (b >= 1)
    ends, b = ends[near], b[near]
    starts = _latest(masks["A"])[b - 1]
    first = int(np.searchsorted(starts, 0))
    return Answer(starts[first:], ends[first:])


MASKS: Mapping[str, Callable[[Masks], Answer]] = {
    "i": _masked_near_repetition,
    "ii": _masked_sequence,
    "iii": _masked_conjunction,
    "iv": _masked_nested_sequence,
}
"""Shifts and running maxima over masks with an entry per tick, by pattern."""


def _prepare(
    queries: Mapping[str, Callable[[Any], Answer]], form: Callable[[Trace, str], Any]
) -> Callable[[Pattern, Trace], Prepared]:
    def prepare(pattern: Pattern, trace: Trace) -> Prepared:
        if pattern.id not in queries:
            raise NoQuery
        query = queries[pattern.id]
        inputs = {name: form(trace, name) for name in sorted(identifiers(pattern.expression))}
        return lambda: lambda: query(inputs)

    return prepare


SUBJECTS: tuple[Subject, ...] = (
    Subject(
        "numpy searches",
        "NumPy",
        "columns",
        _prepare(SEARCHES, lambda trace, name: trace.columns[name]),
        package="numpy",
    ),
    Subject("numpy masks", "NumPy", "dense", _prepare(MASKS, Trace.mask), package="numpy"),
)
