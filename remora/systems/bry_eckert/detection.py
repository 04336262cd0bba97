"""Detection by rules: an engine for each partition of a log, time that goes on for all of them, a state that is kept.

The state is JSON: `schema` "remora/rules-state/1", `program`, `plan`, `engine`, `partition_by`, `now` and
`partitions`, a list of `[key, state of the engine]`; `keep`, for how many ticks events are kept for rules to come, and
`added`, the programs and engines that have come; of programs with axioms `broken` too, how often each axiom was broken.
One with corrections has its `lateness`, and neither `keep` nor `added`.
"""

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any

from detectors.bry_eckert.adding import Growing, reaches
from detectors.bry_eckert.catalogue import ENGINES
from detectors.bry_eckert.correcting import Correcting
from detectors.bry_eckert.protocol import Answer, Engine
from detectors.bry_eckert.watch import Watch, noticed
from remora.systems.bry_eckert.programs import plan_for, safe_plan
from remora.terminal.console import counted, print_warning
from semantics.atomic_files import write_text
from semantics.bry_eckert.algebra.plans import Plan, plan_text
from semantics.bry_eckert.checking import parse
from semantics.bry_eckert.denotation import Violation
from semantics.bry_eckert.programs import Axiom, Program
from semantics.bry_eckert.traces import events_of
from semantics.errors import InputError
from semantics.events import Event, Time, in_ticks
from semantics.traces.instants import Instant, ReadReport
from semantics.traces.rows import Partition, Row

SHOWN = 3
"""So many breaches of an axiom are shown one by one; all are counted."""


class Breaches(Counter[Axiom]):
    """How often each axiom was broken."""

    def told(self, found: Iterable[Violation], given: Sequence[tuple[Row, Event]]) -> Iterator[str]:
        """Violations of axioms, with their places in the log where these are given; of each axiom the first `SHOWN`."""
        for violation in found:
            self[violation.axiom] += 1
            if self[violation.axiom] <= SHOWN:
                places = [str(row.place) for row, event in given if event is violation.event]
                yield ": ".join((*places[:1], str(violation)))

    def summary(self) -> Iterator[str]:
        """How often each axiom was broken that was."""
        for axiom, times in self.items():
            yield f"the axiom in line {axiom.line} is broken {counted(times, 'time')}: {axiom}"


def watched(program: Program, instants: Iterable[Instant]) -> tuple[dict[Partition, list[Event]], Breaches]:
    """The events of each partition of a log, and how often they break axioms, which is said with the places."""
    breaches, found = Breaches(), dict[Partition, list[Event]]()
    watches: dict[Partition, Watch] = defaultdict(lambda: Watch(program))
    for row in (row for instant in instants for row in instant.rows):
        for event in events_of((row,), program):
            found.setdefault(row.partition, []).append(event)
            if program.axioms:
                for said in breaches.told(watches[row.partition].see(event), [(row, event)]):
                    print_warning(said)
    return found, breaches


@dataclass(frozen=True)
class Running:
    """A program with the plan and the engine, a name of `ENGINES`, by which it is evaluated."""

    program: Program
    plan: Plan
    engine: str

    def made(self) -> Engine:
        """A fresh engine."""
        return ENGINES[self.engine](self.program, self.plan, frozenset())


class Detection:
    """The answers of a program at their times; other rules can be added (2008, Section 6.2), or answers corrected.

    Attributes:
        program: all rules, those that were added too.
        lateness: where answers are given at once and corrected when rows come late, by how many ticks they may; a time
            is settled when one has come that is greater by more. None where rows come in order.
        now: the greatest time that is past.
        kept: for how many ticks events are kept for what is added.
        warnings: what broke an axiom, as far as nobody has taken note of it.
    """

    def __init__(self, running: Running, lateness: Time | None = None) -> None:
        self.program, self._running, self.lateness = running.program, running, lateness
        self.engines: dict[Partition, Growing | Correcting] = {}
        self.added: list[Running] = []
        self.breaches, self.warnings = Breaches(), list[str]()
        self.kept: Time = 0
        self.now: Time = -1
        self._due: list[tuple[Time, int, Partition]] = []
        self._numbers: dict[Partition, int] = {}

    def keep(self, ticks: Time) -> None:
        """Keep events and answers for so long, for what is added."""
        self.kept = ticks
        for engine in self._growing():
            engine.keep = ticks

    def add(self, running: Running, past: Time | None = None) -> None:
        """Evaluate more rules on the log and what is derived; `InputError` where what they need is forgotten."""
        needed = {
            name: past if reach is None else reach if past is None else min(reach, past)
            for name, reach in reaches(running.plan).items()
        }
        for engine in self._growing():
            engine.require(needed, self.program.signatures, self.now)
        for engine in self._growing():
            engine.add(running.made(), self.now, past)
        for partition in self.engines:
            self._note(partition)
        self._extend(running)

    def _extend(self, running: Running) -> None:
        self.added.append(running)
        self.program = self.program.united(running.program)

    def _growing(self) -> list[Growing]:
        return [engine for engine in self.engines.values() if isinstance(engine, Growing)]

    def _make(self) -> Growing | Correcting:
        if self.lateness is not None:
            return Correcting(self._running.made)
        engine = Growing(self._running.made(), self.kept)
        for running in self.added:
            engine.add(running.made(), -1)
        return engine

    def instant(self, instant: Instant) -> Iterator[tuple[Answer, Partition]]:
        """The answers up to a time at which events end, each at its time; corrections, if that is past."""
        yield from self._until(instant.time - 1)
        before, self.now = self.now, max(self.now, instant.time)
        rows: dict[Partition, list[tuple[Row, Event]]] = {}
        for row in instant.rows:
            for event in events_of((row,), self.program):
                rows.setdefault(row.partition, []).append((row, event))
        for partition, given in rows.items():
            if partition not in self.engines:
                self.engines[partition] = self._make()
                yield from self._said(partition, self.engines[partition].go_on(max(before, instant.time - 1)))
            answers = self.engines[partition].take([event for _, event in given])
            yield from self._said(partition, answers, given)
            if self.lateness is not None:
                self._settle(partition, self.now - self.lateness - 1)
        if instant.time > before:
            yield from self._until(instant.time)

    def end(self) -> Iterator[tuple[Answer, Partition]]:
        """The answers of all pending timers; nothing comes any more."""
        yield from self._until(None)
        for partition in self.engines:
            self._settle(partition, None)

    def _until(self, time: Time | None) -> Iterator[tuple[Answer, Partition]]:
        """The answers of timers that are due up to a time while nothing arrives; all of them where it is None."""
        while self._due and (time is None or self._due[0][0] <= time):
            due, _, partition = heappop(self._due)
            engine = self.engines[partition]
            if engine.due() == due:  # an engine is there once for each time at which it was asked
                self.now = max(self.now, due)
                yield from self._said(partition, engine.go_on(due))

    def _said(
        self, partition: Partition, answers: Iterable[Answer], given: Sequence[tuple[Row, Event]] = ()
    ) -> Iterator[tuple[Answer, Partition]]:
        yield from ((answer, partition) for answer in answers)
        self._note(partition, given)

    def _settle(self, partition: Partition, done: Time | None) -> None:
        self.engines[partition].settle(done)
        self._note(partition)

    def _note(self, partition: Partition, given: Sequence[tuple[Row, Event]] = ()) -> None:
        """Take note of broken axioms, and of when a partition is due next."""
        self.warnings += self.breaches.told(noticed(self.engines[partition]), given)
        due = self.engines[partition].due()
        if due is not None:
            heappush(self._due, (due, self._numbers.setdefault(partition, len(self._numbers)), partition))

    def _question(self, partition_by: str | None) -> dict[str, Any]:
        running = self._running
        return {
            "schema": "remora/rules-state/1",
            "program": str(running.program),
            "plan": hashlib.sha256(plan_text(running.plan).encode()).hexdigest(),
            "engine": running.engine,
            "partition_by": partition_by,
            "lateness": self.lateness,
        }

    def go_on_from(self, path: Path, partition_by: str | None) -> None:
        """Take up the state in a file, if there is one; `InputError` where it is damaged or of another detection."""

        def refusal(reason: str) -> InputError:
            remedy = "Name another file with --state, or remove this one and begin anew."
            return InputError(reason, place=str(path), remedy=remedy)

        if not path.exists():
            return
        try:
            stored = json.loads(path.read_text(encoding="utf-8"))
            stored.setdefault("lateness", None)
            for key, wanted in self._question(partition_by).items():
                if stored[key] != wanted:
                    raise refusal(f"the state belongs to another {key.replace('_', ' ')}: {stored[key]!r:.80}")
            for text, engine in stored.get("added", ()):
                program = parse(text)
                plan, _ = safe_plan(program, plan_for(program))
                self._extend(Running(program, plan, engine))
            self.keep(int(stored.get("keep", 0)))
            for partition, state in stored["partitions"]:
                self.engines[partition] = self._make()
                self.engines[partition].restore(state)
                self._note(partition)
            if self.program.axioms:
                broken = zip(self.program.axioms, map(int, stored["broken"]), strict=True)
                self.breaches.update({axiom: times for axiom, times in broken if times})
            self.now = int(stored["now"])
        except InputError:
            raise
        except (ValueError, KeyError, TypeError, IndexError, AttributeError, OSError) as error:
            raise refusal(f"the file is no state of a detection ({type(error).__name__})") from None

    def store(self, path: Path, partition_by: str | None) -> None:
        """Store the state; the file is replaced at once or not at all."""
        partitions = [[partition, engine.snapshot()] for partition, engine in self.engines.items()]
        data = {**self._question(partition_by), "now": self.now, "partitions": partitions}
        if self.lateness is None:
            data |= {"keep": self.kept, "added": [[str(more.program), more.engine] for more in self.added]}
        if self.program.axioms:
            data["broken"] = [self.breaches[axiom] for axiom in self.program.axioms]
        write_text(path, json.dumps(data, ensure_ascii=False) + "\n")


def arriving(rows: Iterable[Row], lateness: Time, report: ReadReport, latest: Time = -1) -> Iterator[Instant]:
    """The rows as they come, those of one time that follow each other together; what comes too late is left out."""
    report.lateness = lateness

    def taken() -> Iterator[Row]:
        nonlocal latest
        for row in rows:
            report.rows += 1
            report.events[row.event] += 1
            if row.time < latest - lateness:
                report.late += 1
                report.first_late = report.first_late or row.place
                continue
            report.out_of_order += row.time < latest
            latest = max(latest, row.time)
            yield row

    for time, together in groupby(taken(), attrgetter("time")):
        yield Instant(time, tuple(together))


def event_data(event: Event, time: Callable[[Time], Time | str] = in_ticks) -> dict[str, Any]:
    """`{"start": 3, "time": 9, "event": "overdue", "id": 42}`: a row of a log, with times as a function shows them."""
    return {"start": time(event.start), "time": time(event.time), "event": event.type, **event.attributes}
