"""The catalogue of detectors: what each reports and keeps, how far it is proved, what it is for; how one is fed.

What makes a detector imports it: cases of campaigns are made from the constants of the modules that one reaches.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Generic, Literal, Protocol, TypeAlias, TypeVar, cast

from detectors.carlson_lisper.protocol import Detector, DetectorFactory, Report, ResumableDetector, not_a_report
from detectors.protocol import NodeState, Snapshot
from semantics.carlson_lisper.expressions import UNBOUNDED, Expression, Operation, bottom_up
from semantics.carlson_lisper.occurrences import Instance, Time, Value
from semantics.errors import InputError, LimitExceeded
from semantics.events import Interval

if TYPE_CHECKING:  # which bring Polars
    from detectors.carlson_lisper.adapters import AnyDetector, InBatches
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


Maker: TypeAlias = Callable[[], Stepper]  # Makes a detector in its initial state


class Checked:
    """A detector of which nothing is taken on trust."""

    def __init__(
        self, factory: Callable[[Expression], Detector], expression: Expression, *, intervals: bool = False
    ) -> None:
        """Make it, of starts and ends if `intervals`; `InputError` if it refuses, `WrongDetector` if it breaks down."""
        self.kind: type[Instance] | type[Interval] = Interval if intervals else Instance
        try:
            self.detector = factory(expression)
        except InputError:
            raise
        except (Exception, SystemExit) as error:  # a detector from outside runs any code
            raise WrongDetector(f"failed when it was made for {expression}: {_described(error)}") from error

    def step(self, time: Time, values: Mapping[str, Value]) -> Report | None:
        """What ends at an instant; `WrongDetector` where the detector breaks the protocol of `detectors.protocol`.

        `LimitExceeded` is the detector's own: it does not take what occurs.
        """
        try:
            report: object = self.detector.step(time, values)
        except LimitExceeded:
            raise
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


DetectorT = TypeVar("DetectorT", covariant=True)

Wanted: TypeAlias = Literal["instances", "intervals"]  # Whole instances, or only their starts and ends


@dataclass(frozen=True)
class Entry(Generic[DetectorT]):
    """A detector by its name; calling it makes a fresh one for a ground expression, to be tried on cases."""

    name: str
    reports: Wanted  # whole instances, or starts and ends alone
    about: str  # what it is and how it is fed, in a few words
    memory: Literal["labels", "every pattern", "nothing"]  # what bounds what it keeps
    proved: str  # which of its steps are proved; "" where none is
    purpose: str  # what it is there for
    make: Callable[[Expression], DetectorT]  # makes a fresh one
    # whether the text that is made for a pattern is validated against the proved steps; what is neither proved nor
    # validated is tested against the semantics only
    validated: bool = False

    def __call__(self, expression: Expression) -> DetectorT:
        """A fresh detector for a ground expression; `LimitExceeded` where this is beyond what the detector takes."""
        return self.make(expression)

    def is_bounded(self, expression: Expression) -> bool:
        """Whether what it keeps for a ground expression does not grow with the input."""
        return self.memory == "every pattern" or (self.memory == "labels" and without_bound(expression) is None)


def without_bound(expression: Expression) -> Operation | None:
    """A sequence of the transformed expression with the label ∞, if there is one: its queue grows with the input."""
    from detectors.carlson_lisper.source.transformation import transform

    nodes = bottom_up(transform(expression).expression)
    return next((node for node in nodes if isinstance(node, Operation) and node.label == UNBOUNDED), None)


def _figure2(expression: Expression) -> Detector:
    from detectors.carlson_lisper.source.figure2 import Figure2

    return Figure2(expression)


def _figure4(expression: Expression) -> Detector:
    from detectors.carlson_lisper.source.figure2 import figure4

    return figure4(expression)


def _verified(expression: Expression) -> Detector:
    from detectors.carlson_lisper.verified import Verified

    return Verified(expression)


_STATED = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def _entries(**makers: Callable[[Expression], DetectorT]) -> Mapping[str, Entry[DetectorT]]:
    return MappingProxyType({name: Entry(name, make=make, **_STATED[name]) for name, make in makers.items()})


DETECTORS: Mapping[str, Entry[Detector]] = _entries(figure2=_figure2, figure4=_figure4)
"""Those that report instances, by name."""

VERIFIED: Entry[Detector] = _entries(verified=_verified)["verified"]
"""Not among the others, since it is a program in OCaml, which is there where it was compiled."""

DEFAULT_DETECTOR = "figure4"


def _generated_steps(expression: Expression) -> Spans:
    from detectors.carlson_lisper.generated import Generated

    return Spans(Generated(expression))


def _in_batches(expression: Expression) -> InBatches:
    from detectors.carlson_lisper.adapters import InBatches

    return InBatches(expression)


COLUMNS = "columns"  # The evaluation of files and tables by queries, which finds whole instances too

DEFAULT_OF_INTERVALS = "generated"

INTERVAL_DETECTORS: Mapping[str, Entry[AnyDetector]] = _entries(columns=_in_batches, generated=_generated_steps)
"""Those that report starts and ends alone, by name."""

CATALOGUE: Mapping[str, Entry[AnyDetector]] = MappingProxyType({**DETECTORS, **INTERVAL_DETECTORS})  # All of them
AUTO = "auto"  # The name of the default for what is wanted

OF_INTERVALS = tuple(name for name in INTERVAL_DETECTORS if name != COLUMNS)
"""The detectors of starts and ends that have a name here: those that can be fed as rows come."""


@dataclass(frozen=True)
class Made:
    """A detector that is ready to be made."""

    name: str
    maker: Maker
    reason: str
    bounded: bool = False


def by_name(name: str, pattern: Expression, wanted: Wanted, *, stored: str | None = None) -> Made | None:
    """The detector that a name stands for, where the project has one; `InputError` where it does not do this.

    The name is `auto`, `verified`, or one of `OF_INTERVALS` or of `DETECTORS`; the pattern is ground. `auto` stands for
    the detector that a stored state belongs to, if it does this.
    """
    if name in OF_INTERVALS and wanted != "intervals":
        raise InputError(f"{name} detects starts and ends alone", remedy="Add --intervals.")
    known = OF_INTERVALS if wanted == "intervals" else tuple(DETECTORS)
    why = "asked for"
    if name == AUTO:
        default = DEFAULT_OF_INTERVALS if wanted == "intervals" else DEFAULT_DETECTOR
        name = stored if stored in known else default
        why = reason(name, pattern)
    if name not in (*OF_INTERVALS, *DETECTORS, VERIFIED.name):
        return None
    entry = VERIFIED if name == VERIFIED.name else CATALOGUE[name]
    checked: Maker = partial(Checked, cast(DetectorFactory, entry), pattern, intervals=wanted == "intervals")
    maker = cast(Maker, partial(entry, pattern)) if name in OF_INTERVALS else checked
    return Made(name, maker, why, entry.is_bounded(pattern))


def reason(name: str, pattern: Expression) -> str:
    """What a detector of the catalogue is, and what bounds its memory for a ground expression."""
    about, memory = CATALOGUE[name].about, CATALOGUE[name].memory
    if memory == "every pattern":
        return f"{about}; its memory is bounded"
    if memory == "nothing":
        return about
    growing = without_bound(pattern)
    if growing is None:
        return f"{about}; all labels are finite, so memory is bounded"
    return f"{about}; {growing} has no finite label, so its queue grows with the input"
