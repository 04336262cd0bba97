"""Polars as a detector: operators are joins by inequalities, and of equal ends the latest start stays."""

from collections.abc import Sequence

import polars as pl
from protocol import Event, serve

from semantics.carlson_lisper.expressions import Expression, fold

START, END = pl.col("start"), pl.col("end")
OTHER_START, OTHER_END = pl.col("start_right"), pl.col("end_right")


def answer(pattern: Expression, events: Sequence[Event]) -> list[dict]:
    """What Polars finds in a log."""
    rows = [(event, time, time) for time, event, _ in events]
    log = pl.DataFrame(rows, {"event": pl.String, "start": pl.Int64, "end": pl.Int64}, orient="row")

    def occurrences(name: str) -> pl.DataFrame:
        return log.filter(pl.col("event") == name).select("start", "end")

    def operation(operator: str, operands: Sequence[pl.DataFrame], bound: object) -> pl.DataFrame:
        left, right = operands[0], operands[-1]
        match operator:
            case "dis":
                found = pl.concat([left, right])
            case "con":
                pairs = left.join(right, how="cross")
                found = pairs.select(pl.min_horizontal(START, OTHER_START), pl.max_horizontal(END, OTHER_END))
            case "seq":
                pairs = left.join_where(right, END < OTHER_START)
                found = pairs.select("start", end="end_right")
            case "neg":
                within = left.join_where(right, START <= OTHER_START, OTHER_END <= END)
                found = left.join(within, on=["start", "end"], how="anti")
            case _:
                found = left.filter(END - START <= bound)
        return found.unique()

    found = fold(pattern, occurrences, operation).group_by("end").agg(START.max()).sort("end")
    return found.select("start", "end").to_dicts()


if __name__ == "__main__":
    serve(answer)
