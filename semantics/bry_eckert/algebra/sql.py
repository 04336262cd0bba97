"""Query plans as SQL: one query for each materialization point, in the dialect of DuckDB or of Spark.

Names are always quoted; `sqlglot` writes constants as a dialect has them. Each event type is a table with the columns
`time`, `start` and its attributes, and so is each materialization point with its columns.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Literal, TypeAlias, cast

from sqlglot.expressions import convert

from semantics.bry_eckert import terms
from semantics.bry_eckert.algebra import plans
from semantics.bry_eckert.algebra.plans import RESULT
from semantics.bry_eckert.programs import EventType, Program
from semantics.bry_eckert.temporal import Column, Temporal, TimeStamp, end, is_stamp, start
from semantics.bry_eckert.terms import AGGREGATES, Arithmetic, Comparison, Constant, Term, Type, Variable, type_of


def column_types(
    expression: plans.Expression | plans.Union, plan: plans.Plan, signatures: Mapping[str, EventType]
) -> dict[str, Type]:
    """The types of the data of an expression; where equal values of two types join, that of the left."""
    match expression:
        case plans.Base(_, relation, arguments):
            types = signatures[relation].types
            return {term.name: types[name] for name, term in reversed(arguments) if isinstance(term, Variable)}
        case plans.Union(relations):
            return column_types(plan.by_name[relations[0]].expression, plan, signatures)
        case plans.Point(name):
            return column_types(plan.by_name[name].expression, plan, signatures)
        case plans.Project(columns, operand):
            inner = column_types(operand, plan, signatures)
            return {name: type_of(term, inner) for name, term in columns}
        case plans.Group(_, _, keys, aggregates, operand):
            inner = column_types(operand, plan, signatures)
            found = {name: type_of(term, inner) for name, term in keys}
            for name, aggregate in aggregates:
                type = terms.aggregate_type(aggregate.function, inner[aggregate.variable])
                found[name] = cast(Type, type)  # the program is checked
            return found
        case _:
            found = {}
            for operand in reversed(plans.operands(expression)):
                found |= column_types(operand, plan, signatures)
            return found


Dialect: TypeAlias = Literal["duckdb", "spark"]

_TABLE_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")

LEFT, RIGHT = "l", "r"
"""The names of the two sides of a join in its query."""

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
    return tuple((part.name, writer.defined(part)) for part in plan.definitions)


class _Writer:
    """The query of an expression; each operator is a query over those of its parts."""

    def __init__(self, program: Program, plan: plans.Plan, dialect: Dialect) -> None:
        self._dialect, self._plan, self._signatures = dialect, plan, program.signatures
        self._quote, self._text, self._fails, self._same = (
            ('"', "TEXT", "error", "IS NOT DISTINCT FROM")
            if dialect == "duckdb"
            else ("`", "STRING", "raise_error", "<=>")
        )

    def defined(self, definition: plans.Definition) -> str:
        """The query of a materialization point."""
        if isinstance(definition.expression, plans.Union):
            columns = self._plan.schema_of(definition.name)
            relations = definition.expression.relations
            return " UNION ".join(self._select(columns, "", self._table(name)) for name in relations)
        return self._query(definition.expression)

    def _types(self, expression: plans.Expression) -> dict[str, Type]:
        return column_types(expression, self._plan, self._signatures)

    def _query(self, expression: plans.Expression) -> str:
        columns = expression.schema
        match expression:
            case plans.Base():
                return self._base(expression)
            case plans.Point(name):
                return self._select(columns, "", self._table(name))
            case plans.Join(left, right):
                sides = {c: self._column(c, LEFT if c in left.schema else RIGHT) for c in columns}
                shared = " AND ".join(("TRUE", *self._equal(left, right)))
                joined = f"{self._part(left, LEFT)} JOIN {self._part(right, RIGHT)} ON {shared}"
                return self._computed(columns, sides, joined)
            case plans.Timer(timing, operand):
                added = {stamp: f"({self._column(origin)} + {ticks})" for stamp, origin, ticks in timing.edges}
                ends_late = f"{added[start(timing.into)]} <= {added[end(timing.into)]}"
                return f"{self._computed(columns, added, self._part(operand))} WHERE {ends_late}"
            case plans.Select(condition, operand):
                return f"{self._select(columns, '', self._part(operand))} WHERE {self._selected(condition, operand)}"
            case plans.Project(given, operand):
                computed: dict[Column, str] = {name: self._term(term) for name, term in given}
                return self._computed(columns, computed, self._part(operand), distinct=True)
            case plans.Merge(_, _, operand):
                return self._computed(columns, self._cover(expression), self._part(operand), distinct=True)
            case plans.AntiSemiJoin(left, right, inside):
                sides = dict.fromkeys(right.schema, RIGHT) | dict.fromkeys(left.schema, LEFT)
                matching = " AND ".join([*self._equal(left, right), self._temporal(inside, sides)])
                absent = f"SELECT 1 FROM {self._part(right, RIGHT)} WHERE {matching}"
                return f"{self._select(columns, LEFT, self._part(left, LEFT))} WHERE NOT EXISTS ({absent})"
            case plans.Group():
                return self._group(expression)

    def _part(self, expression: plans.Expression, name: str = "part") -> str:
        return f"({self._query(expression)}) AS {name}"

    def _select(self, columns: Iterable[Column], side: str, source: str) -> str:
        return self._computed(columns, {column: self._column(column, side) for column in columns}, source)

    def _computed(
        self, columns: Iterable[Column], computed: Mapping[Column, str], source: str, *, distinct: bool = False
    ) -> str:
        found = (f"{computed.get(column) or self._column(column)} AS {self._column(column)}" for column in columns)
        return f"SELECT {'DISTINCT ' if distinct else ''}{', '.join(found)} FROM {source}"

    def _base(self, base: plans.Base) -> str:
        names = plans.stamps([RESULT]) if base.relation in self._plan.by_name else ("start", "time")
        of_event: dict[Column, Column] = dict(zip(plans.stamps([base.identifier]), names, strict=True))
        conditions = ["TRUE"]
        types = self._signatures[base.relation].types
        for attribute, term in base.arguments:
            given = (self._column(attribute), types[attribute])
            if isinstance(term, Constant):
                conditions.append(self._compared("=", given, (self._term(term), terms.TYPES[term.value.__class__])))
            elif term.name in of_event:
                known = str(of_event[term.name])
                conditions.append(self._compared("=", given, (self._column(known), types[known])))
            else:
                of_event[term.name] = attribute
                conditions.append(f"{given[0]} IS NOT NULL")
        columns = {column: self._column(of_event[column]) for column in base.schema}
        found = self._computed(base.schema, columns, self._table(base.relation), distinct=True)
        return f"{found} WHERE {' AND '.join(conditions)}"

    def _equal(self, left: plans.Expression, right: plans.Expression) -> Iterable[str]:
        """Conditions that the columns which two sides share are equal."""
        sides = ((LEFT, self._types(left)), (RIGHT, self._types(right)))
        for column in left.schema:
            if column in right.schema:
                pair = ((self._column(column, s), "int" if is_stamp(column) else of[str(column)]) for s, of in sides)
                yield self._compared("=", *pair)

    def _selected(self, condition: plans.Condition, operand: plans.Expression) -> str:
        if not isinstance(condition, Comparison):
            return self._temporal(condition, {})
        types = self._types(operand)
        sides = ((self._term(side), type_of(side, types)) for side in (condition.left, condition.right))
        return self._compared(condition.operator, *sides)

    def _compared(self, operator: str, *sides: tuple[str, Type]) -> str:
        """A comparison; it fails for an int that is compared with a float and may be another number as one."""
        mixed = {type for _, type in sides} == terms.NUMBERS
        left, right = (self._exact(side) if mixed and type == "int" else side for side, type in sides)
        return f"({left}) {operator} ({right})"

    def _exact(self, number: str) -> str:
        said = f"{self._fails}(concat({self._literal(INEXACT)}, CAST({number} AS {self._text})))"
        return f"CASE WHEN NOT ({number}) BETWEEN -{EXACT} AND {EXACT} THEN {said} ELSE {number} END"

    def _group(self, group: plans.Group) -> str:
        """Aggregates over distinct values and those over all tuples are two queries, joined on their groups."""
        keys = [*plans.stamps([group.into]), *(name for name, _ in group.keys)]
        # A collected variable is a column below a grouping: no attribute of a head is called so, but as a time stamp.
        collected = {a.variable: TimeStamp(f"#{a.variable}", "start") for _, a in group.aggregates}
        computed = self._cover(group) | {name: self._term(term) for name, term in group.keys}
        computed |= {column: self._column(variable) for variable, column in collected.items()}
        parts: list[str] = []
        for all_tuples in (False, True):
            wanted = {n: a for n, a in group.aggregates if AGGREGATES[a.function].all == all_tuples}
            if not wanted and (all_tuples or group.aggregates):
                continue
            columns, source = (*keys, *collected.values()), self._part(group.operand)
            inner = self._computed(columns, computed, source, distinct=not all_tuples)
            values: dict[Column, str] = {
                name: f"{a.function.removesuffix('_all')}({self._column(collected[a.variable])})"
                for name, a in wanted.items()
            }
            found = self._computed((*keys, *values), values, f"({inner}) AS part")
            parts.append(f"{found} GROUP BY {', '.join(map(self._column, keys))}")
        if len(parts) == 1:
            return self._select(group.schema, "", f"({parts[0]}) AS part")
        of_all = {name for name, a in group.aggregates if AGGREGATES[a.function].all}
        sides = {c: self._column(c, RIGHT if c in of_all else LEFT) for c in group.schema}
        same = " AND ".join(f"{self._column(k, LEFT)} {self._same} {self._column(k, RIGHT)}" for k in keys)
        return self._computed(group.schema, sides, f"({parts[0]}) AS {LEFT} JOIN ({parts[1]}) AS {RIGHT} ON {same}")

    def _cover(self, given: plans.Merge | plans.Group) -> dict[Column, str]:
        """The interval that covers several: the least start and the greatest end."""
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

    def _term(self, term: Term) -> str:
        """A term; a float is written as text, for a number with a point is an exact decimal in both dialects."""
        match term:
            case Variable(name):
                return self._column(name)
            case Constant(float() as number):
                return f"CAST('{number!r}' AS DOUBLE)"
            case Constant(value):
                if isinstance(value, int):
                    value.to_bytes(8, signed=True)  # beyond 64 bits, as a literal it may be a rounded float
                return self._literal(value)
            case Arithmetic("/", left, right):
                return f"(CAST({self._term(left)} AS DOUBLE) / NULLIF({self._term(right)}, 0))"
            case Arithmetic(sign, left, right):
                return f"({self._term(left)} {sign} {self._term(right)})"

    def _literal(self, value: str | float) -> str:
        return str(convert(value).sql(dialect=self._dialect))

    def _column(self, name: Column, side: str = "") -> str:
        quoted = column_name(name).replace(self._quote, self._quote * 2)
        return f"{side}.{self._quote}{quoted}{self._quote}" if side else f"{self._quote}{quoted}{self._quote}"

    def _table(self, name: str) -> str:
        return f"{self._quote}{table_name(name)}{self._quote}"


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
