"""The relational algebra of events (CERA) as data: expressions, and query plans with materialization points.

An operator is what it is, its schema and its notation in the papers; everything else interprets it. Columns are time
stamps (`i.s`, `i.e`) and data (2008, Section 2.2); a time stamp is a value of its own, so data may have any name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias

from semantics.bry_eckert import temporal
from semantics.bry_eckert.programs import Aggregate, Axiom
from semantics.bry_eckert.temporal import PRIME, Column, Stamp, Temporal, end, in_stamps, is_stamp, start
from semantics.bry_eckert.terms import Comparison, Constant, Term, Variable, variables
from semantics.events import quoted

RESULT = "#"  # the identifier of the interval of a derived event; one that no rule can use

Schema: TypeAlias = tuple[Column, ...]
"""The columns of a relation: pairs of time stamps first, then data, each in alphabetical order."""

Condition: TypeAlias = Temporal | Comparison


class Part(NamedTuple):
    """The name of a materialization point within a rule or an event type, by number: one of several rules, or joins."""

    of: Name
    kind: Literal["rule", "join"]
    number: int

    def __str__(self) -> str:
        return f"{named(self.of)}{_SIGNS[self.kind]}{self.number}"


Name: TypeAlias = "str | Part"  # of a relation: an event type, or a part, which no event type can be called

_SIGNS = {"rule": "#", "join": "/"}


def named(name: Name) -> str:
    """The name of a relation as text, different for different names: in quotes where it might be that of a part."""
    if isinstance(name, Part):
        return str(name)
    return name if name and name.isprintable() and not {*_SIGNS.values(), '"'} & {*name} else quoted(name)


def stamps(identifiers: Iterable[str]) -> tuple[Stamp, ...]:
    """The time stamps of events."""
    return tuple(stamp for name in identifiers for stamp in (start(name), end(name)))


def identifiers_of(columns: Iterable[Column]) -> tuple[str, ...]:
    """The events whose time stamps are among the columns."""
    return tuple(dict.fromkeys(column.identifier for column in columns if is_stamp(column)))


def data_of(columns: Iterable[Column]) -> tuple[str, ...]:
    """The columns that are data."""
    return tuple(column for column in columns if isinstance(column, str))


def columns_of(condition: Condition) -> frozenset[Column]:
    """The columns that a condition is about."""
    if isinstance(condition, Comparison):
        return frozenset(variables(condition))
    return frozenset(s for parts in condition.alternatives() for d in parts for s in (d.later, d.earlier))


class _Operator:
    @cached_property
    def schema(self) -> Schema:
        """The columns of its tuples."""
        return tuple(sorted(set(_columns(self)), key=lambda column: (not is_stamp(column), str(column))))


@dataclass(frozen=True)
class Base(_Operator):
    """The relation R_i of an atomic event query `i: R(…)` (2007, Section 3) on an event type or a point of the plan."""

    identifier: str
    relation: str
    arguments: tuple[tuple[str, Variable | Constant], ...]


@dataclass(frozen=True)
class Point(_Operator):
    """A materialization point as an input with all its columns, time stamps of several events among them."""

    name: Name
    columns: Schema


@dataclass(frozen=True)
class Join(_Operator):
    """The natural join ⋈."""

    left: Expression
    right: Expression


@dataclass(frozen=True)
class Timer(_Operator):
    """The join of an expression with the auxiliary relation of a relative timer (2008, Section 2.2)."""

    timing: temporal.Timing
    operand: Expression


@dataclass(frozen=True)
class Select(_Operator):
    """The selection σ by a condition on time stamps or on data."""

    condition: Condition
    operand: Expression


@dataclass(frozen=True)
class Project(_Operator):
    """The projection π on data, extended: each column is the value of a term; time stamps all stay."""

    columns: tuple[tuple[str, Term], ...]
    operand: Expression


@dataclass(frozen=True)
class Merge(_Operator):
    """The merging μ[j ← i₁ ⊔ … ⊔ iₙ]: one interval that covers several, which are discarded (2008, Section 2.2)."""

    into: str
    merged: tuple[str, ...]
    operand: Expression


@dataclass(frozen=True)
class AntiSemiJoin(_Operator):
    """The anti-semi-join: tuples of the left that no tuple of the right, inside a window of the left, joins with."""

    left: Expression
    right: Expression
    inside: temporal.Related


@dataclass(frozen=True)
class Group(_Operator):
    """The grouping γ within windows: merges intervals, aggregates distinct values, or of `all` tuples."""

    into: str
    merged: tuple[str, ...]
    keys: tuple[tuple[str, Term], ...]
    aggregates: tuple[tuple[str, Aggregate], ...]
    operand: Expression


Expression: TypeAlias = Base | Point | Join | Timer | Select | Project | Merge | AntiSemiJoin | Group


def _columns(expression: _Operator) -> Iterable[Column]:
    match expression:
        case Base(identifier, _, arguments):
            return (*stamps([identifier]), *(term.name for _, term in arguments if isinstance(term, Variable)))
        case Join(left, right):
            return (*left.schema, *right.schema)
        case Timer(timing, operand):
            return (*operand.schema, *stamps([timing.into]))
        case Select(_, operand) | AntiSemiJoin(operand, _, _):
            return operand.schema
        case Project(columns, operand):
            return (*filter(is_stamp, operand.schema), *(name for name, _ in columns))
        case Merge(into, merged, operand):
            return (*(column for column in operand.schema if column not in stamps(merged)), *stamps([into]))
        case Group(into, _, keys, aggregates):
            return (*stamps([into]), *(name for name, _ in (*keys, *aggregates)))
        case Point(_, columns):
            return columns
    raise AssertionError(expression)


def operands(expression: Expression) -> tuple[Expression, ...]:
    """The parts of an expression, from the left."""
    if isinstance(expression, Base | Point):
        return ()
    return (expression.left, expression.right) if isinstance(expression, Join | AntiSemiJoin) else (expression.operand,)


@dataclass(frozen=True)
class Union:
    """The union of materialization points with the same columns; only a materialization point is one (2008, 2.3)."""

    relations: tuple[Name, ...]


@dataclass(frozen=True)
class Definition:
    """A materialization point: a relation that is kept between steps; an intermediate one derives no event type.

    It never has a tuple, whatever the log, if it is `empty`.
    """

    name: Name
    expression: Expression | Union
    derives: str | None = None
    empty: bool = False


@dataclass(frozen=True)
class Plan:
    """A query plan: materialization points, each after those that it reads (2008, Section 2.3), and what is declared.

    Durations are in ticks. Of doubtful stores (a point, the number of a relation that it reads) nothing is dropped.
    """

    definitions: tuple[Definition, ...]
    durations: tuple[tuple[str, int], ...] = ()
    axioms: tuple[Axiom, ...] = ()
    precisions: tuple[tuple[str, str, int], ...] = ()
    doubtful: frozenset[tuple[Name, int]] = frozenset()

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.definitions, self.durations, self.axioms, self.precisions))

    @cached_property
    def longest(self) -> Mapping[str, int]:
        """The durations by relation."""
        return dict(self.durations)

    def precisions_of(self, relation: str) -> Mapping[str, int]:
        """How near their event the attributes of a relation are that are times."""
        return {name: ticks for of, name, ticks in self.precisions if of == relation}

    def with_points(self, relations: Iterable[str]) -> Plan:
        """The plan that believes besides that the events of some base relations are points in time."""
        return replace(self, durations=tuple({**self.longest, **dict.fromkeys(relations, 0)}.items()))

    @cached_property
    def by_name(self) -> Mapping[Name, Definition]:
        """The definitions by name."""
        return {definition.name: definition for definition in self.definitions}

    def schema_of(self, name: Name) -> Schema:
        """The columns of a materialization point."""
        expression = self.by_name[name].expression
        return self.schema_of(expression.relations[0]) if isinstance(expression, Union) else expression.schema


def in_algebra(expression: Expression | Union, result: str) -> str:
    """An expression as the papers write it; `result` stands for the interval of the derived event."""
    match expression:
        case Union(relations):
            return " ∪ ".join(map(named, relations))
        case Base() | Point():
            return symbol(expression, result)
        case Join(left, right) | AntiSemiJoin(left, right, _):
            sides = ((in_algebra(one, result), isinstance(one, Join | AntiSemiJoin)) for one in (left, right))
            return f" {symbol(expression, result)} ".join(f"({said})" if nested else said for said, nested in sides)
        case _:
            return f"{symbol(expression, result)}({in_algebra(expression.operand, result)})"


def symbol(expression: Expression, result: str) -> str:
    """The operator of an expression with its parameters, without the operands."""
    match expression:
        case Base(identifier, relation, arguments):
            said = [(name, str(t).partition(PRIME)[0] if isinstance(t, Variable) else str(t)) for name, t in arguments]
            parts = [name if name == text else f"{name} = {text}" for name, text in said]
            return f"{named(relation)}[{identifier}: {', '.join(parts) or '∅'}]"
        case Point(name):
            return named(name)
        case Join():
            return "⋈"
        case Timer(timing):
            first, last = timing.said
            return f"τ[{timing.into}.s ← {first}, {timing.into}.e ← {last}]"
        case Select(given):
            return f"σ[{given if isinstance(given, Comparison) else in_stamps(given)}]"
        case Project(columns):
            return f"π[{_named(columns)}]"
        case Merge(into, merged):
            return f"μ[{result if into == RESULT else into} ← {' ⊔ '.join(merged)}]"
        case AntiSemiJoin(_, _, inside):
            return f"▷[{in_stamps(inside)}]"
        case Group(into, merged, keys, aggregates):
            interval = f"{result if into == RESULT else into} ← {' ⊔ '.join(merged)}"
            return f"γ[{', '.join(filter(None, (interval, _named(keys), _named(aggregates))))}]"


def _named(columns: Iterable[tuple[str, object]]) -> str:
    return ", ".join(name if isinstance(t, Variable) and t.name == name else f"{name} ← {t}" for name, t in columns)


def definition(part: Definition) -> str:
    """A materialization point as the papers write it."""
    return f"{named(part.name)} := {in_algebra(part.expression, result_of(part))}"


def result_of(part: Definition) -> str:
    """Name of the interval of a derived event: like its type; `r` of an intermediate materialization point."""
    return "r" if part.derives is None else named(part.derives.lower())


def plan_text(plan: Plan) -> str:
    """A plan, one materialization point a line."""
    return "\n".join(map(definition, plan.definitions))
