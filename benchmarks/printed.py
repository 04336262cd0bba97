"""Figure 2 with its sequence exactly as printed: a loop over all of `q` for each instance of the right side."""

from __future__ import annotations

from collections.abc import Mapping

from detectors.carlson_lisper.source.figure2 import STEPS, StepFactory
from detectors.carlson_lisper.source.steps import NON_OCCURRENCE, SequenceStep
from semantics.carlson_lisper.occurrences import Instance, Time


class PrintedSequenceStep(SequenceStep):
    """Eⁱ = Eʲ ; Eᵏ, line by line; `SequenceStep` finds the same by binary search (Section 5.3)."""

    __slots__ = ("instances",)

    def __init__(self) -> None:
        """Initially t = -1 and q = ∅."""
        super().__init__()
        self.instances: list[Instance] = []
        self.latest: Time = -1

    def step(self, left: Instance, right: Instance) -> Instance:
        """Joins the right instance with the latest started left one that ended before it started."""
        found: Instance = NON_OCCURRENCE
        if right is not NON_OCCURRENCE:
            for candidate in self.instances:
                if candidate.end < right.start and found.start < candidate.start:
                    found = candidate
            if found is not NON_OCCURRENCE:
                found = right.join(found)
        if self.latest < left.start:
            self.instances.append(left)
            self.latest = left.start
        return found

    def stored(self) -> int:
        """The length of q."""
        return len(self.instances)


PRINTED_STEPS: Mapping[str, StepFactory] = {**STEPS, "seq": lambda _: PrintedSequenceStep()}
"""The steps of Figure 2, with the printed loop."""
