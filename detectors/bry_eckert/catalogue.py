"""The engines for rules by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import TypeAlias

from detectors.bry_eckert.differencing import (
    Differencing,
    KeptFor,
    as_joined,
    as_printed,
    as_relevant,
    for_ever,
)
from detectors.bry_eckert.nodes.engine import STORING, Nodes
from detectors.bry_eckert.printed import PrintedNodes
from detectors.bry_eckert.protocol import Engine
from detectors.bry_eckert.watch import Watching
from semantics.bry_eckert.algebra.plans import Plan
from semantics.bry_eckert.programs import Program

EngineFactory: TypeAlias = Callable[[Program, Plan, frozenset[str]], Engine]
"""Makes a fresh engine for a program and its plan; the event types of the set have no events that take time."""


def _watched(make: EngineFactory) -> EngineFactory:
    """The engine that looks as well whether a log obeys the axioms of the program, where there are some."""

    def made(program: Program, plan: Plan, points: frozenset[str]) -> Engine:
        engine = make(program, plan, points)
        return Watching(engine, program) if program.axioms else engine

    return made


ENGINES: Mapping[str, EngineFactory] = MappingProxyType(
    {
        "differencing": _watched(Differencing),
        "differencing:joining": _watched(partial(Differencing, relevance=as_joined)),
        "differencing:storing": _watched(partial(Differencing, relevance=for_ever)),
        "differencing:as-printed": _watched(partial(Differencing, relevance=as_printed)),
        "nodes": _watched(lambda program, plan, points: Nodes(program, plan, points=points)),
        "nodes:storing": _watched(
            lambda program, plan, points: Nodes(
                program, plan, points=points, variant=STORING, collecting=False
            )
        ),
        "nodes:as-printed": _watched(PrintedNodes),
    }
)
"""The engines: finite differencing and node objects, with and without optimizations, and as the papers print them."""

COLLECTING: Mapping[str, tuple[KeptFor, str]] = MappingProxyType(
    {
        "differencing": (as_relevant, ""),
        "differencing:joining": (as_joined, ""),
        "differencing:as-printed": (as_printed, ""),
        "nodes": (as_relevant, "nodes:storing"),
    }
)
"""Of each engine that forgets: how long it keeps tuples, and the engine that keeps all where that is in doubt; "" where
the engine keeps what is in doubt for ever (`Plan.doubtful`)."""

DEFAULT_DETECTOR = "differencing"
