"""Detection by rules: an engine for each partition of a log, time that goes on for all of them, a state that is kept.

The state is JSON: `schema` "remora/rules-state/1", `program`, `plan`, `engine`, `partition_by`, `now` and
`partitions`, a list of `[key, state of the engine]`; `keep`, for how many ticks events are kept for rules to come, and
`added`, the programs and engines that have come; of programs with axioms `broken` too, how often each axiom was broken.
One with corrections has its `lateness`, and neither `keep` nor `added`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from pathlib import Path
from typing import TYPE_CHECKING, Any

from detectors.bry_eckert.adding import Growing, lacking, needs
from detectors.bry_eckert.catalogue import ENGINES
from detectors.bry_eckert.protocol import Engine
from detectors.bry_eckert.watch import noticed
from remora.bry_eckert.breaches import Breaches
from remora.bry_eckert.programs import safe_engine
from semantics.atomic_files import write_text
from semantics.bry_eckert.algebra.planning import planned
from semantics.bry_eckert.algebra.plans import Plan
from semantics.bry_eckert.checking import parse
from semantics.bry_eckert.notation import plan_text
from semantics.bry_eckert.programs import Program
from semantics.bry_eckert.traces import events_of
from semantics.errors import InputError
from semantics.events import Event, Time
from semantics.traces.instants import Instant
from semantics.traces.rows import Partition, Row

if TYPE_CHECKING:
    from remora.bry_eckert.corrections import CorrectedDetection

SCHEMA = "remora/rules-state/1"


@dataclass(frozen=True)
class Running:
    """A program with the plan and the engine by which it is evaluated.

    Attributes:
        engine: a name of `detectors.bry_eckert.catalogue.ENGINES`.
    """

    program: Program
    plan: Plan
    engine: str

    def made(self) -> Engine:
        """A fresh engine."""
        return ENGINES[self.engine](self.program, self.plan, frozenset())


class Detection:
    """An engine for each partition, to which others can be added (2008, Section 6.2).

    Attributes:
        kept: for how many ticks events are kept for what is added.
        warnings: what broke one, as far as nobody has taken note of it.
    """

    def __init__(self, running: Running) -> None:
        """No partition has been seen, and no time is past."""
        self.program, self._running = running.program, running
        self.added: list[Running] = []
        self.kept: Time = 0
        self.engines: dict[Partition, Growing] = {}
        self.breaches = Breaches()
        self.warnings: list[str] = []
        self.now: Time = -1
        self._due: list[tuple[Time, int, Partition]] = []
        self._numbers: dict[Partition, int] = {}

    def keep(self, ticks: Time) -> None:
        """Keep events and answers for so long, for what is added."""
        self.kept = ticks
        for engine in self.engines.values():
            engine.keep = ticks

    def add(self, running: Running, past: Time | None = None) -> None:
        """Evaluate more rules from now on, which read the log and what is derived already.

        Args:
            running: the rules; what they read is declared as in `program`, or derived by it.
            past: how many ticks of the past they see; all that they need where it is None.

        Raises:
            InputError: what they need of the past is forgotten.
        """
        for relation, needed in needs(running.plan, past).items():
            back = "without a bound" if needed is None else f"back to time {self.now - needed + 1}"
            for engine in self.engines.values():
                if engine.lacks(needed, self.now) or (
                    needed != 0 and relation not in self.program.signatures
                ):
                    last = engine.forgotten
                    there = "was not read" if last is None else f"is forgotten up to time {last}"
                    raise lacking(relation, back, there)
        for partition, engine in self.engines.items():
            engine.add(running.made(), self.now, past)
            self._note(partition, engine)
        self.extend(running)

    def extend(self, running: Running) -> None:
        """Evaluate more rules in the partitions to come."""
        self.added.append(running)
        self.program = self.program.united(running.program)

    def _make(self) -> Growing:
        engine = Growing(self._running.made(), self.kept)
        for running in self.added:
            engine.add(running.made(), -1)
        return engine

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
            yield from self._step(instant.time, partition, rows)

    def until(self, time: Time | None) -> Iterator[tuple[Event, Partition]]:
        """The answers of timers that are due up to a time while nothing arrives; all of them where it is None."""
        while self._due and (time is None or self._due[0][0] <= time):
            due, _, partition = heappop(self._due)
            engine = self.engines[partition]
            if engine.due() == due:  # an engine is there once for each time at which it was asked
                self.now = due
                yield from self._step(due, partition, [])

    def _step(self, time: Time, partition: Partition, rows: list[Row]) -> Iterator[tuple[Event, Partition]]:
        given = [(row, event) for row in rows for event in events_of((row,), self.program)]
        engine = self.engines.get(partition)
        if engine is None:
            if not given:
                return
            engine = self.engines[partition] = self._make()
        for event in engine.step(time, [event for _, event in given]):
            yield event, partition
        self.warnings += self.breaches.told(noticed(engine), given)
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
        lateness: within how many ticks answers are corrected; None where they are not.
    """

    def __init__(
        self, path: Path, running: Running, partition_by: str | None, lateness: Time | None = None
    ) -> None:
        self._path = path
        digest = hashlib.sha256(plan_text(running.plan).encode()).hexdigest()
        self._question = {
            "schema": SCHEMA,
            "program": str(running.program),
            "plan": digest,
            "engine": running.engine,
            "partition_by": partition_by,
            "lateness": lateness,
        }

    def restore(self, detection: Detection | CorrectedDetection) -> None:
        """Take up the state, if there is a file.

        Raises:
            InputError: it is damaged, or belongs to another detection.
        """
        if not self._path.exists():
            return
        try:
            stored = json.loads(self._path.read_text(encoding="utf-8"))
            stored.setdefault("lateness", None)
            for key, wanted in self._question.items():
                if stored[key] != wanted:
                    raise self._error(
                        f"the state belongs to another {key.replace('_', ' ')}: {stored[key]!r:.80}"
                    )
            now = int(stored["now"])
            if isinstance(detection, Detection):
                for text, engine in stored["added"]:
                    program = parse(text)
                    engine, plan, _ = safe_engine(engine, program, planned(program, {}))
                    detection.extend(Running(program, plan, engine))
                detection.keep(int(stored["keep"]))
            for partition, state in stored["partitions"]:
                detection.restore(partition, state)
            if detection.program.axioms:
                broken = zip(detection.program.axioms, map(int, stored["broken"]), strict=True)
                detection.breaches.counts.update({axiom: times for axiom, times in broken if times})
        except InputError:
            raise
        except (ValueError, KeyError, TypeError, IndexError, AttributeError, OSError) as error:
            raise self._error(f"the file is no state of a detection ({type(error).__name__})") from None
        detection.now = now

    def write(self, detection: Detection | CorrectedDetection) -> None:
        """Store the state; the file is replaced at once or not at all."""
        partitions = [[partition, engine.snapshot()] for partition, engine in detection.engines.items()]
        data: dict[str, Any] = {**self._question, "now": detection.now, "partitions": partitions}
        if isinstance(detection, Detection):
            data["keep"] = detection.kept
            data["added"] = [[str(more.program), more.engine] for more in detection.added]
        if detection.program.axioms:
            data["broken"] = [detection.breaches.counts[axiom] for axiom in detection.program.axioms]
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
