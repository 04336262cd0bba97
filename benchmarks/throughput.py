"""Throughput: detectors and hand-written queries of Polars and DuckDB on random traces in memory.

Every answer is checked before its speed is measured.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchmarks.peers import duckdb_query, polars_query
from benchmarks.timing import OURS, Row, in_turns
from detectors.carlson_lisper.columns.plan import Queries, plan_of
from detectors.carlson_lisper.generated import Generated
from detectors.carlson_lisper.protocol import Detector, event_types
from detectors.carlson_lisper.source.figure2 import Figure2, figure4
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.syntax import parse

DENSITIES = (0.01, 0.1, 0.5)
"""Probabilities of an event type at a tick: gaps, the usual, and branches that cannot be predicted."""

FIRST = 10_000  # On so many instants every answer is compared with that of Figure 2, which is proved
STEPS = 100_000  # The longest trace for detectors that are fed step by step
OCCURRENCES = 10_000_000  # The most occurrences of an event type, which bounds the memory


@dataclass(frozen=True)
class Pattern:
    """A pattern; which query the peers have for it ("" for none), with which event types and bound in ticks (or 0)."""

    text: str
    shape: str = ""
    types: Mapping[str, str] = field(default_factory=dict)
    bound: int = 0


PATTERNS: Mapping[str, Pattern] = {
    "i": Pattern("(B;B)[2]-(P|T)", "near repetition", {"B": "B", "P": "P", "T": "T"}, 2),
    "ii": Pattern("A;B", "sequence", {"A": "A", "B": "B"}),
    "iii": Pattern("(A+B)[10]", "conjunction", {"A": "A", "B": "B"}, 10),
    "iv": Pattern("A;(B;C)[5]", "nested", {"A": "A", "B": "B", "C": "C"}, 5),
}
"""One bounded negation, one unbounded sequence, one bounded conjunction, one nested sequence."""


def pattern(text: str) -> Pattern:
    """The pattern with a number, or any expression, which has no query but those in the table; else an `InputError`."""
    if text in PATTERNS:
        return PATTERNS[text]
    expression = parse(text)
    known = (each for each in PATTERNS.values() if parse(each.text) == expression)
    return next(known, Pattern(str(expression)))


Times: TypeAlias = NDArray[np.int64]
Answer: TypeAlias = tuple[Times, Times]  # Starts and ends of what is detected, in ticks, in the order of ends
Run: TypeAlias = Callable[[], Answer]  # One run over the whole trace from the initial state; this is what is timed


@dataclass(frozen=True)
class Trace:
    """Occurrences at the instants 0, 1, …, `instants` - 1: by event type its times, in strictly increasing ticks."""

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
    """A trace in which each event type occurs at each tick with the same probability, independently."""
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
    """A tool's way to the answer: what brings a pattern and a trace into its own form, and gives the run if it can.

    One `by_columns` is given the whole trace at once, and so a longer one than detectors step by step.
    """

    name: str
    tool: str
    by_columns: bool
    prepare: Callable[[Pattern, Trace], Run | None]


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
        return np.array([each.start for each in found], np.int64), np.array([each.end for each in found], np.int64)

    return run


def _generated(pattern: Pattern, trace: Trace) -> Run:
    detector = Generated(parse(pattern.text))
    beginning, occurring = detector.snapshot(), trace.occurring(detector.names)

    def run() -> Answer:
        detector.restore(beginning)
        step = detector.step
        starts = [step(at, letter) for at, letter in occurring]
        found = [(start, at) for start, (at, _) in zip(starts, occurring, strict=True) if start >= 0]
        return np.array([start for start, _ in found], np.int64), np.array([at for _, at in found], np.int64)

    return run


def _columns(pattern: Pattern, trace: Trace) -> Run:
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


def _polars(pattern: Pattern, trace: Trace) -> Run | None:
    frames = {
        name: pl.DataFrame({name: trace.columns[name]}).with_columns(pl.col(name).set_sorted()).lazy()
        for name in pattern.types.values()
    }

    def run() -> Answer:
        found = polars_query(pattern.shape, pattern.types, pattern.bound, frames.__getitem__).collect()
        return found["start"].to_numpy(), found["end"].to_numpy()

    return run if pattern.shape else None


def _duckdb(pattern: Pattern, trace: Trace) -> Run | None:
    import duckdb

    if not pattern.shape:
        return None
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
        for asked in patterns:
            longest = min(instants, int(OCCURRENCES / density))
            trace = random_trace(event_types(parse(asked.text)), density, longest, seed)
            case = {"pattern": asked.text, "density": f"{density:g}"}
            yield _compared(case, asked, trace, subjects, repetitions)


def _compared(
    case: Mapping[str, str], asked: Pattern, trace: Trace, subjects: Sequence[Subject], repetitions: int
) -> list[Row]:
    oracle = min(FIRST, trace.instants), "Figure 2", _of_instances(Figure2, asked, trace.prefix(FIRST))()
    longest, rows, runs = oracle, list[Row](), dict[str, Run]()
    for subject in subjects:
        row = Row(case, subject.name, subject.tool, "no query")
        instants = trace.instants if subject.by_columns else min(trace.instants, STEPS)
        try:
            if run := subject.prepare(asked, trace.prefix(instants)):
                answer = run()
                row = replace(row, status="measured", size=instants, found=len(answer[1]))
        except Exception as error:  # whatever a tool raises is a result
            row = replace(row, status="failed", detail=f"{type(error).__name__}: {error}")
        for length, name, expected in (oracle, longest):  # of a prefix is found the beginning of what is found
            if row.status == "measured" and (problem := difference(answer, expected, min(instants, length))):
                row = replace(row, status="wrong", detail=f"{problem} by {name}")
        if row.status == "measured" and run:
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
