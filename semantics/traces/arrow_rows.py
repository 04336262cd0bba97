"""Rows of Parquet files and of Arrow tables, by record batches.

A small Parquet file may hold much: a text once for many rows, or zeros that are packed well. What it states is
looked at before it is unpacked, and batches have only so many rows that they stay small.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any, Final

from semantics.errors import InputError
from semantics.traces import rows
from semantics.traces.formats import Frame, RowReader, attributes, find_columns, require_csv
from semantics.traces.rows import MAX_CELL, Origin

_BATCH_ROWS: Final = 65_536

MOST_BYTES: Final = 1 << 28
"""So many bytes the cells of a batch have together, as far as a file tells beforehand."""

MOST_IN_GROUP: Final = 1 << 30
"""So many bytes a column may have in a row group: a page of it is unpacked as a whole."""


def parquet_rows(path: str, frame: Frame) -> Iterator[rows.Row]:
    """The rows of a Parquet file, by record batches.

    Raises:
        InputError: naming the row, counted from 1.
    """
    import pyarrow

    origin, read = frame.origin, 0
    require_csv(frame.reading, origin, "Parquet")
    try:
        with parquet_file(path) as file:
            names = list(file.schema_arrow.names)
            batches = record_batches(file, columns_of(names, frame), origin, _BATCH_ROWS)
            for row in arrow_rows(names, batches, frame):
                read = row.number
                yield row
    except (pyarrow.ArrowException, OSError) as error:
        reason = f"this Parquet file cannot be read: {rows.shortened(' '.join(str(error).split()), 200)}"
        remedy = "It is damaged, or not a Parquet file; write it again."
        raise origin.error(read and read + 1, reason, remedy) from None


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


def record_batches(
    file: Any, names: Sequence[str], origin: Origin, most: int, groups: Sequence[int] | None = None
) -> Iterator[Any]:
    """The record batches of some columns of a Parquet file, of at most so many rows and about `MOST_BYTES`.

    Args:
        file: is open.
        names: of the columns.
        origin: of the file.
        most: see above.
        groups: the row groups that are read; None for all.

    Raises:
        InputError: a cell of these columns is no scalar, or too long, or there is too much in them at once.
    """
    places, widest = readable(file, names, origin)
    yield from file.iter_batches(
        max(1, min(most, MOST_BYTES // widest)),
        row_groups=range(file.metadata.num_row_groups) if groups is None else groups,
        column_indices=places,
        use_threads=True,
    )


def readable(file: Any, names: Sequence[str], origin: Origin) -> tuple[list[int], int]:
    """The places of some columns, and how many bytes a row has in them, as far as the file tells.

    Raises:
        InputError: as `record_batches`.
    """
    from pyarrow import types

    for name in names:
        kind = file.schema_arrow.field(name).type
        if types.is_nested(kind):
            what = "objects" if types.is_struct(kind) or types.is_map(kind) else "arrays"
            reason = f"the column {rows.shown(name)} holds {what}, and a cell is one scalar"
            raise origin.error(0, reason, "Name another column, or write what identifies it.")
    schema = file.metadata.schema
    columns = list(map(schema.column, range(len(schema))))
    places = [place for place, column in enumerate(columns) if column.path in names]
    widths = {
        place: columns[place].length
        for place in places
        if columns[place].physical_type == "FIXED_LEN_BYTE_ARRAY"
    }
    widest = 1
    for group in map(file.metadata.row_group, range(file.metadata.num_row_groups)):
        of_row = 0
        for place in places:
            column = group.column(place)
            size = column.total_uncompressed_size
            length = max(size // max(1, column.num_values), widths.get(place, 0))
            if length > MAX_CELL:
                raise _long_cell(columns[place].path, origin)
            if size > MOST_IN_GROUP:
                reason = (
                    f"the column {rows.shown(columns[place].path)} has {size:,} bytes in one row group;"
                    f" at most {MOST_IN_GROUP:,} are unpacked at once"
                )
                raise origin.error(0, reason, "Write it with smaller row groups, or with shorter cells.")
            of_row += length
        widest = max(widest, of_row)
    return places, widest


def _long_cell(name: str, origin: Origin) -> InputError:
    reason = f"a cell of the column {rows.shown(name)} has more than {MAX_CELL:,} bytes"
    return origin.error(0, reason, "A value is short; leave the column out, or write what identifies it.")


def columns_of(names: Sequence[str], frame: Frame) -> list[str]:
    """The columns of a table that are read.

    Raises:
        InputError: one is missing or there twice.
    """
    find_columns(names, frame, 0)
    reading = frame.reading
    asked = {reading.time, reading.event, reading.start, *attributes(names, frame).values()}
    return [name for name in names if name in asked or name == reading.partition_by]


def arrow_rows(names: Sequence[str], batches: Iterable[Any], frame: Frame) -> Iterator[rows.Row]:
    """The rows of a table with these columns, by Arrow's record batches of those that are read.

    Scalars that JSON does not have become their text.

    Raises:
        InputError: naming the row, counted from 1.
    """
    reader, found = RowReader(frame), attributes(names, frame)
    number = 0
    for batch in batches:
        columns = batch.schema.names
        for cells in zip(*(_cells(batch, name, frame) for name in columns), strict=True):
            number += 1
            try:
                row = reader.row(dict(zip(columns, cells, strict=True)), found, number)
            except InputError as error:
                frame.leave_out(number, error)
                continue
            yield row


def _cells(batch: Any, name: str, frame: Frame) -> list[Any]:
    """The column as Python values: what JSON can hold as itself, dates, times and decimals that are no times as text.

    Raises:
        InputError: a cell is longer than one of CSV may be.
    """
    from pyarrow import types

    column = batch.column(name)
    if types.is_dictionary(column.type):
        used = column.indices.drop_null().unique()  # of a dictionary that grows from batch to batch
        values = dict(zip(used.to_pylist(), _scalars(column.dictionary.take(used), name, frame), strict=True))
        return [values.get(place) for place in column.indices.to_pylist()]
    return _scalars(column, name, frame)


def _scalars(column: Any, name: str, frame: Frame) -> list[Any]:
    import pyarrow
    from pyarrow import types

    require_short_cells(column, name, frame.origin)
    if types.is_duration(column.type) and name in (frame.reading.time, frame.reading.start):
        remedy = "Write it as a whole number of ticks."
        raise frame.origin.error(0, f"the column {rows.shown(name)} holds lengths of time", remedy)
    if types.is_float16(column.type):
        column = column.cast(pyarrow.float32())
    elif types.is_temporal(column.type) or (
        types.is_decimal(column.type) and name not in (frame.reading.time, frame.reading.start)
    ):
        try:
            column = column.cast(pyarrow.string())
        except pyarrow.ArrowException:
            return [None if cell is None else str(cell) for cell in column.to_pylist()]
    cells: list[Any] = column.to_pylist()
    return cells


def require_short_cells(column: Any, name: str, origin: Origin) -> int:
    """Make sure that no cell of a column is longer than one of CSV may be; at most so many bytes each has.

    Raises:
        InputError: one is.
    """
    if not _is_text(column.type):
        return 0
    if column.nbytes <= MAX_CELL:
        return int(column.nbytes)
    from pyarrow import compute  # which takes time to load

    longest = compute.max(compute.binary_length(column)).as_py() or 0
    if longest > MAX_CELL:
        raise _long_cell(name, origin)
    return int(longest)


def _is_text(kind: Any) -> bool:
    from pyarrow import types

    return bool(
        types.is_string(kind)
        or types.is_large_string(kind)
        or types.is_binary(kind)
        or types.is_large_binary(kind)
    )
