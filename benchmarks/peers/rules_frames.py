"""The program of 2008, Section 2.1, by hand in Polars: joins of a thousand new events at a time with what is kept.

An incremental peer of the engines of rules. An answer comes with the last event of its thousand, and not at its time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from benchmarks.peers.polars_frames import polars
from semantics.bry_eckert.programs import by_time
from semantics.events import Event

BATCH = 1_000
"""So many events are joined at once."""

HOUR = 60
"""In ticks."""


def incremental(events: Sequence[Event]) -> list[Event]:
    """All C and F that the program derives, by time.

    Raises:
        Absent: Polars is not installed.
    """
    found: list[Event] = []
    for batch in _batches(polars(), events):
        found += batch
    return sorted(found, key=by_time)


def _batches(pl: Any, events: Sequence[Event]) -> Iterator[list[Event]]:
    at, begin, finish = pl.col("t"), pl.col("s"), pl.col("e")
    kept: dict[str, Any] = {}
    for first in range(0, len(events), BATCH):
        batch = events[first : first + BATCH]
        now = batch[-1].time
        new = {
            type: pl.DataFrame(
                [(e.time, e.attributes["x"]) for e in batch if e.type == type],
                schema={"t": pl.Int64, "x": pl.Int64},
                orient="row",
            )
            for type in "ABDE"
        }

        def with_old(name: str, frame: Any) -> Any:
            return pl.concat([kept[name], frame]) if name in kept else frame  # noqa: B023  # called in this round

        every_a, every_b = with_old("A", new["A"]), with_old("B", new["B"])
        pairs = [new["A"].join(every_b, on="x", suffix="_2")]
        if "A" in kept:
            pairs.append(kept["A"].join(new["B"], on="x", suffix="_2"))
        new_c = (
            pl.concat(pairs)
            .select("x", s=pl.min_horizontal("t", "t_2"), e=pl.max_horizontal("t", "t_2"))
            .filter(finish - begin <= 2 * HOUR)
        )
        every_c = with_old("C", new_c)
        followed = every_c.join(new["D"], on="x").filter(finish < at, at - begin <= 4 * HOUR)
        every_d = with_old("CD", followed.select("x", "s", d="t"))
        new_f = every_d.join(new["E"], on="x").filter(pl.col("d") < at, at - pl.col("d") <= HOUR)
        kept = {
            "A": every_a.filter(at >= now - 2 * HOUR),
            "B": every_b.filter(at >= now - 2 * HOUR),
            "C": every_c.filter(begin >= now - 4 * HOUR),
            "CD": every_d.filter(pl.col("d") >= now - HOUR),
        }
        rows = [("C", row) for row in new_c.select("s", "e", "x").unique().iter_rows()]
        rows += [("F", row) for row in new_f.select("s", "t", "x").unique().iter_rows()]
        yield [Event(type, start, end, {"x": x}) for type, (start, end, x) in rows]
