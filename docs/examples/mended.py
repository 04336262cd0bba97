"""The detector of `mydetector.py` with its sequence put right."""

from __future__ import annotations

from collections.abc import Mapping

from mydetector import NOTHING, MyDetector

from semantics.carlson_lisper.expressions import Expression, Operation
from semantics.carlson_lisper.occurrences import Time


class Mended(MyDetector):
    """A sequence has to ask which left instances ended before the right one started; the latest start is not enough."""

    def __init__(self, expression: Expression) -> None:
        """Prepare a detector for an expression."""
        super().__init__(expression)
        self.ended: dict[Expression, list[tuple[Time, Time]]] = {part: [] for part in self.parts}
        """Start and end of all instances so far, by part."""

    def remember(self, starts: Mapping[Expression, Time], time: Time) -> None:
        """Keep the instances that end now."""
        super().remember(starts, time)
        for part, start in starts.items():
            if start != NOTHING:
                self.ended[part].append((start, time))

    def start(self, part: Operation, time: Time, left: Time, right: Time = NOTHING) -> Time:
        """See `MyDetector.start`."""
        if part.operator != "seq" or right == NOTHING:
            return NOTHING if part.operator == "seq" else super().start(part, time, left, right)
        return max((start for start, end in self.ended[part.operands[0]] if end < right), default=NOTHING)
