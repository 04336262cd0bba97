"""Detections over the instants of a trace, the detectors that may run in them, and how what is found is printed."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, TypeAlias, cast

from detectors.carlson_lisper import catalogue
from detectors.carlson_lisper.catalogue import DEFAULT_OF_INTERVALS, Checked, Made, Maker, Stepper
from detectors.carlson_lisper.generated import Generated
from detectors.carlson_lisper.protocol import Report
from detectors.protocol import is_program
from remora.terminal import console
from remora.terminal.console import Aside, counted, emit, require_printable, shown
from semantics.atomic_files import draft, to_json
from semantics.carlson_lisper.expressions import Expression, identifiers
from semantics.carlson_lisper.occurrences import Instance, Occurrence, Time, Value, occurrence_data
from semantics.carlson_lisper.ties import finer
from semantics.errors import InputError
from semantics.events import Interval, Moment
from semantics.traces.rows import Instant, Partition, ReadReport

if TYPE_CHECKING:  # which takes longer to load than a small log to read
    import polars as pl

    from detectors.carlson_lisper.enumeration.listing import Members


def key_of(partition: Partition) -> str:
    """A key as text, in which numbers and texts are apart; what ends at one time is ordered by it."""
    return "" if partition is None else f"{'t' if isinstance(partition, str) else 'n'}{partition}"


def by_partition(instant: Instant, relevant: Collection[str]) -> dict[Partition, dict[str, Value]]:
    """The values of the events of some types that occur at an instant, by event type, in each partition."""
    found: dict[Partition, dict[str, Value]] = {}
    for row in instant.rows:
        if row.event in relevant:
            found.setdefault(row.partition, {})[row.event] = row.value
    return found


class Detection:
    """A detection that goes on from instant to instant; of the last one it knows what occurred of relevant types."""

    def __init__(self, expression: Expression, maker: Maker) -> None:
        self.relevant = identifiers(expression)
        self.detectors = defaultdict[Partition, Stepper](maker)
        self.time: Time = -1
        self.last: list[tuple[Partition, str]] = []

    def instant(self, instant: Instant) -> Iterator[tuple[Partition, Report]]:
        """Detections at each instant, as soon as they are found, ordered by partition."""
        time, occurring = instant.time, by_partition(instant, self.relevant)
        for partition in sorted(occurring, key=key_of):
            found = self.detectors[partition].step(time, occurring[partition])
            if found is not None:
                yield partition, found
        last = [(partition, event) for partition in occurring for event in occurring[partition]]
        self.time, self.last = time, last if time - self.time else self.last + last

    def rest(self) -> list[tuple[Partition, Report]]:
        """Detections that are known when all has been read, in the order of ends, then of partitions."""
        late = {key: one for key, one in self.detectors.items() if hasattr(one, "rest")}
        found = [(key, report) for key in sorted(late, key=key_of) for report in cast(Any, late[key]).rest()]
        return sorted(found, key=lambda each: each[1].end)


class Finer:
    """A detector of a pattern on the finer clock of rows that have an order within a tick, fed and heard in moments."""

    def __init__(self, detector: Stepper, scale: int) -> None:
        self.detector, self._scale = detector, scale
        self.snapshot, self.restore = detector.snapshot, detector.restore

    def step(self, time: Time, values: Mapping[str, Value]) -> Report | None:
        """What ends at a moment."""
        found = self.detector.step(self._scale * time + cast(Moment, time).place, values)
        if isinstance(found, Instance):
            return Instance(each._replace(time=Moment(each.time, self._scale)) for each in found.occurrences)
        return found and Interval(Moment(found.start, self._scale), Moment(found.end, self._scale))


DetectorLike: TypeAlias = str | Callable[[Expression], Any]
"""A detector: a name, `package.module:object`, or what makes one for a ground expression (a class, say)."""


def made(
    detector: DetectorLike, pattern: Expression, *, intervals: bool, stored: str | None = None, scale: int = 1
) -> Made:
    """The detector for a pattern, where need be that to which a stored state belongs; with a scale, fed in moments."""
    if scale > 1:
        if isinstance(detector, str) and is_program(detector):
            raise InputError("a program knows no order of ties", place="--ties", remedy="Leave it out.")
        found = made(detector, finer(pattern, scale), intervals=intervals, stored=stored)
        return replace(found, maker=lambda: Finer(found.maker(), scale))
    if not isinstance(detector, str):
        name, factory = named_factory(detector)
        return Made(name, partial(Checked, factory, pattern, intervals=intervals), "asked for")
    known = catalogue.by_name(detector, pattern, "intervals" if intervals else "instances", stored=stored)
    if known is not None:
        return known
    from campaigns.carlson_lisper.loading import detector_factory  # which brings the mutants and NumPy

    if is_program(detector):
        return _of_program(detector, pattern, intervals=intervals)
    with redirect_stdout(sys.stderr):  # results may be printed while it runs, and an import runs any code
        loaded = detector_factory(detector, [str(Path.cwd())])
    return Made(detector, partial(Checked, partial(Aside, loaded), pattern, intervals=intervals), "asked for")


def _of_program(name: str, pattern: Expression, *, intervals: bool) -> Made:
    from detectors.carlson_lisper.programs import Gathered, OfProgram  # which bring msgspec
    from detectors.processes import program

    factory = OfProgram(program(name, [str(Path.cwd())]))
    if factory.form.compared != "instances" and not intervals:
        remedy = 'Add --intervals, or declare it with compared = "instances".'
        raise InputError("the program says starts and ends alone", place="--detector", remedy=remedy)
    if factory.form.input == "cases" or factory.form.matches == "all":
        return Made(name, partial(Gathered, factory, pattern), "asked for; it answers when all has been read")
    return Made(name, partial(Checked, factory, pattern, intervals=intervals), "asked for")  # type: ignore[arg-type]


def named_factory(given: object) -> tuple[str, Callable[..., Any]]:
    """Maker of a detector, as it was given, with its name in messages."""
    if not callable(given):
        remedy = "Give a class or function that takes the expression, or the name of a detector."
        raise InputError(f"{given!r} makes no detector", remedy=remedy)
    name = str(getattr(given, "__qualname__", None) or type(given).__qualname__)
    return name.replace("<locals>.", ""), given


class Refuted(Exception):
    """The text that was made for a pattern detects something else than the proved steps; the text says where."""


def validated_name(name: str, pattern: Expression, *, intervals: bool) -> str:
    """The detector that runs for a pattern where it has to be proved or validated."""
    usual = DEFAULT_OF_INTERVALS if intervals else catalogue.DEFAULT_DETECTOR
    taken = usual if name == catalogue.AUTO else name
    if taken in catalogue.DETECTORS and catalogue.DETECTORS[taken].proved:
        return taken
    reason = f"{taken} is neither proved nor validated"
    if taken == DEFAULT_OF_INTERVALS:
        from smt.carlson_lisper.validation.validating import validate  # which brings the solver

        found = validate(Generated(pattern))
        if found.holds:
            return taken
        if found.outcome == "refuted":
            raise Refuted(f"the text of {taken} for {pattern} is wrong: {found.reason}")
        reason = f"the text of {taken} for {pattern} is {found}"
    raise InputError(reason, place="--validated", remedy="Take --detector figure4, whose steps are proved.")


TOGETHER = 1 << 16  # So many detections become rows of a table together


@contextmanager
def output_to(path: Path | None, form: str | None) -> Iterator[BinaryIO | None]:
    """The file that results are written to, which takes its place when they are complete; None for standard output."""
    if path is None:
        require_printable(form)
        yield None
        return
    try:
        with draft(path) as place, place.open("xb") as file:
            yield file
    except OSError as error:
        remedy = "Name a file in a folder that can be written to."
        reason = f"the results cannot be written: {error.strerror or error}"
        raise InputError(reason, place=str(path), remedy=remedy) from None


class Printed(NamedTuple):
    """An occurrence as it is printed: its time, and the whole of it."""

    time: Time | str
    text: str


Rows: TypeAlias = tuple[list[Any], list[Any], list[str]]
"""Starts and ends of detections as they are printed, and the occurrences of each as one text, of an interval ""."""


def in_columns(some: Sequence[Members], between: str) -> Rows:
    """Instances that end together and of which `Printed` is told, in order, with a text between two occurrences."""
    starts, ends = [members[0].told.time for members in some], [members[-1].told.time for members in some[:1]]
    return starts, ends * len(some), [between.join([one.told.text for one in members]) for members in some]


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
    _waiting: list[list[Any]] = field(default_factory=lambda: [[], [], [], [], []])
    _parquet: Any = None

    def __post_init__(self) -> None:
        self._ascii_only = self.file is None and not console.takes_unicode(sys.stdout)
        self._between = "  " if self.text else " " if self.table else ", "

    @property
    def is_full(self) -> bool:
        """Whether no more is to be printed."""
        return self.limit is not None and self.counts.total() >= self.limit

    def print(self, found: Instance | Interval, partition: Partition, pattern: str | None = None) -> None:
        """Print an instance with its occurrences, or an interval, and the name of its pattern where one is given."""
        if self.is_full:
            return
        texts = [""]
        if isinstance(found, Instance) and not self.only_count:
            texts = [self._between.join(self.printed(each).text for each in found.sorted_occurrences())]
        self._print_rows(([self._time(found.start)], [self._time(found.end)], texts), partition, pattern)

    def print_instances(self, some: Sequence[Members], partition: Partition) -> None:
        """Print instances whose occurrences, of which `printed` is told, are in order."""
        some = some if self.limit is None else some[: self.limit - self.counts.total()]
        self._print_rows(in_columns(some, self._between), partition, None)

    def printed(self, occurrence: Occurrence) -> Printed:
        """An occurrence as it is printed."""
        if self.text or self.table is not None:
            text = occurrence.text(self.report.shown(occurrence.time))
            return Printed(self._time(occurrence.time), shown(text) if self.text else text)
        return Printed(self._time(occurrence.time), self._json(occurrence_data(occurrence, self.report.shown)))

    def _time(self, time: Time) -> Time | str:
        if self.table == "parquet":
            return time
        return str(self.report.shown(time)) if self.text or self.table else self._json(self.report.shown(time))

    def _json(self, data: Any) -> str:
        return to_json(data, ascii_only=self._ascii_only)

    def _print_rows(self, rows: Rows, partition: Partition, pattern: str | None) -> None:
        number = len(rows[0])
        self.counts[pattern or ""] += number
        if self.only_count or not number:
            return
        if self.table is None:
            self._write("\n".join([*self._lines(rows, partition, pattern), ""]))
            if self.flush:
                self.flush_output()
            return
        columns: list[Sequence[object]] = [*rows, [pattern] * number, [partition] * number]
        for column, more in zip(self._waiting, columns, strict=True):
            column += more
        if len(self._waiting[0]) >= TOGETHER:
            self._write_waiting()

    def _lines(self, rows: Rows, partition: Partition, pattern: str | None) -> Iterator[str]:
        is_instance = bool(rows[2][0])
        if self.text:
            first = "" if pattern is None else f"{shown(pattern)}  "
            first += "" if self.partition_by is None else f"{console.key_text(partition)}  "
            begin, to, then, last = f"{first}[", ", ", "]  " if is_instance else "]", ""
        else:
            first = "" if pattern is None else f'"pattern": {self._json(pattern)}, '
            last = "}" if self.partition_by is None else f', "partition": {self._json(partition)}}}'
            begin, to = f'{{{first}"start": ', ', "end": '
            then, last = (', "instance": [', f"]{last}") if is_instance else ("", last)
        found = zip(*rows, strict=True)
        return (f"{begin}{start}{to}{end}{then}{text}{last}" for start, end, text in found)

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

        starts, ends, texts, patterns, partitions = self._waiting
        self._waiting, columns = [[], [], [], [], []], dict[str, pl.Series]()
        if any(pattern is not None for pattern in patterns):
            columns["pattern"] = pl.Series(patterns, dtype=pl.String)
        if self.partition_by is not None:
            keys = [None if key is None else str(key) for key in partitions]
            columns[self.partition_by] = pl.Series(keys, dtype=pl.String)
        for name, times in (("start", starts), ("end", ends)):
            columns[name] = (
                pl.Series(times, dtype=pl.String)
                if self.table == "csv"
                else table_times(pl.Series(times, dtype=pl.Int64), self.report.clock)
            )
        if not self.intervals:
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
        if self.table is not None and not self.only_count and (self._waiting[0] or self._parquet is None):
            self._write_waiting()
        if self._parquet:
            self._parquet.close()
        for name in names if self.only_count else ():
            count, named = self.counts[name], {"pattern": name} if name else {}
            line = f"{shown(name)}  {count}".strip() if self.text else to_json({**named, "count": count})
            self._write(f"{line}\n")
        self.flush_output()
        if self.text and not self.only_count and self.file is None:
            console.print_count(counted(self.counts.total(), "interval" if self.intervals else "instance"))
