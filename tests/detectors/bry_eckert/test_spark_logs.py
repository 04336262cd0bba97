"""Spark reads plain logs by itself, leaves the others to the reader of traces, and writes answers."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from cluster.session import spark_session
from detectors.bry_eckert.relational.batch import collected, spark_relations
from detectors.bry_eckert.relational.spark_logs import NotTold, tables_on_spark, write_answers
from semantics.bry_eckert.algebra.planning import pushed
from semantics.bry_eckert.algebra.translation import plan_of
from semantics.bry_eckert.checking import parse
from semantics.bry_eckert.denotation import denotation
from semantics.errors import InputError
from semantics.events import Event
from semantics.traces.reading import Reading

pytestmark = [pytest.mark.slow, pytest.mark.spark]

PROGRAM = parse(
    "event A(x: int, f: float, at: time within 2)\nevent B(x: int, s: str, b: bool) within 3\n"
    "R(x, f, s) <- a: A(x = x, f = f), b: B(x, s, true), {a, b} within 9\n"
    "S(x) <- a: A(x = x), w: extend(a, 2), while w: not B(x = x)"
)
PLAN = pushed(plan_of(PROGRAM))

ROWS: list[dict[str, Any]] = [
    {"time": 1, "event": "A", "x": 1, "f": -0.0, "at": 3},
    {"time": 2, "event": "A", "x": 2},
    {"time": 4, "start": -1, "event": "C", "x": 7},
    {"time": 5, "start": 3, "event": "B", "x": 1, "s": 'say "no", \\ twice', "b": True},
    {"time": 6, "event": "B", "x": 2, "s": "", "b": False},
    {"time": 7, "event": "A", "x": 2, "f": 1e300},
]
SCHEMA = pa.schema(
    {
        "time": pa.int64(),
        "start": pa.int64(),
        "event": pa.string(),
        "x": pa.int64(),
        "f": pa.float64(),
        "s": pa.string(),
        "b": pa.bool_(),
        "at": pa.int64(),
    }
)
COLUMNS = SCHEMA.names

NOT_PLAIN = {
    "fraction.jsonl": '{"time": 1, "event": "A", "x": 1.5}',
    "number.jsonl": '{"time": 1, "event": "B", "x": 1, "s": 5}',
    "negative.jsonl": '{"time": -1, "event": "A"}',
    "long.jsonl": '{"time": 9, "start": 1, "event": "B", "x": 1}',
    "early.jsonl": '{"time": 9, "event": "A", "x": 1, "at": 6}',
    "derived.jsonl": '{"time": 9, "event": "S", "x": 1}',
    "twice.jsonl": '{"time": 1, "time": 2, "event": "A"}',
    "cut.jsonl": '{"time": 1, "event": "A"',
    "infinite.csv": "time,event,x,f\n1,A,1,1e999",
    "few.csv": "time,event,x,f\n1,A,1",
    "spaces.csv": "time,event,x,f\n 1,A,1,",
    "lines.csv": 'time,event,x,s\n1,C,1,"a\nb"\n2,A,1,',
    "twice.csv": "time,event,x,x\n1,A,1,1",
    "log.txt": "time,event\n1,A",
}


@pytest.fixture(scope="module")
def session() -> Iterator[SparkSession]:
    with spark_session("local[1]", options={"spark.sql.shuffle.partitions": "1"}) as started:
        yield started


def write(folder: Path) -> list[Path]:
    """The same log in three formats; the last one is a folder of files."""
    files = [folder / "log.jsonl", folder / "log.csv", folder / "log"]
    files[0].write_text("\n".join(map(json.dumps, ROWS)) + "\n\n")
    with files[1].open("w", newline="") as file:
        table = csv.DictWriter(file, COLUMNS)
        table.writeheader()
        table.writerows({k: str(v).lower() if isinstance(v, bool) else v for k, v in row.items()} for row in ROWS)
    files[2].mkdir()
    for number, part in enumerate((ROWS[:3], ROWS[3:])):
        columns = [{name: row.get(name) for name in COLUMNS} for row in part]
        pq.write_table(pa.Table.from_pylist(columns, SCHEMA), files[2] / f"{number}.parquet")
    return files


def expected(path: Path) -> list[Event]:
    """An empty text is missing in CSV."""
    rows = [{k: v for k, v in row.items() if v != "" or path.suffix != ".csv"} for row in ROWS]
    stamps = ("time", "start", "event")
    return denotation(
        PROGRAM,
        [
            Event(r["event"], r.get("start", r["time"]), r["time"], {k: v for k, v in r.items() if k not in stamps})
            for r in rows
        ],
    )


@pytest.mark.parametrize("form", [0, *(pytest.param(other, marks=pytest.mark.long) for other in (1, 2))])
def test_plain_logs_have_the_answers_of_the_denotation_and_are_written(
    session: SparkSession, tmp_path: Path, form: int
) -> None:
    path = write(tmp_path)[form]
    tables, counts = tables_on_spark(session, PROGRAM, path, Reading())
    assert counts == {"A": 3, "B": 2, "C": 1}
    with spark_relations(PROGRAM, PLAN, tables, session) as found:
        assert collected(PROGRAM, PLAN, found) == expected(path)
        write_answers(PROGRAM, PLAN, found, PROGRAM.derived, tmp_path / "out")
        with pytest.raises(InputError, match="there already"):
            write_answers(PROGRAM, PLAN, found, ["S"], tmp_path / "out")
    written = pq.read_table(tmp_path / "out").to_pylist()
    answers = [
        {"start": e.start, "time": e.time, "event": e.type, "x": None, "f": None, "s": None} | dict(e.attributes)
        for e in expected(path)
    ]
    assert sorted(written, key=_place) == sorted(answers, key=_place)


def _place(row: dict[str, Any]) -> tuple[Any, ...]:
    return (row["time"], row["start"], row["event"])


@pytest.mark.parametrize(
    "name",
    [
        name if name in ("fraction.jsonl", "few.csv") else pytest.param(name, marks=pytest.mark.long)
        for name in NOT_PLAIN
    ],
)
def test_what_is_not_plain_is_left_to_the_reader_of_traces(session: SparkSession, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(NOT_PLAIN[name] + "\n")
    with pytest.raises(NotTold):
        tables_on_spark(session, PROGRAM, tmp_path / name, Reading())


@pytest.mark.long
def test_a_file_with_an_empty_cell_is_plain(session: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "fine.csv").write_text("time,event,x,f\n1,A,1,\n")
    assert tables_on_spark(session, PROGRAM, tmp_path / "fine.csv", Reading())[1] == {"A": 1}
