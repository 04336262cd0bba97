"""CSV and JSON Lines by columns: blocks of text, in which a kernel finds the rows, in several threads."""

from __future__ import annotations

import csv
import json
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO, Final

import numpy as np

from semantics.ahead import side_by_side
from semantics.errors import InputError
from semantics.native import AVAILABLE
from semantics.traces import scanning
from semantics.traces.columns import Columns, Rows, Unusual, clocked_by, require_columns
from semantics.traces.formats import require_csv
from semantics.traces.lines import decompressed
from semantics.traces.rows import NOWHERE, Origin
from semantics.traces.text_blocks import Found, Layout, Scanner
from semantics.traces.text_tables import Bytes, Integers, texts_between

BLOCK = 1 << 21
"""How many bytes of text are read at a time."""

LONGEST_ROW = 1 << 20
"""A row of text that is longer is not read here, in bytes."""

MOST_THREADS: Final = 4
"""So many threads at most find rows."""


def text_rows(columns: Columns) -> Iterator[tuple[Rows, int]]:
    """The rows of blocks of text, with the time of the last row of each."""
    if not AVAILABLE:  # then reading by rows is faster
        raise Unusual
    with Path(columns.path).open("rb") as file, closing(decompressed(file)) as stream:
        head = stream.readline(LONGEST_ROW)
        if not head.endswith(b"\n"):
            raise Unusual
        head = head.removeprefix(b"\xef\xbb\xbf")
        has_header = columns.format == "csv" and columns.reading.header is None
        if columns.format == "csv":
            rest = stream.readline(LONGEST_ROW) if has_header else head
            layout = _csv_layout(head if has_header else b"", rest, columns)
        else:
            layout, rest = _json_layout(head, columns), head
        scanners = [Scanner(columns, layout) for _ in range(min(os.cpu_count() or 1, MOST_THREADS))]
        blocks = _blocks(rest, stream, quoted=columns.format == "csv")
        numbers = [np.empty(0, np.int64) for _ in scanners]
        last, line = -1, int(has_header)
        with closing(side_by_side(blocks, scanners)) as results:
            for turn, found in enumerate(results):
                for number, reason in found.bad:
                    columns.report.leave_out(Origin(columns.path), line + number, InputError(reason))
                line += found.lines
                if found.first < 0:
                    continue
                columns.note_disorder(found.disorder + (found.first < last))
                last = found.last
                turn %= len(scanners)
                numbers[turn] = _told(found, columns, layout, numbers[turn])
                rows = found.rows
                if rows.partitions is not None:
                    rows = replace(rows, partitions=numbers[turn][rows.partitions])
                yield rows, last


def _told(found: Found, columns: Columns, layout: Layout, numbers: Integers) -> Integers:
    """Put into the report what was read; the numbers that partitions have in the columns, by those in the block.

    Args:
        found: what the block has.
        columns: knows the partitions.
        layout: of the text.
        numbers: of the partitions that were known before.
    """
    report = columns.report
    for number in np.flatnonzero(found.counts).tolist():
        report.events[found.names[number]] += int(found.counts[number])
    report.rows += int(found.counts.sum())
    report.rounded += found.rounded
    report.without_partition += found.missing
    text, bounds = found.parts
    if found.rows.partitions is None or len(bounds) == len(numbers) + 1:
        return numbers
    bounds = bounds[len(numbers) :]
    begins, ends, quote = bounds[:-1], bounds[1:], int(bool(layout.keys))
    places = np.arange(0, 2 * len(begins), 2)
    if (ends - begins > 2 * quote).all() and _are_plain(text, begins, ends, quoted=bool(quote)):
        within = np.stack([begins + quote, ends - quote], 1).reshape(-1)
        return np.append(numbers, columns.keys.of_texts(text, within, places))
    cells: list[object] = [cell or None for cell in texts_between(text, bounds)]
    if layout.keys:
        cells = json.loads(f"[{','.join(str(cell or 'null') for cell in cells)}]")
    return np.append(numbers, columns.keys.of_cells(cells))


def _are_plain(text: Bytes, begins: Integers, ends: Integers, *, quoted: bool) -> bool:
    """Whether all texts between bounds are what they mean, in JSON but for the quotes."""
    if not quoted:
        return True
    is_backslash = text[begins[0] : ends[-1]] == ord("\\")
    return not is_backslash.any() and bool((text[begins] == ord('"')).all())


def _blocks(rest: bytes, stream: BinaryIO, *, quoted: bool) -> Iterator[bytes]:
    """Blocks of whole rows.

    Args:
        rest: what was read before.
        stream: what comes then.
        quoted: whether a line may end within quotes.

    Raises:
        Unusual: a row is too long.
    """
    more = b"more"
    while more:
        more = stream.read(BLOCK)
        if not more:
            if rest:
                yield rest if rest.endswith(b"\n") else rest + b"\n"
            return
        end = more.rfind(b"\n") + 1
        if quoted and (b'"' in rest or b'"' in more):
            odd = (rest.count(b'"') + more.count(b'"', 0, end)) % 2
            while odd and end:
                before = more.rfind(b"\n", 0, end - 1) + 1
                odd = (odd + more.count(b'"', before, end)) % 2
                end = before
        if end:
            yield b"".join((rest, memoryview(more)[:end]))  # copied once
            rest = more[end:]
        else:
            rest += more
        if len(rest) > LONGEST_ROW + BLOCK:
            raise Unusual


def _csv_layout(head: bytes, first: bytes, columns: Columns) -> Layout:
    """Where cells are, by the header, if there is one, and the first row.

    Raises:
        Unusual: they are not where they are looked for here.
    """
    reading = columns.reading
    delimiter = reading.delimiter or ","
    if len(delimiter.encode()) > 1:
        raise Unusual
    names = reading.names or next(csv.reader([head.decode()], strict=True, delimiter=delimiter))
    require_columns(names, reading)
    cells = next(csv.reader([first.decode()], strict=True, delimiter=delimiter), [])
    if len(cells) != len(names):
        raise Unusual
    return Layout(
        clocked_by(cells[names.index(reading.time)], reading, columns.report),
        _roles(names, columns),
        ord(delimiter),
        header=head.decode(),
    )


def _json_layout(head: bytes, columns: Columns) -> Layout:
    """Which members rows have, by the first one.

    Raises:
        Unusual: they are not where they are looked for here.
    """
    reading = columns.reading
    try:
        members: list[tuple[str, object]] = json.loads(head, object_pairs_hook=lambda pairs: pairs)
        cells = dict(members)
    except (ValueError, TypeError, RecursionError) as error:
        raise Unusual from error
    names = [name for name, _ in members]
    require_columns(names, reading)
    require_csv(reading, NOWHERE, "JSON Lines")
    return Layout(
        clocked_by(cells[reading.time], reading, columns.report),
        _roles(names, columns),
        keys=[name.encode() for name in names],
        befores=_befores(head.decode(), names),
    )


def _befores(row: str, names: Sequence[str]) -> list[bytes]:
    """What stands before each value of a row of JSON; nothing where that is not found."""
    befores, place, read = [], 0, json.JSONDecoder().raw_decode
    for name in names:
        found = re.compile(rf"[ \t]*[{{,][ \t]*{re.escape(json.dumps(name))}[ \t]*:[ \t]*").match(row, place)
        if found is None:
            return [b""] * len(names)
        befores.append(found[0].encode())
        _, place = read(row, found.end())
    return befores


def _roles(names: Sequence[str], columns: Columns) -> list[int]:
    """What the cells of a row are, by the names of their columns."""
    reading = columns.reading
    roles = {reading.time: scanning.TIME, reading.event: scanning.EVENT}
    if columns.values:
        roles.setdefault(reading.value, scanning.VALUE)
    if reading.partition_by is not None:
        roles[reading.partition_by] = scanning.PARTITION
    return [roles.get(name, scanning.OTHER) for name in names]
