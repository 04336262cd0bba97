"""Evaluation of a plan over a whole log by a relational engine, DuckDB or Spark SQL: one query for each point.

Each event type is an Arrow table with the columns `time`, `start` and its attributes, each point a table of the engine.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from decimal import Decimal
from functools import lru_cache, reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from sqlglot.expressions import convert

from semantics.bry_eckert import terms
from semantics.bry_eckert.algebra import plans
from semantics.bry_eckert.algebra.relations import answers_of
from semantics.bry_eckert.programs import Program
from semantics.bry_eckert.temporal import Column, Temporal, TimeStamp, end, is_stamp, start
from semantics.bry_eckert.terms import AGGREGATES, Arithmetic, Comparison, Constant, Term, Type, Variable, type_of
from semantics.errors import InputError
from semantics.events import Event, quoted
from semantics.traces.watermark import PENDING, Watermark

if TYPE_CHECKING:
    import pyarrow
    from duckdb import DuckDBPyConnection
    from pyspark.sql import DataFrame, SparkSession

Dialect: TypeAlias = Literal["duckdb", "spark"]

Typed: TypeAlias = tuple[str, Mapping[str, Type]]
"""A query or a part of one, and the types of its data; where equal values of two types join, that of the left."""

_TABLE_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")

LEFT, RIGHT = "l", "r"  # the names of the two sides of a join in its query

EXACT = 2**53  # up to this number, every int has a 64-bit float of its own

INEXACT = "beyond 2^53, relational engines do not tell such a number from others where it is compared with floats: "
"""Begins what is said of an int; the int follows."""

BEYOND = "beyond the floats on the way to a sum"  # in an order of their own


@lru_cache(maxsize=8)  # writing a query takes longer than it takes for the few events of a partition
def queries(program: Program, plan: plans.Plan, dialect: Dialect) -> tuple[tuple[plans.Name, str], ...]:
    """The query of each point, which may fail with `INEXACT`; `OverflowError` for a constant beyond 64 bits."""
    writer, found = _Writer(program, plan, dialect), list[tuple[plans.Name, str]]()
    for part in plan.definitions:
        query, writer.known[part.name] = writer.defined(part.expression)
        found.append((part.name, query))
    return tuple(found)


class _Writer:
    """The query of an expression; each operator is a query over those of its parts. Of points, the types are known."""

    def __init__(self, program: Program, plan: plans.Plan, dialect: Dialect) -> None:
        self._dialect, self._plan, self._signatures = dialect, plan, program.signatures
        self.known: dict[plans.Name, Mapping[str, Type]] = {}
        duckdb = ('"', "TEXT", "error", "IS NOT DISTINCT FROM")
        self._quote, self._text, self._fails, self._same = (
            duckdb if dialect == "duckdb" else ("`", "STRING", "raise_error", "<=>")
        )

    def defined(self, expression: plans.Expression | plans.Union) -> Typed:
        columns: plans.Schema
        if isinstance(expression, plans.Union):
            columns, first = self._plan.schema_of(expression.relations[0]), self.known[expression.relations[0]]
            return " UNION ".join(self._select(columns, "", table_name(name)) for name in expression.relations), first
        columns = expression.schema
        match expression:
            case plans.Base():
                return self._base(expression)
            case plans.Point(name):
                return self._select(columns, "", table_name(name)), self.known[name]
            case plans.Join(left, right):
                (one, types), (other, of_right) = self._part(left, LEFT), self._part(right, RIGHT)
                sides = {c: self._column(c, LEFT if c in left.schema else RIGHT) for c in columns}
                shared = " AND ".join(("TRUE", *self._equal(left, types, right, of_right)))
                return self._computed(columns, sides, f"{one} JOIN {other} ON {shared}"), {**of_right, **types}
            case plans.AntiSemiJoin(left, right, inside):
                (one, types), (other, of_right) = self._part(left, LEFT), self._part(right, RIGHT)
                sides = dict.fromkeys(right.schema, RIGHT) | dict.fromkeys(left.schema, LEFT)
                matching = [*self._equal(left, types, right, of_right), self._temporal(inside, sides)]
                absent = f"SELECT 1 FROM {other} WHERE {' AND '.join(matching)}"
                return f"{self._select(columns, LEFT, one)} WHERE NOT EXISTS ({absent})", types
        source, types = self._part(expression.operand)
        match expression:
            case plans.Timer(timing):
                added = {stamp: f"({self._column(origin)} + {ticks})" for stamp, origin, ticks in timing.edges}
                ends_late = f"{added[start(timing.into)]} <= {added[end(timing.into)]}"
                return f"{self._computed(columns, added, source)} WHERE {ends_late}", types
            case plans.Select(Comparison() as given):
                sides_of = ((self._term(side, types), type_of(side, types)) for side in (given.left, given.right))
                compared = self._compared(given.operator, *sides_of)
                return f"{self._select(columns, '', source)} WHERE {compared}", types
            case plans.Select(condition):
                assert not isinstance(condition, Comparison)
                return f"{self._select(columns, '', source)} WHERE {self._temporal(condition, {})}", types
            case plans.Project(given):
                computed: dict[Column, str] = {name: self._term(term, types) for name, term in given}
                types = {name: type_of(term, types) for name, term in given}
                return self._computed(columns, computed, source, distinct=True), types
            case plans.Merge():
                return self._computed(columns, self._cover(expression), source, distinct=True), types
            case plans.Group(_, _, keys, aggregates):
                found = {name: type_of(term, types) for name, term in keys}
                of_values = ((n, terms.aggregate_type(a.function, types[a.variable])) for n, a in aggregates)
                query = self._group(expression, source, types)
                return query, found | {name: type for name, type in of_values if type is not None}

    def _part(self, expression: plans.Expression, name: str = "part") -> Typed:
        query, types = self.defined(expression)
        return f"({query}) AS {name}", types

    def _select(self, columns: Iterable[Column], side: str, source: str) -> str:
        return self._computed(columns, {column: self._column(column, side) for column in columns}, source)

    def _computed(
        self, columns: Iterable[Column], computed: Mapping[Column, str], source: str, *, distinct: bool = False
    ) -> str:
        found = (f"{computed.get(column) or self._column(column)} AS {self._column(column)}" for column in columns)
        return f"SELECT {'DISTINCT ' if distinct else ''}{', '.join(found)} FROM {source}"

    def _base(self, base: plans.Base) -> Typed:
        names = plans.stamps([plans.RESULT]) if base.relation in self._plan.by_name else ("start", "time")
        of_event: dict[Column, Column] = dict(zip(plans.stamps([base.identifier]), names, strict=True))
        conditions, types, found = ["TRUE"], self._signatures[base.relation].types, dict[str, Type]()
        for attribute, term in base.arguments:
            given = (self._column(attribute), types[attribute])
            if isinstance(term, Constant):
                conditions.append(self._compared("=", given, (self._term(term, {}), terms.TYPES[term.value.__class__])))
            elif term.name in of_event:
                known = str(of_event[term.name])
                conditions.append(self._compared("=", given, (self._column(known), types[known])))
            else:
                of_event[term.name], found[term.name] = attribute, types[attribute]
                conditions.append(f"{given[0]} IS NOT NULL")
        columns = {column: self._column(of_event[column]) for column in base.schema}
        query = self._computed(base.schema, columns, table_name(base.relation), distinct=True)
        return f"{query} WHERE {' AND '.join(conditions)}", found

    def _equal(
        self, left: plans.Expression, types: Mapping[str, Type], right: plans.Expression, of_right: Mapping[str, Type]
    ) -> Iterator[str]:
        for column in left.schema:
            if column in right.schema:
                pair = ((LEFT, types), (RIGHT, of_right))
                sides = ((self._column(column, s), "int" if is_stamp(column) else of[str(column)]) for s, of in pair)
                yield self._compared("=", *sides)

    def _compared(self, operator: str, *sides: tuple[str, Type]) -> str:
        """A comparison; it fails for an int that is compared with a float and may be another number as one."""
        texts = [text for text, _ in sides]
        if {type for _, type in sides} == terms.NUMBERS:
            for place, (text, type) in enumerate(sides):
                if type == "int":
                    said = f"{self._fails}(concat({self._literal(INEXACT)}, CAST({text} AS {self._text})))"
                    within = f"CASE WHEN NOT ({text}) BETWEEN -{EXACT} AND {EXACT} THEN"
                    texts[place] = f"{within} {said} ELSE {text} END"
        return f"({texts[0]}) {operator} ({texts[1]})"

    def _group(self, group: plans.Group, source: str, types: Mapping[str, Type]) -> str:
        """Aggregates over distinct values and those over all tuples are two queries, joined on their groups."""
        keys = [*plans.stamps([group.into]), *(name for name, _ in group.keys)]
        # A collected variable is a column below a grouping: no attribute of a head is called so, but as a time stamp.
        collected = {a.variable: TimeStamp(f"{plans.RESULT}{a.variable}", "start") for _, a in group.aggregates}
        computed = self._cover(group) | {name: self._term(term, types) for name, term in group.keys}
        computed |= {column: self._column(variable) for variable, column in collected.items()}
        parts: list[str] = []
        for all_tuples in (False, True):
            wanted = {n: a for n, a in group.aggregates if AGGREGATES[a.function].all == all_tuples}
            if not wanted and (all_tuples or group.aggregates):
                continue
            inner = self._computed((*keys, *collected.values()), computed, source, distinct=not all_tuples)
            values: dict[Column, str] = {}
            for name, a in wanted.items():
                one = values[name] = f"{a.function.removesuffix('_all')}({self._column(collected[a.variable])})"
                if AGGREGATES[a.function].numbers:
                    values[name] = f"CASE WHEN {one} - {one} = 0 THEN {one} ELSE {self._fails}('{BEYOND}') END"
            found = self._computed((*keys, *values), values, f"({inner}) AS part")
            parts.append(f"{found} GROUP BY {', '.join(map(self._column, keys))}")
        if len(parts) == 1:
            return self._select(group.schema, "", f"({parts[0]}) AS part")
        of_all = {name for name, a in group.aggregates if AGGREGATES[a.function].all}
        sides = {c: self._column(c, RIGHT if c in of_all else LEFT) for c in group.schema}
        same = " AND ".join(f"{self._column(k, LEFT)} {self._same} {self._column(k, RIGHT)}" for k in keys)
        return self._computed(group.schema, sides, f"({parts[0]}) AS {LEFT} JOIN ({parts[1]}) AS {RIGHT} ON {same}")

    def _cover(self, given: plans.Merge | plans.Group) -> dict[Column, str]:
        covers: dict[Column, str] = {}
        for of, function in ((start, "least"), (end, "greatest")):
            stamps = [self._column(of(name)) for name in given.merged]
            covers[of(given.into)] = stamps[0] if len(stamps) == 1 else f"{function}({', '.join(stamps)})"
        return covers

    def _temporal(self, condition: Temporal, sides: Mapping[Column, str]) -> str:
        alternatives = []
        for conjunction in condition.alternatives():
            parts = []
            for part in conjunction:
                later, earlier = (self._column(stamp, sides.get(stamp, "")) for stamp in (part.later, part.earlier))
                parts.append(f"{later} <= {earlier} + {part.ticks}")
            alternatives.append(f"({' AND '.join(parts)})")
        return f"({' OR '.join(alternatives)})"

    def _term(self, term: Term, types: Mapping[str, Type]) -> str:
        """A term; a float is text, as a number with a point is an exact decimal; a computed one is finite, or null."""
        match term:
            case Variable(name):
                return self._column(name)
            case Constant(float() as number):
                return f"CAST('{number!r}' AS DOUBLE)"
            case Constant(value):
                if isinstance(value, int):
                    value.to_bytes(8, signed=True)  # beyond 64 bits, as a literal it may be a rounded float
                return self._literal(value)
            case Arithmetic(sign, left, right):
                one, other = self._term(left, types), self._term(right, types)
                if type_of(term, types) == "int":
                    return f"({one} {sign} {other})"
                if self._dialect == "duckdb":
                    return f"([e FOR e IN [CAST({one} AS DOUBLE) {sign} {other}] IF isfinite(e)])[1]"
                text = f"try_divide(CAST({one} AS DOUBLE), {other})" if sign == "/" else f"{one} {sign} {other}"
                return f"get(filter(array({text}), e -> abs(e) < CAST('Infinity' AS DOUBLE)), 0)"

    def _literal(self, value: str | float) -> str:
        return str(convert(value).sql(dialect=self._dialect))

    def _column(self, name: Column, side: str = "") -> str:
        quoted = f"{self._quote}{column_name(name).replace(self._quote, self._quote * 2)}{self._quote}"
        return f"{side}.{quoted}" if side else quoted


def table_name(name: plans.Name) -> str:
    """The name of a table; dialects tell no capitals apart, and Spark takes no signs: they are written as numbers."""
    if isinstance(name, plans.Part):
        return f"{name.kind}_{name.number}_{table_name(name.of)}"
    return "t_" + "".join(c if c in _TABLE_LETTERS else f"_{ord(c):x}_" for c in name)


def column_name(name: Column) -> str:
    """The name of a column; one with capitals says after `~` which they are, because no dialect tells them apart.

    A `~` in the name of data is doubled, so that a time stamp, `i~s`, is called like none; no name at all is `~`, and
    the character that ends a text of C is `~z`.
    """
    stamp = is_stamp(name) and f"{name.identifier}~{name.side[0]}"
    escaped = stamp or str(name).replace("~", "~~").replace("\0", "~z") or "~"
    capitals = [str(place) for place, letter in enumerate(escaped) if letter != letter.lower()]
    return f"{escaped}~{'.'.join(capitals)}" if capitals else escaped


TOLERANCE = 1e-12
"""Relational engines round at each addition, in an order of their own, Python once: up to some thousand addends, a sum
or an average of floats differs by at most so much of the sum of their absolute values."""

_REMEDY = "Evaluate without --engine: Python's numbers have no such limit."


def tables(program: Program, events: Iterable[Event]) -> dict[str, pyarrow.Table]:
    """The events of each declared type as a table; raises `OverflowError` for a number that is not one of 64 bits."""
    import pyarrow

    def column(values: Iterable[Any], type: Type) -> pyarrow.Array:
        alias = {"int": "int64", "float": "float64", "str": "string", "bool": "bool"}[type]
        return pyarrow.array(values, pyarrow.type_for_alias(alias))

    rows: dict[str, list[Event]] = defaultdict(list)
    for event in events:
        rows[event.type].append(event)
    found = {}
    for name, declared in program.declared.items():
        own = rows[name]
        columns = {"time": column([event.time for event in own], "int")}
        columns["start"] = column([event.start for event in own], "int")
        for attribute in declared.attributes:
            values = [event.attributes.get(attribute.name) for event in own]
            columns[column_name(attribute.name)] = column(values, attribute.type)
        found[name] = pyarrow.table(columns)
    return found


@contextmanager
def _in_64_bits() -> Iterator[None]:
    try:
        yield
    except Exception as error:
        _, inexact, number = str(error).partition(INEXACT)
        if inexact:
            reason = f"the int {number.split()[0]} is {INEXACT.removesuffix(': ')}"
            raise InputError(reason, remedy=_REMEDY) from error
        # What DuckDB and Spark raise, by name: each is loaded only where it is asked for.
        known = {"OverflowError", "OutOfRangeException", "ArithmeticException"}
        if BEYOND in str(error) or type(error).__name__ in known:
            reason = "a number or a time is beyond the 64 bits that relational engines have"
            raise InputError(reason, remedy=_REMEDY) from error
        raise


def evaluate_duckdb(
    program: Program, plan: plans.Plan, events: Iterable[Event], connection: DuckDBPyConnection | None = None
) -> list[Event]:
    """Everything that a program derives, by DuckDB; raises `InputError` for a number beyond 64 bits."""
    import duckdb

    with _in_64_bits(), nullcontext(connection) if connection else duckdb.connect() as opened:
        for name, table in tables(program, events).items():
            opened.register(table_name(name), table)
        for point, query in queries(program, plan, "duckdb"):
            opened.execute(f'CREATE OR REPLACE TABLE "{table_name(point)}" AS {query}')
        return answers_of(program, plan, lambda name: opened.execute(f'SELECT * FROM "{table_name(name)}"').fetchall())


def evaluate_spark(
    program: Program,
    plan: plans.Plan,
    events: Iterable[Event],
    session: SparkSession,
    written: tuple[Path, Iterable[str], Watermark] | None = None,
) -> list[Event]:
    """Everything that a program derives, by Spark SQL; or some types are `written` to a folder, and none is returned.

    They are Parquet: a folder `event=TYPE` for each, with `start`, `time`, the attributes, and `pending` unless the
    watermark is stated. Raises `InputError` where a number is beyond 64 bits, the folder is there already, or
    attributes of one name have different types.
    """
    found: dict[plans.Name, DataFrame] = {}

    def rows(name: plans.Name) -> Iterator[tuple[Any, ...]]:
        """Rows of Spark, which has decimals where constants are ints of more than 64 bits."""
        for row in found[name].collect():
            yield tuple(int(value) if isinstance(value, Decimal) else value for value in row)

    try:
        with _in_64_bits():
            for name, table in tables(program, events).items():
                session.createDataFrame(table).createOrReplaceTempView(table_name(name))
            ordered = queries(program, plan, "spark")
            readers = Counter(re.findall(r"FROM (\w+)", " ".join(query for _, query in ordered)))
            for point, query in ordered:
                found[point] = session.sql(query)
                if readers[table_name(point)] + (plan.by_name[point].derives is not None) > 1:
                    found[point] = found[point].cache()
                found[point].createOrReplaceTempView(table_name(point))
            if written is not None:
                _write(program, plan, found, *written)
                return []
            return answers_of(program, plan, rows)
    finally:
        for frame in found.values():
            frame.unpersist()
        for read in (*program.declared, *found):
            session.catalog.dropTempView(table_name(read))


_SPARK_TYPES: Mapping[Type, str] = {"int": "bigint", "float": "double", "str": "string", "bool": "boolean"}


def _write(
    program: Program,
    plan: plans.Plan,
    found: Mapping[plans.Name, DataFrame],
    folder: Path,
    wanted: Iterable[str],
    watermark: Watermark,
) -> None:
    from pyspark.errors import PySparkException
    from pyspark.sql import Observation, functions as f

    def column(name: Any) -> Any:
        return f.col(f"`{column_name(name).replace('`', '``')}`")

    types: dict[str, Type] = {}
    parts: list[DataFrame] = []
    for name in sorted(wanted):
        own = program.signatures[name].types
        for attribute, type in own.items():
            if types.setdefault(attribute, type) != type:
                reason = f"{attribute} is {types[attribute]} in one event type and {type} in {quoted(name)}"
                raise InputError(reason, place="--out", remedy="Write them apart, with --only TYPE.")
        columns = [column(start(plans.RESULT)).alias("start"), column(end(plans.RESULT)).alias("time")]
        for attribute in plans.data_of(plan.schema_of(name)):
            value = column(attribute).cast(_SPARK_TYPES[own[attribute]])
            columns.append((value + 0.0 if own[attribute] == "float" else value).alias(attribute))
        parts.append(found[name].select(*columns, f.lit(name).alias("event")))
    whole = reduce(lambda one, other: one.unionByName(other, allowMissingColumns=True), parts)
    beyond, pending = f.col("time") > watermark.time, Observation()
    if watermark.until is None:
        whole = whole.withColumn(PENDING, beyond).observe(pending, f.count_if(beyond).alias(PENDING))
    else:
        whole = whole.filter(~beyond)
    try:
        whole.write.partitionBy("event").mode("errorifexists").parquet(str(folder.absolute()))
    except PySparkException as error:
        if "already exists" not in str(error):
            raise
        reason, remedy = "the folder is there already", "Name another one with --out."
        raise InputError(reason, place=str(folder), remedy=remedy) from None
    if watermark.until is None:
        watermark.pending = pending.get[PENDING]
