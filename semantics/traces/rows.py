"""Rows of a trace: an event with the place it was read from, made of cells of any format, and grouped by time."""

from __future__ import annotations

import itertools
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

from semantics.errors import InputError
from semantics.events import NO_ATTRIBUTES, Attributes, Moment, Time, TraceForm, Value, quoted
from semantics.traces.reading import Epoch, Reading, SameTime, Ties

if TYPE_CHECKING:
    from semantics.clock import Clock

MAX_TIME: Final = 10**18  # ticks; times and their differences then fit a machine word
MAX_CELL: Final = 131_072  # characters of CSV, bytes of Parquet or of a table

MAX_COLUMNS: Final = 10_000  # of a log
SKIP: Final = "Or leave out what cannot be read: --skip-bad."

Partition: TypeAlias = str | int | None
"""The key of an independent detection: a case id, a user, a host; None where there is no key."""

ReadTime: TypeAlias = Callable[[object], Time]


class Undecided(InputError):
    """The rows of a log can be read in several ways; with the file, and options of a command that may settle it."""

    log: str = ""
    options: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Origin:
    """The source of rows, which are counted in lines (text) or in rows (Parquet)."""

    name: str
    unit: Literal["line", "row"] = "line"

    def place(self, number: int) -> str:
        """`file:17`, or `file: row 17`; counted from 1."""
        return f"{self.name}:{number}" if self.unit == "line" else f"{self.name}: row {number}"

    def at(self, number: int, error: InputError) -> InputError:
        """The error of a line or row with its place, or with the whole of it where the number is 0."""
        error.place = self.place(number) if number else self.name
        if isinstance(error, Undecided):
            error.log = self.name
        return error

    def error(self, number: int, reason: str, remedy: str = "", *, kind: type[InputError] = InputError) -> InputError:
        """The error for a line or row, or for the whole of it where the number is 0."""
        return self.at(number, kind(reason, remedy=remedy))


class Row(NamedTuple):
    """An event as it stands in a file: times in ticks, the attributes that were asked for, line or row from 1."""

    time: Time
    event: str
    start: Time
    attributes: Attributes
    partition: Partition
    origin: Origin
    number: int

    @property
    def place(self) -> str:
        """Where the row stands: `file:17`."""
        return self.origin.place(self.number)

    @property
    def value(self) -> Value:
        """The attribute `value`, None where it is missing."""
        return self.attributes.get("value")


# What these functions refuse has no place: whoever knows the row adds it.


def start_of(cell: object, time: Time, form: TraceForm, read: ReadTime) -> Time:
    """The start of an event that ends at a time, read by `read`; where the cell is empty, it is a point."""
    if cell is None or cell == "":
        return time
    if form.intervals and re.fullmatch(r"-[1-9][0-9]{0,17}", str(cell), re.ASCII):  # of a timer that goes back that far
        return int(str(cell))
    start = read(cell)
    if start > time:
        raise InputError(f"the event starts at {cell}, after its end", remedy="An event is [start, time].")
    if start < time and not form.intervals:
        reason = f"the event takes time, from {cell} to its end; the events of this algebra are points"
        raise InputError(
            reason, remedy="To take it at its end, leave the column out, or name another one with --start."
        )
    return start


def event_of(cell: object) -> str:
    """The event type that a cell names: any text, or a number or truth value as text."""
    if cell is None or cell == "" or cell != cell:
        raise InputError("the event is missing", remedy="Every row names the type of its event.")
    if isinstance(cell, str):
        return cell
    if isinstance(cell, dict | list | tuple):
        raise InputError(f"the event {shown(cell)} is not text", remedy='Write a name, such as "fail".')
    return str(partition_of(cell))


def value_of(cell: object) -> Value:
    """The value of an occurrence: a JSON scalar; other scalars, such as dates and infinity, as text."""
    if cell is None or isinstance(cell, bool | int) or (isinstance(cell, float) and math.isfinite(cell)):
        return cell
    if isinstance(cell, dict | list | tuple):
        kind = "an object" if isinstance(cell, dict) else "an array"
        raise InputError(f"the value {shown(cell)} is {kind}", remedy="A value is one scalar, or missing.")
    text = str(cell)
    if isinstance(cell, bytes):
        try:
            text = cell.decode()
        except UnicodeDecodeError:
            text = cell.hex()
    if "\0" in text or not (text.isascii() or text.encode(errors="ignore").decode() == text):
        reason = f"the text {shown(text)} has a NUL character, or half a surrogate pair"
        raise InputError(reason, remedy="Remove the character.")
    return text


def partition_of(cell: object) -> Partition:
    """The key of a partition: text or an integer; other scalars as text, so that 1, 1.0 and true stay apart."""
    value = value_of(cell)
    return json.dumps(value) if isinstance(value, bool | float) else value


def shown(cell: object) -> str:
    """A cell as a message shows it: printable, on one line, not too long."""
    if cell is None or isinstance(cell, bool | dict | list):
        return shortened(json.dumps(cell, default=str))
    return shortened(repr(cell) if isinstance(cell, str | int | float) else repr(str(cell)))


def shortened(text: str, limit: int = 60) -> str:
    """A text without its middle where it is longer than the limit."""
    return text if len(text) <= limit else f"{text[: limit // 2]} … {text[-limit // 4 :]}"


@dataclass(slots=True)
class ReadReport:
    """A report of what was read, and of what options changed to accept it; kept up to date while reading.

    Attributes:
        rows: the rows that were read, each of which was yielded or is counted in `dropped`; of a scan about so many.
        dropped: the rows dropped because their event type occurs twice at one time, as `same_time` decided.
        out_of_order: the rows with an earlier time than the row before them.
        late: the rows that came later than their time was waited for (`lateness`, in ticks), and were left out.
        events: how many rows of each event type were read.
        clock: the clock of times of day; None where times are ticks.
        rounded: how many times lay between two ticks, and were taken for the one before.
        bad: how many lines or rows could not be read and were left out; the first of them with what was wrong.
        meant: the unit since 1970 in which times may be stated that are taken for ticks.
        without_partition: how many rows had no value in the column that partitions the trace.
        tied: the first time at which two events occur whose order may matter, simultaneous or in order (`ties`).
    """

    rows: int = 0
    dropped: int = 0
    out_of_order: int = 0
    late: int = 0
    first_late: str = ""
    lateness: Time = 0
    same_time: SameTime | None = None
    events: Counter[str] = field(default_factory=Counter)
    clock: Clock | None = None
    rounded: int = 0
    bad: int = 0
    first_bad: str = ""
    meant: Epoch | None = None
    without_partition: int = 0
    partition_by: str | None = None
    tied: Time | None = None
    ties: Ties | None = None

    def begin_again(self) -> None:
        """Forget everything, because the trace is read anew."""
        self.__init__()  # type: ignore[misc]

    def shown(self, time: Time) -> Time | str:
        """A time as it is printed: in ticks, or as ISO 8601 where times of day were read."""
        return time if self.clock is None else self.clock.text(time)

    def messages(self) -> list[str]:
        """Messages of what the options changed; empty when they changed nothing."""
        again = "had occurred" if self.same_time == "first" else "occurred again"
        late = f"that came more than {self.lateness:,} ticks late (--lateness), the first at {self.first_late}"
        none = f"without a value of {shown(self.partition_by)}: together they are a trace of their own, (none)"
        counts = (
            (self.bad, "left out ", f"that cannot be read (--skip-bad), the first at {self.first_bad}"),
            (self.rounded, "rounded the times of ", "down to whole ticks (--round)"),
            (self.without_partition, "", none),
            (self.out_of_order, "sorted ", f"out of order (--{'lateness' if self.lateness else 'sort'})"),
            (self.late, "left out ", late),
            (self.dropped, "dropped ", f"of a type that {again} at the same time (--same-time {self.same_time})"),
        )
        unit = self.meant if self.meant != "s" else None
        said = f"times are ticks and look like {unit} since 1970, so that [60] is 60 {unit}"
        unstated = [f"{said}; say so: --tick 1{unit} --epoch {unit}"] if unit else []
        if self.tied is not None:
            tied = f"rows share the time {self.shown(self.tied)}, and perhaps later ones, and the answer may depend on"
            simultaneous = "it: they are simultaneous (--ties order takes them in their order)"
            unstated.append(f"{tied} {'their order (--ties order)' if self.ties else simultaneous}")
        return unstated + [f"{done}{count:,} row{'s' * (count != 1)} {why}" for count, done, why in counts if count]


@dataclass(frozen=True, slots=True)
class Context:
    """The context in which the rows of a file, table or query are read."""

    origin: Origin
    reading: Reading
    form: TraceForm
    report: ReadReport
    read_time: ReadTime
    events: dict[str, str] = field(default_factory=dict)

    def leave_out(self, number: int, error: InputError) -> None:
        """Note that a line or row cannot be read, or raise the error with its place."""
        self.origin.at(number, error)
        if isinstance(error, Undecided):
            raise error
        if not self.reading.skip_bad:
            error.remedy = f"{error.remedy.removesuffix(SKIP).strip()} {SKIP}".strip()
            raise error
        self.report.bad += 1
        self.report.first_bad = self.report.first_bad or f"{error.place}: {error.reason}"

    def attributes(self, names: Iterable[str]) -> dict[str, str]:
        """The attributes that are asked for, with the column of each: those of the form, or all but the other ones."""
        reading, wanted = self.reading, self.form.attributes
        others = {"time", "event", "start"}
        if wanted is not None:
            wanted = wanted if reading.tiebreak is None else (*wanted, reading.tiebreak)
            return {name: reading.value if name == "value" else name for name in wanted if name not in others}
        others |= {"value", reading.time, reading.event, reading.start}
        found = {name: name for name in names if name not in others}
        return found | ({"value": reading.value} if reading.value in names else {})

    def row(self, cells: Mapping[str, Any], found: Mapping[str, str], number: int) -> Row:
        """The row of some cells by column, with the attributes that are found in columns."""
        reading, form = self.reading, self.form
        time, cell = self.read_time(cells[reading.time]), cells[reading.event]
        event = self.events.get(cell) if type(cell) is str else None
        if event is None:
            event = event_of(cell)
            self.events[event] = event
        start, values = time, NO_ATTRIBUTES
        if form.types is None or event in form.types:
            start = start_of(cells.get(reading.start), time, form, self.read_time)
            values = {name: value_of(cells.get(column)) for name, column in found.items()}
        key = None
        if reading.partition_by is not None:
            key = partition_of(cells.get(reading.partition_by))
            self.report.without_partition += key is None
        return Row(time, event, start, values, key, self.origin, number)

    def require_columns(self, names: Sequence[str], number: int, kind: type[InputError] = Undecided) -> None:
        """Make sure that every row has its time, its event type, its partition, and what was named."""
        reading = self.reading
        wanted = {"time": reading.time, "event": reading.event, "partition-by": reading.partition_by}
        wanted["tiebreak"] = reading.tiebreak
        wanted |= {role: name for role in ("start", "value") if (name := getattr(reading, role)) != role}
        for option, name in wanted.items():
            if name is not None and name not in names:
                reason = f"there is no column {name!r}; the columns are {listed(names)}"
                remedy = f"Name the one that holds it: --{option} COLUMN."
                if any(each.strip()[:1].isdigit() for each in names):
                    remedy = "If there is no header, name the columns in their order: --header time,event."
                elif len(names) == 1 and (mark := next((each for each in ";\t|" if each in names[0]), "")):
                    sign = "tab" if mark == "\t" else repr(mark)
                    remedy = f"The header is separated by {mark!r}: read it with --delimiter {sign}."
                raise self.origin.error(number, reason, remedy, kind=kind)

    def check_columns(self, names: Sequence[str], number: int) -> None:
        """Make sure that the columns that are read are there, each once; other columns are allowed."""
        if len(names) > MAX_COLUMNS:
            reason = f"there are {len(names):,} columns; at most {MAX_COLUMNS:,} are read"
            raise self.origin.error(number, reason, "Write a log with those that matter.")
        (name, times), *_ = Counter(names).most_common(1) or [("", 0)]
        if times > 1:
            reason = f"the column {shown(name)} is there {times} times"
            raise self.origin.error(number, reason, "Give every column a name of its own.")
        self.require_columns(names, number)

    def require_no_csv(self, format: str) -> None:
        """Refuse what is said of CSV about a log of another format."""
        for option in ("delimiter", "header"):
            if getattr(self.reading, option) is not None:
                raise self.origin.error(0, f"this is {format}, which has no --{option}", "Leave it out.")


def listed(names: Iterable[str]) -> str:
    """Names of columns, or cells, as a message lists them."""
    return shortened(", ".join(map(shown, names)), 300) or "none"


class Instant(NamedTuple):
    """All rows of one time, in the order of the input."""

    time: Time
    rows: tuple[Row, ...]


def admissible(
    rows: Iterable[Row], reading: Reading, *, form: TraceForm, lateness: Time = 0, report: ReadReport
) -> Iterator[Instant]:
    """The instants of a trace whose rows are in time order; within each partition they are of the given form.

    An instant is yielded as soon as a later time is seen, the last one at the end. Where all rows are read first and
    sorted by time (`sort`), rows of one time keep their order. With `ties` there is an instant for each row of a type
    that matters, or several such rows of different partitions; their times are of type `Moment`.

    Args:
        lateness: wait for rows that come after others whose times are greater by no more than so many ticks; leave out
            those that come still later.

    Raises:
        InputError: a rule is violated and no option accepts it; names the row and the option.
    """
    if reading.ties is not None:
        untied = replace(reading, ties=None, tiebreak=None)
        instants = admissible(rows, untied, form=replace(form, repeats=True), lateness=lateness, report=report)
        report.ties = reading.ties
        yield from itertools.chain.from_iterable(_in_order(*instant, form, reading, report) for instant in instants)
        return
    sort, same_time = reading.sort, reading.same_time
    report.same_time = same_time
    now: Time = -1
    events, types, alone = report.events, form.types, not form.repeats or same_time is not None
    ordered = form.ordered if alone else None
    group: dict[object, Row] = {}
    if sort:
        rows = list(rows)
        report.out_of_order += sum(after.time < before.time for before, after in itertools.pairwise(rows))
        rows.sort(key=itemgetter(0))
    for row in _waiting(rows, lateness, report) if lateness and not sort else rows:
        time, event, _, _, partition, origin, number = row
        if time != now:
            if time < now:
                before = next(reversed(group.values()))
                reason = f"time {report.shown(time)} comes after time {report.shown(now)} of {before.place};"
                reason += " the rows of a trace are in time order"
                raise origin.error(number, reason, "Read it with --sort, which sorts all rows by time first.")
            if group:
                if ordered and len(group) > 1 and _has_tie(group):
                    report.tied, ordered = now if ordered(True) else None, None
                yield Instant(now, tuple(group.values()))
                group = {}
            now = time
        report.rows += 1
        events[event] += 1
        key = (partition, event) if alone and (types is None or event in types) else report.rows
        if key in group:
            if same_time is None:
                within = "" if partition is None else f" in partition {shown(partition)}"
                reason = f"{quoted(event)} occurs a second time at time {report.shown(time)}{within}, first in"
                reason += f" {group[key].place}; occurrences of one event type have different times ({form.source})"
                remedy = (
                    "Keep one with --same-time first or --same-time last, or all as they stand with --ties order; or"
                )
                raise origin.error(number, reason, f"{remedy} if cases, users or hosts differ: --partition-by COLUMN.")
            report.dropped += 1
            if same_time == "first":
                continue
            del group[key]
        group[key] = row
    if group:
        report.tied = now if ordered and _has_tie(group) and ordered(True) else report.tied
        yield Instant(now, tuple(group.values()))


def _has_tie(group: Iterable[object]) -> bool:
    """Whether two of some rows with these keys are of one partition and of types that matter."""
    partitions = [key[0] for key in group if isinstance(key, tuple)]
    return len(set(partitions)) < len(partitions)


def _in_order(
    time: Time, rows: Sequence[Row], form: TraceForm, reading: Reading, report: ReadReport
) -> Iterator[Instant]:
    """The rows of a tick, in each partition one after the other, in the order of the log or of a column."""
    count, layers, scale, types = Counter[Partition](), list[list[Row]](), reading.scale, form.types
    for row in sorted(rows, key=lambda row: _number(row, reading.tiebreak)):
        matters = types is None or row.event in types
        place = count[row.partition] * matters
        count[row.partition] += matters
        if place >= scale // 2 or time >= MAX_TIME // scale:
            reason = f"with --ties there are times below {MAX_TIME // scale:,}, with at most {scale // 2:,} rows each"
            raise row.origin.error(row.number, reason, "State another --tick, with --round where it is coarser.")
        layers += [[]] * (place >= len(layers))
        layers[place].append(row._replace(time=Moment(scale * time + place, scale)))
    if len(layers) > 1 and report.tied is None and form.ordered and form.ordered(False):
        keys = {(row.partition, row.event) for row in rows if types is None or row.event in types}
        report.tied = time if _has_tie(keys) else None
    return (Instant(layer[0].time, tuple(layer)) for layer in layers)


def _number(row: Row, column: str | None) -> int:
    cell = row.attributes.get(column or "", "0")  # that of a type that does not matter is not read
    if isinstance(cell, bool) or not re.fullmatch("[+-]?[0-9]{1,4300}", str(cell)):
        remedy = "Name a column that has a whole number in each row, or leave --tiebreak out."
        raise row.origin.error(row.number, f"{column} is {shown(cell)}, by which rows have no order", remedy)
    return int(str(cell))


def _waiting(rows: Iterable[Row], lateness: Time, report: ReadReport) -> Iterator[Row]:
    """The rows in the order of time; one is yielded when a time was seen that is greater by more than the lateness."""
    report.lateness = lateness
    waiting: list[tuple[Time, int, Row]] = []
    latest: Time = -1
    for number, row in enumerate(rows):
        if row.time < latest - lateness:
            report.rows += 1
            report.events[row.event] += 1
            report.late += 1
            report.first_late = report.first_late or row.place
            continue
        report.out_of_order += row.time < latest
        latest = max(latest, row.time)
        heappush(waiting, (row.time, number, row))
        while waiting[0][0] < latest - lateness:
            yield heappop(waiting)[2]
    while waiting:
        yield heappop(waiting)[2]
