"""Random traces in the forms in which detectors and other tools like them best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from semantics.carlson_lisper.occurrences import Interpretation, Occurrence, Time, Value, interpretation

Times: TypeAlias = NDArray[np.int64]
"""Times in ticks, shape `(n,)`."""

GAPS = 1_000_000
"""At most so many gaps between occurrences are drawn at a time."""


@dataclass(frozen=True)
class Trace:
    """What occurs at the instants 0, 1, …, `instants` - 1.

    Attributes:
        instants: the length in ticks.
        columns: for each event type the times at which it occurs, strictly increasing, in ticks.
    """

    instants: int
    columns: Mapping[str, Times]

    def stretch(self, begin: Time, end: Time) -> Trace:
        """What occurs from `begin` to before `end`, with times counted from `begin`."""
        cut = {}
        for name, times in self.columns.items():
            low, high = np.searchsorted(times, (begin, end))
            cut[name] = times[low:high] - begin if begin else times[low:high]
        return Trace(end - begin, cut)

    def prefix(self, instants: int) -> Trace:
        """The first so many instants."""
        return self if instants >= self.instants else self.stretch(0, instants)

    def letters(self, names: Sequence[str]) -> NDArray[np.int64]:
        """A letter per tick: bit `i` says whether `names[i]` occurs; shape `(instants,)`."""
        letters = np.zeros(self.instants, np.int64)
        for bit, name in enumerate(names):
            letters[self.columns[name]] |= 1 << bit
        return letters

    def mask(self, name: str) -> NDArray[np.bool_]:
        """Whether an event type occurs, per tick; shape `(instants,)`."""
        mask = np.zeros(self.instants, np.bool_)
        mask[self.columns[name]] = True
        return mask

    def busy(self, names: Sequence[str]) -> list[tuple[Time, int]]:
        """The instants with occurrences, each with its letter."""
        letters = self.letters(names)
        times = np.flatnonzero(letters)
        return list(zip(times.tolist(), letters[times].tolist(), strict=True))

    def occurring(self, names: Sequence[str]) -> list[tuple[Time, Mapping[str, Value]]]:
        """The instants with occurrences, each with its event types; equal ones share one mapping."""
        by_letter: dict[int, Mapping[str, Value]] = {}
        for letter in range(1 << len(names)):
            by_letter[letter] = {name: None for bit, name in enumerate(names) if letter >> bit & 1}
        return [(time, by_letter[letter]) for time, letter in self.busy(names)]

    def interpretation(self) -> Interpretation:
        """The trace as an interpretation, for the denotation."""
        return interpretation(
            Occurrence(name, time) for name, times in self.columns.items() for time in times.tolist()
        )


def random_trace(names: Sequence[str], density: float, instants: int, seed: int) -> Trace:
    """A trace in which each event type occurs at each tick with the same probability, independently.

    A trace with another length, from the same seed, agrees with it as far as both reach.

    Args:
        names: the event types, in an order that matters to what is drawn.
        density: the probability, above 0 and at most 1.

    Raises:
        ValueError: the density is no such probability.
    """
    if not 0 < density <= 1:
        raise ValueError(f"a probability lies above 0 and is at most 1, unlike {density}")
    columns = {}
    for number, name in enumerate(names):
        random = np.random.default_rng([seed, number])
        parts = []
        last = -1
        while last < instants:
            gaps = random.geometric(density, min(GAPS, int(1.1 * instants * density) + 16))
            # A gap may be so large that a sum of them overflows; beyond the end it does not matter how large.
            times = last + np.cumsum(np.minimum(gaps, instants + 1), dtype=np.int64)
            parts.append(times)
            last = int(times[-1])
        drawn = np.concatenate(parts)
        columns[name] = np.ascontiguousarray(drawn[: np.searchsorted(drawn, instants)])
    return Trace(instants, columns)
