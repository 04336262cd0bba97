"""Known answers about whole logs: rules by the algebra and by DuckDB, files by columns."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import Mock

import pyarrow
from pyarrow import parquet

from campaigns.engine.rows import maker_of
from campaigns.engine.settings import Settings
from campaigns.systems import AnyCase
from detectors.bry_eckert.catalogue import DEFAULT_DETECTOR
from detectors.bry_eckert.relational.batch import evaluate_duckdb
from remora.commands.detect import detect
from remora.verification.known.answers import Checks, Row, always
from remora.verification.known.exits import _run
from semantics.bry_eckert.algebra.relations import derived_events
from semantics.bry_eckert.algebra.rewriting import pushed
from semantics.bry_eckert.algebra.translation import plan_of
from semantics.bry_eckert.checking import parse
from semantics.bry_eckert.denotation import denotation
from semantics.bry_eckert.programs import Program
from semantics.events import Event

CASES = 12
"""So many random programs are evaluated; DuckDB takes a tenth of a second for each."""

_FEW = """
event A() event B(x: int, y: int)
E(count(x), count_all(x), sum(x), sum_all(x)) <- a: A(), while a: collect B(x, y)
F() <- a: A(), while a: not B()
G() <- b: B(x = 5, y = 1)
"""
"""What chance seldom puts to the test: equal values, an absence that keeps something out, a constant."""

checks = Checks()


@checks.known("whole logs", "evaluations of a whole log have the answers that its rules mean")
def _whole_logs() -> Iterator[Row]:
    for name, program, events in _logs():
        meant, plan = denotation(program, events), plan_of(program)
        yield f"{name} by the algebra", derived_events(program, plan, events), meant
        yield f"{name} by DuckDB", evaluate_duckdb(program, pushed(plan), events), meant


def _logs() -> Iterator[tuple[str, Program, Sequence[Event]]]:
    settings = Settings(system="bry_eckert", seed=0, cases=CASES, detectors=(DEFAULT_DETECTOR,))
    cases: Iterator[AnyCase] = map(maker_of(settings), range(CASES))
    yield from ((f"case {case.number}", case.program, case.events) for case in cases)
    events = [Event("B", 2 + y, 3 + y, {"x": 5, "y": y}) for y in range(3)]
    yield "a few rules", parse(_FEW), [*events, Event("A", 0, 9), Event("A", 20, 21)]


# ---------------------------------------------------------------------------------------------------------- files

_PATTERNS = ("(a + b)[2]", "((a | c) ; (b + c))[20]", "(a ; (b ; c)[9]) | (c - (a ; a))", "(a ; c)[3] - b")

_WAYS = ((), ("--intervals",), ("--partition-by", "user"), ("--partition-by", "user", "--intervals"))

_GROUP = 20
"""The rows of a row group of Parquet."""

_BY_COLUMNS: Mapping[str, object] = {
    "remora.commands.detect._worth_while": always(0),
    "semantics.traces.text_columns.BLOCK": 100,
    "semantics.traces.arrow_columns.BATCH_ROWS": 7,
    "semantics.traces.arrow_columns.MANY": 0,
    "detectors.carlson_lisper.blocks.LEAST": 5,
    "detectors.carlson_lisper.blocks.WORTH_WHILE": 0,
    "detectors.carlson_lisper.blocks.ENTRIES": 20,
}
"""What has a small file read by columns, a few rows at a time."""

_NEVER_BY_ROWS: Mapping[str, object] = {
    "remora.commands.detect._by_rows": Mock(side_effect=AssertionError("it is read by rows"))
}

_BY_ROWS: Mapping[str, object] = {"remora.commands.detect._by_columns": always((-1, False))}


@checks.known("files", "a file by columns has the detections that it has row by row")
def _files() -> Iterator[Row]:
    rows = _rows()
    with TemporaryDirectory() as name:
        for path, pattern, options in product(_written(Path(name), rows), _PATTERNS, _WAYS):
            by_columns, by_rows = (
                _run(detect, [pattern, str(path), *options], given).stdout
                for given in ({**_BY_COLUMNS, **_NEVER_BY_ROWS}, _BY_ROWS)
            )
            yield f"{pattern} in a file {path.suffix}, {options}", by_columns, by_rows
            yield "what is found", bool(by_columns), True
        for place in (_GROUP, _GROUP + 5):  # the first row of a row group, and one within
            late = [*rows[:place], rows[place] | {"time": rows[place - 1]["time"] - 1}, *rows[place + 1 :]]
            for path in _written(Path(name), late):
                found = (
                    _run(detect, [_PATTERNS[0], str(path), "--intervals"], given)
                    for given in (_BY_COLUMNS, _BY_ROWS)
                )
                first, second = ((each.stdout, str(each.exception)) for each in found)
                yield f"a file {path.suffix} whose row {place + 1} is late", first, second
                yield "that it is said", "time order" in first[1], True


def _rows() -> list[dict[str, Any]]:
    """A log of three users, with cells in quotes and a type that no pattern mentions."""
    random = Random(22)
    keys = sorted({(random.randrange(90), random.choice(["a", "b", "c", "a.b"])) for _ in range(120)})
    values, users = ("x", 'say "no"', "a,b"), ("anna", "ü", "ben, b.")
    return [
        {"time": time, "event": event, "value": random.choice(values), "user": random.choice(users)}
        for time, event in keys
    ]


def _written(folder: Path, rows: list[dict[str, Any]]) -> list[Path]:
    """Rows as a file in three formats."""
    paths = [folder / f"log.{form}" for form in ("csv", "jsonl", "parquet")]
    with paths[0].open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    paths[1].write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows), "utf-8")
    parquet.write_table(pyarrow.Table.from_pylist(rows), paths[2], row_group_size=_GROUP)
    return paths
