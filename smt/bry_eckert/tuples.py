"""Symbolic tuples: the columns of an expression as terms, with a formula that holds of every tuple of some history.

The inputs are unfolded down to the events of the log, so that a model is a history; where these are `EVENTS`, just the
bounds of times are known of other derived events, and of those that are made of more than `MOST`. Of absent events that
are derived nothing is said. Aggregates, floats that are computed and comparisons of text by order may have any value.
"""

import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache, reduce
from typing import Any

import z3

from semantics.bry_eckert.algebra import plans
from semantics.bry_eckert.algebra.distances import of_point
from semantics.bry_eckert.algebra.plans import RESULT
from semantics.bry_eckert.programs import Axiom, Program, Unique
from semantics.bry_eckert.temporal import Column, Timing, end, is_stamp, start
from semantics.bry_eckert.terms import COMPARISONS, Arithmetic, Comparison, Constant, Term, Type, Variable
from semantics.events import Event, Value

Z3Term = Any  # A term of Z3, which has no types of its own

EVENTS = 32  # of the log; a rule that reads another one twice has twice as many, and so on

MOST = 1000  # of the log, of which a derived event is made that is unfolded at all

_SORTS: Mapping[Type, Any] = {"int": z3.Int, "float": z3.Real, "str": z3.Int, "bool": z3.Bool}


@dataclass
class SymbolicEvent:
    """An event of the log; it is there if `present` is true, and has an attribute unless what is `missing` is."""

    type: str
    begin: Z3Term
    finish: Z3Term
    attributes: dict[str, Z3Term]
    present: Z3Term
    missing: dict[str, Z3Term] = field(default_factory=dict)

    def has(self, name: str) -> Z3Term:
        """That it has an attribute."""
        return z3.Not(self.missing.get(name, z3.BoolVal(False)))


@dataclass
class Tuples:
    """Symbolic tuples of a plan, the events of the log that they are made of, and all that is known of them."""

    program: Program
    plan: plans.Plan
    formulas: list[Z3Term] = field(default_factory=list)
    events: list[SymbolicEvent] = field(default_factory=list)
    whole: bool = True  # whether a model is a history
    _absences: list[tuple[plans.Base, Any, Any, Z3Term, Any]] = field(default_factory=list)
    _number: int = 0
    _texts: dict[str, int] = field(default_factory=dict)

    def of(self, expression: plans.Expression, present: Z3Term = True) -> dict[Column, Z3Term]:
        """The columns of a tuple; what is known of it holds if `present` does."""
        match expression:
            case plans.Base():
                return self._of_query(expression, present)
            case plans.Point(name):
                return self._of_point(name, present)
            case plans.Join(left, right):
                return self.joined([self.of(left, present), self.of(right, present)], present)
            case plans.Timer(timing, operand):
                return self.timed(timing, self.of(operand, present), present)
            case plans.Select(condition, operand):
                columns = self.of(operand, present)
                self._know(present, self.holds(condition, columns))
                return columns
            case plans.Project(projected, operand):
                columns = self.of(operand, present)
                kept = {c: columns[c] for c in operand.schema if c in expression.schema and is_stamp(c)}
                return kept | {name: self._term(term, columns) for name, term in projected}
            case plans.Merge(into, merged, operand) | plans.Group(into, merged, _, _, operand):
                columns = self.of(operand, present)
                begins, ends = ([columns[of(name)] for name in merged] for of in (start, end))
                found = {start(into): reduce(lambda a, b: z3.If(a <= b, a, b), begins)}
                found[end(into)] = reduce(lambda a, b: z3.If(a >= b, a, b), ends)
                if isinstance(expression, plans.Group):
                    found |= {name: self._term(term, columns) for name, term in expression.keys}
                    return found | {name: self._any("int") for name, _ in expression.aggregates}
                return {c: found.get(c, columns.get(c)) for c in expression.schema}
            case plans.AntiSemiJoin(left, right, inside):
                columns = self.of(left, present)
                conditions: list[plans.Condition] = [inside]
                while isinstance(right, plans.Select):
                    conditions.append(right.condition)
                    right = right.operand
                self.absent(right, columns, conditions, present)
                return columns

    def absent(
        self,
        query: plans.Expression,
        columns: Mapping[Column, Z3Term],
        conditions: Sequence[plans.Condition],
        present: Z3Term = True,
        allowed: Mapping[Column, Z3Term] | None = None,
    ) -> None:
        """Say that no events of a query, where they are of the log, join columns, apart from one that is allowed."""
        if isinstance(query, plans.Base) and query.relation in self.program.declared:
            self._absences.append((query, columns, conditions, present, allowed))

    def nothing_absent(self) -> Iterator[Z3Term]:
        """Condition that none of the events is one that has to be absent."""
        for query, given, conditions, present, allowed in self._absences:
            begin, finish = plans.stamps([query.identifier])
            for event in self.events:
                if event.type != query.relation:
                    continue
                columns = {**given, finish: event.finish, begin: event.begin}
                here = [one for one in (present, event.present) if one is not True]
                for name, term in query.arguments:
                    if isinstance(term, Variable):
                        columns.setdefault(term.name, event.attributes[name])
                    here += [event.has(name), event.attributes[name] == self._term(term, columns)]
                here += [self.holds(condition, columns) for condition in conditions]
                if allowed:
                    here.append(z3.Or([columns[column] != term for column, term in allowed.items()]))
                yield z3.Not(z3.And(here))

    def joined(self, sides: Iterable[Mapping[Column, Z3Term]], present: Z3Term = True) -> dict[Column, Z3Term]:
        """The columns of tuples that join: those that they share have equal values."""
        columns: dict[Column, Z3Term] = {}
        for side in sides:
            for name, term in side.items():
                if name in columns:
                    self._know(present, columns[name] == term)
                columns.setdefault(name, term)
        return columns

    def timed(self, timing: Timing, columns: Mapping[Column, Z3Term], present: Z3Term = True) -> dict[Column, Z3Term]:
        """The columns with those of a timer."""
        added = {stamp: columns[origin] + ticks for stamp, origin, ticks in timing.edges}
        self._know(present, added[start(timing.into)] <= added[end(timing.into)])
        return {**columns, **added}

    def holds(self, condition: plans.Condition, columns: Mapping[Column, Z3Term]) -> Z3Term:
        """A condition as a formula."""
        if isinstance(condition, Comparison):
            sides, sign = (condition.left, condition.right), condition.operator
            left, right = (self._term(term, columns) for term in sides)
            if sign not in ("=", "!=") and any(isinstance(t, Constant) and isinstance(t.value, str) for t in sides):
                return self._any("bool")
            return COMPARISONS[sign](left, right)
        alternatives = (
            [columns[part.later] - columns[part.earlier] <= part.ticks for part in parts]
            for parts in condition.alternatives()
        )
        return z3.Or(list(map(z3.And, alternatives)))

    def history(self, model: Any) -> list[Event]:
        """The events of a model, in the order of time."""
        texts = {number: text for text, number in self._texts.items()}
        found = set()
        for event in self.events:
            if event.present is True or z3.is_true(model.eval(event.present, True)):
                types = self.program.declared[event.type].types
                data = tuple(
                    (name, _value(model.eval(term, True), types[name], texts))
                    for name, term in event.attributes.items()
                    if z3.is_true(model.eval(event.has(name), True))
                )
                begin, finish = (model.eval(t, True).as_long() for t in (event.begin, event.finish))
                found.add((finish, begin, event.type, data))
        return [Event(type, begin, finish, dict(data)) for finish, begin, type, data in sorted(found, key=repr)]

    def axioms(self) -> Iterator[Z3Term]:
        """Condition that the events obey the axioms of the plan."""
        for axiom in self.plan.axioms:
            for one in self.events:
                for other in self.events:
                    if one is not other:
                        yield from self._obeyed(axiom, one, other)

    def _obeyed(self, axiom: Axiom, one: SymbolicEvent, other: SymbolicEvent) -> Iterator[Z3Term]:
        alike = [each.present for each in (one, other) if each.present is not True]
        if isinstance(axiom, Unique):
            if one.type == other.type == axiom.type:
                alike += [each.has(name) for each in (one, other) for name in axiom.attributes]
                alike += [one.attributes[name] == other.attributes[name] for name in axiom.attributes]
                same = [one.begin == other.begin, one.finish == other.finish]
                for name, term in one.attributes.items():
                    equal = z3.Or(z3.Not(one.has(name)), term == other.attributes[name])
                    same += [one.has(name) == other.has(name), equal]
                yield z3.Implies(z3.And(alike), z3.And(same))
        elif (one.type, other.type) == (axiom.first.type, axiom.second.type):
            values: dict[Column, Z3Term] = {}
            columns: dict[Column, Z3Term] = {}
            for atom, event in ((axiom.first, one), (axiom.second, other)):
                columns |= {start(atom.identifier): event.begin, end(atom.identifier): event.finish}
                for name, term in atom.arguments:
                    found = event.attributes[name]
                    wanted = self._term(term, {}) if isinstance(term, Constant) else values.setdefault(term.name, found)
                    alike += [event.has(name), found == wanted]
            obeyed = [self.holds(condition, columns | values) for condition in axiom.conditions]
            yield z3.Implies(z3.And(alike), z3.And(obeyed))

    def _of_query(self, query: plans.Base, present: Z3Term) -> dict[Column, Z3Term]:
        if query.relation in self.plan.by_name:
            inner = self._of_point(query.relation, present)
            begin, finish = (inner[stamp] for stamp in plans.stamps([RESULT]))
            attributes = {name: inner[name] for name in plans.data_of(tuple(inner))}
        else:
            begin, finish = self._any("int"), self._any("int")
            types = self.program.declared[query.relation].types
            attributes = {name: self._any(type) for name, type in types.items()}
            named = {name for name, _ in query.arguments}
            missing = {name: self._any("bool") for name in types if name not in named and self.plan.axioms}
            self.events.append(SymbolicEvent(query.relation, begin, finish, attributes, present, missing))
            self._know(present, begin <= finish, finish >= 0)
            longest = self.plan.longest.get(query.relation)
            if longest is not None:
                self._know(present, finish - begin <= longest)
            for name, ticks in self.plan.precisions_of(query.relation).items():
                self._know(present, begin - attributes[name] <= ticks, attributes[name] - finish <= ticks)
        columns = dict(zip(plans.stamps([query.identifier]), (begin, finish), strict=True))
        for name, term in query.arguments:
            if isinstance(term, Variable) and term.name not in columns:
                columns[term.name] = attributes[name]
            else:
                self._know(present, attributes[name] == self._term(term, columns))
        return columns

    def _of_point(self, name: plans.Name, present: Z3Term) -> dict[Column, Z3Term]:
        definition, derives = self.plan.by_name[name].expression, self.plan.by_name[name].derives
        known = derives is not None and (len(self.events) >= EVENTS or _sizes(self.plan)[name] > MOST)
        if not known and not isinstance(definition, plans.Union):
            return self.of(definition, present)
        types: Mapping[Any, Type] = {} if derives is None else self.program.signatures[derives].types
        columns: dict[Column, Z3Term] = {c: self._any(types.get(c, "int")) for c in self.plan.schema_of(name)}
        if known or not isinstance(definition, plans.Union):
            bounds, self.whole = of_point(name, self.plan).between.items(), False
            self._know(present, *(columns[later] - columns[earlier] <= ticks for (earlier, later), ticks in bounds))
            return columns
        chosen = []
        for part in definition.relations:
            here = z3.And(present, self._any("bool"))
            inner = self._of_point(part, here)
            self._know(here, *(inner[c] == columns[c] for c in columns))
            chosen.append(here)
        self._know(present, z3.Or(chosen))
        return columns

    def _term(self, term: Term, columns: Mapping[Column, Z3Term]) -> Z3Term:
        match term:
            case Variable(name):
                return columns[name]
            case Constant(bool() as value):
                return z3.BoolVal(value)
            case Constant(str() as value):
                return z3.IntVal(self._texts.setdefault(value, len(self._texts)))
            case Constant(value):
                return z3.IntVal(value) if isinstance(value, int) else z3.RealVal(Fraction(value))
            case Arithmetic(sign, left, right):
                sides = [self._term(side, columns) for side in (left, right)]
                if sign == "/" or not all(side.is_int() for side in sides):  # a float, which is rounded
                    return self._any("float")
                return {"+": operator.add, "-": operator.sub, "*": operator.mul}[sign](*sides)

    def _know(self, present: Z3Term, *formulas: Z3Term) -> None:
        self.formulas += formulas if present is True else [z3.Implies(present, one) for one in formulas]

    def _any(self, type: Type) -> Z3Term:
        self._number += 1
        return _SORTS[type](f"v{self._number}")


@lru_cache(maxsize=8)  # each decision about a plan asks for them
def _sizes(plan: plans.Plan) -> Mapping[plans.Name, int]:
    """Of how many events of the log each materialization point is made, all alternatives together."""
    found: dict[plans.Name, int] = {}

    def size(expression: plans.Expression | plans.Union) -> int:
        match expression:
            case plans.Base(relation=name) | plans.Point(name):
                return found.get(name, 1)
            case plans.Union(relations):
                return sum(found[name] for name in relations)
            case plans.AntiSemiJoin(left):
                return size(left)
        return sum(map(size, plans.operands(expression)))

    for part in plan.definitions:
        found[part.name] = size(part.expression)
    return found


def _value(term: Z3Term, type: Type, texts: Mapping[int, str]) -> Value:
    if type == "bool":
        return bool(z3.is_true(term))
    if type == "float":
        return float(term.as_fraction())
    number = int(term.as_long())
    return number if type == "int" else texts.get(number, f"text {number}")
