"""Rows of a trace that are out of order or at the same time, and what is said of them."""

from pathlib import Path

from semantics.carlson_lisper.occurrences import Occurrence, interpretation
from semantics.carlson_lisper.traces import read_partitions
from semantics.traces.instants import ReadReport, unknown_events
from semantics.traces.reading import Reading, SameTime
from tests.semantics.traces.trace_reading import file_of, instants, kept, refusal_of_call

DISORDER = "time,event,value\n5,a,x\n9,b,x\n7,a,y\n7,c,x\n"
DUPLICATE = "time,event,value\n5,a,x\n5,b,x\n5,a,y\n6,a,z\n"


def test_rows_out_of_order_are_refused_or_sorted_and_said(tmp_path: Path) -> None:
    path, report = file_of(tmp_path, DISORDER), ReadReport()
    error = refusal_of_call(lambda: instants(path))
    assert error.place == f"{path}:4"
    assert f"time 7 comes after time 9 of {path}:3" in error.reason
    assert "--sort" in error.remedy
    found = kept(instants(path, sort=True, report=report))
    assert found == [(5, "a", "x"), (7, "a", "y"), (7, "c", "x"), (9, "b", "x")]
    assert (report.rows, report.dropped, report.out_of_order) == (4, 0, 1)
    assert report.messages() == ["sorted 1 row out of order (--sort)"]


def test_an_event_type_twice_at_one_time_is_refused_or_the_first_or_the_last_is_kept(tmp_path: Path) -> None:
    path = file_of(tmp_path, DUPLICATE)
    error = refusal_of_call(lambda: instants(path))
    assert error.place == f"{path}:4"
    assert f"a occurs a second time at time 5, first in {path}:2" in error.reason
    assert "Def. 3.4" in error.reason
    assert "--same-time first or --same-time last" in error.remedy
    assert "--partition-by" in error.remedy
    chosen: dict[SameTime, tuple[list[object], str]] = {
        "first": ([(5, "a", "x"), (5, "b", "x"), (6, "a", "z")], "had occurred"),
        "last": ([(5, "b", "x"), (5, "a", "y"), (6, "a", "z")], "occurred again"),
    }
    for same_time, (expected, why) in chosen.items():
        report = ReadReport()
        assert kept(instants(path, same_time=same_time, report=report)) == expected
        assert report.messages() == [f"dropped 1 row of a type that {why} at the same time (--same-time {same_time})"]
        assert report.events == {"a": 3, "b": 1}


def test_partitions_may_share_an_event_type_at_one_time_but_not_repeat_it(tmp_path: Path) -> None:
    path = file_of(tmp_path, "time,event,case\n1,a,k\n1,a,l\n2,b,k\n")
    assert [len(instant.rows) for instant in instants(path, partition_by="case")] == [2, 1]
    found = read_partitions(path, Reading(partition_by="case"))
    assert found == {
        "k": interpretation([Occurrence("a", 1), Occurrence("b", 2)]),
        "l": interpretation([Occurrence("a", 1)]),
    }
    path = file_of(tmp_path, "time,event,case\n1,a,k\n1,a,l\n1,a,k\n")
    error = refusal_of_call(lambda: instants(path, partition_by="case"))
    assert f"in partition 'k', first in {path}:2" in error.reason
    assert "--partition-by" not in error.remedy


def test_an_identifier_that_never_occurs_is_told_with_the_name_that_was_meant() -> None:
    assert unknown_events(["fail", "ok"], {"fail": 3, "ok": 1}) == []
    assert unknown_events(["Fail", "zzz", "fial"], ["fail", "ok"]) == [
        "Fail never occurs in the trace; did you mean fail?",
        "fial never occurs in the trace; did you mean fail?",
        "zzz never occurs in the trace",
    ]
    assert unknown_events(["a"], []) == ["the trace has no rows"]
    assert unknown_events(["zzz"], ["pay.ok", "ok"]) == [
        "zzz never occurs in the trace",
        'the event types of the trace are ok, "pay.ok"',
    ]
