"""Evaluation of a plan over a whole log by a relational engine: DuckDB, or Spark SQL for logs that outgrow one machine.

Both run the queries of `semantics.bry_eckert.sql`. Each event type is an Arrow table; each materialization point is a
table of the engine, computed once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from semantics.bry_eckert.plans import Base, Plan, Union, read
from semantics.bry_eckert.programs import Program
from semantics.bry_eckert.relations import by_time, events_of_tuples
from semantics.bry_eckert.sql import column_name, queries, table_name
from semantics.bry_eckert.terms import Type
from semantics.events import Event

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import SparkSession


def _arrow_types() -> Mapping[Type, Any]:
    import pyarrow

    return {
        "int": pyarrow.int64(),
        "float": pyarrow.float64(),
        "str": pyarrow.string(),
        "bool": pyarrow.bool_(),
    }


def tables(program: Program, events: Iterable[Event]) -> dict[str, pyarrow.Table]:
    """The events of each declared type as a table with the columns `time`, `start` and its attributes."""
    import pyarrow

    rows: dict[str, list[Event]] = {name: [] for name in program.declared}
    for event in events:
        if event.type in rows:
            rows[event.type].append(event)
    types = _arrow_types()
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


def evaluate_duckdb(program: Program, plan: Plan, events: Iterable[Event]) -> list[Event]:
    """Everything that a program derives, by DuckDB."""
    import duckdb

    with duckdb.connect() as connection:
        for name, table in tables(program, events).items():
            connection.register(table_name(name), table)
        for name, query in queries(plan, "duckdb"):
            connection.execute(f'CREATE TABLE "{table_name(name)}" AS {query}')
        return _answers(
            program, plan, lambda name: connection.execute(f'SELECT * FROM "{table_name(name)}"').fetchall()
        )


def evaluate_spark(
    program: Program, plan: Plan, events: Iterable[Event], session: SparkSession
) -> list[Event]:
    """Everything that a program derives, by Spark SQL."""
    found: dict[str, Any] = {}
    for name, table in tables(program, events).items():
        session.createDataFrame(table).createOrReplaceTempView(table_name(name))
    read_often = _read_often(plan)
    try:
        for name, query in queries(plan, "spark"):
            found[name] = session.sql(query)
            if name in read_often:
                found[name] = found[name].cache()
            found[name].createOrReplaceTempView(table_name(name))
        return _answers(program, plan, lambda name: map(tuple, found[name].collect()))
    finally:
        for name in read_often & found.keys():
            found[name].unpersist()
        for name in (*program.declared, *found):
            session.catalog.dropTempView(table_name(name))


def _read_often(plan: Plan) -> set[str]:
    """The materialization points that several others read, or that one reads and a user."""
    readers = Counter(
        name
        for part in plan.definitions
        for name in (
            part.expression.relations
            if isinstance(part.expression, Union)
            else [
                given.relation if isinstance(given, Base) else given.name for given in read(part.expression)
            ]
        )
    )
    return {part.name for part in plan.definitions if readers[part.name] + bool(part.derives) > 1}


def _answers(program: Program, plan: Plan, rows: Callable[[str], Iterable[tuple[Any, ...]]]) -> list[Event]:
    found: list[Event] = []
    for name in program.derived:
        found += events_of_tuples(rows(name), plan.schema_of(name), program.signatures[name])
    return sorted(found, key=by_time)
