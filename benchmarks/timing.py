"""Timing that compares: everything checked first, warmed up, and then run in turns so that noise hits all alike."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal, TypeAlias

from benchmarks.checks import Checker, confirm_oracle
from benchmarks.subjects import OURS, Absent, Found, NoQuery, Pattern, Prepared, Subject, arrays
from benchmarks.traces import Trace

Clock: TypeAlias = Callable[[], float]
"""Seconds since some moment."""

Say: TypeAlias = Callable[[str], None]
"""Is told what comes next."""

Status: TypeAlias = Literal["measured", "wrong", "absent", "no query", "failed"]

FIRST = 10_000
"""Every subject begins with so many instants: there its answer is compared with the oracle."""

MOST_RUNS = 20
"""A timing consists of at most so many runs."""


@dataclass(frozen=True)
class Effort:
    """How much time to spend.

    Attributes:
        seconds: how long one timing takes at the least, if the trace is long enough.
        instants: the length of the longest trace, in ticks.
        occurrences: the most occurrences of an event type, which bounds the memory.
    """

    repetitions: int = 5
    seconds: float = 0.2
    instants: int = 100_000_000
    occurrences: int = 10_000_000

    def length(self, density: float) -> int:
        """The length of the longest trace for a probability of occurrences, in ticks."""
        return min(self.instants, int(self.occurrences / density))


QUICK = Effort(repetitions=3, seconds=0.05, instants=1_000_000)
"""For a first look: within two minutes."""


@dataclass(frozen=True)
class Measurement:
    """What became of a subject.

    Attributes:
        status: whether there is a speed, and why not.
        detail: the reason in words; "" for a speed.
        instants: the length of the trace that was timed, in ticks.
        checked: how many instants of it another subject has found the same on.
        runs: how many runs are one timing.
        first_seconds: from nothing to the first answer on `FIRST` instants: importing, generating and compiling code,
            bringing the trace into form, one run.
        seconds: the time of one run, per repetition.
    """

    subject: Subject
    status: Status
    detail: str = ""
    instants: int = 0
    checked: int = 0
    runs: int = 0
    first_seconds: float = 0.0
    seconds: tuple[float, ...] = ()
    detections: int = 0

    @property
    def rates(self) -> tuple[float, ...]:
        """Million instants per second, per repetition."""
        return tuple(self.instants / max(seconds, 1e-9) / 1e6 for seconds in self.seconds)

    @property
    def rate(self) -> float:
        """The median of the rates; 0 where there is none."""
        return statistics.median(self.rates) if self.seconds else 0.0


@dataclass(frozen=True)
class Ratio:
    """How many times as fast one subject is as another, paired by repetition.

    Attributes:
        family: the tool that the other belongs to.
        values: one per repetition.
    """

    subject: str
    peer: str
    family: str
    values: tuple[float, ...]

    @property
    def median(self) -> float:
        """The median of the values."""
        return statistics.median(self.values)


@dataclass(frozen=True)
class PatternTimings:
    """All subjects on one pattern at one density.

    Attributes:
        density: the probability of each event type at each tick.
    """

    pattern: Pattern
    density: float
    measurements: tuple[Measurement, ...]

    def ratios(self) -> list[Ratio]:
        """Each of our subjects against each other tool, represented by its fastest formulation."""
        measured = [one for one in self.measurements if one.status == "measured"]
        best: dict[str, Measurement] = {}
        for one in measured:
            family = one.subject.family
            if family not in best or best[family].rate < one.rate:
                best[family] = one
        return [
            Ratio(
                ours.subject.name,
                peer.subject.name,
                family,
                tuple(a / b for a, b in zip(ours.rates, peer.rates, strict=True)),
            )
            for ours in measured
            if ours.subject.family == OURS
            for family, peer in best.items()
            if family != OURS
        ]


@dataclass
class _Ready:
    """A subject that has its input."""

    subject: Subject
    instants: int
    runs: int
    first_seconds: float
    detections: int
    prepared: Prepared
    seconds: list[float]


def compare(
    pattern: Pattern,
    density: float,
    trace: Trace,
    subjects: Sequence[Subject],
    effort: Effort,
    *,
    clock: Clock = time.perf_counter,
    say: Say = lambda _: None,
) -> PatternTimings:
    """Check all subjects and time those that are right.

    Args:
        density: how likely each event type is at each tick; for the record.
        trace: the longest trace; slow subjects get a prefix.
        say: is told each subject and each repetition before it begins.

    Raises:
        OracleDiffers: the oracle is wrong.
    """
    confirm_oracle(pattern, trace)
    checker = Checker(pattern, trace)
    ready: dict[str, _Ready] = {}
    refused: dict[str, Measurement] = {}
    for subject in subjects:
        say(subject.name)
        try:
            ready[subject.name] = _warmed_up(checker, subject, trace, effort, clock)
        except NoQuery as error:
            refused[subject.name] = Measurement(subject, "no query", str(error) or "no hand-written query")
        except Absent as error:
            refused[subject.name] = Measurement(subject, "absent", str(error))
        except _Wrong:
            pass  # the checker knows
        except Exception as error:  # a tool from outside runs any code; the others are still compared
            refused[subject.name] = _failed(subject, error)
    right = [one for name, one in ready.items() if name not in checker.wrong]
    with undisturbed():
        for repetition in range(effort.repetitions):
            say(f"timing {repetition + 1} of {effort.repetitions}")
            for one in list(right):
                try:
                    one.seconds.append(_timed(one.prepared, one.runs, clock))
                except Exception as error:
                    refused[one.subject.name] = _failed(one.subject, error)
                    right.remove(one)
    for one in right:
        refused[one.subject.name] = Measurement(
            one.subject,
            "measured",
            "",
            one.instants,
            checker.checked_instants(one.subject),
            one.runs,
            one.first_seconds,
            tuple(one.seconds),
            one.detections,
        )
    for subject in subjects:
        if subject.name in checker.wrong:
            refused[subject.name] = Measurement(subject, "wrong", checker.wrong[subject.name])
    return PatternTimings(pattern, density, tuple(refused[subject.name] for subject in subjects))


def _failed(subject: Subject, error: Exception) -> Measurement:
    text = " ".join(str(error).split())
    return Measurement(subject, "failed", f"{type(error).__name__}: {text}"[:300])


class _Wrong(Exception):
    """A subject is wrong already on the first instants."""


def _warmed_up(checker: Checker, subject: Subject, trace: Trace, effort: Effort, clock: Clock) -> _Ready:
    """Run a subject on longer and longer prefixes until a run is long enough to be timed; check the answers."""
    instants = min(FIRST, trace.instants)
    begin = clock()
    prepared = subject.prepare(checker.pattern, trace.prefix(instants))
    found = prepared()()
    first_seconds = clock() - begin
    checker.check_small(subject, instants, arrays(found))
    if subject.name in checker.wrong:
        raise _Wrong
    seconds, found = _twice(prepared, effort.seconds, clock)
    while seconds < effort.seconds and instants < trace.instants:
        factor = min(10.0, max(2.0, effort.seconds / max(seconds, 1e-9)))
        instants = min(trace.instants, _round(instants * factor))
        prepared = subject.prepare(checker.pattern, trace.prefix(instants))
        seconds, found = _twice(prepared, effort.seconds, clock)
    answer = arrays(found)
    checker.check(subject, instants, answer)
    runs = max(1, min(MOST_RUNS, round(effort.seconds / max(seconds, 1e-9))))
    return _Ready(subject, instants, runs, first_seconds, len(answer.ends), prepared, [])


def _round(instants: float) -> int:
    """The next of 1, 2, 5, 10, 20, … thousand."""
    size = 1000
    while True:
        for step in (1, 2, 5):
            if instants <= step * size:
                return step * size
        size *= 10


def _run(prepared: Prepared, clock: Clock) -> tuple[float, Found]:
    query = prepared()
    begin = clock()
    found = query()
    return clock() - begin, found


def _twice(prepared: Prepared, enough: float, clock: Clock) -> tuple[float, Found]:
    """A run, and another one if it took long enough, which may have been a disturbance; the shorter time."""
    seconds, found = _run(prepared, clock)
    if seconds >= enough:
        again, found = _run(prepared, clock)
        seconds = min(seconds, again)
    return seconds, found


def _timed(prepared: Prepared, runs: int, clock: Clock) -> float:
    """The mean time of a run, in seconds, without what puts the subject into its initial state."""
    return sum(_run(prepared, clock)[0] for _ in range(runs)) / runs


@contextmanager
def undisturbed() -> Iterator[None]:
    """Without the garbage collector."""
    enabled = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


# --------------------------------------------------------------------------------------------------------- scaling


@dataclass(frozen=True)
class Point:
    """What a subject takes for a trace of one length.

    Attributes:
        instants: the length in ticks.
        seconds: the time of each run.
        stored: how many starts or instances it keeps after the trace; None if it cannot say.
    """

    instants: int
    seconds: tuple[float, ...]
    stored: int | None

    @property
    def cost(self) -> float:
        """The least cost of an instant, in nanoseconds."""
        return min(self.seconds) / self.instants * 1e9


@dataclass(frozen=True)
class Scaling:
    """How the cost of a subject grows with the length of the trace.

    Attributes:
        points: by length, the shortest first.
        stopped: why longer traces were not tried; "" if the longest was.
    """

    subject: Subject
    pattern: Pattern
    density: float
    points: tuple[Point, ...]
    stopped: str = ""

    @property
    def growth(self) -> float | None:
        """How many times as much an instant costs in the longest trace as in one of a tenth of its length.

        The shortest traces fit the processor's caches, so that the cost goes up at first even where it is flat.
        """
        costs = [point.cost for point in self.points]
        return costs[-1] / max(costs[-2], 1e-9) if len(costs) > 1 else None


def scaling(
    pattern: Pattern,
    density: float,
    trace: Trace,
    subjects: Iterable[Subject],
    effort: Effort,
    *,
    most_seconds: float = 3.0,
    clock: Clock = time.perf_counter,
    say: Say = lambda _: None,
) -> list[Scaling]:
    """The cost of an instant over traces of 10⁴, 10⁵, … instants, for each subject that can be run.

    A length is not tried if, going by the last two, it would take longer than `most_seconds`.
    """
    found = []
    for subject in subjects:
        say(subject.name)
        points: list[Point] = []
        stopped = ""
        instants = FIRST
        try:
            subject.prepare(pattern, trace.prefix(FIRST))()()  # warm-up
            while instants <= trace.instants:
                prepared = subject.prepare(pattern, trace.prefix(instants))
                seconds: list[float] = []
                stored: int | None = None
                with undisturbed():
                    for _ in range(effort.repetitions):
                        taken, answered = _run(prepared, clock)
                        seconds.append(taken)
                        stored = arrays(answered).stored
                        del answered  # the results of two runs at a time could be too much
                points.append(Point(instants, tuple(seconds), stored))
                factor = max(10.0, min(seconds) / min(points[-2].seconds)) if len(points) > 1 else 10.0
                instants *= 10
                if instants <= trace.instants and min(seconds) * factor > most_seconds:
                    stopped = f"{instants:,} instants would take about {min(seconds) * factor:.0f} s"
                    break
        except (NoQuery, Absent):
            continue
        except Exception as error:  # said by the comparison too, which decides about the exit status
            stopped = _failed(subject, error).detail
        found.append(Scaling(subject, pattern, density, tuple(points), stopped))
    return found
