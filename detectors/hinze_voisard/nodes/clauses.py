"""Nodes of logical conjunctions: names are bound to instances, equal names to the same one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from detectors.hinze_voisard.lists import FIRST, SECOND, Instance
from detectors.hinze_voisard.nodes.node import NOTHING, CountingNode, Delta, Node, Stateful
from detectors.hinze_voisard.nodes.pairs import PairedNode
from semantics.events import Time

Row: TypeAlias = tuple[tuple[str, Instance], ...]
"""Names with their instances, in the order of names."""


class Relation(Stateful, ABC):
    """The bindings of a clause: names with instances."""

    STATE = ("rows",)

    def __init__(self) -> None:
        self.rows: dict[Row, int] = {}
        """How often each binding is there."""

    @abstractmethod
    def found(self, now: Time) -> Iterator[tuple[Row, int]]:
        """How many more times bindings are there."""

    def step(self, now: Time) -> list[tuple[Row, int]]:
        """The bindings that change, each with how many more times it is there; `rows` has them when it is over."""
        net: Counter[Row] = Counter()
        for row, more in self.found(now):
            net[row] += more
        return [(row, more) for row, more in net.items() if more]

    def change(self, changes: Iterable[tuple[Row, int]]) -> None:
        """Take changes over."""
        for row, more in changes:
            self.rows[row] = self.rows.get(row, 0) + more
            if not self.rows[row]:
                del self.rows[row]


class InstancesRelation(Relation):
    """The instances of a part, by a name."""

    def __init__(self, node: Node, name: str) -> None:
        super().__init__()
        self.node, self._name = node, name

    def found(self, now: Time) -> Iterator[tuple[Row, int]]:
        """One binding for each."""
        removed, added = self.node.step(now)
        yield from ((((self._name, one),), -1) for one in removed)
        yield from ((((self._name, one),), 1) for one in added)


class PairsRelation(Relation):
    """The pairs of a sequence or conjunction, by the names of its operands."""

    def __init__(self, node: PairedNode, left: str, right: str) -> None:
        super().__init__()
        self.node, self._left, self._right = node, left, right

    def found(self, now: Time) -> Iterator[tuple[Row, int]]:
        """One binding for each way in which a pair is of the operands."""
        self.node.step(now)
        if self._left == self._right:
            return  # no event pairs with itself
        for pairs, more in zip(self.node.pairs, (-1, 1), strict=True):
            for one, other, ways in pairs:
                if ways & FIRST:
                    yield self._row(one, other), more
                if ways & SECOND:
                    yield self._row(other, one), more

    def _row(self, left: Instance, right: Instance) -> Row:
        return tuple(sorted({self._left: left, self._right: right}.items()))


class EitherRelation(Relation):
    """The bindings of several clauses, of which one has to hold."""

    def __init__(self, clauses: Iterable[Relation]) -> None:
        super().__init__()
        self.clauses = tuple(clauses)

    def found(self, now: Time) -> Iterator[tuple[Row, int]]:
        """Those of each."""
        for clause in self.clauses:
            yield from clause.step(now)


class JoinedRelation(EitherRelation):
    """The bindings with which all of several clauses hold: equal names are the same instance."""

    def found(self, now: Time) -> Iterator[tuple[Row, int]]:
        """What changes in one clause with all that is known of the others."""
        changes = [clause.step(now) for clause in self.clauses]
        for clause, change in zip(self.clauses, changes, strict=True):
            rows = [(dict(row), more) for row, more in change]
            for other in self.clauses:
                if other is not clause and rows:
                    rows = [
                        ({**row, **dict(known)}, more * times)
                        for row, more in rows
                        for known, times in other.rows.items()
                        if all(row.get(name, one) == one for name, one in known)
                    ]
            yield from ((tuple(sorted(row.items())), more) for row, more in rows)
            clause.change(change)


class ConjunctionNode(CountingNode):
    """The logical conjunction: the instances of all bindings with which its clauses hold.

    Bindings are kept, as later ones may share a name with them.
    """

    def __init__(self, relation: Relation, operands: Iterable[Node]) -> None:
        super().__init__(operands)
        self.relation = relation
        self.unbounded = "a binding can join later ones of the other clauses"

    def step(self, now: Time) -> Delta:
        """The instances of the bindings that change."""
        changes = self.relation.step(now)
        if not changes:
            return NOTHING
        together = [(_together(one for _, one in row), more) for row, more in changes]
        return self.counts.changed(
            (one for one, more in together for _ in range(-more)),
            (one for one, more in together for _ in range(more)),
        )


def _together(instances: Iterable[Instance]) -> Instance:
    ends, starts, members = zip(*instances, strict=True)
    return max(ends), min(starts), tuple(sorted({one for each in members for one in each}, reverse=True))
