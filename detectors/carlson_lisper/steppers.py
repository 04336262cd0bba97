"""Detectors behind one form for single instants: values of events go in, what ends comes out, and is checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias, cast

from detectors.carlson_lisper.protocol import Detector, Report, ResumableDetector, not_a_report
from detectors.protocol import NodeState, Snapshot
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.occurrences import Instance, Time, Value
from semantics.errors import InputError
from semantics.events import Interval

if TYPE_CHECKING:
    from detectors.carlson_lisper.generated import Generated


class WrongDetector(Exception):
    """A detector that broke down, or reported what cannot be a detection; the text says how."""


class Stepper(Protocol):
    """A detector behind the form in which a trace is read by rows."""

    def step(self, time: Time, values: Mapping[str, Value]) -> Report | None:
        """What ends at an instant."""

    def snapshot(self) -> Snapshot:
        """The state after the last instant."""

    def restore(self, snapshot: Snapshot) -> None:
        """Go on from a state."""


Maker: TypeAlias = Callable[[], Stepper]
"""Makes a detector in its initial state."""


class Checked:
    """A detector of which nothing is taken on trust."""

    def __init__(
        self, factory: Callable[[Expression], Detector], expression: Expression, *, intervals: bool = False
    ) -> None:
        """Make a detector.

        Args:
            intervals: whether starts and ends are wanted, be it that instances or intervals are found.

        Raises:
            InputError: it does not take the expression.
            WrongDetector: it breaks down.
        """
        self.kind: type[Instance] | type[Interval] = Interval if intervals else Instance
        try:
            self.detector = factory(expression)
        except InputError:
            raise
        except (Exception, SystemExit) as error:  # a detector from outside runs any code
            raise WrongDetector(f"failed when it was made for {expression}: {_described(error)}") from error

    def step(self, time: Time, values: Mapping[str, Value]) -> Report | None:
        """What ends at an instant.

        Raises:
            WrongDetector: the detector breaks the protocol of `detectors.protocol`.
        """
        try:
            report: object = self.detector.step(time, values)
        except (Exception, SystemExit) as error:
            raise WrongDetector(f"failed at time {time}: {_described(error)}") from error
        if self.kind is Interval and isinstance(report, Instance):
            report = Interval(report.start, report.end)
        if report is None:
            return None
        if not isinstance(report, self.kind):
            raise WrongDetector(
                f"reported {report!r:.60} at time {time}, which is of type {type(report).__name__}; expected is"
                f" {self.kind.__name__} or None"
            )
        wrong = not_a_report(report)
        if wrong:
            raise WrongDetector(f"{wrong} (at time {time})")
        if report.end != time:
            raise WrongDetector(f"reported {report!r:.60} at time {time}, which ends at time {report.end}")
        return report

    def snapshot(self) -> Snapshot:
        """The state after the last instant."""
        return cast(ResumableDetector, self.detector).snapshot()

    def restore(self, snapshot: Snapshot) -> None:
        """Go on from a state."""
        cast(ResumableDetector, self.detector).restore(snapshot)

    @property
    def is_resumable(self) -> bool:
        """Whether its state can be stored."""
        return hasattr(self.detector, "snapshot") and hasattr(self.detector, "restore")


class Spans:
    """A detector of starts and ends."""

    def __init__(self, detector: Generated) -> None:
        """Take a fresh detector."""
        self.detector = detector
        self._bits = {name: 1 << bit for bit, name in enumerate(detector.names)}
        self._step = detector.step

    def step(self, time: Time, values: Mapping[str, Value]) -> Interval | None:
        """The latest started interval that ends at an instant; events that have no bit are left out."""
        letter = 0
        for name in values:
            letter |= self._bits.get(name, 0)
        start = self._step(time, letter)
        return None if start < 0 else Interval(start, time)

    def state(self) -> tuple[NodeState, ...]:
        """Nothing: what is remembered is not known by subexpression."""
        return ()

    def snapshot(self) -> Snapshot:
        """The state after the last instant."""
        return self.detector.snapshot()

    def restore(self, snapshot: Snapshot) -> None:
        """Go on from a state."""
        self.detector.restore(snapshot)


def _described(error: BaseException) -> str:
    from traceback import extract_tb  # which takes time to load

    text = " ".join(str(error).split())
    where = extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}{': ' if text else ''}{text} ({Path(where.filename).name}:{where.lineno})"
