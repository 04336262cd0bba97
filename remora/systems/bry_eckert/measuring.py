"""Plans compared by exact counts on a log, and the one that costs least."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from math import inf
from operator import attrgetter
from types import MappingProxyType
from typing import Any

from detectors.bry_eckert.catalogue import DEFAULT_DETECTOR
from detectors.bry_eckert.differencing import Differencing, KeptFor, as_maximal, as_relevant, for_ever
from detectors.bry_eckert.nodes.engine import OPTIMIZED, STORING, STREAMING, SUPPRESSING, Nodes, Variant
from detectors.bry_eckert.protocol import Counts, answers, timers
from semantics.bry_eckert.algebra.planning import Choice, chosen, planned
from semantics.bry_eckert.algebra.plans import Plan
from semantics.bry_eckert.programs import Program
from semantics.events import Event

MOST_CANDIDATES = 5_000_000
"""Of a plan that looks at so many stored tuples in a sample, no more is counted: it takes seconds."""

DIFFERENCING: Mapping[str, KeptFor] = MappingProxyType(
    {", storing": for_ever, ", maximal": as_maximal, "": as_relevant}
)
"""How long finite differencing keeps tuples: for ever, by the maximal relevance conditions, by the minimal ones."""

NODES: Mapping[str, tuple[Variant, bool]] = MappingProxyType(
    {
        ", storing": (STORING, False),
        ", streaming": (STREAMING, False),
        ", suppressing": (SUPPRESSING, False),
        ", both joins": (OPTIMIZED, False),
        ", collecting": (STORING, True),
        "": (OPTIMIZED, True),
    }
)
"""What joins of node objects leave out, and whether what is irrelevant is dropped: each alone, and all together."""


@dataclass(frozen=True)
class Measured:
    """What an engine did with a plan on a log."""

    plan: str
    engine: str
    answers: int
    counts: Counts


def measured_data(row: Measured) -> dict[str, Any]:
    """A row as plain data."""
    counts = {**asdict(row.counts), "mean": row.counts.mean}
    return {"plan": row.plan, "engine": row.engine, "answers": row.answers, **counts}


def cost(
    program: Program,
    plan: Plan,
    logs: Iterable[Sequence[Event]],
    limit: float = inf,
    engine_name: str = DEFAULT_DETECTOR,
) -> float:
    """The cost of a plan: the stored tuples that joins look at, and the mean number of those that are stored.

    Where joins are of several kinds, how often a right side is evaluated as well.

    Args:
        limit: counting ends where this many are reached, or `MOST_CANDIDATES`: then the cost is infinite.
        engine_name: the engine whose joins are counted: of node objects, or of finite differencing.
    """
    total, limit = 0.0, min(limit, MOST_CANDIDATES)
    for events in logs:
        engine: Differencing | Nodes = (
            Nodes(program, plan)
            if engine_name.startswith("nodes")
            else Differencing(program, plan, counting=True)
        )
        for time, given in groupby(events, attrgetter("time")):
            for _ in timers(engine, time - 1):
                pass
            engine.step(time, list(given))
            if total + engine.counts.candidates >= limit:
                return inf
        for _ in timers(engine, None):
            pass
        total += engine.counts.candidates + engine.counts.evaluated + engine.counts.mean
    return total


def least_cost(
    program: Program, logs: Sequence[Sequence[Event]], engine: str = DEFAULT_DETECTOR
) -> dict[str, Choice]:
    """The choices that cost an engine least on a sample of the events of each partition."""
    return chosen(program, lambda plan, limit: cost(program, plan, logs, limit, engine))


MEASURED = ("differencing", "nodes")
"""The engines whose counts are compared, each without and with what it leaves out."""


def compared(
    program: Program,
    choices: dict[str, dict[str, Choice]],
    events: Sequence[Event],
    wanted: Collection[str] = MEASURED,
) -> list[Measured]:
    """What the engines that are wanted do with each of some choices, by name, on a log."""
    points = (
        frozenset(program.declared)
        if all(event.start == event.time for event in events)
        else frozenset[str]()
    )
    found = []
    for name, choice in choices.items():
        plan = planned(program, choice)
        engines: dict[str, Differencing | Nodes] = {
            f"differencing{named}": Differencing(program, plan, points, counting=True, relevance=kept)
            for named, kept in DIFFERENCING.items()
        } | {
            f"nodes{named}": Nodes(program, plan, points=points, variant=variant, collecting=collecting)
            for named, (variant, collecting) in NODES.items()
        }
        for engine, made in engines.items():
            if engine.partition(",")[0] not in wanted:
                continue
            number = sum(1 for _ in answers(made, events))
            found.append(Measured(name, engine, number, made.counts))
    return found
