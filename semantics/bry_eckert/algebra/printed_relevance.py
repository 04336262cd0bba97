"""Temporal distance graphs and relevance conditions as 2008 prints them (Sections 5.1 to 5.3); not to be relied on.

It is kept to see what becomes of the printed algorithm: `proofs/bry_eckert/errata.py` holds it against the algorithm
that the engines use (`distances`, `relevance`). Where the print defines nothing it is read as follows: a selection
returns the graph with its new edges, input relations are named anew in each expression, and a condition that is no
conjunction, or about times in data, which the source leaves out, adds no edge.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations, permutations
from typing import NamedTuple, TypeAlias

from semantics.bry_eckert.algebra import plans
from semantics.bry_eckert.algebra.distances import Distance, Relevance
from semantics.bry_eckert.algebra.plans import read
from semantics.bry_eckert.algebra.translation import RESULT
from semantics.bry_eckert.temporal import Stamp, Temporal, end, is_stamp, start


class Weight(NamedTuple):
    """A marked duration; the order is that of Figures 5 and 6, the addition theirs.

    Attributes:
        included: the mark ≤; else <, which is less.
        tested: the mark ?; else !, which is less.
    """

    bound: int
    included: bool = True
    tested: bool = False

    def __add__(self, other: Weight) -> Weight:  # type: ignore[override]  # of durations, not of tuples
        """The sum: strict if one of them is, tested if one of them is."""
        return Weight(self.bound + other.bound, self.included and other.included, self.tested or other.tested)

    def __str__(self) -> str:
        """`! 5` for (!, ≤, 5), `? < 5` for (?, <, 5)."""
        return f"{'?' if self.tested else '!'} {'' if self.included else '< '}{self.bound}"

    @classmethod
    def read(cls, text: str) -> Weight:
        """The duration that is shown so."""
        mark, *strict, bound = text.split()
        return cls(int(bound), not strict, mark == "?")


NOTHING = Weight(0)
"""The duration (!, ≤, 0)."""

Edges: TypeAlias = dict[tuple[Stamp, Stamp], Weight]


@dataclass
class Graph:
    """A temporal distance graph: an edge from i to j bounds j - i; of several edges the least one is kept."""

    edges: Edges = field(default_factory=dict)

    def with_(self, edges: Iterable[tuple[Stamp, Weight, Stamp]]) -> Graph:
        """The graph with more edges."""
        found = dict(self.edges)
        for i, weight, j in edges:
            found[i, j] = min(weight, found.get((i, j), weight))
        return Graph(found)

    def shortest_paths(self) -> Edges:
        """The length sp(G, i, j) of the shortest path, by the algorithm of Floyd and Warshall; none is no entry."""
        nodes = dict.fromkeys(stamp for edge in self.edges for stamp in edge)
        found = dict(self.edges)
        for k in nodes:
            for i in nodes:
                for j in nodes:
                    if (i, k) in found and (k, j) in found:
                        path = found[i, k] + found[k, j]
                        found[i, j] = min(path, found.get((i, j), path))
        return found


def graph(expression: plans.Expression, plan: plans.Plan) -> Graph:
    """The temporal distance graph tdg(E), by induction on the expression (Section 5.1)."""
    match expression:
        case plans.Base(identifier, relation):
            names = dict(zip(plans.stamps([RESULT]), plans.stamps([identifier]), strict=True))
            known = _of_point(relation, plan) if relation in plan.by_name else Graph()
            renamed = {(names[i], names[j]): w for (i, j), w in known.edges.items() if i in names and j in names}
            return Graph(renamed).with_([(end(identifier), NOTHING, start(identifier))])
        case plans.Point(name):
            return _of_point(name, plan)
        case plans.Join(left, right):
            return _both(graph(left, plan), graph(right, plan))
        case plans.Timer(timing, operand):  # a join with the base relation of the timer
            return graph(operand, plan).with_([(end(timing.into), NOTHING, start(timing.into))])
        case plans.Select(condition, operand):
            return _selected(graph(operand, plan), condition)
        case plans.AntiSemiJoin(left, right, inside):  # "can be treated just like a join" (Section 2.2)
            return _selected(_both(graph(left, plan), graph(right, plan)), inside)
        case plans.Project(_, operand):
            return graph(operand, plan)
        case plans.Merge(into, merged, operand) | plans.Group(into, merged, _, _, operand):
            return _merged(graph(operand, plan), into, merged)


def _both(one: Graph, other: Graph) -> Graph:
    return one.with_((i, weight, j) for (i, j), weight in other.edges.items())


def _selected(given: Graph, condition: plans.Condition) -> Graph:
    parts = condition.alternatives() if isinstance(condition, Temporal) else ()
    if len(parts) != 1 or not all(map(is_stamp, plans.columns_of(condition))):
        return given
    return given.with_((d.earlier, Weight(d.bound, not d.strict, True), d.later) for d in parts[0])


def _merged(given: Graph, into: str, merged: Iterable[str]) -> Graph:
    merged, paths = tuple(merged), given.shortest_paths()
    lengths = [paths.get((start(k), end(m))) for k in merged for m in merged]
    found = given.with_([(end(into), NOTHING, start(into))])
    if None not in lengths:
        longest = max(filter(None, lengths))
        found = found.with_([(start(into), longest._replace(tested=False), end(into))])
    return found.with_(
        edge for name in merged for edge in ((start(name), NOTHING, start(into)), (end(into), NOTHING, end(name)))
    )


def _of_point(name: str, plan: plans.Plan) -> Graph:
    """The subgraph of the time stamps of a materialization point: the edges between them, as they are marked."""
    expression = plan.by_name[name].expression
    if not isinstance(expression, plans.Union):
        kept = set(expression.schema)
        edges = graph(expression, plan).edges
        return Graph({(i, j): w for (i, j), w in edges.items() if i in kept and j in kept})
    paths = [_of_point(part, plan).shortest_paths() for part in expression.relations]
    shared = set.intersection(*(set(one) for one in paths))
    return Graph({pair: max(one[pair] for one in paths) for pair in shared})


def printed_conditions(
    expression: plans.Expression, schema: plans.Schema, plan: plans.Plan
) -> tuple[Relevance, Relevance]:
    """The maximal and the minimal relevance condition of an input relation (Sections 5.2 and 5.3)."""
    times, paths = _relevance_times(expression, schema, plan)
    return _comparisons(times, times), _comparisons(times, _uncovered(times, paths))


def _relevance_times(
    expression: plans.Expression, schema: plans.Schema, plan: plans.Plan
) -> tuple[dict[Stamp, Weight], Edges]:
    """The relevance times of an input relation, and the shortest paths that they come from."""
    paths = graph(expression, plan).shortest_paths()
    ends = [stamp for given in _inputs(expression) for stamp in given if is_stamp(stamp)]
    times: dict[Stamp, Weight] = {}
    for i in filter(is_stamp, schema):
        row = [NOTHING if i == j else paths.get((i, j)) for j in ends]
        if None not in row:
            times[i] = max(weight for weight in row if weight is not None)
    return times, paths


def _inputs(expression: plans.Expression) -> list[plans.Schema]:
    """The schemas of all input relations; that of a timer's auxiliary relation among them."""
    found = [given.schema for given in read(expression)]
    return found + [plans.stamps([name]) for name in _timers(expression)]


def _timers(expression: plans.Expression) -> Iterable[str]:
    return (part.timing.into for part in plans.subexpressions(expression) if isinstance(part, plans.Timer))


def _covers(times: Mapping[Stamp, Weight], paths: Edges, i: Stamp, j: Stamp) -> bool:
    """Whether the relevance time of i covers that of j."""
    path = paths.get((j, i))
    return path is not None and not path.tested and path + times[i] == times[j]


def _uncovered(times: Mapping[Stamp, Weight], paths: Edges) -> list[Stamp]:
    """The set S of Section 5.3, by its procedure."""
    kept: list[Stamp] = []
    for i in times:
        if not any(_covers(times, paths, j, i) for j in kept):
            kept = [j for j in kept if not _covers(times, paths, i, j)] + [i]
    return kept


def sets_without_covering(
    expression: plans.Expression, schema: plans.Schema, plan: plans.Plan
) -> list[tuple[Stamp, ...]]:
    """All sets S of Section 5.3, by its words: no time stamp in one covers another one in it."""
    times, paths = _relevance_times(expression, schema, plan)
    return [
        chosen
        for size in range(len(times) + 1)
        for chosen in combinations(times, size)
        if not any(_covers(times, paths, i, j) for i, j in permutations(chosen, 2))
    ]


def _comparisons(times: Mapping[Stamp, Weight], kept: Iterable[Stamp]) -> Relevance:
    return Relevance({i: Distance(times[i].bound, times[i].included) for i in kept})
