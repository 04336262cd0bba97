"""Guesses how a log is to be read, by its first rows: the delimiter, the columns, what times count, and their order."""

import csv
import itertools
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from semantics.events import TraceForm
from semantics.traces.files import format_of, lines_of, read_rows
from semantics.traces.reading import Reading
from semantics.traces.rows import Origin
from semantics.traces.tables import parquet_file, readable
from semantics.traces.times import ISO, NUMBER, epoch_of

ROWS: Final = 50  # that are looked at

_TIMES = re.compile(r"time|date|when|stamp|^ts$|_at$|^at$", re.IGNORECASE)
_EVENTS = re.compile(r"event|type|action|activity|^kind$|^name$|operation|message|status", re.IGNORECASE)
_CLOCK = re.compile(r"\d\d?:\d\d(:\d\d.*)?", re.ASCII)  # a time of day alone

Sample = Mapping[str, Sequence[str]]  # the first cells of each column, as text


def guessed(path: str, reading: Reading) -> Reading | None:
    """A reading with which the first rows of a file can be read; what is stated stays. None where none is found."""
    if not Path(path).is_file():
        return None
    with suppress(Exception):  # whatever is wrong with the file, the refusal has said it
        for sample, how in _samples(path, reading):
            if (found := _with_columns(sample, how)) is None:
                continue
            times = sample[found.time]
            days = not any(":" in cell or cell.isdigit() for cell in times)
            if days and any(cells and all(map(_CLOCK.fullmatch, cells)) for cells in sample.values()):
                continue  # a day, and beside it the time of day
            if how.header != reading.header:  # the names are ours
                usual = {found.time: "time", found.event: "event"}
                header = ",".join(usual.get(name, name) for name in found.names)
                found = replace(found, header=header, time="time", event="event")
            found = replace(found, skip_bad=found.skip_bad or not all(map(_is_time, times)))
            rows = itertools.islice(read_rows(path, found, form=TraceForm(attributes=())), ROWS)
            disorder = any(later.time < before.time for before, later in itertools.pairwise(list(rows)))
            return replace(found, sort=found.sort or disorder)
    return None


def _samples(path: str, reading: Reading) -> Iterator[tuple[Sample, Reading]]:
    """The first rows as they may be meant, the likeliest first, each with how they are read."""
    format = reading.format or format_of(path)
    with Path(path).open("rb") as stream:
        if format == "parquet" or stream.peek(4)[:4] == b"PAR1":
            from pyarrow import types

            with parquet_file(path) as file:
                names = [field.name for field in file.schema_arrow if not types.is_nested(field.type)]
                readable(file, names, Origin(path))
                yield _sample(iter(next(file.iter_batches(ROWS, columns=names)).to_pylist())), reading
            return
        lines = [line for line in itertools.islice(lines_of(stream, Origin(path)), ROWS) if line.strip()]
    if lines and lines[0].lstrip().startswith("{"):
        yield (_sample(map(json.loads, lines)), reading if format != "csv" else replace(reading, format="jsonl"))
        return
    tables = []
    for delimiter in (reading.delimiter,) if reading.delimiter else (None, ";", "\t", "|"):
        table = [row for row in csv.reader(lines, **replace(reading, delimiter=delimiter).of_cells) if row]
        if all(row[1:] and all(cell.startswith(" ") for cell in row[1:]) for row in table):
            delimiter = f"{delimiter or ','} "
            table = [[cell.lstrip(" ") for cell in row] for row in table]
        for width, often in Counter(map(len, table)).most_common(1):
            tables.append((often if width > 1 else 0, width, delimiter, table))
    for often, width, delimiter, table in sorted(tables, key=lambda each: each[:2], reverse=True):
        how = replace(reading, delimiter=delimiter)
        names = reading.names or table[0]
        if reading.header is None and any(map(_is_time, names)):
            names = [f"column{number}" for number in range(1, width + 1)]
            how = replace(how, header=",".join(names))
        rows = [row for row in (table if how.header is not None else table[1:]) if len(row) == len(names)]
        if often and rows:
            yield _sample(dict(zip(names, row, strict=True)) for row in rows), how


def _sample(rows: Iterator[Mapping[str, object]]) -> Sample:
    found = list(rows)
    return {name: [str(row[name]) for row in found if row.get(name) is not None] for name in found[0]}


def _is_time(cell: str) -> bool:
    return bool(ISO.fullmatch(cell.strip()) or NUMBER.fullmatch(cell.strip()))


def _with_columns(sample: Sample, reading: Reading) -> Reading | None:
    """The reading with the columns of times and of event types, and with what its times count."""
    time, event = reading.time, reading.event
    if time not in sample:
        time = max(sample, key=lambda name: _like_times(name, sample[name]))
        if not _like_times(time, sample[time]):
            return None
    if event not in sample:
        likely = {name: _like_types(name, cells) for name, cells in sample.items() if name != time and cells}
        event = max(likely, key=likely.__getitem__, default="")
        if not likely.get(event):
            return None
    return _with_clock([cell for cell in sample[time] if _is_time(cell)], replace(reading, time=time, event=event))


def _like_times(name: str, cells: Sequence[str]) -> float:
    """How much a column looks like one of times; 0 if not at all. Some rows may be broken."""
    times, named = [cell for cell in cells if _is_time(cell)], 2 * bool(_TIMES.search(name))
    if not times or len(times) < 0.8 * len(cells):
        return 0
    if any(map(ISO.fullmatch, times)):
        return 3 + named
    numbers = [float(cell) for cell in times]
    return 1 + named + (epoch_of(numbers[0]) is not None) + (numbers == sorted(numbers)) / 2


def _like_types(name: str, cells: Sequence[str]) -> float:
    """How much a column looks like one of event types; 0 if not at all."""
    repeated = 1 - len(set(cells)) / len(cells)
    return 2 * bool(_EVENTS.search(name)) + (repeated or 0.1) * (not any(map(_is_time, cells)))


def _with_clock(cells: Sequence[str], reading: Reading) -> Reading:
    """The reading with what its times count, and a tick that is fine enough for them where none is stated."""
    dates = [found for cell in cells if (found := ISO.fullmatch(cell.strip()))]
    if dates:
        digits = max(len((found["f"] or "").rstrip("0")) for found in dates)
        apart = reading.zone is None and any(found["z"] is None for found in dates)
        reading = replace(reading, zone="UTC" if apart else reading.zone)
    else:
        unit = epoch_of(float(cells[0]))
        if unit is None or reading.epoch is not None:
            return reading
        whole = unit == "ns" and all(cell.endswith("000") for cell in cells)
        digits = max(len(cell.partition(".")[2].rstrip("0")) for cell in cells)
        digits += 6 if whole else {"s": 0, "ms": 3, "us": 6, "ns": 9}[unit]
        reading = replace(reading, epoch=unit)
    if reading.tick is not None:
        return reading
    unit_of_tick = ("s", "ms", "us")[min((digits + 2) // 3, 2)]  # in nanoseconds, times since 1970 are too large
    return replace(reading, tick=f"1{unit_of_tick}", round=reading.round or digits > 6)
