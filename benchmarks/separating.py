"""Cases that separate this algebra from other engines (`separating.toml`), small enough to be followed by hand."""

from __future__ import annotations

import importlib.metadata
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.peers.readings import Run, Small, duckdb, polars_query, reelay
from benchmarks.subjects import Absent


@dataclass(frozen=True)
class Cited:
    """What an engine that is not run here does, by its documentation.

    Attributes:
        says: what the source says, in our words, and what follows for the trace.
        source: where.
        ends: the ends of its matches; None if there is no such query, or the documentation leaves it open.
    """

    says: str
    source: str
    ends: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Reading:
    """How an expression is put to an engine, and what it answers.

    Attributes:
        engine: its name.
        query: what is asked, in its language.
        note: what to know of the query.
        run: runs it; None for an engine that is only cited.
        cited: what its documentation says; of an engine that is run, None.
        package: the Python package whose version is recorded.
    """

    engine: str
    query: str
    note: str = ""
    run: Run | None = None
    cited: Cited | None = None
    package: str | None = None


@dataclass(frozen=True)
class SeparatingCase:
    """An expression and a trace on which engines differ.

    Attributes:
        id: a word.
        title: what it is about.
        about: what the trace decides.
        expression: in our syntax.
        trace: the times of each event type, in ticks.
        readings: how it is put to others.
    """

    id: str
    title: str
    about: str
    expression: str
    trace: Small
    readings: tuple[Reading, ...]


_FILE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))

_RUNS: Mapping[str, Callable[[str], Run]] = {
    "reelay": reelay,
    "DuckDB": duckdb,
    "Polars": lambda query: polars_query(partial(_joined, equal="allow_exact_matches=False" not in query)),
}
"""What runs a query, by the engine; of all others the documentation is cited."""


def _joined(_: Any, frames: Any, *, equal: bool) -> Any:
    exact = {} if equal else {"allow_exact_matches": False}  # it is allowed unless it is forbidden
    joined = frames["B"].join_asof(frames["A"], left_on="B", right_on="A", coalesce=False, **exact)
    return joined.drop_nulls("A").rename({"A": "start", "B": "end"})


def _reading(row: Mapping[str, Any]) -> Reading:
    engine, query = row["engine"], row["query"]
    if "says" in row:
        ends = tuple(row["ends"]) if "ends" in row else None
        cited = Cited(row["says"], _FILE["sources"][row.get("source", engine)], ends)
        return Reading(engine, query, cited=cited)
    note = row.get("note", "")
    return Reading(
        engine, query, _FILE["notes"].get(note, note), _RUNS[engine](query), package=engine.lower()
    )


def _case(row: Mapping[str, Any]) -> SeparatingCase:
    readings = tuple(map(_reading, row["reading"]))
    return SeparatingCase(row["id"], row["title"], row["about"], row["expression"], row["trace"], readings)


CASES: tuple[SeparatingCase, ...] = tuple(map(_case, _FILE["case"]))
"""From the textbook case to what most engines cannot say."""


def side_by_side(cases: Iterable[SeparatingCase] = CASES) -> list[dict[str, Any]]:
    """What each engine answers, as plain data for a report; those that are installed are run."""
    return [
        {
            "id": case.id,
            "title": case.title,
            "about": case.about,
            "expression": case.expression,
            "trace": [
                {"event": event, "time": time, "value": None}
                for time, event in sorted(
                    (time, event) for event, times in case.trace.items() for time in times
                )
            ],
            "readings": [_reading_data(reading, case.trace) for reading in case.readings],
        }
        for case in cases
    ]


def _reading_data(reading: Reading, trace: Small) -> dict[str, Any]:
    data: dict[str, Any] = {
        "engine": reading.engine,
        "query": reading.query,
        "note": reading.note,
        "standing": "cited",
        "version": None,
        "intervals": None,
        "ends": None,
        "source": None,
        "detail": "",
    }
    if reading.cited is not None:
        ends = None if reading.cited.ends is None else list(reading.cited.ends)
        return {**data, "note": reading.cited.says, "source": reading.cited.source, "ends": ends}
    assert reading.run is not None
    try:
        answer = reading.run(trace)
    except Absent as error:
        return {**data, "standing": "not run", "detail": str(error)}
    except Exception as error:  # a tool from outside may do anything; the other readings are still shown
        return {**data, "standing": "failed", "detail": f"{type(error).__name__}: {error}"[:300]}
    starts = answer.starts
    intervals = None
    if starts is not None:
        intervals = [list(pair) for pair in zip(starts.tolist(), answer.ends.tolist(), strict=True)]
    version = None if reading.package is None else importlib.metadata.version(reading.package)
    return {
        **data,
        "standing": "run",
        "version": version,
        "intervals": intervals,
        "ends": answer.ends.tolist(),
    }
