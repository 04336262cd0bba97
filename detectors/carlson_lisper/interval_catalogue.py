"""The detectors of starts and ends by name, each in a way to feed it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from detectors.carlson_lisper.adapters import (
    AnyDetector,
    AnyFactory,
    IntervalFactory,
    SideBySide,
    Stepping,
    Stretched,
)
from detectors.carlson_lisper.fast.batches import Batch
from detectors.carlson_lisper.generated.generated import Generated
from detectors.carlson_lisper.generated.interpreted_loops import InterpretedLoops
from detectors.carlson_lisper.register.machine import RegisterMachine
from detectors.carlson_lisper.register.table import MAX_STATES
from detectors.protocol import NodeState
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.syntax import parse

STEPS = 50_000
"""A register machine is built in at most so many steps here: in a fraction of a second."""

FEW_STATES = (2, 3, 5)
"""How many states some of the register machines may remember, so that they often forget and start anew."""


@dataclass(frozen=True)
class Named:
    """A detector of starts and ends by its name; calling it makes the detector, as with any factory.

    Attributes:
        name: its name.
        about: what it is and how it is fed, in a few words.
        make: makes a fresh one for a ground expression.
    """

    name: str
    about: str
    make: AnyFactory

    def __call__(self, expression: Expression) -> AnyDetector:
        """A fresh detector for a ground expression.

        Raises:
            LimitExceeded: the expression is beyond what this detector takes.
        """
        return self.make(expression)

    def warm_up(self) -> None:
        """Load what is loaded at the first use, so that it is no part of the time of a first case."""
        for way in range(4):
            detector = self.make(parse("a ; b"))
            if isinstance(detector, Stretched | SideBySide):
                detector.detect_trace([(way, {"a": None}), (way + 2, {"b": None})])


def machine(expression: Expression) -> RegisterMachine:
    """A register machine; for half of the expressions one that remembers few states."""
    choice = hashlib.sha256(str(expression).encode()).digest()[0] % (2 * len(FEW_STATES))
    max_states = FEW_STATES[choice] if choice < len(FEW_STATES) else MAX_STATES
    return RegisterMachine(expression, steps=STEPS, max_states=max_states)


def _machine_steps(expression: Expression) -> Stepping:
    made = machine(expression)

    def state() -> tuple[NodeState, ...]:
        return (NodeState(1, expression, {}, len(made.starts), made.table.runs.most),)

    return Stepping(made, state)


def _stretched(make: IntervalFactory) -> Callable[[Expression], Stretched]:
    return lambda expression: Stretched(expression, make)


def _side_by_side(*, compiles: bool) -> Callable[[Expression], SideBySide]:
    return lambda expression: SideBySide(
        expression, lambda same, traces: Batch(same, traces, compiles=compiles)
    )


_CATALOGUE = (
    Named(
        "generated",
        "generated code, fed in every way in turn",
        _stretched(lambda expression: Generated(expression, compiles=False)),
    ),
    Named(
        "generated-steps",
        "generated code, one instant at a time",
        lambda expression: Stepping(Generated(expression, compiles=False)),
    ),
    Named(
        "generated-loops",
        "the loops that are compiled, run by Python, fed in every way in turn",
        _stretched(InterpretedLoops),
    ),
    Named(
        "generated-compiled",
        "the same compiled, which takes seconds per expression",
        _stretched(lambda expression: Generated(expression, compiles=True)),
    ),
    Named("register-machine", "the register machine, fed in every way in turn", _stretched(machine)),
    Named("register-machine-steps", "the register machine, one instant at a time", _machine_steps),
    Named("batch", "one of many traces side by side", _side_by_side(compiles=False)),
    Named(
        "batch-compiled",
        "the same compiled, which takes seconds per expression",
        _side_by_side(compiles=True),
    ),
)

INTERVAL_DETECTORS: Mapping[str, Named] = MappingProxyType({named.name: named for named in _CATALOGUE})
"""Name to detector."""
