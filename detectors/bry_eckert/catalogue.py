"""The engines for rules by name."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from detectors.bry_eckert.differencing import Differencing
from detectors.bry_eckert.nodes import Nodes
from detectors.bry_eckert.protocol import Engine
from detectors.bry_eckert.watch import Watching
from semantics.bry_eckert.algebra.plans import Plan
from semantics.bry_eckert.programs import Program

EngineFactory: TypeAlias = Callable[[Program, Plan, frozenset[str]], Engine]
"""Makes a fresh engine for a program and its plan; the event types of the set have no events that take time."""


def _watched(make: EngineFactory) -> EngineFactory:
    def made(program: Program, plan: Plan, points: frozenset[str]) -> Engine:
        engine = make(program, plan, points)
        return Watching(engine, program) if program.axioms else engine

    return made


ENGINES: Mapping[str, EngineFactory] = {"differencing": _watched(Differencing), "nodes": _watched(Nodes)}
"""Finite differencing (2008, Section 2.4), and node objects (2007, Sections 4 and 5)."""

DEFAULT_DETECTOR = "differencing"
