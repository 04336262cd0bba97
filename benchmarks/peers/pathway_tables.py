"""The program of 2008, Section 2.1, as interval joins of Pathway, an incremental engine: a thousand events at a time.

A peer of the engines of rules. It keeps every event, as nothing tells it what is over.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from benchmarks.peers.rules_frames import BATCH, HOUR
from benchmarks.subjects import load
from semantics.bry_eckert.programs import by_time
from semantics.events import Event


def incremental(events: Sequence[Event]) -> list[Event]:
    """All C and F that the program derives, by time.

    Raises:
        Absent: Pathway is not installed.
    """
    pw = load("pathway")
    pw.internals.parse_graph.G.clear()  # of an earlier run
    within = pw.temporal.interval
    a, b, d, e = (_table(pw, events, type) for type in "ABDE")
    pairs = a.interval_join_inner(b, a.t, b.t, within(-2 * HOUR, 2 * HOUR), a.x == b.x)
    every_c = _distinct(
        pairs.select(a.x, s=pw.if_else(a.t < b.t, a.t, b.t), e=pw.if_else(a.t < b.t, b.t, a.t))
    )
    followed = every_c.interval_join_inner(d, every_c.e, d.t, within(1, 4 * HOUR), every_c.x == d.x)
    every_d = followed.select(every_c.x, every_c.s, e=d.t)
    every_d = every_d.filter(every_d.e - every_d.s <= 4 * HOUR)
    triples = every_d.interval_join_inner(e, every_d.e, e.t, within(1, HOUR), every_d.x == e.x)
    every_f = _distinct(triples.select(every_d.x, every_d.s, e=e.t))
    found: list[Event] = []
    for type, table in (("C", every_c), ("F", every_f)):

        def keep(key: object, row: Any, time: int, is_addition: bool, type: str = type) -> None:
            assert is_addition, "nothing is withdrawn where events come in order"
            found.append(Event(type, row["s"], row["e"], {"x": row["x"]}))

        pw.io.subscribe(table, keep)
    logging.disable(logging.INFO)  # it tells of every table that it has written
    try:
        pw.run(monitoring_level=pw.MonitoringLevel.NONE)
    finally:
        logging.disable(logging.NOTSET)
    return sorted(found, key=by_time)


def _table(pw: Any, events: Sequence[Event], type: str) -> Any:
    schema = pw.schema_builder({name: pw.column_definition(dtype=int) for name in "tx"})
    # With the time of its own at which Pathway gets a row, which is even, and how often the row is added.
    rows = [
        (one.time, one.attributes["x"], number // BATCH * 2, 1)
        for number, one in enumerate(events)
        if one.type == type
    ]
    return pw.debug.table_from_rows(schema, rows, is_stream=True)


def _distinct(table: Any) -> Any:
    return table.groupby(table.x, table.s, table.e).reduce(table.x, table.s, table.e)
