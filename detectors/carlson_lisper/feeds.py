"""Ways from a trace to a detector of intervals, and from timestamp columns to instants."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from detectors.carlson_lisper.intervals import Detections, IntervalDetector, Letters, Times, letter_type
from semantics.carlson_lisper.occurrences import Time

NOTHING = Detections(np.empty(0, np.int64), np.empty(0, np.int64))
"""No detection."""


def detections(intervals: Iterable[tuple[Time, Time]]) -> Detections:
    """Arrays of pairs (start, end)."""
    pairs = list(intervals)
    return Detections(
        np.array([start for start, _ in pairs], np.int64), np.array([end for _, end in pairs], np.int64)
    )


def chunk_by_steps(step: Callable[[Time, int], Time], letters: Letters, first: Time) -> Detections:
    """`IntervalDetector.chunk`, one instant at a time; ticks without occurrences are left out, also at the end."""
    busy = np.flatnonzero(letters)
    return detections(
        (start, time)
        for time, letter in zip((busy + first).tolist(), letters[busy].tolist(), strict=True)
        if (start := step(time, letter)) >= 0
    )


def events_by_steps(step: Callable[[Time, int], Time], times: Times, letters: Letters) -> Detections:
    """`IntervalDetector.events`, one instant at a time."""
    return detections(
        (start, time)
        for time, letter in zip(times.tolist(), letters.tolist(), strict=True)
        if (start := step(time, letter)) >= 0
    )


def require_order(times: Times) -> None:
    """Make sure that times increase.

    Raises:
        ValueError: two neighbours do not.
    """
    if len(times) > 1:
        wrong = np.flatnonzero(times[1:] <= times[:-1])
        if len(wrong):
            place = int(wrong[0])
            raise ValueError(
                f"time {times[place + 1]} at place {place + 1} is not later than {times[place]} before it"
            )


def columns(detector: IntervalDetector, occurrences: Mapping[str, Times]) -> Detections:
    """What a detector finds in a trace that is given as the sorted times of each event type.

    Args:
        detector: is fed from where it stands.
        occurrences: strictly increasing times by event type, in ticks; types that the expression does not name are
            left out.

    Raises:
        ValueError: a column is not strictly increasing, or begins before the detector's time.
    """
    return detector.sparse([checked_column(name, occurrences.get(name)) for name in detector.names])


def checked_column(name: str, times: Times | None) -> Times:
    """The times of an event type as a contiguous array.

    Raises:
        ValueError: they do not increase strictly.
    """
    if times is None:
        return NOTHING.starts
    try:
        require_order(times)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from error
    return np.ascontiguousarray(times, np.int64)


def merged(columns: Sequence[Times]) -> tuple[Times, Letters]:
    """The instants of sorted columns; bit `i` of a letter is set if column `i` has the time."""
    times = np.unique(np.concatenate(columns))
    letters = np.zeros(len(times), letter_type(len(columns)))
    for bit, column in enumerate(columns):
        letters[np.searchsorted(times, column)] |= letters.dtype.type(1 << bit)
    return times, letters
