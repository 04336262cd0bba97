"""Detections of a pattern in a log, compared with its meaning."""

import time as clocks
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from detectors.carlson_lisper.catalogue import DEFAULT_DETECTOR, DETECTORS
from detectors.carlson_lisper.protocol import instants, run
from laws.standings import Standing
from remora.api.claiming.data import JsonObject
from semantics.carlson_lisper.expressions import Expression, identifiers
from semantics.carlson_lisper.intervals import MAX_INSTANTS, Intervals
from semantics.carlson_lisper.occurrences import Instance, Interpretation, interpretation
from semantics.carlson_lisper.syntax import parse
from semantics.carlson_lisper.traces import read_partitions
from semantics.clock import Clock
from semantics.errors import unknown_events
from semantics.events import Interval, Time
from semantics.traces.reading import USUAL, Reading
from semantics.traces.rows import Partition, ReadReport


@dataclass(frozen=True)
class Log:
    """A pattern and a trace of the user's, read and checked."""

    name: str
    expression: Expression
    scenarios: Mapping[Partition, Interpretation]  # the trace, or one by partition: what occurs of the pattern's types
    events: int  # how many rows there are, of any type
    clock: Clock | None = None


def read_log(name: str, path: str | Path, expression: str, reading: Reading = USUAL) -> tuple[Log, list[str]]:
    """Read a trace for the report; returns it with warnings and what was changed in reading."""
    pattern, report = parse(expression, reading.tick), ReadReport()
    found = read_partitions(path, reading, pattern=pattern, report=report)
    events = identifiers(pattern)
    said = [*report.messages(), *unknown_events(events, report.events)]
    if reading.partition_by is not None:
        name = f"{name}, by {reading.partition_by} ({len(found):,} traces)"
    return Log(name, pattern, found, report.rows - report.dropped, reading.clock), [f"{name}: {text}" for text in said]


def comparable(expression: Expression, scenario: Interpretation) -> tuple[Interpretation, Time | None]:
    """The beginning of a trace that is compared with the meaning, and its last time; None where that is all of it.

    What ends in it depends on nothing that comes later. It has at most `intervals.MAX_INSTANTS` distinct times.
    """
    times = sorted({one.start for event in identifiers(expression) for one in scenario[event]})
    if len(times) <= MAX_INSTANTS:
        return scenario, None
    last = times[MAX_INSTANTS - 1]
    return interpretation(each for each in scenario.occurrences() if each.time <= last), last


def detected(log: Log, note: Callable[[Standing, str], None]) -> JsonObject:
    """Detections in a log compared with their meaning; notes where they differ.

    Of a long trace the beginning is compared, and the document says how much.
    """
    seconds, number, agree, breakdown, until = 0.0, 0, True, "", list[str]()
    for scenario in log.scenarios.values():
        begin, found = clocks.perf_counter(), list[Instance]()
        try:
            found += run(DETECTORS[DEFAULT_DETECTOR](log.expression), instants(scenario))
        except Exception as error:  # whatever a detector raises is a result
            breakdown = breakdown or f": {type(error).__name__}: {error}"
        seconds += clocks.perf_counter() - begin
        number += len(found)
        part, last = comparable(log.expression, scenario)
        ended = found if last is None else [one for one in found if one.end <= last]
        # Instances have the starts and ends of the interval semantics, and are members of the denotation.
        members = Intervals(log.expression, part)
        agree = agree and not breakdown and [Interval(*one.interval) for one in ended] == members.restricted()
        agree = agree and all(one in members for one in ended)
        if last is not None:
            until.append(str(last if log.clock is None else log.clock.text(last)))
    if not agree:
        meaning = f"the meaning of {log.expression} on {log.name}{breakdown}"
        note(Standing.REFUTED, f"{DEFAULT_DETECTOR} disagrees with {meaning}")
    compared = f"the first {MAX_INSTANTS:,} instants"
    compared += f", up to {until[0]}" if len(until) == 1 else f" of each of {len(until):,} partitions"
    return {
        "expression": str(log.expression),
        "trace": log.name,
        "events": log.events,
        "detections": number,
        "agree": agree,
        "detector": DEFAULT_DETECTOR,
        "seconds": round(seconds, 6),
        **({"compared": compared} if until else {}),
    }
