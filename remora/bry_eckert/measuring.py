"""Plans compared by exact counts on a log, and the one that costs least."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any

from detectors.bry_eckert.differencing import Differencing, KeptFor, as_maximal, as_relevant, for_ever
from detectors.bry_eckert.feeding import answers
from detectors.bry_eckert.nodes import OPTIMIZED, STORING, STREAMING, SUPPRESSING, Nodes, Variant
from detectors.bry_eckert.protocol import Counts
from semantics.bry_eckert.planning import Choice, chosen, planned
from semantics.bry_eckert.plans import Plan
from semantics.bry_eckert.programs import Program
from semantics.events import Event

SAMPLE = 2000
"""So many events from the beginning of a log decide which plan is chosen, where nothing else is said."""

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
    """What an engine did with a plan on a log.

    Attributes:
        plan: which plan it was, in words.
        engine: the engine, in words.
        answers: how many answers there were.
        counts: the counts.
    """

    plan: str
    engine: str
    answers: int
    counts: Counts


def measured_data(row: Measured) -> dict[str, Any]:
    """A row as plain data."""
    counts = {**asdict(row.counts), "mean": row.counts.mean}
    return {"plan": row.plan, "engine": row.engine, "answers": row.answers, **counts}


def cost(program: Program, plan: Plan, events: Sequence[Event]) -> float:
    """The cost of a plan: the stored tuples that joins look at, and the mean number of those that are stored."""
    engine = Differencing(program, plan, counting=True)
    for _ in answers(engine, events):
        pass
    return engine.counts.candidates + engine.counts.mean


def least_cost(program: Program, events: Sequence[Event]) -> dict[str, Choice]:
    """The choices that cost least on a sample of events."""
    return chosen(program, lambda plan: cost(program, plan, events))


def compared(
    program: Program, choices: dict[str, dict[str, Choice]], events: Sequence[Event]
) -> list[Measured]:
    """What the engines do with each of some choices, by name, on a log."""
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
            number = sum(1 for _ in answers(made, events))
            found.append(Measured(name, engine, number, made.counts))
    return found
