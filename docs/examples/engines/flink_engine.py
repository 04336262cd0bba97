"""Flink SQL (python -m pip install apache-flink, and Java 11 or 17) as a detector: MATCH_RECOGNIZE over a table.

A query takes some seconds. With `--as-written` WITHIN is the bound itself, without a tick more.
"""

import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from fractions import Fraction

from protocol import Event, serve
from pyflink.table import DataTypes, EnvironmentSettings, TableEnvironment

from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.translation.chains import chain_of, flink
from semantics.errors import InputError

BEGIN, TICK, LAST = datetime(1970, 1, 1), timedelta(milliseconds=1), 10**14
"""A tick is a millisecond, and no timestamp is later than the last."""

_environment: list[TableEnvironment] = []


def environment() -> TableEnvironment:
    """The one environment, made when it is asked for."""
    if not _environment:
        _environment.append(TableEnvironment.create(EnvironmentSettings.in_batch_mode()))
        _environment[0].get_config().set("parallelism.default", "1")
        _environment[0].get_config().set("table.local-time-zone", "UTC")
    return _environment[0]


def answer(pattern: Expression, events: Sequence[Event]) -> list[dict]:
    """What Flink finds in a log; of matches with one end each is told."""
    chain = chain_of(pattern)
    if "--as-written" in sys.argv and chain.bound:
        chain = replace(chain, bound=chain.bound - 1)
    query = flink(chain, Fraction(1, 1000))
    if not events:
        return []
    if max(time for time, *_ in events) > LAST:
        raise InputError("a time is beyond the timestamps of Flink")
    row = DataTypes.ROW([DataTypes.FIELD("tick", DataTypes.BIGINT()), DataTypes.FIELD("event", DataTypes.STRING())])
    tables = environment()
    ticks = tables.from_elements([(time, event) for time, event, _ in events], row)
    tables.create_temporary_view("ticks", ticks)
    tables.execute_sql(
        "CREATE TEMPORARY VIEW log AS"
        " SELECT CAST(TO_TIMESTAMP_LTZ(tick, 3) AS TIMESTAMP(3)) AS rowtime, event FROM ticks"
    )
    try:
        with tables.execute_sql(query).collect() as rows:
            # on the way to Python a timestamp may lose a microsecond
            found = [
                {"start": round((start - BEGIN) / TICK), "end": round((end - BEGIN) / TICK)} for start, end in rows
            ]
    finally:
        tables.execute_sql("DROP TEMPORARY VIEW log")
        tables.execute_sql("DROP TEMPORARY VIEW ticks")
    return sorted(found, key=lambda each: (each["end"], each["start"]))


if __name__ == "__main__":
    serve(answer)
