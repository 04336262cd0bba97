"""Facts about an expression and an input, for the chooser.

Nothing heavy is imported, and nothing is built, before somebody asks for it: whole instances are found without arrays.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeAlias

from detectors.carlson_lisper.fast.kernel_files import kernel_folder, kernel_name
from detectors.carlson_lisper.protocol import event_types
from detectors.carlson_lisper.source.transformation import transform
from semantics import compiled
from semantics.carlson_lisper.expressions import UNBOUNDED, Expression, Operation, bottom_up
from semantics.compiled import is_compiled
from semantics.errors import LimitExceeded

Wanted: TypeAlias = Literal["instances", "intervals"]
"""Whole instances, or only their starts and ends."""

Feed: TypeAlias = Literal["instants", "letters", "events", "columns", "traces"]
"""How a detector of intervals is fed: `step`, `chunk`, `events`, `sparse`, or many traces of the same instants."""

BUILDING_STEPS = 20_000
"""So many steps may be done to build a register machine when a detector is chosen; less than a tenth of a second."""

FOREVER = 10**12
"""The instants of an input that may go on for ever, for comparing costs."""


@dataclass(frozen=True)
class Input:
    """What is known of what a detector is to do.

    Attributes:
        wanted: instances, or starts and ends alone.
        feed: how it is fed; instances are found one instant at a time.
        instants: how many instants with occurrences there are, about, in all traces together; None where the input
            may go on for ever.
        ticks: for letters and for many traces, how many ticks a trace has, about; None where that is not known.
        traces: how many traces there are side by side.
        compiles: whether Numba is there.
        loaded: whether Numba is loaded already.
    """

    wanted: Wanted = "intervals"
    feed: Feed = "instants"
    instants: int | None = None
    ticks: int | None = None
    traces: int = 1
    compiles: bool = compiled.AVAILABLE
    loaded: bool = field(default_factory=lambda: "numba" in sys.modules)

    @property
    def many(self) -> int:
        """The number of instants for comparing costs."""
        return FOREVER if self.instants is None else self.instants

    @property
    def length(self) -> int:
        """The number of ticks for comparing costs."""
        return self.many if self.ticks is None else self.ticks


class Known:
    """What is known of an expression and an input; what takes time is found out when it is asked for.

    Attributes:
        expression: what is to be detected.
        input: what is to be done.
    """

    def __init__(self, expression: Expression, input: Input) -> None:
        """Note the two."""
        self.expression = expression
        self.input = input
        self._made: dict[Callable[[Expression], Any], Any] = {}

    def fresh(self, make: Callable[[Expression], Any]) -> Any:
        """A detector in its initial state; its code is generated once for all that are made."""
        if make not in self._made:
            self._made[make] = make(self.expression)
        return self._made[make].fresh()

    @cached_property
    def _operations(self) -> list[Operation]:
        nodes = bottom_up(transform(self.expression).expression)
        return [node for node in nodes if isinstance(node, Operation)]

    @property
    def operations(self) -> int:
        """How many distinct operations the transformed expression has."""
        return len(self._operations)

    @cached_property
    def unbounded(self) -> tuple[Operation, ...]:
        """The sequences with the label ∞."""
        return tuple(node for node in self._operations if node.label == UNBOUNDED)

    @property
    def types(self) -> int:
        """How many event types the expression has."""
        return len(event_types(self.expression))

    def no_loop(self) -> str:
        """Why no loop is compiled; "" if one is."""
        from detectors.carlson_lisper.intervals import MAX_NAMES

        if self.types > MAX_NAMES:
            return f"there are more than {MAX_NAMES} event types"
        return "" if self.input.compiles else "Numba is not installed"

    def no_machine(self) -> str:
        """Why there is no register machine; "" if there is one."""
        return self.machine if isinstance(self.machine, str) else ""

    def no_batch(self) -> str:
        """Why traces cannot go side by side; "" if they can."""
        from detectors.carlson_lisper.fast.lanes import lane_program

        try:
            lane_program(self.expression)
        except LimitExceeded as error:
            return error.reason
        return ""

    @cached_property
    def machine(self) -> Any:
        """The register machine, or the reason why it was not built."""
        from detectors.carlson_lisper.register.machine import RegisterMachine

        try:
            return RegisterMachine(self.expression, steps=BUILDING_STEPS)
        except LimitExceeded as error:
            return error.reason

    @property
    def many_at_a_time(self) -> bool:
        """Whether the input comes in stretches, over which a compiled loop can run."""
        return self.input.feed != "instants"

    @property
    def loop(self) -> str:
        """The compiled function that the feed needs."""
        if self.input.feed in ("letters", "traces"):
            from detectors.carlson_lisper.fast.bit_parallel import words_for

            busy = self.input.many / max(1, self.input.length * self.input.traces)
            return "chunk" if words_for(self.expression, self.input.length, busy=busy) is None else "words"
        return "sparse" if self.input.feed == "columns" else "events"

    @cached_property
    def loop_is_compiled(self) -> bool:
        """Whether the generated loop was compiled before, by this process or another one."""
        from detectors.carlson_lisper.fast.loops import loop_program

        module = kernel_folder() / f"{kernel_name(loop_program(self.expression))}.py"
        return is_compiled(module, self.loop)

    @cached_property
    def batch_is_compiled(self) -> bool:
        """The same of the loop over many traces."""
        from detectors.carlson_lisper.fast.lanes import compiled_text, lane_program, width

        program = lane_program(self.expression)
        name = kernel_name(compiled_text(program, width(program, self.input.traces)))
        return is_compiled(kernel_folder() / f"{name}.py", "batch")
