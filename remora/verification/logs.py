"""Logs of the user's for the report: a pattern and a trace, read and checked."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from semantics.carlson_lisper.expressions import Expression, identifiers
from semantics.carlson_lisper.interpretations import Interpretation
from semantics.carlson_lisper.intervals import MAX_INSTANTS
from semantics.carlson_lisper.syntax import parse
from semantics.carlson_lisper.traces import read_partitions
from semantics.errors import InputError
from semantics.traces.instants import ReadReport, unknown_events
from semantics.traces.reading import USUAL, Reading


@dataclass(frozen=True)
class Log:
    """A pattern and a trace of the user's, read and checked.

    Attributes:
        name: what it is called in the report.
        expression: the pattern.
        scenarios: the trace, or one for each partition: what occurs in it of the event types of the pattern.
        events: how many rows there are, of any type.
    """

    name: str
    expression: Expression
    scenarios: tuple[Interpretation, ...]
    events: int


def read_log(name: str, path: str | Path, expression: str, reading: Reading = USUAL) -> tuple[Log, list[str]]:
    """Read a trace for the report; returns it with warnings and what was changed in reading.

    Raises:
        InputError: the expression or the trace is not acceptable, or the trace is too long for its meaning.
    """
    pattern, report = parse(expression, reading.tick), ReadReport()
    found = read_partitions(path, reading, pattern=pattern, report=report)
    events = identifiers(pattern)
    for scenario in found.values():
        times = len({instance.start for event in events for instance in scenario[event]})
        if times > MAX_INSTANTS:
            raise InputError(
                f"the events of {pattern} occur at {times:,} distinct times; at most {MAX_INSTANTS:,} are"
                " compared with the meaning",
                place=name,
                remedy="Give a part of the trace; `remora detect` reads traces of any length.",
            )
    said = [*report.messages(), *unknown_events(events, report.events)]
    if reading.partition_by is not None:
        name = f"{name}, by {reading.partition_by} ({len(found):,} traces)"
    return Log(name, pattern, tuple(found.values()), report.rows - report.dropped), [
        f"{name}: {text}" for text in said
    ]
