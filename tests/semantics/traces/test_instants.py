"""Rows of a trace that are out of order or at the same time, and what is said of them."""

import itertools
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from semantics.carlson_lisper.occurrences import Occurrence, interpretation
from semantics.carlson_lisper.traces import FORM, read_partitions
from semantics.errors import unknown_events
from semantics.events import ANY_TRACE
from semantics.traces.files import read_instants
from semantics.traces.reading import Reading, SameTime
from semantics.traces.rows import Instant, Origin, ReadReport, Row, admissible
from semantics.traces.watermark import Watermark
from tests.semantics.traces.trace_reading import file_of, refusal_of_call
from tests.tables import table

CELLS = st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 4)), max_size=20)


@given(CELLS, st.sampled_from(["first", "last"]))
def test_every_row_is_either_yielded_or_counted_as_dropped(cells: list[tuple[str, int]], same_time: SameTime) -> None:
    report, origin = ReadReport(), Origin("trace")
    rows = [Row(time, event, time, {}, None, origin, number) for number, (event, time) in enumerate(cells)]
    found = admissible(rows, Reading(sort=True, same_time=same_time), form=FORM, report=report)
    kept = [row for instant in found for row in instant.rows]
    assert len(kept) + report.dropped == report.rows == len(cells) == sum(report.events.values())
    choose = min if same_time == "first" else max
    for row in kept:
        assert row.number == choose(r.number for r in rows if (r.event, r.time) == (row.event, row.time))
    assert len(kept) == len(set(cells))


@given(st.lists(st.integers(0, 12), max_size=20), st.integers(1, 6))
def test_rows_are_waited_for_while_they_may_be_late_and_later_ones_are_counted(times: list[int], lateness: int) -> None:
    report, origin = ReadReport(), Origin("trace")
    rows = [Row(time, "a", time, {}, None, origin, number) for number, time in enumerate(times, 1)]
    latest = [max(times[:number], default=-1) for number in range(len(times))]
    late = [row for row, before in zip(rows, latest, strict=True) if row.time < before - lateness]
    kept = [
        row
        for instant in admissible(rows, Reading(), form=ANY_TRACE, lateness=lateness, report=report)
        for row in instant.rows
    ]
    assert kept == sorted((row for row in rows if row not in late), key=lambda row: (row.time, row.number))
    disorder = sum(row.time < before for row, before in zip(rows, latest, strict=True)) - len(late)
    assert (report.rows, report.events["a"]) == (len(rows), len(rows))
    assert (report.late, report.out_of_order, report.lateness) == (len(late), disorder, lateness)
    assert report.first_late == (late[0].place if late else "")


@given(st.dictionaries(st.integers(0, 9), st.integers(1, 3), max_size=6), st.none() | st.integers(0, 9))
def test_nothing_is_said_beyond_a_watermark_and_what_lies_beyond_the_last_row_is_pending(
    sizes: dict[int, int], until: int | None
) -> None:
    row = Row(0, "a", 0, {}, None, Origin("trace"), 1)
    log, mark = [Instant(time, (row,) * sizes[time]) for time in sorted(sizes)], Watermark(until)
    kept = [instant for instant in log if until is None or instant.time <= until]
    last = max((instant.time for instant in kept), default=-1)
    ends = [] if until is None or last == until else [Instant(until, ())]
    assert list(mark.instants(log)) == kept + ends
    assert mark.time == (last if until is None else until)
    pending = 0
    for time, settled in itertools.product(range(12), (None, 0, 5)):
        assert mark.says(time) == (until is None or time <= until)
        open_ = until is None and (time > mark.time if settled is None else time >= settled)
        assert mark.mark(time, settled) == ({"pending": True} if open_ else {})
        pending += open_
        assert mark.pending == pending
    cut = sum(sizes.values()) - sum(len(instant.rows) for instant in kept)
    said = [f"left out {cut} row{'s' * (cut != 1)} after <{until}> (--until)"] if cut else []
    said += [f"{pending} answers are pending, as rows may follow the last one, at <{last}>"] if pending else []
    assert [told.partition(";")[0] for told in mark.messages("answer", lambda time: f"<{time}>")] == said


@pytest.mark.parametrize(("rows", "options", "reason", "remedy", "message"), table(__file__, "order"))
def test_what_breaks_the_order_is_refused_with_the_option_that_accepts_it(
    tmp_path: Path, rows: str, options: dict[str, Any], reason: str, remedy: str, message: str
) -> None:
    path, report = file_of(tmp_path, f"time,event\n{rows}"), ReadReport()
    error = refusal_of_call(lambda: list(read_instants(path, form=FORM)))
    assert error.place == f"{path}:4"
    assert reason.format(path=path) in error.reason
    assert remedy in error.remedy
    assert [instant.time for instant in read_instants(path, Reading(**options), form=FORM, report=report)]
    assert report.messages() == [message]


ROW = "1,a,1"
REFUSED: list[tuple[str, dict[str, Any], str]] = [
    (ROW, {"same_time": "first"}, "keeps every row"),
    (ROW, {"ties": None, "tiebreak": "n"}, "no use for --tiebreak n"),
    (ROW, {"tiebreak": "k"}, "--tiebreak COLUMN"),
    ("1,a,x", {"tiebreak": "n"}, "{path}:3: n is 'x', by which rows have no order"),
    (f"1,a,{'9' * 5000}", {"tiebreak": "n"}, "by which rows have no order"),
    (f"{10**13},a,1", {}, "{path}:3: with --ties there are times below 5,000,000,000,000"),
    ("\n".join(101 * [ROW]), {"tick": "1ms", "epoch": "ms"}, "{path}:103: with --ties there are times below"),
]


@pytest.mark.parametrize(("row", "options", "said"), REFUSED)
def test_an_order_that_a_tick_cannot_have_is_refused(tmp_path: Path, row: str, options: Any, said: str) -> None:
    path = file_of(tmp_path, f"time,event,n\n0,b,2\n{row}\n")
    error = refusal_of_call(lambda: list(read_instants(path, Reading(**{"ties": "order", **options}), form=FORM)))
    assert said.format(path=path) in f"{error.place}: {error.reason} {error.remedy}"


def test_partitions_may_share_an_event_type_at_one_time_but_not_repeat_it(tmp_path: Path) -> None:
    path, reading = file_of(tmp_path, "time,event,case\n1,a,k\n1,a,l\n"), Reading(partition_by="case")
    alone = interpretation([Occurrence("a", 1)])
    assert read_partitions(path, reading) == {"k": alone, "l": alone}
    path = file_of(tmp_path, "time,event,case\n1,a,k\n1,a,l\n1,a,k\n")
    error = refusal_of_call(lambda: list(read_instants(path, reading, form=FORM)))
    assert f"in partition 'k', first in {path}:2" in error.reason


def test_ticks_that_look_like_milliseconds_since_1970_are_told(tmp_path: Path) -> None:
    path, report = file_of(tmp_path, "time,event\n1709287200123,a\n"), ReadReport()
    assert list(read_instants(path, report=report))
    assert report.messages()[0].endswith("so that [60] is 60 ms; say so: --tick 1ms --epoch ms")


def test_an_identifier_that_never_occurs_is_told_with_the_name_that_was_meant() -> None:
    meant = ["Fail never occurs in the trace; did you mean fail?", "zzz never occurs in the trace"]
    assert unknown_events(["Fail", "zzz", "ok"], {"fail": 3, "ok": 1}) == meant
    assert unknown_events(["\u00e9"], ["e\u0301"]) == ['"\u00e9" never occurs in the trace; did you mean "e\\u0301"?']
    assert unknown_events(["pay"], ["pay.ok"]) == ['pay never occurs in the trace; did you mean "pay.ok"?']
    assert unknown_events(["a"], []) == ["the trace has no rows"]
    told = ["zzz never occurs in the trace", 'the event types of the trace are ok, "pay.ok"']
    assert unknown_events(["zzz"], ["pay.ok", "ok"]) == told
