"""Traces of this algebra: points, one of an event type at a time, each with one value (Def. 3.3, 3.4)."""

from __future__ import annotations

from collections import defaultdict
from functools import partial

from semantics.carlson_lisper.interpretations import Interpretation, interpretation
from semantics.carlson_lisper.occurrences import Occurrence
from semantics.events import TraceForm
from semantics.traces import files, instants
from semantics.traces.files import Format, TraceSource
from semantics.traces.instants import ReadReport, SameTime
from semantics.traces.rows import Partition, Row

FORM = TraceForm(intervals=False, repeats=False, attributes=("value",), source="Def. 3.4")
"""What is required of a trace: its events are points (Def. 3.3), and those of one type have different times."""

read_rows = partial(files.read_rows, form=FORM)
"""The rows of a trace (`semantics.traces.files.read_rows`) that this algebra takes."""

admissible = partial(instants.admissible, form=FORM)
"""The instants of a trace (`semantics.traces.instants.admissible`) that keep Def. 3.4."""


def occurrence_of(row: Row) -> Occurrence:
    """The triple of event type, value and time (Def. 3.3)."""
    return Occurrence(row.event, row.time, row.value)


def read_interpretation(
    source: TraceSource,
    *,
    format: Format | None = None,
    sort: bool = False,
    same_time: SameTime | None = None,
    report: ReadReport | None = None,
) -> Interpretation:
    """The interpretation (Def. 3.5) that a trace describes; options as for `read_rows` and `admissible`.

    Raises:
        InputError: as `read_rows` and `admissible`.
    """
    rows = read_rows(source, format=format)
    found = admissible(rows, sort=sort, same_time=same_time, report=report or ReadReport())
    return interpretation(occurrence_of(row) for instant in found for row in instant.rows)


def read_partitions(
    source: TraceSource,
    partition_by: str | None,
    *,
    format: Format | None = None,
    sort: bool = False,
    same_time: SameTime | None = None,
    report: ReadReport | None = None,
) -> dict[Partition, Interpretation]:
    """One interpretation per value of the column `partition_by`, in the order of their first occurrence.

    Without a column there is one interpretation, of the partition `None`.

    Raises:
        InputError: as `read_rows` and `admissible`.
    """
    rows = read_rows(source, format=format, partition_by=partition_by)
    found: defaultdict[Partition, list[Occurrence]] = defaultdict(list)
    for instant in admissible(rows, sort=sort, same_time=same_time, report=report or ReadReport()):
        for row in instant.rows:
            found[row.partition].append(occurrence_of(row))
    return {key: interpretation(occurrences) for key, occurrences in found.items()}
