"""Query plans as SQL: one query for each materialization point, in the dialect of DuckDB or of Spark.

`sqlglot` writes the text, so that names are quoted and functions are named as a dialect has them. Each event type is a
table with the columns `time`, `start` and its attributes, and so is each materialization point with its columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache, partial, reduce
from types import MappingProxyType
from typing import Literal, TypeAlias

from sqlglot import exp

from semantics.bry_eckert.algebra import plans
from semantics.bry_eckert.algebra.translation import RESULT
from semantics.bry_eckert.programs import Aggregate, EventType, Program
from semantics.bry_eckert.temporal import TIMERS, Column, Difference, Stamp, Temporal, TimeStamp, end, is_stamp, start
from semantics.bry_eckert.terms import (
    AGGREGATES,
    NUMBERS,
    Arithmetic,
    Comparison,
    Constant,
    Term,
    Type,
    Variable,
    aggregate_type,
    type_of,
    type_of_value,
)

# ------------------------------------------------------------------------------------------- types of columns


def column_types(
    expression: plans.Expression | plans.Union, plan: plans.Plan, signatures: Mapping[str, EventType]
) -> dict[str, Type]:
    """The types of the data of an expression; where equal values of two types join, that of the left."""
    match expression:
        case plans.Base(_, relation, arguments):
            types = signatures[relation].types
            return {term.name: types[name] for name, term in reversed(arguments) if isinstance(term, Variable)}
        case plans.Point(name):
            return column_types(plan.by_name[name].expression, plan, signatures)
        case plans.Union(relations):
            return column_types(plan.by_name[relations[0]].expression, plan, signatures)
        case plans.Join(left, right):
            return column_types(right, plan, signatures) | column_types(left, plan, signatures)
        case plans.AntiSemiJoin(left, _, _):
            return column_types(left, plan, signatures)
        case plans.Project(columns, operand):
            inner = column_types(operand, plan, signatures)
            return {name: type_of(term, inner) for name, term in columns}
        case plans.Group(_, _, keys, aggregates, operand):
            inner = column_types(operand, plan, signatures)
            found = {name: type_of(term, inner) for name, term in keys}
            for name, aggregate in aggregates:
                type = aggregate_type(aggregate.function, inner[aggregate.variable])
                assert type is not None  # the program is checked
                found[name] = type
            return found
        case _:
            (operand,) = plans.operands(expression)
            return column_types(operand, plan, signatures)


# ---------------------------------------------------------------------------------------------------- queries


Dialect: TypeAlias = Literal["duckdb", "spark"]

_Typed: TypeAlias = tuple[exp.Expr, Type]
"""A value and its type."""

_TABLE_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")

LEFT, RIGHT = "l", "r"
"""The names of the two sides of a join in its query."""

NO_SIDES: Mapping[Column, str] = MappingProxyType({})
"""Columns of one query need no name of a side."""

_ARITHMETIC: dict[str, type[exp.Binary]] = {"+": exp.Add, "-": exp.Sub, "*": exp.Mul, "/": exp.Div}
_COMPARISON: dict[str, type[exp.Binary]] = {
    "=": exp.EQ,
    "!=": exp.NEQ,
    "<": exp.LT,
    "<=": exp.LTE,
    ">": exp.GT,
    ">=": exp.GTE,
}
_AGGREGATES: dict[str, type[exp.AggFunc]] = {
    "count": exp.Count,
    "sum": exp.Sum,
    "avg": exp.Avg,
    "min": exp.Min,
    "max": exp.Max,
}


@lru_cache(maxsize=8)
def queries(program: Program, plan: plans.Plan, dialect: Dialect) -> tuple[tuple[str, str], ...]:
    """The name and the query of each materialization point, in the order of the plan.

    A query fails with a message that has `INEXACT` where an int meets a float and has none of its own.

    They are kept for the next partition of a log: writing a query takes longer than it takes for a few events.

    Raises:
        OverflowError: a constant is beyond 64 bits.
    """
    writer = _Writer(program, plan, dialect)
    return tuple((part.name, writer.defined(part).sql(dialect=dialect, pretty=True)) for part in plan.definitions)


EXACT = 2**53
"""Up to this number, every int has a 64-bit float of its own."""

INEXACT = "beyond 2^53, relational engines do not tell such a number from others where it is compared with floats: "
"""Begins what is said of an int; the int follows."""

_FAILS: Mapping[Dialect, str] = MappingProxyType({"duckdb": "error", "spark": "raise_error"})
"""The function of a dialect that fails with a message."""


class _Writer:
    """The query of an expression; each operator is a query over those of its parts."""

    def __init__(self, program: Program, plan: plans.Plan, dialect: Dialect) -> None:
        self._points, self._fails = frozenset(plan.by_name), _FAILS[dialect]
        self._types = partial(column_types, plan=plan, signatures=program.signatures)
        self._declared = {name: type.types for name, type in program.signatures.items()}
        self._plan = plan

    def defined(self, definition: plans.Definition) -> exp.Query:
        """The query of a materialization point."""
        if isinstance(definition.expression, plans.Union):
            columns = self._plan.schema_of(definition.name)
            parts: list[exp.Query] = [_select(columns).from_(_table(n)) for n in definition.expression.relations]
            return reduce(lambda one, other: exp.union(one, other, distinct=True), parts)
        return self.query(definition.expression)

    def query(self, expression: plans.Expression) -> exp.Select:
        columns = expression.schema
        match expression:
            case plans.Base():
                return self._base(expression)
            case plans.Point(name):
                return _select(columns).from_(_table(name))
            case plans.Join(left, right):
                sides = {c: LEFT if c in left.schema else RIGHT for c in columns}
                found = exp.select(*(_named(_column(c, sides[c]), c) for c in columns))
                shared = exp.and_(exp.true(), *self._equal(left, right))
                return found.from_(self._part(left, LEFT)).join(self._part(right, RIGHT), on=shared)
            case plans.Timer(timing, operand):
                edges = TIMERS[timing.kind]
                added = {
                    stamp: _moved(edge.stamp(timing.of), edge.sign * timing.duration)
                    for stamp, edge in zip(plans.stamps([timing.into]), edges, strict=True)
                }
                ends_late = exp.LTE(this=added[start(timing.into)], expression=added[end(timing.into)])
                return self._computed(columns, added, operand).where(ends_late)
            case plans.Select(condition, operand):
                return _select(columns).from_(self._part(operand)).where(self._selected(condition, operand))
            case plans.Project(given, operand):
                return self._computed(columns, {name: _term(term) for name, term in given}, operand).distinct()
            case plans.Merge(into, merged, operand):
                return self._computed(columns, _cover(into, merged), operand).distinct()
            case plans.AntiSemiJoin(left, right, inside):
                sides = dict.fromkeys(right.schema, RIGHT) | dict.fromkeys(left.schema, LEFT)
                matching = [*self._equal(left, right), _temporal(inside, sides)]
                absent = exp.select("1").from_(self._part(right, RIGHT)).where(*matching)
                return _select(columns, LEFT).from_(self._part(left, LEFT)).where(exp.not_(exp.Exists(this=absent)))
            case plans.Group():
                return self._group(expression)

    def _part(self, expression: plans.Expression, name: str = "part") -> exp.Subquery:
        return self.query(expression).subquery(name)

    def _computed(
        self, columns: plans.Schema, computed: Mapping[Column, exp.Expr], operand: plans.Expression
    ) -> exp.Select:
        found = (_named(computed.get(column) or _column(column), column) for column in columns)
        return exp.select(*found).from_(self._part(operand))

    def _base(self, base: plans.Base) -> exp.Select:
        of_event = dict(zip(plans.stamps([base.identifier]), self._names(base), strict=True))
        conditions: list[exp.Expr] = []
        types = self._declared[base.relation]
        for attribute, term in base.arguments:
            column, type = _column(attribute), types[attribute]
            if isinstance(term, Constant):
                given = (_constant(term), type_of_value(term.value))
                conditions.append(self._compared(exp.EQ, (column, type), given))
            elif term.name in of_event:
                known = of_event[term.name]
                conditions.append(self._compared(exp.EQ, (column, type), (_column(known), types[known])))
            else:
                of_event[term.name] = attribute
                conditions.append(exp.Not(this=exp.Is(this=column, expression=exp.Null())))
        found = exp.select(*(_named(_column(of_event[c]), c) for c in base.schema)).from_(_table(base.relation))
        return found.where(*conditions).distinct()

    def _names(self, base: plans.Base) -> tuple[str, str]:
        derived = base.relation in self._points
        return plans.stamps([RESULT]) if derived else ("start", "time")  # type: ignore[return-value]

    def _equal(self, left: plans.Expression, right: plans.Expression) -> list[exp.Expr]:
        shared = [column for column in left.schema if column in right.schema]
        types = (self._types(left), self._types(right))
        sides = (
            [
                (_column(column, side), "int" if is_stamp(column) else of[str(column)])
                for side, of in zip((LEFT, RIGHT), types, strict=True)
            ]
            for column in shared
        )
        return [self._compared(exp.EQ, *pair) for pair in sides]

    def _selected(self, condition: plans.Condition, operand: plans.Expression) -> exp.Expr:
        if not isinstance(condition, Comparison):
            return _temporal(condition)
        types = self._types(operand)
        left, right = ((_term(side), type_of(side, types)) for side in (condition.left, condition.right))
        return self._compared(_COMPARISON[condition.operator], left, right)

    def _compared(self, operator: type[exp.Binary], *sides: _Typed) -> exp.Expr:
        """A comparison; it fails for an int that is compared with a float and may be another number as one."""
        mixed = {type for _, type in sides} == NUMBERS
        left, right = (self._exact(side) if mixed and type == "int" else side for side, type in sides)
        return operator(this=left, expression=right)

    def _exact(self, number: exp.Expr) -> exp.Expr:
        low, high = (exp.convert(bound) for bound in (-EXACT, EXACT))
        said = exp.func("concat", exp.convert(INEXACT), exp.cast(number.copy(), "text"))
        inexact = exp.not_(exp.Between(this=exp.paren(number.copy()), low=low, high=high))
        return exp.case().when(inexact, exp.func(self._fails, said)).else_(number)

    def _group(self, group: plans.Group) -> exp.Select:
        """Aggregates over distinct values and those over all tuples are two queries, joined on their groups."""
        keys = [*plans.stamps([group.into]), *(name for name, _ in group.keys)]
        computed = _cover(group.into, group.merged) | {name: _term(term) for name, term in group.keys}
        values = dict.fromkeys(aggregate.variable for _, aggregate in group.aggregates)
        parts: list[exp.Select] = []
        for all_tuples in (False, True):
            wanted = [(n, a) for n, a in group.aggregates if AGGREGATES[a.function].all == all_tuples]
            if not wanted and (all_tuples or group.aggregates):
                continue
            inner = self._computed(
                (*keys, *map(_collected, values)), computed | {_collected(v): _column(v) for v in values}, group.operand
            )
            part = inner if all_tuples else inner.distinct()
            found = exp.select(*map(_column, keys), *(_named(_aggregate(a), n) for n, a in wanted))
            parts.append(found.from_(part.subquery("part")).group_by(*map(_column, keys)))
        if len(parts) == 1:
            return _select(group.schema).from_(parts[0].subquery("part"))
        sides: dict[Column, str] = {name: RIGHT if AGGREGATES[a.function].all else LEFT for name, a in group.aggregates}
        same = (exp.NullSafeEQ(this=_column(k, LEFT), expression=_column(k, RIGHT)) for k in keys)
        found = exp.select(*(_named(_column(c, sides.get(c, LEFT)), c) for c in group.schema))
        return found.from_(parts[0].subquery(LEFT)).join(parts[1].subquery(RIGHT), on=exp.and_(*same))


def _collected(variable: str) -> TimeStamp:
    """The column of a collected variable below a grouping; no attribute of a head is called so, but as a time stamp."""
    return TimeStamp(f"#{variable}", "start")


# ------------------------------------------------------------------------------------------- parts of queries


def table_name(name: str) -> str:
    """The name of the table of an event type or a materialization point: letters, digits and `_`, in lower case.

    Neither dialect tells capitals apart, and Spark takes no other characters: they are written as numbers.
    """
    return "t_" + "".join(c if c in _TABLE_LETTERS else f"_{ord(c):x}_" for c in name)


def column_name(name: Column) -> str:
    """The name of a column; one with capitals says after `~` which they are, because no dialect tells them apart.

    A `~` in the name of data is doubled, so that a time stamp, `i~s`, is called like none.
    """
    escaped = f"{name.identifier}~{name.side[0]}" if is_stamp(name) else str(name).replace("~", "~~")
    capitals = [str(place) for place, letter in enumerate(escaped) if letter != letter.lower()]
    return f"{escaped}~{'.'.join(capitals)}" if capitals else escaped


def _table(name: str) -> exp.Table:
    return exp.Table(this=exp.to_identifier(table_name(name), quoted=True))


def _column(name: Column, table: str | None = None) -> exp.Column:
    return exp.column(exp.to_identifier(column_name(name), quoted=True), table=table)


def _named(value: exp.Expr, name: Column) -> exp.Alias:
    return exp.Alias(this=value.copy(), alias=exp.to_identifier(column_name(name), quoted=True))


def _select(columns: Iterable[Column], table: str | None = None) -> exp.Select:
    return exp.select(*(_named(_column(column, table), column) for column in columns))


def _moved(stamp: Stamp, ticks: int) -> exp.Expr:
    return exp.Add(this=_column(stamp), expression=exp.convert(ticks)) if ticks else _column(stamp)


def _cover(into: str, merged: Sequence[str]) -> dict[Column, exp.Expr]:
    """The interval that covers several: the least start and the greatest end."""
    begins, ends = [_column(start(name)) for name in merged], [_column(end(name)) for name in merged]
    if len(merged) == 1:
        return {start(into): begins[0], end(into): ends[0]}
    return {
        start(into): exp.Least(this=begins[0], expressions=begins[1:]),
        end(into): exp.Greatest(this=ends[0], expressions=ends[1:]),
    }


def _aggregate(aggregate: Aggregate) -> exp.Expr:
    function = _AGGREGATES[aggregate.function.removesuffix("_all")]
    return function(this=_column(_collected(aggregate.variable)))


def _temporal(condition: Temporal, sides: Mapping[Column, str] = NO_SIDES) -> exp.Expr:
    conjunctions = (exp.and_(*(_difference(part, sides) for part in parts)) for parts in condition.alternatives())
    return exp.or_(*conjunctions)


def _difference(difference: Difference, sides: Mapping[Column, str]) -> exp.Expr:
    later, earlier = (_column(stamp, sides.get(stamp)) for stamp in (difference.later, difference.earlier))
    operator = exp.LT if difference.strict else exp.LTE
    bound = exp.Add(this=earlier, expression=exp.convert(difference.bound)) if difference.bound else earlier
    return operator(this=later, expression=bound)


def _constant(constant: Constant) -> exp.Expr:
    """A constant; a float is written as text, for a number with a point is an exact decimal in both dialects.

    Raises:
        OverflowError: an int is beyond 64 bits: as the literals of a dialect it may be a rounded float.
    """
    if isinstance(constant.value, float):
        return exp.cast(exp.Literal.string(repr(constant.value)), "double")
    if isinstance(constant.value, int):
        constant.value.to_bytes(8, signed=True)
    return exp.convert(constant.value)


def _term(term: Term) -> exp.Expr:
    match term:
        case Variable(name):
            return _column(name)
        case Constant():
            return _constant(term)
        case Arithmetic("/", left, right):
            divisor = exp.Nullif(this=exp.paren(_term(right)), expression=exp.convert(0))
            return exp.Div(this=exp.cast(_term(left), "double"), expression=divisor)
        case Arithmetic(sign, left, right):
            return exp.paren(_ARITHMETIC[sign](this=exp.paren(_term(left)), expression=exp.paren(_term(right))))
