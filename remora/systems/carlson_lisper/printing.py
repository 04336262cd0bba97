"""Printing of detections: as text for people, as JSON Lines, or as a table in CSV or Parquet."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from remora.api.claiming.data import found_data, to_json
from remora.terminal.console import emit, print_count, takes_unicode
from remora.terminal.texts import counted, shown
from semantics.atomic_files import draft
from semantics.carlson_lisper.occurrences import Instance
from semantics.errors import InputError
from semantics.events import Interval
from semantics.traces.instants import ReadReport
from semantics.traces.rows import Partition

if TYPE_CHECKING:  # which takes longer to load than a small log to read
    import polars as pl

TABLES = ("csv", "parquet")
"""The formats that have columns; others have lines."""

TOGETHER = 1 << 16
"""So many detections become rows of a table together."""


@contextmanager
def output_to(path: Path | None) -> Iterator[BinaryIO | None]:
    """The file that results are written to, which takes its place when they are complete; None for standard output.

    Raises:
        InputError: it cannot be written.
    """
    if path is None:
        yield None
        return
    try:
        with draft(path) as place, place.open("xb") as file:
            yield file
    except OSError as error:
        raise InputError(
            f"the results cannot be written: {error.strerror or error}",
            place=str(path),
            remedy="Name a file in a folder that can be written to.",
        ) from None


class ResultPrinter:
    """Prints detections in one of the formats, and counts them.

    Attributes:
        count: how many there were.
        counts: the same by the name of the pattern.
    """

    def __init__(
        self,
        report: ReadReport,
        *,
        intervals: bool,
        text: bool,
        partitioned: bool,
        flush: bool = False,
        table: str | None = None,
        partition_by: str | None = None,
        only_count: bool = False,
        limit: int | None = None,
        file: BinaryIO | None = None,
    ) -> None:
        """Choose the form.

        Args:
            report: says how times are shown, as soon as some have been read.
            flush: hand every line on at once, for live streams.
            table: `csv` or `parquet`, where a table is wanted in the place of lines.
            partition_by: the name of the column of partitions in a table.
            only_count: print how many there were in the place of what they are.
            limit: print no more than so many.
            file: what is written to; None for standard output.
        """
        self._report = report
        self.intervals, self.text, self.partitioned, self.flush = intervals, text, partitioned, flush
        self.table, self.only_count, self.limit = table, only_count, limit
        self._partition_by = partition_by
        self._waiting: list[tuple[str | None, Partition, Instance | Interval]] = []
        self.count = 0
        self.counts: Counter[str] = Counter()
        self._file = file
        self._ascii_only = file is None and not takes_unicode(sys.stdout)
        self._parquet: Any = None

    @property
    def is_full(self) -> bool:
        """Whether no more is to be printed."""
        return self.limit is not None and self.count >= self.limit

    def print(self, found: Instance | Interval, partition: Partition, pattern: str | None = None) -> None:
        """Print an instance with its occurrences, or an interval, and the name of its pattern where one is given."""
        if self.is_full:
            return
        self.count += 1
        self.counts[pattern or ""] += 1
        if self.only_count:
            return
        if self.table is not None:
            self._waiting.append((pattern, partition, found))
            if len(self._waiting) >= TOGETHER:
                self._write_waiting()
            return
        self._write(self._line(found, partition, pattern) + "\n")
        if self.flush:
            self.flush_output()

    def _line(self, found: Instance | Interval, partition: Partition, pattern: str | None) -> str:
        if self.text:
            members = found.sorted_occurrences() if isinstance(found, Instance) else ()
            time = self._report.shown
            line = f"[{time(found.start)}, {time(found.end)}]"
            line = "  ".join((line, *(shown(member.text(time(member.time))) for member in members)))
            if self.partitioned:
                line = f"{'(none)' if partition is None else shown(partition)}  {line}"
            return line if pattern is None else f"{shown(pattern)}  {line}"
        row = found_data(found, self._report.shown) | ({"partition": partition} if self.partitioned else {})
        if pattern is not None:
            row = {"pattern": pattern, **row}
        return to_json(row, ascii_only=self._ascii_only)

    def print_frame(
        self, found: pl.DataFrame, names: list[str], written: Callable[[pl.DataFrame], pl.Series | pl.DataFrame]
    ) -> None:
        """Print detections that were found by columns.

        Args:
            names: those of the patterns.
            written: makes lines of them, or the table that is wanted.
        """
        if self.limit is not None:
            found = found.head(self.limit - self.count)
        self.count += len(found)
        for number, count in found["pattern"].value_counts().iter_rows():
            self.counts[names[number]] += count
        if self.only_count:
            return
        lines = written(found)
        if self.table is not None:
            self._write_table(lines, first=self._parquet is None)  # type: ignore[arg-type]
        elif len(lines):
            text = lines.str.join("\n").item() + "\n"  # type: ignore[union-attr]
            self._write(_ascii_json(text) if self._ascii_only and not self.text else text)
        if self.flush:
            self.flush_output()

    def _write_waiting(self) -> None:
        """Write detections that came one by one as rows of a table, of whose rows in the log nothing is known."""
        import polars as pl

        from remora.api.detecting.tables import table_times

        columns: dict[str, pl.Series] = {}
        waiting, self._waiting = self._waiting, []
        if any(pattern is not None for pattern, _, _ in waiting):
            columns["pattern"] = pl.Series([pattern for pattern, _, _ in waiting], dtype=pl.String)
        if self._partition_by is not None:
            keys = [None if key is None else str(key) for _, key, _ in waiting]
            columns[self._partition_by] = pl.Series(keys, dtype=pl.String)
        for name in ("start", "end"):
            ticks = pl.Series([getattr(found, name) for _, _, found in waiting], dtype=pl.Int64)
            columns[name] = table_times(ticks, self._report.clock)
        if not self.intervals:
            time = self._report.shown
            texts = [
                " ".join(one.text(time(one.time)) for one in found.sorted_occurrences())
                for _, _, found in waiting
                if isinstance(found, Instance)
            ]
            columns["instance"] = pl.Series(texts, dtype=pl.String)
            columns["rows"] = pl.Series([None] * len(texts), dtype=pl.List(pl.Int64))
        self._write_table(pl.DataFrame(columns), first=self._parquet is None)

    def _write_table(self, table: pl.DataFrame, *, first: bool) -> None:
        stream: BinaryIO = self._file or sys.stdout.buffer
        if self.table == "csv":
            self._parquet = False
            _flat(table).write_csv(stream, include_header=first)
            return
        from pyarrow import parquet

        arrow = table.to_arrow()
        if first:
            self._parquet = parquet.ParquetWriter(stream, arrow.schema, compression="zstd")
        self._parquet.write_table(arrow)

    def _write(self, text: str) -> None:
        if self._file is None:
            emit(text)
        else:
            self._file.write(text.encode("utf-8", "backslashreplace"))

    def flush_output(self) -> None:
        """Hand on all that was printed."""
        if self._file is None:
            sys.stdout.flush()

    def finish(self, names: Collection[str] = ("",)) -> None:
        """End the table; say how many there were where that is asked for, and to people.

        Args:
            names: those of the patterns.
        """
        if self.table is not None and not self.only_count and (self._waiting or self._parquet is None):
            self._write_waiting()
        if self._parquet:
            self._parquet.close()
        for name in names if self.only_count else ():
            count = self.counts[name]
            named = {"pattern": name} if name else {}
            self._write(
                f"{shown(name)}  {count}".strip() + "\n" if self.text else to_json({**named, "count": count}) + "\n"
            )
        self.flush_output()
        if self.text and not self.only_count and self._file is None:
            print_count(counted(self.count, "interval" if self.intervals else "instance"))


def _flat(table: pl.DataFrame) -> pl.DataFrame:
    """A table for CSV, whose cells are no lists."""
    import polars as pl
    import polars.selectors as cs

    return table.with_columns(cs.list().list.eval(pl.element().cast(pl.String)).list.join(" "))


def _ascii_json(text: str) -> str:
    """Lines of JSON with escapes in the place of characters that ASCII has not."""
    return re.sub(r"[^\x00-\x7f]+", lambda found: json.dumps(found[0])[1:-1], text)


def require_binary(table: str | None, path: Path | None) -> None:
    """Refuse to print a table that is no text at a terminal.

    Raises:
        InputError: it would be.
    """
    if table == "parquet" and path is None and (sys.stdout.isatty() or not isinstance(sys.stdout, TextIOWrapper)):
        raise InputError(
            "a table in Parquet is no text", place="--format parquet", remedy="Write it to a file with --out."
        )
