"""Plans run by Polars, over the whole of a log or batch by batch.

Partitions lie one after the other on one axis of time, at `time + number * width`, so far apart that an instance within
one is shorter than any that reaches into another. So they need no loop, only a bound for every join.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import polars as pl

from detectors.carlson_lisper.columns.plan import AntiSemi, AsOf, Both, Filter, Leaf, Merge, Plan, Starts
from semantics.events import Time

Leaves: TypeAlias = Mapping[str, pl.DataFrame]
"""By event type its occurrences: `start` and `end`, which are equal and strictly increasing; `row0`, a row number."""

Latest: TypeAlias = Mapping[int, pl.DataFrame]
"""By step some of its instances that start later than all that ended before: `best`, the start; `at`, the end; rows."""

S, E, BEST, AT = pl.col("start"), pl.col("end"), pl.col("best"), pl.col("at")

LESSER = pl.when(BEST < S).then(BEST).otherwise(pl.when(BEST.is_not_null()).then(S))
"""The lesser of both starts; null where there is one alone."""


class Queries:
    """The queries of a plan over some rows.

    Attributes:
        plan: the plan.
        found: for each step its instances that end in these rows.
    """

    def __init__(
        self, plan: Plan, leaves: Leaves, *, with_rows: bool, longest: Time | None = None, before: Latest | None = None
    ) -> None:
        """The queries over the occurrences of each event type.

        Args:
            with_rows: whether row numbers are carried.
            longest: no instance within a partition is longer; None where there are no partitions.
            before: what is carried from earlier rows; None where there are none.
        """
        self.plan = plan
        self.found: list[pl.LazyFrame] = []
        self._with_rows, self._longest, self._before = with_rows, longest, before
        self._latest: dict[int, pl.LazyFrame] = {}
        for step in plan.steps:
            self.found.append(leaves[step.event].lazy() if isinstance(step, Leaf) else self._operation(step))

    def _operation(self, step: Merge | Both | AntiSemi | AsOf | Filter) -> pl.LazyFrame:
        match step:
            case Filter(operand, bound):
                return self.found[operand].filter(E - S <= bound)
            case Merge(left, right):
                return self._merge(left, right)
            case Both(left, right, bound):
                return self._both(left, right, bound)
            case AntiSemi(left, right):
                joined = self._joined(left, right, on="end", equal=True)
                return joined.filter((BEST < S).fill_null(True)).select("start", "end", *self._rows(left))
            case AsOf(left, right, bound):
                return self._sequence(left, right, bound)

    def _rows(self, number: int, first: int = 0) -> dict[str, pl.Expr]:
        """The row numbers of a step's instances, as columns that are counted from the first."""
        count = len(self.plan.leaves[number]) if self._with_rows else 0
        return {f"row{first + each}": pl.col(f"row{each}") for each in range(count)}

    # ------------------------------------------------------------------------------------------------------- joins

    def latest(self, number: int) -> pl.LazyFrame:
        """The instances of a step that start later than all that ended before, with what is carried."""
        if number not in self._latest:
            found = self.found[number].select(best="start", at="end", **self._rows(number))
            if self._before is not None and number in self._before:
                found = pl.concat([self._before[number].lazy(), found])
                found = found if self._longest is None else found.sort("at")
            starts = self.plan.starts[number]
            if starts == Starts.ANY:
                found = found.filter((BEST > BEST.cum_max().shift(1)).fill_null(True))
            elif starts == Starts.NONDECREASING and self._with_rows:
                found = found.filter((BEST > BEST.shift(1)).fill_null(True))
            self._latest[number] = found
        return self._latest[number]

    def _joined(
        self, number: int, other: int, *, on: str, equal: bool, rows: tuple[int, int | None] = (0, None)
    ) -> pl.LazyFrame:
        """Each instance with `best`, the start of the latest started one of the other step that had ended, or null."""
        points = self.plan.starts[other] == Starts.POINTS
        latest = self.latest(other).select(
            *(["at"] if points else ["at", "best"]), **{} if rows[1] is None else self._rows(other, rows[1])
        )
        found = self.found[number].select("start", "end", **self._rows(number, rows[0]))
        if on == "start" and self.plan.starts[number] == Starts.ANY:
            found = found.sort("start")
        joined = found.join_asof(
            latest, left_on=on, right_on="at", allow_exact_matches=equal, check_sortedness=False, coalesce=False
        )
        return joined.rename({"at": "best"}) if points else joined

    def _within(self, bound: Time | None) -> pl.Expr:
        """Whether there is an instance from `start` on that is short enough, and lies within one partition."""
        bounds = [each for each in (bound, self._longest) if each is not None]
        return E - S <= min(bounds) if bounds else S.is_not_null()

    def _sequence(self, left: int, right: int, bound: Time | None) -> pl.LazyFrame:
        places = len(self._rows(left)), 0
        is_sorted = self.plan.starts[right] != Starts.ANY
        if left == right and self.plan.starts[left] == Starts.POINTS and self._before is None:
            shifted = {name: row.shift(1) for name, row in self._rows(left).items()}
            joined = self.found[left].select("end", best=E.shift(1), **self._rows(left, places[0]), **shifted)
        else:
            joined = self._joined(right, left, on="start", equal=False, rows=places)
        names = [*self._rows(left), *self._rows(right, places[0])]
        found = joined.select("end", *names, start="best").filter(self._within(bound))
        return found if is_sorted else found.sort("end")

    # ---------------------------------------------------------------------------------------------------- merging

    def _merge(self, left: int, right: int) -> pl.LazyFrame:
        sides = [self.found[left], self.found[right].select("start", "end", **self._rows(right, self._count(left)))]
        if not self._with_rows:
            return self._greatest(sides, alike=self.plan.starts[left] == self.plan.starts[right] == Starts.POINTS)
        return self._first(pl.concat(sides, how="diagonal"), "start", left_wins=False)

    def _both(self, left: int, right: int, bound: Time | None) -> pl.LazyFrame:
        count = self._count(left)
        halves = [
            self._joined(left, right, on="end", equal=True, rows=(0, count)),
            self._joined(right, left, on="end", equal=True, rows=(count, 0)),
        ]
        kinds = self.plan.starts[left], self.plan.starts[right]
        if self._with_rows:
            names = [*self._rows(left), *self._rows(right, count)]
            halves = [half.select("end", *names, own="start", start=LESSER) for half in halves]
        elif kinds == (Starts.POINTS, Starts.POINTS):  # what occurs at one time with another is of the left half
            halves = [half.select("end", start="best") for half in halves]
            halves[1] = halves[1].filter(S < E)
        else:
            halves = [half.select("end", start=LESSER) for half in halves]
        halves = [half.filter(self._within(bound)) for half in halves]
        if self._with_rows:
            return self._first(pl.concat(halves), "own", left_wins=True)
        if kinds == (Starts.POINTS, Starts.POINTS):
            return pl.concat(halves).sort("end")
        return self._greatest(halves, alike=Starts.ANY not in kinds)

    def _count(self, number: int) -> int:
        return len(self._rows(number))

    @staticmethod
    def _greatest(sides: Sequence[pl.LazyFrame], *, alike: bool) -> pl.LazyFrame:
        """Both sides by end, with the greatest start of equal ends."""
        merged = pl.concat([side.select("start", "end") for side in sides]).sort("end")
        if not alike:
            greatest = pl.when(E == E.shift(1)).then(pl.max_horizontal(S, S.shift(1))).otherwise(S)
            merged = merged.with_columns(start=greatest)
        return merged.filter((E != E.shift(-1)).fill_null(True))

    @staticmethod
    def _first(sides: pl.LazyFrame, by: str, *, left_wins: bool) -> pl.LazyFrame:
        """Both sides by end; of two with equal ends that with the greater value in a column."""
        own = pl.col(by)
        before, after = own.shift(1), own.shift(-1)  # the left side comes first
        is_second = (E == E.shift(1)) & (own <= before if left_wins else own < before)
        is_first = (E == E.shift(-1)) & (own < after if left_wins else own <= after)
        lost = is_second.fill_null(False) | is_first.fill_null(False)
        merged = sides.sort("end", maintain_order=True).filter(~lost)
        return merged.drop("own") if by == "own" else merged
