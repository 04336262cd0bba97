"""Times of day in logs: what is read, what is refused because it can be read in two ways, how they are printed."""

import datetime
from fractions import Fraction
from pathlib import Path

import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semantics.clock import UNITS, Clock, in_ticks, tick_length, zone_of
from semantics.errors import InputError
from semantics.traces.instants import ReadReport
from semantics.traces.reading import Reading
from semantics.traces.rows import Origin
from semantics.traces.times import Times
from tests.semantics.traces.trace_reading import cells, file_of, parquet_of, refusal

NOON = 1_489_060_800
"""2017-03-09T12:00:00Z."""

MOMENTS = st.datetimes(datetime.datetime(1970, 1, 1), datetime.datetime(2500, 1, 1))


def times(path: Path, **options: object) -> list[int]:
    return [time for time, _, _ in cells(path, **options)]


def log(folder: Path, *texts: str) -> Path:
    return file_of(folder, "when;event\n" + "".join(f"{text};a\n" for text in texts))


HOW = {"time": "when", "delimiter": ";"}


@pytest.mark.parametrize(
    "text",
    [
        "2017-03-09T12:00:00Z", "2017-03-09 12:00:00z", "2017-03-09T12:00:00 UTC", "2017-03-09T12:00Z",
        "2017-03-09T12:00:00.000Z", "2017-03-09 12:00:00,000000000Z", "2017-03-09T13:30:00+01:30",
        "2017-03-09T07:00:00-0500", "2017-03-09t14:00+02",
    ],
)  # fmt: skip
def test_a_moment_may_be_written_in_many_ways(tmp_path: Path, text: str) -> None:
    assert times(log(tmp_path, text), tick="1s", **HOW) == [NOON]
    assert times(log(tmp_path, text), tick="250ms", **HOW) == [4 * NOON]


@given(MOMENTS, st.sampled_from(["1us", "1ms", "1s", "2s", "1min", "1h"]), st.sampled_from(["UTC", "-03:30"]))
def test_a_time_is_printed_as_it_was_within_its_tick_and_reads_back(
    moment: datetime.datetime, tick: str, zone: str
) -> None:
    reading, report = Reading(tick=tick, zone=zone, round=True), ReadReport()
    assert reading.clock is not None
    read, log = Times(reading, report).of, Origin("log")
    time = read(moment.isoformat(), log, 1)
    aware = moment.replace(tzinfo=zone_of(zone))
    since = (aware - datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)) // datetime.timedelta(microseconds=1)
    assert time == Fraction(since, 1_000_000) // tick_length(tick)
    printed = reading.clock.text(time)
    assert read(printed, log, 2) == time
    assert aware - datetime.datetime.fromisoformat(printed) < datetime.timedelta(seconds=float(tick_length(tick)))
    assert report.clock is reading.clock


@pytest.mark.parametrize(
    ("cell", "epoch", "tick", "time"),
    [
        ("1489060800", "s", "1s", NOON),
        ("1489060800000", "ms", "1s", NOON),
        ("1489060800.25", "s", "1ms", NOON * 1000 + 250),
        ("1.4890608e9", "s", "1s", NOON),
        ("1489060800000000000", "ns", "1us", NOON * 10**6),
        ("7.0", "ticks", "1s", 7),
    ],
)
def test_numbers_since_1970_are_counted_in_ticks(tmp_path: Path, cell: str, epoch: str, tick: str, time: int) -> None:
    assert times(log(tmp_path, cell), tick=tick, epoch=epoch, **HOW) == [time]
    json = file_of(tmp_path, f'{{"time": {cell}, "event": "a"}}\n', "log.jsonl")
    assert times(json, tick=tick, epoch=epoch) == [time]


def test_without_a_tick_whole_numbers_are_ticks_however_they_are_written(tmp_path: Path) -> None:
    path = file_of(tmp_path, "time,event\n3,a\n4.0,a\n5e0,a\n")
    assert times(path) == [3, 4, 5]
    assert times(parquet_of(tmp_path, time=pyarrow.array([3.0, 4.0]), event=pyarrow.array(["a", "b"]))) == [3, 4]
    path = file_of(tmp_path, '{"time": 3.0, "event": "a"}\n', "log.jsonl")
    assert times(path) == [3]


def test_dates_and_timestamps_of_parquet_are_read(tmp_path: Path) -> None:
    events = pyarrow.array(["a", "b"])
    day = datetime.date(2017, 3, 9)
    path = parquet_of(tmp_path, time=pyarrow.array([day, day]), event=events)
    assert times(path, tick="1d") == [NOON // 86_400] * 2
    moments = pyarrow.array([NOON * 10**9] * 2, pyarrow.timestamp("ns", "Europe/Berlin"))
    assert times(parquet_of(tmp_path, time=moments, event=events), tick="1s") == [NOON] * 2
    naive = parquet_of(tmp_path, time=moments.cast(pyarrow.timestamp("ns")), event=events)
    assert "has no zone" in refusal(naive, tick="1s").reason
    assert times(naive, tick="1s", zone="UTC") == [NOON] * 2


def test_a_day_needs_no_zone_where_days_are_counted(tmp_path: Path) -> None:
    path = log(tmp_path, "1970-01-02", "1970-01-03T00:00:00")
    assert times(path, tick="1d", **HOW) == [1, 2]
    assert "--zone" in refusal(path, tick="1s", **HOW).remedy
    assert times(path, tick="1h", zone="+02:00", **HOW) == [22, 46]
    assert Clock(tick_length("1d")).text(2) == "1970-01-03"
    # a moment is of the day that it is in the zone
    late = log(tmp_path, "2017-03-09T23:30:00Z")
    assert times(late, tick="1d", zone="+02:00", round=True, **HOW) == [NOON // 86_400 + 1]


@pytest.mark.parametrize(
    ("texts", "options", "reason", "remedy"),
    [
        (["2017-03-09T12:00:00"], {"tick": "1s"}, "has no zone", "--zone UTC"),
        (["2017-03-09T12:00:00Z"], {}, "is not a number", "--tick 1s"),
        (
            ["1489060800123"], {"tick": "1s"}, "may count ticks, or be ms since 1970, in the year 2017",
            "--epoch ms",
        ),
        (["1489060800"], {"tick": "1ms"}, "may count ticks, or be s since 1970", "--epoch ticks"),
        (["2017-03-09T12:00:00.5Z"], {"tick": "1s"}, "between two ticks", "--tick 1ms"),
        (["2017-03-09T12:00:00.123456789Z"], {"tick": "1s"}, "between two ticks", "--tick 1ns"),
        (["7.5"], {"tick": "1s"}, "between two ticks", "--round"),
        (["2017-10-29T02:30:00"], {"tick": "1s", "zone": "Europe/Berlin"}, "occurs twice", "+02:00"),
        (["2017-03-26T02:30:00"], {"tick": "1s", "zone": "Europe/Berlin"}, "occurs never", "+02:00"),
        (
            ["2017-03-09T12:00:00Z", "5"], {"tick": "1s"}, "is a number, and those before are dates",
            "same way",
        ),
        (
            ["5", "2017-03-09T12:00:00Z"], {"tick": "1s"}, "is a date, and those before are numbers",
            "same way",
        ),
        (["2017-03-09T12:00:00Z"], {"tick": "1s", "epoch": "s"}, "is a date", "Leave it out"),
        (["2017-02-29T12:00:00Z"], {"tick": "1s"}, "there is no time '2017-02-29", "ISO 8601"),
        (["2017-03-09T24:00:00Z"], {"tick": "1s"}, "there is no time", "ISO 8601"),
        (["1969-12-31T23:59:59Z"], {"tick": "1s"}, "before 1970", ""),
        (["2017-03-09T12:00:00Z"], {"tick": "1ns"}, "more than", "coarser"),
        (["-3"], {"tick": "1s"}, "negative", ""),
        (["09/03/2017"], {"tick": "1s"}, "neither ISO 8601 nor a number", "ISO 8601"),
        ([""], {"tick": "1s"}, "missing", "ISO 8601"),
        (["nan"], {"tick": "1s"}, "neither", "ISO 8601"),
        (["1e999"], {"tick": "1s", "epoch": "s"}, "out of range", ""),
    ],
)  # fmt: skip
def test_what_is_ambiguous_or_no_time_is_refused_with_the_option_that_settles_it(
    tmp_path: Path, texts: list[str], options: dict[str, str], reason: str, remedy: str
) -> None:
    path = log(tmp_path, *texts)
    error = refusal(path, **HOW, **options)
    assert reason in error.reason
    assert remedy in error.remedy
    assert error.place == f"{path}:{len(texts) + 1}"


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"zone": "UTC"}, "no use for --zone"),
        ({"epoch": "s"}, "no use for --epoch"),
        ({"tick": "1x"}, "has no length"),
        ({"tick": "5"}, "has no length"),
        ({"tick": "0s"}, "has no length"),
        ({"tick": "1s", "zone": "Nowhere"}, "no time zone"),
        ({"tick": "1s", "zone": "../etc/passwd"}, "no time zone"),
        ({"tick": "1s", "epoch": "h"}, "no epoch 'h'"),
        ({"delimiter": "ab"}, "cannot be between cells"),
        ({"time": "event"}, "for times and for event types"),
    ],
)
def test_options_that_say_nothing_are_refused(tmp_path: Path, options: dict[str, str], reason: str) -> None:
    assert reason in refusal(file_of(tmp_path, "time,event\n1,a\n"), **options).reason


@given(st.integers(0, 10**6), st.sampled_from(list(UNITS)), st.sampled_from(["1ns", "250us", "1ms", "1s", "7min"]))
def test_a_duration_with_a_unit_is_a_number_of_ticks_or_refused(number: int, unit: str, tick: str) -> None:
    length = tick_length(tick)
    ticks = number * UNITS[unit] / length
    if ticks.denominator == 1:
        assert in_ticks(f"{number}{unit}", length) == ticks
    else:
        with pytest.raises(InputError, match="no whole number of ticks"):
            in_ticks(f"{number}{unit}", length)
