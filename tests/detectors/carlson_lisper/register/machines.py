"""Register machines for tests: what they are fed, in every way, and what they should find."""

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from detectors.carlson_lisper.intervals import Detections, Letters, letter_type
from detectors.carlson_lisper.protocol import instants
from detectors.carlson_lisper.register.machine import RegisterMachine
from semantics.carlson_lisper.interpretations import Interpretation, interpretation
from semantics.carlson_lisper.occurrences import Occurrence
from tests.detectors.carlson_lisper.feeding import Interval

quick = settings(deadline=None, max_examples=60)

LISTED = (
    "(B;B)[2] - (P|T)",
    "(B;B)[50] - (P|T)",
    "B;P",
    "B;(P;T)",
    "B;(P+T)",
    "(A;(B;P))[10] - T",
    "(B+P)+T",
    "(A+B)[10]",
    "A;(B;C)[5]",
)

WAYS = ("step", "chunk", "events", "sparse")


@st.composite
def gappy_traces(draw: st.DrawFn, max_size: int = 14) -> Interpretation:
    """Traces with ties, neighbouring ticks and gaps of every size."""
    gaps = st.one_of(st.integers(1, 3), st.integers(1, 40), st.integers(1, 10**12))
    now, occurrences = -1, []
    for _ in range(draw(st.integers(0, max_size))):
        now += draw(gaps)
        for event in sorted(draw(st.sets(st.sampled_from("abc"), min_size=1))):
            occurrences.append(Occurrence(event, now))
    return interpretation(occurrences)


def lettered(names: tuple[str, ...], trace: Interpretation) -> list[tuple[int, int]]:
    """The instants of a trace as times and letters, those without a named event too."""
    return [
        (time, sum(1 << bit for bit, name in enumerate(names) if name in occurring))
        for time, occurring in instants(trace)
    ]


def stepped(machine: RegisterMachine, feed: list[tuple[int, int]]) -> list[Interval]:
    return [(start, time) for time, letter in feed if (start := machine.step(time, letter)) >= 0]


def fed(machine: RegisterMachine, feed: list[tuple[int, int]], how: str) -> list[Interval]:
    """What a machine finds when it is fed in one of the ways."""
    if how == "step" or not feed:
        return stepped(machine, feed)
    times = np.array([time for time, _ in feed], np.int64)
    letters = np.array([letter for _, letter in feed], letter_type(len(machine.names)))
    if how == "sparse":
        columns = [times[letters >> bit & 1 == 1] for bit in range(len(machine.names))]
        found = list(machine.sparse(columns).intervals())
        if int(times[-1]) > machine.now:  # where nothing occurs, no column says that time went on
            assert machine.step(int(times[-1]), 0) == -1
        return found
    if how == "events" or times[-1] - times[0] > 1000:
        return list(machine.events(times, letters).intervals())
    ticks = np.zeros(times[-1] - times[0] + 1, letters.dtype)
    ticks[times - times[0]] = letters
    return list(machine.chunk(ticks, int(times[0])).intervals())


def random_letters(types: int, ticks: int, seed: int = 0) -> Letters:
    """Ticks whose density changes now and then."""
    source = np.random.default_rng(seed)
    density = np.repeat(source.choice([0.0, 0.01, 0.1, 0.5], ticks // 100 + 1), 100)[:ticks]
    letters = np.zeros(ticks, letter_type(types))
    for bit in range(types):
        letters |= (source.random(ticks) < density).astype(letters.dtype) << bit
    return letters


def occurring(names: tuple[str, ...], letters: Letters) -> Interpretation:
    return interpretation(
        Occurrence(name, int(time))
        for bit, name in enumerate(names)
        for time in np.flatnonzero(letters >> bit & 1)
    )


def same(one: Detections, other: Detections) -> bool:
    return all(map(np.array_equal, one, other))
