"""Patterns on logs: what is detected, compared with the meaning, and where it is."""

from __future__ import annotations

import time as clocks
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from campaigns.carlson_lisper.cases import Case
from detectors.carlson_lisper.catalogue import DEFAULT_DETECTOR, DETECTORS
from detectors.carlson_lisper.protocol import instants, run
from laws.standings import Standing
from remora.api.claiming.data import JsonObject, found_data, occurrence_data
from semantics.carlson_lisper.expressions import Expression, identifiers
from semantics.carlson_lisper.intervals import MAX_INSTANTS, Membership, interval_denotation
from semantics.carlson_lisper.occurrences import Instance, Interpretation, interpretation
from semantics.carlson_lisper.syntax import parse
from semantics.carlson_lisper.traces import read_partitions
from semantics.clock import Clock
from semantics.events import Interval, Time
from semantics.traces.instants import ReadReport, unknown_events
from semantics.traces.reading import USUAL, Reading
from semantics.traces.rows import Partition

KEYS = 10
"""So many partitions with the most detections are listed."""

SPANS = 12
"""Into so many spans of equal length the time of a log is cut."""

FIRST = 3
"""So many detections are drawn."""


@dataclass(frozen=True)
class Log:
    """A pattern and a trace of the user's, read and checked.

    Attributes:
        scenarios: the trace, or one by partition: what occurs in it of the event types of the pattern.
        events: how many rows there are, of any type.
        clock: how times of day are counted, where that is what was read.
    """

    name: str
    expression: Expression
    scenarios: Mapping[Partition, Interpretation]
    events: int
    clock: Clock | None = None


def read_log(name: str, path: str | Path, expression: str, reading: Reading = USUAL) -> tuple[Log, list[str]]:
    """Read a trace for the report; returns it with warnings and what was changed in reading.

    Raises:
        InputError: the expression or the trace is not acceptable.
    """
    pattern, report = parse(expression, reading.tick), ReadReport()
    found = read_partitions(path, reading, pattern=pattern, report=report)
    events = identifiers(pattern)
    said = [*report.messages(), *unknown_events(events, report.events)]
    if reading.partition_by is not None:
        name = f"{name}, by {reading.partition_by} ({len(found):,} traces)"
    return Log(name, pattern, found, report.rows - report.dropped, reading.clock), [f"{name}: {text}" for text in said]


def found_in(log: Log, found: Mapping[Partition, Sequence[Instance]]) -> JsonObject:
    """What is told of the detections in a log: how many by partition and over time, and the first ones."""
    shown = str if log.clock is None else log.clock.text
    times = [each.time for scenario in log.scenarios.values() for each in scenario.occurrences()]
    ends = sorted(one.end for instances in found.values() for one in instances)
    data: JsonObject = {"over_time": _over_time(ends, times, shown)}
    if any(key is not None for key in found):
        counts = {_name(key): len(each) for key, each in found.items() if each}
        most = sorted(counts, key=lambda key: (-counts[key], key))[:KEYS]
        data["partitions"] = len(counts)
        data["by_key"] = [{"key": key, "detections": counts[key]} for key in most]
    first = sorted(
        ((one, key) for key, instances in found.items() for one in instances),
        key=lambda both: (both[0].end, both[0].start, str(both[1])),
    )
    data["first"] = [_around(one, key, log, shown) for one, key in first[:FIRST]]
    return data


def comparable(expression: Expression, scenario: Interpretation) -> tuple[Interpretation, Time | None]:
    """The beginning of a trace that is compared with the meaning, and its last time; None where that is all of it.

    What ends in it depends on nothing that comes later. It has at most `intervals.MAX_INSTANTS` distinct times.
    """
    times = sorted({one.start for event in identifiers(expression) for one in scenario[event]})
    if len(times) <= MAX_INSTANTS:
        return scenario, None
    last = times[MAX_INSTANTS - 1]
    return interpretation(each for each in scenario.occurrences() if each.time <= last), last


def compared_words(until: Sequence[str]) -> str:
    """What of a log is compared with the meaning, by the last times of the partitions of which that is not all."""
    part = f"the first {MAX_INSTANTS:,} instants"
    return f"{part}, up to {until[0]}" if len(until) == 1 else f"{part} of each of {len(until):,} partitions"


def _name(key: Partition) -> str:
    """A partition as a reader meets it; rows without a value are one as well."""
    return "(none)" if key is None else str(key)


def whole_cases(log: Log) -> list[tuple[Case, str]]:
    """A log as cases for a detector, one for each partition, with a few words on where it is from."""
    cases: list[tuple[Case, str]] = []
    for key, scenario in log.scenarios.items():
        case = Case(0, len(cases), "log", log.expression, tuple(scenario.occurrences()))
        cases.append((case, log.name if key is None else f"{log.name}, {_name(key)}"))
    return cases


def _over_time(ends: Sequence[Time], times: Sequence[Time], shown: Callable[[Time], str]) -> list[JsonObject]:
    """How many detections end in each span of the log's time."""
    if not times:
        return []
    start, length = min(times), max(times) - min(times) + 1
    spans = min(SPANS, length)
    edges = [start + length * place // spans for place in range(spans + 1)]
    return [
        {"from": shown(one), "to": shown(other - 1), "detections": bisect_left(ends, other) - bisect_left(ends, one)}
        for one, other in pairwise(edges)
    ]


def _around(one: Instance, key: Partition, log: Log, shown: Callable[[Time], str]) -> JsonObject:
    """A detection with what else occurs in its interval of the types of the pattern; times in ticks from its start."""

    def since(time: Time) -> Time:
        return time - one.start

    events = log.scenarios[key].occurrences()
    return {
        **({} if key is None else {"key": _name(key)}),
        "begins": shown(one.start),
        "ends": shown(one.end),
        "instance": found_data(one, since)["instance"],
        "trace": [occurrence_data(each, since) for each in events if one.start <= each.time <= one.end],
    }


def detected(log: Log, note: Callable[[Standing, str], None], *, told: bool) -> JsonObject:
    """Detections in a log compared with their meaning, and where they are, if that is to be told."""
    seconds, agree, breakdown, until = 0.0, True, "", list[str]()
    by_partition: dict[Partition, list[Instance]] = {}
    for key, scenario in log.scenarios.items():
        begin = clocks.perf_counter()
        found = by_partition.setdefault(key, [])
        try:
            found += run(DETECTORS[DEFAULT_DETECTOR](log.expression), instants(scenario))
        except Exception as error:  # whatever a detector raises is a result
            breakdown = breakdown or f": {type(error).__name__}: {error}"
        seconds += clocks.perf_counter() - begin
        part, last = comparable(log.expression, scenario)
        ended = found if last is None else [one for one in found if one.end <= last]
        agree = agree and not breakdown and _is_right(log.expression, part, ended)
        if last is not None:
            until.append(str(last if log.clock is None else log.clock.text(last)))
    if not agree:
        note(
            Standing.REFUTED,
            f"{DEFAULT_DETECTOR} disagrees with the meaning of {log.expression} on {log.name}{breakdown}",
        )
    return {
        "expression": str(log.expression),
        "trace": log.name,
        "events": log.events,
        "detections": sum(map(len, by_partition.values())),
        "agree": agree,
        "detector": DEFAULT_DETECTOR,
        "seconds": round(seconds, 6),
        **({"compared": compared_words(until)} if until else {}),
        **(found_in(log, by_partition) if told else {}),
    }


def _is_right(expression: Expression, scenario: Interpretation, found: Sequence[Instance]) -> bool:
    """Whether instances have the starts and ends of the interval semantics, and are members of the denotation."""
    members = Membership(expression, scenario)
    expected = interval_denotation(expression, scenario).restricted()
    return [Interval(*instance.interval) for instance in found] == expected and all(
        instance in members for instance in found
    )
