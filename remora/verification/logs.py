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
from semantics.traces.instants import ReadReport, SameTime, unknown_events


@dataclass(frozen=True)
class Reading:
    """How a trace is read: what its rows may be like.

    Attributes:
        sort: whether they may be out of order.
        same_time: which occurrence is kept of an event type that occurs twice at one time.
        partition_by: the column whose values make traces of their own.
    """

    sort: bool = False
    same_time: SameTime | None = None
    partition_by: str | None = None


@dataclass(frozen=True)
class Log:
    """A pattern and a trace of the user's, read and checked.

    Attributes:
        name: what it is called in the report.
        expression: the pattern.
        scenarios: the trace, or one for each partition.
    """

    name: str
    expression: Expression
    scenarios: tuple[Interpretation, ...]


def read_log(
    name: str, path: str | Path, expression: str, reading: Reading | None = None
) -> tuple[Log, list[str]]:
    """Read a trace for the report; returns it with warnings and what was changed in reading.

    Raises:
        InputError: the expression or the trace is not acceptable, or the trace is too long for its meaning.
    """
    pattern, report, how = parse(expression), ReadReport(), reading or Reading()
    found = read_partitions(path, how.partition_by, sort=how.sort, same_time=how.same_time, report=report)
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
    if how.partition_by is not None:
        name = f"{name}, by {how.partition_by} ({len(found):,} traces)"
    return Log(name, pattern, tuple(found.values())), [f"{name}: {text}" for text in said]
