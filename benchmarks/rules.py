"""Engines of rules on the program of 2008, Section 2.1: events a second on one core, with equal answers.

About one event in a hundred completes an answer. The engines take turns, so that ratios within a run mean more than
speeds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from statistics import median

from detectors.bry_eckert.batch import evaluate_duckdb
from detectors.bry_eckert.catalogue import ENGINES
from detectors.bry_eckert.feeding import answers
from semantics.bry_eckert.algebra.planning import planned
from semantics.bry_eckert.algebra.plans import Plan
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

BETWEEN = 5
"""So many ticks lie between two events."""

VALUES = 300
"""The attribute has so many values; then about one event in a hundred completes an answer."""


@dataclass(frozen=True)
class Speed:
    """How fast an engine was.

    Attributes:
        engine: its name.
        seconds: the median of its times.
        rate: events a second.
        answers: how many answers it gave.
    """

    engine: str
    seconds: float
    rate: float
    answers: int


def log(events: int, seed: int) -> list[Event]:
    """A log of points, each of one of the four types with a random value."""
    random = Random(seed).random
    return [
        Event("ABDE"[int(random() * 4)], number * BETWEEN, number * BETWEEN, {"x": int(random() * VALUES)})
        for number in range(events)
    ]


def _by_engine(name: str) -> Callable[[Program, Plan, Sequence[Event]], list[Event]]:
    def run(program: Program, plan: Plan, events: Sequence[Event]) -> list[Event]:
        return list(answers(ENGINES[name](program, plan, frozenset(program.declared)), events))

    return run


SUBJECTS: Mapping[str, Callable[[Program, Plan, Sequence[Event]], list[Event]]] = {
    "differencing": _by_engine("differencing"),
    "nodes": _by_engine("nodes"),
    "DuckDB, whole log": evaluate_duckdb,
}
"""What is measured: our engines step by step, and a relational engine on the log as a whole."""


def measured(events: int, repetitions: int, seed: int) -> list[Speed]:
    """The speeds of all subjects on one log.

    Raises:
        ValueError: two of them have other answers.
    """
    program = parse(CHAIN, "1min")
    plan, given = planned(program, {}), log(events, seed)
    times: dict[str, list[float]] = {name: [] for name in SUBJECTS}
    found: dict[str, list[Event]] = {}
    for _ in range(repetitions):
        for name, run in SUBJECTS.items():
            begin = time.perf_counter()
            found[name] = run(program, plan, given)
            times[name].append(time.perf_counter() - begin)
    first, *others = found.values()
    if any(other != first for other in others):
        raise ValueError(
            "the engines have other answers: " + ", ".join(f"{n}: {len(a)}" for n, a in found.items())
        )
    return [
        Speed(name, median(times[name]), events / median(times[name]), len(found[name])) for name in SUBJECTS
    ]
