"""Polars on one thread: joins as of a time on sorted columns, and expressions on masks."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

from benchmarks.subjects import Absent, Answer, NoQuery, Pattern, Prepared, Subject, load
from benchmarks.traces import Trace
from semantics.carlson_lisper.expressions import identifiers

Frames = Mapping[str, Any]
"""A lazy frame for each event type, with one sorted column of that name."""


def polars() -> Any:
    """The package, on one thread.

    Raises:
        Absent: it is not installed, or something else has loaded it with more threads already.
    """
    os.environ["POLARS_MAX_THREADS"] = "1"  # read once, when Polars is imported
    package = load("polars")
    if package.thread_pool_size() != 1:
        raise Absent(f"polars was loaded with {package.thread_pool_size()} threads before")
    return package


def _as_of(left: Any, right: Any, left_on: str, right_on: str, *, equal: bool = False) -> Any:
    """Each row of the left with the latest time of the right before it, or up to it if `equal`."""
    return left.join_asof(
        right,
        left_on=left_on,
        right_on=right_on,
        strategy="backward",
        allow_exact_matches=equal,
        coalesce=False,
        check_sortedness=False,
    )


def _near_repetition(pl: Any, frames: Frames) -> Any:
    start, end = pl.col("start"), pl.col("B")
    near = frames["B"].with_columns(start=end.shift(1)).filter(end - start <= 2)
    within = _as_of(_as_of(near, frames["P"], "B", "P", equal=True), frames["T"], "B", "T", equal=True)
    free = [(pl.col(name) < start).fill_null(True) for name in ("P", "T")]
    return within.filter(free[0] & free[1]).select("start", end="B")


def _sequence(pl: Any, frames: Frames) -> Any:
    return _as_of(frames["B"], frames["A"], "B", "A").drop_nulls("A").select(start="A", end="B")


def _conjunction(pl: Any, frames: Frames) -> Any:
    from_a = _as_of(frames["A"], frames["B"], "A", "B", equal=True).filter(pl.col("A") - pl.col("B") <= 10)
    from_b = _as_of(frames["B"], frames["A"], "B", "A", equal=True).filter(
        pl.col("B") - pl.col("A") <= 10,
        pl.col("B") != pl.col("A"),  # both at once is found from A
    )
    return pl.concat([from_a.select(start="B", end="A"), from_b.select(start="A", end="B")]).sort("end")


def _nested_sequence(pl: Any, frames: Frames) -> Any:
    inner = _as_of(frames["C"], frames["B"], "C", "B").filter(pl.col("C") - pl.col("B") <= 5)
    return _as_of(inner, frames["A"], "B", "A").drop_nulls("A").select(start="A", end="C")


JOINS: Mapping[str, Callable[[Any, Frames], Any]] = {
    "i": _near_repetition,
    "ii": _sequence,
    "iii": _conjunction,
    "iv": _nested_sequence,
}
"""Queries with `join_asof`, by pattern."""


def _prepare_joins(pattern: Pattern, trace: Trace) -> Prepared:
    if pattern.id not in JOINS:
        raise NoQuery
    pl = polars()
    frames = {
        name: pl.DataFrame({name: trace.columns[name]}).with_columns(pl.col(name).set_sorted()).lazy()
        for name in identifiers(pattern.expression)
    }
    query = JOINS[pattern.id]

    def run() -> Answer:
        found = query(pl, frames).collect()
        return Answer(found["start"].to_numpy(), found["end"].to_numpy())

    return lambda: run


# ---------------------------------------------------------------------------------------------------------- masks


def _masked_near_repetition(pl: Any, frame: Any) -> Answer:
    free = ~(pl.col("P") | pl.col("T"))
    b, free_b = pl.col("B"), pl.col("free")
    one = b & b.shift(1, fill_value=False)
    two = b & free_b.shift(1, fill_value=False) & b.shift(2, fill_value=False)
    found = (
        frame.lazy()
        .select(B=b & free, free=free)
        .select(one=one, two=two)
        .select("one", any=pl.col("one") | pl.col("two"))
        .collect()
    )
    ends = found["any"].arg_true()
    near = found["one"].gather(ends)
    ends = ends.cast(pl.Int64)
    return Answer((ends - 2 + near.cast(pl.Int64)).to_numpy(), ends.to_numpy())


def _found(query: Any) -> Answer:
    found = query.drop_nulls("start").collect()
    return Answer(found["start"].to_numpy(), found["end"].to_numpy())


def _tick(pl: Any) -> Any:
    return pl.int_range(pl.len(), dtype=pl.Int64)


def _latest(pl: Any, name: str) -> Any:
    return pl.when(name).then(_tick(pl)).forward_fill()


def _masked_sequence(pl: Any, frame: Any) -> Answer:
    later = pl.col("B")
    start = _latest(pl, "A").shift(1)
    return _found(frame.lazy().select(start=start.filter(later), end=_tick(pl).filter(later)))


def _masked_conjunction(pl: Any, frame: Any) -> Answer:
    either = pl.col("A") | pl.col("B")
    a, b = _latest(pl, "A"), _latest(pl, "B")
    start = pl.when(a.is_not_null() & b.is_not_null()).then(pl.min_horizontal(a, b))
    query = frame.lazy().select(start=start.filter(either), end=_tick(pl).filter(either))
    return _found(query.filter(pl.col("end") - pl.col("start") <= 10))


def _masked_nested_sequence(pl: Any, frame: Any) -> Answer:
    later = pl.col("C")
    b = _latest(pl, "B").shift(1)
    a = pl.when("B").then(_latest(pl, "A").shift(1)).otherwise(None)
    # The A before the latest B: filled with -1 where there is none, so that an earlier B's does not count for it.
    a = pl.when("B").then(a.fill_null(-1)).forward_fill().shift(1)
    query = frame.lazy().select(start=a.filter(later), middle=b.filter(later), end=_tick(pl).filter(later))
    return _found(query.filter(pl.col("end") - pl.col("middle") <= 5, pl.col("start") >= 0))


MASKS: Mapping[str, Callable[[Any, Any], Answer]] = {
    "i": _masked_near_repetition,
    "ii": _masked_sequence,
    "iii": _masked_conjunction,
    "iv": _masked_nested_sequence,
}
"""Expressions over a frame with a Boolean column per event type and a row per tick, by pattern."""


def _prepare_masks(pattern: Pattern, trace: Trace) -> Prepared:
    if pattern.id not in MASKS:
        raise NoQuery
    pl = polars()
    frame = pl.DataFrame({name: trace.mask(name) for name in sorted(identifiers(pattern.expression))})
    query = MASKS[pattern.id]
    return lambda: lambda: query(pl, frame)


SUBJECTS: tuple[Subject, ...] = (
    Subject("polars join_asof", "Polars", "columns", _prepare_joins, package="polars"),
    Subject("polars masks", "Polars", "dense", _prepare_masks, package="polars"),
)
