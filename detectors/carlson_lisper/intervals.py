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

from collections.abc import Iterator, Sequence
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

        `detectors.carlson_lisper.feeds.columns` checks the stretch first.

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
