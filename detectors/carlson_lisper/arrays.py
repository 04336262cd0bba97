"""Evaluation of expressions over a stretch of a trace, all instants at once, by arrays.

Every operator needs of an operand, for each instant, the greatest start of an instance that ends there (Thm 4.5), and
for the operands that may have ended before, the greatest of these so far: a running maximum. Instances are
reconstructed afterwards, for the detections that are asked for: those that the steps of Figure 2 would have joined.

A stretch may hold many traces, one after the other. Starts and ends are places of instants in it, so that an instance
lies within one trace where its start is not before the first place of the trace.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from detectors.carlson_lisper.order_kernel import ORDERED
from semantics.carlson_lisper.expressions import Expression, Identifier, Operation, bottom_up
from semantics.native import AVAILABLE, is_compiled, run

Places: TypeAlias = NDArray[np.int32]
"""Places of instants in a stretch, shape `(n,)`; -1 where there is none."""

MANY = 1 << 18
"""So many rows are worth the time to compile what sorts them; so many traces at most are counted."""

NEVER = np.iinfo(np.int32).max
"""The place of what does not happen."""


@dataclass(frozen=True)
class Stretch:
    """Some traces, or parts of traces, one after the other.

    Attributes:
        times: of each instant, in ticks; within a trace strictly increasing.
        occurrences: by event type the increasing places at which it occurs.
        firsts: the place at which each trace begins; the first one at 0.
    """

    times: NDArray[np.int64]
    occurrences: Mapping[str, Places]
    firsts: Places

    @cached_property
    def first(self) -> Places | None:
        """For each instant the place at which its trace begins; None if there is one trace."""
        if len(self.firsts) == 1:
            return None
        return np.repeat(self.firsts, np.diff(self.firsts, append=np.int32(len(self.times))))

    @cached_property
    def lasts(self) -> Places:
        """The last place of each trace."""
        return np.append(self.firsts[1:], np.int32(len(self.times))) - np.int32(1)


class Evaluation:
    """The meaning of expressions in a stretch, as starts of instances by the places at which they end."""

    def __init__(self, stretch: Stretch) -> None:
        """Begin with nothing evaluated; what is, is kept."""
        self.stretch = stretch
        self._found: dict[Expression, tuple[Places, Places]] = {}
        self._starts: dict[Expression, Places] = {}
        self._so_far: dict[Expression, Places] = {}
        self._reached: dict[Expression, Places] = {}
        self._needed: dict[Expression, Places] = {}
        self._all_remembered: dict[Expression, Places] = {}
        self._restricted: dict[tuple[int, int], Places] = {}
        self._all_within: dict[int, Places] = {}
        self._none = np.full(len(stretch.firsts), NEVER, np.int32)

    def found(self, expression: Expression) -> tuple[Places, Places]:
        """The places where instances of a ground expression end, increasing, and the greatest start at each."""
        for node in bottom_up(expression):
            if node not in self._found:
                self._found[node] = self._of(node)
        return self._found[expression]

    def _of(self, node: Expression) -> tuple[Places, Places]:
        if isinstance(node, Identifier):
            places = self.stretch.occurrences[node.name]
            return places, places
        assert isinstance(node, Operation)
        left, right = node.operands[0], node.operands[-1]
        match node.operator:
            case "dis":
                return self._ending(np.maximum(self.starts(left), self.starts(right)))
            case "con":
                a, b = (
                    np.minimum(self.starts(x), self.latest_so_far(y))
                    for x, y in ((left, right), (right, left))
                )
                return self._ending(np.maximum(a, b))
            case "neg":
                ends, starts = self._found[left]
                kept = self.latest_so_far(right)[ends] < starts
            case "seq":
                ends, starts = self._found[right]
                if len(starts) and not starts.min():  # before the first place nothing has ended
                    ends, starts = ends[starts > 0], starts[starts > 0]
                starts = self.latest_so_far(left)[starts - np.int32(1)]
                kept = starts >= (0 if self.stretch.first is None else self.stretch.first[ends])
            case _:
                ends, starts = self._found[left]
                kept = self.stretch.times[ends] - self.stretch.times[starts] <= _ticks(node)
        return ends[kept], starts[kept]

    @staticmethod
    def _ending(starts: Places) -> tuple[Places, Places]:
        ends = np.flatnonzero(starts >= 0).astype(np.int32)
        return ends, starts[ends]

    def starts(self, expression: Expression) -> Places:
        """For each place the greatest start of an instance of a ground expression that ends there, or -1."""
        found = self._starts.get(expression)
        if found is None:
            ends, starts = self.found(expression)
            found = self._starts[expression] = np.full(len(self.stretch.times), -1, np.int32)
            found[ends] = starts
        return found

    def latest_so_far(self, expression: Expression) -> Places:
        """For each place the greatest start of an instance of the trace that ended there or before, or -1."""
        found = self._so_far.get(expression)
        if found is None:
            found = np.maximum.accumulate(self.starts(expression))
            if self.stretch.first is not None:
                found[found < self.stretch.first] = -1
            self._so_far[expression] = found
        return found

    def _ends_of_latest(self, expression: Expression, places: Places) -> Places:
        """Where the instance that `latest_so_far` starts ended; of several with the same start the first one."""
        reached = self._reached.get(expression)
        if reached is None:
            ends, starts = self.found(expression)
            before = np.append(np.int32(-1), self.latest_so_far(expression))[ends]
            reached = ends[starts > before]  # that of the trace before is smaller than any place here
            self._reached[expression] = reached
        return reached[np.searchsorted(reached, places, side="right") - 1]

    # ------------------------------------------------------------------------------------------------- instances

    def members(self, expression: Expression, ends: Places) -> Iterator[tuple[str, NDArray[np.intp], Places]]:
        """The occurrences that the instances consist of which end at some places; one may come more than once.

        Args:
            ends: where an instance of it ends.

        Yields:
            An event type, the numbers of instances, counted in the order of `ends`, and the places of occurrences.
        """
        pending: list[tuple[Expression, Places, NDArray[np.intp]]] = [
            (expression, ends, np.arange(len(ends)))
        ]
        while pending:
            node, places, owners = pending.pop()
            if not len(places):
                continue
            if isinstance(node, Identifier):
                yield node.name, owners, places
                continue
            assert isinstance(node, Operation)
            left, right = node.operands[0], node.operands[-1]
            a, b = self.starts(left)[places], self.starts(right)[places]
            match node.operator:
                case "dis":
                    first = b < a
                    pending.append((left, places[first], owners[first]))
                    pending.append((right, places[~first], owners[~first]))
                case "con":
                    first = (
                        b <= a
                    )  # the left one ends at this instant, and starts no earlier than one of the right
                    pending.append((left, places[first], owners[first]))
                    pending.append((right, self._ends_of_latest(right, places[first]), owners[first]))
                    pending.append((right, places[~first], owners[~first]))
                    pending.append((left, self._ends_of_latest(left, places[~first]), owners[~first]))
                case "seq":
                    pending.append((right, places, owners))
                    pending.append((left, self._ends_of_latest(left, b - np.int32(1)), owners))
                case _:
                    pending.append((left, places, owners))

    # --------------------------------------------------------------------------------------- what may still be used

    def needed(self, expression: Expression) -> Places:
        """For each trace the first place at which an instance that ends later may start; `NEVER` if none starts here.

        Whether something is an instance depends on what occurs within its interval alone. So what comes before that
        place changes nothing of what ends after the stretch.
        """
        for node in bottom_up(expression):
            if node not in self._needed:
                self._needed[node] = self._needed_of(node)
        return self._needed[expression]

    def _needed_of(self, node: Expression) -> Places:
        if isinstance(node, Identifier):
            return self._none
        assert isinstance(node, Operation)
        left, right = node.operands[0], node.operands[-1]
        a, b = self._needed[left], self._needed[right]
        match node.operator:
            case "dis":
                return np.minimum(a, b)
            case "con":
                return np.minimum(
                    np.minimum(a, b), np.minimum(self._remembered(left), self._remembered(right))
                )
            case "neg":
                return a
            case "seq":
                remembered = self._remembered(left, b)
                return remembered if a is self._none else np.minimum(a, remembered)
            case _:
                known = id(a), _ticks(node)  # patterns have much in common
                if known not in self._restricted:
                    self._restricted[known] = np.where(
                        a == NEVER, a, np.maximum(a, self._within(_ticks(node)))
                    )
                return self._restricted[known]

    def _remembered(self, expression: Expression, before: Places | None = None) -> Places:
        """The least of the latest starts, over all places from those before some places up to the last ones."""
        if before is not None and before is not self._none:
            return self._remembered_from(expression, np.minimum(before - np.int32(1), self.stretch.lasts))
        if expression not in self._all_remembered:
            self._all_remembered[expression] = self._remembered_from(expression, self.stretch.lasts)
        return self._all_remembered[expression]

    def _remembered_from(self, expression: Expression, asked: Places) -> Places:
        firsts, lasts = self.stretch.firsts, self.stretch.lasts
        so_far = self.latest_so_far(expression)
        found = np.where(asked < firsts, np.int32(-1), so_far[np.maximum(asked, firsts)])
        # Where nothing had ended before, the first instance of all; after all places it is that of no trace.
        ends, starts = self.found(expression)
        places = np.searchsorted(ends, firsts)
        ended = np.append(ends, np.int32(NEVER))[places]
        initial = np.where(ended <= lasts, np.append(starts, np.int32(NEVER))[places], np.int32(NEVER))
        return np.where(found < 0, initial, found)

    def _within(self, ticks: int) -> Places:
        """For each trace the first place that is less than so many ticks before its last one, or after all of them."""
        if ticks not in self._all_within:
            times, lasts = self.stretch.times, self.stretch.lasts
            lengths = lasts - self.stretch.firsts + np.int32(1)
            old = np.repeat(times[lasts], lengths) - times >= ticks
            begins = self.stretch.firsts
            self._all_within[ticks] = begins + np.add.reduceat(old, begins, dtype=np.int32)
        return self._all_within[ticks]


def _ticks(node: Operation) -> int:
    assert isinstance(node.bound, int)  # the expression is ground
    return node.bound


def stretch_of(
    times: NDArray[np.int64],
    types: NDArray[np.integer],
    traces: NDArray[np.integer] | None,
    names: Sequence[str],
) -> tuple[Stretch, NDArray[np.intp], dict[str, NDArray[np.intp]]]:
    """The stretch of some rows in order of time, without repetitions.

    Args:
        times: of each row, in ticks, increasing.
        types: of each row its event type, as its number in `names`.
        traces: of each row the number of its trace; None if there is one.
        names: the event types.

    Returns:
        The stretch; for each place one of its rows; and for each event type its rows in the order of its places.
    """
    order = np.arange(len(times)) if traces is None else order_of(traces)
    when = times[order]
    new = np.append(True, when[1:] != when[:-1]) if len(when) else np.zeros(0, np.bool_)
    begins = np.zeros(1, np.intp)
    if traces is not None and len(when):
        which = traces[order]
        changes = np.append(True, which[1:] != which[:-1])
        new |= changes
        begins = np.flatnonzero(changes)
    place = np.cumsum(new, dtype=np.int32) - np.int32(1)
    instants = np.flatnonzero(new)
    of_type = types[order]
    rows = {name: np.flatnonzero(of_type == number) for number, name in enumerate(names)}
    stretch = Stretch(
        when[instants],
        {name: place[found] for name, found in rows.items()},
        place[begins] if len(when) else np.zeros(1, np.int32),
    )
    return stretch, order[instants], {name: order[found] for name, found in rows.items()}


def order_of(numbers: NDArray[np.integer]) -> NDArray[np.int64]:
    """The order of numbers that are not negative, such as those of traces, in which equal ones keep theirs."""
    known = int(numbers.max(initial=-1)) + 1
    is_worth_while = AVAILABLE and (len(numbers) >= MANY or is_compiled(ORDERED))
    if not is_worth_while or known > min(MANY, 8 * len(numbers)):
        return order_by_digits(numbers)
    order = np.empty(len(numbers), np.int64)
    given = np.ascontiguousarray(numbers, np.int64)
    run(ORDERED, len(numbers), known, given, np.zeros(known + 1, np.int64), order)
    return order


def order_by_digits(numbers: NDArray[np.integer]) -> NDArray[np.int64]:
    """The same without machine code; NumPy sorts 16 bits in linear time."""
    order, rest = np.argsort(numbers.astype(np.uint16), kind="stable"), numbers >> 16
    while rest.any():
        order = order[np.argsort(rest[order].astype(np.uint16), kind="stable")]
        rest = rest >> 16
    return order
