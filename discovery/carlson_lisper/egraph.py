"""An e-graph with explanations: classes of equal expressions, and the chain of laws by which two of a class are equal.

Terms are kept as they were made, each once; a union-find says which are equal, and terms of one operator with equal
operands are (congruence closure). Beside it stands the proof forest of Nieuwenhuis and Oliveras (Fast congruence
closure and extensions, 2007): an edge for each union, with its reason, so that the path between two terms tells why
they are equal. What is done depends on the order of the rules and on limits in numbers of terms and rounds alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple, TypeAlias

from laws.carlson_lisper.claims import EquationClaim
from laws.carlson_lisper.matching import Match, Rule, bound_of, free_names, matches, rules_of, simplified
from semantics.carlson_lisper.expressions import (
    Bound,
    Expression,
    Identifier,
    Operation,
    Place,
    bottom_up,
    bounds_in,
    put_at,
    rebuilt,
    replaced,
    size,
)

Head: TypeAlias = tuple[str, Bound | None]  # An operator and its bound; of an identifier a space and its name

FEW = 100  # A rule is applied at so many places in a round at most, so that none crowds out the others
LONGEST = 2000  # A chain of more steps is given up


@dataclass(frozen=True)
class Step:
    """A step of a chain: a law by which a part of the expression before it became another one."""

    claim: EquationClaim
    forward: bool  # whether its left side became its right one
    place: Place
    before: Expression  # the part
    after: Expression
    whole: Expression  # the whole expression after the step

    def data(self) -> dict[str, Any]:
        """The step as data."""
        texts = {"before": str(self.before), "after": str(self.after), "whole": str(self.whole)}
        law = {"law": self.claim.id, "statement": self.claim.statement, "forward": self.forward}
        return {**law, "place": list(self.place), **texts}


def plain(expression: Expression) -> Expression:
    """The expression without labels, which mean nothing, and with bounds in normal form."""
    if any(isinstance(node, Operation) and node.label is not None for node in bottom_up(expression)):
        expression = rebuilt(expression, lambda node, operands: Operation(node.operator, operands, node.bound))
    return replaced(expression, bound=simplified)


_Told: TypeAlias = Any  # (Place, Rule, bool, int, int): place, rule, its direction, the terms before and after


class _Edge(NamedTuple):
    """An edge of the proof forest: to which term, by which law, in which of its directions; None is congruence."""

    to: int
    rule: Rule | None
    forward: bool


class EGraph:
    """Classes of equal expressions under rules; `events` are the identifiers that stand for event types."""

    def __init__(self, rules: Iterable[Rule], *, nodes: int, events: Collection[str] = ()) -> None:
        """Without a term; no more than so many nodes are made by rules, which are applied simplifying ones first."""
        self.rules = sorted(rules, key=lambda rule: size(rule.result) - size(rule.pattern))
        self.free = {rule: tuple(map(sorted, free_names(rule))) for rule in self.rules}
        self.limit, self.events = nodes, frozenset(events)
        self.expressions: list[Expression] = []  # by term, as are those that follow
        self.heads: list[Head] = []
        self.operands: list[tuple[int, ...]] = []
        self.sizes: list[int] = []
        self._above: list[int] = []  # the union-find
        self._edges: list[_Edge | None] = []
        self._uses: list[list[int]] = []  # of a class, by its root: the terms that it is an operand of
        self._least: list[int] = []  # likewise: its smallest term
        self._events: dict[int, int] = {}  # the event type of a class that has one
        self._terms: dict[tuple[Head, tuple[int, ...]], int] = {}
        self._signatures: dict[tuple[Head, tuple[int, ...]], int] = {}
        self._by_operator: dict[str, dict[int, list[tuple[Bound | None, tuple[int, ...]]]]] = {}
        self._bounds: dict[Bound, None] = {}

    def find(self, term: int) -> int:
        """The root of the class of a term."""
        above = self._above
        while above[term] != term:
            above[term] = above[above[term]]
            term = above[term]
        return term

    def add(self, expression: Expression) -> int:
        """The term of an expression."""
        expression, made = plain(expression), dict[Expression, int]()
        self._bounds |= dict.fromkeys(bounds_in(expression))
        for node in bottom_up(expression):
            if isinstance(node, Operation):
                made[node] = self._term((node.operator, node.bound), tuple(made[one] for one in node.operands))
            elif isinstance(node, Identifier):
                made[node] = self._term((f" {node.name}", None), ())
        return made[expression]

    def _term(self, head: Head, operands: tuple[int, ...]) -> int:
        if (head, operands) in self._terms:
            return self._terms[head, operands]
        term = self._terms[head, operands] = len(self.heads)
        inner, name = tuple(self.expressions[each] for each in operands), head[0][1:]
        self.expressions.append(Operation(head[0], inner, head[1]) if inner else Identifier(name))
        self.heads.append(head)
        self.operands.append(operands)
        self.sizes.append(1 + sum(self.sizes[each] for each in operands))
        self._above.append(term)
        self._least.append(term)
        self._edges.append(None)
        self._uses.append([])
        if not operands and name in self.events:
            self._events[term] = term
        for root in set(map(self.find, operands)):
            self._uses[root].append(term)
        signature = self._signature(term)
        same = self._signatures.setdefault(signature, term)
        if same != term:
            self._union(term, same, None)
        return term

    def _signature(self, term: int) -> tuple[Head, tuple[int, ...]]:
        return self.heads[term], tuple(map(self.find, self.operands[term]))

    def _union(self, one: int, other: int, rule: Rule | None) -> None:
        """Make two terms equal, and what follows by congruence; a rule led from the first one to the other."""
        pending: list[tuple[int, int, Rule | None]] = [(one, other, rule)]
        while pending:
            one, other, rule = pending.pop()
            root, into = self.find(one), self.find(other)
            if root == into:
                continue
            forward = True
            if len(self._uses[root]) > len(self._uses[into]):
                one, other, root, into, forward = other, one, into, root, False
            self._lead(one, _Edge(other, rule, forward))
            self._above[root] = into
            self._least[into] = min(self._least[root], self._least[into], key=lambda term: (self.sizes[term], term))
            if root in self._events:
                self._events.setdefault(into, self._events[root])
            for use in self._uses[root]:
                same = self._signatures.setdefault(self._signature(use), use)
                if self.find(same) != self.find(use):
                    pending.append((use, same, None))
            self._uses[into] += self._uses[root]

    def _lead(self, term: int, edge: _Edge) -> None:
        """Turn the edges from a term to the root of its tree, so that it is the root, and give it an edge."""
        while True:
            old, self._edges[term] = self._edges[term], edge
            if old is None:
                return
            edge, term = _Edge(term, old.rule, not old.forward), old.to

    def _nodes(self, part: int, operator: str) -> Iterable[tuple[Bound | None, tuple[int, ...]]]:
        return self._by_operator.get(operator, {}).get(part, ())

    def _index(self) -> None:
        self._by_operator = {}
        for part, operator, bound, operands in self.nodes():
            if operands:
                self._by_operator.setdefault(operator, {}).setdefault(part, []).append((bound, operands))

    def nodes(self) -> list[tuple[int, str, Bound | None, tuple[int, ...]]]:
        """By node its class, its operator or identifier, its bound and the classes of its operands."""
        found = dict.fromkeys((self.find(term), *self._signature(term)) for term in range(len(self.heads)))
        named = ((part, operator if inner else operator[1:], bound, inner) for part, (operator, bound), inner in found)
        return list(named)

    def saturate(self, rounds: int, pair: tuple[int, int] | None = None) -> bool:
        """Apply the rules in rounds, until nothing is new, a limit is reached or two terms are equal; whether they are.

        Without a pair, whether nothing is new: what is equal by the rules, and is a term, is in one class then. In a
        round, those whose result is no larger are applied until they say nothing new, then the others once.
        """
        growing = [rule for rule in self.rules if size(rule.result) > size(rule.pattern)]
        others = [rule for rule in self.rules if rule not in growing]
        for _ in range(rounds):
            news = list[bool]()
            for rules, times in ((others, rounds), (growing, 1)):
                for _ in range(times):
                    news.append(self._round(rules))
                    if pair is not None and self.find(pair[0]) == self.find(pair[1]):
                        return True
                    if len(self.heads) >= self.limit:
                        return False
                    if not news[-1]:
                        break
            if not any(news):
                return pair is None
        return False

    def _round(self, rules: Sequence[Rule]) -> bool:
        """Apply rules to what there is, each at a few places; whether one said something new."""
        self._index()
        is_new = False
        for rule in rules:
            for root, found in list(islice(self._found(rule), FEW)):
                pattern = self._instance(rule.pattern, found, is_new=True)
                self._union(pattern, self._instance(rule.result, found, is_new=True), rule)
                assert self.find(pattern) == self.find(root)
                is_new = True
                if len(self.heads) >= self.limit:
                    return True
        return is_new

    def _found(self, rule: Rule) -> Iterator[tuple[int, Match[int]]]:
        """Where a rule says something that is not known, with what its identifiers and bounds stand for.

        What it leaves open stands for the first identifier and the first bound. What has to be an event type is
        one, and identifiers for which this is so stand for different ones.
        """
        assert isinstance(rule.pattern, Operation)
        (names, bounds), primitive, known = self.free[rule], rule.claim.primitive, tuple(self._bounds)
        if (bounds and not known) or primitive.intersection(names):
            return
        opened = dict.fromkeys(names, 0)  # the first term is an identifier
        for root in list(self._by_operator.get(rule.pattern.operator, ())):
            for found in matches(((rule.pattern, root),), self._nodes, known):
                parts = opened | {name: self._least[self.find(part)] for name, part in found.parts.items()}
                types = {name: self._events.get(self.find(parts[name]), -1) for name in primitive}
                if -1 in types.values() or len(set(types.values())) < len(types):
                    continue
                match = Match(parts | types, {**found.bounds, **dict.fromkeys(bounds, *known[:1])})
                there = self._instance(rule.result, match, is_new=False)
                if there < 0 or self.find(there) != self.find(root):
                    yield root, match

    def _instance(self, side: Expression, match: Match[int], *, is_new: bool) -> int:
        """The term of a side of an equation by a match; if it may not be new, one that equals it, or -1 for none."""
        if isinstance(side, Identifier):
            return match.parts[side.name]
        assert isinstance(side, Operation)
        operands = tuple(self._instance(each, match, is_new=is_new) for each in side.operands)
        head = side.operator, None if side.bound is None else bound_of(side.bound, match.bounds)
        if is_new:
            return self._term(head, operands)
        return -1 if -1 in operands else self._signatures.get((head, tuple(map(self.find, operands))), -1)

    def chain(self, one: int, other: int) -> tuple[Step, ...] | None:
        """The laws by which two terms of a class are equal; None where there are too many."""
        try:
            told = self._path(one, other, {})
        except RecursionError:
            return None
        whole, steps = self.expressions[one], list[Step]()
        for place, rule, forward, *terms in told:
            before, after = (self.expressions[each] for each in terms)
            whole = put_at(whole, place, after)
            steps.append(Step(rule.claim, rule.forward == forward, place, before, after, whole))
        return without_loops(self.expressions[one], steps)

    def _path(self, one: int, other: int, known: dict[tuple[int, int], list[_Told]]) -> list[_Told]:
        """The steps from a term to another one of its class."""
        if (one, other) in known:
            return known[one, other]
        ways = [self._to_root(one), self._to_root(other)]
        while ways[0] and ways[1] and ways[0][-1][0] == ways[1][-1][0]:
            ways = [way[:-1] for way in ways]
        back = [(edge.to, _Edge(term, edge.rule, not edge.forward)) for term, edge in reversed(ways[1])]
        found: list[_Told] = []
        for term, edge in [*ways[0], *back]:
            if edge.rule is not None:
                found.append(((), edge.rule, edge.forward, term, edge.to))
                continue
            for number, pair in enumerate(zip(self.operands[term], self.operands[edge.to], strict=True)):
                found += [((number, *place), *rest) for place, *rest in self._path(*pair, known)]
        if len(found) > LONGEST:
            raise RecursionError
        known[one, other] = found
        return found

    def _to_root(self, term: int) -> list[tuple[int, _Edge]]:
        way = list[tuple[int, _Edge]]()
        while (edge := self._edges[term]) is not None:
            way.append((term, edge))
            term = edge.to
        return way


def without_loops(first: Expression, steps: Sequence[Step]) -> tuple[Step, ...]:
    """A chain from an expression that does not come to one twice."""
    last = {first: 0, **{step.whole: number for number, step in enumerate(steps, 1)}}
    found, at = list[Step](), last[first]
    while at < len(steps):
        found.append(steps[at])
        at = last[steps[at].whole]
    return tuple(found)


def derivation(
    left: Expression,
    right: Expression,
    rules: Sequence[EquationClaim],
    *,
    nodes: int,
    rounds: int,
    events: Collection[str] = (),
    beside: Iterable[Expression] = (),
) -> tuple[Step, ...] | None:
    """The chain of laws from an expression to another one; None where none is found within the limits.

    Identifiers stand for any expression, but for those that are `events`; bounds may be symbolic. It may lead by way of
    what stands `beside`, to which no law leads from an identifier alone.
    """
    graph = EGraph((rule for claim in rules for rule in rules_of(claim)), nodes=nodes, events=events)
    pair = graph.add(left), graph.add(right)
    for each in beside:
        graph.add(each)
    return graph.chain(*pair) if graph.saturate(rounds, pair) else None
