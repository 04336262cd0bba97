"""Starts and ends by code generated for one expression: a function for single instants, a compiled loop for many."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any, Protocol, cast

import numpy as np

from detectors.carlson_lisper import restoring
from detectors.carlson_lisper.fast.bit_parallel import WORTH, BitParallel, words_for
from detectors.carlson_lisper.fast.collecting import Collected
from detectors.carlson_lisper.fast.loops import loop_program
from detectors.carlson_lisper.fast.planes import planes
from detectors.carlson_lisper.generated.demand import demand
from detectors.carlson_lisper.generated.instants import start_variables
from detectors.carlson_lisper.generated.start_programs import START_FUNCTIONS, start_program
from detectors.carlson_lisper.generated.step_variables import CopiedBySnapshot, kept_variables
from detectors.carlson_lisper.intervals import (
    MAX_NAMES,
    NOTHING,
    Detections,
    Letters,
    Snapshot,
    Times,
    chunk_by_steps,
    event_types,
    events_by_steps,
    letter_type,
    merged,
    require_order,
)
from detectors.generated_code import defined
from semantics import compiled
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.occurrences import Time

FORMAT = "remora/generated-detector/3"
"""The version of snapshots."""

SEGMENT = 1 << 20
"""A compiled loop runs over at most so many instants before it comes back."""


class StartStep(Protocol):
    """A step of a detector of starts and ends."""

    def __call__(self, time: Time, letter: int) -> Time:
        """See `IntervalDetector.step`."""


def _busy(letters: Letters) -> float:
    """In what share of letters something occurs, by a few thousand of them."""
    some = letters[:: len(letters) // 4096 + 1]
    return float(np.count_nonzero(some) / len(some))


class Generated(CopiedBySnapshot):
    """Detects the starts and ends of any ground expression, in memory that is bounded for each.

    Every start carries the matches that sequences will ask for (`detectors.carlson_lisper.generated.carried`),
    so nothing is queued, whatever the labels are.

    An expression may have any number of event types. Letters of more than 63 are Python's own numbers, in arrays of
    the type `object`; no loop is compiled for them.

    Attributes:
        expression: what is detected.
        names: the event types; the type of bit `i` of a letter is `names[i]`.
        compiles: whether stretches of a trace run in a compiled loop.
        program: makes the code for single instants.
        words_from: letters of so many instants at least are taken 64 at a time, if the expression allows that and
            enough occurs in them; with 0, whatever occurs.
    """

    program = staticmethod(start_program)
    words_from = WORTH

    def __init__(self, expression: Expression, *, compiles: bool = compiled.AVAILABLE) -> None:
        """Take the initial state; the code is generated when it is first needed."""
        self.expression = expression
        self.names = event_types(expression)
        self.compiles = compiles
        self._types = len(self.names)
        self._letter_type: Any = letter_type(self._types)
        self._demand = demand(expression)
        self._variables = start_variables(self._demand)
        self._made: list[Callable[..., object]] = []  # none or one; also of those that `fresh` makes
        self._begin()

    def _begin(self) -> None:
        """Take the initial state."""
        self._times = dict.fromkeys(self._variables, -1)

    def made(self) -> tuple[str, Mapping[str, object]]:
        """The text for single instants, and the variables that it starts with."""
        return self.program(self.expression), dict.fromkeys(self._variables, -1)

    def _restart(self) -> None:
        vars(self).pop("step", None)
        self._begin()

    # ------------------------------------------------------------------------------------- one instant at a time

    @cached_property
    def step(self) -> StartStep:
        """The greatest start of an instance that ends at this instant, or -1; see `IntervalDetector.step`.

        A function that keeps the state in variables of its own. It stays the detector's, however that is fed in
        between, so a loop may hold on to it.
        """
        if not self._made:
            text = self.program(self.expression)
            self._made.append(defined(text, "detector", f"<starts of {self.expression}>", START_FUNCTIONS))
        return cast(StartStep, self._made[0](**self._times))

    def _take(self) -> None:
        """Take the state from the step, if there is one."""
        if "step" in vars(self):
            variables = kept_variables(self.step)
            self._times = {name: variables[name].cell_contents for name in self._variables}

    def _give(self) -> None:
        """Give the state to the step, if there is one."""
        if "step" in vars(self):
            variables = kept_variables(self.step)
            for name, value in self._times.items():
                variables[name].cell_contents = value

    @contextmanager
    def _at_hand(self) -> Iterator[None]:
        """Have the state in the detector's own variables for a while."""
        self._take()
        try:
            yield
        finally:
            self._give()

    @property
    def _now(self) -> Time:
        self._take()
        return int(self._times["now"])

    # ------------------------------------------------------------------------------------------ many at a time

    @property
    def _in_loops(self) -> bool:
        return self.compiles and self._types <= MAX_NAMES

    def chunk(self, letters: Letters, first: Time) -> Detections:
        """What ends within a stretch of a trace; see `IntervalDetector.chunk`."""
        self._check(first)
        if len(letters) == 0:
            return NOTHING
        if not self._in_loops:
            found = chunk_by_steps(self.step, letters, first)
        else:
            letters = np.ascontiguousarray(letters, self._letter_type)
            busy = _busy(letters) if self.words_from else 1.0
            program = words_for(self.expression, len(letters), self.words_from, busy)
            if program is None:
                found = self._walked(letters, first)
            else:
                found = self._by_words(letters, first, program)
        with self._at_hand():
            self._times["now"] = first + len(letters) - 1
        return found

    def _walked(self, letters: Letters, first: Time) -> Detections:
        """What ends within a stretch, by a walk through the instants at which it can."""
        room = planes(1 + len(self._demand.looked_up))
        chunk = self._loop("chunk")
        found = Collected(len(letters))
        with self._at_hand():
            for begin in range(0, len(letters), SEGMENT):
                self._run(chunk, found, (letters[begin : begin + SEGMENT], first + begin), (room,))
        return found.detections()

    def _by_words(self, letters: Letters, first: Time, program: BitParallel) -> Detections:
        """What ends within a long stretch, 64 instants at a time.

        Words know nothing of what came before the stretch, so its first instants are gone through one by one. What
        comes after it asks for nothing earlier than its last ones: gone through from an initial state, they are the
        state.
        """
        reach = program.bound
        found = Collected(len(letters) + reach)
        found.put(chunk_by_steps(self.step, letters[:reach], first))
        room = planes(len(program.filled))
        words = self._loop("words")
        for begin in range(reach, len(letters), SEGMENT):
            stretch = letters[begin - reach : begin + SEGMENT]
            found.add(words(stretch, first + begin - reach, *found.room(), room), since=first + begin)
        self._begin()
        self._give()
        chunk_by_steps(self.step, letters[len(letters) - reach :], first + len(letters) - reach)
        return found.detections()

    def events(self, times: Times, letters: Letters) -> Detections:
        """What ends at some instants; see `IntervalDetector.events`."""
        if len(times) != len(letters):  # a compiled loop would read what lies behind the shorter one
            raise ValueError(f"{len(times)} times and {len(letters)} letters")
        if len(times) == 0:
            return NOTHING
        self._check(int(times[0]))
        require_order(times)
        if not self._in_loops:
            return events_by_steps(self.step, times, letters)
        times = np.ascontiguousarray(times, np.int64)
        letters = np.ascontiguousarray(letters, self._letter_type)
        events = self._loop("events")
        found = Collected(len(times))
        with self._at_hand():
            for begin in range(0, len(times), SEGMENT):
                end = begin + SEGMENT
                self._run(events, found, (times[begin:end], letters[begin:end]))
        return found.detections()

    def sparse(self, columns: Sequence[Times]) -> Detections:
        """What ends in a trace given as the times of each event type; see `IntervalDetector.sparse`."""
        if not self._in_loops:
            return self.events(*merged(columns))
        begins = [int(column[0]) for column in columns if len(column)]
        if not begins:
            return NOTHING
        self._check(min(begins))
        loop = self._loop("sparse")
        positions = np.zeros(len(columns) + 1, np.int64)  # and whether all has been walked through
        hints = np.zeros(self._types * (len(self._demand.parts) + 1), np.int64)
        driving = [self.names.index(name) for name in self._demand.drivers]
        found = Collected(sum(len(columns[index]) for index in driving))
        with self._at_hand():
            while not positions[-1]:
                self._run(loop, found, (*columns, positions, hints, SEGMENT))
            self._times["now"] = max(int(column[-1]) for column in columns if len(column))
        return found.detections()

    @cached_property
    def _text(self) -> str:
        return loop_program(self.expression)

    def _loop(self, name: str) -> Callable[..., int]:
        from detectors.carlson_lisper.fast import kernels

        return cast(Callable[..., int], getattr(kernels.loops(self._text), name))

    def _run(
        self,
        loop: Callable[..., int],
        found: Collected,
        before: Sequence[object],
        after: Sequence[object] = (),
    ) -> None:
        """Run a compiled loop over at most `SEGMENT` instants."""
        state = np.array(list(self._times.values()), np.int64)
        count = loop(*before, state, *found.room(), *after)
        self._times = dict(zip(self._variables, state.tolist(), strict=True))
        found.add(count)

    def _check(self, first: Time) -> None:
        if first <= self._now:
            raise ValueError(f"time {first} is not later than time {self._now} of the instant before")

    # ------------------------------------------------------------------------------------------------- snapshots

    def snapshot(self) -> Snapshot:
        """The state after the last instant."""
        self._take()
        return {
            "schema": FORMAT,
            "expression": str(self.expression),
            "now": int(self._times["now"]),
            "times": {name: int(self._times[name]) for name in self._variables if name != "now"},
        }

    def restore(self, snapshot: Snapshot) -> None:
        """Go on from a state that a detector for the same expression had.

        Raises:
            InputError: the snapshot belongs to another expression or another kind of detector, or no detector for
                the expression can have been in the state.
        """
        origin = {"schema": FORMAT, "expression": str(self.expression)}
        stored = restoring.members(
            restoring.require_origin(snapshot, origin), "it", (*origin, "now", "times")
        )
        now = restoring.time(stored["now"], "now")
        starts = [name for name in self._variables if name != "now"]
        times = restoring.members(stored["times"], "times", starts)
        restored = {"now": now, **{name: restoring.time(times[name], name, now) for name in starts}}
        for name, time in restored.items():
            start, _, _ = name.rpartition("_")
            if start in restored and max(0, restored[start]) <= time:
                raise restoring.damaged(f"{name}, the match of {start}, does not start before it")
        self._times = restored
        self._give()

    @property
    def bound(self) -> int:
        """How many starts are kept at most."""
        return len(self._variables) - 1

    def stored(self) -> int:
        """How many starts are kept."""
        self._take()
        return sum(time >= 0 for name, time in self._times.items() if name != "now")
