"""Evaluation of a plan over a whole log by a relational engine: DuckDB, or Spark SQL.

Both run the queries of `semantics.bry_eckert.algebra.sql`. Each event type is an Arrow table; each
materialization point is a table of the engine, computed once.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from decimal import Decimal
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

from semantics.bry_eckert.algebra.plans import RESULT, Base, Plan, Union, data_of, read
from semantics.bry_eckert.algebra.relations import answers_of
from semantics.bry_eckert.algebra.sql import INEXACT, column_name, queries, table_name
from semantics.bry_eckert.programs import Program
from semantics.bry_eckert.temporal import end, start
from semantics.bry_eckert.terms import Type
from semantics.errors import InputError
from semantics.events import Event, quoted

if TYPE_CHECKING:
    import pyarrow
    from duckdb import DuckDBPyConnection
    from pyspark.sql import DataFrame, SparkSession

TOLERANCE = 1e-12
"""Relational engines round at each addition, in an order of their own, Python once: up to some thousand addends, a sum
or an average of floats differs by at most so much of the sum of their absolute values."""

_REMEDY = "Evaluate without --engine: Python's numbers have no such limit."


def tables(program: Program, events: Iterable[Event]) -> dict[str, pyarrow.Table]:
    """The events of each declared type as a table; raises `OverflowError` for a number that is not one of 64 bits."""
    import pyarrow

    types: Mapping[Type, Any] = {
        "int": pyarrow.int64(),
        "float": pyarrow.float64(),
        "str": pyarrow.string(),
        "bool": pyarrow.bool_(),
    }
    rows: dict[str, list[Event]] = defaultdict(list)
    for event in events:
        rows[event.type].append(event)
    found = {}
    for name, declared in program.declared.items():
        columns = {
            "time": pyarrow.array([event.time for event in rows[name]], pyarrow.int64()),
            "start": pyarrow.array([event.start for event in rows[name]], pyarrow.int64()),
        }
        for attribute in declared.attributes:
            values = [event.attributes.get(attribute.name) for event in rows[name]]
            columns[column_name(attribute.name)] = pyarrow.array(values, types[attribute.type])
        found[name] = pyarrow.table(columns)
    return found


@contextmanager
def _in_64_bits() -> Iterator[None]:
    """Where an engine finds a number that is too large for it, the user is told."""
    try:
        yield
    except Exception as error:
        _, inexact, number = str(error).partition(INEXACT)
        if inexact:
            reason = f"the int {number.split()[0]} is {INEXACT.removesuffix(': ')}"
            raise InputError(reason, remedy=_REMEDY) from error
        # What DuckDB and Spark raise, by name: each is loaded only where it is asked for.
        if isinstance(error, OverflowError) or type(error).__name__ in ("OutOfRangeException", "ArithmeticException"):
            reason = "a number or a time is beyond the 64 bits that relational engines have"
            raise InputError(reason, remedy=_REMEDY) from error
        raise


def evaluate_duckdb(
    program: Program, plan: Plan, events: Iterable[Event], connection: DuckDBPyConnection | None = None
) -> list[Event]:
    """Everything that a program derives, by DuckDB; raises `InputError` for a number beyond 64 bits."""
    import duckdb

    with _in_64_bits(), nullcontext(connection) if connection else duckdb.connect() as opened:
        for name, table in tables(program, events).items():
            opened.register(table_name(name), table)
        for name, query in queries(program, plan, "duckdb"):
            opened.execute(f'CREATE OR REPLACE TABLE "{table_name(name)}" AS {query}')
        return answers_of(program, plan, lambda name: opened.execute(f'SELECT * FROM "{table_name(name)}"').fetchall())


def evaluate_spark(
    program: Program,
    plan: Plan,
    events: Iterable[Event],
    session: SparkSession,
    out: Path | None = None,
    wanted: Iterable[str] = (),
) -> list[Event]:
    """Everything that a program derives, by Spark SQL.

    To a folder `out`, Spark writes the answers of the `wanted` types as Parquet, and returns none: a folder
    `event=TYPE` for each, with `start`, `time` and the attributes. Raises `InputError` where a number is beyond 64
    bits, the folder is there already, or attributes of one name have different types.
    """
    found: dict[str, DataFrame] = {}

    def rows(name: str) -> Iterator[tuple[Any, ...]]:
        """Rows of Spark, which has decimals where constants are ints of more than 64 bits."""
        for row in found[name].collect():
            yield tuple(int(value) if isinstance(value, Decimal) else value for value in row)

    readers = Counter(
        name
        for part in plan.definitions
        for name in (
            part.expression.relations
            if isinstance(part.expression, Union)
            else [given.relation if isinstance(given, Base) else given.name for given in read(part.expression)]
        )
    )
    read_often = {part.name for part in plan.definitions if readers[part.name] + bool(part.derives) > 1}
    try:
        with _in_64_bits():
            for name, table in tables(program, events).items():
                session.createDataFrame(table).createOrReplaceTempView(table_name(name))
            for name, query in queries(program, plan, "spark"):
                found[name] = session.sql(query)
                if name in read_often:
                    found[name] = found[name].cache()
                found[name].createOrReplaceTempView(table_name(name))
            if out is not None:
                _write(program, plan, found, sorted(wanted), out)
                return []
            return answers_of(program, plan, rows)
    finally:
        for name in read_often & found.keys():
            found[name].unpersist()
        for name in (*program.declared, *found):
            session.catalog.dropTempView(table_name(name))


_SPARK_TYPES: Mapping[Type, str] = {"int": "bigint", "float": "double", "str": "string", "bool": "boolean"}


def _write(program: Program, plan: Plan, found: Mapping[str, DataFrame], wanted: Iterable[str], folder: Path) -> None:
    from pyspark.errors import PySparkException
    from pyspark.sql import functions as f

    def column(name: Any) -> Any:
        return f.col(f"`{column_name(name).replace('`', '``')}`")

    types: dict[str, Type] = {}
    parts: list[DataFrame] = []
    for name in wanted:
        own = program.signatures[name].types
        for attribute, type in own.items():
            if types.setdefault(attribute, type) != type:
                reason = f"{attribute} is {types[attribute]} in one event type and {type} in {quoted(name)}"
                raise InputError(reason, place="--out", remedy="Write them apart, with --only TYPE.")
        columns = [column(start(RESULT)).alias("start"), column(end(RESULT)).alias("time")]
        for attribute in data_of(plan.schema_of(name)):
            value = column(attribute).cast(_SPARK_TYPES[own[attribute]])
            columns.append((value + 0.0 if own[attribute] == "float" else value).alias(attribute))
        parts.append(found[name].select(*columns, f.lit(name).alias("event")))
    whole = reduce(lambda one, other: one.unionByName(other, allowMissingColumns=True), parts)
    try:
        whole.write.partitionBy("event").mode("errorifexists").parquet(str(folder.absolute()))
    except PySparkException as error:
        if "already exists" not in str(error):
            raise
        reason, remedy = "the folder is there already", "Name another one with --out."
        raise InputError(reason, place=str(folder), remedy=remedy) from None
