"""Coverage of combinations: operators with their operands, ties at one instant, lengths at their bounds.

The algorithm of Figure 2 runs over the expression as it is written; before each step that has an operand, it is looked
at what there is to be decided. A whole trace is looked at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, ClassVar, TypeAlias

from campaigns.carlson_lisper.cases import Case
from campaigns.carlson_lisper.coverage.steps import Note
from detectors.carlson_lisper.source.figure2 import STEPS, Figure2, StepFactory
from detectors.carlson_lisper.source.steps import NON_OCCURRENCE, Step
from semantics.carlson_lisper.expressions import Expression, Identifier, Operation
from semantics.carlson_lisper.occurrences import Instance, Time, Value
from semantics.carlson_lisper.operators import OPERATORS

Instants: TypeAlias = Sequence[tuple[Time, Mapping[str, Value]]]
"""The instants of a case with what occurs at them."""

LEAF = "event"
"""The child of an operator that is an event type."""

_CHILDREN = (*OPERATORS, LEAF)

_SIDES = {operator: ("only", "only") if operator == "tim" else ("left", "right") for operator in OPERATORS}

_PAIR = {
    (parent, child, side): f"pair:{parent}/{child}/{side}"
    for parent in OPERATORS
    for side in dict.fromkeys(_SIDES[parent])
    for child in _CHILDREN
}

PAIRS: tuple[str, ...] = tuple(_PAIR.values())
"""Each operator with an instance of each operator on each side: `pair:seq/neg/left`."""

_AT_ONCE = (
    "both at once, the left one starts earlier",
    "both at once, the right one starts earlier",
    "both at once, and start at the same time",
)
_TOGETHER = {operator: tuple(f"tie:{operator}:{which}" for which in _AT_ONCE) for operator in OPERATORS}
_ENDS_AT_START = "tie:seq:a candidate ends where the right one starts"
_STARTS_AT_START = "tie:neg:a right one starts where the left one starts"
_STARTS_AT_END = "tie:neg:a right one starts where the left one ends"
_REMEMBERED_START = "tie:con:the remembered one starts where the other one starts"
_TYPES = ("tie:instant:two event types", "tie:instant:three event types or more")

TIES: tuple[str, ...] = (
    *_TYPES,
    *(name for operator in OPERATORS if operator != "tim" for name in _TOGETHER[operator]),
    _ENDS_AT_START,
    _STARTS_AT_START,
    _STARTS_AT_END,
    _REMEMBERED_START,
)
"""What there can be at one instant, and what can start or end at the same time."""

_LENGTH = {
    -1: "boundary:tim:one tick shorter than the bound",
    0: "boundary:tim:as long as the bound",
    1: "boundary:tim:one tick longer than the bound",
}
_BOUND_0 = "boundary:tim:bound 0, and the instance is as short"
_BEYOND_0 = "boundary:tim:bound 0, and the instance is longer"
_NO_GAP = "boundary:seq:the match ended one tick before the right one starts"
_GAP = "boundary:seq:the match ended two ticks before the right one starts"
_BEFORE_START = "boundary:neg:the last right one started one tick before the left one"
_AFTER_START = "boundary:neg:the last right one started one tick after the left one"

BOUNDARIES: tuple[str, ...] = (
    *_LENGTH.values(),
    _BOUND_0,
    _BEYOND_0,
    _NO_GAP,
    _GAP,
    _BEFORE_START,
    _AFTER_START,
)
"""What is met exactly, or missed by one tick."""

_DETECTIONS = ("trace:no detection", "trace:one detection", "trace:several detections")
_AT_FIRST = "trace:detected at the first instant"
_AT_LAST = "trace:detected at the last instant"
_NEIGHBOURS = "trace:detected at two neighbouring ticks"
_SAME_START = "trace:two detections in a row start at the same time"
_INVERSION = "trace:the later of two detections in a row starts earlier"
_INSTANTS = ("trace:empty", "trace:one instant", "trace:several instants")
_STARTS = ("trace:starts at 0", "trace:starts later than 0")
_HUGE = {2**31: "trace:a time from 2^31 on", 2**53: "trace:a time from 2^53 on"}
_EVERY_TICK = "trace:three instants or more, and no tick without an event"
_LONG_GAP = "trace:a gap of 1000 ticks or more"
_FOREIGN = "trace:an event type that is not in the expression"
_ABSENT = "trace:an event type of the expression does not occur"
_VALUES = "trace:with values"

TRACES: tuple[str, ...] = (
    *_INSTANTS,
    *_STARTS,
    *_HUGE.values(),
    _EVERY_TICK,
    _LONG_GAP,
    _FOREIGN,
    _ABSENT,
    _VALUES,
    *_DETECTIONS,
    _AT_FIRST,
    _AT_LAST,
    _NEIGHBOURS,
    _SAME_START,
    _INVERSION,
)
"""The shapes of a trace, and of what is detected in it."""


def _restriction(step: Any, left: Instance, _: Instance, note: Note) -> None:
    length, ticks = left.end - left.start, step.ticks
    if ticks == 0:
        note(_BEYOND_0 if length else _BOUND_0)
    elif -1 <= length - ticks <= 1:
        note(_LENGTH[length - ticks])


def _conjunction(step: Any, left: Instance, right: Instance, note: Note) -> None:
    other = step.right if right.start < 0 else step.left
    if (left.start < 0 or right.start < 0) and other.start == max(left.start, right.start):
        note(_REMEMBERED_START)


def _negation(step: Any, left: Instance, right: Instance, note: Note) -> None:
    if left.start < 0:
        return
    latest = max(step.latest, right.start)
    if latest < 0:
        return
    if latest == left.start:
        note(_STARTS_AT_START)
    elif latest == left.start - 1:
        note(_BEFORE_START)
    elif latest == left.start + 1:
        note(_AFTER_START)
    if latest == left.end > left.start:
        note(_STARTS_AT_END)


def _sequence(step: Any, _: Instance, right: Instance, note: Note) -> None:
    start = right.start
    if start < 0 or step.latest < 0:
        return
    match = step.queue.latest_before(start)
    if match.start >= 0:
        gap = start - match.end
        if gap == 1:
            note(_NO_GAP)
        elif gap == 2:
            note(_GAP)
    if step.queue.latest_before(start + 1).end == start:
        note(_ENDS_AT_START)


_MEETINGS: Mapping[str, Callable[[Any, Instance, Instance, Note], None] | None] = {
    "dis": None,
    "con": _conjunction,
    "neg": _negation,
    "seq": _sequence,
    "tim": _restriction,
}


class _Observed:
    """A step of Figure 2; it is looked at what it is asked to do."""

    VARIABLES: ClassVar[Mapping[str, str]] = {}

    def __init__(self, operation: Operation, note: Note) -> None:
        operator = operation.operator
        observed = STEPS[operator](operation)
        self.bound = observed.bound
        self.stored = observed.stored
        self.variables = observed.variables
        first, last = operation.operands[0], operation.operands[-1]
        (left_side, right_side) = _SIDES[operator]
        left_pair = _PAIR[operator, first.operator if isinstance(first, Operation) else LEAF, left_side]
        right_pair = _PAIR[operator, last.operator if isinstance(last, Operation) else LEAF, right_side]
        earlier, later, same = _TOGETHER[operator]
        meeting, decide = _MEETINGS[operator], observed.step

        def step(left: Instance, right: Instance) -> Instance:
            if left.start >= 0:
                note(left_pair)
                if right.start >= 0:
                    note(right_pair)
                    if left is not right:
                        difference = left.start - right.start
                        note(same if not difference else earlier if difference < 0 else later)
            elif right.start >= 0:
                note(right_pair)
            else:
                return NON_OCCURRENCE  # of nothing comes nothing, and nothing is remembered
            if meeting is not None:
                meeting(observed, left, right, note)
            return decide(left, right)

        self.step = step


def observed_steps(note: Note) -> Mapping[str, StepFactory]:
    """The steps of Figure 2 for `note_meetings`, which note what they are asked to do."""

    def step(operation: Operation) -> Step:
        return _Observed(operation, note)

    return dict.fromkeys(OPERATORS, step)


def note_meetings(case: Case, instants: Instants, steps: Mapping[str, StepFactory], note: Note) -> None:
    """Run Figure 2 over a case and note the behaviours of `PAIRS`, `TIES`, `BOUNDARIES` and `TRACES`.

    Args:
        steps: those of `observed_steps` for the same `note`.
        note: is called with the names of the behaviours.
    """
    detector = Figure2(case.expression, steps)
    times: list[int] = []
    found: list[Instance] = []
    for now, occurrences in instants:
        times.append(now)
        if len(occurrences) > 1:
            note(_TYPES[len(occurrences) > 2])
        detected = detector.step(now, occurrences)
        if detected is not None:
            found.append(detected)
    _note_times(times, note)
    _note_detections(times, found, note)
    names = _event_types(case.expression)
    events = {occurrence.event for occurrence in case.occurrences}
    if not events <= names:
        note(_FOREIGN)
    if not names <= events:
        note(_ABSENT)
    if any(occurrence.value is not None for occurrence in case.occurrences):
        note(_VALUES)


def _event_types(expression: Expression) -> set[str]:
    """As `identifiers`, which compares subexpressions by value: that takes five times as long."""
    names: set[str] = set()
    met: set[int] = set()
    pending = [expression]
    while pending:
        node = pending.pop()
        if isinstance(node, Operation):
            if id(node) not in met:
                met.add(id(node))
                pending += node.operands
        elif isinstance(node, Identifier):
            names.add(node.name)
    return names


def _note_times(times: list[int], note: Note) -> None:
    note(_INSTANTS[min(len(times), 2)])
    if not times:
        return
    first, last = times[0], times[-1]
    note(_STARTS[first > 0])
    for least, name in _HUGE.items():
        if last >= least:
            note(name)
    if len(times) > 2 and last - first == len(times) - 1:
        note(_EVERY_TICK)
    elif last - first >= 1000 and any(later - sooner >= 1000 for sooner, later in pairwise(times)):
        note(_LONG_GAP)


def _note_detections(times: list[int], found: list[Instance], note: Note) -> None:
    note(_DETECTIONS[min(len(found), 2)])
    if not found:
        return
    if found[0].end == times[0]:
        note(_AT_FIRST)
    if found[-1].end == times[-1]:
        note(_AT_LAST)
    for sooner, later in pairwise(found):
        if later.end == sooner.end + 1:
            note(_NEIGHBOURS)
        if later.start == sooner.start:
            note(_SAME_START)
        elif later.start < sooner.start:
            note(_INVERSION)
