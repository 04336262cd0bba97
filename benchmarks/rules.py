"""Engines of rules on the program of 2008, Section 2.1, beside DuckDB: events a second, with equal answers.

What is measured is the processor's time, on all cores together.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from random import Random
from typing import TypeAlias

from benchmarks.timing import Row, in_turns
from detectors.bry_eckert.differencing import Differencing
from detectors.bry_eckert.node_engine import Nodes
from detectors.bry_eckert.protocol import answers
from detectors.bry_eckert.relational import evaluate_duckdb
from semantics.bry_eckert.algebra.planning import planned
from semantics.bry_eckert.algebra.plans import Plan
from semantics.bry_eckert.algebra.relations import derived_events
from semantics.bry_eckert.checking import parse
from semantics.bry_eckert.programs import Program
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

SHORTEST = 10_000  # The length of the shortest log on which it is measured how cost grows
BATCH = 1_000  # After so many events it is counted what an engine stores

SCALED: Mapping[str, type[Differencing] | type[Nodes]] = {"differencing": Differencing, "nodes": Nodes}
"""The engines, of which it is measured how cost grows too."""


def log(events: int, seed: int) -> Iterator[Event]:
    """A log of points, each of one of the four types with a random value."""
    random = Random(seed).random
    for number in range(events):
        time = number * BETWEEN
        yield Event("ABDE"[int(random() * 4)], time, time, {"x": int(random() * VALUES)})


Run: TypeAlias = Callable[[Program, Plan, Sequence[Event]], list[Event]]


def _by_engine(name: str, program: Program, plan: Plan, events: Sequence[Event]) -> list[Event]:
    return list(answers(SCALED[name](program, plan, points=frozenset(program.declared)), events))


SUBJECTS: Mapping[str, Run] = {
    **{name: partial(_by_engine, name) for name in SCALED},
    "Python, whole log": derived_events,
    "DuckDB, whole log": evaluate_duckdb,
}
"""Our engines step by step, and the algebra on the whole log."""


def measured(events: int, longest: int, repetitions: int, seed: int) -> Iterator[list[Row]]:
    """The speeds of all subjects on one log, then those of `SCALED` on logs each ten times as long as the one before.

    `stored` is the most tuples after any thousand events. `ValueError` if two subjects have other answers.
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
        found += sum(1 for _ in answers(engine, part, part[-1].time))
        seconds += time.process_time() - begin
        stored = max(stored, engine.stored)
    more = {"stored": stored}
    return Row({"events": f"{events:,}"}, name, size=events, found=found, seconds=(seconds,), more=more)
