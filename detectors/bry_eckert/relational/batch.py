"""Evaluation of a plan over a whole log by a relational engine: DuckDB, or Spark SQL for logs that outgrow one machine.

Both run the queries of `semantics.bry_eckert.algebra.sql`. Each event type is an Arrow table; each
materialization point is a table of the engine, computed once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from semantics.bry_eckert.algebra.plans import Base, Plan, Union, read
from semantics.bry_eckert.algebra.relations import events_of_tuples
from semantics.bry_eckert.algebra.sql import INEXACT, column_name, queries, table_name
from semantics.bry_eckert.programs import Program, by_time
from semantics.bry_eckert.terms import Type
from semantics.errors import InputError
from semantics.events import Event

if TYPE_CHECKING:
    import pyarrow
    from duckdb import DuckDBPyConnection
    from pyspark.sql import DataFrame, SparkSession

TOLERANCE = 1e-12
"""Relational engines round at each addition, in an order of their own, Python once: up to some thousand addends, a sum
or an average of floats differs by at most so much of the sum of their absolute values."""

_REMEDY = "Evaluate without --engine: Python's numbers have no such limit."


def _arrow_types() -> Mapping[Type, Any]:
    import pyarrow

    return {"int": pyarrow.int64(), "float": pyarrow.float64(), "str": pyarrow.string(), "bool": pyarrow.bool_()}


def tables(program: Program, events: Iterable[Event]) -> dict[str, pyarrow.Table]:
    """The events of each declared type as a table with the columns `time`, `start` and its attributes.

    Raises:
        InputError: a number is not one of 64 bits.
    """
    import pyarrow

    rows: dict[str, list[Event]] = {name: [] for name in program.declared}
    for event in events:
        if event.type in rows:
            rows[event.type].append(event)
    types, found = _arrow_types(), {}
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
def in_64_bits() -> Iterator[None]:
    """Where an engine finds a number that is too large for it, the user is told."""
    try:
        yield
    except Exception as error:
        _, inexact, number = str(error).partition(INEXACT)
        if inexact:
            reason = f"the int {number.split()[0]} is {INEXACT.removesuffix(': ')}"
            raise InputError(reason, remedy=_REMEDY) from error
        if isinstance(error, OverflowError) or type(error).__name__ in _TOO_LARGE:
            raise InputError(
                "a number or a time is beyond the 64 bits that relational engines have", remedy=_REMEDY
            ) from error
        raise


_TOO_LARGE = ("OutOfRangeException", "ArithmeticException")
"""What DuckDB and Spark raise, by name: each is loaded only where it is asked for."""


def evaluate_duckdb(
    program: Program, plan: Plan, events: Iterable[Event], connection: DuckDBPyConnection | None = None
) -> list[Event]:
    """Everything that a program derives, by DuckDB.

    Args:
        program: the rules.
        plan: the query plan.
        events: the events.
        connection: a connection in which the tables are made, in the place of those of another evaluation.

    Raises:
        InputError: a number is beyond 64 bits.
    """
    import duckdb

    with in_64_bits(), nullcontext(connection) if connection else duckdb.connect() as opened:
        for name, table in tables(program, events).items():
            opened.register(table_name(name), table)
        for name, query in queries(program, plan, "duckdb"):
            opened.execute(f'CREATE OR REPLACE TABLE "{table_name(name)}" AS {query}')
        return _answers(program, plan, lambda name: opened.execute(f'SELECT * FROM "{table_name(name)}"').fetchall())


def evaluate_spark(program: Program, plan: Plan, events: Iterable[Event], session: SparkSession) -> list[Event]:
    """Everything that a program derives, by Spark SQL.

    Raises:
        InputError: a number is beyond 64 bits.
    """
    with in_64_bits():
        given = {name: session.createDataFrame(table) for name, table in tables(program, events).items()}
        with spark_relations(program, plan, given, session) as found:
            return collected(program, plan, found)


@contextmanager
def spark_relations(
    program: Program, plan: Plan, given: Mapping[str, DataFrame], session: SparkSession
) -> Iterator[dict[str, DataFrame]]:
    """The materialization points of a plan as Spark computes them, when it is asked for one.

    Args:
        program: the rules.
        plan: the query plan.
        given: the events of each declared type, with the columns `time`, `start` and its attributes.
        session: of Spark.
    """
    found: dict[str, DataFrame] = {}
    read_often = _read_often(plan)
    try:
        for name, table in given.items():
            table.createOrReplaceTempView(table_name(name))
        for name, query in queries(program, plan, "spark"):
            found[name] = session.sql(query)
            if name in read_often:
                found[name] = found[name].cache()
            found[name].createOrReplaceTempView(table_name(name))
        yield found
    finally:
        for name in read_often & found.keys():
            found[name].unpersist()
        for name in (*program.declared, *found):
            session.catalog.dropTempView(table_name(name))


def collected(program: Program, plan: Plan, found: Mapping[str, DataFrame]) -> list[Event]:
    """The answers among what Spark computes, in order of time."""
    return _answers(program, plan, lambda name: map(_without_decimals, found[name].collect()))


def _read_often(plan: Plan) -> set[str]:
    """The materialization points that several others read, or that one reads and a user."""
    readers = Counter(
        name
        for part in plan.definitions
        for name in (
            part.expression.relations
            if isinstance(part.expression, Union)
            else [given.relation if isinstance(given, Base) else given.name for given in read(part.expression)]
        )
    )
    return {part.name for part in plan.definitions if readers[part.name] + bool(part.derives) > 1}


def _without_decimals(row: Iterable[Any]) -> tuple[Any, ...]:
    """A row of Spark, which has decimals where constants are ints of more than 64 bits."""
    return tuple(int(value) if isinstance(value, Decimal) else value for value in row)


def _answers(program: Program, plan: Plan, rows: Callable[[str], Iterable[tuple[Any, ...]]]) -> list[Event]:
    found: list[Event] = []
    for name in program.derived:
        found += events_of_tuples(rows(name), plan.schema_of(name), program.signatures[name])
    return sorted(found, key=by_time)
