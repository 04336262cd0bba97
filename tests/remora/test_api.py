"""The functions of `remora`: what they take, and what they return."""

import sys
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import duckdb
import numpy
import pyarrow
import pytest

import remora
from laws.carlson_lisper.claims import canaries, laws
from remora.api.claiming.claims import _require_sound
from semantics.carlson_lisper.occurrences import Time, Value

pandas = pytest.importorskip("pandas")
PATTERN = "(fail ; fail)[60] - ok"
LOGINS = Path(remora.__file__).parent / "examples" / "logins.csv"


class Blind:
    """A detector that never sees anything."""

    def __init__(self, expression: remora.Expression) -> None:
        pass

    def step(self, time: Time, occurrences: Mapping[str, Value]) -> remora.Instance | None:
        return None

    def state(self) -> tuple[remora.NodeState, ...]:
        return ()


def test_what_is_found_has_rows_for_a_table() -> None:
    found = remora.detect("a ; b", {"a": [1, 2], "b": [(4, "x")]})
    instance = [{"event": "a", "time": 2, "value": None}, {"event": "b", "time": 4, "value": "x"}]
    assert found.rows() == [{"start": 2, "end": 4, "instance": instance}]
    assert found.to_arrow().to_pylist() == [{"start": 2, "end": 4, "instance": "a@2 b(x)@4"}]
    assert found.to_polars()["start"].to_list() == found.to_pandas()["start"].tolist() == [2]
    assert remora.detect("a ; b", {"a": 2, "b": 4}, intervals=True).rows() == [{"start": 2, "end": 4}]
    assert len(remora.detect(PATTERN, LOGINS)) == 21


def test_what_is_not_decided_is_not_true(monkeypatch: pytest.MonkeyPatch) -> None:
    sides = "(a ; b)[90]", "(a ; b)[90] | (a ; b)[80]"
    proved = remora.equivalent(*sides, steps=1)
    assert proved and "solver" in proved.verdict and proved.obligations
    monkeypatch.setattr("remora.api.patterns.comparisons._proved", lambda *_: None)
    found = remora.equivalent(*sides, steps=1)
    assert (found.holds, bool(found), found.exit_status) == (None, False, 3)
    assert found.verdict.startswith("undecided")


def test_proofs_come_in_the_order_asked_for_and_what_they_rest_on_last() -> None:
    found = remora.prove("3", "law:1", "A ; (B - C) == (A ; B) - C")
    assert [(each.claim.id, bool(each)) for each in found] == [
        ("law:3", True), ("law:1", True), ("conjecture:1", False),
    ]  # fmt: skip
    assert not found and found[:2]
    assert found.standing is remora.Standing.REFUTED
    assert "refuted" in str(found[2])


@pytest.mark.slow
def test_a_false_claim_that_is_not_refuted_puts_all_answers_in_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("remora.api.claiming.claims._require_sound", _require_sound)
    for known, doubtful in ((canaries(), False), (laws(), True)):  # a law is true
        monkeypatch.setattr("remora.api.claiming.claims.false_beside", lambda asked, known=known: known[:1])
        with pytest.raises(remora.EnginesInDoubt, match=r"law:1: known") if doubtful else nullcontext():
            assert remora.prove("law:2")


def test_a_check_has_cases_and_a_bound_and_is_no_proof() -> None:
    right, wrong = remora.check("A + B == B + A", "A + A == A", examples=5)
    assert right and right.standing is remora.Standing.TESTED and right.cases > 1000
    assert not wrong and wrong.standing is remora.Standing.REFUTED
    with pytest.raises(remora.InputError, match="no check"):
        remora.check("theorem:5.1")


def test_a_detector_that_is_wrong_is_found_out_and_drawn() -> None:
    judged = remora.judge(Blind, cases=30)
    assert not judged and judged.standing is remora.Standing.REFUTED
    smallest = judged.failures[0]
    assert (smallest.kind, smallest.detected) == ("missing detection", ())
    meant = remora.evaluate(smallest.pattern, smallest.trace, intervals=True, restricted=True)
    assert meant.intervals == smallest.expected
    assert "Blind: wrong" in str(judged)


def test_a_detector_that_is_right_is_tested_and_no_more() -> None:
    judged = remora.judge("figure4", on=[(PATTERN, LOGINS)], cases=60)
    assert judged and judged.standing is remora.Standing.TESTED
    assert [part.name for part in judged.parts] == ["your cases", "stored failures", "laws", "random cases"]
    one = remora.judge("figure4", on=[(PATTERN, LOGINS)], cases=0, regressions=False)
    assert "no failure among 1 cases, which is no proof" in str(one)


def test_a_class_of_your_own_detects() -> None:
    assert not remora.detect(PATTERN, LOGINS, detector=Blind)
    with pytest.raises(remora.InputError, match="no detector is called"):
        remora.detect(PATTERN, LOGINS, detector="figure9")
    with pytest.raises(remora.InputError, match=r"starts and ends alone\n.*--intervals"):
        remora.detect(PATTERN, LOGINS, detector="generated")


def test_a_trace_is_the_same_however_it_is_given(tmp_path: Path) -> None:
    written = remora.trace({"b": [(2, "x")], "a": [1, 3]})
    assert [str(each) for each in written] == ["a@1", "b(x)@2", "a@3"]
    frame = pandas.DataFrame({"time": [1, 2, 3], "event": ["a", "b", "a"], "value": [None, "x", None]})
    frame.to_csv(tmp_path / "log.csv", index=False)
    given: list[Any] = [written, frame, pyarrow.Table.from_pandas(frame), written.interpretation, list(written)]
    given += [tmp_path / "log.csv", {"a": numpy.array([3, 1]), "b": (2, "x")}]
    assert {remora.trace(each).occurrences for each in given} == {written.occurrences}


@pytest.mark.parametrize(
    "data",
    [
        {"a": [1, 1]}, {"a": [-1]}, {"a": [1.5]}, [("a", 1)], {"ok": (3, 9)}, {"ok": {3: "anna"}},
        {"ok": [numpy.array([3, 9])]},
        pandas.DataFrame({"when": [1], "event": ["a"]}), pandas.DataFrame({"time": [2, 1], "event": ["a", "a"]}),
    ],
    ids=str,
)  # fmt: skip
def test_what_is_no_trace_is_refused_with_place_and_reason(data: object) -> None:
    with pytest.raises(remora.InputError) as refused:
        remora.trace(data)  # type: ignore[arg-type]  # wrong on purpose
    assert refused.value.place and refused.value.reason and refused.value.remedy


USERS: list[dict[str, Any]] = [
    {"when": f"2024-01-01T10:00:0{second}Z", "kind": kind, "user": user}
    for second, kind, user in ((0, "a", "x"), (2, "b", "y"), (3, "b", "x"), (4, "b", None))
]


def as_csv(folder: Path) -> Path:
    pandas.DataFrame(USERS).to_csv(folder / "users.csv", index=False)
    return folder / "users.csv"


def with_datetimes(_: Path) -> Any:
    frame = pandas.DataFrame(USERS)
    return frame.assign(when=pandas.to_datetime(frame["when"]))


FORMS: dict[str, Callable[[Path], Any]] = {
    "a path": as_csv,
    "pandas": with_datetimes,
    "Polars": lambda folder: pytest.importorskip("polars").from_pandas(with_datetimes(folder)),
    "Arrow": lambda folder: pyarrow.Table.from_pandas(with_datetimes(folder)),
    "DuckDB": lambda folder: duckdb.from_arrow(pyarrow.Table.from_pandas(with_datetimes(folder))),
    "dictionaries": lambda _: USERS,
}


@pytest.mark.parametrize("form", FORMS)
def test_every_kind_of_table_is_taken_apart_by_a_column(tmp_path: Path, form: str) -> None:
    log = FORMS[form](tmp_path)
    found = remora.detect("(a ; b)[5s]", log, partition_by="user", time="when", event="kind", tick="1s")
    assert {key: len(each) for key, each in found.items()} == {"x": 1, "y": 0, None: 0}
    table = found.to_arrow()
    rows = [] if form == "dictionaries" else ["rows"]
    assert table.column_names == ["user", "start", "end", "instance", *rows]
    assert table["end"].to_pylist()[0].isoformat() == "2024-01-01T10:00:03+00:00"
    assert found.to_pandas()["user"].tolist() == ["x"]
    assert "1 row without a value of 'user'" in str(found)
    assert [(row["partition"], row["end"]) for row in found.rows()] == [("x", "2024-01-01T10:00:03Z")]


def test_occurrences_are_taken_apart_by_their_values() -> None:
    given = {"a": [(1, "x")], "b": [(2, "x"), (3, "y")]}
    for log in (given, remora.trace(given), remora.trace(given).occurrences):
        found = remora.detect("a ; b", log, partition_by="value", intervals=True)
        assert {key: [each.end for each in some] for key, some in found.items()} == {"x": [2], "y": []}
    assert remora.detect("b ; a", given, partition_by="value").to_arrow().num_rows == 0
    with pytest.raises(remora.InputError, match="have no 'user'"):
        remora.detect("a", given, partition_by="user")


@pytest.mark.parametrize(
    ("form", "intervals", "partition_by"),
    [("a path", False, None), ("a path", True, "user"), ("dictionaries", True, None), ("dictionaries", False, "user")],
)
def test_what_was_not_found_is_a_table_with_the_columns_of_what_was(
    tmp_path: Path, form: str, intervals: bool, partition_by: str | None
) -> None:
    log = FORMS[form](tmp_path)
    asked: dict[str, Any] = {"time": "when", "event": "kind", "tick": "1s", "intervals": intervals}
    some, none = (
        remora.detect(pattern, log, partition_by=partition_by, **asked).to_arrow()
        for pattern in ("(a ; b)[5s]", "b - b")
    )
    assert some.num_rows and not none.num_rows
    assert some.schema == none.schema


def test_a_library_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(remora.InputError, match="polars is not installed"):
        remora.detect("a", {"a": 1}).to_polars()
