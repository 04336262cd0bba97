"""Printing of detections: as text for people, as JSON Lines, or as a table in CSV or Parquet."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from remora.api.claiming.data import found_data
from remora.terminal import console
from remora.terminal.console import emit, shown, to_json
from semantics.atomic_files import draft
from semantics.carlson_lisper.occurrences import Instance
from semantics.errors import InputError
from semantics.events import Interval
from semantics.traces.instants import ReadReport
from semantics.traces.rows import Partition

if TYPE_CHECKING:  # which takes longer to load than a small log to read
    import polars as pl

TOGETHER = 1 << 16
"""So many detections become rows of a table together."""


@contextmanager
def output_to(path: Path | None, form: str | None) -> Iterator[BinaryIO | None]:
    """The file that results are written to, which takes its place when they are complete; None for standard output."""
    if path is None:
        if form == "parquet" and (sys.stdout.isatty() or not isinstance(sys.stdout, TextIOWrapper)):
            remedy = "Write it to a file with --out."
            raise InputError("a table in Parquet is no text", place="--format parquet", remedy=remedy)
        yield None
        return
    try:
        with draft(path) as place, place.open("xb") as file:
            yield file
    except OSError as error:
        remedy = "Name a file in a folder that can be written to."
        reason = f"the results cannot be written: {error.strerror or error}"
        raise InputError(reason, place=str(path), remedy=remedy) from None


@dataclass
class ResultPrinter:
    """Prints detections in one of the formats, and counts them by the name of their pattern."""

    report: ReadReport
    intervals: bool
    text: bool  # whether people read it
    partition_by: str | None
    flush: bool = False  # hand every line on at once, for live streams
    table: str | None = None  # `csv` or `parquet`, where a table is wanted in the place of lines
    only_count: bool = False
    limit: int | None = None
    file: BinaryIO | None = None  # what is written to; None for standard output
    counts: Counter[str] = field(default_factory=Counter)
    _waiting: list[tuple[str | None, Partition, Instance | Interval]] = field(default_factory=list)
    _parquet: Any = None

    def __post_init__(self) -> None:
        """Find out which characters are written."""
        self._ascii_only = self.file is None and not console.takes_unicode(sys.stdout)

    @property
    def is_full(self) -> bool:
        """Whether no more is to be printed."""
        return self.limit is not None and self.counts.total() >= self.limit

    def print(self, found: Instance | Interval, partition: Partition, pattern: str | None = None) -> None:
        """Print an instance with its occurrences, or an interval, and the name of its pattern where one is given."""
        if self.is_full:
            return
        self.counts[pattern or ""] += 1
        if self.only_count:
            return
        if self.table is None:
            self._write(self._line(found, partition, pattern) + "\n")
            if self.flush:
                self.flush_output()
            return
        self._waiting.append((pattern, partition, found))
        if len(self._waiting) >= TOGETHER:
            self._write_waiting()

    def _line(self, found: Instance | Interval, partition: Partition, pattern: str | None) -> str:
        time = self.report.shown
        if not self.text:
            named = {} if pattern is None else {"pattern": pattern}
            last = {} if self.partition_by is None else {"partition": partition}
            return to_json({**named, **found_data(found, time), **last}, ascii_only=self._ascii_only)
        members = found.sorted_occurrences() if isinstance(found, Instance) else ()
        parts = [f"[{time(found.start)}, {time(found.end)}]", *(shown(one.text(time(one.time))) for one in members)]
        if self.partition_by is not None:
            parts.insert(0, console.key_text(partition))
        return "  ".join(parts if pattern is None else [shown(pattern), *parts])

    def print_frame(
        self, found: pl.DataFrame, names: list[str], written: Callable[[pl.DataFrame], pl.Series | pl.DataFrame]
    ) -> None:
        """Print detections of patterns with these names that were found by columns, as they are written."""
        if self.limit is not None:
            found = found.head(self.limit - self.counts.total())
        for number, count in found["pattern"].value_counts().iter_rows():
            self.counts[names[number]] += count
        if self.only_count:
            return
        lines = written(found)
        if self.table is not None:
            self._write_table(cast("pl.DataFrame", lines))
        elif len(lines):
            text = cast("pl.Series", lines).str.join("\n").item() + "\n"
            if self._ascii_only and not self.text:
                text = re.sub(r"[^\x00-\x7f]+", lambda some: json.dumps(some[0])[1:-1], text)
            self._write(text)
        if self.flush:
            self.flush_output()

    def _write_waiting(self) -> None:
        """Write detections that came one by one as rows of a table, of whose rows in the log nothing is known."""
        import polars as pl

        from remora.api.detecting.columns import table_times

        waiting, self._waiting, time = self._waiting, [], self.report.shown
        columns: dict[str, pl.Series] = {}
        if any(pattern is not None for pattern, _, _ in waiting):
            columns["pattern"] = pl.Series([pattern for pattern, _, _ in waiting], dtype=pl.String)
        if self.partition_by is not None:
            keys = [None if key is None else str(key) for _, key, _ in waiting]
            columns[self.partition_by] = pl.Series(keys, dtype=pl.String)
        for name in ("start", "end"):
            ticks = pl.Series([getattr(found, name) for _, _, found in waiting], dtype=pl.Int64)
            columns[name] = table_times(ticks, self.report.clock)
        if not self.intervals:
            members = [cast(Instance, found).sorted_occurrences() for _, _, found in waiting]
            texts = [" ".join(one.text(time(one.time)) for one in each) for each in members]
            columns["instance"] = pl.Series(texts, dtype=pl.String)
            columns["rows"] = pl.Series([None] * len(texts), dtype=pl.List(pl.Int64))
        self._write_table(pl.DataFrame(columns))

    def _write_table(self, table: pl.DataFrame) -> None:
        stream: BinaryIO = self.file or sys.stdout.buffer
        if self.table == "csv":
            import polars as pl
            import polars.selectors as cs

            flat = table.with_columns(cs.list().list.eval(pl.element().cast(pl.String)).list.join(" "))
            flat.write_csv(stream, include_header=self._parquet is None)
            self._parquet = False
            return
        from pyarrow import parquet

        arrow = table.to_arrow()
        if self._parquet is None:
            self._parquet = parquet.ParquetWriter(stream, arrow.schema, compression="zstd")
        self._parquet.write_table(arrow)

    def _write(self, text: str) -> None:
        if self.file is None:
            emit(text)
        else:
            self.file.write(text.encode("utf-8", "backslashreplace"))

    def flush_output(self) -> None:
        """Hand on all that was printed."""
        if self.file is None:
            sys.stdout.flush()

    def finish(self, names: Collection[str] = ("",)) -> None:
        """End the table; say how many there were of each pattern where that is asked for, and to people."""
        if self.table is not None and not self.only_count and (self._waiting or self._parquet is None):
            self._write_waiting()
        if self._parquet:
            self._parquet.close()
        for name in names if self.only_count else ():
            count, named = self.counts[name], {"pattern": name} if name else {}
            line = f"{shown(name)}  {count}".strip() if self.text else to_json({**named, "count": count})
            self._write(f"{line}\n")
        self.flush_output()
        if self.text and not self.only_count and self.file is None:
            console.print_note(console.counted(self.counts.total(), "interval" if self.intervals else "instance"))
