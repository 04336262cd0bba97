"""Rows of tables: which columns are read, and the rows of Parquet files, of Arrow's tables and of queries.

A small Parquet file may hold much: a text once for many rows, or zeros that are packed well. What it states is
looked at before it is unpacked, and batches have only so many rows that they stay small.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any, Final

from semantics.errors import InputError
from semantics.events import NO_ATTRIBUTES, TraceForm
from semantics.traces import rows
from semantics.traces.instants import ReadReport
from semantics.traces.reading import Reading
from semantics.traces.rows import MAX_CELL, Origin, ReadTime

MAX_COLUMNS: Final = 10_000
"""The most columns of a log."""

SKIP: Final = "Or leave out what cannot be read: --skip-bad."
"""The advice where a row is refused."""


@dataclass(frozen=True, slots=True)
class Context:
    """The context in which a file, table or query is read.

    Attributes:
        origin: the file.
        reading: how it is read.
        form: what the system requires.
        report: what was read.
        read_time: what reads times.
    """

    origin: Origin
    reading: Reading
    form: TraceForm
    report: ReadReport
    read_time: ReadTime

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


# ---------------------------------------------------------------------------------------------------- columns


def require_columns(
    names: Sequence[str], context: Context, number: int, *, kind: type[InputError] = rows.Undecided
) -> None:
    """Make sure that every row has its time, its event type and its partition.

    Raises:
        InputError: one of their columns is missing.
    """
    origin, reading = context.origin, context.reading
    for role, name in (("time", reading.time), ("event", reading.event)):
        if name not in names:
            reason = f"there is no column {name!r}; the columns are {listed(names)}"
            raise origin.error(number, reason, _header_remedy(role, name, names), kind=kind)
    partition_by = reading.partition_by
    if partition_by is not None and partition_by not in names:
        reason = f"there is no column {partition_by!r} to partition by; the columns are {listed(names)}"
        raise origin.error(number, reason, "Name one of these with --partition-by.", kind=kind)


def check_columns(names: Sequence[str], context: Context, number: int) -> None:
    """Make sure that the columns that are read are there, each once; other columns are allowed.

    Raises:
        InputError: one is missing or there twice.
    """
    origin, reading = context.origin, context.reading
    if len(names) > MAX_COLUMNS:
        reason = f"there are {len(names):,} columns; at most {MAX_COLUMNS:,} are read"
        raise origin.error(number, reason, "Write a log with those that matter.")
    for name, times in Counter(names).items():
        if times > 1:
            reason = f"the column {rows.shown(name)} is there {times} times"
            raise origin.error(number, reason, "Give every column a name of its own.")
    require_columns(names, context, number)
    for role, name in (("start", reading.start), ("value", reading.value)):
        if name != role and name not in names:
            reason = f"there is no column {name!r}; the columns are {listed(names)}"
            raise origin.error(number, reason, f"Name one of these with --{role}.")


_ROLES: Final = frozenset(("time", "event", "start"))
"""The names that no attribute has."""


def attributes(names: Iterable[str], context: Context) -> dict[str, str]:
    """The attributes that are asked for, with the column of each: all columns but the other ones, or those of the form.

    Those of the form need not be among the columns.
    """
    reading, wanted = context.reading, context.form.attributes
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
        written = "tab" if separator == "\t" else f"'{separator}'"
        return f"The header is separated by {separator!r}: read it with --delimiter {written}."
    if names[1:] and all(name.startswith(" ") for name in names[1:]):
        return "A space follows each comma: read it with --delimiter ', '."
    if missing != role:
        return f"Name one of these with --{role}."
    for name in names:
        if name.strip().lower() == missing:
            return f"Name it as it is: --{role} {shlex.quote(name)}."
    return f"Name the one that holds it: --{role} COLUMN."


def listed(names: Iterable[str]) -> str:
    """Names of columns, or cells, as a message lists them."""
    return rows.shortened(", ".join(map(rows.shown, names)), 300) or "none"


def require_csv(context: Context, format: str) -> None:
    """Refuse what is said of CSV about a log of another format.

    Raises:
        InputError: something is.
    """
    for option in ("delimiter", "header"):
        if getattr(context.reading, option) is not None:
            raise context.origin.error(0, f"this is {format}, which has no --{option}", "Leave it out.")


class RowReader:
    """Rows of cells that are JSON values or Arrow's scalars; the name of an event type is checked once."""

    def __init__(self, context: Context) -> None:
        self._frame, self._reading = context, context.reading
        self._in_ticks = context.reading.clock is None
        self._events: dict[str, str] = {}

    def row(self, cells: Mapping[str, Any], found: Mapping[str, str], number: int) -> rows.Row:
        """The row of the cells by column.

        Args:
            cells: of the row.
            found: the attributes, with the column of each.
            number: of the row.
        """
        context, reading = self._frame, self._reading
        origin, form = context.origin, context.form
        time, cell = cells[reading.time], cells[reading.event]
        if type(time) is not int or not self._in_ticks or not 0 <= time <= rows.MAX_TIME:
            time = context.read_time(time, origin, number)
        event = self._events.get(cell) if type(cell) is str else None
        if event is None:
            event = rows.event_of(cell, origin, number)
            self._events[event] = event
        start, values = time, NO_ATTRIBUTES
        if form.types is None or event in form.types:
            start = rows.start_of(cells.get(reading.start), time, form, origin, number, context.read_time)
            values = {name: rows.value_of(cells.get(column), origin, number) for name, column in found.items()}
        key = None if reading.partition_by is None else cells.get(reading.partition_by)
        return rows.Row(time, event, start, values, rows.partition_of(key, origin, number), origin, number)


# -------------------------------------------------------------------------------------------------- Arrow's tables


def table_rows(names: Sequence[str], batches: Iterable[Any], context: Context) -> Iterator[rows.Row]:
    """The rows of a table with these columns, by Arrow's record batches, which need not have all of them.

    Scalars that JSON does not have become their text.

    Raises:
        InputError: naming the row, counted from 1.
    """
    asked = columns_of(names, context)
    reader, found = RowReader(context), attributes(names, context)
    number = 0
    for batch in batches:
        for cells in zip(*(_cells(batch, name, context) for name in asked), strict=True):
            number += 1
            try:
                row = reader.row(dict(zip(asked, cells, strict=True)), found, number)
            except InputError as error:
                context.leave_out(number, error)
                continue
            yield row


def columns_of(names: Sequence[str], context: Context) -> list[str]:
    """The columns of a table that are read.

    Raises:
        InputError: one is missing or there twice.
    """
    check_columns(names, context, 0)
    reading = context.reading
    asked = {reading.time, reading.event, reading.start, *attributes(names, context).values()}
    return [name for name in names if name in asked or name == reading.partition_by]


def _cells(batch: Any, name: str, context: Context) -> list[Any]:
    """The column as Python values: what JSON can hold as itself, other scalars than times as text."""
    from pyarrow import types

    column = batch.column(name)
    if types.is_dictionary(column.type):
        used = column.indices.drop_null().unique()  # of a dictionary that grows from batch to batch
        values = dict(zip(used.to_pylist(), _scalars(column.dictionary.take(used), name, context), strict=True))
        return [values.get(place) for place in column.indices.to_pylist()]
    return _scalars(column, name, context)


def _scalars(column: Any, name: str, context: Context) -> list[Any]:
    import pyarrow
    from pyarrow import types

    is_time = name in (context.reading.time, context.reading.start)
    texts = (types.is_string, types.is_large_string, types.is_binary, types.is_large_binary)
    if column.nbytes > MAX_CELL and any(is_text(column.type) for is_text in texts):
        from pyarrow import compute  # which takes time to load

        if (compute.max(compute.binary_length(column)).as_py() or 0) > MAX_CELL:
            raise _long_cell(name, context.origin)
    if types.is_nested(column.type):
        raise _nested(name, column.type, context.origin)
    if types.is_duration(column.type) and is_time:
        reason = f"the column {rows.shown(name)} holds lengths of time"
        raise context.origin.error(0, reason, "Write it as a whole number of ticks.")
    if types.is_float16(column.type):
        column = column.cast(pyarrow.float32())
    elif types.is_temporal(column.type) or (types.is_decimal(column.type) and not is_time):
        try:
            column = column.cast(pyarrow.string())
        except pyarrow.ArrowException:
            return [None if cell is None else str(cell) for cell in column.to_pylist()]
    try:
        cells: list[Any] = column.to_pylist()
    except UnicodeDecodeError:
        reason = f"a text of the column {rows.shown(name)} is not UTF-8"
        raise context.origin.error(0, reason, "It is damaged, or bytes; write it again.") from None
    return cells


def _long_cell(name: str, origin: Origin) -> InputError:
    reason = f"a cell of the column {rows.shown(name)} has more than {MAX_CELL:,} bytes"
    return origin.error(0, reason, "A value is short; leave the column out, or write what identifies it.")


def _nested(name: str, kind: Any, origin: Origin) -> InputError:
    from pyarrow import types

    what = "objects" if types.is_struct(kind) or types.is_map(kind) else "arrays"
    reason = f"the column {rows.shown(name)} holds {what}, and a cell is one scalar"
    return origin.error(0, reason, "Name another column, or write what identifies it.")


# ------------------------------------------------------------------------------------------------- Parquet, queries

_BATCH_ROWS: Final = 65_536

MOST_BYTES: Final = 1 << 28
"""The most bytes of the cells of a batch, as far as a file tells beforehand."""

MOST_IN_GROUP: Final = 1 << 30
"""The most bytes of a column in a row group: a page of it is unpacked as a whole."""


def parquet_rows(path: str, context: Context) -> Iterator[rows.Row]:
    """The rows of a Parquet file, by record batches.

    Raises:
        InputError: naming the row, counted from 1.
    """
    import pyarrow

    read = 0
    require_csv(context, "Parquet")
    try:
        with parquet_file(path) as file:
            names = list(file.schema_arrow.names)
            places, widest = readable(file, columns_of(names, context), context.origin)
            groups = range(file.metadata.num_row_groups)
            most = max(1, min(_BATCH_ROWS, MOST_BYTES // widest))
            batches = file.iter_batches(most, row_groups=groups, column_indices=places, use_threads=True)
            for row in table_rows(names, batches, context):
                read = row.number
                yield row
    except (pyarrow.ArrowException, OSError) as error:
        reason = f"this Parquet file cannot be read: {rows.shortened(' '.join(str(error).split()), 200)}"
        remedy = "It is damaged, or not a Parquet file; write it again."
        raise context.origin.error(read and read + 1, reason, remedy) from None


@contextmanager
def parquet_file(path: str) -> Iterator[Any]:
    """A Parquet file whose texts are read as dictionaries: a small file may hold a long text a million times.

    It is what reads for `pyarrow.parquet`, which besides loads file systems of networks, as long as a file takes.

    Raises:
        pyarrow.ArrowException, OSError: it cannot be read.
    """
    from pyarrow._parquet import ParquetReader

    with closing(ParquetReader()) as first, closing(ParquetReader()) as reader:
        first.open(path, use_memory_map=False)
        schema = first.metadata.schema
        columns = map(schema.column, range(len(schema)))
        texts = [column.path for column in columns if column.physical_type == "BYTE_ARRAY"]
        reader.open(path, use_memory_map=False, pre_buffer=True, read_dictionary=texts)
        yield reader


def readable(file: Any, names: Sequence[str], origin: Origin) -> tuple[list[int], int]:
    """The places of some columns of a Parquet file, and how many bytes a row has in them, as far as the file tells.

    Raises:
        InputError: a cell of these columns is no scalar, or too long, or there is too much in them at once.
    """
    from pyarrow import types

    for name in names:
        kind = file.schema_arrow.field(name).type
        if types.is_nested(kind):
            raise _nested(name, kind, origin)
    schema = file.metadata.schema
    columns = {
        place: column for place, column in enumerate(map(schema.column, range(len(schema)))) if column.path in names
    }
    widest = 1
    for group in map(file.metadata.row_group, range(file.metadata.num_row_groups)):
        of_row = 0
        for place, column in columns.items():
            size = group.column(place).total_uncompressed_size
            wide = column.length if column.physical_type == "FIXED_LEN_BYTE_ARRAY" else 0
            length = max(size // max(1, group.column(place).num_values), wide)
            if length > MAX_CELL:
                raise _long_cell(column.path, origin)
            if size > MOST_IN_GROUP:
                reason = (
                    f"the column {rows.shown(column.path)} has {size:,} bytes in one row group;"
                    f" at most {MOST_IN_GROUP:,} are unpacked at once"
                )
                raise origin.error(0, reason, "Write it with smaller row groups, or with shorter cells.")
            of_row += length
        widest = max(widest, of_row)
    return list(columns), widest


def query_rows(query: str, context: Context) -> Iterator[rows.Row]:
    """The rows of a query of DuckDB's SQL, by record batches.

    Raises:
        InputError: the query cannot be answered, or its result is no log; naming the row, counted from 1.
    """
    import duckdb

    require_csv(context, "the result of a query")
    try:
        with duckdb.connect() as connection:
            result = connection.sql(query)
            if result is None:
                raise context.origin.error(0, "the query has no result", "Write SELECT … AS time, … AS event FROM …")
            yield from table_rows(result.columns, result.to_arrow_reader(_BATCH_ROWS), context)
    except duckdb.Error as error:
        reason = rows.shortened(" ".join(str(error).split()), 300)
        remedy = "The query is answered by DuckDB; files are named in quotes: FROM 'log.json'."
        raise context.origin.error(0, reason, remedy) from None
