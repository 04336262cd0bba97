"""Query plans as SQL: one query for each materialization point, in the dialect of DuckDB or of Spark.

`sqlglot` writes the text, so that names are quoted and functions are named as a dialect has them. Each event type is a
table with the columns `time`, `start` and its attributes, and so is each materialization point with its columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache, reduce
from types import MappingProxyType
from typing import Literal, TypeAlias

from sqlglot import exp

from semantics.bry_eckert.algebra import plans
from semantics.bry_eckert.algebra.translation import RESULT
from semantics.bry_eckert.programs import EventType, Program
from semantics.bry_eckert.temporal import Column, Temporal, TimeStamp, end, is_stamp, start
from semantics.bry_eckert.terms import (
    AGGREGATES,
    NUMBERS,
    TYPES,
    Arithmetic,
    Comparison,
    Constant,
    Term,
    Type,
    Variable,
    aggregate_type,
    type_of,
)


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
        case plans.AntiSemiJoin(operand, _, _) | plans.Timer(_, operand) | plans.Select(_, operand):
            return column_types(operand, plan, signatures)
        case plans.Merge(_, _, operand):
            return column_types(operand, plan, signatures)
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

EXACT = 2**53
"""Up to this number, every int has a 64-bit float of its own."""

INEXACT = "beyond 2^53, relational engines do not tell such a number from others where it is compared with floats: "
"""Begins what is said of an int; the int follows."""


@lru_cache(maxsize=8)  # writing a query takes longer than it takes for the few events of a partition
def queries(program: Program, plan: plans.Plan, dialect: Dialect) -> tuple[tuple[str, str], ...]:
    """The name and the query of each materialization point, in the order of the plan.

    A query fails with a message that has `INEXACT` where an int meets a float and has none of its own.

    Raises:
        OverflowError: a constant is beyond 64 bits.
    """
    writer = _Writer(program, plan, dialect)
    return tuple((part.name, writer.defined(part).sql(dialect=dialect, pretty=True)) for part in plan.definitions)


class _Writer:
    """The query of an expression; each operator is a query over those of its parts."""

    def __init__(self, program: Program, plan: plans.Plan, dialect: Dialect) -> None:
        self._fails = "error" if dialect == "duckdb" else "raise_error"
        self._plan, self._signatures = plan, program.signatures

    def defined(self, definition: plans.Definition) -> exp.Query:
        """The query of a materialization point."""
        if isinstance(definition.expression, plans.Union):
            columns = self._plan.schema_of(definition.name)
            parts: list[exp.Query] = [_select(columns).from_(_table(n)) for n in definition.expression.relations]
            return reduce(lambda one, other: exp.union(one, other, distinct=True), parts)
        return self._query(definition.expression)

    def _types(self, expression: plans.Expression) -> dict[str, Type]:
        return column_types(expression, self._plan, self._signatures)

    def _query(self, expression: plans.Expression) -> exp.Select:
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
                added = {
                    stamp: exp.Add(this=_column(origin), expression=exp.convert(ticks)) if ticks else _column(origin)
                    for stamp, origin, ticks in timing.edges
                }
                ends_late = exp.LTE(this=added[start(timing.into)], expression=added[end(timing.into)])
                return self._computed(columns, added, operand).where(ends_late)
            case plans.Select(condition, operand):
                return _select(columns).from_(self._part(operand)).where(self._selected(condition, operand))
            case plans.Project(given, operand):
                return self._computed(columns, {name: _term(term) for name, term in given}, operand).distinct()
            case plans.Merge(_, _, operand):
                return self._computed(columns, _cover(expression), operand).distinct()
            case plans.AntiSemiJoin(left, right, inside):
                sides = dict.fromkeys(right.schema, RIGHT) | dict.fromkeys(left.schema, LEFT)
                matching = [*self._equal(left, right), _temporal(inside, sides)]
                absent = exp.select("1").from_(self._part(right, RIGHT)).where(*matching)
                return _select(columns, LEFT).from_(self._part(left, LEFT)).where(exp.not_(exp.Exists(this=absent)))
            case plans.Group():
                return self._group(expression)

    def _part(self, expression: plans.Expression, name: str = "part") -> exp.Subquery:
        return self._query(expression).subquery(name)

    def _computed(
        self, columns: plans.Schema, computed: Mapping[Column, exp.Expr], operand: plans.Expression
    ) -> exp.Select:
        found = (_named(computed.get(column) or _column(column), column) for column in columns)
        return exp.select(*found).from_(self._part(operand))

    def _base(self, base: plans.Base) -> exp.Select:
        names = plans.stamps([RESULT]) if base.relation in self._plan.by_name else ("start", "time")
        of_event: dict[Column, Column] = dict(zip(plans.stamps([base.identifier]), names, strict=True))
        conditions: list[exp.Expr] = []
        types = self._signatures[base.relation].types
        for attribute, term in base.arguments:
            column, type = _column(attribute), types[attribute]
            if isinstance(term, Constant):
                given = (_term(term), TYPES[term.value.__class__])
                conditions.append(self._compared(exp.EQ, (column, type), given))
            elif term.name in of_event:
                known = str(of_event[term.name])
                conditions.append(self._compared(exp.EQ, (column, type), (_column(known), types[known])))
            else:
                of_event[term.name] = attribute
                conditions.append(exp.Not(this=exp.Is(this=column, expression=exp.Null())))
        found = exp.select(*(_named(_column(of_event[c]), c) for c in base.schema)).from_(_table(base.relation))
        return found.where(*conditions).distinct()

    def _equal(self, left: plans.Expression, right: plans.Expression) -> Iterable[exp.Expr]:
        """Conditions that the columns which two sides share are equal."""
        sides = ((LEFT, self._types(left)), (RIGHT, self._types(right)))
        for column in left.schema:
            if column in right.schema:
                pair = ((_column(column, s), "int" if is_stamp(column) else of[str(column)]) for s, of in sides)
                yield self._compared(exp.EQ, *pair)

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
        # A collected variable is a column below a grouping: no attribute of a head is called so, but as a time stamp.
        collected = {a.variable: TimeStamp(f"#{a.variable}", "start") for _, a in group.aggregates}
        computed = _cover(group) | {name: _term(term) for name, term in group.keys}
        computed |= {column: _column(variable) for variable, column in collected.items()}
        parts: list[exp.Select] = []
        for all_tuples in (False, True):
            wanted = [(n, a) for n, a in group.aggregates if AGGREGATES[a.function].all == all_tuples]
            if not wanted and (all_tuples or group.aggregates):
                continue
            inner = self._computed((*keys, *collected.values()), computed, group.operand)
            part = inner if all_tuples else inner.distinct()
            values = (
                _named(exp.func(a.function.removesuffix("_all"), _column(collected[a.variable])), n) for n, a in wanted
            )
            found = exp.select(*map(_column, keys), *values).from_(part.subquery("part"))
            parts.append(found.group_by(*map(_column, keys)))
        if len(parts) == 1:
            return _select(group.schema).from_(parts[0].subquery("part"))
        sides: dict[Column, str] = {name: RIGHT if AGGREGATES[a.function].all else LEFT for name, a in group.aggregates}
        same = (exp.NullSafeEQ(this=_column(k, LEFT), expression=_column(k, RIGHT)) for k in keys)
        found = exp.select(*(_named(_column(c, sides.get(c, LEFT)), c) for c in group.schema))
        return found.from_(parts[0].subquery(LEFT)).join(parts[1].subquery(RIGHT), on=exp.and_(*same))


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


def _cover(given: plans.Merge | plans.Group) -> dict[Column, exp.Expr]:
    """The interval that covers several: the least start and the greatest end."""
    begins, ends = ([_column(of(name)) for name in given.merged] for of in (start, end))
    if len(given.merged) == 1:
        return {start(given.into): begins[0], end(given.into): ends[0]}
    return {
        start(given.into): exp.Least(this=begins[0], expressions=begins[1:]),
        end(given.into): exp.Greatest(this=ends[0], expressions=ends[1:]),
    }


def _temporal(condition: Temporal, sides: Mapping[Column, str] = NO_SIDES) -> exp.Expr:
    alternatives = []
    for conjunction in condition.alternatives():
        parts = []
        for part in conjunction:
            later, earlier = (_column(stamp, sides.get(stamp)) for stamp in (part.later, part.earlier))
            bound = exp.Add(this=earlier, expression=exp.convert(part.bound)) if part.bound else earlier
            parts.append((exp.LT if part.strict else exp.LTE)(this=later, expression=bound))
        alternatives.append(exp.and_(*parts))
    return exp.or_(*alternatives)


def _term(term: Term) -> exp.Expr:
    """A term; a float is written as text, for a number with a point is an exact decimal in both dialects."""
    match term:
        case Variable(name):
            return _column(name)
        case Constant(float() as number):
            return exp.cast(exp.Literal.string(repr(number)), "double")
        case Constant(value):
            if isinstance(value, int):
                value.to_bytes(8, signed=True)  # beyond 64 bits, as the literal of a dialect it may be a rounded float
            return exp.convert(value)
        case Arithmetic("/", left, right):
            divisor = exp.Nullif(this=exp.paren(_term(right)), expression=exp.convert(0))
            return exp.Div(this=exp.cast(_term(left), "double"), expression=divisor)
        case Arithmetic(sign, left, right):
            return exp.paren(_ARITHMETIC[sign](this=exp.paren(_term(left)), expression=exp.paren(_term(right))))
