"""Throughput: detectors and hand-written queries of Polars and DuckDB on random traces in memory.

Every answer is checked before its speed is measured.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib.util import find_spec
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from benchmarks.patterns import Pattern
from benchmarks.peers import duckdb_query, polars_query
from benchmarks.timing import OURS, Row, in_turns
from detectors.carlson_lisper.columns.plan import Queries, plan_of
from detectors.carlson_lisper.generated import Generated
from detectors.carlson_lisper.protocol import Detector, event_types
from detectors.carlson_lisper.source.figure2 import Figure2
from detectors.carlson_lisper.source.figure4 import figure4
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.syntax import parse

DENSITIES = (0.01, 0.1, 0.5)
"""Probabilities of an event type at a tick: gaps, the usual, and branches that cannot be predicted."""

FIRST = 10_000
"""On so many instants every answer is compared with that of Figure 2, which is proved."""

STEPS = 100_000
"""The longest trace for detectors that are fed step by step."""

OCCURRENCES = 10_000_000
"""The most occurrences of an event type, which bounds the memory."""

Times: TypeAlias = NDArray[np.int64]
Answer: TypeAlias = tuple[Times, Times]
"""Starts and ends of what is detected, in ticks, in the order of ends."""

Run: TypeAlias = Callable[[], Answer]
"""One run over the whole trace from the initial state; this is what is timed."""


class NoQuery(Exception):
    """A subject has no answer to a pattern."""


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


@dataclass(frozen=True)
class Subject:
    """One way to get the answer.

    Attributes:
        tool: whose it is: `OURS`, or another tool.
        by_columns: whether it is given the whole trace at once, and so a longer one than detectors step by step.
        prepare: takes a pattern and a trace, brings it into the subject's own form and returns the run.
    """

    name: str
    tool: str
    by_columns: bool
    prepare: Callable[[Pattern, Trace], Run]


def _answer(starts: Sequence[int], ends: Sequence[int]) -> Answer:
    return np.array(starts, np.int64), np.array(ends, np.int64)


def _of_instances(make: Callable[[Expression], Detector], pattern: Pattern, trace: Trace) -> Run:
    expression = parse(pattern.text)
    names = event_types(expression)
    occurring = [
        (at, {name: None for bit, name in enumerate(names) if letter >> bit & 1})
        for at, letter in trace.occurring(names)
    ]

    def run() -> Answer:
        step = make(expression).step
        found = [each for at, values in occurring if (each := step(at, values)) is not None]
        return _answer([each.start for each in found], [each.end for each in found])

    return run


def _generated(pattern: Pattern, trace: Trace) -> Run:
    detector = Generated(parse(pattern.text))
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
    Subject("figure2", OURS, False, partial(_of_instances, Figure2)),
    Subject("figure4", OURS, False, partial(_of_instances, figure4)),
    Subject("generated", OURS, False, _generated),
    Subject("columns", OURS, True, _columns),
    Subject("polars", "Polars", True, _polars),
    Subject("duckdb", "DuckDB", True, _duckdb),
)
"""The detectors, and the queries of other tools."""


def throughput(
    patterns: Sequence[Pattern],
    densities: Sequence[float],
    subjects: Sequence[Subject],
    instants: int,
    repetitions: int,
    seed: int,
) -> Iterator[list[Row]]:
    """All subjects on each pattern at each density, on traces of so many instants at most."""
    for density in densities:
        for pattern in patterns:
            longest = min(instants, int(OCCURRENCES / density))
            trace = random_trace(event_types(parse(pattern.text)), density, longest, seed)
            case = {"pattern": pattern.text, "density": f"{density:g}"}
            yield _compared(case, pattern, trace, subjects, repetitions)


def _compared(
    case: Mapping[str, str], pattern: Pattern, trace: Trace, subjects: Sequence[Subject], repetitions: int
) -> list[Row]:
    oracle = min(FIRST, trace.instants), "Figure 2", _of_instances(Figure2, pattern, trace.prefix(FIRST))()
    longest, rows, runs = oracle, list[Row](), dict[str, Run]()
    for subject in subjects:
        row = Row(case, subject.name, subject.tool)
        if subject.tool != OURS and find_spec(subject.tool.lower()) is None:
            rows.append(replace(row, status="absent", detail=f"{subject.tool} is not installed"))
            continue
        try:
            instants = trace.instants if subject.by_columns else min(trace.instants, STEPS)
            run = subject.prepare(pattern, trace.prefix(instants))
            answer = run()
        except NoQuery:
            rows.append(replace(row, status="no query"))
            continue
        except Exception as error:  # whatever a tool raises is a result
            rows.append(replace(row, status="failed", detail=f"{type(error).__name__}: {error}"))
            continue
        row = replace(row, size=instants, found=len(answer[1]))
        for length, name, expected in (oracle, longest):  # of a prefix is found the beginning of what is found
            problem = difference(answer, expected, min(instants, length))
            if problem and row.status == "measured":
                row = replace(row, status="wrong", detail=f"{problem} by {name}")
        if row.status == "measured":
            runs[subject.name] = run
            longest = max(longest, (instants, subject.name, answer), key=lambda one: one[0])
        rows.append(row)
    _, seconds = in_turns(runs, repetitions)
    return [replace(row, seconds=seconds.get(row.subject, ())) for row in rows]


def difference(found: Answer, expected: Answer, instants: int) -> str:
    """Where two answers first differ within so many instants, in words; "" if they do not."""
    sides = [np.stack([starts[ends < instants], ends[ends < instants]], axis=1) for starts, ends in (found, expected)]
    common = min(map(len, sides))
    apart = np.flatnonzero((sides[0][:common] != sides[1][:common]).any(axis=1))
    place = int(apart[0]) if len(apart) else common
    if place == max(map(len, sides)):
        return ""
    said = [str(side[place].tolist()) if place < len(side) else "nothing" for side in sides]
    return f"found {said[0]}, expected {said[1]}"
