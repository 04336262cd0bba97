"""The engines for rules by name; the module behind the protocol of detectors (`detectors.systems`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from detectors.bry_eckert.differencing import Differencing, KeptFor, as_printed, as_relevant, for_ever
from detectors.bry_eckert.nodes import STORING, Nodes
from detectors.bry_eckert.printed import PrintedNodes
from detectors.bry_eckert.protocol import Engine
from semantics.bry_eckert.plans import Plan
from semantics.bry_eckert.programs import Program

EngineFactory: TypeAlias = Callable[[Program, Plan, frozenset[str]], Engine]
"""Makes a fresh engine for a program and its plan; the event types of the set have no events that take time."""


def _differencing(program: Program, plan: Plan, points: frozenset[str]) -> Engine:
    return Differencing(program, plan, points)


def _differencing_storing(program: Program, plan: Plan, points: frozenset[str]) -> Engine:
    return Differencing(program, plan, points, relevance=for_ever)


def _differencing_as_printed(program: Program, plan: Plan, points: frozenset[str]) -> Engine:
    return Differencing(program, plan, points, relevance=as_printed)


def _nodes(program: Program, plan: Plan, points: frozenset[str]) -> Engine:
    return Nodes(program, plan, points=points)


def _storing(program: Program, plan: Plan, points: frozenset[str]) -> Engine:
    return Nodes(program, plan, points=points, variant=STORING, collecting=False)


ENGINES: Mapping[str, EngineFactory] = MappingProxyType(
    {
        "differencing": _differencing,
        "differencing:storing": _differencing_storing,
        "differencing:as-printed": _differencing_as_printed,
        "nodes": _nodes,
        "nodes:storing": _storing,
        "nodes:as-printed": PrintedNodes,
    }
)
"""The engines: finite differencing and node objects, with and without optimizations, and as the papers print them."""

COLLECTING: Mapping[str, tuple[KeptFor, str]] = MappingProxyType(
    {
        "differencing": (as_relevant, "differencing:storing"),
        "differencing:as-printed": (as_printed, "differencing:storing"),
        "nodes": (as_relevant, "nodes:storing"),
    }
)
"""Of each engine that forgets: how long it keeps tuples, and the engine that keeps all where that is in doubt."""

DEFAULT_DETECTOR = "differencing"
