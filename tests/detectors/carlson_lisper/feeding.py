"""Traces for detectors of intervals, and what they find in them."""

import json
from collections.abc import Callable, Collection, Sequence

from detectors.carlson_lisper.generated import Generated
from detectors.carlson_lisper.protocol import event_types, instants
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.intervals import Intervals
from semantics.carlson_lisper.occurrences import Interpretation

Interval = tuple[int, int]


def letters_of(expression: Expression, trace: Interpretation) -> list[int]:
    """A letter for each tick from 0 to the end of the trace."""
    names = event_types(expression)
    by_time = {time: sum(1 << names.index(n) for n in occurring if n in names) for time, occurring in instants(trace)}
    return [by_time.get(time, 0) for time in range(max(by_time, default=-1) + 1)]


def expected(expression: Expression, trace: Interpretation) -> list[Interval]:
    """The starts and ends that a valid restriction has."""
    return [(i.start, i.end) for i in Intervals(expression, trace).restricted()]


def fed(make: Callable[[], Generated], letters: Sequence[int], restored: Collection[int] = ()) -> list[Interval]:
    """What a detector finds in a letter per tick; before some ticks another one goes on from its snapshot."""
    detector = make()
    found: list[Interval] = []
    for time, letter in enumerate(letters):
        if time in restored:
            stored = json.loads(json.dumps(detector.snapshot()))
            detector = make()
            detector.restore(stored)
        if letter and (start := detector.step(time, letter)) >= 0:
            found.append((start, time))
    return found
