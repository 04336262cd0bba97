"""Traces by columns: what `read_rows` and `admissible` accept of points without values, many rows at a time.

Only plain files are read in this way. Whatever is unusual, an error above all, is left to the reader of rows, which
knows what is wrong and where: here it is the exception `Unusual`, after the instants before it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from semantics.errors import InputError
from semantics.traces.reading import USUAL, Reading
from semantics.traces.rows import MAX_EXACT, MAX_TIME, MAX_TIME_DIGITS, Origin, event_of

BLOCK = 1 << 22
"""How many bytes of CSV are read at a time."""

BATCH_ROWS = 1 << 18
"""How many rows of Parquet are read at a time."""

MAX_CELL = 131_072
"""A line of CSV up to this length has no cell that is too long for the reader of rows."""


class Unusual(Exception):
    """The rest of the trace is to be read row by row."""


class Stretch(NamedTuple):
    """Complete instants of a trace, without values.

    Attributes:
        times: strictly increasing, shape `(n,)`, in ticks.
        letters: per time a bit set; the type of bit `i` is the `i`-th of those that were asked for.
    """

    times: NDArray[np.int64]
    letters: NDArray[np.uint64]


class _Rows(NamedTuple):
    """Rows whose cells are right: `names[codes[i]]` occurs at `times[i]`."""

    times: NDArray[np.int64]
    codes: NDArray[np.int64]
    names: Sequence[str]


def about_rows(path: str, format: str) -> int:
    """About how many rows a file has: those that a Parquet file states, or a text file's size by its first lines.

    Raises:
        Unusual: it cannot be read.
    """
    try:
        if format == "parquet":
            from pyarrow import parquet

            return int(parquet.read_metadata(path).num_rows)
        with Path(path).open("rb") as file:
            head = file.read(1 << 16)
        return Path(path).stat().st_size * head.count(b"\n") // max(len(head), 1)
    except Exception as error:
        raise Unusual from error


def stretches(
    path: str,
    format: str,
    events: Sequence[str],
    seen: Counter[str] | None = None,
    reading: Reading = USUAL,
) -> Iterator[Stretch]:
    """The instants of a trace at which one of some event types occurs.

    Args:
        path: a regular file.
        format: "csv" or "parquet".
        events: the event types that are asked for, at most 63; those of others need not keep Def. 3.4.
        seen: counts the rows of each event type, also of others.
        reading: where cells are; times are in ticks.

    Raises:
        Unusual: what follows can only be read, or refused, row by row.
    """
    bits = {name: np.uint64(1 << bit) for bit, name in enumerate(events)}
    times = np.empty(0, np.int64)
    codes = np.empty(0, np.int64)
    number: dict[str, int] = {}
    last = -1
    try:
        for rows in (_parquet if format == "parquet" else _csv)(path, reading):
            known = np.array([number.setdefault(name, len(number)) for name in rows.names], np.int64)
            if seen is not None:
                counts = np.bincount(rows.codes, minlength=len(rows.names)).tolist()
                seen.update({name: count for name, count in zip(rows.names, counts, strict=True) if count})
            times = np.concatenate([times, rows.times])
            codes = np.concatenate([codes, known[rows.codes]])
            if not len(times):
                continue
            _require_admissible(times, codes, last, [number[name] for name in events if name in number])
            complete = int(np.searchsorted(times, times[-1]))  # a row of the last time may follow
            if complete:
                last = int(times[complete - 1])
                yield _stretch(times[:complete], codes[:complete], number, bits)
                times, codes = times[complete:], codes[complete:]
    except (OSError, InputError, ImportError) as error:
        raise Unusual from error
    if len(times):
        yield _stretch(times, codes, number, bits)


def _require_admissible(
    times: NDArray[np.int64], codes: NDArray[np.int64], last: int, asked: Sequence[int]
) -> None:
    """Make sure that rows are in time order, and that those with the codes that are asked for keep Def. 3.4.

    Raises:
        Unusual: they do not.
    """
    if times[0] <= last or (times[1:] < times[:-1]).any():
        raise Unusual
    same = times[1:] == times[:-1]
    if same.any():
        together = np.flatnonzero(np.append(same, False) | np.append(False, same))
        order = np.lexsort((codes[together], times[together]))
        when, what = times[together][order], codes[together][order]
        twice = (when[1:] == when[:-1]) & (what[1:] == what[:-1])
        if twice.any() and np.isin(what[1:][twice], asked).any():
            raise Unusual


def _stretch(
    times: NDArray[np.int64],
    codes: NDArray[np.int64],
    number: Mapping[str, int],
    bits: Mapping[str, np.uint64],
) -> Stretch:
    of_code = np.zeros(len(number), np.uint64)
    for name, bit in bits.items():
        if name in number:
            of_code[number[name]] = bit
    letters = of_code[codes]
    kept = np.flatnonzero(letters)
    times, letters = times[kept], letters[kept]
    begins = np.flatnonzero(np.append(True, times[1:] != times[:-1])) if len(times) else kept
    if len(begins) == len(times):
        return Stretch(times, letters)
    return Stretch(times[begins], np.bitwise_or.reduceat(letters, begins))


def _names(texts: Sequence[object]) -> list[str]:
    return [event_of(text, Origin(""), 0) for text in texts]


# ---------------------------------------------------------------------------------------------------------- Parquet


def _parquet(path: str, reading: Reading) -> Iterator[_Rows]:
    import pyarrow

    from semantics.traces.formats import parquet_file, require_short_cells

    try:
        with parquet_file(path) as file:
            names = list(file.schema_arrow.names)
            _require_columns(names, reading)
            columns = [reading.time, reading.event]
            require_short_cells(file.metadata, columns, Origin(path))
            for batch in file.iter_batches(BATCH_ROWS, columns=columns):
                times = batch.column(reading.time)
                is_number = pyarrow.types.is_integer(times.type) or pyarrow.types.is_float64(times.type)
                if not is_number or times.null_count:
                    raise Unusual
                found = _rows(times.cast(pyarrow.int64()), batch.column(reading.event))
                if pyarrow.types.is_float64(times.type) and len(batch) and found.times.max() >= MAX_EXACT:
                    raise Unusual
                yield found
    except pyarrow.ArrowException as error:
        raise Unusual from error


def _rows(times: Any, events: Any) -> _Rows:
    """Rows of an array of integers and one of texts or of a dictionary of these."""
    from pyarrow import types

    if types.is_dictionary(events.type) and len(events.dictionary) > len(events):
        events = events.dictionary_decode()  # the dictionary grows from batch to batch
    if not types.is_dictionary(events.type):
        if not (types.is_string(events.type) or types.is_large_string(events.type)):
            raise Unusual
        events = events.dictionary_encode()
    if events.null_count:
        raise Unusual
    numbers = times.to_numpy(zero_copy_only=False)
    if len(numbers) and not 0 <= numbers.min() <= numbers.max() <= MAX_TIME:
        raise Unusual
    codes = events.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    return _Rows(numbers, codes, _names(events.dictionary.to_pylist()))


# -------------------------------------------------------------------------------------------------------------- CSV


def _require_columns(names: Sequence[str], reading: Reading) -> None:
    """Make sure that the columns are there, each once, and that none says when events begin.

    Raises:
        Unusual: they are not.
    """
    needed = {reading.time, reading.event} | ({reading.value} - {USUAL.value})
    if len(set(names)) < len(names) or not needed <= set(names) or reading.start in names:
        raise Unusual


def _csv(path: str, reading: Reading) -> Iterator[_Rows]:
    with Path(path).open("rb") as file:
        header = file.readline(1 << 16)
        names = header.decode("ascii", errors="replace").rstrip("\r\n").split(reading.delimiter or ",")
        if not header.endswith(b"\n") or not header.isascii() or b'"' in header or b"\0" in header:
            raise Unusual
        _require_columns(names, reading)
        rest = b""
        while block := file.read(BLOCK):
            block = rest + block
            cut = block.rfind(b"\n") + 1
            if not cut and len(block) > MAX_CELL:
                raise Unusual
            block, rest = block[:cut], block[cut:]
            if block:
                yield _csv_rows(block, names, reading)
        if rest:
            yield _csv_rows(rest, names, reading)


def _csv_rows(block: bytes, names: Sequence[str], reading: Reading) -> _Rows:
    """The rows of some whole lines."""
    import pyarrow
    from pyarrow import compute, csv

    _require_lines(block)
    try:
        table = csv.read_csv(
            pyarrow.BufferReader(block),
            csv.ReadOptions(use_threads=False, block_size=len(block) + 1, column_names=list(names)),
            csv.ParseOptions(
                delimiter=reading.delimiter or ",", quote_char=False, double_quote=False, escape_char=False
            ),
            csv.ConvertOptions(
                column_types={reading.time: pyarrow.string(), reading.event: pyarrow.string()},
                include_columns=[reading.time, reading.event],
                null_values=[],
                strings_can_be_null=False,
            ),
        )
        times = table.column(reading.time).combine_chunks()
        digits = compute.all(compute.ascii_is_decimal(times)).as_py()
        longest = compute.max(compute.binary_length(times)).as_py()
        if digits is False or (longest or 0) > MAX_TIME_DIGITS:
            raise Unusual
        return _rows(times.cast(pyarrow.int64()), table.column(reading.event).combine_chunks())
    except pyarrow.ArrowException as error:
        raise Unusual from error


def _require_lines(block: bytes) -> None:
    """Make sure that lines are what they seem to be: without quotes, control characters and wrong bytes.

    Raises:
        Unusual: perhaps they are not.
    """
    if b'"' in block or b"\0" in block or block.count(b"\r") != block.count(b"\r\n"):
        raise Unusual
    if not block.isascii():
        try:
            block.decode()
        except UnicodeDecodeError as error:
            raise Unusual from error
    ends = np.flatnonzero(np.frombuffer(block, np.uint8) == ord("\n"))
    if len(ends) and int(np.diff(ends, prepend=-1, append=len(block)).max()) > MAX_CELL:
        raise Unusual
