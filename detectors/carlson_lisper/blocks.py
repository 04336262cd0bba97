"""Detection of patterns in the rows of a trace, which come in blocks.

Each block is evaluated by arrays (`detectors.carlson_lisper.arrays`) together with the rows before it from which on
instances may begin that end in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from detectors.carlson_lisper.arrays import NEVER, Evaluation, Places, Stretch, order_of, stretch_of
from semantics.carlson_lisper.expressions import Expression, bottom_up
from semantics.traces.columns import Rows

ENTRIES = 1 << 25
"""So many entries arrays have together at most, but for those of the least block."""

LEAST = 1 << 12
"""The least number of rows that are evaluated at once."""

WORTH_WHILE = 1 << 15
"""So many rows wait before they are evaluated, as a block may have few of the event types that are asked for."""

MOST_KEPT = 1 << 21
"""So many rows are kept from blocks before."""

Numbers = NDArray[np.int64]

Times = NDArray[np.int64]
"""Times in ticks, shape `(n,)`."""


class TooLong(Exception):
    """More rows would have to be kept than is worth while: the rest is for a detector that goes row by row."""


@dataclass(frozen=True)
class Members:
    """The occurrences that instances consist of, by instance, time and event type.

    Attributes:
        owners: the number of the instance, increasing.
        rows: the row of the occurrence.
        of: the rows that are meant.
    """

    owners: Numbers
    rows: Numbers
    of: Rows


@dataclass(frozen=True)
class Detected:
    """What ends in a block, in the order of time; at one instant in the order of patterns, then of rows.

    Attributes:
        partitions: the number of its partition; None where the trace is not partitioned.
    """

    patterns: Numbers
    starts: Times
    ends: Times
    partitions: Numbers | None
    members: Members | None

    def __len__(self) -> int:
        """How many there are."""
        return len(self.ends)

    def between(self, begin: int, end: int) -> Detected:
        """Those with the numbers from `begin` on, before `end`."""
        members = self.members
        if members is not None:
            first, last = np.searchsorted(members.owners, (begin, end))
            members = Members(members.owners[first:last] - begin, members.rows[first:last], members.of)
        return Detected(
            self.patterns[begin:end],
            self.starts[begin:end],
            self.ends[begin:end],
            None if self.partitions is None else self.partitions[begin:end],
            members,
        )


class Blocks:
    """A detection that goes on from block to block.

    Attributes:
        time: of the last instant that was evaluated; -1 before the first.
    """

    def __init__(self, patterns: Sequence[Expression], names: Sequence[str], *, instances: bool) -> None:
        """Begin with nothing.

        Args:
            names: the event types, in the order of their numbers in rows.
            instances: whether whole instances are asked for, or starts and ends.
        """
        self.time = -1
        self._patterns, self._names, self._instances = patterns, names, instances
        nodes = len({node for pattern in patterns for node in bottom_up(pattern)})
        self._most = max(LEAST, ENTRIES // nodes)
        self._kept: Rows | None = None
        self._waiting: list[Rows] = []

    @property
    def kept(self) -> int:
        """How many rows are kept because instances may begin with them."""
        return 0 if self._kept is None else len(self._kept)

    def detect(self, rows: Rows) -> Iterator[Detected]:
        """What ends in rows of complete instants, and in those that waited.

        Raises:
            TooLong: detect what ends after `time` otherwise.
        """
        self._waiting.append(rows)
        if sum(map(len, self._waiting)) >= max(self.kept, WORTH_WHILE):
            yield from self.finish()

    def finish(self) -> Iterator[Detected]:
        """What ends in the rows that waited.

        Raises:
            TooLong: detect what ends after `time` otherwise.
        """
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        rows = waiting[0]
        for more in waiting[1:]:
            rows = rows.followed_by(more)
        begin = 0
        while begin < len(rows):
            end = min(begin + self._most, len(rows))
            end = int(np.searchsorted(rows.times, rows.times[end - 1], side="right"))
            yield self._evaluated(rows.between(begin, end))
            begin = end

    def _evaluated(self, rows: Rows) -> Detected:
        both = rows if self._kept is None else self._kept.followed_by(rows)
        stretch, firsts, by_type = stretch_of(both.times, both.types, both.partitions, self._names)
        evaluation = Evaluation(stretch)
        found = []
        needed = np.full(len(stretch.firsts), NEVER, np.int32)
        for number, pattern in enumerate(self._patterns):
            ends, starts = evaluation.found(pattern)
            new = stretch.times[ends] > self.time
            found.append((number, starts[new], ends[new]))
            needed = np.minimum(needed, evaluation.needed(pattern))
        detected = self._detected(found, evaluation, both, firsts, by_type)
        self._keep(both, stretch, needed, by_type)
        self.time = int(rows.times[-1])
        return detected

    def _detected(
        self,
        found: Sequence[tuple[int, Places, Places]],
        evaluation: Evaluation,
        rows: Rows,
        firsts: NDArray[np.intp],
        by_type: dict[str, NDArray[np.intp]],
    ) -> Detected:
        times = evaluation.stretch.times
        patterns = np.concatenate([np.full(len(ends), number) for number, _, ends in found])
        starts, ends = (np.concatenate([each[place] for each in found]) for place in (1, 2))
        order = np.arange(len(ends))
        if len(found) > 1 and rows.partitions is None:  # each place is an instant, and patterns are in order
            order = order_of(ends)
        elif len(found) > 1:
            order = np.lexsort([firsts[ends], patterns, times[ends]])
        elif rows.partitions is not None:  # rows are in order of time, and no two detections end with one row
            by_row = np.full(len(rows), -1)
            by_row[firsts[ends]] = order
            order = by_row[by_row >= 0]
        members = None
        if self._instances:
            members = self._members(found, evaluation, rows, by_type, order)
        return Detected(
            patterns[order],
            times[starts[order]],
            times[ends[order]],
            None if rows.partitions is None else rows.partitions[firsts[ends[order]]],
            members,
        )

    def _members(
        self,
        found: Sequence[tuple[int, Places, Places]],
        evaluation: Evaluation,
        rows: Rows,
        by_type: dict[str, NDArray[np.intp]],
        order: NDArray[np.intp],
    ) -> Members:
        owners, members = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
        before = 0
        for number, _, ends in found:
            for name, numbers, places in evaluation.members(self._patterns[number], ends):
                occurrences = evaluation.stretch.occurrences[name]
                owners.append(numbers + before)
                members.append(by_type[name][np.searchsorted(occurrences, places)])
            before += len(ends)
        ranks = np.empty(before, np.int64)
        ranks[order] = np.arange(before)
        owner, row = ranks[np.concatenate(owners)], np.concatenate(members)
        by_name = np.argsort(
            np.argsort(self._names)
        )  # the place of each event type among them in their order
        sorted_ = np.lexsort([by_name[rows.types[row]], rows.times[row], owner])
        owner, row = owner[sorted_], row[sorted_]
        once = (
            np.append(True, (owner[1:] != owner[:-1]) | (row[1:] != row[:-1]))
            if len(row)
            else np.zeros(0, bool)
        )
        return Members(owner[once], row[once], rows)

    def _keep(
        self, rows: Rows, stretch: Stretch, needed: Places, by_type: dict[str, NDArray[np.intp]]
    ) -> None:
        """Keep the rows from which on later instances may begin."""
        least = np.repeat(needed, stretch.lasts - stretch.firsts + np.int32(1))
        used = np.zeros(len(rows), np.bool_)
        for name, found in by_type.items():
            places = stretch.occurrences[name]
            used[found[places >= least[places]]] = True
        kept = rows.at(np.flatnonzero(used))
        if len(kept) > MOST_KEPT:
            raise TooLong
        self._kept = kept
