"""Cases that separate this algebra from other engines (`separating.toml`), small enough to be followed by hand."""

from __future__ import annotations

import importlib.metadata
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.peers.readings import Run, Small, duckdb, polars_query, reelay
from benchmarks.subjects import Absent
from reports.carlson_lisper.separating_cases import Reading, Recorded


class Query(NamedTuple):
    """How an expression is put to an engine.

    Attributes:
        reading: what is recorded before it is run; of an engine that is not run here, what its documentation says.
    """

    reading: Reading
    run: Run | None = None


@dataclass(frozen=True)
class SeparatingCase:
    """An expression and a trace on which engines differ.

    Attributes:
        trace: the times of each event type, in ticks.
    """

    id: str
    title: str
    about: str
    expression: str
    trace: Small
    queries: tuple[Query, ...]


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


def _query(row: Mapping[str, Any]) -> Query:
    engine, query = row["engine"], row["query"]
    if "says" in row:
        ends = tuple(row["ends"]) if "ends" in row else None
        source = _FILE["sources"][row.get("source", engine)]
        return Query(Reading(engine, query, "cited", row["says"], ends=ends, source=source))
    note = row.get("note", "")
    return Query(Reading(engine, query, "not run", _FILE["notes"].get(note, note)), _RUNS[engine](query))


def _case(row: Mapping[str, Any]) -> SeparatingCase:
    queries = tuple(map(_query, row["reading"]))
    return SeparatingCase(row["id"], row["title"], row["about"], row["expression"], row["trace"], queries)


CASES: tuple[SeparatingCase, ...] = tuple(map(_case, _FILE["case"]))
"""From the textbook case to what most engines cannot say."""


def side_by_side(cases: Iterable[SeparatingCase] = CASES) -> list[Recorded]:
    """What each engine answers, for a report; those that are installed are run."""
    return [
        Recorded(
            case.id,
            case.title,
            case.about,
            case.expression,
            tuple(
                {"event": event, "time": time, "value": None}
                for time, event in sorted(
                    (time, event) for event, times in case.trace.items() for time in times
                )
            ),
            tuple(_answered(query, case.trace) for query in case.queries),
        )
        for case in cases
    ]


def _answered(query: Query, trace: Small) -> Reading:
    reading, run = query
    if run is None:
        return reading
    try:
        answer = run(trace)
    except Absent as error:
        return replace(reading, detail=str(error))
    except Exception as error:  # a tool from outside may do anything; the other readings are still shown
        return replace(reading, standing="failed", detail=f"{type(error).__name__}: {error}"[:300])
    starts, ends = answer.starts, answer.ends.tolist()
    return replace(
        reading,
        standing="run",
        version=importlib.metadata.version(reading.engine.lower()),
        intervals=None if starts is None else tuple(zip(starts.tolist(), ends, strict=True)),
        ends=tuple(ends),
    )
