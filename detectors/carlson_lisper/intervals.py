"""Detectors of intervals: their protocol, and the arrays that go in and out.

Every operator depends on the intervals of its operands only, so a detector that nobody asks for instances need not
keep any. What happens at an instant is then a *letter*: a bit set, bit `i` saying whether `names[i]` occurs. A trace
is fed in one of these ways, and they may be mixed in mid-stream:

- `step`, one instant at a time;
- `chunk`, a dense array of letters, one per tick;
- `events`, a sorted array of times with a letter each;
- `sparse`, a sorted array of times for each event type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from detectors.carlson_lisper.protocol import event_types as event_types
from detectors.protocol import Json as Json
from detectors.protocol import Snapshot as Snapshot
from semantics.carlson_lisper.occurrences import Time

Times: TypeAlias = NDArray[np.int64]
"""Times in ticks, shape `(n,)`."""

Letters: TypeAlias = NDArray[Any]
"""Bit sets of event types, shape `(n,)`; see `letter_type`."""

MAX_NAMES = 63
"""Over so many event types a letter is a number of the processor; over more, one of Python's."""


class Detections(NamedTuple):
    """What was detected, in order of time: for each end the greatest start (Thm 4.5).

    Attributes:
        starts: shape `(n,)`, in ticks.
        ends: shape `(n,)`, in ticks, strictly increasing.
    """

    starts: Times
    ends: Times

    def intervals(self) -> Iterator[tuple[Time, Time]]:
        """The pairs (start, end) as Python numbers."""
        return zip(self.starts.tolist(), self.ends.tolist(), strict=True)


class IntervalDetector(Protocol):
    """Computes the starts and ends of a valid restriction of ⟦E⟧ while time goes on.

    Attributes:
        names: the event types of E; the type of bit `i` of a letter is `names[i]`.
    """

    names: tuple[str, ...]

    def step(self, time: Time, letter: int) -> Time:
        """The greatest start of an instance of the expression that ends at this instant, or -1.

        Instants without occurrences need no step.

        Raises:
            ValueError: the time is not later than that of the instant before.
        """

    def chunk(self, letters: Letters, first: Time) -> Detections:
        """What ends within a stretch of a trace.

        Args:
            letters: what occurs at the ticks `first`, `first + 1`, …
            first: the time of the first letter.

        Raises:
            ValueError: `first` is not later than the last instant before.
        """

    def events(self, times: Times, letters: Letters) -> Detections:
        """What ends at some instants.

        Args:
            times: strictly increasing.
            letters: what occurs then; of the same shape.

        Raises:
            ValueError: the first time is not later than the last instant before, or there are more or fewer letters
                than times.
        """

    def sparse(self, columns: Sequence[Times]) -> Detections:
        """What ends in a stretch of a trace that is given by event types.

        `columns` checks the stretch first.

        Args:
            columns: the strictly increasing times of each type, in the order of `names`.

        Raises:
            ValueError: the earliest time is not later than the last instant before.
        """

    def snapshot(self) -> Snapshot:
        """The state after the last instant."""

    def restore(self, snapshot: Snapshot) -> None:
        """Go on from a state that a detector for the same expression had.

        Raises:
            InputError: the snapshot belongs to another expression or another kind of detector.
        """


def letter_type(names: int) -> type[np.unsignedinteger[Any]] | type[np.object_]:
    """The narrowest array type for letters over so many event types: Python's own numbers above `MAX_NAMES`."""
    for kind in (np.uint8, np.uint16, np.uint32, np.uint64):
        if names <= min(np.iinfo(kind).bits, MAX_NAMES):
            return kind
    return np.object_


NOTHING = Detections(np.empty(0, np.int64), np.empty(0, np.int64))
"""No detection."""


def chunk_by_steps(step: Callable[[Time, int], Time], letters: Letters, first: Time) -> Detections:
    """`IntervalDetector.chunk`, one instant at a time; ticks without occurrences are left out, also at the end."""
    busy = np.flatnonzero(letters)
    return events_by_steps(step, busy + first, letters[busy])


def events_by_steps(step: Callable[[Time, int], Time], times: Times, letters: Letters) -> Detections:
    """`IntervalDetector.events`, one instant at a time."""
    starts, ends = [], []
    for time, letter in zip(times.tolist(), letters.tolist(), strict=True):
        if (start := step(time, letter)) >= 0:
            starts.append(start)
            ends.append(time)
    return Detections(np.array(starts, np.int64), np.array(ends, np.int64))


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
