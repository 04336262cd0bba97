"""A detector as somebody might write it on an afternoon; `remora gate` finds out what is wrong with it.

It reports starts and ends. Of each part of the expression at most one instance that ends now is looked at, the one that
starts last; what is kept of it is its start.
"""

from collections.abc import Mapping

from detectors.protocol import NodeState
from semantics.carlson_lisper.expressions import Expression, Identifier, Operation, bottom_up, evaluate_bound
from semantics.carlson_lisper.occurrences import Time, Value
from semantics.events import Interval

NOTHING = -1
"""The start of what does not occur."""


class MyDetector:
    """Detects any expression, one instant after the other."""

    def __init__(self, expression: Expression) -> None:
        """Prepare a detector for an expression."""
        self.parts = bottom_up(expression)
        self.latest: dict[Expression, Time] = {}
        """The latest start so far, by part."""

    def step(self, time: Time, occurrences: Mapping[str, Value]) -> Interval | None:
        """What ends at this instant."""
        starts: dict[Expression, Time] = {}
        for part in self.parts:
            if isinstance(part, Identifier):
                starts[part] = time if part.name in occurrences else NOTHING
            elif isinstance(part, Operation):
                starts[part] = self.start(part, time, *(starts[operand] for operand in part.operands))
        self.remember(starts, time)
        start = starts[self.parts[-1]]
        return None if start == NOTHING else Interval(start, time)

    def remember(self, starts: Mapping[Expression, Time], time: Time) -> None:
        """Keep what later instants need of this one."""
        for part, start in starts.items():
            self.latest[part] = max(start, self.latest.get(part, NOTHING))

    def start(self, part: Operation, time: Time, left: Time, right: Time = NOTHING) -> Time:
        """The latest start of an instance of a part that ends now; its operands' instances start at left and right."""
        before = [self.latest.get(operand, NOTHING) for operand in part.operands]
        match part.operator:
            case "dis":
                return max(left, right)
            case "con":
                with_left = min(left, max(right, before[1]))
                with_right = min(right, max(left, before[0]))
                return max(with_left, with_right)
            case "neg":
                return left if left > max(right, before[1]) else NOTHING
            case "seq":
                return before[0] if before[0] < right else NOTHING
            case _:
                return left if left >= 0 and time - left <= evaluate_bound(part.bound or 0) else NOTHING

    def state(self) -> tuple[NodeState, ...]:
        """Nothing is said of what is remembered."""
        return ()
