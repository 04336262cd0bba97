"""Logs that Spark reads by itself, for programs of rules, and answers that it writes: they may outgrow one machine.

Spark's readers take a log whose cells are of the declared types. Whatever else there is, Spark only counts: what is
wrong with a row, and where it stands, is for the reader of traces to say. The order of rows is not looked at; no answer
over a whole log depends on it.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from pathlib import Path
from typing import TypeAlias

from pyspark.errors import PySparkException
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.types import BooleanType, DataType, DoubleType, FloatType, IntegralType, StringType

from semantics.bry_eckert.algebra.plans import Plan, data_of
from semantics.bry_eckert.algebra.sql import column_name
from semantics.bry_eckert.algebra.translation import RESULT
from semantics.bry_eckert.programs import EventType, Program
from semantics.bry_eckert.temporal import end, start
from semantics.bry_eckert.terms import Type
from semantics.errors import InputError
from semantics.events import quoted
from semantics.traces.reading import Reading
from semantics.traces.rows import MAX_CELL, MAX_TIME
from semantics.traces.times import epoch_of

SUFFIXES = {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet", ".pq": "parquet"}

_SPARK_TYPES: Mapping[Type, str] = {"int": "bigint", "float": "double", "str": "string", "bool": "boolean"}

_CORRUPT = "_corrupt"
"""The column in which Spark's reader of CSV puts a line that does not fit the schema."""


class NotTold(Exception):
    """Spark cannot read a log as the reader of traces does; the text says why."""


Cells: TypeAlias = Callable[[str, Type], tuple[Column, Column]]
"""The cell of a column as one of a type: its value, null where it is missing, and whether it is of another type."""


def tables_on_spark(
    session: SparkSession, program: Program, log: Path, reading: Reading
) -> tuple[dict[str, DataFrame], Counter[str]]:
    """The events of each declared type in a file or a folder of files as a table, and how many rows there are of each.

    The tables have the columns `time`, `start` and the attributes of the type.

    Args:
        session: of Spark, on whose machines the log has the same path.
        program: the rules.
        log: CSV with a header, JSON Lines or Parquet.
        reading: how it is read.

    Raises:
        NotTold: the log is not read by Spark alone.
    """
    _require_plain(program, reading)
    session.conf.set("spark.sql.caseSensitive", "true")
    try:
        rows, cells = _opened(session, log, program, reading)
        time, bad = cells(reading.time, "int")
        begin, bad_start = cells(reading.start, "int")
        event, bad_event = cells(reading.event, "str")
        begin = f.coalesce(begin, time)
        known = event.isin([*program.read, *program.derived])
        bad |= ~time.between(0, MAX_TIME) | bad_event | event.isin(list(program.derived))
        bad |= known & (bad_start | ~begin.between(-MAX_TIME, time))
        if _CORRUPT in rows.columns:
            bad |= f.col(_CORRUPT).isNotNull()
        for name, type in program.declared.items():
            bad |= (event == name) & _is_bad(type, cells, begin, time)
        wrong = f.count_if(f.coalesce(bad | time.isNull() | event.isNull(), f.lit(True)))
        counts = rows.groupBy(event.alias("event")).agg(f.count("*"), wrong, f.min(time), f.max(time))
        found = counts.collect()
    except PySparkException as error:
        raise NotTold(f"Spark cannot read it ({str(error).splitlines()[0]})") from error
    refused = sum(row[2] for row in found)
    if refused:
        said = f"{refused:,} {'row' if refused == 1 else 'rows'}"
        raise NotTold(f"Spark finds {said} that it cannot take as they are")
    has_tick = bool(reading.tick or program.tick) and reading.epoch is None
    if has_tick and any(epoch_of(float(each)) for row in found for each in row[3:]):
        raise NotTold("it is not plain what its times count")
    tables = {}
    for name, type in program.declared.items():
        values = (cells(a.name, a.type)[0].alias(column_name(a.name)) for a in type.attributes)
        tables[name] = rows.filter(event == name).select(time.alias("time"), begin.alias("start"), *values)
    return tables, Counter({row[0]: row[1] for row in found})


def _require_plain(program: Program, reading: Reading) -> None:
    options = ("header", "partition_by", "zone", "round", "time_format", "same_time", "skip_bad", "sql")
    said = next((option for option in options if getattr(reading, option)), None)
    if said is not None:
        raise NotTold(f"--{said.replace('_', '-')} is not for Spark")
    if reading.nested:
        raise NotTold("names with dots are looked up row by row")
    if reading.epoch not in (None, "ticks"):
        raise NotTold("its times are counted since 1970")
    if program.axioms:
        raise NotTold("the axioms are looked after row by row")


def _is_bad(type: EventType, cells: Cells, begin: Column, finish: Column) -> Column:
    tests = [f.lit(False)]
    for attribute in type.attributes:
        value, wrong = cells(attribute.name, attribute.type)
        tests.append(wrong)
        if attribute.within is not None:
            near = value.between(begin - attribute.within, finish + attribute.within)
            tests.append(f.coalesce(~near, f.lit(False)))
    if type.within is not None:
        tests.append(finish - begin > type.within)
    return reduce(Column.__or__, tests)


# ------------------------------------------------------------------------------------------------------- formats


def _opened(session: SparkSession, log: Path, program: Program, reading: Reading) -> tuple[DataFrame, Cells]:
    """The rows of a log, and how their cells are read."""
    files = [log] if log.is_file() else sorted(one for one in log.rglob("[!._]*") if one.is_file())
    formats = {reading.format or SUFFIXES.get(one.suffix) for one in files}
    if not files:
        raise NotTold("there are no files of that name")
    if len(formats) != 1 or None in formats:
        raise NotTold("its name does not end in .csv, .jsonl or .parquet")
    reader, path = session.read, str(log.absolute())
    if "parquet" in formats:
        rows = reader.parquet(path)  # in a folder, event=TYPE is a column
        return rows, _typed_cells(rows)
    reader = reader.option("recursiveFileLookup", log.is_dir())
    if "jsonl" in formats:
        lines = reader.text(path).filter(f.trim("value") != "")
        return lines.select(f.expr("try_parse_json(value)").alias("row")), _json_cells
    delimiter = reading.delimiter or ","
    with files[0].open(encoding="utf-8", newline="") as header:
        names = next(csv.reader(header, delimiter=delimiter), [])
    if len(set(names)) < len(names) or _CORRUPT in names or not names:
        raise NotTold("its header does not name each column once")
    types = _column_types(program, reading)
    schema = ", ".join(f"{_quoted(name)} {types.get(name, 'string')}" for name in (*names, _CORRUPT))
    reader = reader.options(header=True, enforceSchema=False, columnPruning=False, escape='"', sep=delimiter)
    rows = reader.option("columnNameOfCorruptRecord", _CORRUPT).schema(schema).csv(path)
    return rows, _typed_cells(rows)


def _column_types(program: Program, reading: Reading) -> dict[str, str]:
    """The types of Spark of the columns of CSV."""
    found = {reading.time: "bigint", reading.start: "bigint", reading.event: "string"}
    for declared in program.declared.values():
        for name, type in declared.types.items():
            if found.setdefault(name, _SPARK_TYPES[type]) != _SPARK_TYPES[type]:
                raise NotTold(f"the column {name} has values of two types")
    return found


def _quoted(name: str) -> str:
    return f"`{name.replace('`', '``')}`"


def _missing(type: Type) -> tuple[Column, Column]:
    return f.lit(None).cast(_SPARK_TYPES[type]), f.lit(False)


_KINDS: Mapping[Type, tuple[type[DataType], ...]] = {
    "int": (IntegralType,),
    "float": (IntegralType, FloatType, DoubleType),
    "str": (StringType,),
    "bool": (BooleanType,),
}


def _typed_cells(rows: DataFrame) -> Cells:
    """The cells of columns with types; an empty text is missing, as in CSV."""

    def cell(name: str, type: Type) -> tuple[Column, Column]:
        if name not in rows.columns:
            return _missing(type)
        found = rows.schema[name].dataType
        if not isinstance(found, _KINDS[type]):
            raise NotTold(f"the column {name} is of type {found.simpleString()}")
        value = f.col(_quoted(name)).cast(_SPARK_TYPES[type])
        return value, value.isNotNull() & ~_fine(value, type)

    return cell


def _fine(value: Column, type: Type) -> Column:
    """Whether a value is one that an attribute can have: a finite number, a text that is not too long."""
    if type == "float":
        return ~value.isin(float("inf"), float("-inf")) & ~f.isnan(value)
    if type == "str":
        return (f.octet_length(value) <= MAX_CELL) & ~value.contains("\0")
    return f.lit(True)


_JSON_KINDS: Mapping[Type, str] = {
    "int": "^BIGINT$",
    "float": r"^(BIGINT|DECIMAL\(.*|DOUBLE)$",
    "str": "^STRING$",
    "bool": "^BOOLEAN$",
}


def _json_cells(name: str, type: Type) -> tuple[Column, Column]:
    if any(letter in name for letter in "'\\\""):
        raise NotTold(f"the name {quoted(name)} is not for paths in JSON")
    path = f"$['{name}']"
    kind = f.schema_of_variant(f.variant_get("row", path, "variant"))
    value = f.try_variant_get("row", path, _SPARK_TYPES[type])
    fine = kind.rlike(_JSON_KINDS[type]) & value.isNotNull() & _fine(value, type)
    there = kind.isNotNull() & (kind != "VOID")
    return f.when(there, value), f.col("row").isNull() | (there & ~fine)


# ------------------------------------------------------------------------------------------------------- answers


def write_answers(
    program: Program, plan: Plan, found: Mapping[str, DataFrame], wanted: Iterable[str], folder: Path
) -> None:
    """Write answers as Parquet: a folder `event=TYPE` for each event type, with `start`, `time` and the attributes.

    Raises:
        InputError: the folder is there already, or attributes of one name have different types.
    """
    types: dict[str, Type] = {}
    parts: list[DataFrame] = []
    for name in sorted(wanted):
        signature = program.signatures[name]
        for attribute, type in signature.types.items():
            if types.setdefault(attribute, type) != type:
                raise InputError(
                    f"{attribute} is {types[attribute]} in one event type and {type} in {quoted(name)}",
                    place="--out",
                    remedy="Write them apart, with --only TYPE.",
                )
        columns = [
            f.col(_quoted(column_name(stamp))).alias(called)
            for stamp, called in ((start(RESULT), "start"), (end(RESULT), "time"))
        ]
        for column in data_of(plan.schema_of(name)):
            value = f.col(_quoted(column_name(column))).cast(_SPARK_TYPES[signature.types[column]])
            columns.append((value + 0.0 if signature.types[column] == "float" else value).alias(column))
        parts.append(found[name].select(*columns, f.lit(name).alias("event")))
    whole = reduce(lambda one, other: one.unionByName(other, allowMissingColumns=True), parts)
    try:
        whole.write.partitionBy("event").mode("errorifexists").parquet(str(folder.absolute()))
    except PySparkException as error:
        if "already exists" not in str(error):
            raise
        reason, remedy = "the folder is there already", "Name another one with --out."
        raise InputError(reason, place=str(folder), remedy=remedy) from None
