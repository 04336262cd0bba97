"""Rows of tables: which columns are read, and the rows of Parquet files, of Arrow's tables and of queries.

A small Parquet file may hold much. What it states is looked at before it is unpacked, and batches stay small.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from semantics.errors import InputError
from semantics.events import NO_ATTRIBUTES, TraceForm
from semantics.traces import rows
from semantics.traces.instants import ReadReport
from semantics.traces.reading import Reading
from semantics.traces.rows import MAX_CELL, Origin, ReadTime

MAX_COLUMNS: Final = 10_000  # of a log
SKIP: Final = "Or leave out what cannot be read: --skip-bad."


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
        if isinstance(error, rows.Undecided):
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
            return {name: reading.value if name == "value" else name for name in wanted if name not in others}
        others |= {"value", reading.time, reading.event, reading.start}
        found = {name: name for name in names if name not in others}
        return found | ({"value": reading.value} if reading.value in names else {})

    def row(self, cells: Mapping[str, Any], found: Mapping[str, str], number: int) -> rows.Row:
        """The row of some cells by column, with the attributes that are found in columns."""
        reading, form = self.reading, self.form
        time, cell = self.read_time(cells[reading.time]), cells[reading.event]
        event = self.events.get(cell) if type(cell) is str else None
        if event is None:
            event = rows.event_of(cell)
            self.events[event] = event
        start, values = time, NO_ATTRIBUTES
        if form.types is None or event in form.types:
            start = rows.start_of(cells.get(reading.start), time, form, self.read_time)
            values = {name: rows.value_of(cells.get(column)) for name, column in found.items()}
        key = None
        if reading.partition_by is not None:
            key = rows.partition_of(cells.get(reading.partition_by))
            self.report.without_partition += key is None
        return rows.Row(time, event, start, values, key, self.origin, number)

    def require_columns(self, names: Sequence[str], number: int, kind: type[InputError] = rows.Undecided) -> None:
        """Make sure that every row has its time, its event type, its partition, and what was named."""
        reading = self.reading
        wanted = {"time": reading.time, "event": reading.event, "partition-by": reading.partition_by}
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
            reason = f"the column {rows.shown(name)} is there {times} times"
            raise self.origin.error(number, reason, "Give every column a name of its own.")
        self.require_columns(names, number)

    def require_no_csv(self, format: str) -> None:
        """Refuse what is said of CSV about a log of another format."""
        for option in ("delimiter", "header"):
            if getattr(self.reading, option) is not None:
                raise self.origin.error(0, f"this is {format}, which has no --{option}", "Leave it out.")


def listed(names: Iterable[str]) -> str:
    """Names of columns, or cells, as a message lists them."""
    return rows.shortened(", ".join(map(rows.shown, names)), 300) or "none"


def table_rows(names: Sequence[str], batches: Iterable[Any], context: Context) -> Iterator[rows.Row]:
    """The rows of a table with these columns, by Arrow's record batches, which need not have all of them.

    Scalars that JSON does not have become their text.
    """
    asked, found, number = columns_of(names, context), context.attributes(names), 0
    for batch in batches:
        for cells in zip(*(_cells(batch, name, context) for name in asked), strict=True):
            number += 1
            try:
                row = context.row(dict(zip(asked, cells, strict=True)), found, number)
            except InputError as error:
                context.leave_out(number, error)
            else:
                yield row


def columns_of(names: Sequence[str], context: Context) -> list[str]:
    """The columns of a table that are read."""
    context.check_columns(names, 0)
    reading = context.reading
    asked = {reading.time, reading.event, reading.start, reading.partition_by, *context.attributes(names).values()}
    return [name for name in names if name in asked]


def _cells(batch: Any, name: str, context: Context) -> list[Any]:
    """The column as Python values: what JSON can hold as itself, other scalars than times as text."""
    from pyarrow import types

    column = batch.column(name)
    if not types.is_dictionary(column.type):
        return _scalars(column, name, context)
    used = column.indices.drop_null().unique()  # of a dictionary that grows from batch to batch
    values = dict(zip(used.to_pylist(), _scalars(column.dictionary.take(used), name, context), strict=True))
    return [values.get(place) for place in column.indices.to_pylist()]


def _scalars(column: Any, name: str, context: Context) -> list[Any]:
    import pyarrow
    from pyarrow import types

    is_time, kind = name in (context.reading.time, context.reading.start), column.type
    texts = (types.is_string, types.is_large_string, types.is_binary, types.is_large_binary)
    if column.nbytes > MAX_CELL and any(is_text(kind) for is_text in texts):
        from pyarrow import compute  # which takes time to load

        if (compute.max(compute.binary_length(column)).as_py() or 0) > MAX_CELL:
            raise _refused(name, _LONG, context.origin)
    if types.is_nested(kind) or (types.is_duration(kind) and is_time):
        raise _refused(name, _NESTED, context.origin)
    if types.is_float16(kind):
        column = column.cast(pyarrow.float32())
    elif types.is_temporal(kind) or (types.is_decimal(kind) and not is_time):
        try:
            column = column.cast(pyarrow.string())
        except pyarrow.ArrowException:
            return [None if cell is None else str(cell) for cell in column.to_pylist()]
    try:
        return list(column.to_pylist())
    except UnicodeDecodeError:
        raise _refused(name, "has a text that is not UTF-8", context.origin) from None


_LONG: Final = f"has a cell of more than {MAX_CELL:,} bytes"
_NESTED: Final = "holds arrays, objects or lengths of time"


def _refused(name: str, what: str, origin: Origin) -> InputError:
    remedy = "A cell is one short scalar. Write what identifies it, or leave the column out."
    return origin.error(0, f"the column {rows.shown(name)} {what}", remedy)


_BATCH_ROWS: Final = 65_536
_MOST_BYTES: Final = 1 << 28  # of the cells of a batch, as far as a file tells beforehand
MOST_IN_GROUP: Final = 1 << 30  # bytes of a column in a row group: a page of it is unpacked as a whole


def parquet_rows(path: str, context: Context) -> Iterator[rows.Row]:
    """The rows of a Parquet file, by record batches."""
    import pyarrow

    context.require_no_csv("Parquet")
    try:
        with parquet_file(path) as file:
            names = list(file.schema_arrow.names)
            columns = columns_of(names, context)
            most = max(1, min(_BATCH_ROWS, _MOST_BYTES // readable(file, columns, context.origin)))
            yield from table_rows(names, file.iter_batches(most, columns=columns), context)
    except (pyarrow.ArrowException, OSError) as error:
        reason = f"this Parquet file cannot be read: {rows.shortened(' '.join(str(error).split()), 200)}"
        raise context.origin.error(0, reason, "It is damaged, or not a Parquet file; write it again.") from None


def parquet_file(path: str) -> Any:
    """A Parquet file whose texts are read as dictionaries: a small file may hold a long text a million times."""
    from pyarrow import parquet

    with parquet.ParquetFile(path) as first:
        columns = map(first.schema.column, range(len(first.schema)))
        texts = [column.path for column in columns if column.physical_type == "BYTE_ARRAY"]
    return parquet.ParquetFile(path, read_dictionary=texts, pre_buffer=True)


def readable(file: Any, names: Sequence[str], origin: Origin) -> int:
    """How many bytes a row of a Parquet file has in some columns, as far as the file tells."""
    from pyarrow import types

    for name in names:
        if types.is_nested(file.schema_arrow.field(name).type):
            raise _refused(name, _NESTED, origin)
    widest = 1
    for group in map(file.metadata.row_group, range(file.metadata.num_row_groups)):
        of_row = 0
        for place in range(group.num_columns):
            column, chunk = file.schema.column(place), group.column(place)
            if column.path not in names:
                continue
            wide = column.length if column.physical_type == "FIXED_LEN_BYTE_ARRAY" else 0
            length = max(chunk.total_uncompressed_size // max(1, chunk.num_values), wide)
            if length > MAX_CELL:
                raise _refused(column.path, _LONG, origin)
            if chunk.total_uncompressed_size > MOST_IN_GROUP:
                raise _refused(column.path, f"has more than {MOST_IN_GROUP:,} bytes in one row group", origin)
            of_row += length
        widest = max(widest, of_row)
    return widest


def query_rows(query: str, context: Context) -> Iterator[rows.Row]:
    """The rows of a query of DuckDB's SQL, by record batches."""
    import duckdb

    context.require_no_csv("the result of a query")
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
