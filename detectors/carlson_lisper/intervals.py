"""Detectors of starts and ends: their protocol, and the sets of events that go in.

Every operator depends on the intervals of its operands only, so a detector that nobody asks for instances need not
keep any. What happens at an instant is then a *letter*: a bit set, bit `i` saying whether `names[i]` occurs.
"""

from __future__ import annotations

from typing import Protocol, Self

from detectors.protocol import Snapshot
from semantics.carlson_lisper.occurrences import Time


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

    def fresh(self) -> Self:
        """Another detector for the same expression, in its initial state."""

    def snapshot(self) -> Snapshot:
        """The state after the last instant."""

    def restore(self, snapshot: Snapshot) -> None:
        """Go on from a state that a detector for the same expression had.

        Raises:
            InputError: the snapshot belongs to another expression or another kind of detector.
        """
