"""The commands for programs of rules: answers of all engines, a state that is kept, partitions, bad input."""

import csv
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from random import Random
from typing import Any

import pyarrow.parquet as pq
import pytest

from remora.systems.bry_eckert.explaining import joins_of, shared_instants
from semantics.bry_eckert.algebra.planning import planned
from semantics.bry_eckert.checking import parse
from semantics.bry_eckert.denotation import denotation
from semantics.bry_eckert.temporal import TIMERS
from semantics.events import Event
from tests.remora.conftest import Remora
from tests.remora.documents import rows
from tests.semantics.bry_eckert.programs import ORDERS
from tests.tables import table

LOG: list[dict[str, Any]] = [
    {"time": 3, "event": "order", "id": 42, "p": "muffins", "q": 2, "shop": "a"},
    {"time": 4, "event": "order", "id": 43, "p": "bread", "q": 2, "shop": "b"},
    {"time": 5, "event": "order", "id": 44, "p": "cakes", "q": 20, "shop": "a"},
    {"time": 7, "event": "shipped", "id": 42, "t": "T", "shop": "a"},
    {"time": 30, "event": "other", "shop": "a"},
]


def written(path: str | Path, log: Iterable[Mapping[str, Any]]) -> Path:
    Path(path).write_text("".join(json.dumps(row) + "\n" for row in log))
    return Path(path)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "orders.rules").write_text(ORDERS)
    written("log.jsonl", LOG)
    return tmp_path


def expected() -> list[dict[str, Any]]:
    events = []
    for row in LOG:
        data = {name: value for name, value in row.items() if name not in ("time", "event", "shop")}
        events.append(Event(row["event"], row["time"], row["time"], data))
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
    apart = rows(remora(command, "orders.rules", "log.jsonl", *options, "--partition-by", "shop", "--only", "rep")[1])
    assert apart == [{"start": -19, "time": 17, "event": "rep", "count_sid": 1, "partition": "a"}]
    open_end = (command, "orders.rules", written("log.jsonl", LOG[:4]), *options)
    status, out, err = remora(*open_end)
    assert rows(out) == [{**row, **({"pending": True} if row["time"] > 7 else {})} for row in expected()]
    assert "4 answers are pending, as rows may follow the last one, at 7; --until TIME" in err
    lines = remora(*open_end, "--format", "text")[1].splitlines()
    assert [line.endswith("  pending") for line in lines] == [False, *[True] * 4]
    for until in (6, 7, 16, 17):
        status, out, err = remora(*open_end, "--until", until)
        assert rows(out) == [row for row in expected() if row["time"] <= until]
        assert err.startswith("note: left out 1 row after 6 (--until)" if until == 6 else "") and "pending" not in err


def test_a_table_has_the_answers_of_the_lines(remora: Remora, folder: Path) -> None:
    status, out, _ = remora("detect", "orders.rules", "log.jsonl", "--format", "csv")
    found = [{name: value for name, value in row.items() if value} for row in csv.DictReader(out.splitlines())]
    assert (status, found) == (0, [{name: str(value) for name, value in row.items()} for row in expected()])
    none = written("none.jsonl", LOG[-1:])
    assert remora("detect", "orders.rules", none, "--format", "csv")[1] == "start,time,event\n"


@pytest.mark.long
@pytest.mark.spark
@pytest.mark.usefixtures("in_spark")
def test_spark_has_the_same_answers(remora: Remora, folder: Path) -> None:
    written("log.jsonl", LOG[:4])
    command = ("eval", "orders.rules", "log.jsonl", "--engine", "spark", "--master", "local[1]")
    status, out, _ = remora(*command)
    answers = [(row.pop("pending", False), row) for row in rows(out)]
    assert (status, answers) == (0, [(row["time"] != 7, row) for row in expected()])
    status, out, err = remora(*command, "--out", "pending")
    assert (status, out, "4 answers are pending" in err) == (0, "", True)
    assert all(row["pending"] == (row["time"] != 7) for row in pq.read_table("pending").to_pylist())
    assert remora(*command, "--until", 17, "--out", "written")[:2] == (0, "")
    table = pq.read_table("written").to_pylist()
    found = [{name: value for name, value in row.items() if value is not None} for row in table]
    assert sorted(found, key=str) == sorted(({**row} for row in expected()), key=str)
    assert "the folder is there already" in remora(*command, "--out", "written")[2]


def test_a_detection_goes_on_where_it_ended(remora: Remora, folder: Path) -> None:
    found = ""
    for part, *until in ((LOG[:2], "--until", 3), (LOG[1:4],), (LOG[:1], "--until", 12), (LOG[3:],)):
        status, out, _ = remora("detect", "orders.rules", written("part.jsonl", part), "--state", "state.json", *until)
        assert status == 0
        found += out
    assert rows(found) == expected()


WRONG = dict(table(__file__, "wrong"))


@pytest.mark.parametrize("line", WRONG)
def test_bad_input_is_refused(remora: Remora, folder: Path, line: str) -> None:
    Path("wrong.rules").write_text("event A(x: int)\nE(y) <- a: A(x)\n")
    for name in ("kind", "pending"):
        Path(f"{name}.rules").write_text(f"event A(x: int)\nF({name} = x) <- a: A(x)\n")
    written("unsorted.jsonl", ({"time": time, "event": "order"} for time in (3, 2)))
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
    Path("never.rules").write_text("event A()\nE() <- a: A(), b: A(), a before b, b before a\n")
    status, _, err = remora("explain", "never.rules")
    assert (status, "line 2: its conditions, or those of what it reads, contradict" in err) == (0, True)


@pytest.mark.parametrize("kind", TIMERS)
def test_the_instant_that_within_includes_and_a_window_does_not_is_said_and_both_answer_there(kind: str) -> None:
    rules = f"L() <- a: A(), w: {kind}(a, 9), while w: not U()\nB() <- a: A(), u: U(), {{a, u}} within 9"
    program = parse(f"event A()\nevent U()\n{rules}")
    for said in shared_instants(program.rules[0], program):
        at = 20 + int(said.partition("U at ")[2].split()[0])
        found = denotation(program, [Event("A", 20, 20), Event("U", at, at)])
        assert {event.type for event in found} == {"L", "B"} and "{a, u} within 9 (line 4)" in said
    assert any(shared_instants(program.rules[0], program)) == ("shorten" not in kind)


@pytest.mark.parametrize(("body", "said", "late"), table(__file__, "joins"))
def test_a_join_is_named_with_the_condition_that_allows_it(body: str, said: str, late: str) -> None:
    program = parse(f"event A(x: int)\nevent B(x: int)\nF(x) <- a: A(x), {body}")
    (join,) = joins_of(program, planned(program, {}))["F"]
    found, _, suppressed = join.partition(" while ")
    assert (found, sorted(suppressed.split(" or "))) == (said, sorted(late.split(" or ")))


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
    log_file = written(folder / "parcels.jsonl", ({"time": time, "event": event, **data} for time, event, data in log))
    return folder / "parcels.rules", log_file


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


def test_rows_that_come_late_by_no_more_than_stated_change_nothing_and_later_ones_are_counted(
    remora: Remora, folder: Path
) -> None:
    lateness = 30  # and each row comes as late as it may: when one has come that is later by the lateness
    arrivals = sorted(enumerate(LOG), key=lambda pair: (pair[1]["time"] + lateness * (pair[0] % 2), pair[0]))
    written("late.jsonl", (row for _, row in arrivals))
    status, out, err = remora("detect", "orders.rules", "late.jsonl", "--lateness", lateness)
    assert (status, rows(out)) == (0, expected())
    assert "out of order" in err and "late (" not in err
    late = {"time": 7, "event": "order", "id": 1, "p": "x", "q": 1}
    given = ("detect", "orders.rules", written("log.jsonl", [*LOG, {"time": 12, "event": "other"}, late]))
    status, out, err = remora(*given, "--lateness", "20")
    assert (status, rows(out)) == (0, expected())
    assert "left out 1 row that came more than 20 ticks late (--lateness), the first at log.jsonl:7" in err
    assert len(rows(remora(*given, "--lateness", "23")[1])) > len(expected())


@pytest.mark.parametrize("cut", [1, 3])
def test_a_state_goes_on_with_answers_that_may_still_be_corrected(remora: Remora, folder: Path, cut: int) -> None:
    Path("f.rules").write_text(
        "event A(x: int)\nevent B(x: int)\nF(x) <- a: A(x), w: extend(a, 3), while w: not B(x)\n"
    )
    log = [(1, "A", 1), (9, "A", 2), (2, "B", 1), (20, "B", 3), (25, "A", 5)]
    given = [{"time": time, "event": type, "x": x} for time, type, x in log]
    detect = ("detect", "f.rules")
    options = ("--lateness", 8, "--corrections")
    whole = remora(*detect, written("whole.jsonl", given), *options)[1]
    parts, state = "", ("--state", "s.json")
    for some in (given[:cut], given[cut:]):
        status, out, _ = remora(*detect, written("part.jsonl", some), *options, *state)
        assert status == 0
        parts += out
    assert '"withdrawn": true' in parts
    assert parts.splitlines() == [line for line in whole.splitlines() if "pending" not in line]
    for other in (("--lateness", 9, "--corrections"), ("--lateness", 8)):
        status, _, err = remora(*detect, "part.jsonl", *other, *state)
        assert status == 2 and "the state belongs to another lateness" in err


def test_rules_are_added_by_an_option_and_stay_in_the_state(remora: Remora, folder: Path) -> None:
    Path("first.rules").write_text("event A(x: int)\nevent B(x: int)\nF(x) <- a: A(x)\n")
    Path("more.rules").write_text("G(x) <- f: F(x), b: B(x), {f, b} within 9\n")
    state, add = ("--state", "state.json"), ("--add", "more.rules")

    def detect(time: int, event: str, *options: object) -> tuple[int, str, str]:
        return remora("detect", "first.rules", written("one.jsonl", [{"time": time, "event": event, "x": 1}]), *options)

    assert detect(1, "A", *state, "--keep", 20)[0] == 0
    assert detect(5, "B", *state, *add)[:2] == (0, '{"start": 1, "time": 5, "event": "G", "x": 1}\n')
    assert detect(9, "B", *state)[1] == '{"start": 1, "time": 9, "event": "G", "x": 1}\n'
    status, _, err = detect(10, "B", *state, *add)
    assert status == 2 and "G is there already" in err


@pytest.mark.parametrize("command", ["detect", "eval"])
def test_a_plan_is_chosen_by_the_first_events_and_said(remora: Remora, folder: Path, command: str) -> None:
    Path("far.rules").write_text(
        "event A(x: int) event B(x: int) event C(x: int)\nF(x) <- a: A(x), b: B(x), c: C(x), {a, b, c} within 90"
    )
    written("far.jsonl", ({"time": n, "event": "AACCCCCB"[n % 8], "x": n % 3} for n in range(160)))
    arguments = (command, "far.rules", "far.jsonl")
    _, usual, _ = remora(*arguments)
    status, out, err = remora(*arguments, "--sample", 100)
    assert (status, out) == (0, usual) != (0, "")
    assert err.startswith("note: the plan that costs least on the first 100 events: F: ")


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.usefixtures("in_spark")
def test_a_folder_that_grows_gives_the_answers_of_eval_and_every_late_event(remora: Remora, folder: Path) -> None:
    Path("keyed.rules").write_text(ORDERS[: ORDERS.index("rep(")])
    (folder / "in").mkdir()  # with its whole path: Java may have been started elsewhere
    random, events = Random(4), list[dict[str, Any]]()
    for time in range(0, 160, 2):
        number = random.randrange(40)
        kinds: list[dict[str, Any]] = [{"event": "order", "p": "bread", "q": number}, {"event": "shipped", "t": "T"}]
        events.append({"time": time, "id": number, **random.choice(kinds)})
    late = {"time": 3, "event": "order", "id": 99, "p": "late", "q": 1}
    options = ("--once", "--out", folder / "out", "--files", 1, "--lateness", 5)
    for number, batch in enumerate([events[:40], [*events[40:], late]]):
        written(f"in/{number}.jsonl", batch)
        status, _, err = remora("stream", "keyed.rules", folder / "in", *options)
        assert status == 0, err
        assert "overdue.id" in err
    found = [json.loads(line) for path in Path("out").glob("*/*.jsonl") for line in path.read_text().splitlines()]
    status, text, _ = remora("eval", "keyed.rules", written("log.jsonl", events), "--format", "jsonl")
    assert [row for row in found if row["kind"] == "late"] == [{"start": 3, **late, "kind": "late"}]
    answers = [row for row in found if row["kind"] != "late"]
    assert {"pending", "detected"} == {row["kind"] for row in answers}
    evaluated = [json.loads(line) for line in text.splitlines()]
    assert all(row.pop("pending", False) == (row["time"] > 158) for row in evaluated)
    for row in evaluated:  # a row may still come that is late by 5
        row["kind"] = "pending" if row["time"] >= 158 - 5 else "detected"
    assert sorted(map(json.dumps, answers)) == sorted(map(json.dumps, evaluated))
