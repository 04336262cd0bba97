"""Detection by Polars batch by batch, in memory that does not grow with the log.

Of each step whose instances are looked up later, the latest started one of each partition is carried on; and for A ; B,
for each start that a later instance of B may have (those of carried instances), the latest started A before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import polars as pl

from detectors.carlson_lisper.columns.plan import AT, E, Plan, Queries, S, Step
from semantics.carlson_lisper.expressions import Operation, evaluate_bound
from semantics.events import Time

MOST = 1 << 62  # the greatest place on the common axis of time of all partitions
NO_PARTITION = "\0"  # in the place of the key of rows that have none; no text of a log has this character


class Unsuitable(Exception):
    """Rows that cannot be evaluated by columns: out of order, a type twice at one time, too many partitions."""


class BatchDetection:
    """The detection of patterns in rows that come in batches; whole instances are wanted, or starts and ends."""

    def __init__(self, plan: Plan, *, with_rows: bool, partitioned: bool = False) -> None:
        self.time: Time = -1  # of the last instant that was evaluated; -1 before the first
        self._plan, self._with_rows = plan, with_rows
        self._axis = _Axis() if partitioned else None
        self.carried: dict[Step, pl.DataFrame] = {}  # by step the instances that later ones may need
        self._rows = pl.DataFrame()

    def found(self, rows: pl.DataFrame, *, last: bool = False) -> pl.DataFrame:
        """What ends in some rows; `last` says that no more come; `Unsuitable` where they are not as they have to be.

        Rows are complete instants in order of time, later than those before: `time`, `event`; `row` and `value` where
        instances are wanted; `partition` where there are partitions. Found are `pattern`, the number of a pattern,
        `start`, `end`; `partition` where there are partitions; and `instance` where wanted, a list of `row`, `event`,
        `time` and `value`. Ordered by `end`, then pattern, then partition.
        """
        plan, axis, before = self._plan, self._axis, self.carried
        if rows.height and (rows["time"][0] <= self.time or not rows["time"].is_sorted()):
            raise Unsuitable
        placed, before = (rows.with_columns(start="time"), before) if axis is None else axis.placed(rows, before)
        longest, leaves = None if axis is None else axis.longest, self._leaves(placed)
        queries = Queries(plan, leaves, with_rows=self._with_rows, longest=longest, before=before or None)
        wanted = [queries.found[step] for step in plan.results]
        remembered = [] if last else plan.remembered
        found = pl.collect_all([*wanted, *map(queries.latest, remembered)], engine="in-memory")
        if rows.height:
            self.time = rows["time"][-1]
        known = pl.concat([self._rows, rows], how="diagonal_relaxed") if self._with_rows else rows
        if not last:
            latest = dict(zip(remembered, found[len(wanted) :], strict=True))
            self.carried = _carried(plan, latest, self.time, axis)
            if self._with_rows:  # those that carried instances consist of are kept
                columns = [each[name] for each in self.carried.values() for name in each.columns if name[:3] == "row"]
                used = pl.concat([column.rename("row") for column in columns]) if columns else known["row"].clear()
                self._rows = known.join(used.unique().to_frame(), on="row", how="semi")
        return self._detections(found[: len(wanted)], known)

    def _leaves(self, placed: pl.DataFrame) -> dict[str, pl.DataFrame]:
        """The occurrences of each event type by place."""
        columns = {"start": S, "end": S, **({"row0": pl.col("row")} if self._with_rows else {})}
        apart = placed.partition_by("event", as_dict=True, include_key=False)
        leaves = {}
        for event in self._plan.events:
            leaf = apart.get((event,), placed.clear()).select(**columns)
            leaf = leaf if self._axis is None else leaf.sort("end")
            if (leaf["end"].diff() < 1).any():
                raise Unsuitable
            leaves[event] = leaf.with_columns(S.set_sorted(), E.set_sorted())
        return leaves

    def _detections(self, found: Sequence[pl.DataFrame], known: pl.DataFrame) -> pl.DataFrame:
        frames = []
        for number, (frame, step) in enumerate(zip(found, self._plan.results, strict=True)):
            frames.append(frame.select("start", "end", pattern=pl.lit(number, pl.Int32)))
            if self._with_rows:
                frames[-1] = frames[-1].with_columns(instance=_members(frame, self._plan.leaves[step], known))
        whole = pl.concat(frames)
        if self._axis is not None:
            return self._axis.taken_apart(whole)
        return whole if len(frames) == 1 else whole.sort("end", maintain_order=True)


def _members(found: pl.DataFrame, leaves: Sequence[str], known: pl.DataFrame) -> pl.Series:
    """The occurrences that instances consist of, by time, then event type."""
    numbered = found.with_row_index("owner")
    members = pl.concat(
        numbered.select("owner", event=pl.lit(event), row=pl.col(f"row{place}")) for place, event in enumerate(leaves)
    )
    return (
        members.lazy()
        .drop_nulls("row")
        .unique(["owner", "row"])
        .join(known.lazy().select("row", "time", "value"), on="row", how="left")
        .sort("owner", "time", "event")
        .select("owner", instance=pl.struct("row", "event", "time", "value"))
        .group_by("owner", maintain_order=True)
        .agg("instance")
        .collect(engine="in-memory")["instance"]
    )


def _carried(plan: Plan, latest: dict[Step, pl.DataFrame], time: Time, axis: _Axis | None) -> dict[Step, pl.DataFrame]:
    """What of the latest started instances of each step is carried on, by increasing end."""
    last = {step: frame.tail(1) if axis is None else axis.last_ones(frame) for step, frame in latest.items()}
    carried = {step: [frame] for step, frame in last.items()}
    live: dict[Step, pl.Series] = {}  # the starts that an instance may have that ends later and starts in these rows
    for step in plan.steps:
        if not isinstance(step, Operation):
            live[step] = pl.Series("start", [], pl.Int64)
            continue
        left, right = step.operands[0], step.operands[-1]
        found = [live[left]] if step.operator in ("neg", "seq") else [live[operand] for operand in step.operands]
        if step.operator == "con":
            found += [last[left]["best"], last[right]["best"]]
        elif step.operator == "seq":  # the latest started A that ended before a start of B
            how: Any = {"allow_exact_matches": False, "coalesce": False}
            joined = live[right].to_frame().join_asof(latest[left], left_on="start", right_on="at", **how)
            same = AT.is_not_null() if axis is None else AT // axis.width == S // axis.width
            carried[left].append(joined.filter(same).select(latest[left].columns))
            found += [last[left]["best"], carried[left][-1]["best"]]
        starts = pl.concat([each.rename("start") for each in found]).unique().sort()
        if step.bound is not None:
            ages = time - starts if axis is None else time - axis.origin - starts % axis.width
            starts = starts.filter(ages <= evaluate_bound(step.bound))
        live[step] = starts
    return {step: pl.concat(some).unique("at").sort("at") for step, some in carried.items()}


class _Axis:
    """The axis of time on which partitions lie one after the other."""

    def __init__(self) -> None:
        self.origin: Time = -1
        self.longest = 1
        self._categories = pl.Categories.random()
        self._keeps = pl.Series([NO_PARTITION], dtype=pl.Categorical(self._categories))  # numbers last as long
        self._dtype: pl.DataType | None = None
        self._number = 0

    @property
    def width(self) -> int:
        return 2 * (self.longest + 1)

    def placed(
        self, rows: pl.DataFrame, before: dict[Step, pl.DataFrame]
    ) -> tuple[pl.DataFrame, dict[Step, pl.DataFrame]]:
        """Rows with their place `start`; and what was carried, on the axis as it has become."""
        if not rows.height:
            return rows.with_columns(start="time"), before
        self._dtype = rows.schema["partition"]
        if self.origin < 0:
            self.origin = rows["time"][0]
        keys = rows["partition"].cast(pl.String).fill_null(NO_PARTITION)
        numbers = keys.cast(pl.Categorical(self._categories)).to_physical().cast(pl.Int64)
        self._number = max(self._number, cast(int, numbers.max()) + 1)
        old, span = self.width, rows["time"][-1] - self.origin
        while self.longest < span:
            self.longest = 2 * self.longest + 1
        if self._number * self.width > MOST:
            raise Unsuitable
        if self.width != old:
            moved = {name: pl.col(name) // old * self.width + pl.col(name) % old for name in ("best", "at")}
            before = {number: frame.with_columns(**moved) for number, frame in before.items()}
        place = numbers * self.width + (rows["time"] - self.origin)
        return rows.with_columns(start=place), before

    def last_ones(self, latest: pl.DataFrame) -> pl.DataFrame:
        """The last row of each partition."""
        partition = AT // self.width
        return latest.filter((partition != partition.shift(-1)).fill_null(True))

    def taken_apart(self, found: pl.DataFrame) -> pl.DataFrame:
        """Detections with times and partitions in the place of places, in their order."""
        dtype = self._dtype or pl.String
        if not found.height:
            return found.with_columns(partition=pl.Series([], dtype=dtype))
        number, partition = E // self.width, pl.col("partition")
        key = pl.col("number").cast(pl.UInt32).cat.to(pl.Categorical(self._categories)).cast(pl.String)
        used = found.select(number=number).unique().with_columns(partition=key)
        named = used.sort("partition").with_row_index("rank")
        named = named.with_columns(pl.when(partition != NO_PARTITION).then(partition.cast(dtype)))
        placed = found.with_columns(number=number, start=S % self.width, end=E % self.width)
        ordered = placed.join(named, on="number", how="left").sort("end", "pattern", "rank")
        return ordered.with_columns(S + self.origin, E + self.origin).drop("number", "rank")
