"""Times of day in logs: what is read, what is refused because it can be read in two ways, how they are printed."""

import datetime
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pyarrow
import pytest
from hypothesis import given, strategies as st

from semantics.clock import UNITS, in_ticks, tick_length, zone_of
from semantics.errors import InputError
from semantics.traces.reading import Reading
from semantics.traces.rows import MAX_TIME, ReadReport
from semantics.traces.times import Times, pattern_of, ticks_of
from tests.semantics.traces.trace_reading import cells, file_of, parquet_of, refusal, refusal_of_call
from tests.tables import table

NOON = 1_489_060_800  # 2017-03-09T12:00:00Z
MOMENTS = st.datetimes(datetime.datetime(1970, 1, 1), datetime.datetime(2500, 1, 1))


def times(*texts: object, **options: object) -> list[int]:
    """The times of cells that are read one after the other."""
    read = Times(Reading(**options), ReadReport()).of  # type: ignore[arg-type]
    return [read(text) for text in texts]


@pytest.mark.parametrize(
    "text",
    [
        "2017-03-09T12:00:00Z", "2017-03-09 12:00:00z", "2017-03-09T12:00:00 UTC", "2017-03-09T12:00Z",
        "2017-03-09T12:00:00.000Z", "2017-03-09 12:00:00,000000000Z", "2017-03-09T13:30:00+01:30",
        "2017-03-09T07:00:00-0500", "2017-03-09t14:00+02",
    ],
)  # fmt: skip
def test_a_moment_may_be_written_in_many_ways(text: str) -> None:
    assert times(text, tick="250ms") == [4 * NOON]


@given(MOMENTS, st.sampled_from(["1us", "1ms", "1s", "2s", "1min", "1h"]), st.sampled_from(["UTC", "-03:30"]))
def test_a_time_is_printed_up_to_its_tick_and_reads_back(moment: datetime.datetime, tick: str, zone: str) -> None:
    reading, report = Reading(tick=tick, zone=zone, round=True), ReadReport()
    assert reading.clock is not None
    read = Times(reading, report).of
    time = read(moment.isoformat())
    aware = moment.replace(tzinfo=zone_of(zone))
    since = (aware - datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)) // datetime.timedelta(microseconds=1)
    assert time == Fraction(since, 1_000_000) // tick_length(tick)
    assert read(reading.clock.text(time)) == time
    assert report.clock is reading.clock


@pytest.mark.parametrize(
    ("cell", "epoch", "tick", "time"),
    [
        (1489060800000, "ms", "1s", NOON),
        ("1489060800.25", "s", "1ms", NOON * 1000 + 250),
        (1489060800.25, "s", "1ms", NOON * 1000 + 250),
        ("1.4890608e9", "s", "1s", NOON),
        ("1489060800000000000", "ns", "1us", NOON * 10**6),
        (Decimal("7.00"), "ticks", "1s", 7),
    ],
)
def test_numbers_since_1970_are_counted_in_ticks(cell: object, epoch: str, tick: str, time: int) -> None:
    assert times(cell, tick=tick, epoch=epoch) == [time]


def test_dates_and_timestamps_of_parquet_are_read(tmp_path: Path) -> None:
    days = parquet_of(tmp_path, time=[datetime.date(2017, 3, 9)], event=["a"])
    assert cells(days, tick="1d") == [(NOON // 86_400, "a", None)]
    for zone, stated in (("Europe/Berlin", None), (None, "UTC")):
        moments = pyarrow.array([NOON * 10**9], pyarrow.timestamp("ns", zone))
        assert cells(parquet_of(tmp_path, time=moments, event=["a"]), tick="1s", zone=stated) == [(NOON, "a", None)]


@pytest.mark.parametrize("options", [{}, {"tick": "1s", "epoch": "ticks"}])
def test_ticks_are_whole_numbers_up_to_the_limit_however_they_are_written(options: dict[str, str]) -> None:
    for number in (-1, 0, 1, 10**15, MAX_TIME, MAX_TIME + 1, 10**19, 12 * 10**19):
        cells = [number, str(number), Decimal(number), *([f"{number:050}"] if number >= 0 else [])]
        for cell in cells:
            if 0 <= number <= MAX_TIME and (type(cell) is not Decimal or options):
                assert (times(cell, **options) if options else [ticks_of(cell)]) == [number]
            elif not 0 <= number <= MAX_TIME:
                refusal_of_call(lambda cell=cell: times(cell, **options) if options else ticks_of(cell))
    for cell in (0.5, "1e-30", "1.5", Decimal("0.5")):
        refusal_of_call(lambda cell=cell: times(cell, **options) if options else ticks_of(cell))


def test_a_day_needs_no_zone_where_days_are_counted() -> None:
    days = ("1970-01-02", "1970-01-03T00:00:00")
    assert times(*days, tick="1d") == [1, 2]
    assert times(*days, tick="1h", zone="+02:00") == [22, 46]
    # a moment is of the day that it is in the zone
    assert times("2017-03-09T23:30:00Z", tick="1d", zone="+02:00", round=True) == [NOON // 86_400 + 1]


@pytest.mark.parametrize(("texts", "options", "reason", "remedy"), table(__file__, "ambiguous"))
def test_what_is_ambiguous_or_no_time_is_refused_with_the_option_that_settles_it(
    texts: list[str], options: dict[str, str], reason: str, remedy: str
) -> None:
    error = refusal_of_call(lambda: times(*texts, **{"tick": "1s"} | options))
    assert reason in error.reason
    assert remedy in error.remedy


@pytest.mark.parametrize(("options", "reason"), table(__file__, "idle-options"))
def test_options_that_say_nothing_are_refused(tmp_path: Path, options: dict[str, str], reason: str) -> None:
    assert reason in refusal(file_of(tmp_path, "time,event\n1,a\n"), **options).reason


@pytest.mark.parametrize("format", ["%Q", "%H:%M", "%d %m %d", "%d %m %I", "%Y"])
def test_a_format_that_does_not_tell_the_day_is_refused(format: str) -> None:
    error = refusal_of_call(lambda: pattern_of(format))
    assert (error.place, bool(error.remedy)) == ("--time-format", True)


@given(st.integers(0, 10**6), st.sampled_from(list(UNITS)), st.sampled_from(["1ns", "250us", "1ms", "1s", "7min"]))
def test_a_duration_with_a_unit_is_a_number_of_ticks_or_refused(number: int, unit: str, tick: str) -> None:
    length = tick_length(tick)
    ticks = number * UNITS[unit] / length
    if ticks.denominator == 1:
        assert in_ticks(f"{number}{unit}", length) == ticks
    else:
        with pytest.raises(InputError, match="no whole number of ticks"):
            in_ticks(f"{number}{unit}", length)
