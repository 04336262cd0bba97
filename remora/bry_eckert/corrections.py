"""Detection by rules with answers at once, corrected when rows come late, for each partition of a log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import heappop, heappush
from typing import Any

from detectors.bry_eckert.correcting import Answer, Correcting
from detectors.bry_eckert.watch import noticed
from remora.bry_eckert.breaches import Breaches
from remora.bry_eckert.detection import Running
from semantics.bry_eckert.traces import events_of
from semantics.events import Time
from semantics.traces.instants import Instant, ReadReport
from semantics.traces.rows import Partition, Row


def arriving(rows: Iterable[Row], lateness: Time, report: ReadReport, latest: Time = -1) -> Iterator[Instant]:
    """The rows as they come, those of one time that follow each other together; what comes too late is left out.

    Args:
        lateness: by so many ticks a row may come late.
        latest: the greatest time that has come before.
    """
    report.lateness = lateness
    group: list[Row] = []
    for row in rows:
        report.rows += 1
        report.events[row.event] += 1
        if row.time < latest - lateness:
            report.late += 1
            report.first_late = report.first_late or row.place
            continue
        report.out_of_order += row.time < latest
        latest = max(latest, row.time)
        if group and group[0].time != row.time:
            yield Instant(group[0].time, tuple(group))
            group = []
        group.append(row)
    if group:
        yield Instant(group[0].time, tuple(group))


class CorrectedDetection:
    """The answers of a program to rows that come up to some time late.

    Args:
        lateness: a time is settled when one has come that is greater by more than so many ticks.

    Attributes:
        now: the greatest time that has come.
        warnings: what broke one, as far as nobody has taken note of it.
    """

    def __init__(self, running: Running, lateness: Time) -> None:
        self.running, self.program, self._lateness = running, running.program, lateness
        self.engines: dict[Partition, Correcting] = {}
        self.now: Time = -1
        self._due: list[tuple[Time, int, Partition]] = []
        self._numbers: dict[Partition, int] = {}
        self.breaches = Breaches()
        self.warnings: list[str] = []

    def instant(self, instant: Instant) -> Iterator[tuple[Answer, Partition]]:
        """The answers and corrections when rows of one time come, be it a late one."""
        yield from self.until(instant.time - 1)
        by_partition: dict[Partition, list[Row]] = {}
        for row in instant.rows:
            by_partition.setdefault(row.partition, []).append(row)
        for partition, rows in by_partition.items():
            events = list(events_of(rows, self.running.program))
            if events:
                engine = self.engines.get(partition)
                if engine is None:
                    engine = self.engines[partition] = Correcting(self.running.made)
                    for answer in engine.go_on(max(self.now, instant.time - 1)):
                        yield answer, partition
                for answer in engine.take(instant.time, events):
                    yield answer, partition
                self._settle(partition, engine, max(self.now, instant.time) - self._lateness - 1)
        if instant.time > self.now:
            self.now = instant.time
            yield from self.until(instant.time)

    def until(self, time: Time | None) -> Iterator[tuple[Answer, Partition]]:
        """The answers of timers that are due up to a time while nothing comes; all of them where it is None."""
        while self._due and (time is None or self._due[0][0] <= time):
            due, _, partition = heappop(self._due)
            engine = self.engines[partition]
            if engine.due() == due:
                for answer in engine.go_on(due):
                    yield answer, partition
                self._note(partition, engine)

    def end(self) -> Iterator[tuple[Answer, Partition]]:
        """The answers of all pending timers; nothing comes any more."""
        yield from self.until(None)
        for partition, engine in self.engines.items():
            self._settle(partition, engine, None)

    def restore(self, partition: Partition, state: Any) -> None:
        """Take up the state of a partition."""
        engine = self.engines[partition] = Correcting(self.running.made)
        engine.restore(state)
        self._note(partition, engine)

    def _settle(self, partition: Partition, engine: Correcting, done: Time | None) -> None:
        engine.settle(done)
        self.warnings += self.breaches.told(noticed(engine), [])
        self._note(partition, engine)

    def _note(self, partition: Partition, engine: Correcting) -> None:
        due = engine.due()
        if due is not None:
            heappush(self._due, (due, self._numbers.setdefault(partition, len(self._numbers)), partition))
