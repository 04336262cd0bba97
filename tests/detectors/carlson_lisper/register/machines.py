"""Register machines for tests: what they are fed, and what they find."""

from hypothesis import settings
from hypothesis import strategies as st

from detectors.carlson_lisper.protocol import instants
from detectors.carlson_lisper.register.machine import RegisterMachine
from semantics.carlson_lisper.interpretations import Interpretation, interpretation
from semantics.carlson_lisper.occurrences import Occurrence
from tests.detectors.carlson_lisper.feeding import Interval

quick = settings(deadline=None, max_examples=60)

LISTED = (
    "(B;B)[2] - (P|T)", "(B;B)[50] - (P|T)", "B;P", "B;(P;T)", "B;(P+T)", "(A;(B;P))[10] - T", "(B+P)+T",
    "(A+B)[10]", "A;(B;C)[5]",
)  # fmt: skip


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
    """What a machine finds at some instants."""
    return [(start, time) for time, letter in feed if (start := machine.step(time, letter)) >= 0]


def occurring(names: tuple[str, ...], letters: list[int]) -> Interpretation:
    """The trace with a letter per tick."""
    return interpretation(
        Occurrence(name, time)
        for bit, name in enumerate(names)
        for time, letter in enumerate(letters)
        if letter >> bit & 1
    )
