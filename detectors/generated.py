"""Starts and ends by code generated for one expression: a function for single instants, a compiled loop for many."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from detectors import compiled, feeds, restoring
from detectors.bit_parallel import WORTH, BitParallel, words_for
from detectors.collecting import Collected
from detectors.demand import demand
from detectors.intervals import (
    MAX_NAMES,
    Detections,
    Json,
    Letters,
    Snapshot,
    Times,
    event_types,
    letter_type,
)
from detectors.loops import loop_program
from detectors.planes import BLOCK, planes
from detectors.programs import (
    START_FUNCTIONS,
    START_STEPS,
    defined,
    parts,
    start_program,
    start_variables,
)
from detectors.start_queue import empty_queue, filled_queue, kept, places, places_for, push
from detectors.step_variables import CopiedBySnapshot, kept_variables
from semantics.expressions import Expression, Label
from semantics.occurrences import Time

FORMAT = "remora/generated-detector/2"
"""The version of snapshots."""

SEGMENT = 1 << 20
"""A compiled loop runs over at most so many instants before it comes back."""


class StartStep(Protocol):
    """A step of a detector of starts and ends."""

    def __call__(self, time: Time, letter: int) -> Time:
        """See `IntervalDetector.step`."""


class Generated(CopiedBySnapshot):
    """Detects the starts and ends of any ground expression.

    Memory is bounded if every label of the transformed expression is finite (Section 6). Otherwise it grows with what
    is stored: an array has room for at most about four times that.

    An expression may have any number of event types. Letters of more than 63 are Python's own numbers, in arrays of
    the type `object`; no loop is compiled for them.

    Attributes:
        expression: what is detected.
        names: the event types; the type of bit `i` of a letter is `names[i]`.
        compiles: whether stretches of a trace run in a compiled loop.
        program: makes the code for single instants.
        functions: what that refers to.
        words_from: letters of so many instants at least are taken 64 at a time, if the expression allows that.
    """

    program = staticmethod(start_program)
    functions: Mapping[str, object] = START_FUNCTIONS
    words_from = WORTH

    def __init__(self, expression: Expression, *, compiles: bool = compiled.AVAILABLE) -> None:
        """Take the initial state; the code is generated when it is first needed."""
        self.expression = expression
        self.names = event_types(expression)
        self.compiles = compiles
        self._types = len(self.names)
        self._letter_type: Any = letter_type(self._types)
        found = parts(expression, START_STEPS)
        self._size = len(found)
        self._demand = demand(found, self.names)
        self._initial = start_variables(found)
        self._labels = dict(self._initial.queues)
        self._made: list[Callable[..., object]] = []  # none or one; also of those that `fresh` makes
        self._begin()

    def _begin(self) -> None:
        """Take the initial state."""
        self._times = dict(self._initial.times)
        self._queues: dict[str, list[int] | NDArray[np.int64]] = {
            name: empty_queue(label) for name, label in self._labels.items()
        }

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
            self._made.append(defined(text, "detector", f"<starts of {self.expression}>", self.functions))
        return cast(StartStep, self._made[0](**self._times, **self._lists()))

    def _lists(self) -> dict[str, list[int]]:
        return {name: [int(time) for time in queue] for name, queue in self._queues.items()}

    def _take(self) -> None:
        """Take the state from the step, if there is one."""
        if "step" in vars(self):
            variables = kept_variables(self.step)
            self._times = {name: variables[name].cell_contents for name in self._times}
            self._queues = {name: variables[name].cell_contents for name in self._queues}

    def _give(self) -> None:
        """Give the state to the step, if there is one."""
        if "step" in vars(self):
            variables = kept_variables(self.step)
            for name, value in {**self._times, **self._lists()}.items():
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
            return feeds.NOTHING
        if not self._in_loops:
            found = feeds.chunk_by_steps(self.step, letters, first)
        else:
            letters = np.ascontiguousarray(letters, self._letter_type)
            program = words_for(self.expression, len(letters), self.words_from)
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
            begin = 0
            while begin < len(letters):
                segment = letters[begin : begin + self._segment()]
                self._run(chunk, found, len(segment), (segment, first + begin), (room,))
                begin += len(segment)
        return found.detections()

    def _by_words(self, letters: Letters, first: Time, program: BitParallel) -> Detections:
        """What ends within a long stretch, 64 instants at a time.

        Words know nothing of what came before the stretch, so its first instants are gone through one by one. What
        comes after it asks for nothing earlier than its last ones: gone through from an initial state, they are the
        state.
        """
        reach = program.bound
        found = Collected(len(letters) + reach)
        found.put(feeds.chunk_by_steps(self.step, letters[:reach], first))
        room = planes(len(program.filled))
        words = self._loop("words")
        for begin in range(reach, len(letters), SEGMENT):
            stretch = letters[begin - reach : begin + SEGMENT]
            found.add(words(stretch, first + begin - reach, *found.room(), room), since=first + begin)
        self._begin()
        self._give()
        feeds.chunk_by_steps(self.step, letters[len(letters) - reach :], first + len(letters) - reach)
        return found.detections()

    def events(self, times: Times, letters: Letters) -> Detections:
        """What ends at some instants; see `IntervalDetector.events`."""
        if len(times) != len(letters):  # a compiled loop would read what lies behind the shorter one
            raise ValueError(f"{len(times)} times and {len(letters)} letters")
        if len(times) == 0:
            return feeds.NOTHING
        self._check(int(times[0]))
        feeds.require_order(times)
        if not self._in_loops:
            return feeds.events_by_steps(self.step, times, letters)
        times = np.ascontiguousarray(times, np.int64)
        letters = np.ascontiguousarray(letters, self._letter_type)
        events = self._loop("events")
        found = Collected(len(times))
        with self._at_hand():
            begin = 0
            while begin < len(times):
                end = min(begin + self._segment(), len(times))
                instants = end - begin
                self._run(events, found, instants, (times[begin:end], letters[begin:end], instants, 0))
                begin = end
        return found.detections()

    def sparse(self, columns: Sequence[Times]) -> Detections:
        """What ends in a trace given as the times of each event type; see `IntervalDetector.sparse`."""
        if not self._in_loops:
            return self.events(*feeds.merged(columns))
        begins = [int(column[0]) for column in columns if len(column)]
        if not begins:
            return feeds.NOTHING
        self._check(min(begins))
        loop = self._loop("sparse")
        positions = np.zeros(len(columns), np.int64)
        hints = np.zeros(self._types * (self._size + 1), np.int64)
        instants = sum(map(len, columns))
        driving = [self.names.index(name) for name in self._demand.drivers]
        found = Collected(sum(len(columns[index]) for index in driving))
        with self._at_hand():
            while any(positions[index] < len(columns[index]) for index in driving):
                limit = min(self._segment(), instants)
                self._run(loop, found, limit, (*columns, positions, hints, limit))
            self._catch_up(columns)
        return found.detections()

    def _catch_up(self, columns: Sequence[Times]) -> None:
        """Remember what was looked up in the columns, which are gone afterwards."""
        for operation in self._demand.looked_up.values():
            assert operation.part.place is not None
            place = operation.part.place
            times = [columns[self.names.index(name)] for name in operation.names]
            if operation.sequence and operation.part.label != 0:
                count, name = place.variable("n"), place.variable("q")
                last = int(self._labels[name]) + 1
                needed = np.unique(np.concatenate([column[-last:] for column in times]))[-last:].tolist()
                queue = self._array(name, len(needed))
                for time in needed:
                    push(queue, self._times[count], time, time)  # type: ignore[arg-type]
                    self._times[count] += 1
            latest = max((int(column[-1]) for column in times if len(column)), default=-1)
            name = place.variable("t")
            self._times[name] = max(self._times[name], latest)
        self._times["now"] = max(int(column[-1]) for column in columns if len(column))

    @cached_property
    def _text(self) -> str:
        return loop_program(self.expression)

    def _loop(self, name: str) -> Callable[..., int]:
        from detectors import kernels  # loads Numba, for those who need it

        return cast(Callable[..., int], getattr(kernels.loops(self._text), name))

    def _run(
        self,
        loop: Callable[..., int],
        found: Collected,
        instants: int,
        before: Sequence[object],
        after: Sequence[object] = (),
    ) -> None:
        """Run a compiled loop over at most so many instants."""
        state = np.array(list(self._times.values()), np.int64)
        count = loop(*before, state, *self._arrays(instants), *found.room(), *after)
        self._times = dict(zip(self._times, state.tolist(), strict=True))
        found.add(count)

    def _segment(self) -> int:
        """How many instants a loop may run over now: queues that may still grow get at most twice as long by it."""
        growing = [
            self._times[_count(name)]
            for name, label in self._labels.items()
            if len(self._queues[name]) >> 1 < places(label)
        ]
        return min(SEGMENT, max(BLOCK, *growing)) if growing else SEGMENT

    def _arrays(self, pushes: int) -> Sequence[NDArray[np.int64]]:
        """The queues as arrays that have room for so many pushes."""
        return [self._array(name, pushes) for name in self._queues]

    def _array(self, name: str, pushes: int) -> NDArray[np.int64]:
        """A queue as an array that has room for so many pushes."""
        queue = np.asarray(self._queues[name], np.int64)
        size = 2 * places_for(self._times[_count(name)] + pushes, self._labels[name])
        if len(queue) < size:
            queue = np.concatenate([queue, np.full(size - len(queue), -1, np.int64)])
        self._queues[name] = queue
        return queue

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
            "times": {name: int(self._times[name]) for name in self._variables},
            "candidates": {name: self._candidates(name) for name in self._labels},
        }

    def _candidates(self, name: str) -> Json:
        """The candidates of a queue that can still be asked for, each as its start and its end."""
        queue: list[int] = np.asarray(self._queues[name], np.int64).tolist()
        times = kept(queue, self._times[_count(name)], self._labels[name])
        return [list(pair) for pair in zip(times[::2], times[1::2], strict=True)]

    @property
    def _variables(self) -> list[str]:
        """The auxiliary variables for times; the numbers of pushes follow from the candidates."""
        others = {"now", *map(_count, self._labels)}
        return [name for name in self._times if name not in others]

    def restore(self, snapshot: Snapshot) -> None:
        """Go on from a state that a detector for the same expression had.

        Raises:
            InputError: the snapshot belongs to another expression or another kind of detector, or no detector for
                the expression can have been in the state.
        """
        origin = {"schema": FORMAT, "expression": str(self.expression)}
        stored = restoring.members(
            restoring.require_origin(snapshot, origin), "it", (*origin, "now", "times", "candidates")
        )
        counts = {name: _count(name) for name in self._labels}
        now = restoring.time(stored["now"], "now")
        times = restoring.members(stored["times"], "times", self._variables)
        restored = {"now": now, **{name: restoring.time(times[name], name, now) for name in self._variables}}
        queues: dict[str, list[int] | NDArray[np.int64]] = {}
        listed = restoring.members(stored["candidates"], "candidates", counts)
        for name, count in counts.items():
            candidates = _candidates(listed[name], name, self._labels[name], now)
            latest = candidates[-2] if candidates else -1
            if restored["t" + name[1:]] != latest:
                raise restoring.damaged(
                    f"the latest start in {name} is {latest}, but t{name[1:]} is another one"
                )
            queues[name] = filled_queue(candidates, self._labels[name])
            restored[count] = len(candidates) >> 1
        self._times = {name: restored[name] for name in self._times}
        self._queues = queues
        self._give()

    def stored(self) -> int:
        """How many starts are kept in queues."""
        self._take()
        return sum(min(self._times[_count(name)], len(queue) >> 1) for name, queue in self._queues.items())


def _count(queue: str) -> str:
    """The variable for the number of pushes to a queue."""
    return "n" + queue[1:]


def _candidates(value: object, name: str, label: Label, now: Time) -> list[int]:
    """The candidates of a queue as they lie in it: each start with its end, both later than those before.

    Raises:
        InputError: a sequence with this label has no such candidates.
    """
    pairs = restoring.items(value, name)
    if len(pairs) > label + 1:
        raise restoring.damaged(f"{name} has {len(pairs):,} candidates, more than {label + 1:,}")
    if any(not isinstance(pair, list) or len(pair) != 2 for pair in pairs):
        raise restoring.damaged(f"{name} has a candidate that is not a list of a start and an end")
    starts = restoring.times([start for start, _ in pairs], f"the starts of {name}", now)
    ends = restoring.times([end for _, end in pairs], f"the ends of {name}", now)
    if any(start > end for start, end in zip(starts, ends, strict=True)):
        raise restoring.damaged(f"{name} has a candidate that ends before it starts")
    return [time for pair in zip(starts, ends, strict=True) for time in pair]
