"""Detection in a trace file that is read by columns, as far as that goes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from detectors.carlson_lisper.blocks import Blocks, Detected, TooLong
from semantics.ahead import ahead
from semantics.carlson_lisper.expressions import Expression, identifiers
from semantics.traces.columns import Columns, Unusual
from semantics.traces.instants import ReadReport
from semantics.traces.reading import Format, Reading


class ColumnDetection:
    """A detection of patterns in a trace file.

    Attributes:
        time: what ends after it has not been found; -1 before the first instant.
        columns: the file; says which partitions there are.
        names: the event types, by the numbers that rows have.
    """

    def __init__(
        self,
        path: Path,
        format: Format,
        patterns: Sequence[Expression],
        reading: Reading,
        report: ReadReport,
        *,
        instances: bool,
    ) -> None:
        """A regular file, in which nothing is found yet.

        Args:
            path: the file.
            format: its format.
            patterns: ground expressions.
            reading: how it is read.
            report: is told what was read.
            instances: whether whole instances are asked for, or starts and ends.
        """
        self.names = sorted(frozenset[str]().union(*map(identifiers, patterns)))
        self.columns = Columns(str(path), format, self.names, reading, report, values=instances)
        self._blocks = Blocks(patterns, self.names, instances=instances)
        self.is_done = False

    @property
    def time(self) -> int:
        """What ends after it has not been found."""
        return self._blocks.time

    def found(self) -> Iterator[Detected]:
        """What is found, as far as the file can be read by columns; `is_done` says whether that is all of it."""
        try:
            for rows in ahead(self.columns.rows()):
                yield from self._blocks.detect(rows)
            yield from self._blocks.finish()
            self.is_done = True
        except (Unusual, TooLong):  # the reader of rows knows what to say
            pass
