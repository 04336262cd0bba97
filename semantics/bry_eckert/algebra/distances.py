"""Temporal distances, upper bounds of `j - i`, and relevance conditions, which follow from them (2008, Sections 3-5).

An abstract interpretation: instead of a set of tuples, an expression denotes the bounds that all its tuples obey. What
a condition *implies* is read from shortest paths, never from the shape of a comparison. Time stamps are whole ticks, so
that a strict bound `< t` is `<= t - 1`, and a path through two strict edges is two ticks shorter than it looks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, reduce
from itertools import product

from semantics.bry_eckert.algebra import plans
from semantics.bry_eckert.programs import Always, Unique
from semantics.bry_eckert.temporal import PRIME, Difference, Duration, Stamp, Temporal, Timing, end, is_stamp, start
from semantics.bry_eckert.terms import Constant, Term, Variable


@dataclass
class Distances:
    """Shortest paths between time stamps: `between[i, j]` bounds `j - i` in ticks; what is missing has no bound."""

    between: dict[tuple[Stamp, Stamp], Duration] = field(default_factory=dict)

    def __getitem__(self, pair: tuple[Stamp, Stamp]) -> Duration | None:
        return 0 if pair[0] == pair[1] else self.between.get(pair)

    @property
    def nodes(self) -> tuple[Stamp, ...]:
        """The time stamps of which something is known."""
        return tuple(dict.fromkeys(stamp for pair in self.between for stamp in pair))

    @property
    def contradictory(self) -> bool:
        """Whether no tuple can obey the bounds: two time stamps that can be as far apart neither way."""
        return any(there + self.between.get((j, i), -there) < 0 for (i, j), there in self.between.items())

    def implies(self, difference: Difference) -> bool:
        """Whether every tuple obeys a difference."""
        found = self[difference.earlier, difference.later]
        return found is not None and found <= difference.ticks

    def with_(self, differences: Iterable[Difference]) -> Distances:
        """These bounds and some differences, with all that follows."""
        found = Distances(dict(self.between))
        for difference in differences:
            found._add(difference.earlier, difference.later, difference.ticks)
        return found

    def _add(self, earlier: Stamp, later: Stamp, distance: Duration) -> None:
        """Add an edge, and all shortest paths that go through it."""
        known = self[earlier, later]
        if known is not None and known <= distance:
            return
        nodes = dict.fromkeys((*self.nodes, earlier, later))
        before = [(i, d) for i in nodes if (d := self[i, earlier]) is not None]
        after = [(j, d) for j in nodes if (d := self[later, j]) is not None]
        for (i, one), (j, other) in product(before, after):
            shortest = self[i, j]
            if i != j and (shortest is None or one + distance + other < shortest):
                self.between[i, j] = one + distance + other

    def only(self, stamps: Iterable[Stamp]) -> Distances:
        """The bounds between some time stamps."""
        kept = set(stamps)
        return Distances({(i, j): d for (i, j), d in self.between.items() if i in kept and j in kept})

    def copied(self, columns: Iterable[tuple[Stamp, Stamp]]) -> Distances:
        """The bounds between copies of time stamps, given as pairs of a copy and its original."""
        found, nodes = Distances(), set(self.nodes)
        known = [(copy, of) for copy, of in columns if of in nodes]
        for i, one in known:
            for j, other in known:
                if i != j and (distance := self[one, other]) is not None:
                    found._add(i, j, distance)
        return found

    def joined(self, other: Distances) -> Distances:
        """All bounds of both: those of a tuple that belongs to both."""
        return self.with_(Difference(j, i, distance) for (i, j), distance in other.between.items())

    def either(self, other: Distances) -> Distances:
        """The bounds that both have, the greater ones: those of a tuple that belongs to one of them."""
        both = self.between.keys() & other.between.keys()
        return Distances({pair: max(self.between[pair], other.between[pair]) for pair in both})


def of_condition(given: Distances, condition: Temporal) -> Distances:
    """The bounds of tuples that obey a condition as well; of one with alternatives, what all imply that are left."""
    found = [given.with_(parts) for parts in condition.alternatives()]
    return reduce(Distances.either, [one for one in found if not one.contradictory] or found[:1])


@lru_cache(maxsize=1024)  # the conditions of a plan ask for the same parts again and again
def distances(expression: plans.Expression, plan: plans.Plan) -> Distances:
    """The bounds that every tuple of an expression obeys, also between time stamps that it merges or collects."""
    match expression:
        case plans.Base(identifier, relation, arguments):
            known = of_point(relation, plan) if relation in plan.by_name else Distances()
            names = zip(plans.stamps([identifier]), plans.stamps([plans.RESULT]), strict=True)
            data = ((term.name, name) for name, term in arguments if isinstance(term, Variable))
            return known.copied([*names, *data]).with_(_of_event(expression, plan))
        case plans.Point(name):
            return of_point(name, plan)
        case plans.Join(left, right):
            return of_join(left, right, plan)
        case plans.Timer(timing, operand):
            return distances(operand, plan).with_(_timer(timing))
        case plans.Select(condition, operand):
            inner = distances(operand, plan)
            return of_condition(inner, condition) if isinstance(condition, Temporal) else inner
        case plans.AntiSemiJoin(operand, _, _):
            return distances(operand, plan)
        case plans.Project(columns, operand):
            return _projected(distances(operand, plan), columns)
        case plans.Merge(into, merged, operand):
            return _merging(distances(operand, plan), into, merged)
        case plans.Group(into, merged, columns, _, operand):
            return _projected(_merging(distances(operand, plan), into, merged), columns)


def _of_event(query: plans.Base, plan: plans.Plan) -> Iterator[Difference]:
    begin, finish = plans.stamps([query.identifier])
    yield Difference(begin, finish)
    if query.relation in plan.longest:
        yield Difference(finish, begin, plan.longest[query.relation])
    precisions = plan.precisions_of(query.relation)
    for name, term in query.arguments:
        if name in precisions and isinstance(term, Variable):
            yield Difference(begin, term.name, precisions[name])
            yield Difference(term.name, finish, precisions[name])


def _timer(timing: Timing) -> Iterator[Difference]:
    for stamp, origin, moved in timing.edges:
        yield Difference(stamp, origin, moved)
        yield Difference(origin, stamp, -moved)
    yield Difference(start(timing.into), end(timing.into))


def _projected(given: Distances, columns: Iterable[tuple[str, Term]]) -> Distances:
    """The bounds of tuples with other data: of it, what is copied keeps them."""
    if all(map(is_stamp, given.nodes)):
        return given
    data = ((name, term.name) for name, term in columns if isinstance(term, Variable))
    return given.copied([*((stamp, stamp) for stamp in given.nodes if is_stamp(stamp)), *data])


def of_join(left: plans.Expression, right: plans.Expression, plan: plans.Plan) -> Distances:
    """The bounds of tuples of two expressions that join: those of both, and what axioms say of their events."""
    sides = [distances(one, plan).only(one.schema) for one in (left, right)]
    found = sides[0].joined(sides[1])  # without what a side has discarded, whose names the other may have
    axioms = [axiom for axiom in plan.axioms if isinstance(axiom, Always)]
    pairs = product(_queries(left, plan), _queries(right, plan)) if axioms else ()
    for axiom, (one, other) in product(axioms, pairs):
        for pair in ((one, other), (other, one)):
            if _applies(axiom, *pair):
                found = found.joined(_of_axiom(axiom, *pair))
    return found


def of_absence(left: plans.Expression, right: plans.Expression, inside: Temporal, plan: plans.Plan) -> Distances:
    """The bounds of tuples of two expressions that join within a window."""
    return of_condition(of_join(left, right, plan), inside)


def _applies(axiom: Always, one: plans.Base, other: plans.Base) -> bool:
    """Whether all events that two queries match, with equal values of equal variables, match the axiom's atoms."""
    values: dict[str, Term] = {}
    for atom, query in ((axiom.first, one), (axiom.second, other)):
        given = dict(query.arguments)
        if atom.type != query.relation or any(name not in given for name, _ in atom.arguments):
            return False
        for name, term in atom.arguments:
            if given[name] != (term if isinstance(term, Constant) else values.setdefault(term.name, given[name])):
                return False
    return True


def only_partner(stored: plans.Schema, other: plans.Expression, plan: plans.Plan) -> str:
    """The identifier of an expression of which at most one tuple joins a stored one; "" where there may be several."""
    while isinstance(other, plans.Select):
        other = other.operand
    for axiom in plan.axioms:
        if isinstance(axiom, Unique) and isinstance(other, plans.Base) and axiom.type == other.relation:
            terms = [dict(other.arguments).get(name) for name in axiom.attributes]
            if all(isinstance(t, Constant) or (isinstance(t, Variable) and t.name in stored) for t in terms):
                return other.identifier
    return ""


def _queries(expression: plans.Expression, plan: plans.Plan) -> Iterator[plans.Base]:
    """The queries on the log whose events have their time stamps in the tuples of an expression."""
    match expression:
        case plans.Base(_, relation):
            if relation not in plan.by_name:
                yield expression
        case plans.Point(name, columns):
            inner = plan.by_name[name].expression
            for query in () if isinstance(inner, plans.Union) else _queries(inner, plan):
                if end(query.identifier) in columns:
                    given = query.arguments
                    kept = tuple(one for one in given if isinstance(one[1], Constant) or one[1].name in columns)
                    yield replace(query, arguments=kept)
        case plans.AntiSemiJoin(left, _, _):
            yield from _queries(left, plan)
        case _:
            for part in plans.operands(expression):
                yield from _queries(part, plan)


def _of_axiom(axiom: Always, one: plans.Base, other: plans.Base) -> Distances:
    known, names = Distances(), list[tuple[Stamp, Stamp]]()
    for atom, query in ((axiom.first, one), (axiom.second, other)):
        known = known.with_([Difference(start(atom.identifier), end(atom.identifier))])
        names += zip(plans.stamps([query.identifier]), plans.stamps([atom.identifier]), strict=True)
        values = ((dict(query.arguments)[name], term) for name, term in atom.arguments)
        names += ((v.name, t.name) for v, t in values if isinstance(v, Variable) and isinstance(t, Variable))
    return reduce(of_condition, axiom.conditions, known).copied(names)


def of_point(name: plans.Name, plan: plans.Plan) -> Distances:
    """The bounds that every tuple of a materialization point obeys, between the time stamps of its schema."""
    expression = plan.by_name[name].expression
    if isinstance(expression, plans.Union):
        return reduce(Distances.either, (of_point(part, plan) for part in expression.relations))
    return distances(expression, plan).only(expression.schema)


def _merging(given: Distances, into: str, merged: Sequence[str]) -> Distances:
    """The bounds with the interval that covers several: its start is the least start, its end the greatest end."""
    if into in merged:  # what was called so is discarded
        names = dict(zip(plans.stamps([into + PRIME]), plans.stamps([into]), strict=True))
        found = _merging(given, into + PRIME, merged)
        return found.copied((names.get(node, node), node) for node in found.nodes if node not in names.values())
    found = given.with_(Difference(start(into), start(name)) for name in merged)
    found = found.with_(Difference(end(name), end(into)) for name in merged)
    for node in found.nodes:
        farthest = _greatest(found[node, end(name)] for name in merged)
        if node != end(into) and farthest is not None:
            found._add(node, end(into), farthest)
    for node in found.nodes:
        farthest = _greatest(found[start(name), node] for name in merged)
        if node != start(into) and farthest is not None:
            found._add(start(into), node, farthest)
    return found


def _greatest(distances: Iterable[Duration | None]) -> Duration | None:
    known = list(distances)
    return None if None in known else max((d for d in known if d is not None), default=None)


@dataclass(frozen=True)
class Relevance:
    """A temporal relevance condition: `i >= now - rt(i)` for some time stamps of a tuple (2008, 3.2), rt(i) in ticks.

    A tuple is irrelevant as well once the event `until`, if any, has come with the same values: no other one can come.
    """

    times: Mapping[Stamp, Duration]
    until: str = ""

    @property
    def bounded(self) -> bool:
        """Whether there is a time after which a tuple is irrelevant."""
        return bool(self.times)

    def __str__(self) -> str:
        moved = ((s, f" {'-' if ticks > 0 else '+'} {abs(ticks)}" if ticks else "") for s, ticks in self.times.items())
        said = " and ".join(f"{stamp} >= now{ticks}" for stamp, ticks in moved) or "true"
        return f"{said}, until its {self.until} has come" if self.until else said

    def deadline(self, schema: plans.Schema) -> Callable[[Sequence[int]], int]:
        """The last time at which a tuple is relevant, from its columns; only where it is bounded."""
        places = [(schema.index(stamp), ticks) for stamp, ticks in self.times.items()]
        return lambda row: min(row[place] + ticks for place, ticks in places)

    def minimal(self, guaranteed: Distances) -> Relevance:
        """Without comparisons that others imply, as `guaranteed` bounds i - j by rt(j) - rt(i) (2008, 4.4)."""
        kept = dict(self.times)
        for stamp, time in self.times.items():
            for other, better in kept.items():
                between = None if other == stamp else guaranteed[stamp, other]
                if between is not None and better + between <= time:
                    del kept[stamp]
                    break
        return replace(self, times=kept)


FOR_EVER = Relevance({})  # the condition that always holds


def maximal(known: Distances, schema: plans.Schema, ends: Iterable[Stamp]) -> Relevance:
    """The relevance times of a tuple's time stamps: at one of the `ends` of a joined tuple it is looked up."""
    ends, nodes = tuple(ends), known.nodes
    reached = ((s, _greatest(known[s, end] for end in ends)) for s in schema if is_stamp(s) or s in nodes)
    return Relevance({stamp: farthest for stamp, farthest in reached if farthest is not None})
