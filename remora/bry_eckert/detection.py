"""Detection by rules: an engine for each partition of a log, time that goes on for all of them, a state that is kept.

The state is JSON: `schema` "remora/rules-state/1", `program`, `plan`, `engine`, `partition_by`, `now` and
`partitions`, a list of `[key, state of the engine]`; of a program with axioms `axioms` too, a list of
`[key, state of the watch]`, and `broken`, how often each axiom was broken.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from heapq import heappop, heappush
from pathlib import Path
from typing import Any

from detectors.bry_eckert.protocol import Engine
from semantics.atomic_files import write_text
from semantics.bry_eckert.axioms import Watch
from semantics.bry_eckert.notation import plan_text
from semantics.bry_eckert.plans import Plan
from semantics.bry_eckert.programs import Axiom, Program
from semantics.bry_eckert.traces import events_of
from semantics.errors import InputError
from semantics.events import Event, Time
from semantics.traces.instants import Instant
from semantics.traces.rows import Partition, Row

SCHEMA = "remora/rules-state/1"

BREACHES_SHOWN = 3
"""So many breaches of an axiom are shown one by one; all are counted."""


class AxiomWatch:
    """Looks whether each partition of a log obeys the axioms of a program, and says where not.

    Args:
        program: the program.
    """

    def __init__(self, program: Program) -> None:
        """No event has been seen."""
        self._program = program
        self.partitions: dict[Partition, Watch] = {}
        self.broken: Counter[Axiom] = Counter()

    def see(self, instant: Instant) -> Iterator[str]:
        """What breaks an axiom, with its place in the log; of each axiom the first `BREACHES_SHOWN` times."""
        for row in instant.rows if self._program.axioms else ():
            watch = self.partitions.get(row.partition)
            if watch is None:
                watch = self.partitions[row.partition] = Watch(self._program)
            for event in events_of((row,), self._program):
                for violation in watch.see(event):
                    self.broken[violation.axiom] += 1
                    if self.broken[violation.axiom] <= BREACHES_SHOWN:
                        yield f"{row.place}: {violation}"

    def summary(self) -> Iterator[str]:
        """How often each axiom was broken that was."""
        for axiom, times in self.broken.items():
            yield f"the axiom in line {axiom.line} is broken {times:,} {'time' if times == 1 else 'times'}: {axiom}"

    def restore(self, partition: Partition, state: Any) -> None:
        """Take up the state of a partition."""
        self.partitions[partition] = Watch(self._program)
        self.partitions[partition].restore(state)


class Detection:
    """An engine for each partition.

    Args:
        program: the rules.
        make: makes a fresh engine.
    """

    def __init__(self, program: Program, make: Callable[[], Engine]) -> None:
        """No partition has been seen, and no time is past."""
        self._program, self._make = program, make
        self.engines: dict[Partition, Engine] = {}
        self.watch = AxiomWatch(program)
        self.now: Time = -1
        self._due: list[tuple[Time, int, Partition]] = []
        self._numbers: dict[Partition, int] = {}

    def instant(self, instant: Instant) -> Iterator[tuple[Event, Partition]]:
        """The answers up to a time at which events end, each at its time."""
        yield from self.until(instant.time - 1)
        self.now = instant.time
        by_partition: dict[Partition, list[Row]] = {}
        for row in instant.rows:
            by_partition.setdefault(row.partition, []).append(row)
        while self._due and self._due[0][0] <= instant.time:
            by_partition.setdefault(heappop(self._due)[2], [])
        for partition, rows in by_partition.items():
            yield from self._step(instant.time, partition, list(events_of(rows, self._program)))

    def until(self, time: Time | None) -> Iterator[tuple[Event, Partition]]:
        """The answers of timers that are due up to a time while nothing arrives; all of them where it is None."""
        while self._due and (time is None or self._due[0][0] <= time):
            due, _, partition = heappop(self._due)
            engine = self.engines[partition]
            if engine.due() == due:  # an engine is there once for each time at which it was asked
                self.now = due
                yield from self._step(due, partition, [])

    def _step(
        self, time: Time, partition: Partition, events: list[Event]
    ) -> Iterator[tuple[Event, Partition]]:
        engine = self.engines.get(partition)
        if engine is None:
            if not events:
                return
            engine = self.engines[partition] = self._make()
        for event in engine.step(time, events):
            yield event, partition
        self._note(partition, engine)

    def _note(self, partition: Partition, engine: Engine) -> None:
        due = engine.due()
        if due is not None:
            heappush(self._due, (due, self._numbers.setdefault(partition, len(self._numbers)), partition))

    def restore(self, partition: Partition, state: Any) -> None:
        """Take up the state of a partition."""
        engine = self.engines[partition] = self._make()
        engine.restore(state)
        self._note(partition, engine)


class StateFile:
    """A file with the state of a detection, which goes on where its last input ended.

    Args:
        path: the file; it need not exist.
        program: the rules.
        plan: the plan.
        engine: the name of the engine.
        partition_by: the column that partitions the log.
    """

    def __init__(
        self, path: Path, program: Program, plan: Plan, engine: str, partition_by: str | None
    ) -> None:
        """Nothing is read yet."""
        self._path, self._axioms = path, program.axioms
        digest = hashlib.sha256(plan_text(plan).encode()).hexdigest()
        self._question = {
            "schema": SCHEMA,
            "program": str(program),
            "plan": digest,
            "engine": engine,
            "partition_by": partition_by,
        }

    def restore(self, detection: Detection) -> None:
        """Take up the state, if there is a file.

        Raises:
            InputError: it is damaged, or belongs to another detection.
        """
        if not self._path.exists():
            return
        try:
            stored = json.loads(self._path.read_text(encoding="utf-8"))
            for key, wanted in self._question.items():
                if stored[key] != wanted:
                    raise self._error(
                        f"the state belongs to another {key.replace('_', ' ')}: {stored[key]!r:.80}"
                    )
            now = int(stored["now"])
            for partition, state in stored["partitions"]:
                detection.restore(partition, state)
            if self._axioms:
                for partition, state in stored["axioms"]:
                    detection.watch.restore(partition, state)
                broken = zip(self._axioms, map(int, stored["broken"]), strict=True)
                detection.watch.broken.update({axiom: times for axiom, times in broken if times})
        except InputError:
            raise
        except (ValueError, KeyError, TypeError, IndexError, AttributeError, OSError) as error:
            raise self._error(f"the file is no state of a detection ({type(error).__name__})") from None
        detection.now = now

    def write(self, detection: Detection) -> None:
        """Store the state; the file is replaced at once or not at all."""
        partitions = [[partition, engine.snapshot()] for partition, engine in detection.engines.items()]
        data: dict[str, Any] = {**self._question, "now": detection.now, "partitions": partitions}
        if self._axioms:
            data["axioms"] = [[key, watch.snapshot()] for key, watch in detection.watch.partitions.items()]
            data["broken"] = [detection.watch.broken[axiom] for axiom in self._axioms]
        write_text(self._path, json.dumps(data, ensure_ascii=False) + "\n")

    def _error(self, reason: str) -> InputError:
        remedy = "Name another file with --state, or remove this one and begin anew."
        return InputError(reason, place=str(self._path), remedy=remedy)


def later(
    instants: Iterable[Instant], detection: Detection, seen: Callable[[int], None]
) -> Iterator[Instant]:
    """The instants after the time that is done; `seen` is told of rows that are left out because they are not."""
    done = detection.now
    for instant in instants:
        if instant.time > done:
            yield instant
        else:
            seen(len(instant.rows))
