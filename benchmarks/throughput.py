"""Throughput: detectors and hand-written queries of Polars and DuckDB on random traces in memory.

Every answer is checked before its speed is measured. The subjects take turns, so that ratios within a run mean more
than speeds.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from importlib.util import find_spec
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from benchmarks.patterns import Pattern
from benchmarks.peers import duckdb_query, polars_query
from detectors.carlson_lisper.columns.plan import plan_of
from detectors.carlson_lisper.columns.polars_plan import Queries
from detectors.carlson_lisper.generated import Generated
from detectors.carlson_lisper.protocol import Detector, event_types
from detectors.carlson_lisper.source.figure2 import Figure2
from detectors.carlson_lisper.source.figure4 import figure4
from laws.standings import Standing, exit_status
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.intervals import interval_denotation
from semantics.carlson_lisper.occurrences import Interpretation, Occurrence, interpretation
from semantics.carlson_lisper.syntax import parse
from semantics.errors import InputError

OURS = "remora"

DENSITIES = (0.01, 0.1, 0.5)
"""Probabilities of an event type at a tick: gaps, the usual, and branches that cannot be predicted."""

FIRST = 10_000
"""On so many instants every answer is compared with Figure 2's, and that one's beginning with the definition."""

DENOTED = 400

Times: TypeAlias = NDArray[np.int64]
Answer: TypeAlias = tuple[Times, Times]
"""Starts and ends of what is detected, in ticks, in the order of ends."""

Run: TypeAlias = Callable[[], Answer]
"""One run over the whole trace from the initial state; this is what is timed."""

Say: TypeAlias = Callable[[str], object]
Status: TypeAlias = Literal["measured", "wrong", "absent", "no query", "failed"]


class OracleDiffers(Exception):
    """Figure 2 and the denotation differ: the testbed itself is wrong."""


class NoQuery(Exception):
    """A subject has no answer to a pattern."""


# --------------------------------------------------------------------------------------------------------------- traces


@dataclass(frozen=True)
class Trace:
    """Occurrences at the instants 0, 1, …, `instants` - 1.

    Attributes:
        columns: for each event type the times at which it occurs, strictly increasing, in ticks.
    """

    instants: int
    columns: Mapping[str, Times]

    def prefix(self, instants: int) -> Trace:
        """The first so many instants."""
        cut = {name: times[: np.searchsorted(times, instants)] for name, times in self.columns.items()}
        return self if instants >= self.instants else Trace(instants, cut)

    def occurring(self, names: Sequence[str]) -> list[tuple[int, int]]:
        """The instants with occurrences, each with a number whose bit `i` says whether `names[i]` occurs."""
        letters = np.zeros(self.instants, np.int64)
        for bit, name in enumerate(names):
            letters[self.columns[name]] |= 1 << bit
        times = np.flatnonzero(letters)
        return list(zip(times.tolist(), letters[times].tolist(), strict=True))

    def interpretation(self) -> Interpretation:
        """The trace for the denotation."""
        return interpretation(Occurrence(name, at) for name, found in self.columns.items() for at in found.tolist())


def random_trace(names: Sequence[str], density: float, instants: int, seed: int) -> Trace:
    """A trace in which each event type occurs at each tick with the same probability, independently.

    A shorter trace from the same seed is its beginning.
    """
    columns = {}
    for number, name in enumerate(names):
        random = np.random.default_rng([seed, number])
        parts, last = [np.zeros(0, np.int64)], -1
        while last < instants:
            gaps = np.minimum(random.geometric(density, 100_000), instants + 1)  # a sum of great gaps overflows
            parts.append(last + np.cumsum(gaps, dtype=np.int64))
            last = int(parts[-1][-1])
        drawn = np.concatenate(parts)
        columns[name] = drawn[: np.searchsorted(drawn, instants)]
    return Trace(instants, columns)


# ------------------------------------------------------------------------------------------------------------- subjects


@dataclass(frozen=True)
class Subject:
    """One way to get the answer.

    Attributes:
        family: whose it is: `OURS`, or the tool.
        fed: `each instant` or `columns`.
        prepare: takes a pattern and a trace, brings it into the subject's own form and returns the run.
    """

    name: str
    family: str
    fed: str
    prepare: Callable[[Pattern, Trace], Run]


def _answer(starts: Sequence[int], ends: Sequence[int]) -> Answer:
    return np.array(starts, np.int64), np.array(ends, np.int64)


def _of_instances(make: Callable[[Expression], Detector], pattern: Pattern, trace: Trace) -> Run:
    expression = parse(pattern.text)
    names = event_types(expression)
    values: list[dict[str, None]] = [
        {name: None for bit, name in enumerate(names) if letter >> bit & 1} for letter in range(1 << len(names))
    ]
    occurring = [(at, values[letter]) for at, letter in trace.occurring(names)]

    def run() -> Answer:
        step = make(expression).step
        found = [each for at, values in occurring if (each := step(at, values)) is not None]
        return _answer([each.start for each in found], [each.end for each in found])

    return run


def _generated(pattern: Pattern, trace: Trace) -> Run:
    try:
        detector = Generated(parse(pattern.text))
    except InputError as error:
        raise NoQuery(str(error)) from None
    beginning, occurring = detector.snapshot(), trace.occurring(detector.names)

    def run() -> Answer:
        detector.restore(beginning)
        step = detector.step
        starts = [step(at, letter) for at, letter in occurring]
        found = [(start, at) for start, (at, _) in zip(starts, occurring, strict=True) if start >= 0]
        return _answer([start for start, _ in found], [at for _, at in found])

    return run


def _columns(pattern: Pattern, trace: Trace) -> Run:
    import polars as pl

    plan = plan_of([parse(pattern.text)])
    leaves = {
        name: pl.DataFrame({"start": trace.columns[name], "end": trace.columns[name]}).with_columns(
            pl.col("start", "end").set_sorted()
        )
        for name in plan.events
    }

    def run() -> Answer:
        query = Queries(plan, leaves, with_rows=False).found[plan.results[0]]
        found = query.collect(engine="in-memory")
        return found["start"].to_numpy(), found["end"].to_numpy()

    return run


def _polars(pattern: Pattern, trace: Trace) -> Run:
    import polars as pl

    if not pattern.shape:
        raise NoQuery
    frames = {
        name: pl.DataFrame({name: trace.columns[name]}).with_columns(pl.col(name).set_sorted()).lazy()
        for name in pattern.types.values()
    }

    def run() -> Answer:
        query = polars_query(pattern.shape, pattern.types, pattern.bound, frames.__getitem__)
        found = query.collect()
        return found["start"].to_numpy(), found["end"].to_numpy()

    return run


def _duckdb(pattern: Pattern, trace: Trace) -> Run:
    import duckdb

    if not pattern.shape:
        raise NoQuery
    connection = duckdb.connect(":memory:")
    for name in pattern.types.values():
        connection.register("given", {"t": trace.columns[name]})
        connection.execute(f"CREATE TABLE {name} AS SELECT t FROM given")
    query = duckdb_query(pattern.shape, pattern.types, pattern.bound)

    def run() -> Answer:
        found = connection.execute(f'SELECT * FROM ({query}) ORDER BY "end"').fetchnumpy()
        return found["start"], found["end"]

    return run


SUBJECTS: tuple[Subject, ...] = (
    Subject("figure2", OURS, "each instant", partial(_of_instances, Figure2)),
    Subject("figure4", OURS, "each instant", partial(_of_instances, figure4)),
    Subject("generated", OURS, "each instant", _generated),
    Subject("columns", OURS, "columns", _columns),
    Subject("polars", "Polars", "columns", _polars),
    Subject("duckdb", "DuckDB", "columns", _duckdb),
)
"""The detectors, and the queries of other tools."""


# --------------------------------------------------------------------------------------------------------------- timing


@dataclass(frozen=True)
class Effort:
    """How much is measured.

    Attributes:
        seconds: how long a run takes at the least, if the trace is long enough.
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
    """A subject on a pattern.

    Attributes:
        detail: why there is no speed; "" for one.
        instants: the length of the trace that was timed, in ticks.
        seconds: the time of one run, per repetition.
    """

    subject: Subject
    status: Status
    detail: str = ""
    instants: int = 0
    detections: int = 0
    seconds: tuple[float, ...] = ()

    @property
    def rates(self) -> tuple[float, ...]:
        """Million instants per second, per repetition."""
        return tuple(self.instants / max(seconds, 1e-9) / 1e6 for seconds in self.seconds)

    @property
    def rate(self) -> float:
        """The median of the rates; 0 where there is none."""
        return statistics.median(self.rates) if self.seconds else 0.0


@dataclass(frozen=True)
class Comparison:
    """All subjects on one pattern at one density."""

    pattern: Pattern
    density: float
    measurements: tuple[Measurement, ...]

    def ratios(self) -> Iterator[tuple[Measurement, Measurement, tuple[float, ...]]]:
        """Each detector of ours with each query of others: how many times as fast it is, by repetition."""
        measured = [one for one in self.measurements if one.seconds]
        for ours in measured:
            for other in measured:
                if ours.subject.family == OURS and other.subject.family != OURS:
                    pairs = zip(ours.rates, other.rates, strict=True)
                    yield ours, other, tuple(one / two for one, two in pairs)


def throughput(
    patterns: Sequence[Pattern],
    densities: Sequence[float],
    subjects: Sequence[Subject],
    effort: Effort,
    seed: int,
    say: Say = lambda _: None,
    clock: Callable[[], float] = time.perf_counter,
) -> Iterator[Comparison]:
    """Each pattern at each density, one comparison after the other.

    Raises:
        OracleDiffers: the oracle is wrong.
    """
    for density in densities:
        for pattern in patterns:
            say(f"{pattern.id} at {density:g}")
            names = event_types(parse(pattern.text))
            trace = random_trace(names, density, effort.length(density), seed)
            yield Comparison(pattern, density, _compared(pattern, trace, subjects, effort, clock))


def _compared(
    pattern: Pattern, trace: Trace, subjects: Sequence[Subject], effort: Effort, clock: Callable[[], float]
) -> tuple[Measurement, ...]:
    oracle = confirmed_oracle(pattern, trace.prefix(FIRST))
    found: dict[str, Measurement] = {}
    runs: dict[str, Run] = {}
    longest: tuple[int, str, Answer] | None = None
    for subject in subjects:
        if subject.family != OURS and find_spec(subject.family.lower()) is None:
            found[subject.name] = Measurement(subject, "absent", f"{subject.family} is not installed")
            continue
        try:
            problem = difference(subject.prepare(pattern, trace.prefix(FIRST))(), oracle, FIRST)
            instants, run, answer = _long_enough(subject, pattern, trace, effort, clock)
        except NoQuery as error:
            found[subject.name] = Measurement(subject, "no query", str(error))
            continue
        except Exception as error:  # whatever a tool raises is a result
            found[subject.name] = Measurement(subject, "failed", f"{type(error).__name__}: {error}")
            continue
        if problem is None and longest is not None:  # what is found in a prefix is the beginning of what is found
            problem = difference(answer, longest[2], min(instants, longest[0]))
            problem = problem and f"{problem} by {longest[1]}"
        if longest is None or longest[0] < instants:
            longest = instants, subject.name, answer
        status: Status = "measured" if problem is None else "wrong"
        found[subject.name] = Measurement(subject, status, problem or "", instants, len(answer[1]))
        if problem is None:
            runs[subject.name] = run
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    with undisturbed():
        for _ in range(effort.repetitions):
            for name, run in runs.items():
                seconds[name].append(_timed(run, clock)[0])
    return tuple(replace(one, seconds=tuple(seconds.get(name, ()))) for name, one in found.items())


def confirmed_oracle(pattern: Pattern, trace: Trace) -> Answer:
    """Figure 2's answer, whose beginning is compared with the definition.

    Raises:
        OracleDiffers: it is another one.
    """
    found = _of_instances(Figure2, pattern, trace)()
    beginning = interval_denotation(parse(pattern.text), trace.prefix(DENOTED).interpretation()).restricted()
    denoted = _answer([each.start for each in beginning], [each.end for each in beginning])
    problem = difference(found, denoted, DENOTED)
    if problem is not None:
        raise OracleDiffers(f"Figure 2 is wrong on {pattern.text} {problem}")
    return found


def difference(found: Answer, expected: Answer, instants: int) -> str | None:
    """Where two answers first differ within so many instants, in words; None if they do not."""
    sides = []
    for starts, ends in (found, expected):
        shown = ends < instants
        sides.append(list(zip(starts[shown].tolist(), ends[shown].tolist(), strict=True)))
    for number in range(max(map(len, sides))):
        one, other = (side[number : number + 1] for side in sides)
        if one != other:
            at = min(end for _, end in (*one, *other))
            told = (
                f"[{each[0][0]}, {each[0][1]}]" if each and each[0][1] == at else "nothing" for each in (one, other)
            )
            return "at {}: found {}, expected {}".format(at, *told)
    return None


def _long_enough(
    subject: Subject, pattern: Pattern, trace: Trace, effort: Effort, clock: Callable[[], float]
) -> tuple[int, Run, Answer]:
    """The shortest of ten thousand, a hundred thousand, … instants on which a run takes long enough."""
    instants = FIRST
    while True:
        instants = min(instants, trace.instants)
        run = subject.prepare(pattern, trace.prefix(instants))
        seconds, answer = _timed(run, clock)
        if seconds >= effort.seconds or instants == trace.instants:
            return instants, run, answer
        instants *= 10


def _timed(run: Run, clock: Callable[[], float]) -> tuple[float, Answer]:
    begin = clock()
    answer = run()
    return clock() - begin, answer


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


# -------------------------------------------------------------------------------------------------------------- results


def standing(comparisons: Sequence[Comparison]) -> Standing:
    """Refuted by a wrong answer or a detector of ours that broke down, an error where another tool did."""
    found = [one for comparison in comparisons for one in comparison.measurements]
    broken = {one.subject.family == OURS for one in found if one.status == "failed"}
    if True in broken or any(one.status == "wrong" for one in found):
        return Standing.REFUTED
    return Standing.ERROR if broken else Standing.TESTED


def spread(values: Sequence[float]) -> dict[str, float]:
    """Median, least and greatest of some values."""
    return {"median": statistics.median(values), "min": min(values), "max": max(values)}


def results_data(comparisons: Sequence[Comparison], effort: Effort, seed: int) -> dict[str, Any]:
    """Everything that was measured (`remora/bench/1`), every single timing included."""
    return {
        "schema": "remora/bench/2",
        "seed": seed,
        "effort": {
            "repetitions": effort.repetitions,
            "seconds_per_timing": effort.seconds,
            "most_instants": effort.instants,
            "most_occurrences": effort.occurrences,
        },
        "results": [
            {
                "pattern": one.pattern.id,
                "expression": one.pattern.text,
                "density": one.density,
                "subjects": [_measurement_data(each) for each in one.measurements],
                "ratios": [
                    {
                        "subject": ours.subject.name,
                        "family": other.subject.family,
                        "peer": other.subject.name,
                        **spread(values),
                        "values": list(values),
                    }
                    for ours, other, values in one.ratios()
                ],
            }
            for one in comparisons
        ],
        "exit_status": int(exit_status([standing(comparisons)])),
    }


def _measurement_data(one: Measurement) -> dict[str, Any]:
    return {
        "name": one.subject.name,
        "family": one.subject.family,
        "fed": one.subject.fed,
        "status": one.status,
        "detail": one.detail,
        "instants": one.instants,
        "detections": one.detections,
        "seconds": list(one.seconds),
        "rate": spread(one.rates) if one.rates else None,
    }
