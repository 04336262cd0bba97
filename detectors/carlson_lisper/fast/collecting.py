"""Output arrays of loops over stretches, filled without copying."""

from __future__ import annotations

import numpy as np

from detectors.carlson_lisper.intervals import Detections, Times


class Collected:
    """The detections of a trace while loops run over it.

    There is room for one detection at each instant. Memory that nobody writes to is not taken by the arrays, and what
    was not needed is given back at the end; so there is neither a second copy of the results nor a guess.
    """

    def __init__(self, instants: int) -> None:
        """Make room for the detections of so many instants."""
        self._starts: Times = np.empty(
            instants + 1, np.int64
        )  # a loop may write one more, which does not count
        self._ends: Times = np.empty(instants + 1, np.int64)
        self._count = 0

    def room(self) -> tuple[Times, Times]:
        """Where the next starts and ends go."""
        return self._starts[self._count :], self._ends[self._count :]

    def put(self, detections: Detections) -> None:
        """Keep these."""
        for room, times in zip(self.room(), detections, strict=True):
            room[: len(times)] = times
        self._count += len(detections.ends)

    def add(self, found: int, *, since: int = 0) -> None:
        """Keep those that were written into the room, but not those that end before a time."""
        starts, ends = self.room()
        known = int(np.searchsorted(ends[:found], since))
        if known:
            starts[: found - known] = starts[known:found]
            ends[: found - known] = ends[known:found]
        self._count += found - known

    def detections(self) -> Detections:
        """All of them; afterwards there is no more room."""
        for array in (self._starts, self._ends):
            array.resize(self._count, refcheck=False)  # nobody has the room any more
        return Detections(self._starts, self._ends)
