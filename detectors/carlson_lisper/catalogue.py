"""The catalogue of detectors: what each reports and keeps, how far it is proved, what it is for, what it costs.

Nothing heavy is imported before a detector is made: whole instances are found without arrays.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from detectors.carlson_lisper.expected_time import Cost
from detectors.carlson_lisper.generated.figure3 import Figure3
from detectors.carlson_lisper.generated.programs import GENERATED_STEPS, STATIC_PLACES
from detectors.carlson_lisper.known import Feed, Known, Wanted
from detectors.carlson_lisper.protocol import Detector
from detectors.carlson_lisper.source.figure2 import Figure2, StepFactory
from detectors.carlson_lisper.source.figure4 import figure4
from detectors.carlson_lisper.source.steps import Step
from detectors.carlson_lisper.source.stores import RecentSequenceStep
from detectors.protocol import NodeState
from semantics.carlson_lisper.expressions import Expression, Operation
from semantics.carlson_lisper.syntax import parse

if TYPE_CHECKING:  # which bring NumPy
    from detectors.carlson_lisper.adapters import AnyDetector, Blockwise, SideBySide, Stretched
    from detectors.carlson_lisper.fast.batches import Batch
    from detectors.carlson_lisper.generated.generated import Generated
    from detectors.carlson_lisper.intervals import IntervalDetector
    from detectors.carlson_lisper.register.machine import RegisterMachine
    from detectors.carlson_lisper.steppers import Spans

DetectorT = TypeVar("DetectorT", covariant=True)


def _nothing(known: Known) -> str:
    return ""


@dataclass(frozen=True)
class Choosable:
    """What the chooser knows of a detector that it may take.

    Attributes:
        what: what it is, for people.
        feeds: how it can be fed.
        cost: what it costs.
        fresh: makes one to be fed so: of instances, of intervals (for traces, one for each), or a `Batch`.
        obstacle: why it cannot be taken; an empty text if it can. Asked last, because it may take time.
    """

    what: str
    feeds: tuple[Feed, ...]
    cost: Cost
    fresh: Callable[[Known], Any]
    obstacle: Callable[[Known], str] = _nothing


@dataclass(frozen=True)
class Entry(Generic[DetectorT]):
    """A detector by its name; calling it makes a fresh one for a ground expression, to be tried on cases.

    Attributes:
        name: as it is called everywhere.
        reports: whole instances, or starts and ends alone.
        about: what it is and how it is fed, in a few words.
        memory: what bounds what it keeps.
        proved: which of its steps are proved; "" where none is.
        purpose: what it is there for.
        make: makes a fresh one.
        choosable: what the chooser knows of it; None if it is only taken by its name.
        validated: whether the text that is made for a pattern is validated against the proved steps, when it is fed one
            instant at a time; what is neither proved nor validated is tested against the semantics only.
    """

    name: str
    reports: Wanted
    about: str
    memory: Literal["labels", "every pattern", "nothing"]
    proved: str
    purpose: str
    make: Callable[[Expression], DetectorT]
    choosable: Choosable | None = None
    validated: bool = False

    def __call__(self, expression: Expression) -> DetectorT:
        """A fresh detector for a ground expression.

        Raises:
            LimitExceeded: the expression is beyond what this detector takes.
        """
        return self.make(expression)

    @property
    def is_compiled(self) -> bool:
        """Whether it runs in a compiled loop."""
        return self.name.endswith("compiled")

    def is_bounded(self, known: Known) -> bool:
        """Whether its memory does not grow with the input."""
        return self.memory == "every pattern" or (self.memory == "labels" and not known.unbounded)


_STRETCHES: tuple[Feed, ...] = ("letters", "events", "columns", "traces")
_ALL: tuple[Feed, ...] = ("instants", *_STRETCHES)

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
    Entry(
        "figure3",
        "instances",
        "code generated as in Figure 3",
        "labels",
        "",
        "default",
        Figure3,
        Choosable(
            "code generated for the expression (Figure 3), with whole instances",
            _ALL,
            Cost(1e-3, 1.5e-3, instant=1.5e-6, instant_operation=0.4e-6),
            lambda known: known.fresh(Figure3),
        ),
        validated=True,
    ),
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


def _generated(expression: Expression, *, compiles: bool = False) -> Generated:
    from detectors.carlson_lisper.generated.generated import Generated

    return Generated(expression, compiles=compiles)


def _loops(expression: Expression) -> Generated:
    from detectors.carlson_lisper.generated.interpreted_loops import InterpretedLoops

    return InterpretedLoops(expression)


def _batch(expression: Expression, traces: int, *, compiles: bool = False) -> Batch:
    from detectors.carlson_lisper.fast.batches import Batch

    return Batch(expression, traces, compiles=compiles)


_compiled = partial(_generated, compiles=True)
_compiled_batch = partial(_batch, compiles=True)


def _machine_steps(expression: Expression) -> Spans:
    from detectors.carlson_lisper.steppers import Spans

    made = machine(expression)
    return Spans(made, lambda: (NodeState(1, expression, {}, len(made.starts), made.table.runs.most),))


def _generated_steps(expression: Expression) -> Spans:
    from detectors.carlson_lisper.steppers import Spans

    return Spans(_generated(expression))


def _stretched(make: Callable[[Expression], IntervalDetector]) -> Callable[[Expression], Stretched]:
    def stretched(expression: Expression) -> Stretched:
        from detectors.carlson_lisper.adapters import Stretched

        return Stretched(expression, make)

    return stretched


def _side_by_side(make: Callable[[Expression, int], Batch]) -> Callable[[Expression], SideBySide]:
    def side_by_side(expression: Expression) -> SideBySide:
        from detectors.carlson_lisper.adapters import SideBySide

        return SideBySide(expression, make)

    return side_by_side


def _blockwise(expression: Expression) -> Blockwise:
    from detectors.carlson_lisper.adapters import Blockwise

    return Blockwise(expression)


def _entry(
    name: str,
    about: str,
    purpose: str,
    make: Callable[[Expression], AnyDetector],
    choosable: Choosable | None = None,
) -> Entry[AnyDetector]:
    validated = name in ("generated", "generated-steps")
    return Entry(name, "intervals", about, "every pattern", "", purpose, make, choosable, validated)


ARRAYS = "arrays"
"""The evaluation of files by columns, which finds whole instances too."""

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
    _entry(
        "generated",
        "generated code, fed in every way in turn",
        "default for starts and ends",
        _stretched(_generated),
        Choosable(
            "code generated for the expression, with starts alone, in bounded memory",
            _ALL,
            Cost(1e-3, 1e-3, instant=0.2e-6, instant_operation=0.03e-6, tick=1e-9),
            lambda known: known.fresh(_generated),
        ),
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
        _stretched(_loops),
    ),
    _entry(
        "generated-compiled",
        "the same compiled, which takes seconds per expression",
        "array kernels: letters, events, columns",
        _stretched(_compiled),
        Choosable(
            "a loop generated for the expression and compiled, with starts alone, in bounded memory",
            _STRETCHES,
            Cost(1e-3, 1e-3, 0.6, 0.35, instant=2.5e-9, instant_operation=1.2e-9, tick=0.9e-9),
            lambda known: known.fresh(_compiled),
            Known.no_loop,
        ),
    ),
    _entry(
        "register-machine",
        "the register machine, fed in every way in turn",
        "oracle that shares no code with the others",
        _stretched(machine),
        # A machine of many states is slower than the patterns that were measured: so it costs a little for each
        # operation.
        Choosable(
            "the register machine, in bounded memory",
            _ALL,
            Cost(4e-3, 1e-3, instant=0.5e-6, instant_operation=0.04e-6, tick=1e-9, shared=True),
            lambda known: known.machine.fresh(),
            Known.no_machine,
        ),
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
        _side_by_side(_batch),
        Choosable(
            "the same instants of all traces side by side, by NumPy",
            ("traces",),
            Cost(1e-3, 2e-3, tick=4e-6, tick_operation=9e-6, lane=3e-9),
            lambda known: _batch(known.expression, known.input.traces),
            Known.no_batch,
        ),
    ),
    _entry(
        "batch-compiled",
        "the same compiled, which takes seconds per expression",
        "array kernels: many traces",
        _side_by_side(_compiled_batch),
        Choosable(
            "the same instants of all traces side by side, in a compiled loop",
            ("traces",),
            Cost(1e-3, 3e-3, 0.5, 0.2, tick=15e-9, lane=0.06e-9),
            lambda known: _compiled_batch(known.expression, known.input.traces),
            Known.no_loop,
        ),
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
