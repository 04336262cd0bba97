"""Traces for detectors of intervals, and all the ways to feed them."""

import json
from collections.abc import Callable, Sequence

import numpy as np
from hypothesis import strategies as st

from detectors.carlson_lisper.intervals import IntervalDetector, Letters, letter_type
from detectors.carlson_lisper.protocol import event_types, instants
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.interpretations import Interpretation
from semantics.carlson_lisper.intervals import interval_denotation

Interval = tuple[int, int]

WAYS = ("step", "chunk", "events", "sparse", "snapshot")


def letters_of(expression: Expression, trace: Interpretation) -> list[int]:
    """A letter for each tick from 0 to the end of the trace."""
    names = event_types(expression)
    by_time = {
        time: sum(1 << names.index(n) for n in occurring if n in names) for time, occurring in instants(trace)
    }
    return [by_time.get(time, 0) for time in range(max(by_time, default=-1) + 1)]


def random_letters(seed: int, density: float, types: int, shape: tuple[int, ...]) -> Letters:
    """Letters in each of which each event type occurs with the same probability."""
    random = np.random.default_rng(seed)
    letters = np.zeros(shape, letter_type(types))
    for bit in range(types):
        letters |= (random.random(shape) < density).astype(letters.dtype) << bit
    return letters


def expected(expression: Expression, trace: Interpretation) -> list[Interval]:
    return [(i.start, i.end) for i in interval_denotation(expression, trace).restricted()]


def feedings(max_parts: int = 8) -> st.SearchStrategy[list[tuple[str, int]]]:
    """How to feed a trace: for each stretch of so many ticks a way."""
    return st.lists(st.tuples(st.sampled_from(WAYS), st.integers(0, 12)), max_size=max_parts)


def fed(
    make: Callable[[], IntervalDetector], letters: Sequence[int], plan: Sequence[tuple[str, int]]
) -> list[Interval]:
    """What a detector finds that is fed stretch by stretch, the rest as one chunk."""
    detector = make()
    kind = letter_type(max(len(detector.names), 1))
    whole = np.array(letters, kind)
    found: list[Interval] = []
    begin = 0
    for way, length in [*plan, ("chunk", len(letters))]:
        part = whole[begin : begin + length]
        times = np.flatnonzero(part) + begin
        match way:
            case "step":
                for time, letter in zip(times.tolist(), whole[times].tolist(), strict=True):
                    start = detector.step(time, letter)
                    found += [(start, time)] if start >= 0 else []
            case "chunk":
                found += detector.chunk(part, begin).intervals() if len(part) else []
            case "events":
                found += detector.events(times, whole[times]).intervals()
            case "sparse":
                columns = [times[whole[times] >> bit & 1 == 1] for bit in range(len(detector.names))]
                found += detector.sparse(columns).intervals()
            case "snapshot":
                stored = json.loads(json.dumps(detector.snapshot()))
                detector = make()
                detector.restore(stored)
                continue
        begin += len(part)
    return found
