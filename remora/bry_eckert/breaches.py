"""Breaches of a program's axioms by a log, told with the places of the rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from detectors.bry_eckert.watch import Watch
from semantics.bry_eckert.axioms import Violation
from semantics.bry_eckert.programs import Axiom, Program
from semantics.bry_eckert.traces import events_of
from semantics.events import Event
from semantics.traces.instants import Instant
from semantics.traces.rows import Partition, Row

SHOWN = 3
"""So many breaches of an axiom are shown one by one; all are counted."""


class Breaches:
    """How often each axiom was broken."""

    def __init__(self) -> None:
        self.counts: Counter[Axiom] = Counter()

    def __bool__(self) -> bool:
        """Whether an axiom was broken."""
        return bool(self.counts)

    def told(self, found: Iterable[Violation], given: Sequence[tuple[Row, Event]]) -> Iterator[str]:
        """What breaks an axiom, with its place in the log; of each axiom the first `SHOWN` times.

        Args:
            found: how events break axioms.
            given: the events among which they are, with their rows.
        """
        for violation in found:
            self.counts[violation.axiom] += 1
            if self.counts[violation.axiom] <= SHOWN:
                places = [str(row.place) for row, event in given if event is violation.event]
                yield f"{places[0]}: {violation}" if places else str(violation)

    def summary(self) -> Iterator[str]:
        """How often each axiom was broken that was."""
        for axiom, times in self.counts.items():
            yield f"the axiom in line {axiom.line} is broken {times:,} {'time' if times == 1 else 'times'}: {axiom}"


class LogWatch:
    """Looks whether each partition of a log obeys the axioms of a program, without an engine."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._partitions: dict[Partition, Watch] = {}
        self.breaches = Breaches()

    def see(self, instant: Instant) -> Iterator[str]:
        """What breaks an axiom, with its place in the log."""
        for row in instant.rows if self._program.axioms else ():
            watch = self._partitions.get(row.partition)
            if watch is None:
                watch = self._partitions[row.partition] = Watch(self._program)
            for event in events_of((row,), self._program):
                yield from self.breaches.told(watch.see(event), [(row, event)])
