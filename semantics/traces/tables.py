"""Rows of tables: those of Parquet files, of Arrow's tables and of queries.

A small Parquet file may hold much. What it states is looked at before it is unpacked, and batches stay small.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from semantics.errors import InputError
from semantics.traces.rows import MAX_CELL, Context, Origin, Row, shortened, shown


def table_rows(names: Sequence[str], batches: Iterable[Any], context: Context) -> Iterator[Row]:
    """The rows of a table with these columns, by Arrow's record batches, which need not have all of them."""
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
    return origin.error(0, f"the column {shown(name)} {what}", remedy)


_BATCH_ROWS: Final = 65_536
_MOST_BYTES: Final = 1 << 28  # of the cells of a batch, as far as a file tells beforehand
MOST_IN_GROUP: Final = 1 << 30  # bytes of a column in a row group: a page of it is unpacked as a whole


def parquet_rows(path: str, context: Context) -> Iterator[Row]:
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
        reason = f"this Parquet file cannot be read: {shortened(' '.join(str(error).split()), 200)}"
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


def query_rows(query: str, context: Context) -> Iterator[Row]:
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
        reason = shortened(" ".join(str(error).split()), 300)
        remedy = "The query is answered by DuckDB; files are named in quotes: FROM 'log.json'."
        raise context.origin.error(0, reason, remedy) from None
