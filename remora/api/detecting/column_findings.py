"""Findings in a file or a table that is read by columns, with a trace that is made when somebody looks at it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from remora.api.detecting.column_detection import ColumnDetection
from remora.api.detecting.traces import ArrowTable, LogOptions, Trace
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.occurrences import Instance, Occurrence
from semantics.events import Interval
from semantics.traces.columns import Rows
from semantics.traces.files import format_of
from semantics.traces.instants import ReadReport
from semantics.traces.reading import Format, Reading

if TYPE_CHECKING:
    from detectors.carlson_lisper.blocks import Detected

LARGE = 1 << 22
"""From this size on, in bytes, text is read by columns."""


class ColumnTrace(Trace):
    """A trace of which the occurrences of a pattern's event types are known, as columns."""

    def __init__(
        self, name: str, names: Sequence[str], rows: Sequence[Rows], report: ReadReport, tick: str | None
    ):
        """Take what was read."""
        notes = tuple(report.messages())
        for attribute, value in (("name", name), ("notes", notes), ("tick", tick), ("clock", report.clock)):
            object.__setattr__(self, attribute, value)
        object.__setattr__(self, "_read", (names, rows, report))

    @cached_property
    def occurrences(self) -> tuple[Occurrence, ...]:
        """By time, then event type."""
        names, rows, _ = self._read  # type: ignore[attr-defined]
        found = [each for some in rows for each in occurrences_of(some, np.arange(len(some)), names)]
        return tuple(sorted(found, key=Occurrence.sort_key))

    @property
    def events(self) -> dict[str, int]:
        """How often each event type occurs, also those that are not asked for, the most frequent first."""
        report: ReadReport = self._read[2]  # type: ignore[attr-defined]
        return dict(report.events.most_common())


def occurrences_of(rows: Rows, chosen: Any, names: Sequence[str]) -> list[Occurrence]:
    """The occurrences of some rows."""
    values = [None] * len(chosen) if rows.values is None else rows.values.of(chosen)
    cells = zip(rows.types[chosen].tolist(), rows.times[chosen].tolist(), values, strict=True)
    return [Occurrence(names[number], time, value) for number, time, value in cells]


def found_by_columns(
    pattern: Expression, given: object, options: LogOptions, *, intervals: bool
) -> tuple[Trace, tuple[Any, ...]] | None:
    """The trace and what is found in it; None where it is to be read row by row.

    Args:
        given: a path or a table; other things are not for this.
    """
    reading = Reading(**options)
    source, name = _source(given, reading)
    if source is None or reading.skip_bad:
        return None
    report = ReadReport()
    format: Format = reading.format or (isinstance(source, Path) and format_of(source)) or "csv"
    detection = ColumnDetection(
        source, format, [pattern], reading, report, instances=not intervals, keep=True
    )
    found: list[Any] = []
    for some in detection.found():
        found += _made(some, detection.names)
    if not detection.is_done:
        return None
    return ColumnTrace(name, detection.names, detection.rows, report, reading.tick), tuple(found)


def _source(given: object, reading: Reading) -> tuple[Any, str]:
    """What is read by columns, and its name; None where it is not."""
    if isinstance(given, str | os.PathLike):
        path = Path(os.fspath(given))
        form = reading.format or format_of(path)
        worth_while = path.is_file() and (form == "parquet" or (form and path.stat().st_size >= LARGE))
        return (path if worth_while else None), os.fspath(given)
    if isinstance(given, ArrowTable):
        import pyarrow

        return pyarrow.table(given), ""
    return None, ""


def _made(found: Detected, names: Sequence[str]) -> list[Instance] | list[Interval]:
    """The detections as values."""
    if found.members is None:
        return list(map(Interval, found.starts.tolist(), found.ends.tolist()))
    members = found.members
    occurrences = occurrences_of(members.of, members.rows, names)
    bounds = np.searchsorted(members.owners, np.arange(len(found) + 1)).tolist()
    return [Instance(occurrences[first:last]) for first, last in pairwise(bounds)]
