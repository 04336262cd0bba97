"""Scans: what they take of a log is what the reader of rows takes; what they leave is left to it."""

import gzip
import itertools
import random
import re
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from semantics.carlson_lisper.traces import FORM
from semantics.errors import InputError
from semantics.traces.files import TraceSource, read_instants
from semantics.traces.reading import Reading
from semantics.traces.rows import ReadReport
from semantics.traces.scan import BY_COLUMNS, Unusual, scan
from semantics.traces.time_columns import ticks_of_cells
from semantics.traces.times import Times
from tests.semantics.traces.random_logs import OPTIONS, random_log
from tests.semantics.traces.trace_reading import file_of, parquet_of, refusal_of_call

TYPES = frozenset("abc")


def by_rows(source: TraceSource, reading: Reading, report: ReadReport | None = None) -> list[Any] | None:
    """The rows as the reader of rows takes them; None where it refuses the log."""
    form = replace(FORM, types=TYPES)
    try:
        found = [row for each in read_instants(source, reading, form=form, report=report) for row in each.rows]
    except InputError:
        return None
    return [(row.time, row.event, row.value, row.partition) for row in found if row.event in TYPES]


def by_scan(
    source: TraceSource, reading: Reading, report: ReadReport | None = None, size: int | None = None
) -> list[Any] | None:
    """The rows as the scan takes them; None where it leaves the log to the reader of rows."""
    try:
        scanned = scan(source, reading)
        batches, ends = zip(*scanned.batches(TYPES, report or ReadReport(), size), strict=True)
    except Unusual:
        return None
    assert ends == (*[False] * (len(ends) - 1), True)
    times = [batch["time"] for batch in batches if batch.height]
    assert all(one[-1] < other[0] for one, other in itertools.pairwise(times))  # complete instants
    rows = pl.concat(batches)
    values = scanned.values(rows["value"]) if "value" in rows.columns else [None] * rows.height
    keys = scanned.partitions(rows["partition"]) if "partition" in rows.columns else [None] * rows.height
    return [*zip(rows["time"].to_list(), rows["event"].to_list(), values, keys, strict=True)]


def told(report: ReadReport) -> dict[str, object]:
    names = ("dropped", "out_of_order", "rounded", "without_partition", "clock", "partition_by", "same_time")
    return {name: getattr(report, name) for name in names} | {"events": {each: report.events[each] for each in TYPES}}


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
@pytest.mark.parametrize("kind", OPTIONS)
def test_a_scan_takes_what_the_reader_of_rows_takes_or_leaves_it_to_that(tmp_path: Path, form: str, kind: str) -> None:
    for seed in range(3):
        rng = random.Random(f"{form} {kind} {seed}")
        bad = form != "parquet" and seed > 1
        path, options = random_log(rng, tmp_path, form, kind, bad=bad), dict(rng.choice(OPTIONS[kind]))
        options |= {"partition_by": "user"} if rng.random() < 0.3 else {}
        options |= {"sort": True} if rng.random() < 0.3 else {}
        options |= {"same_time": rng.choice(["first", "last"])} if rng.random() < 0.5 else {}
        reading, one, other = Reading(**options), ReadReport(), ReadReport()
        expected, found = by_rows(path, reading, one), by_scan(path, reading, other, rng.choice([None, 1, 4]))
        if found is not None:
            assert repr(found) == repr(expected)  # 1, 1.0 and True are equal
            assert told(one) == told(other)
        assert bad or not expected or reading.year is not None or found is not None


def in_columns(cells: list[str], reading: Reading) -> list[int | None]:
    """The times of cells as a scan takes them; None for one that it leaves to the reader of rows."""
    try:
        ticks = ticks_of_cells(pl.String(), cells, reading)
    except InputError:  # of the first one
        return [None for _ in cells]
    found: list[int | None] = pl.DataFrame({"time": cells}).select(ticks.numbers).select(ticks.times)["time"].to_list()
    return found


def one_by_one(cells: list[str], reading: Reading) -> list[int | None]:
    """The times of cells as the reader of rows takes them; None for one that it refuses."""
    read, found = Times(reading, ReadReport()).of, list[int | None]()
    for cell in cells:
        try:
            found.append(read(cell))
        except InputError:
            found.append(None)
    return found


@pytest.mark.parametrize(
    "zone", ["+05:45", "Europe/Berlin", "Australia/Lord_Howe", "Africa/Monrovia", "Pacific/Apia", "Antarctica/Troll"]
)
def test_local_times_are_counted_in_every_zone_as_one_by_one(zone: str) -> None:
    rng, reading = random.Random(zone), Reading(tick="1s", zone=zone)
    moments = [datetime(1971, 1, 2) + timedelta(minutes=rng.randrange(60 * 24 * 365 * 228)) for _ in range(200)]
    moments += [datetime(2099, 12, 31) + timedelta(hours=hour) for hour in range(48)]
    for cells, how in (
        ([f"{m}" for m in moments], reading),
        ([f"{m}Z" for m in moments], replace(reading, tick="1d", round=True)),
    ):
        for moment, found, time in zip(moments, in_columns(cells, how), one_by_one(cells, how), strict=True):
            assert found == time or (found is None and moment.year >= 2100)


WRITTEN: dict[str, list[object]] = {
    "%Y": [1999, 1970, 2024, 2199], "%y": ["99", "00", "24", 68, 69, 70], "%m": ["01", "02", 11, 12, "00", 13],
    "%d": ["01", 9, 28, 29, 30, 31, "00", 32], "%H": ["00", "7", 12, 23, 24], "%I": ["00", "01", 11, 12, 13],
    "%M": ["00", 30, 59, 60], "%S": ["00", 30, 59, 60], "%p": ["AM", "pm"], "%f": ["0", "5", "25", "000001", "99999"],
    "%b": ["Jan", "feb", "Sept", "December", "Foo"], "%z": ["Z", "+0200", "-03:30", "+00:15", "-1200"],
}  # fmt: skip
"""By directive what stands for it in a cell, some of it beyond what there is."""


@pytest.mark.parametrize("tick", ["1s", "1us", "1d"])
@pytest.mark.parametrize(
    "format", ["%Y-%m-%d %H:%M:%S.%f", "%d/%b/%Y:%H:%M %z", "%m/%d/%y %I:%M %p", "%d.%m.%Y", "%y%m%d", "%b %d %Y %z"]
)
def test_times_in_a_stated_format_are_counted_as_one_by_one(format: str, tick: str) -> None:
    rng = random.Random(format + tick)
    for zone in ("UTC", "+05:45", "America/New_York"):
        cells = [re.sub("%.", lambda found: str(rng.choice(WRITTEN[found[0]])), format) for _ in range(300)]
        cells[0] = re.sub("%.", lambda found: str(WRITTEN[found[0]][1 if found[0] == "%I" else 0]), format)
        reading = Reading(tick=tick, zone=zone, round=True, time_format=format)
        found = one_by_one(cells, reading)
        for cell, one, other in zip(cells, in_columns(cells, reading), found, strict=True):
            assert one == other or (one is None and "2199" in cell)
        assert sum(time is not None for time in found) > 20


CRAFTED = {
    "t.parquet": [b"PAR1", b"PAR1" + b"\xff" * 3000 + b"\xe8\x03\0\0PAR1"],
    "t.csv": [
        b"",
        b"time,event\n" + b"\0" * 1_000_000,
        b"time,event," + b",".join(b"c%d" % number for number in range(100_000)) + b"\n1,a\n",
        b'time,event\n1,"' + b"a" * 3_000_000,
        gzip.compress(b"time,event\n1," + b"a" * 60_000_000, 1),
        gzip.compress(b"time,event\n1,a\n" * 10_000)[:-9],
        b"\x28\xb5\x2f\xfd" + b"\xff" * 100,
        b"time,event\n1," + b"\xff\xfe" * 10 + b"\n",
        b"time,event,other\n1,a\n2,a,b,c\n",
    ],
    "t.jsonl": [
        b'{"time": 1, "event": ' + b"[" * 200_000,
        b'{"time": 1, "event": "' + b"a" * 20_000_000,
        b'{"time": 1, "event": "a", "value": "\\u0000"}',
        gzip.compress(b'{"time": 1, "event": "a"}\n' * 10_000 + b"\0" * 60_000_000, 1),
    ],
}


@pytest.mark.parametrize(("name", "content"), [(name, one) for name, many in CRAFTED.items() for one in many])
def test_a_crafted_file_is_refused_by_both_readers(tmp_path: Path, name: str, content: bytes) -> None:
    path = file_of(tmp_path, content, name)
    assert by_scan(path, Reading()) is None
    assert by_rows(path, Reading()) is None


def test_rows_of_another_length_are_seen_wherever_a_chunk_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("semantics.traces.scan._CHUNK", 8)
    for before, odd, after in itertools.product(("", "1,a\n2,b\n3,c\n"), ("9", "9,a,x"), ("", "\n", "\n9,d\n9,e")):
        assert by_scan(file_of(tmp_path, f"time,event\n{before}{odd}{after}"), Reading()) is None


def test_a_parquet_file_with_changed_bytes_is_read_the_same_or_refused(tmp_path: Path) -> None:
    path = parquet_of(tmp_path, time=range(500), event=["a", "b"] * 250, value=[f"{n % 7}" for n in range(500)])
    whole, rng = path.read_bytes(), random.Random(1)
    for _ in range(15):
        content = bytearray(whole)
        for _ in range(rng.randint(1, 3)):
            content[rng.randrange(4, len(content))] = rng.randrange(256)
        path.write_bytes(content)
        found, expected = by_scan(path, Reading()), by_rows(path, Reading())
        assert None in (found, expected) or found == expected


def test_several_files_and_patterns_of_names_are_one_log_in_their_order(tmp_path: Path) -> None:
    file_of(tmp_path, "time,event\n1,a\n2,b\n", "1.csv")
    file_of(tmp_path, "event,time\na,3\n", "2.csv")
    file_of(tmp_path, "time,event\n4,c\n3,b\n", "10.csv")
    odd = file_of(tmp_path, "time,event\n9,a\n", "[odd]*.csv")
    every = str(tmp_path / "[0-9]*.csv")
    sources: list[tuple[Any, list[int]]] = [
        (str(tmp_path / "[0-9].csv"), [1, 2, 3]),
        ([tmp_path / "2.csv", str(odd)], [3, 9]),
        (str(odd), [9]),
        (every, [1, 2, 3, 3, 4]),
    ]
    for source, times in sources:
        for read in (by_rows, by_scan):
            assert [row[0] for row in read(source, Reading(sort=source == every)) or ()] == times
    assert by_scan(every, Reading()) is None
    assert "comes after time 4 of" in refusal_of_call(lambda: list(read_instants(every))).reason
    assert "no file is like this" in refusal_of_call(lambda: read_instants(str(tmp_path / "*.x"))).reason


def test_the_result_of_a_query_is_a_log(tmp_path: Path) -> None:
    path = file_of(tmp_path, '{"created": 2, "kind": {"name": "b"}}\n{"created": 1, "kind": {"name": "a"}}\n', "x.json")
    query = f"SELECT created AS time, kind.name AS event, created * 1.5 AS value FROM '{path}' ORDER BY 1"
    reading = Reading(sql=True)
    for read in (by_rows, by_scan):
        assert [row[:2] for row in read(query, reading) or ()] == [(1, "a"), (2, "b")]
    assert by_scan("SELECT 1 AS time", reading) is None
    for wrong, reason in (("SELECT 1 AS time", "no column 'event'"), ("SELEC 1", "syntax error"), ("", "no result")):
        error = refusal_of_call(lambda query=wrong: list(read_instants(query, reading)))
        assert reason in error.reason and error.place == "query"


def test_dots_lead_to_nested_keys_of_json_and_a_key_with_dots_comes_first(tmp_path: Path) -> None:
    lines = '{"event": {"action": "a", "at": 1}, "user": {"id": 7}, "b.c": 2, "b": {"c": 3}}\n'
    lines += '{"event": {"action": "b", "at": 2}, "user": {"id": "7"}, "b": {"c": 3}}\n'
    path = file_of(tmp_path, lines + '{"event": {"action": "c", "at": 3}, "user": 7}\n', "t.jsonl")
    reading = Reading(time="event.at", event="event.action", value="b.c", partition_by="user.id")
    for read in (by_rows, by_scan):
        assert read(path, reading) == [(1, "a", 2, 7), (2, "b", 3, "7"), (3, "c", None, None)]
    error = refusal_of_call(lambda: list(read_instants(path, replace(reading, event="event.kind"))))
    assert "no column 'event.kind'" in error.reason


@pytest.mark.parametrize(
    ("format", "cell", "expected"),
    [
        ("%d/%b/%Y:%H:%M:%S %z", "10/Oct/2000:13:55:36 -0700", "2000-10-10T20:55:36Z"),
        ("%m/%d/%Y %I:%M %p", "3/9/2017 12:05 AM", "2017-03-09T00:05:00Z"),
        ("%d.%m.%y %H.%M", "09.03.17 7.30", "2017-03-09T07:30:00Z"),
        ("%d.%m.%y", "09.03.69", None),
        ("%A, %d. %B %Y", "Samstag, 9. März 2024", "2024-03-09T00:00:00Z"),
        ("%b %e %T", "Mar  9 07:30:23", "2017-03-09T07:30:23Z"),
        ("[%F %T.%f]", "[2017-03-09 07:30:23.25]", "2017-03-09T07:30:23Z"),
        ("%d/%m/%Y", "31/02/2017", None),
        ("%H:%M %d/%m/%Y", "24:00 09/03/2017", None),
        ("%I:%M %p %d/%m/%Y", "13:00 PM 09/03/2017", None),
        ("%b %d", "Foo 9", None),
    ],
)
def test_times_in_a_stated_format_are_read_by_both_readers(format: str, cell: str, expected: str | None) -> None:
    year = None if "%Y" in format or "%y" in format or "%F" in format else 2017
    reading = Reading(tick="1s", zone="UTC", round=True, time_format=format, year=year)
    for read in (one_by_one, in_columns):
        (found,) = read([cell], reading)
        assert (None if found is None else reading.clock and reading.clock.text(found)) == expected


def test_times_without_a_year_go_on_at_new_year_also_where_rows_are_a_little_out_of_order(tmp_path: Path) -> None:
    days = ("Dec 30", "Jan 02", "Dec 31", "Jan 05", "Nov 05", "Jan 06", "Mar 09", "Jan 09")
    path = file_of(tmp_path, "time,event\n" + "".join(f"{day},a\n" for day in days))
    reading = Reading(tick="1d", time_format="%b %d", year=2023, sort=True)
    assert reading.clock is not None
    first = ["2023-11-05", "2023-12-30", "2023-12-31"]
    expected = [*first, "2024-01-02", "2024-01-05", "2024-01-06", "2024-03-09", "2025-01-09"]
    for read in (by_rows, by_scan):
        assert [reading.clock.text(row[0]) for row in read(path, reading) or ()] == expected
    assert "--year" in refusal_of_call(lambda: list(read_instants(path, replace(reading, year=None)))).remedy


def test_an_option_that_scans_do_not_know_is_left_to_the_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "t.csv").write_text("time,event\n1,a\n")
    scan(tmp_path / "t.csv", Reading(sort=True))
    monkeypatch.setattr("semantics.traces.scan.BY_COLUMNS", BY_COLUMNS - {"sort"})
    with pytest.raises(Unusual):
        scan(tmp_path / "t.csv", Reading(sort=True))


def test_a_damaged_archive_is_no_bad_row(tmp_path: Path) -> None:
    rows = "".join(f"{time},{time * time % 997}\n" for time in range(50_000))
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(f"time,event\n{rows}".encode(), mtime=0)[:-50_000])
    with pytest.raises(InputError, match="damaged, or cut off"):
        list(read_instants(tmp_path / "t.csv.gz", Reading(skip_bad=True), form=FORM))
