"""Readings of an expression by other tools on small traces, with queries that need not mean the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from benchmarks.peers.polars_frames import polars
from benchmarks.subjects import Answer, load
from semantics.carlson_lisper.occurrences import Time

Small: TypeAlias = Mapping[str, Sequence[Time]]
"""The times of each event type."""

Run: TypeAlias = Callable[[Small], Answer]
"""Runs a query; raises `Absent` if the tool is not installed."""


def reelay(formula: str) -> Run:
    """The ticks at which a formula of past temporal logic holds."""

    def run(trace: Small) -> Answer:
        watching = load("reelay").discrete_timed_monitor(pattern=formula, condense=False)
        ends = [
            time
            for time in range(1 + max(map(max, trace.values())))
            if watching.update({name: time in times for name, times in trace.items()})["value"]
        ]
        return Answer(None, np.array(ends, np.int64))

    return run


def duckdb(statement: str) -> Run:
    """The columns `s` and `e` of a query over one table per event type with its times in the column `t`."""

    def run(trace: Small) -> Answer:
        connection = load("duckdb").connect(":memory:")
        connection.execute("SET threads = 1")
        for name, times in trace.items():
            connection.execute(f"CREATE TABLE {name} (t BIGINT)")
            connection.executemany(f"INSERT INTO {name} VALUES (?)", [[time] for time in times])
        found = connection.execute(f"SELECT s, e FROM ({statement}) ORDER BY e").fetchnumpy()
        return Answer(found["s"].astype(np.int64), found["e"].astype(np.int64))

    return run


def polars_query(query: Callable[[Any, Mapping[str, Any]], Any]) -> Run:
    """The columns `start` and `end` of a query over a frame per event type, with its times in a column of that name."""

    def run(trace: Small) -> Answer:
        package = polars()
        frames = {
            name: package.DataFrame({name: list(times)}, schema={name: package.Int64}).with_columns(
                package.col(name).set_sorted()
            )
            for name, times in trace.items()
        }
        found = query(package, frames)
        return Answer(found["start"].to_numpy(), found["end"].to_numpy())

    return run
