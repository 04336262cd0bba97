"""Plans as SQL: one query for each pattern, in the dialect of DuckDB or of Spark.

A step is a common table expression: `partition`, `start`, `end`, and where instances are wanted `row0` and so on, for
each leaf the `row`, `time` and `value` of its occurrence. What was latest started is looked up by a running maximum.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Literal

import duckdb
import polars as pl
import sqlglot

from detectors.carlson_lisper.columns.batches import Unsuitable
from detectors.carlson_lisper.columns.plan import Plan, Step
from semantics.carlson_lisper.expressions import Bound, Identifier, Operation, bottom_up

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

LOG = "remora_log"  # the table of rows: `partition`, `time`, `event`; `row` and `value` where instances are wanted
TWICE = f'SELECT 1 FROM {LOG} GROUP BY "partition", time, event HAVING count(*) > 1 LIMIT 1'
KEYS = '"partition"', '"start"', '"end"'


def queries_of(
    plan: Plan, dialect: Literal["duckdb", "spark"], *, with_rows: bool, of: tuple[str, str | None] | None = None
) -> Iterator[str]:
    """For each pattern `partition`, `start` and `end` of each detection, and its rows where they are wanted.

    They are of another table with `time` and `event` if it is named, with its column of partitions; then the query is
    laid out for people.
    """
    log = ""
    if of is not None:
        table, column = (
            None if name is None else sqlglot.exp.to_identifier(name, quoted=True).sql("duckdb") for name in of
        )
        log = f'{LOG} AS (SELECT {column or "NULL"} AS "partition", time, event FROM {table}), '
    for result in plan.results:
        steps = bottom_up(result)
        queries = _Queries(plan, steps, with_rows=with_rows)
        tables = ", ".join(f"step{number} AS ({queries.step(step)})" for number, step in enumerate(steps))
        query = f"WITH {log}{tables} SELECT * FROM step{len(steps) - 1}"
        yield sqlglot.transpile(query, read="duckdb", write=dialect, pretty=of is not None)[0]


class _Queries:
    """The text of each step, in the dialect of DuckDB."""

    def __init__(self, plan: Plan, steps: Sequence[Step], *, with_rows: bool) -> None:
        self._plan, self._with_rows = plan, with_rows
        self._table = {step: f"step{number}" for number, step in enumerate(steps)}

    def step(self, step: Step) -> str:
        if isinstance(step, Identifier):
            literal = sqlglot.exp.Literal.string(step.name).sql("duckdb")
            row = ["{'row': \"row\", 'time': time, 'value': value} AS row0"] if self._with_rows else []
            columns = _listed('"partition"', 'time AS "start"', 'time AS "end"', *row)
            return f"SELECT {columns} FROM {LOG} WHERE event = {literal}"
        assert isinstance(step, Operation)
        left, right = step.operands[0], step.operands[-1]
        count, names = len(self._rows(left)), [*self._rows(step)]
        match step.operator:
            case "dis":
                sides = []
                for side, (operand, first) in enumerate(((left, 0), (right, count))):
                    rows = self._rows(operand, first)
                    own = [f"{rows.get(name, 'NULL')} AS {name}" for name in names]
                    columns = _listed(*KEYS, *own, '"start" AS own', f"{side} AS side")
                    sides.append(f"SELECT {columns} FROM {self._table[operand]}")
                return _first(sides, names, "side DESC")
            case "con":
                sides = []
                for side, (one, other, places) in enumerate(((left, right, (0, count)), (right, left, (count, 0)))):
                    joined = self._joined(one, other, on="end", rows=places)
                    columns = _listed('"partition"', 'least("start", best) AS "start"', '"end"', *names)
                    kept = _within('least("start", best)', step.bound)
                    sides.append(f'SELECT {columns}, "start" AS own, {side} AS side FROM ({joined}) WHERE {kept}')
                return _first(sides, names, "side")
            case "neg":
                joined = self._joined(left, right, on="end", rows=(0, None))
                return f'SELECT {_listed(*KEYS, *names)} FROM ({joined}) WHERE best IS NULL OR best < "start"'
            case "seq":
                joined = self._joined(right, left, on="start", rows=(count, 0))
                columns = _listed('"partition"', 'best AS "start"', '"end"', *names)
                return f"SELECT {columns} FROM ({joined}) WHERE {_within('best', step.bound)}"
            case _:
                return f'SELECT * FROM {self._table[left]} WHERE "end" - "start" <= {step.bound}'

    def _rows(self, step: Step, first: int = 0) -> dict[str, str]:
        """The columns of rows of a step, by their names when they are counted from the first."""
        count = len(self._plan.leaves[step]) if self._with_rows else 0
        return {f"row{first + place}": f"row{place}" for place in range(count)}

    def _joined(self, step: Step, other: Step, *, on: str, rows: tuple[int, int | None]) -> str:
        """Each instance with `best`, the start of the latest started one of the other step, as in `plan.Queries`."""
        own = self._rows(step, rows[0])
        others = {} if rows[1] is None else self._rows(other, rows[1])
        packed, best = '"start"', ["latest AS best"]
        if others:
            fields = _listed(*(f"'{name}': {old}" for name, old in others.items()))
            packed = f"{{'best': \"start\", 'sooner': -\"end\", {fields}}}"
            best = [f"latest.{name} AS {name}" for name in ("best", *others)]
        asks = _listed(*KEYS, *(f"{old} AS {name}" for name, old in own.items()))
        nulls = _listed('"partition"', 'NULL AS "start"', 'NULL AS "end"', *(f"NULL AS {name}" for name in own))
        turn = int(on == "end")
        both = (
            f'SELECT {asks}, "{on}" AS at, {turn} AS turn, TRUE AS asks, NULL AS latest FROM {self._table[step]}'
            f' UNION ALL SELECT {nulls}, "end" AS at, {1 - turn} AS turn, FALSE AS asks, {packed} AS latest'
            f" FROM {self._table[other]}"
        )
        columns = _listed(*KEYS, *own)
        looked_up = (
            f'SELECT {columns}, asks, max(latest) OVER (PARTITION BY "partition" ORDER BY at, turn'
            f" ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS latest FROM ({both})"
        )
        return f"SELECT {columns}, {_listed(*best)} FROM ({looked_up}) WHERE asks"


def _first(sides: Sequence[str], names: Sequence[str], then: str) -> str:
    """Of two instances with equal ends, that with the greater `own`."""
    place = f'row_number() OVER (PARTITION BY "partition", "end" ORDER BY own DESC, {then})'
    return f"SELECT {_listed(*KEYS, *names)} FROM ({' UNION ALL '.join(sides)}) QUALIFY {place} = 1"


def _listed(*columns: str) -> str:
    return ", ".join(columns)


def _within(start: str, bound: Bound | None) -> str:
    return "best IS NOT NULL" if bound is None else f'best IS NOT NULL AND "end" - {start} <= {bound}'


def found_by_duckdb(plan: Plan, chunks: Iterable[pl.DataFrame], *, with_rows: bool, partitioned: bool) -> pl.DataFrame:
    """What ends in the rows of a log, which DuckDB keeps, on disk where memory does not hold them.

    Chunks of rows have the columns, and what is returned is, as of `batches.BatchDetection.found`.
    """
    with duckdb.connect() as connection:
        made = False
        for chunk in chunks:
            connection.register("chunk", _columns(chunk, with_rows, partitioned).to_arrow())
            connection.execute(f"{f'INSERT INTO {LOG}' if made else f'CREATE TABLE {LOG} AS'} SELECT * FROM chunk")
            connection.unregister("chunk")
            made = True
        if connection.sql(TWICE).fetchall():
            raise Unsuitable
        found = [connection.sql(query).to_arrow_table() for query in queries_of(plan, "duckdb", with_rows=with_rows)]
    return _in_order(plan, found, with_rows=with_rows, partitioned=partitioned)


def found_by_spark(
    plan: Plan, rows: DataFrame, session: SparkSession, *, with_rows: bool, partitioned: bool
) -> pl.DataFrame:
    """The same by Spark, of a table of rows that has a `partition` in any case."""
    rows.createOrReplaceTempView(LOG)
    if session.sql(sqlglot.transpile(TWICE, read="duckdb", write="spark")[0]).count():
        raise Unsuitable
    found = [session.sql(query).toArrow() for query in queries_of(plan, "spark", with_rows=with_rows)]
    return _in_order(plan, found, with_rows=with_rows, partitioned=partitioned)


def _columns(rows: pl.DataFrame, with_rows: bool, partitioned: bool) -> pl.DataFrame:
    rows = rows if partitioned else rows.with_columns(partition=pl.lit(None, pl.String))
    return rows.select("partition", "time", "event", *(["row", "value"] if with_rows else []))


@contextmanager
def on_spark(
    chunks: Iterable[pl.DataFrame], session: SparkSession, *, with_rows: bool, partitioned: bool
) -> Iterator[DataFrame]:
    """The rows of a log as a table of Spark, by way of Parquet."""
    with TemporaryDirectory(prefix="remora-") as folder:
        for number, chunk in enumerate(chunks):
            _columns(chunk, with_rows, partitioned).write_parquet(Path(folder) / f"{number}.parquet")
        yield session.read.parquet(folder)


def _in_order(plan: Plan, found: Sequence[Any], *, with_rows: bool, partitioned: bool) -> pl.DataFrame:
    """What the queries of a plan's patterns found, tables of Arrow, as one table."""
    tables = []
    for number, (arrow, step) in enumerate(zip(found, plan.results, strict=True)):
        frame = pl.DataFrame(arrow)
        table = frame.select("start", "end", "partition", pattern=pl.lit(number, pl.Int32))
        if with_rows:
            members = []
            for place, event in enumerate(plan.leaves[step]):
                row = pl.col(f"row{place}")
                parts = row.struct.field("row"), pl.lit(event).alias("event"), row.struct.field("time", "value")
                members.append(pl.when(row.is_not_null()).then(pl.struct(*parts)))
            in_time = pl.element().sort_by(pl.element().struct.field("time"), pl.element().struct.field("event"))
            instance = pl.concat_list(members).list.drop_nulls().list.unique().list.eval(in_time)
            table = table.with_columns(frame.select(instance=instance)["instance"])
        tables.append(table)
    whole = pl.concat(tables).sort("end", "pattern", "partition")
    return whole if partitioned else whole.drop("partition")
