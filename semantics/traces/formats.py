"""The rows of a trace in text: CSV and JSON Lines, from their lines, one of which is held at a time."""

from __future__ import annotations

import csv
import json
import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from semantics.errors import InputError
from semantics.events import NO_ATTRIBUTES, Time, TraceForm
from semantics.traces import rows
from semantics.traces.instants import ReadReport
from semantics.traces.lines import BAD_LINE, SKIP, nothing_to_read
from semantics.traces.reading import Reading

MAX_COLUMNS: Final = 10_000
"""So many columns a log has at most."""


@dataclass(frozen=True, slots=True)
class Frame:
    """What goes with the reading of a file.

    Attributes:
        origin: the file.
        reading: how it is read.
        form: what the system requires.
        report: what was read.
    """

    origin: rows.Origin
    reading: Reading
    form: TraceForm
    report: ReadReport

    @property
    def bad(self) -> ReadReport | None:
        """Where rows that cannot be read are noted; None where they are refused."""
        return self.report if self.reading.skip_bad else None

    def leave_out(self, number: int, error: InputError) -> None:
        """Note that a line or row cannot be read.

        Raises:
            InputError: the same, where such rows are refused, or an option settles how all rows are read.
        """
        if isinstance(error, rows.Undecided):
            raise error
        if self.bad is None:
            error.remedy = f"{error.remedy} {SKIP}".strip()
            raise error
        self.report.leave_out(self.origin, number, error)

    def read_time(self, plain: Callable[[Any, rows.Origin, int], Time]) -> rows.ReadTime:
        """What reads times: of ticks by a function of cells, otherwise by the clock."""
        origin, clock = self.origin, self.reading.clock
        if clock is None:
            return lambda cell, number: plain(cell, origin, number)
        from semantics.traces.times import Times

        return Times(clock, self.reading, origin, self.report).of


# ---------------------------------------------------------------------------------------------------- columns


@dataclass(frozen=True, slots=True)
class _Columns:
    """Where the cells of a row are: indices into it, None for a column that is not there or not asked for."""

    time: int
    event: int
    start: int | None
    attributes: tuple[tuple[str, int], ...]
    partition: int | None


def _require_columns(
    names: Sequence[str], frame: Frame, number: int, *, kind: type[InputError] = rows.Undecided
) -> None:
    """Make sure that every row has its time, its event type and its partition.

    Raises:
        InputError: one of their columns is missing.
    """
    origin, reading = frame.origin, frame.reading
    for role, name in (("time", reading.time), ("event", reading.event)):
        if name not in names:
            reason = f"there is no column {name!r}; the columns are {_listed(names)}"
            raise origin.error(number, reason, _header_remedy(role, name, names), kind=kind)
    partition_by = reading.partition_by
    if partition_by is not None and partition_by not in names:
        reason = f"there is no column {partition_by!r} to partition by; the columns are {_listed(names)}"
        raise origin.error(number, reason, "Name one of these with --partition-by.", kind=kind)


def find_columns(names: Sequence[str], frame: Frame, number: int) -> _Columns:
    """Find the columns by name; other columns are allowed.

    Raises:
        InputError: one is missing or there twice.
    """
    origin, reading = frame.origin, frame.reading
    if len(names) > MAX_COLUMNS:
        reason = f"there are {len(names):,} columns; at most {MAX_COLUMNS:,} are read"
        raise origin.error(number, reason, "Write a log with those that matter.")
    for name, times in Counter(names).items():
        if times > 1:
            reason = f"the column {rows.shown(name)} is there {times} times"
            raise origin.error(number, reason, "Give every column a name of its own.")
    _require_columns(names, frame, number)
    for role, name in (("start", reading.start), ("value", reading.value)):
        if name != role and name not in names:
            reason = f"there is no column {name!r}; the columns are {_listed(names)}"
            raise origin.error(number, reason, f"Name one of these with --{role}.")
    places = {name: place for place, name in enumerate(names)}
    return _Columns(
        places[reading.time],
        places[reading.event],
        places.get(reading.start),
        tuple(
            (name, places[column]) for name, column in attributes(names, frame).items() if column in places
        ),
        None if reading.partition_by is None else places[reading.partition_by],
    )


_ROLES: Final = frozenset(("time", "event", "start"))
"""What no attribute is called."""


def attributes(names: Iterable[str], frame: Frame) -> dict[str, str]:
    """The attributes that are asked for, with the column of each: all columns but the other ones, or those of the form.

    Those of the form need not be among the columns.
    """
    reading, wanted = frame.reading, frame.form.attributes
    if wanted is not None:
        return {name: reading.value if name == "value" else name for name in wanted if name not in _ROLES}
    others = _ROLES.union((reading.time, reading.event, reading.start, "value"))
    found = {name: name for name in names if name not in others}
    return found | ({"value": reading.value} if reading.value in names else {})


def _header_remedy(role: str, missing: str, names: Sequence[str]) -> str:
    if any(name.strip()[:1].isdigit() for name in names):
        return (
            "The first line looks like a row. Where there is no header, name the columns in their order:"
            " --header time,event."
        )
    if "".join(names[:1]).startswith(("#", "sep=")):
        return "The header comes later: leave out what is before it, as with tail -n +2 FILE > log.csv."
    separator = next((mark for mark in ";\t|" if mark in names[0]), None) if len(names) == 1 else None
    if separator is not None:
        return f"The header is separated by {separator!r}: read it with --delimiter {_DELIMITERS[separator]}."
    if names[1:] and all(name.startswith(" ") for name in names[1:]):
        return "A space follows each comma: read it with --delimiter ', '."
    if missing != role:
        return f"Name one of these with --{role}."
    for name in names:
        if name.strip().lower() == missing:
            return f"Name it as it is: --{role} {shlex.quote(name)}."
    return f"Name the one that holds it: --{role} COLUMN."


_DELIMITERS: Final = {";": "';'", "\t": "tab", "|": "'|'"}
"""How a delimiter is written on a command line."""


def _listed(names: Iterable[str]) -> str:
    return rows.shortened(", ".join(map(rows.shown, names)), 300) or "none"


# -------------------------------------------------------------------------------------------------------- CSV


class Records(Iterator[str]):
    """Lines for a reader of records, which goes back to the second line of a record that cannot be read.

    So a quote that opens and is not closed costs one line.

    Attributes:
        read: how many lines were read, and not gone back to.
        is_cut: whether the lines ended within a record.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        """Nothing is read."""
        self.read, self.is_cut = 0, False
        self._lines = iter(lines)
        self._record: list[str] = []
        self._again: list[str] = []

    def __next__(self) -> str:
        line = self._again.pop() if self._again else next(self._lines, None)
        if line is None:
            self.is_cut |= bool(self._record)
            raise StopIteration
        self.read += 1
        self._record.append(line)
        return line

    def done(self) -> None:
        """The record was read."""
        self._record.clear()

    def back(self) -> int:
        """Go back to the second line of the record; how many lines are read again."""
        self._again += reversed(self._record[1:])
        number = max(0, len(self._record) - 1)
        self.read -= number
        self._record.clear()
        return number


def csv_rows(lines: Iterable[str], frame: Frame) -> Iterator[rows.Row]:
    """The rows of CSV with a header; attributes stay text, an empty one is missing, blank lines are skipped.

    Args:
        lines: of the file; `Records` where somebody wants to know how many were read.
        frame: what goes with the reading.

    Raises:
        InputError: naming the line.
    """
    origin, form = frame.origin, frame.form
    records = lines if isinstance(lines, Records) else None if frame.bad is None else Records(lines)
    reader = csv.reader(records or lines, strict=True, **frame.reading.of_cells)
    header, at = header_of(reader, frame)
    if records is not None:
        records.done()
    line, again = reader.line_num, 0
    at_time, at_event, at_start, at_partition = at.time, at.event, at.start, at.partition
    at_attributes = at.attributes
    width = len(header)
    in_ticks = frame.reading.clock is None
    read_time = frame.read_time(rows.time_of_text)
    events: dict[str, str] = {}
    types = form.types
    partition: str | None = None
    while True:
        try:
            for cells in reader:
                number = line + 1
                line = reader.line_num - again
                try:
                    if len(cells) != width or (records is not None and "\0" in "".join(cells)):
                        if not "".join(cells).strip() and len(cells) <= 1:
                            if records is not None:
                                records.done()
                            continue
                        raise _wrong_width(cells, header, origin, number)
                    cell = cells[at_time]
                    if in_ticks and cell.isdigit() and len(cell) <= rows.MAX_TIME_DIGITS and cell.isascii():
                        time = int(cell)
                    else:
                        time = read_time(cell, number)
                    cell = cells[at_event]
                    event = events.get(cell)
                    if event is None:
                        event = events[cell] = rows.event_of(cell, origin, number)
                    start, attributes = time, NO_ATTRIBUTES
                    if types is None or event in types:
                        if at_start is not None:
                            start = rows.start_of(cells[at_start], time, form, origin, number, read_time)
                        if at_attributes:
                            attributes = {name: cells[place] or None for name, place in at_attributes}
                    if at_partition is not None:
                        partition = cells[at_partition] or None
                except InputError as error:
                    if cells != [BAD_LINE.strip()]:
                        frame.leave_out(number, error)
                    assert records is not None
                    again += records.back()
                    line = reader.line_num - again
                    continue
                if records is not None:
                    records.done()
                yield rows.Row(time, event, start, attributes, partition, origin, number)
            return
        except csv.Error as error:
            frame.leave_out(line + 1, _not_csv(str(error), origin, line + 1))
            assert records is not None
            again += records.back()
            line = reader.line_num - again


def header_of(reader: Any, frame: Frame) -> tuple[list[str], _Columns]:
    """The names of the columns, and where the cells of rows are."""
    if frame.reading.header is not None:
        return frame.reading.names, find_columns(frame.reading.names, frame, 0)
    try:
        header: list[str] | None = next((cells for cells in reader if cells), None)
    except csv.Error as error:
        raise _not_csv(str(error), frame.origin, 1, kind=rows.Undecided) from None
    if header is None:
        if reader.line_num == 0:
            raise nothing_to_read(frame.origin)
        remedy = "The first line names the columns: time,event,value"
        raise frame.origin.error(1, "there is no header, only blank lines", remedy)
    return header, find_columns(header, frame, reader.line_num)


def require_csv(reading: Reading, origin: rows.Origin, format: str) -> None:
    """Refuse what is said of CSV about a file of another format.

    Raises:
        InputError: something is.
    """
    for option in ("delimiter", "header"):
        if getattr(reading, option) is not None:
            raise origin.error(0, f"this is {format}, which has no --{option}", "Leave it out.")


def _wrong_width(cells: Sequence[str], header: Sequence[str], origin: rows.Origin, number: int) -> InputError:
    few = len(cells) < len(header)
    cells_of_row = "1 cell" if len(cells) == 1 else f"{len(cells)} cells"
    reason = f"the row has {cells_of_row}, too {'few' if few else 'many'} for {len(header)} columns"
    remedy = f"Its cells are {_listed(cells)}. " + (
        "An empty cell still needs its comma." if few else 'A cell with a comma is quoted: "a,b".'
    )
    return origin.error(number, reason, remedy)


def _not_csv(
    message: str, origin: rows.Origin, number: int, *, kind: type[InputError] = InputError
) -> InputError:
    if "unexpected end" in message or "field larger" in message:
        reason = 'a quote " that opens in this row is not closed'
        if "field larger" in message:
            reason = f"a cell of this row has more than {csv.field_size_limit():,} characters, or {reason}"
        remedy = 'Close it; a quote within a quoted cell is written twice: "say ""no""".'
    elif "expected after" in message:
        reason = "there is text between a closing quote and the next comma"
        remedy = 'A quote within a quoted cell is written twice: "say ""no""".'
    elif "new-line" in message:
        reason = "there is a carriage return in the middle of the line"
        remedy = "End lines with a line feed: tr '\\r' '\\n' < FILE; or quote the cell."
    else:
        reason, remedy = f"this is not CSV: {message}", ""
    return origin.error(number, reason, remedy, kind=kind)


# ---------------------------------------------------------------------------------------- JSON values and scalars


class RowReader:
    """Rows of cells that are JSON values or Parquet scalars; the name of an event type is checked once."""

    def __init__(self, frame: Frame) -> None:
        self._frame, self._reading = frame, frame.reading
        self._read_time = frame.read_time(rows.time_of)
        self._in_ticks = frame.reading.clock is None
        self._events: dict[str, str] = {}

    def row(self, cells: Mapping[str, Any], found: Mapping[str, str], number: int) -> rows.Row:
        """The row of the cells by column.

        Args:
            cells: of the row.
            found: the attributes, with the column of each.
            number: of the row.
        """
        origin, form, reading = self._frame.origin, self._frame.form, self._reading
        time, cell = cells[reading.time], cells[reading.event]
        if type(time) is not int or not self._in_ticks or not 0 <= time <= rows.MAX_TIME:
            time = self._read_time(time, number)
        event = self._events.get(cell) if type(cell) is str else None
        if event is None:
            event = rows.event_of(cell, origin, number)
            self._events[event] = event
        start, values = time, NO_ATTRIBUTES
        if form.types is None or event in form.types:
            start = rows.start_of(cells.get(reading.start), time, form, origin, number, self._read_time)
            values = {
                name: rows.value_of(cells.get(column), origin, number) for name, column in found.items()
            }
        key = None if reading.partition_by is None else cells.get(reading.partition_by)
        return rows.Row(time, event, start, values, rows.partition_of(key, origin, number), origin, number)


# ------------------------------------------------------------------------------------------------- JSON Lines


class _Repeated(dict[str, Any]):
    """An object that names a key twice, where only one of the two could be kept."""

    key: str


def _object_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) == len(pairs):
        return members
    counts = Counter(name for name, _ in pairs)
    repeated = _Repeated(members)
    repeated.key = next(name for name in counts if counts[name] > 1)
    return repeated


_decode: Final[Callable[[str], tuple[Any, int]]] = json.JSONDecoder(object_pairs_hook=_object_of).raw_decode


def json_rows(lines: Iterable[str], frame: Frame, *, read: bool = False) -> Iterator[rows.Row]:
    """The rows of JSON Lines: one object with the keys of the columns on each line; blank lines are skipped.

    Args:
        lines: of the file.
        frame: what goes with the reading.
        read: whether rows before these were read: what the first one lacks, all may lack.

    Raises:
        InputError: naming the line.
    """
    origin = frame.origin
    require_csv(frame.reading, origin, "JSON Lines")
    reader = RowReader(frame)
    asked = None if frame.form.attributes is None else attributes((), frame)
    number = 0
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or line == BAD_LINE:
            continue
        try:
            members = _members(text, frame, number, first=not read)
            row = reader.row(members, attributes(members, frame) if asked is None else asked, number)
        except InputError as error:
            frame.leave_out(number, error)
            continue
        read = True
        yield row
    if number == 0:
        raise nothing_to_read(origin, has_header=False)


def _members(text: str, frame: Frame, number: int, *, first: bool) -> dict[str, Any]:
    """The object that a line states, with the members that every row has; what the first one lacks, all may lack."""
    origin, reading = frame.origin, frame.reading
    try:
        members, end = _decode(text)
    except (ValueError, RecursionError) as error:
        if first and text.rstrip() == "[":
            raise _is_array(origin, number) from None
        raise _not_json(error, origin, number) from None
    if end != len(text):
        reason = f"there is text after the JSON value: {rows.shown(text[end:].strip())}"
        raise origin.error(number, reason, "Write one object on each line.")
    if isinstance(members, _Repeated):
        reason = f"an object has the key {rows.shown(members.key)} twice"
        raise origin.error(number, reason, "Write every key once.")
    if first and text.startswith("["):
        raise _is_array(origin, number)
    if type(members) is not dict:
        reason = f"the line is not a JSON object: {rows.shown(text)}"
        remedy = 'Write one object on each line: {"time": 3, "event": "fail"}'
        raise origin.error(number, reason, remedy)
    key = reading.partition_by
    lacks_key = first and key is not None and key not in members
    if reading.time not in members or reading.event not in members or lacks_key:
        _require_columns(list(members), frame, number, kind=rows.Undecided if first else InputError)
    return members


def _is_array(origin: rows.Origin, number: int) -> InputError:
    reason = "this begins like an array of JSON, and a log has one object on each line"
    remedy = 'Write them so: jq -c ".[]" FILE > log.jsonl'
    return origin.error(number, reason, remedy, kind=rows.Undecided)


def _not_json(error: Exception, origin: rows.Origin, number: int) -> InputError:
    remedy = 'Write one object on each line: {"time": 3, "event": "fail", "value": "root"}'
    match error:
        case json.JSONDecodeError():
            reason = f"the line is not JSON: {error.msg}, at column {error.colno}"
        case RecursionError():
            reason, remedy = "the line is nested too deeply", "A value is one scalar, or missing."
        case _:
            reason, remedy = "a number of the line has too many digits", "Write such a number as text."
    return origin.error(number, reason, remedy)
