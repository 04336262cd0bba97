"""Starts and ends by code generated for one expression: a generator for single instants, a compiled loop for many."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from functools import cached_property
from inspect import getgeneratorlocals
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from detectors import compiled, feeds
from detectors.demand import HINTS, demand
from detectors.intervals import Detections, Letters, Snapshot, Times, event_types, letter_type
from detectors.loops import loop_program
from detectors.planes import planes
from detectors.programs import (
    START_FUNCTIONS,
    START_STEPS,
    defined,
    parts,
    start_program,
    start_variables,
)
from detectors.start_queue import empty_queue, push, with_room
from semantics.errors import InputError
from semantics.expressions import Expression
from semantics.occurrences import Time

FORMAT = "remora/generated-detector/1"
"""The version of snapshots."""

SEGMENT = 1 << 20
"""How many instants a compiled loop runs over before it comes back."""

_Running = Generator[Time, int, None]


class Generated:
    """Detects the starts and ends of any ground expression.

    Memory is bounded if every label of the transformed expression is finite (Section 6).

    Attributes:
        expression: what is detected.
        names: the event types; the type of bit `i` of a letter is `names[i]`.
        compiles: whether stretches of a trace run in a compiled loop.
    """

    def __init__(self, expression: Expression, *, compiles: bool = compiled.AVAILABLE) -> None:
        """Generate the code and put it into its initial state."""
        self.expression = expression
        self.names = event_types(expression)
        self.compiles = compiles
        self._types = len(self.names)
        self._letter_type = letter_type(self._types)
        self._letters = (1 << self._types) - 1
        found = parts(expression, START_STEPS)
        self._size = len(found)
        self._demand = demand(found, self.names)
        variables = start_variables(found)
        self._labels = dict(variables.queues)
        self._times = dict(variables.times)
        self._queues: dict[str, list[int] | NDArray[np.int64]] = {
            name: empty_queue(label) for name, label in variables.queues.items()
        }
        self._running: _Running | None = None
        self._send: Callable[[int], Time] | None = None
        self._function: Callable[..., object] | None = None

    # ------------------------------------------------------------------------------------- one instant at a time

    def step(self, time: Time, letter: int) -> Time:
        """The greatest start of an instance that ends at this instant, or -1; see `IntervalDetector.step`."""
        send = self._send or self._start()
        start = send(~(time << self._types | letter & self._letters))
        if start == -2:
            raise ValueError(f"time {time} is not later than time {self._now} of the instant before")
        return start

    def ticking(self) -> Callable[[int], Time]:
        """A function from the letter of the next tick to the greatest start of an instance that ends there, or -1.

        Good until the detector is fed in another way; meant for loops where every microsecond counts.
        """
        return self._send or self._start()

    def _start(self) -> Callable[[int], Time]:
        if self._function is None:
            self._function = defined(
                start_program(self.expression),
                "detector",
                f"<starts of {self.expression}>",
                START_FUNCTIONS,
            )
        queues = {name: [int(time) for time in queue] for name, queue in self._queues.items()}
        self._running = cast(_Running, self._function(**self._times, **queues))
        next(self._running)
        self._send = self._running.send
        return self._send

    def _stop(self) -> None:
        """Take the state back from the generator, which keeps it in its local variables."""
        if self._running is not None:
            values = getgeneratorlocals(self._running)
            self._times = {name: values[name] for name in self._times}
            self._queues = {name: values[name] for name in self._queues}
            self._running.close()
            self._running = self._send = None

    @property
    def _now(self) -> Time:
        source = self._times if self._running is None else getgeneratorlocals(self._running)
        return int(source["now"])

    # ------------------------------------------------------------------------------------------ many at a time

    def chunk(self, letters: Letters, first: Time) -> Detections:
        """What ends within a stretch of a trace; see `IntervalDetector.chunk`."""
        self._check(first)
        if len(letters) == 0:
            return feeds.NOTHING
        if not self.compiles:
            detections = feeds.chunk_by_steps(self.step, letters, first)
            self._stop()
            self._times["now"] = first + len(letters) - 1
            return detections
        self._stop()
        letters = np.ascontiguousarray(letters, self._letter_type)
        if letters.ctypes.data % 8:  # planes are filled from eight letters at a time
            letters = letters.copy()
        room = planes(1 + len(self._demand.looked_up))
        chunk = self._loop("chunk")
        found: list[Detections] = []
        for begin in range(0, len(letters), SEGMENT):
            segment = letters[begin : begin + SEGMENT]
            found.append(self._run(chunk, len(segment), (segment, first + begin), (room,)))
        self._times["now"] = first + len(letters) - 1
        return feeds.concatenated(found)

    def events(self, times: Times, letters: Letters) -> Detections:
        """What ends at some instants; see `IntervalDetector.events`."""
        if len(times) == 0:
            return feeds.NOTHING
        self._check(int(times[0]))
        feeds.require_order(times)
        if not self.compiles:
            return feeds.events_by_steps(self.step, times, letters)
        self._stop()
        times = np.ascontiguousarray(times, np.int64)
        letters = np.ascontiguousarray(letters, self._letter_type)
        events = self._loop("events")
        found = []
        for begin in range(0, len(times), SEGMENT):
            part = times[begin : begin + SEGMENT], letters[begin : begin + SEGMENT]
            found.append(self._run(events, len(part[0]), (*part, len(part[0]), 0)))
        return feeds.concatenated(found)

    def sparse(self, columns: Sequence[Times]) -> Detections:
        """What ends in a trace given as the times of each event type; see `IntervalDetector.sparse`."""
        if not self.compiles:
            return self.events(*feeds.merged(columns))
        begins = [int(column[0]) for column in columns if len(column)]
        if not begins:
            return feeds.NOTHING
        self._check(min(begins))
        self._stop()
        loop = self._loop("sparse")
        positions = np.zeros(len(columns), np.int64)
        hints = np.zeros(HINTS * (self._size + 1), np.int64)
        limit = min(SEGMENT, sum(map(len, columns)))
        driving = [self.names.index(name) for name in self._demand.drivers]
        found = []
        while any(positions[index] < len(columns[index]) for index in driving):
            found.append(self._run(loop, limit, (*columns, positions, hints, limit)))
        self._catch_up(columns)
        return feeds.concatenated(found)

    def _catch_up(self, columns: Sequence[Times]) -> None:
        """Remember what was looked up in the columns, which are gone afterwards."""
        for operation in self._demand.looked_up.values():
            assert operation.part.place is not None
            place = operation.part.place
            times = [columns[self.names.index(name)] for name in operation.names]
            if operation.sequence and operation.part.label != 0:
                count, queue = place.variable("n"), place.variable("q")
                label = self._labels[queue]
                last = int(label) + 1
                needed = np.unique(np.concatenate([column[-last:] for column in times]))[-last:].tolist()
                roomy = with_room(self._queues[queue], self._times[count], label, len(needed))  # type: ignore[arg-type]
                self._queues[queue] = roomy
                for time in needed:
                    push(roomy, self._times[count], time, time)
                    self._times[count] += 1
            latest = max((int(column[-1]) for column in times if len(column)), default=-1)
            name = place.variable("t")
            self._times[name] = max(self._times[name], latest)
        self._times["now"] = max(int(column[-1]) for column in columns if len(column))

    @cached_property
    def _output(self) -> tuple[Times, Times]:
        return np.empty(SEGMENT + 1, np.int64), np.empty(SEGMENT + 1, np.int64)

    @cached_property
    def _text(self) -> str:
        return loop_program(self.expression)

    def _loop(self, name: str) -> Callable[..., int]:
        from detectors import kernels  # loads Numba, for those who need it

        return cast(Callable[..., int], getattr(kernels.loops(self._text), name))

    def _run(
        self, loop: Callable[..., int], instants: int, before: Sequence[object], after: Sequence[object] = ()
    ) -> Detections:
        """Run a compiled loop over at most so many instants."""
        state = np.array(list(self._times.values()), np.int64)
        starts, ends = self._output
        count = loop(*before, state, *self._arrays(instants), starts, ends, *after)
        self._times = dict(zip(self._times, state.tolist(), strict=True))
        return Detections(starts[:count].copy(), ends[:count].copy())

    def _arrays(self, pushes: int) -> Sequence[NDArray[np.int64]]:
        """The queues as arrays that have room for so many pushes."""
        for name, label in self._labels.items():
            queue = self._queues[name]
            roomy: Any = with_room(queue, self._times["n" + name[1:]], label, pushes)  # type: ignore[arg-type]
            self._queues[name] = np.asarray(roomy, np.int64)
        return list(self._queues.values())  # type: ignore[arg-type]

    def _check(self, first: Time) -> None:
        if first <= self._now:
            raise ValueError(f"time {first} is not later than time {self._now} of the instant before")

    # ------------------------------------------------------------------------------------------------- snapshots

    def snapshot(self) -> Snapshot:
        """The state after the last instant."""
        self._stop()
        return {
            "schema": FORMAT,
            "expression": str(self.expression),
            "times": {name: int(value) for name, value in self._times.items()},
            "queues": {name: [int(time) for time in queue] for name, queue in self._queues.items()},
        }

    def restore(self, snapshot: Snapshot) -> None:
        """Go on from a state that a detector for the same expression had.

        Raises:
            InputError: the snapshot belongs to another expression or another kind of detector.
        """
        if snapshot.get("schema") != FORMAT or snapshot.get("expression") != str(self.expression):
            raise InputError(
                f"the snapshot is not one of a generated detector for {self.expression}",
                remedy="Restore it into a detector for the same expression, made by the same version.",
            )
        times, queues = cast(Any, snapshot["times"]), cast(Any, snapshot["queues"])
        if set(times) != set(self._times) or set(queues) != set(self._queues):
            raise InputError("the snapshot lacks variables of the detector")
        self._stop()
        self._times = {name: int(times[name]) for name in self._times}
        self._queues = {name: [int(time) for time in queues[name]] for name in self._queues}

    def stored(self) -> int:
        """How many starts are kept in queues."""
        self._stop()
        return sum(min(self._times["n" + name[1:]], len(queue) >> 1) for name, queue in self._queues.items())
