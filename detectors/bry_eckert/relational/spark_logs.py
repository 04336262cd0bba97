"""Logs that Spark reads by itself, for programs of rules, and answers that it writes: they may outgrow one machine.

A row is taken where its cells are plainly what the reader of traces takes them for. Whatever else there is, Spark only
counts: what is wrong with a row, and where it stands, is for the reader of traces to say. The order of rows is not
looked at; no answer over a whole log depends on it.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import TypeAlias

from pyspark.errors import PySparkException
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.types import (
    BooleanType,
    DataType,
    DoubleType,
    FloatType,
    IntegralType,
    StringType,
    StructType,
)

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

_INT, _FLOAT = r"^[+-]?[0-9]{1,19}$", r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$"

_CORRUPT = "_corrupt"


class NotTold(Exception):
    """Spark cannot read a log as the reader of traces does; the text says why."""


@dataclass(frozen=True)
class Cell:
    """A cell of a row.

    Attributes:
        value: its value, null where the cell is missing.
        is_bad: whether it is there and is not plainly of its type.
    """

    value: Column
    is_bad: Column


Cells: TypeAlias = Callable[[str, Type], Cell]
"""The cell of a column, as one of a type; one that is not there is missing."""


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
        rows, cells = _rows(session, log, reading)
        time, begin, event = (
            cells(reading.time, "int"),
            cells(reading.start, "int"),
            cells(reading.event, "str"),
        )
        known = event.value.isin(list({*program.read, *program.derived}))
        starts = f.coalesce(begin.value, time.value)
        bad = time.is_bad | time.value.isNull() | ~time.value.between(0, MAX_TIME)
        bad |= event.is_bad | event.value.isNull() | event.value.isin(list(program.derived))
        bad |= known & (begin.is_bad | ~starts.between(-MAX_TIME, time.value))
        if _CORRUPT in rows.columns:
            bad |= f.col(_CORRUPT).isNotNull()
        for name, type in program.declared.items():
            bad |= (event.value == name) & _is_bad(type, cells, starts, time.value)
        counted = rows.groupBy(event.value.alias("event")).agg(
            f.count("*"), f.count_if(f.coalesce(bad, f.lit(True))), f.min(time.value), f.max(time.value)
        )
        found = counted.collect()
    except PySparkException as error:
        raise NotTold(f"Spark cannot read it ({str(error).splitlines()[0]})") from error
    wrong = sum(row[2] for row in found)
    if wrong:
        raise NotTold(
            f"Spark finds {wrong:,} {'row' if wrong == 1 else 'rows'} that it cannot take as they are"
        )
    has_tick = bool(reading.tick or program.tick) and reading.epoch is None
    if has_tick and any(epoch_of(float(time)) for row in found for time in row[3:]):
        raise NotTold("it is not plain what its times count")
    tables = {
        name: rows.filter(event.value == name).select(
            time.value.alias("time"), starts.alias("start"), *_attributes(type, cells)
        )
        for name, type in program.declared.items()
    }
    return tables, Counter({row[0]: row[1] for row in found})


def _require_plain(program: Program, reading: Reading) -> None:
    options = ("header", "partition_by", "zone", "round", "same_time", "skip_bad")
    said = next((option for option in options if getattr(reading, option)), None)
    if said is not None:
        raise NotTold(f"--{said.replace('_', '-')} is not for Spark")
    if reading.epoch not in (None, "ticks"):
        raise NotTold("its times are counted since 1970")
    if program.axioms:
        raise NotTold("the axioms are looked after row by row")


def _is_bad(type: EventType, cells: Cells, begin: Column, finish: Column) -> Column:
    tests = [cells(attribute.name, attribute.type).is_bad for attribute in type.attributes]
    for attribute in type.attributes:
        if attribute.within is not None:
            value = cells(attribute.name, attribute.type).value
            near = value.between(begin - attribute.within, finish + attribute.within)
            tests.append(f.coalesce(~near, f.lit(False)))
    if type.within is not None:
        tests.append(finish - begin > type.within)
    return reduce(Column.__or__, tests, f.lit(False))


def _attributes(type: EventType, cells: Cells) -> Iterable[Column]:
    for attribute in type.attributes:
        yield cells(attribute.name, attribute.type).value.alias(column_name(attribute.name))


# ------------------------------------------------------------------------------------------------------- formats


def _rows(session: SparkSession, log: Path, reading: Reading) -> tuple[DataFrame, Cells]:
    """The rows of a log, and how their cells are read."""
    files = (
        [log] if log.is_file() else sorted(one for one in log.rglob("*") if one.is_file() and _is_data(one))
    )
    formats = {reading.format or SUFFIXES.get(one.suffix) for one in files}
    if not files:
        raise NotTold("there are no files of that name")
    if len(formats) != 1 or None in formats:
        raise NotTold("its name does not end in .csv, .jsonl or .parquet")
    reader, path = session.read.option("recursiveFileLookup", log.is_dir()), str(log.absolute())
    if "parquet" in formats:
        if log.is_dir():
            reader = reader.option("recursiveFileLookup", False)  # a folder event=TYPE is a column
        rows = reader.parquet(path)
        return rows, _typed_cells(rows.schema)
    if "jsonl" in formats:
        lines = reader.text(path).filter(f.trim("value") != "")
        return lines.select(f.expr("try_parse_json(value)").alias("row")), _json_cells
    delimiter = reading.delimiter or ","
    names = _header(files[0], delimiter)
    schema = StructType()
    for name in (*names, _CORRUPT):
        schema.add(name, StringType())
    reader = reader.options(header=True, enforceSchema=False, columnPruning=False, escape='"', sep=delimiter)
    reader = reader.option("columnNameOfCorruptRecord", _CORRUPT).schema(schema)
    return reader.csv(path), _text_cells(names)


def _is_data(file: Path) -> bool:
    return not file.name.startswith((".", "_"))


def _header(file: Path, delimiter: str) -> list[str]:
    with file.open(encoding="utf-8", newline="") as lines:
        names = next(csv.reader(lines, delimiter=delimiter), [])
    if len(set(names)) < len(names) or _CORRUPT in names or not names:
        raise NotTold("its header does not name each column once")
    return names


def _text_cells(names: Sequence[str]) -> Cells:
    def cell(name: str, type: Type) -> Cell:
        return _of_text(_named(name), type) if name in names else _missing(type)

    return cell


def _missing(type: Type) -> Cell:
    return Cell(f.lit(None).cast(_SPARK_TYPES[type]), f.lit(False))


def _named(name: str) -> Column:
    return f.col(f"`{name.replace('`', '``')}`")


def _of_text(text: Column, type: Type) -> Cell:
    """A cell of CSV; an empty one is missing."""
    given = f.when(text != "", text)
    cast = given.try_cast(_SPARK_TYPES[type])
    match type:
        case "int":
            fine = given.rlike(_INT) & cast.isNotNull()
        case "float":
            fine = given.rlike(_FLOAT) & _is_finite(cast)
        case "str":
            fine = (f.length(given) <= MAX_CELL) & ~given.contains("\0")
        case "bool":
            fine = f.lower(given).isin("true", "false")
    return Cell(cast, given.isNotNull() & ~fine)


def _is_finite(number: Column) -> Column:
    return ~number.isin(float("inf"), float("-inf")) & ~f.isnan(number)


_JSON_KINDS: Mapping[Type, str] = {
    "int": "^BIGINT$",
    "float": r"^(BIGINT|DECIMAL\(.*|DOUBLE)$",
    "str": "^STRING$",
    "bool": "^BOOLEAN$",
}


def _json_cells(name: str, type: Type) -> Cell:
    if any(letter in name for letter in "'\\\""):
        raise NotTold(f"the name {quoted(name)} is not for paths in JSON")
    path = f"$['{name}']"
    kind = f.schema_of_variant(f.variant_get("row", path, "variant"))
    value = f.try_variant_get("row", path, _SPARK_TYPES[type])
    fine = kind.rlike(_JSON_KINDS[type]) & value.isNotNull()
    if type == "float":
        fine &= _is_finite(value)
    elif type == "str":
        fine &= (f.length(value) <= MAX_CELL) & ~value.contains("\0")
    there = kind.isNotNull() & (kind != "VOID")
    return Cell(f.when(there, value), f.col("row").isNull() | (there & ~fine))


_KINDS: Mapping[Type, tuple[type[DataType], ...]] = {
    "int": (IntegralType,),
    "float": (IntegralType, FloatType, DoubleType),
    "str": (StringType,),
    "bool": (BooleanType,),
}


def _typed_cells(schema: StructType) -> Cells:
    def cell(name: str, type: Type) -> Cell:
        if name not in schema.names:
            return _missing(type)
        found = schema[name].dataType
        if not isinstance(found, _KINDS[type]):
            raise NotTold(f"the column {name} is of type {found.simpleString()} in Parquet")
        given = _named(name)
        value = given.cast(_SPARK_TYPES[type])
        fine = f.lit(True)
        if type == "float":
            fine = _is_finite(value)
        elif type == "str":
            fine = (f.octet_length(given) <= MAX_CELL) & ~given.contains("\0")
        return Cell(value, given.isNotNull() & ~fine)

    return cell


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
        data = []
        for column in data_of(plan.schema_of(name)):
            type = signature.types[column]
            value = _named(column_name(column)).cast(_SPARK_TYPES[type])
            data.append((value + 0.0 if type == "float" else value).alias(column))  # of two zeros the one
        stamps = (_named(start(RESULT)).alias("start"), _named(end(RESULT)).alias("time"))
        parts.append(found[name].select(*stamps, f.lit(name).alias("event"), *data))
    whole = reduce(lambda one, other: one.unionByName(other, allowMissingColumns=True), parts)
    try:
        whole.write.partitionBy("event").mode("errorifexists").parquet(str(folder.absolute()))
    except PySparkException as error:
        if "already exists" not in str(error):
            raise
        raise InputError(
            "the folder is there already", place=str(folder), remedy="Name another one with --out."
        ) from None
