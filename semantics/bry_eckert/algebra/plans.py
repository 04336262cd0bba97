"""The relational algebra of events (CERA) as data: expressions, and query plans with materialization points.

An operator is defined here by what it is and by its schema; everything else interprets it: evaluation over a whole
history, SQL, engines that go step by step, the paper's notation. Columns are time stamps (`i.s`, `i.e`) and
data (2008, Section 2.2); a time stamp is a value of its own, so data may have any name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

from semantics.bry_eckert.programs import Aggregate, Axiom
from semantics.bry_eckert.temporal import Column, Related, Stamp, Temporal, Timing, end, is_stamp, start
from semantics.bry_eckert.terms import Comparison, Constant, Term, Variable, variables_of

Schema: TypeAlias = tuple[Column, ...]
"""The columns of a relation: pairs of time stamps first, then data, each in alphabetical order."""

Condition: TypeAlias = Temporal | Comparison


def schema(columns: Iterable[Column]) -> Schema:
    """The columns in the order of a schema."""
    return tuple(sorted(set(columns), key=lambda column: (not is_stamp(column), str(column))))


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
        return frozenset(variables_of(condition))
    return frozenset(s for parts in condition.alternatives() for d in parts for s in (d.later, d.earlier))


@dataclass(frozen=True)
class Base:
    """The relation R_i of an atomic event query `i: R(…)` (2007, Section 3).

    Attributes:
        identifier: the event identifier i.
        relation: an event type, or a materialization point of the plan.
        arguments: attributes with the constant or variable that each equals; an event that lacks one does not match.
    """

    identifier: str
    relation: str
    arguments: tuple[tuple[str, Variable | Constant], ...]

    @cached_property
    def schema(self) -> Schema:
        """The two time stamps and the variables."""
        names = (term.name for _, term in self.arguments if isinstance(term, Variable))
        return schema((*stamps([self.identifier]), *names))


@dataclass(frozen=True)
class Point:
    """A materialization point as an input with all its columns, time stamps of several events among them."""

    name: str
    columns: Schema

    @property
    def schema(self) -> Schema:
        """Its columns."""
        return self.columns


@dataclass(frozen=True)
class Join:
    """The natural join ⋈."""

    left: Expression
    right: Expression

    @cached_property
    def schema(self) -> Schema:
        """The columns of both."""
        return schema((*self.left.schema, *self.right.schema))


@dataclass(frozen=True)
class Timer:
    """The join of an expression with the auxiliary relation of a relative timer (2008, Section 2.2)."""

    timing: Timing
    operand: Expression

    @cached_property
    def schema(self) -> Schema:
        """The time stamps of the timer as well."""
        return schema((*self.operand.schema, *stamps([self.timing.into])))


@dataclass(frozen=True)
class Select:
    """The selection σ by a condition on time stamps or on data."""

    condition: Condition
    operand: Expression

    @property
    def schema(self) -> Schema:
        """Columns of its operand."""
        return self.operand.schema


@dataclass(frozen=True)
class Project:
    """The projection π on data, extended: each column is the value of a term; time stamps all stay."""

    columns: tuple[tuple[str, Term], ...]
    operand: Expression

    @cached_property
    def schema(self) -> Schema:
        """All time stamps, and the columns."""
        return schema((*filter(is_stamp, self.operand.schema), *(name for name, _ in self.columns)))


@dataclass(frozen=True)
class Merge:
    """The merging μ[j ← i₁ ⊔ … ⊔ iₙ]: one interval that covers several, which are discarded (2008, Section 2.2)."""

    into: str
    merged: tuple[str, ...]
    operand: Expression

    @cached_property
    def schema(self) -> Schema:
        """The columns without the time stamps that are merged, with those of the cover."""
        gone = set(stamps(self.merged))
        return schema((*(c for c in self.operand.schema if c not in gone), *stamps([self.into])))


@dataclass(frozen=True)
class AntiSemiJoin:
    """The anti-semi-join within a window: tuples of the left that no tuple of the right in the window joins with.

    Attributes:
        left: what is kept.
        right: what has to be absent.
        inside: that the event of the right lies in a window of the left.
    """

    left: Expression
    right: Expression
    inside: Related

    @property
    def schema(self) -> Schema:
        """That of the left."""
        return self.left.schema


@dataclass(frozen=True)
class Group:
    """The grouping γ within windows: merges intervals, discards those of the collected events, aggregates data.

    Attributes:
        into: the identifier of the merged interval.
        merged: the events whose intervals are merged; the windows are among them or cover no later time.
        keys: the data by which groups are made, besides the merged interval.
        aggregates: columns with their aggregates; an aggregate is over the distinct values of (interval, keys,
            aggregated variables) unless its function says `all`.
        operand: the tuples that are grouped; the time stamps that are not merged are those of collected events.
    """

    into: str
    merged: tuple[str, ...]
    keys: tuple[tuple[str, Term], ...]
    aggregates: tuple[tuple[str, Aggregate], ...]
    operand: Expression

    @cached_property
    def schema(self) -> Schema:
        """The merged interval, the keys and the aggregates."""
        names = (name for name, _ in (*self.keys, *self.aggregates))
        return schema((*stamps([self.into]), *names))


Expression: TypeAlias = Base | Point | Join | Timer | Select | Project | Merge | AntiSemiJoin | Group


def operands(expression: Expression) -> tuple[Expression, ...]:
    """The parts of an expression, from the left."""
    match expression:
        case Base() | Point():
            return ()
        case Join() | AntiSemiJoin():
            return (expression.left, expression.right)
        case _:
            return (expression.operand,)


def subexpressions(expression: Expression) -> Iterator[Expression]:
    """An expression and all its parts, parts before wholes."""
    for operand in operands(expression):
        yield from subexpressions(operand)
    yield expression


def read(expression: Expression) -> tuple[Base | Point, ...]:
    """The relations that an expression reads, from the left."""
    return tuple(part for part in subexpressions(expression) if isinstance(part, Base | Point))


@dataclass(frozen=True)
class Union:
    """The union of materialization points with the same columns; only a materialization point is one (2008, 2.3)."""

    relations: tuple[str, ...]


@dataclass(frozen=True)
class Definition:
    """A materialization point: a relation that is kept between steps.

    Attributes:
        derives: the event type whose events it holds, with time stamps `r.s` and `r.e`; "" for an intermediate one.
    """

    name: str
    expression: Expression | Union
    derives: str = ""


@dataclass(frozen=True)
class Plan:
    """A query plan: materialization points, each after those that it reads (2008, Section 2.3).

    Attributes:
        durations: base relations with how long their events take at most, in ticks, as the program declares.
        axioms: what the program says of the events of base relations besides.
        precisions: attributes of base relations that are times, with how many ticks they are at most before the start
            or after the end of their event.
        doubtful: the stores, by materialization point and number of the relation that it reads, of which nothing is
            dropped, as it is in doubt whether their relevance condition is safe.
    """

    definitions: tuple[Definition, ...]
    durations: tuple[tuple[str, int], ...] = ()
    axioms: tuple[Axiom, ...] = ()
    precisions: tuple[tuple[str, str, int], ...] = ()
    doubtful: frozenset[tuple[str, int]] = frozenset()

    @cached_property
    def longest(self) -> Mapping[str, int]:
        """The durations by relation."""
        return dict(self.durations)

    def precisions_of(self, relation: str) -> Mapping[str, int]:
        """How near their event the attributes of a relation are that are times."""
        return {name: ticks for of, name, ticks in self.precisions if of == relation}

    def with_points(self, relations: Iterable[str]) -> Plan:
        """The plan that believes besides that the events of some base relations are points in time."""
        durations = {**self.longest, **dict.fromkeys(relations, 0)}
        return replace(self, durations=tuple(durations.items()))

    @cached_property
    def points(self) -> frozenset[str]:
        """The base relations whose events are points in time."""
        return frozenset(name for name, ticks in self.durations if ticks == 0)

    @cached_property
    def by_name(self) -> Mapping[str, Definition]:
        """The definitions by name."""
        return {definition.name: definition for definition in self.definitions}

    def schema_of(self, name: str) -> Schema:
        """The columns of a materialization point."""
        expression = self.by_name[name].expression
        return self.schema_of(expression.relations[0]) if isinstance(expression, Union) else expression.schema
