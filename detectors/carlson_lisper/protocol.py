"""Protocol of detectors: one step per instant with occurrences, and a state that can be looked at (Section 5)."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Protocol, TypeAlias, TypeVar

from detectors.protocol import NodeState, Snapshot
from semantics.carlson_lisper.expressions import Expression, Operation, identifiers
from semantics.carlson_lisper.occurrences import Instance, Interpretation, Value
from semantics.errors import LimitExceeded
from semantics.events import Interval, Time


class Detector(Protocol):
    """Computes a valid restriction of ⟦E⟧ while time goes on.

    `step` is called once for each instant at which something occurs, in strictly increasing order of time. Instants
    without occurrences need no call: they change neither state nor output. Detectors have nothing in common that
    changes: what one is fed says nothing to another one, of the same expression or not.
    """

    def step(self, time: Time, occurrences: Mapping[str, Value]) -> Instance | None:
        """The instance of the expression that ends at this instant, or None for the non-occurrence ⟨⟩.

        Times of what is returned are of type `int`; 3.0 and True are no times, whatever they equal.

        Args:
            time: the instant, in ticks.
            occurrences: the values of the events that occur at this instant, by event type. Their order says nothing.
                The mapping is the caller's and must not be changed.

        Raises:
            ValueError: the time is not later than that of the step before, or of the restored snapshot. The detectors
                of the project raise it, for callers that mix up their rows, who would get wrong detections otherwise;
                others need not look.
        """

    def state(self) -> tuple[NodeState, ...]:
        """What is remembered now, by subexpression."""


class ResumableDetector(Detector, Protocol):
    """A detector whose state can be stored and taken up again: nothing is lost or repeated in between."""

    def snapshot(self) -> Snapshot:
        """The state after the last step, as plain data; the detector goes on as if nobody had asked."""

    def restore(self, snapshot: Snapshot) -> None:
        """Go on from a state of a detector for the same expression; `InputError` where it is another's, or damaged."""


DetectorFactory: TypeAlias = Callable[[Expression], Detector]  # Makes a fresh detector for a ground expression


def event_types(expression: Expression) -> tuple[str, ...]:
    """The event types of an expression, sorted: the order of their bits in a letter."""
    return tuple(sorted(identifiers(expression)))


def instants(interpretation: Interpretation) -> Iterator[tuple[Time, dict[str, Value]]]:
    """The instants of an interpretation with what occurs at them, in order of time."""
    at: dict[Time, dict[str, Value]] = {}
    for occurrence in interpretation.occurrences():
        at.setdefault(occurrence.time, {})[occurrence.event] = occurrence.value
    yield from sorted(at.items())


def run(detector: Detector, trace: Iterable[tuple[Time, Mapping[str, Value]]]) -> Iterator[Instance]:
    """The instances that a detector finds in a trace, in order of their ends."""
    for time, occurrences in trace:
        instance = detector.step(time, occurrences)
        if instance is not None:
            yield instance


EntryT = TypeVar("EntryT")


def of_operator(table: Mapping[str, EntryT], operation: Operation) -> EntryT:
    """What a table by operators has for an operation; `LimitExceeded` for an operator that was added to the algebra."""
    try:
        return table[operation.operator]
    except KeyError:
        reason = f"no detector knows the {operation.definition.title}"
        raise LimitExceeded(reason, place=str(operation), remedy="`remora eval` evaluates it by definition.") from None


Report: TypeAlias = Instance | Interval  # What a detector reports: an instance, or its start and end alone


def not_a_report(report: object) -> str:
    """Why something is neither an instance nor an interval of whole ticks, in a few words; "" if it is one.

    1.0 and True equal 1, and are no times: from 2⁵³ on the one loses ticks, and in JSON neither is a number of ticks.
    """
    if not isinstance(report, Report):
        return f"reported a value of type {type(report).__name__}; an instance or None is expected"
    if not is_time(report.start):
        return f"reported {report.start!r:.60} as a start; a time is an int"
    if not is_time(report.end):
        return f"reported {report.end!r:.60} as an end; a time is an int"
    return ""


def is_time(time: Time) -> bool:
    """Whether something that was given as a time is a whole number of ticks by its type."""
    return type(time) is int or (isinstance(time, int) and not isinstance(time, bool))
