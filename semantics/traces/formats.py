"""The rows of a trace in each file format: CSV and JSON Lines from their lines, Parquet by record batches.

Everything streams: a reader holds one line, or one batch, at a time.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from semantics.errors import InputError
from semantics.events import NO_ATTRIBUTES, Attributes, TraceForm
from semantics.traces import rows
from semantics.traces.lines import nothing_to_read

HEADER: Final = ("time", "event")
"""The columns that every trace has; a third one, `start`, makes its events intervals, all others are attributes."""

# ---------------------------------------------------------------------------------------------------- columns


@dataclass(frozen=True, slots=True)
class _Columns:
    """Where the cells of a row are: indices into it, None for a column that is not there or not asked for."""

    time: int
    event: int
    start: int | None
    attributes: tuple[tuple[str, int], ...]
    partition: int | None


def _columns(
    names: Sequence[str], form: TraceForm, partition_by: str | None, origin: rows.Origin, number: int
) -> _Columns:
    """Find the columns by name; other columns are allowed.

    Raises:
        InputError: one is missing or there twice.
    """
    for name in names:
        if names.count(name) > 1:
            remedy = "Give every column a name of its own."
            raise origin.error(
                number, f"the column {rows.shown(name)} is there {names.count(name)} times", remedy
            )
    for name in HEADER:
        if name not in names:
            reason = f"there is no column {name!r}; the columns are {_listed(names)}"
            raise origin.error(number, reason, _header_remedy(name, names))
    if partition_by is not None and partition_by not in names:
        reason = f"there is no column {partition_by!r} to partition by; the columns are {_listed(names)}"
        raise origin.error(number, reason, "Name one of these with --partition-by.")
    return _Columns(
        names.index("time"),
        names.index("event"),
        names.index("start") if "start" in names else None,
        tuple((name, place) for place, name in enumerate(names) if is_attribute(name, form)),
        None if partition_by is None else names.index(partition_by),
    )


def is_attribute(name: str, form: TraceForm) -> bool:
    """Whether a column is an attribute that is asked for."""
    return name not in (*HEADER, "start") and (form.attributes is None or name in form.attributes)


def _header_remedy(missing: str, names: Sequence[str]) -> str:
    separator = next((mark for mark in ";\t|" if mark in names[0]), None) if len(names) == 1 else None
    if separator is not None:
        return f"The header is separated by {separator!r}; separate cells with commas."
    for name in names:
        if name.strip().lower() == missing:
            return f"Write {missing} for {name!r}: lower case, without spaces."
    return "A trace has the columns time, event and value; value may be missing, others may be there."


def _listed(names: Iterable[str]) -> str:
    return rows.shortened(", ".join(map(rows.shown, names)), 300) or "none"


# -------------------------------------------------------------------------------------------------------- CSV


def csv_rows(
    lines: Iterable[str], origin: rows.Origin, form: TraceForm, partition_by: str | None = None
) -> Iterator[rows.Row]:
    """The rows of CSV with a header; attributes stay text, an empty one is missing, blank lines are skipped.

    Raises:
        InputError: naming the line.
    """
    reader = csv.reader(lines, strict=True)
    line = 0
    try:
        header = next((cells for cells in reader if cells), None)
        if header is None:
            if reader.line_num == 0:
                raise nothing_to_read(origin)
            remedy = "The first line names the columns: time,event,value"
            raise origin.error(1, "there is no header, only blank lines", remedy)
        line = reader.line_num
        at = _columns(header, form, partition_by, origin, line)
        at_time, at_event, at_start, at_partition = at.time, at.event, at.start, at.partition
        at_attributes = at.attributes
        width = len(header)
        events: dict[str, str] = {}
        attributes: Attributes = NO_ATTRIBUTES
        partition: str | None = None
        for cells in reader:
            number = line + 1
            line = reader.line_num
            if len(cells) != width:
                if not "".join(cells).strip() and len(cells) <= 1:
                    continue
                raise _wrong_width(cells, header, origin, number)
            cell = cells[at_time]
            if cell.isdigit() and len(cell) <= rows.MAX_TIME_DIGITS and cell.isascii():
                time = int(cell)
            else:
                time = rows.time_of_text(cell, origin, number)
            cell = cells[at_event]
            event = events.get(cell)
            if event is None:
                event = events[cell] = rows.event_of(cell, origin, number)
            start = time if at_start is None else rows.start_of(cells[at_start], time, form, origin, number)
            if at_attributes:
                attributes = {name: cells[place] or None for name, place in at_attributes}
            if at_partition is not None:
                partition = cells[at_partition] or None
            yield rows.Row(time, event, start, attributes, partition, origin, number)
    except csv.Error as error:
        raise _not_csv(str(error), origin, line + 1) from None


def _wrong_width(cells: Sequence[str], header: Sequence[str], origin: rows.Origin, number: int) -> InputError:
    few = len(cells) < len(header)
    cells_of_row = "1 cell" if len(cells) == 1 else f"{len(cells)} cells"
    reason = f"the row has {cells_of_row}, too {'few' if few else 'many'} for {len(header)} columns"
    remedy = f"Its cells are {_listed(cells)}. " + (
        "An empty cell still needs its comma." if few else 'A cell with a comma is quoted: "a,b".'
    )
    return origin.error(number, reason, remedy)


def _not_csv(message: str, origin: rows.Origin, number: int) -> InputError:
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
    return origin.error(number, reason, remedy)


# ---------------------------------------------------------------------------------------- JSON values and scalars


@dataclass(frozen=True, slots=True)
class _RowReader:
    """Rows of cells that are JSON values or Parquet scalars; the name of an event type is checked once."""

    origin: rows.Origin
    form: TraceForm
    partition_by: str | None
    events: dict[str, str] = field(default_factory=dict)

    def row(self, cells: Mapping[str, Any], attributes: Iterable[str], number: int) -> rows.Row:
        """The row of the cells by column, with those of the columns that are attributes."""
        origin, form = self.origin, self.form
        time, cell = cells["time"], cells["event"]
        if type(time) is not int or not 0 <= time <= rows.MAX_TIME:
            time = rows.time_of(time, origin, number)
        event = self.events.get(cell) if type(cell) is str else None
        if event is None:
            name = cell.decode(errors="replace") if type(cell) is bytes else cell
            event = rows.event_of(name, origin, number)
            self.events[event] = event
        start = rows.start_of(cells.get("start"), time, form, origin, number)
        values = {
            name: rows.value_of(cells.get(name), origin, number)
            for name in attributes
            if is_attribute(name, form)
        }
        key = None if self.partition_by is None else cells[self.partition_by]
        return rows.Row(time, event, start, values, rows.partition_of(key, origin, number), origin, number)


# ------------------------------------------------------------------------------------------------- JSON Lines


class _DuplicateKey(Exception):
    """An object names a key twice, and only one of the two could be kept."""


def _object_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        names = [name for name, _ in pairs]
        raise _DuplicateKey(next(name for name in names if names.count(name) > 1))
    return members


_decode: Final[Callable[[str], tuple[Any, int]]] = json.JSONDecoder(object_pairs_hook=_object_of).raw_decode


def json_rows(
    lines: Iterable[str], origin: rows.Origin, form: TraceForm, partition_by: str | None = None
) -> Iterator[rows.Row]:
    """The rows of JSON Lines: one object with the keys of the columns on each line; blank lines are skipped.

    Raises:
        InputError: naming the line.
    """
    read = _RowReader(origin, form, partition_by).row
    number = 0
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text:
            continue
        try:
            members, end = _decode(text)
        except (_DuplicateKey, ValueError, RecursionError) as error:
            raise _not_json(error, origin, number) from None
        if end != len(text):
            reason = f"there is text after the JSON value: {rows.shown(text[end:].strip())}"
            raise origin.error(number, reason, "Write one object on each line.")
        if type(members) is not dict:
            reason = f"the line is not a JSON object: {rows.shown(text)}"
            remedy = 'Write one object on each line: {"time": 3, "event": "fail"}; for an array: jq -c ".[]".'
            raise origin.error(number, reason, remedy)
        if "time" not in members or "event" not in members:
            _columns(list(members), form, partition_by, origin, number)
        if partition_by is not None and partition_by not in members:
            _columns(list(members), form, partition_by, origin, number)
        yield read(members, members if form.attributes is None else form.attributes, number)
    if number == 0:
        raise nothing_to_read(origin, has_header=False)


def _not_json(error: Exception, origin: rows.Origin, number: int) -> InputError:
    remedy = 'Write one object on each line: {"time": 3, "event": "fail", "value": "root"}'
    match error:
        case _DuplicateKey():
            reason, remedy = f"an object has the key {rows.shown(str(error))} twice", "Write every key once."
        case json.JSONDecodeError():
            reason = f"the line is not JSON: {error.msg}, at column {error.colno}"
        case RecursionError():
            reason, remedy = "the line is nested too deeply", "A value is one scalar, or missing."
        case _:
            reason, remedy = "a number of the line has too many digits", "Write such a number as text."
    return origin.error(number, reason, remedy)


# ---------------------------------------------------------------------------------------------------- Parquet

_BATCH_ROWS = 65_536


def parquet_rows(
    path: str, origin: rows.Origin, form: TraceForm, partition_by: str | None = None
) -> Iterator[rows.Row]:
    """The rows of a Parquet file, by record batches; scalars that JSON does not have become their text.

    Raises:
        InputError: naming the row, counted from 1.
    """
    import pyarrow
    from pyarrow import parquet

    number = 0
    read = _RowReader(origin, form, partition_by).row
    try:
        with parquet.ParquetFile(path) as file:
            names = list(file.schema_arrow.names)
            at = _columns(names, form, partition_by, origin, 0)
            asked = [name for name, _ in at.attributes]
            wanted = [name for name in (*HEADER, "start", *asked, partition_by) if name in names]
            for batch in file.iter_batches(_BATCH_ROWS, columns=list(dict.fromkeys(wanted))):
                for cells in zip(*(_cells(batch, name) for name in batch.schema.names), strict=True):
                    number += 1
                    yield read(dict(zip(batch.schema.names, cells, strict=True)), asked, number)
    except (pyarrow.ArrowException, OSError) as error:
        reason = f"this Parquet file cannot be read: {rows.shortened(' '.join(str(error).split()), 200)}"
        remedy = "It is damaged, or not a Parquet file; write it again."
        raise origin.error(number and number + 1, reason, remedy) from None


def _cells(batch: Any, name: str) -> list[Any]:
    """The column as Python values: what JSON can hold as itself, dates, times and decimals as text."""
    import pyarrow
    from pyarrow import types

    column = batch.column(name)
    if types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if types.is_float16(column.type):
        column = column.cast(pyarrow.float32())
    elif types.is_temporal(column.type) or types.is_decimal(column.type):
        try:
            column = column.cast(pyarrow.string())
        except pyarrow.ArrowException:
            return [None if cell is None else str(cell) for cell in column.to_pylist()]
    cells: list[Any] = column.to_pylist()
    return cells
