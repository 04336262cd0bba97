"""Engines of rules on the program of 2008, Section 2.1, beside Polars and DuckDB: events a second, with equal answers.

About one event in a hundred completes an answer. The engines take turns, so that ratios within a run mean more than
speeds. What is measured is the processor's time, on all cores together.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from random import Random
from typing import Any, TypeAlias

from benchmarks.timing import Row, in_turns
from detectors.bry_eckert.catalogue import ENGINES
from detectors.bry_eckert.differencing import Differencing
from detectors.bry_eckert.nodes.engine import Nodes
from detectors.bry_eckert.protocol import answers
from detectors.bry_eckert.relational import evaluate_duckdb
from semantics.bry_eckert.algebra.planning import planned
from semantics.bry_eckert.algebra.plans import Plan
from semantics.bry_eckert.algebra.relations import derived_events
from semantics.bry_eckert.checking import parse
from semantics.bry_eckert.programs import Program, by_time
from semantics.events import Event

CHAIN = """\
event A(x: int)
event B(x: int)
event D(x: int)
event E(x: int)
F(x) <- c: C(x), d: D(x), e: E(x), c before d, {c, d} within 4h, d before e, {d, e} within 1h
C(x) <- a: A(x), b: B(x), {a, b} within 2h
"""
"""The rules; the length of a tick is the measurement's to say."""

BETWEEN, VALUES = 5, 300
"""Ticks between two events, and values of the attribute: then about one event in a hundred completes an answer."""

SHORTEST = 10_000
"""The length of the shortest log on which it is measured how cost grows."""

BATCH = 1_000
"""Polars joins so many events at once, and after so many it is counted what an engine stores."""

HOUR = 60
"""In ticks."""

SCALED: Mapping[str, type[Differencing] | type[Nodes]] = {"differencing": Differencing, "nodes": Nodes}
"""The engines of which it is measured how cost grows."""


def log(events: int, seed: int) -> Iterator[Event]:
    """A log of points, each of one of the four types with a random value."""
    random = Random(seed).random
    for number in range(events):
        time = number * BETWEEN
        yield Event("ABDE"[int(random() * 4)], time, time, {"x": int(random() * VALUES)})


def polars_incremental(events: Sequence[Event]) -> list[Event]:
    """All C and F that the program derives, by time: a thousand new events at a time are joined with what is kept.

    An answer comes with the last event of its thousand, and not at its time.
    """
    return sorted((event for batch in _batches(events) for event in batch), key=by_time)


def _batches(events: Sequence[Event]) -> Iterator[list[Event]]:
    import polars as pl

    at, begin, finish = pl.col("t"), pl.col("s"), pl.col("e")
    kept: dict[str, Any] = {}
    for first in range(0, len(events), BATCH):
        batch = events[first : first + BATCH]
        now = batch[-1].time
        rows = {type: [(e.time, e.attributes["x"]) for e in batch if e.type == type] for type in "ABDE"}
        schema = {"t": pl.Int64, "x": pl.Int64}
        new = {type: pl.DataFrame(found, schema=schema, orient="row") for type, found in rows.items()}

        def with_old(name: str, frame: Any) -> Any:
            return pl.concat([kept[name], frame]) if name in kept else frame  # noqa: B023  # called in this round

        every_a, every_b = with_old("A", new["A"]), with_old("B", new["B"])
        pairs = [new["A"].join(every_b, on="x", suffix="_2")]
        if "A" in kept:
            pairs.append(kept["A"].join(new["B"], on="x", suffix="_2"))
        new_c = (
            pl.concat(pairs)
            .select("x", s=pl.min_horizontal("t", "t_2"), e=pl.max_horizontal("t", "t_2"))
            .filter(finish - begin <= 2 * HOUR)
        )
        every_c = with_old("C", new_c)
        followed = every_c.join(new["D"], on="x").filter(finish < at, at - begin <= 4 * HOUR)
        every_d = with_old("CD", followed.select("x", "s", d="t"))
        new_f = every_d.join(new["E"], on="x").filter(pl.col("d") < at, at - pl.col("d") <= HOUR)
        kept = {
            "A": every_a.filter(at >= now - 2 * HOUR),
            "B": every_b.filter(at >= now - 2 * HOUR),
            "C": every_c.filter(begin >= now - 4 * HOUR),
            "CD": every_d.filter(pl.col("d") >= now - HOUR),
        }
        found = [("C", row) for row in new_c.select("s", "e", "x").unique().iter_rows()]
        found += [("F", row) for row in new_f.select("s", "t", "x").unique().iter_rows()]
        yield [Event(type, start, end, {"x": x}) for type, (start, end, x) in found]


Run: TypeAlias = Callable[[Program, Plan, Sequence[Event]], list[Event]]


def _by_engine(name: str) -> Run:
    def run(program: Program, plan: Plan, events: Sequence[Event]) -> list[Event]:
        return list(answers(ENGINES[name](program, plan, frozenset(program.declared)), events))

    return run


SUBJECTS: Mapping[str, Run] = {
    "differencing": _by_engine("differencing"),
    "nodes": _by_engine("nodes"),
    "Polars, by thousands": lambda program, plan, events: polars_incremental(events),
    "Python, whole log": derived_events,
    "DuckDB, whole log": evaluate_duckdb,
}
"""Our engines step by step, a peer that joins what is new with what is kept, and the algebra on the whole log."""


def measured(events: int, longest: int, repetitions: int, seed: int) -> Iterator[list[Row]]:
    """The speeds of all subjects on one log, then those of `SCALED` on longer and longer ones.

    The latter have ten thousand events, then ten times as many; `stored` is the most tuples after any thousand events.

    Raises:
        ValueError: two subjects have other answers.
    """
    program = parse(CHAIN, "1min")
    plan, given = planned(program, {}), list(log(events, seed))
    runs = {name: partial(run, program, plan, given) for name, run in SUBJECTS.items()}
    found, seconds = in_turns(runs, repetitions, time.process_time)
    first, *others = found.values()
    if any(other != first for other in others):
        counts = ", ".join(f"{name}: {len(some)}" for name, some in found.items())
        raise ValueError(f"the engines have other answers: {counts}")
    case = {"events": f"{events:,}"}
    yield [Row(case, name, size=events, found=len(found[name]), seconds=each) for name, each in seconds.items()]
    length = SHORTEST
    while length <= longest:
        yield [_in_parts(name, program, plan, length, seed) for name in SCALED]
        length *= 10


def _in_parts(name: str, program: Program, plan: Plan, events: int, seed: int) -> Row:
    engine, given = SCALED[name](program, plan, points=frozenset(program.declared)), log(events, seed)
    seconds, stored, found = 0.0, 0, 0
    while part := list(islice(given, BATCH)):
        begin = time.process_time()
        found += sum(1 for _ in answers(engine, part, flush=False))
        seconds += time.process_time() - begin
        stored = max(stored, engine.stored)
    more = {"stored": stored}
    return Row({"events": f"{events:,}"}, name, size=events, found=found, seconds=(seconds,), more=more)
