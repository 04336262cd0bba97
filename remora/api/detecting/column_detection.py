"""Detection in a trace file or a table that is read by columns, as far as that goes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from detectors.carlson_lisper.blocks import Blocks, Detected, TooLong
from semantics.ahead import ahead
from semantics.carlson_lisper.expressions import Expression, identifiers
from semantics.traces.columns import Columns, Rows, Unusual
from semantics.traces.instants import ReadReport
from semantics.traces.reading import Format, Reading


class ColumnDetection:
    """A detection of patterns in a trace file or a table.

    Attributes:
        names: the event types, by the numbers that rows have.
    """

    def __init__(
        self,
        source: Any,
        format: Format,
        patterns: Sequence[Expression],
        reading: Reading,
        report: ReadReport,
        *,
        instances: bool,
        keep: bool = False,
    ) -> None:
        """Nothing is found yet.

        Args:
            source: the path of a regular file, or a table of Arrow.
            instances: whether whole instances are asked for, or starts and ends.
            keep: whether the rows of the event types of the patterns are kept, with their values.
        """
        path, table = (str(source), None) if isinstance(source, Path) else ("", source)
        self.names = sorted(frozenset[str]().union(*map(identifiers, patterns)))
        self.columns = Columns(
            path, format, self.names, reading, report, values=instances or keep, table=table
        )
        self.rows: list[Rows] = []
        self.is_done = False
        self._blocks = Blocks(patterns, self.names, instances=instances)
        self._keep = keep

    @property
    def time(self) -> int:
        """What ends after it has not been found; -1 before the first instant."""
        return self._blocks.time

    def found(self) -> Iterator[Detected]:
        """What is found, as far as it can be read by columns; `is_done` says whether that is all of it."""
        try:
            yield from ahead(self._evaluated())
            self.is_done = True
        except (Unusual, TooLong):  # the reader of rows knows what to say
            pass

    def _evaluated(self) -> Iterator[Detected]:
        for rows in ahead(self.columns.rows()):
            if self._keep:
                self.rows.append(rows)
            yield from self._blocks.detect(rows)
        yield from self._blocks.finish()
