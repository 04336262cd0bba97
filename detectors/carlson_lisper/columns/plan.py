"""Query plans of patterns, and their queries in Polars.

By Theorem 4.6 every operand may be restricted (Def. 3.12). So a step of a plan yields a table of instances: `start` and
`end`, one instance for each end, the one with the greatest start, by increasing end. Each operator is a short query:

    A | B   merge by end, and keep the greatest start of equal ends; of equal starts the right one
    A + B   join each A with the latest started B that has ended, each B likewise, and merge: of two with equal ends the
            one whose operand that ends there starts later, the left one if both start together
    A - B   drop each A that does not start after the latest started B that has ended
    A ; B   join each B with the latest started A that ended before B starts
    A[t]    keep what is at most t ticks long

For whole instances a row carries the number of a log row for each event type that is not negated. Partitions lie on
one axis, at `time + number * width`, farther apart than an instance is long.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, TypeAlias

import polars as pl

from detectors.carlson_lisper.source.transformation import transform
from semantics.carlson_lisper import expressions
from semantics.carlson_lisper.expressions import Bound, Expression, Identifier, Operation, fold
from semantics.errors import LimitExceeded
from semantics.events import Time

Step: TypeAlias = Expression  # an event type, or an operation on earlier steps; conjunctions and sequences have bounds


class Starts(IntEnum):
    """What is known of the starts of instances when they are sorted by end."""

    ANY = 0
    NONDECREASING = 1
    POINTS = 2


@dataclass(frozen=True)
class Plan:
    """The plan of some patterns; parts that they have in common are one step."""

    steps: tuple[Step, ...]  # operands before what uses them
    results: tuple[Step, ...]  # the step of each pattern
    starts: Mapping[Step, Starts] = field(repr=False)  # by step, what is known of its starts
    # by step, the event types of its instances' occurrences, in the order of their columns
    leaves: Mapping[Step, tuple[str, ...]] = field(repr=False)

    @property
    def events(self) -> tuple[str, ...]:
        """The event types of all patterns, sorted."""
        return tuple(sorted(step.name for step in self.steps if isinstance(step, Identifier)))

    @property
    def depth(self) -> int:
        """How many steps lie upon each other at most."""
        return max(fold(each, lambda _: 1, lambda _, operands, __: 1 + max(operands)) for each in self.results)

    @property
    def remembered(self) -> list[Step]:
        """The steps of which an instance is looked up after it has ended."""
        looked_up = {"con": slice(0, 2), "neg": slice(1, 2), "seq": slice(0, 1)}
        operations = [step for step in self.steps if isinstance(step, Operation) and step.operator in looked_up]
        found = {operand for step in operations for operand in step.operands[looked_up[step.operator]]}
        return [step for step in self.steps if step in found]


def plan_of(patterns: Sequence[Expression]) -> Plan:
    """The plan of some ground patterns; `LimitExceeded` for an operator that detectors do not know, or queries."""
    starts: dict[Step, Starts] = {}
    leaves: dict[Step, tuple[str, ...]] = {}

    def operation(node: Operation, operands: tuple[Step, ...]) -> Step:
        left, right = operands[0], operands[-1]
        if node.operator == "neg":  # A - (B | C) is (A - B) - C, so that nothing has to be merged
            pending = [right]
            while pending:
                each = pending.pop()
                if isinstance(each, Operation) and each.operator == "dis":
                    pending += reversed(each.operands)
                else:
                    left = left - each
            return left
        if node.bound is None:
            return Operation(node.operator, operands)
        if fold(left, lambda _: Starts.POINTS, _starts_of, starts) == Starts.POINTS:
            return left
        if isinstance(left, Operation) and left.operator in ("con", "seq") and left.bound is None:
            return Operation(left.operator, left.operands, node.bound)
        return left[node.bound]

    results = tuple(expressions.rebuilt(transform(pattern).expression, operation) for pattern in patterns)
    for result in results:
        fold(result, lambda _: Starts.POINTS, _starts_of, starts)
        fold(result, lambda event: (event,), _leaves_of, leaves)
    steps = tuple(dict.fromkeys(step for each in results for step in expressions.bottom_up(each)))
    return Plan(steps, results, starts, leaves)


def _starts_of(operator: str, operands: Sequence[Starts], _: Bound | None) -> Starts:
    match operator:
        case "dis":
            return Starts.POINTS if min(operands) == Starts.POINTS else Starts.ANY
        case "con":  # the lesser of two latest starts, neither of which decreases
            return min(*operands, Starts.NONDECREASING)
        case "seq":  # the latest start before one that does not decrease
            return min(operands[1], Starts.NONDECREASING)
        case "neg" | "tim":
            return operands[0]
    remedy = "Add it to columns/plan.py and columns/sql_plan.py, or take `--engine steps`."
    raise LimitExceeded(f"no query is stated for the operator {operator}", remedy=remedy)


def _leaves_of(operator: str, operands: Sequence[tuple[str, ...]], _: Bound | None) -> tuple[str, ...]:
    return operands[0] if operator == "neg" else sum(operands, ())


S, E, BEST, AT = pl.col("start"), pl.col("end"), pl.col("best"), pl.col("at")
LESSER = pl.when(BEST < S).then(BEST).otherwise(pl.when(BEST.is_not_null()).then(S))  # null where there is one alone


class Queries:
    """The queries of a plan over the occurrences of each event type.

    Leaves are the occurrences by event type: `start` and `end`, equal and strictly increasing; `row0`, a row number.
    Within a partition no instance is longer than `longest`. Those before are, by step, some earlier instances that
    start later than all that ended before: `best`, the start; `at`, the end; rows.
    """

    def __init__(
        self,
        plan: Plan,
        leaves: Mapping[str, pl.DataFrame],
        *,
        with_rows: bool,
        longest: Time | None = None,
        before: Mapping[Step, pl.DataFrame] | None = None,
    ) -> None:
        self.plan = plan
        self.found: dict[Step, pl.LazyFrame] = {}  # for each step its instances that end in these rows
        self._with_rows, self._longest, self._before = with_rows, longest, before
        self._latest: dict[Step, pl.LazyFrame] = {}
        for step in plan.steps:
            if isinstance(step, Operation):
                self.found[step] = self._operation(step)
            elif isinstance(step, Identifier):
                self.found[step] = leaves[step.name].lazy()

    def _operation(self, step: Operation) -> pl.LazyFrame:
        left, right = step.operands[0], step.operands[-1]
        starts, count = self.plan.starts, len(self._rows(left))
        names, within = [*self._rows(left), *self._rows(right, count)], self._within(step.bound)
        match step.operator:
            case "dis":
                sides = [self.found[left], self.found[right].select("start", "end", **self._rows(right, count))]
                if self._with_rows:
                    return _first(pl.concat(sides, how="diagonal"), "start", left_wins=False)
                return _greatest(sides, alike=starts[left] == starts[right] == Starts.POINTS)
            case "con":
                halves = [
                    self._joined(left, right, on="end", rows=(0, count)),
                    self._joined(right, left, on="end", rows=(count, 0)),
                ]
                if self._with_rows:
                    halves = [half.select("end", *names, own="start", start=LESSER).filter(within) for half in halves]
                    return _first(pl.concat(halves), "own", left_wins=True)
                if min(starts[left], starts[right]) == Starts.POINTS:
                    halves = [half.select("end", start="best").filter(within) for half in halves]
                    halves[1] = halves[1].filter(S < E)  # what occurs at one time with another is of the left half
                    return pl.concat(halves).sort("end")
                halves = [half.select("end", start=LESSER).filter(within) for half in halves]
                return _greatest(halves, alike=Starts.ANY not in (starts[left], starts[right]))
            case "neg":
                joined = self._joined(left, right, on="end", rows=(0, None))
                return joined.filter((BEST < S).fill_null(True)).select("start", "end", *self._rows(left))
            case "seq":
                if left == right and starts[left] == Starts.POINTS and self._before is None:
                    shifted = {name: row.shift(1) for name, row in self._rows(left).items()}
                    joined = self.found[left].select("end", best=E.shift(1), **self._rows(left, count), **shifted)
                else:
                    joined = self._joined(right, left, on="start", rows=(count, 0))
                found = joined.select("end", *names, start="best").filter(within)
                return found.sort("end") if starts[right] == Starts.ANY else found
            case _:
                return self.found[left].filter(within)

    def _rows(self, step: Step, first: int = 0) -> dict[str, pl.Expr]:
        """The row numbers of a step's instances, as columns that are counted from the first."""
        count = len(self.plan.leaves[step]) if self._with_rows else 0
        return {f"row{first + each}": pl.col(f"row{each}") for each in range(count)}

    def latest(self, step: Step) -> pl.LazyFrame:
        """The instances of a step that start later than all that ended before, with what is carried."""
        if step not in self._latest:
            found = self.found[step].select(best="start", at="end", **self._rows(step))
            if self._before is not None and step in self._before:
                found = pl.concat([self._before[step].lazy(), found])
                found = found if self._longest is None else found.sort("at")
            starts = self.plan.starts[step]
            if starts == Starts.ANY:
                found = found.filter((BEST > BEST.cum_max().shift(1)).fill_null(True))
            elif starts == Starts.NONDECREASING and self._with_rows:
                found = found.filter((BEST > BEST.shift(1)).fill_null(True))
            self._latest[step] = found
        return self._latest[step]

    def _joined(self, step: Step, other: Step, *, on: str, rows: tuple[int, int | None]) -> pl.LazyFrame:
        """Each instance with `best`, the start of the latest started one of the other step that had ended, or null.

        It had ended by the end of the instance, or before its start; rows of both are counted from these numbers.
        """
        points = self.plan.starts[other] == Starts.POINTS
        others = {} if rows[1] is None else self._rows(other, rows[1])
        latest = self.latest(other).select(*(["at"] if points else ["at", "best"]), **others)
        found = self.found[step].select("start", "end", **self._rows(step, rows[0]))
        if on == "start" and self.plan.starts[step] == Starts.ANY:
            found = found.sort("start")
        how: Any = {"allow_exact_matches": on == "end", "check_sortedness": False, "coalesce": False}
        joined = found.join_asof(latest, left_on=on, right_on="at", **how)
        return joined.rename({"at": "best"}) if points else joined

    def _within(self, bound: Bound | None) -> pl.Expr:
        """Whether there is an instance from `start` on that is short enough, and lies within one partition."""
        bounds = (None if bound is None else expressions.evaluate_bound(bound), self._longest)
        known = [each for each in bounds if each is not None]
        return E - S <= min(known) if known else S.is_not_null()


def _greatest(sides: Sequence[pl.LazyFrame], *, alike: bool) -> pl.LazyFrame:
    """Both sides by end, with the greatest start of equal ends."""
    merged = pl.concat([side.select("start", "end") for side in sides]).sort("end")
    if not alike:
        greatest = pl.when(E == E.shift(1)).then(pl.max_horizontal(S, S.shift(1))).otherwise(S)
        merged = merged.with_columns(start=greatest)
    # `start` is asked for so that it is sorted along: of a column alone Polars does not see that it is sorted in parts
    return merged.filter((E != E.shift(-1)).fill_null(True) & (S <= E))


def _first(sides: pl.LazyFrame, by: str, *, left_wins: bool) -> pl.LazyFrame:
    """Both sides by end; of two with equal ends that with the greater value in a column."""
    own = pl.col(by)
    before, after = own.shift(1), own.shift(-1)  # the left side comes first
    is_second = (E == E.shift(1)) & (own <= before if left_wins else own < before)
    is_first = (E == E.shift(-1)) & (own < after if left_wins else own <= after)
    lost = is_second.fill_null(False) | is_first.fill_null(False)
    merged = sides.sort("end", maintain_order=True).filter(~lost)
    return merged.drop("own") if by == "own" else merged
