"""The commands for programs of rules: answers of all engines, a state that is kept, partitions, bad input."""

import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from unittest.mock import Mock

import pyarrow.parquet as pq
import pytest

from cluster.session import spark_session
from semantics.bry_eckert.checking import parse
from semantics.bry_eckert.denotation import denotation
from semantics.events import Event
from tests.quick_spark import QUICK
from tests.remora.conftest import Remora
from tests.remora.documents import rows
from tests.semantics.bry_eckert.programs import ORDERS

LOG = [
    {"time": 3, "event": "order", "id": 42, "p": "muffins", "q": 2, "shop": "a"},
    {"time": 4, "event": "order", "id": 43, "p": "bread", "q": 2, "shop": "b"},
    {"time": 5, "event": "order", "id": 44, "p": "cakes", "q": 20, "shop": "a"},
    {"time": 7, "event": "shipped", "id": 42, "t": "T", "shop": "a"},
    {"time": 30, "event": "other", "shop": "a"},
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with a program and a log."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "orders.rules").write_text(ORDERS)
    (tmp_path / "log.jsonl").write_text("".join(json.dumps(row) + "\n" for row in LOG))
    return tmp_path


def expected() -> list[dict[str, object]]:
    events = []
    for row in LOG:
        data = {name: value for name, value in row.items() if name not in ("time", "event", "shop")}
        time = int(str(row["time"]))
        events.append(Event(str(row["event"]), time, time, data))  # type: ignore[arg-type]
    return [
        {"start": event.start, "time": event.time, "event": event.type, **event.attributes}
        for event in denotation(parse(ORDERS), events)
    ]


@pytest.mark.parametrize(
    "arguments", [["eval"], ["eval", "--engine", "duckdb"], ["detect"], ["detect", "--detector", "nodes"]], ids=" ".join
)
def test_every_way_has_the_answers_of_the_denotation(remora: Remora, folder: Path, arguments: list[str]) -> None:
    command, *options = arguments
    status, out, err = remora(command, "orders.rules", "log.jsonl", *options)
    assert (status, err) == (0, "")
    assert rows(out) == expected()
    assert [row["event"] for row in rows(out)] == ["comp", "rep", "overdue", "rep", "overdue"]


SPARK = ("--engine", "spark", "--master", "local[1]")


@pytest.fixture
def sessions(monkeypatch: pytest.MonkeyPatch) -> Mock:
    """Starts of sessions; a join of a few rows is not cut into two hundred parts."""
    few = Mock(side_effect=partial(spark_session, options=QUICK))
    monkeypatch.setattr("cluster.session.spark_session", few)
    return few


@pytest.mark.slow
@pytest.mark.spark
@pytest.mark.usefixtures("sessions")
def test_spark_has_the_same_answers(remora: Remora, folder: Path) -> None:
    status, out, _ = remora("eval", "orders.rules", "log.jsonl", *SPARK)
    assert (status, rows(out)) == (0, expected())
    status, out, _ = remora("eval", "orders.rules", "log.jsonl", *SPARK, "--out", "written")
    assert (status, out) == (0, "")
    written = pq.read_table("written").to_pylist()
    found = [{name: value for name, value in row.items() if value is not None} for row in written]
    assert sorted(found, key=str) == sorted(({**row} for row in expected()), key=str)
    assert "the folder is there already" in remora("eval", "orders.rules", "log.jsonl", *SPARK, "--out", "written")[2]


def test_a_detection_goes_on_where_it_ended(remora: Remora, folder: Path) -> None:
    lines = (folder / "log.jsonl").read_text().splitlines(keepends=True)
    found = ""
    for number, part in enumerate([lines[:2], lines[1:4], lines[3:]]):
        path = Path(f"part{number}.jsonl")
        path.write_text("".join(part))
        status, out, _ = remora("detect", "orders.rules", path, "--state", "state.json")
        assert status == 0
        found += out
    assert rows(found) == expected()


def test_each_partition_has_a_log_of_its_own(remora: Remora, folder: Path) -> None:
    options = ("--partition-by", "shop", "--only", "rep")
    for command in (["detect"], ["eval"], ["eval", "--engine", "duckdb"]):
        arguments = (*command, "orders.rules", "log.jsonl", *options)
        assert rows(remora(*arguments)[1]) == [
            {"start": -19, "time": 17, "event": "rep", "count_sid": 1, "partition": "a"}
        ]


WRONG = {
    "eval missing.rules log.jsonl": "there is no such file",
    "eval orders.rules missing.jsonl": "error: missing.jsonl: ",
    "eval orders.rules log.jsonl --out o": "--out",
    "detect orders.rules log.jsonl --only comb": "the program derives no comb",
    "detect orders.rules log.jsonl --state log.jsonl": "the file is no state of a detection",
    "detect orders.rules log.jsonl --sample 5 --state state": "error: --sample chooses a plan anew",
    "detect orders.rules log.jsonl --detector guessing": "there is no engine 'guessing'",
    "detect orders.rules log.jsonl --corrections": "--corrections are for rows that come late",
    "detect orders.rules log.jsonl --keep 3": "--keep and --add are about a detection that goes on",
    "detect orders.rules log.jsonl --past 3": "--past says what rules see that are added",
    "detect wrong.rules log.jsonl": "wrong.rules, line 2, column 1: the variable y",
    "detect orders.rules unsorted.jsonl": "time 2 comes after time 3",
}


@pytest.mark.parametrize("line", WRONG)
def test_bad_input_is_refused(remora: Remora, folder: Path, line: str) -> None:
    Path("wrong.rules").write_text("event A(x: int)\nE(y) <- a: A(x)\n")
    Path("unsorted.jsonl").write_text('{"time": 3, "event": "order"}\n{"time": 2, "event": "order"}\n')
    status, _, err = remora(*line.split())
    assert (status, WRONG[line] in err, "Traceback" in err) == (2, True, False)


def test_a_program_is_explained_in_words_and_in_the_algebra(remora: Remora, folder: Path) -> None:
    status, out, _ = remora("explain", "orders.rules")
    assert status == 0
    assert "comp := π[id, p](μ[comp ← o ⊔ s](σ[o.e < s.s](order[o: id, p, q] ⋈ shipped[s: id, t])))" in out
    assert "w is the time from o.s to o.e + 6; no shipped with id, t happens within w" in out
    assert "shipped s: not stored: it is always the last to end" in out
    assert out.count("μ[comp ← o ⊔ s]") == out.count("γ[rep ← o ⊔ w, count_sid ← count(sid)]") == 2
    assert remora("explain", "orders.rules", "--format", "json")[0] == 0


def test_conditions_that_contradict_each_other_are_said(remora: Remora, tmp_path: Path) -> None:
    (tmp_path / "never.rules").write_text("event A()\nE() <- a: A(), b: A(), a before b, b before a\n")
    status, _, err = remora("explain", tmp_path / "never.rules")
    assert status == 0
    assert "line 2: the temporal conditions contradict each other" in err


def test_plans_are_compared_by_counts_and_a_plan_can_be_forced(remora: Remora, folder: Path) -> None:
    (folder / "mine.plan").write_text("comp: s, o\n")
    arguments = ("--log", "log.jsonl", "--plan", "mine.plan", "--format", "json")
    document = json.loads(remora("explain", "orders.rules", *arguments)[1])
    assert {row["answers"] for row in document["measured"]} == {5}
    assert {"as written", "mine.plan"} <= {row["plan"] for row in document["measured"]}
    document = json.loads(remora("explain", "orders.rules", *arguments, "--detector", "nodes")[1])
    assert {row["engine"].partition(",")[0] for row in document["measured"]} == {"nodes"}
    status, out, _ = remora("detect", "orders.rules", "log.jsonl", "--plan", folder / "mine.plan")
    assert (status, rows(out)) == (0, expected())


PARCELS = """\
event S(i: int, t: str) within 0
event D(t: str) within 0
axiom D(t) unique
axiom s: S(t = x), d: D(t = x) => s before d, {s, d} within 30
arrived(i) <- s: S(i, t), d: D(t)
"""


def parcels(folder: Path, *log: tuple[int, str, Mapping[str, object]]) -> tuple[Path, Path]:
    (folder / "parcels.rules").write_text(PARCELS)
    lines = (json.dumps({"time": time, "event": event, **data}) for time, event, data in log)
    (folder / "parcels.jsonl").write_text("".join(f"{line}\n" for line in lines))
    return folder / "parcels.rules", folder / "parcels.jsonl"


SHIPPED = (1, "S", {"i": 1, "t": "a", "shop": "x"})
DELIVERED = (2, "D", {"t": "a", "shop": "x"})


@pytest.mark.parametrize("command", ["eval", "detect"])
def test_a_log_that_breaks_axioms_is_told_so_and_ends_as_refuted(remora: Remora, tmp_path: Path, command: str) -> None:
    given = parcels(tmp_path, SHIPPED, DELIVERED, *((time, "D", {"t": "a"}) for time in range(40, 50)))
    status, out, err = remora(command, *given)
    assert status == 1
    assert rows(out)[0] == {"start": 1, "time": 2, "event": "arrived", "i": 1}
    assert len(rows(out)) == (11 if command == "eval" else 1)
    assert "parcels.jsonl:3: D(t = a) [40, 40] after D(t = a) [2, 2] breaks the axiom in line 3" in err
    assert "the axiom in line 3 is broken 10 times" in err and "the axiom in line 4 is broken 10 times" in err
    assert ("answers may be missing" in err) == (command == "detect")


def test_axioms_are_explained_with_what_they_make_irrelevant(remora: Remora, tmp_path: Path) -> None:
    status, out, _ = remora("explain", parcels(tmp_path)[0])
    assert status == 0 and "Believed of the log:\n  axiom D(t) unique\n  axiom s: S(t = x)" in out
    assert "kept while s.s >= now - 30, until its d has come: safe and tight" in out
    watch, _, rest = out.partition("The watch over the axioms remembers\n")[2].partition("\n\n")
    assert watch.count("for ever: a store without bound") == 3
    assert rest.startswith("3 stores without a bound")


def test_a_kept_state_knows_what_came_before_and_what_was_broken(remora: Remora, tmp_path: Path) -> None:
    state = ("--state", tmp_path / "state.json")
    assert remora("detect", *parcels(tmp_path, SHIPPED, DELIVERED), *state)[0] == 0
    assert remora("detect", *parcels(tmp_path, (3, "D", {"t": "a"})), *state)[0] == 1
    status, _, err = remora("detect", *parcels(tmp_path, (4, "D", {"t": "b"})), *state)
    assert status == 1 and "is broken 1 time" in err


def test_rows_that_come_late_by_no_more_than_stated_change_nothing_about_the_answers(
    remora: Remora, folder: Path
) -> None:
    """Each row comes as late as it may: when one has come that is later by the lateness."""
    lateness = 30
    arrivals = sorted(enumerate(LOG), key=lambda pair: (int(str(pair[1]["time"])) + lateness * (pair[0] % 2), pair[0]))
    (folder / "late.jsonl").write_text("".join(json.dumps(row) + "\n" for _, row in arrivals))
    status, out, err = remora("detect", "orders.rules", "late.jsonl", "--lateness", lateness)
    assert status == 0 and rows(out) == expected()
    assert ("out of order" in err) == (arrivals != list(enumerate(LOG))) and "late (" not in err


def test_what_comes_later_than_stated_is_left_out_and_counted(remora: Remora, folder: Path) -> None:
    late = {"time": 7, "event": "order", "id": 1, "p": "x", "q": 1}
    with (folder / "log.jsonl").open("a") as log:
        log.write(json.dumps({"time": 12, "event": "other"}) + "\n" + json.dumps(late) + "\n")
    given = ("detect", "orders.rules", "log.jsonl")
    status, out, err = remora(*given, "--lateness", "20")
    assert (status, rows(out)) == (0, expected())
    assert "left out 1 row that came more than 20 ticks late (--lateness), the first at " in err
    assert "log.jsonl:7" in err
    status, out, _ = remora(*given, "--lateness", "23")
    assert len(rows(out)) > len(expected())
    assert remora(*given, "--lateness", "1", "--sort")[0] == 2
    assert remora(*given)[0] == 2


@pytest.mark.parametrize("command", ["detect", "eval"])
def test_a_plan_is_chosen_by_the_first_events_and_said(remora: Remora, folder: Path, command: str) -> None:
    (folder / "far.rules").write_text(
        "event A(x: int) event B(x: int) event C(x: int)\nF(x) <- a: A(x), b: B(x), c: C(x), {a, b, c} within 90"
    )
    events = [{"time": n, "event": "AACCCCCB"[n % 8], "x": n % 3} for n in range(160)]
    (folder / "far.jsonl").write_text("".join(json.dumps(row) + "\n" for row in events))
    arguments = (command, "far.rules", "far.jsonl")
    _, expected, _ = remora(*arguments)
    status, out, err = remora(*arguments, "--sample", 100)
    assert (status, out) == (0, expected) != (0, "")
    assert err.startswith("note: the plan that costs least on the first 100 events: F: ")
    for options in (["-", "--sample", 5], ["far.jsonl", "--sample", 5, "--plan", folder / "p"]):
        (folder / "p").write_text("")
        status, out, err = remora(command, "far.rules", *options)
        assert (status, out) == (2, "")
        assert "\n  " in err  # a remedy
