"""Programs of rules as a user names them, plans that cost least on a log, and detection whose state is kept.

The state is JSON: `schema` "remora/rules-state/1", `program`, `plan`, `engine`, `partition_by`, `lateness`, `now` and
`partitions`, a list of `[key, state of the engine]`; `keep`, for how many ticks events are kept for rules to come, and
`added`, the programs and engines that have come, neither with corrections; with axioms `broken`, how often each was.
"""

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from heapq import heappop, heappush
from itertools import groupby, islice
from math import inf
from operator import attrgetter
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

from detectors.bry_eckert.catalogue import DEFAULT_DETECTOR, ENGINES, Correcting, Growing, reaches
from detectors.bry_eckert.differencing import Differencing, for_ever, maximal
from detectors.bry_eckert.node_engine import Nodes
from detectors.bry_eckert.protocol import Answer, Engine, answers
from detectors.bry_eckert.watch import Watch, noticed
from remora.systems.protocol import parsed
from remora.terminal.console import counted, print_note, print_warning
from semantics.atomic_files import write_text
from semantics.bry_eckert.algebra.planning import Choice, chosen, planned, read_choices
from semantics.bry_eckert.algebra.plans import Name, Plan, named, plan_text
from semantics.bry_eckert.checking import NO_TYPES, parse
from semantics.bry_eckert.denotation import Violation
from semantics.bry_eckert.programs import Axiom, EventType, Program
from semantics.bry_eckert.traces import events_of, read_log
from semantics.errors import InputError
from semantics.events import Event, Time, in_ticks, quoted
from semantics.traces.files import is_at_rest
from semantics.traces.reading import Reading
from semantics.traces.rows import Instant, Partition, ReadReport, Row

Answers: TypeAlias = Iterator[tuple[Answer, Partition]]

SHOWN = 3  # So many breaches of an axiom are shown one by one; all are counted
MOST_CANDIDATES = 5_000_000  # Beyond so many stored tuples that a sample looks at nothing more is counted


def read_program(path: str | Path, tick: str | None = None, known: Mapping[str, EventType] = NO_TYPES) -> Program:
    """The program in a file; an `InputError` names file, line and column."""
    return parsed(path, lambda text: parse(text, (tick or "").replace(" ", ""), known), "program")


def read_choices_in(path: Path, program: Program) -> dict[Name, Choice]:
    """The choices of a plan in a file; raises `InputError` where they name no rule or identifier of the program."""
    return parsed(path, lambda text: read_choices(text, program), "plan")


def plan_for(program: Program, path: Path | None = None) -> Plan:
    """The plan in a file; without one, atoms are joined in their order. Raises as `read_choices_in`."""
    return planned(program, {} if path is None else read_choices_in(path, program))


def wanted_types(program: Program, only: Sequence[str], *reserved: str) -> frozenset[str]:
    """The derived event types that are asked for, or all; `InputError` where there is none, or one has an attribute."""
    for name in only:
        if name not in program.derived:
            remedy = f"It derives {', '.join(map(quoted, program.derived))}."
            raise InputError(f"the program derives no {quoted(name)}", place="--only", remedy=remedy)
    for name in only or program.derived:
        for column in set(reserved).intersection(map(str.lower, program.signatures[name].types)):
            reason = f"{name} has an attribute {column}, and what is printed has a column of this name"
            raise InputError(reason, remedy="Give the attribute another name in the head of the rule.")
    return frozenset(only or program.derived)


def safe_plan(program: Program, plan: Plan) -> tuple[Plan, list[str]]:
    """The plan by which engines keep for ever what a solver does not find safe to forget; what that is, in words."""
    from smt.bry_eckert.relevance import doubtful

    found = list(doubtful(program, plan))
    said = [f"{one}; nothing is dropped there" for one in found]
    return replace(plan, doubtful=frozenset((one.point, one.number) for one in found)), said


def sampled_plan(
    program: Program, plan: Path | None, log: str, reading: Reading, sample: int | None, engine: str = DEFAULT_DETECTOR
) -> Plan:
    """The plan in a file, or the one that costs least on the first events of a log, which is read twice and said."""
    if sample is None:
        return plan_for(program, plan)
    if plan is not None:
        raise InputError("--plan and --sample both choose a plan", remedy="Leave one of them out.")
    if not is_at_rest(log):
        reason = "the events that decide on the plan are read twice, and standard input or a pipe only once"
        raise InputError(reason, place="--sample", remedy="Name a file, or a plan with --plan.")
    apart: dict[Partition, list[Event]] = {}
    events = (pair for instant in read_log(log, program, reading) for pair in _events(instant, program))
    for row, event in islice(events, sample):
        apart.setdefault(row.partition, []).append(event)
    choices = least_cost(program, list(apart.values()), engine)
    joined = "; ".join(f"{named(name)}: {choice}" for name, choice in choices.items()) or "as the rules are written"
    print_note(f"the plan that costs least on the first {counted(sum(map(len, apart.values())), 'event')}: {joined}")
    return planned(program, choices)


MEASURED: Mapping[str, Callable[[Program, Plan, frozenset[str]], Differencing | Nodes]] = MappingProxyType(
    {
        "differencing, storing": partial(Differencing, counting=True, relevance=for_ever),
        "differencing, maximal": partial(Differencing, counting=True, relevance=maximal),
        "differencing": partial(Differencing, counting=True),
        "nodes, storing": partial(Nodes, streaming=False, suppressing=False, collecting=False),
        "nodes, streaming": partial(Nodes, suppressing=False, collecting=False),
        "nodes, suppressing": partial(Nodes, streaming=False, collecting=False),
        "nodes, both joins": partial(Nodes, collecting=False),
        "nodes, collecting": partial(Nodes, streaming=False, suppressing=False),
        "nodes": Nodes,
    }
)
"""The engines, without and with what they leave out: tuples are kept for ever, by the maximal relevance conditions, or
by the minimal ones; of node objects each kind of join and the dropping of tuples alone, and all together."""


def cost(
    program: Program, plan: Plan, logs: Iterable[Sequence[Event]], limit: float = inf, engine: str = DEFAULT_DETECTOR
) -> float:
    """The cost of a plan: stored tuples that joins look at, right sides evaluated, and the mean number stored.

    Counting ends where a limit, or `MOST_CANDIDATES`, is reached: then the cost is infinite.
    """
    total, limit = 0.0, min(limit, MOST_CANDIDATES)
    for events in logs:
        running = MEASURED[engine](program, plan, frozenset())
        for time, given in groupby(events, attrgetter("time")):
            list(answers(running, given, time))
            if total + running.counts.candidates >= limit:
                return inf
        list(answers(running, ()))
        total += running.counts.candidates + running.counts.evaluated + running.counts.mean
    return total


def least_cost(program: Program, logs: Sequence[Sequence[Event]], engine: str = DEFAULT_DETECTOR) -> dict[Name, Choice]:
    """The choices that cost an engine least on a sample of the events of each partition."""
    return chosen(program, lambda plan, limit: cost(program, plan, logs, limit, engine))


def _events(instant: Instant, program: Program) -> Iterator[tuple[Row, Event]]:
    return ((row, event) for row in instant.rows for event in events_of((row,), program))


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
    for row, event in (pair for instant in instants for pair in _events(instant, program)):
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

    With a `lateness` answers are given at once, and corrected when rows come late by so many ticks at most; a time is
    settled when one has come that is greater by more.
    """

    def __init__(self, running: Running, lateness: Time | None = None) -> None:
        self.program, self._running, self.lateness = running.program, running, lateness
        self.engines: dict[Partition, Growing | Correcting] = {}
        self.added: list[Running] = []
        self.breaches, self.warnings = Breaches(), list[str]()
        self.kept: Time = 0  # for how many ticks events are kept for what is added
        self.now: Time = -1  # the greatest time that is past
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

    def instant(self, instant: Instant) -> Answers:
        """The answers up to a time at which events end, each at its time; corrections, if that is past."""
        yield from self._until(instant.time - 1)
        before, self.now = self.now, max(self.now, instant.time)
        rows: dict[Partition, list[tuple[Row, Event]]] = {}
        for row, event in _events(instant, self.program):
            rows.setdefault(row.partition, []).append((row, event))
        for partition, given in rows.items():
            if partition not in self.engines:
                self.engines[partition] = self._make()
                yield from self._said(partition, self.engines[partition].go_on(max(before, instant.time - 1)))
            answers = self.engines[partition].take([event for _, event in given])
            yield from self._said(partition, answers, given)
            if self.lateness is not None:
                self.engines[partition].settle(self.now - self.lateness - 1)
                self._note(partition)
        if instant.time > before:
            yield from self._until(instant.time)

    def end(self, until: Time | None = None) -> Answers:
        """The answers of timers due up to a time, or of all pending ones; nothing comes any more."""
        yield from self._until(until)
        for partition in self.engines:
            self.engines[partition].settle(until)
            self._note(partition)

    def _until(self, time: Time | None) -> Answers:
        """The answers of timers that are due up to a time while nothing arrives; all of them where it is None."""
        while self._due and (time is None or self._due[0][0] <= time):
            due, _, partition = heappop(self._due)
            engine = self.engines[partition]
            if engine.due() == due:  # an engine is there once for each time at which it was asked
                self.now = max(self.now, due)
                yield from self._said(partition, engine.go_on(due))

    def _said(
        self, partition: Partition, answers: Iterable[Answer], given: Sequence[tuple[Row, Event]] = ()
    ) -> Answers:
        yield from ((answer, partition) for answer in answers)
        self._note(partition, given)

    def _note(self, partition: Partition, given: Sequence[tuple[Row, Event]] = ()) -> None:
        """Take note of broken axioms, and of when a partition is due next."""
        self.warnings += self.breaches.told(noticed(self.engines[partition]), given)
        due = self.engines[partition].due()
        if due is not None:
            heappush(self._due, (due, self._numbers.setdefault(partition, len(self._numbers)), partition))

    def _question(self, partition_by: str | None) -> dict[str, Any]:
        return {
            "schema": "remora/rules-state/1",
            "program": str(self._running.program),
            "plan": hashlib.sha256(plan_text(self._running.plan).encode()).hexdigest(),
            "engine": self._running.engine,
            "partition_by": partition_by,
            "lateness": self.lateness,
        }

    def go_on_from(self, path: Path, partition_by: str | None) -> None:
        """Take up the state in a file, if there is one; `InputError` where it is damaged or of another detection."""
        if not path.exists():
            return
        try:
            stored = {"lateness": None, **json.loads(path.read_text(encoding="utf-8"))}
            for key, wanted in self._question(partition_by).items():
                if stored[key] != wanted:
                    raise InputError(f"the state belongs to another {key.replace('_', ' ')}: {stored[key]!r:.80}")
            for text, engine in stored.get("added", ()):
                program = parse(text)
                self._extend(Running(program, safe_plan(program, plan_for(program))[0], engine))
            self.keep(int(stored.get("keep", 0)))
            for partition, state in stored["partitions"]:
                self.engines[partition] = self._make()
                self.engines[partition].restore(state)
                self._note(partition)
            if self.program.axioms:
                broken = zip(self.program.axioms, map(int, stored["broken"]), strict=True)
                self.breaches.update({axiom: times for axiom, times in broken if times})
            self.now = int(stored["now"])
        except (ValueError, KeyError, TypeError, IndexError, AttributeError, OSError) as error:
            said = f"the file is no state of a detection ({type(error).__name__})"
            raise InputError(
                error.reason if isinstance(error, InputError) else said,
                place=str(path),
                remedy="Name another file with --state, or remove this one and begin anew.",
            ) from None

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
