"""The catalogue of detectors: what each reports and keeps, how far it is proved, what it is for.

Nothing heavy is imported before a detector is made: whole instances are found without arrays.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Generic, Literal, TypeAlias, TypeVar

from detectors.carlson_lisper.protocol import Detector
from detectors.protocol import NodeState
from semantics.carlson_lisper.expressions import UNBOUNDED, Expression, Operation, bottom_up

if TYPE_CHECKING:  # which bring NumPy
    from detectors.carlson_lisper.adapters import AnyDetector, Blockwise
    from detectors.carlson_lisper.register.machine import RegisterMachine
    from detectors.carlson_lisper.steppers import Spans

DetectorT = TypeVar("DetectorT", covariant=True)

Wanted: TypeAlias = Literal["instances", "intervals"]
"""Whole instances, or only their starts and ends."""


@dataclass(frozen=True)
class Entry(Generic[DetectorT]):
    """A detector by its name; calling it makes a fresh one for a ground expression, to be tried on cases.

    Attributes:
        reports: whole instances, or starts and ends alone.
        about: what it is and how it is fed, in a few words.
        memory: what bounds what it keeps.
        proved: which of its steps are proved; "" where none is.
        purpose: what it is there for.
        make: makes a fresh one.
        validated: whether the text that is made for a pattern is validated against the proved steps; what is neither
            proved nor validated is tested against the semantics only.
    """

    name: str
    reports: Wanted
    about: str
    memory: Literal["labels", "every pattern", "nothing"]
    proved: str
    purpose: str
    make: Callable[[Expression], DetectorT]
    validated: bool = False

    def __call__(self, expression: Expression) -> DetectorT:
        """A fresh detector for a ground expression.

        Raises:
            LimitExceeded: the expression is beyond what this detector takes.
        """
        return self.make(expression)

    def is_bounded(self, expression: Expression) -> bool:
        """Whether what it keeps for a ground expression does not grow with the input."""
        return self.memory == "every pattern" or (
            self.memory == "labels" and without_bound(expression) is None
        )


def without_bound(expression: Expression) -> Operation | None:
    """A sequence of the transformed expression with the label ∞, if there is one: its queue grows with the input."""
    from detectors.carlson_lisper.source.transformation import transform

    nodes = bottom_up(transform(expression).expression)
    return next((node for node in nodes if isinstance(node, Operation) and node.label == UNBOUNDED), None)


# ------------------------------------------------------------------------------------------------------ instances


def _figure2(expression: Expression) -> Detector:
    from detectors.carlson_lisper.source.figure2 import Figure2

    return Figure2(expression)


def _figure3(expression: Expression) -> Detector:
    from detectors.carlson_lisper.generated.figure3 import Figure3

    return Figure3(expression)


def _figure4(expression: Expression) -> Detector:
    from detectors.carlson_lisper.source.figure4 import figure4

    return figure4(expression)


def _recent(expression: Expression) -> Detector:
    from detectors.carlson_lisper.generated.programs import GENERATED_STEPS
    from detectors.carlson_lisper.source.figure4 import figure4

    return figure4(expression, GENERATED_STEPS)


_OF_INSTANCES: tuple[Entry[Detector], ...] = (
    Entry("figure2", "instances", "Figure 2", "nothing", "all five", "the source's algorithm", _figure2),
    Entry(
        "figure3",
        "instances",
        "code generated as in Figure 3",
        "labels",
        "",
        "default",
        _figure3,
        validated=True,
    ),
    Entry(
        "figure4",
        "instances",
        "Figures 2 and 4",
        "labels",
        "all five, and the transformation",
        "the source's algorithm with bounded memory",
        _figure4,
    ),
    Entry(
        "recent",
        "instances",
        "Figure 2's sequence with another place for its candidates",
        "labels",
        "all five, and the transformation",
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

    choice = zlib.crc32(str(expression).encode()) % (2 * len(FEW_STATES))
    max_states = FEW_STATES[choice] if choice < len(FEW_STATES) else MAX_STATES
    return RegisterMachine(expression, steps=STEPS, max_states=max_states)


def _machine_steps(expression: Expression) -> Spans:
    from detectors.carlson_lisper.steppers import Spans

    def nodes(made: RegisterMachine) -> tuple[NodeState, ...]:
        return (NodeState(1, expression, {}, len(made.starts), made.table.runs.most),)

    return Spans(machine(expression), nodes)


def _generated_steps(expression: Expression) -> Spans:
    from detectors.carlson_lisper.generated.start_detector import Generated
    from detectors.carlson_lisper.steppers import Spans

    return Spans(Generated(expression))


def _blockwise(expression: Expression) -> Blockwise:
    from detectors.carlson_lisper.adapters import Blockwise

    return Blockwise(expression)


ARRAYS = "arrays"
"""The evaluation of files by columns, which finds whole instances too."""

DEFAULT_OF_INTERVALS = "generated"

_OF_INTERVALS: tuple[Entry[AnyDetector], ...] = (
    Entry(
        ARRAYS,
        "intervals",
        "all instants of a block of rows at once, by running maxima; partitions side by side",
        "nothing",
        "",
        "files read by columns; whole instances as well",
        _blockwise,
    ),
    Entry(
        DEFAULT_OF_INTERVALS,
        "intervals",
        "code generated for the expression, which keeps starts alone",
        "every pattern",
        "",
        "default for starts and ends",
        _generated_steps,
        validated=True,
    ),
    Entry(
        "register-machine",
        "intervals",
        "the register machine",
        "every pattern",
        "",
        "oracle that shares no code with the others",
        _machine_steps,
    ),
)

INTERVAL_DETECTORS: Mapping[str, Entry[AnyDetector]] = MappingProxyType(
    {entry.name: entry for entry in _OF_INTERVALS}
)
"""Those that report starts and ends alone, by name."""

CATALOGUE: Mapping[str, Entry[AnyDetector]] = MappingProxyType({**DETECTORS, **INTERVAL_DETECTORS})
"""All of them."""
