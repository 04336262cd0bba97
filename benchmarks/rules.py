"""Engines of rules on the program of 2008, Section 2.1: events a second on one core, with equal answers.

About one event in a hundred completes an answer. The engines take turns, so that ratios within a run mean more than
speeds. What is measured is the processor's time, on all cores together.
"""

from __future__ import annotations

import resource
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count, islice, product, takewhile
from random import Random
from statistics import median
from typing import TYPE_CHECKING, TypeAlias

from benchmarks.peers import pathway_tables, rules_frames
from benchmarks.subjects import Absent
from detectors.bry_eckert.catalogue import ENGINES
from detectors.bry_eckert.differencing import Differencing
from detectors.bry_eckert.nodes.engine import Nodes
from detectors.bry_eckert.protocol import answers
from detectors.bry_eckert.relational.batch import evaluate_duckdb, evaluate_spark
from semantics.bry_eckert.algebra.planning import planned
from semantics.bry_eckert.algebra.plans import Plan
from semantics.bry_eckert.algebra.relations import derived_events
from semantics.bry_eckert.checking import parse
from semantics.bry_eckert.programs import Program
from semantics.events import Event

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

CHAIN = """\
event A(x: int)
event B(x: int)
event D(x: int)
event E(x: int)
F(x) <- c: C(x), d: D(x), e: E(x), c before d, {c, d} within 4h, d before e, {d, e} within 1h
C(x) <- a: A(x), b: B(x), {a, b} within 2h
"""
"""The rules; the length of a tick is the measurement's to say."""

BETWEEN = 5
"""So many ticks lie between two events."""

VALUES = 300
"""The attribute has so many values; then about one event in a hundred completes an answer."""

SHORTEST = 10_000
"""The length of the shortest log on which it is measured how cost grows."""

SAMPLED = 1_000
"""What is stored is counted after so many events."""

SCALED: Mapping[str, type[Differencing] | type[Nodes]] = {"differencing": Differencing, "nodes": Nodes}
"""The engines of which it is measured how cost grows."""

SPARK = "Spark, whole log, elapsed"
"""Of Spark, which is another process, only the time that goes by is known."""


@dataclass(frozen=True)
class Speed:
    """How fast an engine was.

    Attributes:
        seconds: the median of its times: of this process's processor, of Spark as they go by.
        rate: events a second.
    """

    engine: str
    seconds: float
    rate: float
    answers: int


@dataclass(frozen=True)
class Scale:
    """What an engine does on a log of some length, of which a thousand events are there at once.

    Attributes:
        stored: how many tuples are stored at most, of all thousandth events.
        memory: by how many MiB the process has grown at its peak, beyond what it had taken before.
    """

    engine: str
    events: int
    rate: float
    stored: int
    memory: int
    answers: int


def log(events: int, seed: int) -> Iterator[Event]:
    """A log of points, each of one of the four types with a random value."""
    random = Random(seed).random
    return (
        Event("ABDE"[int(random() * 4)], number * BETWEEN, number * BETWEEN, {"x": int(random() * VALUES)})
        for number in range(events)
    )


Run: TypeAlias = Callable[[Program, Plan, Sequence[Event]], list[Event]]
"""What evaluates a program."""


def _by_engine(name: str) -> Run:
    def run(program: Program, plan: Plan, events: Sequence[Event]) -> list[Event]:
        return list(answers(ENGINES[name](program, plan, frozenset(program.declared)), events))

    return run


SUBJECTS: Mapping[str, Run] = {
    "differencing": _by_engine("differencing"),
    "nodes": _by_engine("nodes"),
    "Polars, by thousands": lambda program, plan, events: rules_frames.incremental(events),
    "Pathway, by thousands": lambda program, plan, events: pathway_tables.incremental(events),
    "Python, whole log": derived_events,
    "DuckDB, whole log": evaluate_duckdb,
}
"""What is measured: our engines step by step, two peers that join what is new with what is kept, and the algebra on the
log as a whole in this process and in a relational engine."""


def measured(
    events: int, repetitions: int, seed: int, session: SparkSession | None = None
) -> tuple[list[Speed], dict[str, str]]:
    """The speeds of all subjects on one log, and why others could not be measured.

    Args:
        session: of Spark, which is measured as well then.

    Raises:
        ValueError: two of them have other answers.
    """
    program = parse(CHAIN, "1min")
    plan, given = planned(program, {}), list(log(events, seed))
    times: dict[str, list[float]] = defaultdict(list)
    found: dict[str, list[Event]] = {}
    absent: dict[str, str] = {}
    subjects = dict(SUBJECTS)
    if session is not None:
        evaluate_spark(program, plan, given[:1], session)  # which loads what Spark needs
        subjects[SPARK] = partial(evaluate_spark, session=session)
    for _ in range(repetitions):
        for name, run in subjects.items():
            clock = time.perf_counter if name == SPARK else time.process_time
            begin = clock()
            try:
                found[name] = run(program, plan, given)
            except Absent as error:
                absent[name] = str(error)
            else:
                times[name].append(clock() - begin)
    first, *others = found.values()
    if any(other != first for other in others):
        raise ValueError(
            "the engines have other answers: " + ", ".join(f"{n}: {len(a)}" for n, a in found.items())
        )
    speeds = [
        Speed(name, median(each), events / median(each), len(found[name])) for name, each in times.items()
    ]
    return speeds, absent


def scaled(longest: int, seed: int) -> Iterator[Scale]:
    """What each engine does on logs of ten thousand events, ten times as many, and so on.

    Args:
        seed: the seed of the logs, each of which begins with the one before.
    """
    program = parse(CHAIN, "1min")
    plan, lengths = planned(program, {}), takewhile(longest.__ge__, (SHORTEST * 10**n for n in count()))
    for events, (name, made) in product(lengths, SCALED.items()):
        engine, given = made(program, plan, points=frozenset(program.declared)), log(events, seed)
        seconds, stored, found, before = 0.0, 0, 0, peak_memory()
        while part := list(islice(given, SAMPLED)):
            begin = time.process_time()
            found += sum(1 for _ in answers(engine, part, flush=False))
            seconds += time.process_time() - begin
            stored = max(stored, engine.stored)
        yield Scale(name, events, events / seconds, stored, peak_memory() - before, found)


def peak_memory() -> int:
    """The most memory that this process has had, in MiB."""
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used >> (20 if sys.platform == "darwin" else 10)
