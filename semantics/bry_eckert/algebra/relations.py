"""Relations of tuples, and the evaluation of plans over a whole history of events."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from operator import itemgetter
from typing import Any, TypeAlias

from semantics.bry_eckert import terms
from semantics.bry_eckert.algebra import plans
from semantics.bry_eckert.programs import EventType, Program, by_time
from semantics.bry_eckert.temporal import Column, end, start
from semantics.bry_eckert.terms import AGGREGATES, Comparison, Constant, Term, Variable
from semantics.events import Event, Value

Tuple: TypeAlias = tuple[Any, ...]  # the values of a schema's columns: integers for time stamps


Relation: TypeAlias = frozenset[Tuple]


def predicate(condition: plans.Condition, schema: plans.Schema) -> Callable[[Tuple], bool]:
    """A condition as a function of the tuples of a schema."""
    if isinstance(condition, Comparison):
        compare = terms.COMPARISONS[condition.operator]
        left, right = function(condition.left, schema), function(condition.right, schema)

        def compared(row: Tuple) -> bool:
            one, other = left(row), right(row)
            return one is not None and other is not None and compare(one, other)

        return compared
    alternatives = [
        [(schema.index(d.later), schema.index(d.earlier), d.ticks) for d in parts] for parts in condition.alternatives()
    ]
    return lambda row: any(
        all(row[later] - row[earlier] <= ticks for later, earlier, ticks in parts) for parts in alternatives
    )


def function(term: Term, schema: plans.Schema) -> Callable[[Tuple], Any]:
    """A term as a function of the tuples of a schema."""
    match term:
        case Variable(name):
            return itemgetter(schema.index(name))
        case Constant(constant):
            return lambda row: constant
        case _:
            used = {name: schema.index(name) for name in terms.variables(term)}
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


def derived(base: plans.Base, schema: plans.Schema) -> Callable[[Tuple], Tuple | None]:
    """An atomic query on derived events as a function of their tuples, whose time stamps come end first."""
    query, names = atomic(base), plans.data_of(schema)
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
    covered = joiner(plans.stamps([expression.into]), inner, outer)
    return lambda row: covered((min(row[b] for b in begins), max(row[e] for e in ends)), row)


def grouped(group: plans.Group, rows: Iterable[Tuple]) -> Iterator[Tuple]:
    """The groups of tuples, one tuple each: aggregates are over its distinct tuples, or over all of them."""
    inner, stamps = group.operand.schema, plans.stamps([group.into])
    merge = plans.Merge(group.into, group.merged, group.operand)
    cover, interval = computed(merge), picker(stamps, merge.schema)
    keys = [function(term, inner) for _, term in group.keys]
    aggregated = picker([aggregate.variable for _, aggregate in group.aggregates], inner)
    functions = [AGGREGATES[aggregate.function] for _, aggregate in group.aggregates]
    found: dict[Tuple, list[Tuple]] = defaultdict(list)
    for row in set(rows):
        found[(*interval(cover(row)), *(key(row) for key in keys))].append(aggregated(row))
    order = picker(group.schema, (*stamps, *(name for name, _ in (*group.keys, *group.aggregates))))
    for key, collected in found.items():
        distinct = list(dict.fromkeys(collected))
        given = ((one, collected if one.all else distinct) for one in functions)
        yield order((*key, *(one.over([row[place] for row in of]) for place, (one, of) in enumerate(given))))


def transformed(
    operator: plans.Select | plans.Project | plans.Merge | plans.Group,
) -> Callable[[Iterable[Tuple]], Iterable[Tuple]]:
    """A selection, projection, merging or grouping as a function of the tuples of its operand."""
    if isinstance(operator, plans.Select):
        return partial(filter, predicate(operator.condition, operator.operand.schema))
    return partial(grouped, operator) if isinstance(operator, plans.Group) else partial(map, computed(operator))


class Evaluation:
    """The relations of a plan over a history, each computed once."""

    def __init__(self, plan: plans.Plan, history: Iterable[Event]) -> None:
        self._plan = plan
        self._events: dict[str, list[Event]] = defaultdict(list)
        for event in history:
            self._events[event.type].append(event)
        self._points: dict[plans.Name, Relation] = {}
        for part in plan.definitions:
            if isinstance(part.expression, plans.Union):
                united = (self._points[name] for name in part.expression.relations)
                self._points[part.name] = frozenset(chain.from_iterable(united))
            else:
                self._points[part.name] = self.relation(part.expression)

    def __getitem__(self, name: plans.Name) -> Relation:
        return self._points[name]

    def relation(self, expression: plans.Expression) -> Relation:
        """The relation that an expression denotes (2008, Section 2.2)."""
        return frozenset(self._rows(expression))

    def _rows(self, expression: plans.Expression) -> Iterator[Tuple]:
        match expression:
            case plans.Base(_, relation):
                if relation in self._points:
                    read = derived(expression, self._plan.schema_of(relation))
                    yield from filter(None, map(read, self._points[relation]))
                else:
                    query, given = atomic(expression), self._events[relation]
                    yield from filter(None, (query(one.start, one.time, one.attributes) for one in given))
            case plans.Point(name):
                yield from self._points[name]
            case plans.Join(left, right):
                build = joiner(left.schema, right.schema, expression.schema)
                for one, others in self._pairs(left, right):
                    yield from (build(one, other) for other in others)
            case plans.Timer(timing, operand):
                begin, finish = (operand.schema.index(stamp) for stamp in plans.stamps([timing.of]))
                build = joiner(operand.schema, plans.stamps([timing.into]), expression.schema)
                for row in self._rows(operand):
                    interval = timing.interval(row[begin], row[finish])
                    if interval is not None:
                        yield build(row, interval)
            case plans.Select() | plans.Project() | plans.Merge() | plans.Group():
                yield from transformed(expression)(self._rows(expression.operand))
            case plans.AntiSemiJoin(left, right, inside):
                both = left.schema + tuple(column for column in right.schema if column not in left.schema)
                build, is_inside = joiner(left.schema, right.schema, both), predicate(inside, both)
                for one, others in self._pairs(left, right):
                    if not any(is_inside(build(one, other)) for other in others):
                        yield one

    def _pairs(self, left: plans.Expression, right: plans.Expression) -> Iterator[tuple[Tuple, Sequence[Tuple]]]:
        """The tuples of the left, each with those of the right that have the same values in shared columns."""
        shared = [column for column in left.schema if column in right.schema]
        own, other = picker(shared, left.schema), picker(shared, right.schema)
        table: dict[Tuple, list[Tuple]] = defaultdict(list)
        for row in self.relation(right):
            table[other(row)].append(row)
        return ((row, table.get(own(row), ())) for row in self._rows(left))


def events_of_tuples(rows: Iterable[Tuple], schema: plans.Schema, type: EventType) -> Iterator[Event]:
    """The tuples of a derived event type as events."""
    names = plans.data_of(schema)
    for row in rows:
        yield Event(type.name, row[1], row[0], type.typed(dict(zip(names, row[2:], strict=True))))


def answers_of(program: Program, plan: plans.Plan, rows: Callable[[str], Iterable[Tuple]]) -> list[Event]:
    """The events of all derived types, whose tuples a function has by name, in order of time."""
    types = program.signatures
    found = (events_of_tuples(rows(name), plan.schema_of(name), types[name]) for name in program.derived)
    return sorted(chain.from_iterable(found), key=by_time)


def derived_events(program: Program, plan: plans.Plan, history: Iterable[Event]) -> list[Event]:
    """Everything that a program derives from a history, in order of time."""
    return answers_of(program, plan, Evaluation(plan, history).__getitem__)
