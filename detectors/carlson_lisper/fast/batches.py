"""Many traces at once: the same instants of all of them, side by side."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import DTypeLike, NDArray

from detectors.carlson_lisper.fast.lanes import MAX_TIME, compiled_text, lane_program, vector_text, width
from detectors.carlson_lisper.fast.planes import LINE
from detectors.carlson_lisper.intervals import Detections, Letters, letter_type
from detectors.generated_code import defined
from semantics import compiled
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.occurrences import Time

Outcomes: TypeAlias = NDArray[np.uint8] | NDArray[np.int32]
"""Shape (instants, traces): see `Batch.run`."""

LARGE = 1 << 23
"""Outcomes of so many bytes are not in the cache any more when they are read."""


def aligned(shape: tuple[int, ...], kind: DTypeLike) -> NDArray[Any]:
    """Memory for an array in which no vector register lies in two lines of the processor's cache."""
    size = int(np.prod(shape)) * np.dtype(kind).itemsize
    memory = np.empty(size + LINE, np.uint8)
    begin = -memory.ctypes.data % LINE
    return memory[begin : begin + size].view(kind).reshape(shape)


class Batch:
    """Detects the starts and ends of one expression in many traces, which all have the same instants.

    Attributes:
        names: the event types; the type of bit `i` of a letter is `names[i]`.
        ages: whether outcomes are ages of eight bits: no instance of the expression is longer than 254 ticks.
        none: the outcome that says that nothing was detected.
        compiles: whether its loop is compiled; otherwise NumPy works through the instants.
    """

    def __init__(self, expression: Expression, traces: int, *, compiles: bool = compiled.AVAILABLE) -> None:
        """Prepare for so many traces.

        Raises:
            LimitExceeded: there are more than 63 event types.
        """
        self._program = lane_program(expression)
        self.names = self._program.names
        self.ages = self._program.ages
        self.none = self._program.none
        self._kind: Any = np.uint8 if self.ages else np.int32
        self._traces = traces
        variables = len(self._program.variables)
        self._now: Time = -1
        self.compiles = compiles
        if compiles:
            self._lanes = width(self._program, traces)
            self._padded = -(-traces // self._lanes) * self._lanes
            self._states = np.full(
                (self._padded // self._lanes, variables, self._lanes), self.none, self._kind
            )
        else:
            self._variables = [np.full(traces, self.none, self._kind) for _ in range(variables)]

    def run(
        self, letters: Letters, first: Time | None = None, *, out: NDArray[Any] | None = None
    ) -> Outcomes:
        """What is detected at each instant of each trace.

        Args:
            letters: what occurs, shape (instants, traces).
            first: the time of the first instant; the next tick if it is left out.
            out: where to write the outcomes, of their shape and type; new memory costs as much as the detection.

        Returns:
            Shape (instants, traces). With `ages`, how many ticks ago the latest started instance that ends then
            started, 255 for none; otherwise its start, -1 for none.

        Raises:
            ValueError: the shape is another, or the time is not the next tick or too late.
        """
        first = self._now + 1 if first is None else first
        if letters.ndim != 2 or letters.shape[1] != self._traces:
            raise ValueError(f"letters of shape (instants, {self._traces}) expected, not {letters.shape}")
        if first != self._now + 1:
            raise ValueError(
                f"the next tick is {self._now + 1}, not {first}: traces go side by side tick by tick"
            )
        if not self.ages and first + len(letters) > MAX_TIME:
            raise ValueError(f"times above {MAX_TIME:,} do not fit 32 bits")
        self._now = first + len(letters) - 1
        letters = letters.astype(letter_type(len(self.names)), copy=False)
        if out is None:
            out = aligned(letters.shape, self._kind)
        elif out.shape != letters.shape or out.dtype != self._kind:
            raise ValueError(
                f"the array for outcomes is not of shape {letters.shape} and type {self._kind.__name__}"
            )
        if self.compiles:
            self._compiled(letters, first, out)
        else:
            self._vectors(letters, first, out)
        return cast(Outcomes, out)

    def _compiled(self, letters: Letters, first: Time, out: NDArray[Any]) -> None:
        from detectors.carlson_lisper.fast import kernels

        padding = self._padded - self._traces
        if padding:
            letters = np.pad(letters, ((0, 0), (0, padding)))
        fits = not padding and out.flags.c_contiguous
        outcomes = out if fits else aligned(letters.shape, self._kind)
        function = kernels.loops(compiled_text(self._program, self._lanes)).batch
        is_large = outcomes.nbytes >= LARGE and outcomes.ctypes.data % LINE == 0
        function(np.ascontiguousarray(letters), first, self._states, outcomes, is_large)
        if not fits:
            out[:] = outcomes[:, : self._traces]

    def _vectors(self, letters: Letters, first: Time, out: NDArray[Any]) -> None:
        kind, none = self._kind, self._kind(self.none)
        for index, line in enumerate(letters):
            now = kind(0 if self.ages else first + index)
            outcome, variables = self._instant(line, now, *self._variables, none, np.where)
            out[index] = outcome
            self._variables = [variable.astype(kind, copy=False) for variable in variables]

    @cached_property
    def _instant(self) -> Callable[..., tuple[NDArray[Any], tuple[NDArray[Any], ...]]]:
        """What happens at one instant of all traces; made when it is first needed."""
        return cast(
            Callable[..., tuple[NDArray[Any], tuple[NDArray[Any], ...]]],
            defined(vector_text(self._program), "instant", "<many traces>", {}),
        )

    def detections(self, outcomes: Outcomes, trace: int, first: Time) -> Detections:
        """The outcomes of one trace as starts and ends.

        Args:
            outcomes: of `run`.
            trace: the column.
            first: the time of the first row.
        """
        column = outcomes[:, trace]
        rows = np.flatnonzero(column != self.none)
        ends = rows.astype(np.int64) + first
        found = column[rows].astype(np.int64)
        return Detections(ends - found if self.ages else found, ends)
