"""The catalogue of detectors: what each reports, what it keeps, how far it is proved, and what it is for.

Nothing heavy is imported before a detector is made: whole instances are found without arrays. What the chooser knows of
costs is in `candidates`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Generic, Literal, TypeVar

from detectors.carlson_lisper.generated.figure3 import Figure3
from detectors.carlson_lisper.generated.programs import GENERATED_STEPS, STATIC_PLACES
from detectors.carlson_lisper.protocol import Detector
from detectors.carlson_lisper.source.figure2 import Figure2, StepFactory
from detectors.carlson_lisper.source.figure4 import figure4
from detectors.carlson_lisper.source.steps import Step
from detectors.carlson_lisper.source.stores import RecentSequenceStep
from detectors.protocol import NodeState
from semantics.carlson_lisper.expressions import Expression, Operation
from semantics.carlson_lisper.syntax import parse

if TYPE_CHECKING:  # which bring NumPy
    from detectors.carlson_lisper.adapters import AnyDetector, SideBySide, Stepping, Stretched
    from detectors.carlson_lisper.register.machine import RegisterMachine

DetectorT = TypeVar("DetectorT", covariant=True)


@dataclass(frozen=True)
class Entry(Generic[DetectorT]):
    """A detector by its name; calling it makes a fresh one for a ground expression.

    Attributes:
        name: as it is called everywhere.
        reports: whole instances, or starts and ends alone.
        about: what it is and how it is fed, in a few words.
        memory: what bounds what it keeps.
        proved: which of its steps are proved; "" where it is tested against the semantics only.
        purpose: what it is there for.
        make: makes a fresh one.
    """

    name: str
    reports: Literal["instances", "intervals"]
    about: str
    memory: Literal["labels", "every pattern", "nothing"]
    proved: str
    purpose: str
    make: Callable[[Expression], DetectorT]

    def __call__(self, expression: Expression) -> DetectorT:
        """A fresh detector for a ground expression.

        Raises:
            LimitExceeded: the expression is beyond what this detector takes.
        """
        return self.make(expression)


# ------------------------------------------------------------------------------------------------------ instances


def _with_label(step: Callable[[int], Step]) -> Mapping[str, StepFactory]:
    """The steps of generated code with another one for sequences whose label is small enough for an array."""

    def sequence(operation: Operation) -> Step:
        label = operation.label
        if label is None or label >= STATIC_PLACES:
            return GENERATED_STEPS["seq"](operation)
        return step(int(label))

    return {**GENERATED_STEPS, "seq": sequence}


RECENT_STEPS = _with_label(RecentSequenceStep)
"""A sequence keeps the left instances that were remembered last, in the static array of Section 5.3."""


def _recent(expression: Expression) -> Detector:
    return figure4(expression, RECENT_STEPS)


_OF_INSTANCES: tuple[Entry[Detector], ...] = (
    Entry("figure2", "instances", "Figure 2", "nothing", "all five", "the source's algorithm", Figure2),
    Entry("figure3", "instances", "code generated as in Figure 3", "labels", "", "default", Figure3),
    Entry(
        "figure4",
        "instances",
        "Figures 2 and 4",
        "labels",
        "all five, and the transformation",
        "the source's algorithm with bounded memory",
        figure4,
    ),
    Entry(
        "recent",
        "instances",
        "Figure 2's sequence with another place for its candidates",
        "labels",
        f"all five for labels below {STATIC_PLACES}, and the transformation",
        "the steps that generated code is made of",
        _recent,
    ),
)

DETECTORS: Mapping[str, Entry[Detector]] = MappingProxyType({entry.name: entry for entry in _OF_INSTANCES})
"""Those that report instances, by name."""

DEFAULT_DETECTOR = "figure3"

# ------------------------------------------------------------------------------------------------ starts and ends

STEPS = 50_000
"""A register machine is built in at most so many steps here: in a fraction of a second."""

FEW_STATES = (2, 3, 5)
"""How many states some of the register machines may remember, so that they often forget and start anew."""


def machine(expression: Expression) -> RegisterMachine:
    """A register machine; for half of the expressions one that remembers few states."""
    from detectors.carlson_lisper.register.machine import RegisterMachine
    from detectors.carlson_lisper.register.table import MAX_STATES

    choice = hashlib.sha256(str(expression).encode()).digest()[0] % (2 * len(FEW_STATES))
    max_states = FEW_STATES[choice] if choice < len(FEW_STATES) else MAX_STATES
    return RegisterMachine(expression, steps=STEPS, max_states=max_states)


def _machine_steps(expression: Expression) -> Stepping:
    from detectors.carlson_lisper.adapters import Stepping

    made = machine(expression)

    def state() -> tuple[NodeState, ...]:
        return (NodeState(1, expression, {}, len(made.starts), made.table.runs.most),)

    return Stepping(made, state)


def _machine(expression: Expression) -> Stretched:
    from detectors.carlson_lisper.adapters import Stretched

    return Stretched(expression, machine)


def _generated_steps(expression: Expression) -> Stepping:
    from detectors.carlson_lisper.adapters import Stepping
    from detectors.carlson_lisper.generated.generated import Generated

    return Stepping(Generated(expression, compiles=False))


def _generated(*, compiles: bool) -> Callable[[Expression], Stretched]:
    def make(expression: Expression) -> Stretched:
        from detectors.carlson_lisper.adapters import Stretched
        from detectors.carlson_lisper.generated.generated import Generated

        return Stretched(expression, lambda same: Generated(same, compiles=compiles))

    return make


def _loops(expression: Expression) -> Stretched:
    from detectors.carlson_lisper.adapters import Stretched
    from detectors.carlson_lisper.generated.interpreted_loops import InterpretedLoops

    return Stretched(expression, InterpretedLoops)


def _side_by_side(*, compiles: bool) -> Callable[[Expression], SideBySide]:
    def make(expression: Expression) -> SideBySide:
        from detectors.carlson_lisper.adapters import SideBySide
        from detectors.carlson_lisper.fast.batches import Batch

        return SideBySide(expression, lambda same, traces: Batch(same, traces, compiles=compiles))

    return make


def _entry(
    name: str, about: str, purpose: str, make: Callable[[Expression], AnyDetector]
) -> Entry[AnyDetector]:
    return Entry(name, "intervals", about, "every pattern", "", purpose, make)


_OF_INTERVALS: tuple[Entry[AnyDetector], ...] = (
    _entry(
        "generated",
        "generated code, fed in every way in turn",
        "default for starts and ends",
        _generated(compiles=False),
    ),
    _entry(
        "generated-steps",
        "generated code, one instant at a time",
        "the same, without stretches",
        _generated_steps,
    ),
    _entry(
        "generated-loops",
        "the loops that are compiled, run by Python, fed in every way in turn",
        "oracle of the compiled form",
        _loops,
    ),
    _entry(
        "generated-compiled",
        "the same compiled, which takes seconds per expression",
        "array kernels: letters, events, columns",
        _generated(compiles=True),
    ),
    _entry(
        "register-machine",
        "the register machine, fed in every way in turn",
        "oracle that shares no code with the others",
        _machine,
    ),
    _entry(
        "register-machine-steps",
        "the register machine, one instant at a time",
        "the same, with its state looked at",
        _machine_steps,
    ),
    _entry(
        "batch",
        "one of many traces side by side",
        "array kernels: many traces, by NumPy",
        _side_by_side(compiles=False),
    ),
    _entry(
        "batch-compiled",
        "the same compiled, which takes seconds per expression",
        "array kernels: many traces",
        _side_by_side(compiles=True),
    ),
)

INTERVAL_DETECTORS: Mapping[str, Entry[AnyDetector]] = MappingProxyType(
    {entry.name: entry for entry in _OF_INTERVALS}
)
"""Those that report starts and ends alone, by name."""

CATALOGUE: Mapping[str, Entry[AnyDetector]] = MappingProxyType({**DETECTORS, **INTERVAL_DETECTORS})
"""All of them."""


def warm_up(entry: Entry[AnyDetector]) -> None:
    """Load what a detector loads at its first use, so that it is no part of the time of a first case."""
    from detectors.carlson_lisper.adapters import SideBySide, Stretched

    for way in range(4):
        detector = entry.make(parse("a ; b"))
        if isinstance(detector, Stretched | SideBySide):
            detector.detect_trace([(way, {"a": None}), (way + 2, {"b": None})])
