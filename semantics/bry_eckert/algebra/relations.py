"""Relations of tuples, and the evaluation of plans over a whole history of events.

A relation is a set of tuples over a schema: two events with equal type, interval and data are one tuple. The rows of
an event type are read once; joins hash the columns that they share, everything else follows the definitions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, TypeAlias

from semantics.bry_eckert import terms
from semantics.bry_eckert.algebra import plans
from semantics.bry_eckert.programs import Aggregate, EventType, Program, by_time
from semantics.bry_eckert.temporal import Column, end, start
from semantics.bry_eckert.terms import AGGREGATES, Comparison, Constant, Term, Variable
from semantics.events import Event, Value

Tuple: TypeAlias = tuple[Any, ...]
"""The values of a schema's columns: integers for time stamps."""

Predicate: TypeAlias = Callable[[Tuple], bool]


@dataclass(frozen=True)
class Relation:
    """A set of tuples over a schema."""

    schema: plans.Schema
    tuples: frozenset[Tuple]


# ------------------------------------------------------------------------------------- functions of tuples


def predicate(condition: plans.Condition, schema: plans.Schema) -> Predicate:
    """A condition as a function of the tuples of a schema."""
    place = {column: number for number, column in enumerate(schema)}
    if isinstance(condition, Comparison):
        compare = terms.COMPARISONS[condition.operator]
        left, right = function(condition.left, schema), function(condition.right, schema)

        def compared(row: Tuple) -> bool:
            one, other = left(row), right(row)
            return one is not None and other is not None and compare(one, other)

        return compared
    alternatives = tuple(
        tuple((place[d.later], place[d.earlier], d.bound - d.strict) for d in conjunction)
        for conjunction in condition.alternatives()
    )
    return lambda row: any(
        all(row[later] - row[earlier] <= bound for later, earlier, bound in parts) for parts in alternatives
    )


def function(term: Term, schema: plans.Schema) -> Callable[[Tuple], Any]:
    """A term as a function of the tuples of a schema."""
    match term:
        case Variable(name):
            return itemgetter(schema.index(name))
        case Constant(constant):
            return lambda row: constant
        case _:
            place = {column: number for number, column in enumerate(schema)}
            used = {name: place[name] for name in terms.variables(term)}
            return lambda row: terms.value(term, {name: row[number] for name, number in used.items()})


def picker(columns: Sequence[Column], schema: plans.Schema) -> Callable[[Tuple], Tuple]:
    """The values of some columns, as a function of the tuples of a schema."""
    places = [schema.index(column) for column in columns]
    return lambda row: tuple(row[place] for place in places)


def joiner(left: plans.Schema, right: plans.Schema, result: plans.Schema) -> Callable[[Tuple, Tuple], Tuple]:
    """The tuple that two tuples join to, as a function of both."""
    both = [left.index(column) if column in left else len(left) + right.index(column) for column in result]
    pick = itemgetter(*both)
    return lambda one, other: pick(one + other)


def atomic(base: plans.Base) -> Callable[[int, int, Mapping[str, Value]], Tuple | None]:
    """An atomic event query as a function of start, end and attributes: the tuple of the event, None if it has none."""
    constants = [(name, term.value) for name, term in base.arguments if isinstance(term, Constant)]
    variables: dict[str, list[str]] = defaultdict(list)
    for name, term in base.arguments:
        if isinstance(term, Variable):
            variables[term.name].append(name)
    names = [variables[column][0] for column in plans.data_of(base.schema)]
    repeated = [(found[0], other) for found in variables.values() for other in found[1:]]

    def query(begin: Any, finish: Any, values: Mapping[str, Value]) -> Tuple | None:
        get = values.get
        row = tuple(map(get, names))
        if None in row or any(get(one) != get(other) for one, other in repeated):
            return None
        if any(get(name) != constant for name, constant in constants):
            return None
        return (finish, begin, *row)

    return query


# ---------------------------------------------------------------------------------------------- evaluation


@dataclass(frozen=True)
class History:
    """The events of a log by type, as rows (start, end, attributes)."""

    rows: Mapping[str, Sequence[tuple[int, int, Mapping[str, Value]]]]

    @classmethod
    def of(cls, events: Iterable[Event]) -> History:
        """The history of the events of a log."""
        rows: dict[str, list[tuple[int, int, Mapping[str, Value]]]] = defaultdict(list)
        for event in events:
            rows[event.type].append((event.start, event.time, event.attributes))
        return cls(rows)


class Evaluation:
    """The relations of a plan over a history, each computed once."""

    def __init__(self, plan: plans.Plan, history: History) -> None:
        self._history = history
        self._points: dict[str, Relation] = {}
        for definition in plan.definitions:
            self._points[definition.name] = self._defined(definition)

    def __getitem__(self, name: str) -> Relation:
        return self._points[name]

    def _defined(self, definition: plans.Definition) -> Relation:
        if not isinstance(definition.expression, plans.Union):
            return self.relation(definition.expression)
        parts = [self._points[name] for name in definition.expression.relations]
        found = frozenset(row for part in parts for row in part.tuples)
        return Relation(parts[0].schema, found)

    def relation(self, expression: plans.Expression) -> Relation:
        """The relation that an expression denotes (2008, Section 2.2)."""
        return Relation(expression.schema, frozenset(self._rows(expression)))

    def _rows(self, expression: plans.Expression) -> Iterator[Tuple]:
        match expression:
            case plans.Base():
                yield from self._atomic(expression)
            case plans.Point(name):
                yield from self._points[name].tuples
            case plans.Join(left, right):
                yield from self._join(left, right, expression.schema)
            case plans.Timer(timing, operand):
                begin, finish = (operand.schema.index(stamp) for stamp in plans.stamps([timing.of]))
                build = joiner(operand.schema, plans.stamps([timing.into]), expression.schema)
                for row in self._rows(operand):
                    interval = timing.interval(row[begin], row[finish])
                    if interval is not None:
                        yield build(row, interval)
            case plans.Select(condition, operand):
                yield from filter(predicate(condition, operand.schema), self._rows(operand))
            case plans.Project() | plans.Merge():
                yield from map(computed(expression), self._rows(expression.operand))
            case plans.AntiSemiJoin(left, right, _):
                yield from self._without(expression, left, right)
            case plans.Group():
                yield from grouped(expression, self._rows(expression.operand))

    def _atomic(self, base: plans.Base) -> Iterator[Tuple]:
        point = self._points.get(base.relation)
        if point is None:
            query = atomic(base)
            rows = (query(*row) for row in self._history.rows.get(base.relation, ()))
        else:
            read = derived(base, point.schema)
            rows = (read(row) for row in point.tuples)
        return (row for row in rows if row is not None)

    def _join(self, left: plans.Expression, right: plans.Expression, result: plans.Schema) -> Iterator[Tuple]:
        shared = [column for column in left.schema if column in right.schema]
        key, build = picker(shared, left.schema), joiner(left.schema, right.schema, result)
        table = self._hashed(right, shared)
        for one in self._rows(left):
            for other in table.get(key(one), ()):
                yield build(one, other)

    def _hashed(self, expression: plans.Expression, columns: Sequence[Column]) -> dict[Tuple, list[Tuple]]:
        table: dict[Tuple, list[Tuple]] = defaultdict(list)
        key = picker(columns, expression.schema)
        for row in self.relation(expression).tuples:
            table[key(row)].append(row)
        return table

    def _without(
        self, expression: plans.AntiSemiJoin, left: plans.Expression, right: plans.Expression
    ) -> Iterator[Tuple]:
        shared = [column for column in left.schema if column in right.schema]
        both = left.schema + tuple(column for column in right.schema if column not in left.schema)
        key, build = picker(shared, left.schema), joiner(left.schema, right.schema, both)
        inside = predicate(expression.inside, both)
        table = self._hashed(right, shared)
        for row in self._rows(left):
            if not any(inside(build(row, other)) for other in table.get(key(row), ())):
                yield row


def derived(base: plans.Base, schema: plans.Schema) -> Callable[[Tuple], Tuple | None]:
    """An atomic query on derived events as a function of their tuples, whose time stamps come end first."""
    query = atomic(base)
    names = plans.data_of(schema)
    return lambda row: query(row[1], row[0], dict(zip(names, row[2:], strict=True)))


def computed(expression: plans.Project | plans.Merge) -> Callable[[Tuple], Tuple]:
    """A projection or a merging as a function of the tuples of its operand."""
    inner, outer = expression.operand.schema, expression.schema
    if isinstance(expression, plans.Project):
        terms_of = dict(expression.columns)
        columns = [function(terms_of[c], inner) if c in terms_of else itemgetter(inner.index(c)) for c in outer]
        return lambda row: tuple(column(row) for column in columns)
    begins = [inner.index(start(name)) for name in expression.merged]
    ends = [inner.index(end(name)) for name in expression.merged]
    covered = joiner(inner, plans.stamps([expression.into]), outer)
    return lambda row: covered(row, (min(row[b] for b in begins), max(row[e] for e in ends)))


def grouped(group: plans.Group, rows: Iterable[Tuple]) -> Iterator[Tuple]:
    """The groups of tuples, one tuple each."""
    inner = group.operand.schema
    cover = computed(plans.Merge(group.into, group.merged, group.operand))
    merged = plans.Merge(group.into, group.merged, group.operand).schema
    interval = picker(plans.stamps([group.into]), merged)
    keys = [function(term, inner) for _, term in group.keys]
    aggregated = [inner.index(aggregate.variable) for _, aggregate in group.aggregates]
    found: dict[Tuple, list[Tuple]] = defaultdict(list)
    for row in set(rows):
        key = (*interval(cover(row)), *(key(row) for key in keys))
        found[key].append(tuple(row[place] for place in aggregated))
    columns: plans.Schema = (
        *plans.stamps([group.into]),
        *(name for name, _ in group.keys),
        *(name for name, _ in group.aggregates),
    )
    order = picker(group.schema, columns)
    for key, collected in found.items():
        yield order((*key, *_aggregates([aggregate for _, aggregate in group.aggregates], collected)))


def _aggregates(wanted: Sequence[Aggregate], collected: Sequence[Tuple]) -> Tuple:
    """The aggregates of a group: over its distinct tuples, or over all of them."""
    distinct = list(dict.fromkeys(collected))
    found = []
    for place, aggregate in enumerate(wanted):
        defined = AGGREGATES[aggregate.function]
        found.append(defined.over([row[place] for row in (collected if defined.all else distinct)]))
    return tuple(found)


# -------------------------------------------------------------------------------------------------- events


def events_of_tuples(rows: Iterable[Tuple], schema: plans.Schema, type: EventType) -> Iterator[Event]:
    """The tuples of a derived event type as events."""
    names = plans.data_of(schema)
    for row in rows:
        yield Event(type.name, row[1], row[0], type.typed(dict(zip(names, row[2:], strict=True))))


def derived_events(program: Program, plan: plans.Plan, history: Iterable[Event]) -> list[Event]:
    """Everything that a program derives from a history, in order of time."""
    found = Evaluation(plan, History.of(history))
    answers: list[Event] = []
    for name in program.derived:
        answers += events_of_tuples(found[name].tuples, found[name].schema, program.signatures[name])
    return sorted(answers, key=by_time)
