"""Nodes of sequences and conjunctions, which pair instances of duplicate lists, and of logical conjunctions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from detectors.hinze_voisard.lists import FIRST, LEFT, RIGHT, SECOND, Instance, Lists, Pair, Pairs, Stateful, joined
from detectors.hinze_voisard.nodes import NOTHING, CountingNode, Counts, Delta, Node, OfClassNode
from detectors.hinze_voisard.views import Reapplied, View, places
from semantics.events import Time
from semantics.hinze_voisard.pairing import Selection
from semantics.hinze_voisard.profiles import Paired


class PairedNode(Node):
    """The pairs of a sequence or conjunction."""

    STATE = ("sides", "view", "counts")

    def __init__(self, part: Paired, left: Node, right: Node, *, apart: bool) -> None:
        """`apart` says whether the operands are classes of which no event belongs to both."""
        self._above((left, right))
        self.left, self.right = left, right
        listed, span, self.ordered = part.listed, part.span, part.operator == ";"
        everything = (listed.anterior, listed.posterior) == ("all", "all")
        if listed.consumption == "reapply" and everything:  # of what is left nothing matches
            listed = replace(listed, consumption="events")
        reapplied = listed.consumption == "reapply"
        self.primitive = isinstance(left, OfClassNode) and isinstance(right, OfClassNode)
        """Whether different pairs are always different instances."""
        self.growing = self.steady and not reapplied
        lists = Lists(listed, span, ordered=self.ordered)
        self.view = Reapplied(lists) if reapplied else View(lists, steady=self.growing)
        self._put = lists.put if self.growing else None
        if "last" in _closing(part):
            self.steady, self.settles = False, self.settles and span is not None
            self.undone = "another last one of its list can follow"
        if reapplied:
            if not (apart and part.operator == ";" and listed.in_turn):
                self.steady = self.settles = False
                self.undone = "what is left over pairs otherwise when a round before uses some of it"
            self.unbounded = "what is left over is kept for a further round"
        elif span is None and listed.consumption != "lists":
            kept = "selected" if listed.consumption == "keep" else "not used up"
            self.unbounded = f"without a span everything that is {kept} can pair with what comes later"
        elif span is None and "all" in _opening(part):
            self.unbounded = "without a span all of a list can pair, and it can grow for ever"
        self.sides: dict[Instance, int] = {}
        self.counts = Counts()
        self.pairs: Pairs = ([], [])
        self._many = 32
        self._added: Sequence[Pair] = ()
        self._new: list[Instance] = []
        """The pairs added by the last step, and their instances."""

    def step(self, now: Time) -> Delta:
        """The instances of the pairs that change; `pairs` has the pairs."""
        left, right = self.left.step(now), self.right.step(now)
        if not (left[1] or right[1] or left[0] or right[0]):
            self.pairs = [], []
        elif self._put is not None and len(left[1]) + len(right[1]) == 1:
            self.pairs = self._put(left[1][0], LEFT) if left[1] else self._put(right[1][0], RIGHT)
        else:
            self.pairs = self._changed(left, right)
        removed, added = self.pairs
        if not removed and not added:
            return NOTHING
        gone = self._new if removed is self._added else joined(removed)
        self._added, self._new = added, joined(added)
        if self.primitive:
            return gone, self._new
        if self.steady:
            return (), list(dict.fromkeys(self._new))
        return self.counts.changed(gone, self._new)

    def _changed(self, left: Delta, right: Delta) -> Pairs:
        changed = {one for delta in (*left, *right) for one in delta}
        before = places([(one, self.sides.get(one, 0)) for one in changed], ordered=self.ordered)
        for side, (removed, added) in ((LEFT, left), (RIGHT, right)):
            for one in removed:
                self.sides[one] &= ~side
            for one in added:
                self.sides[one] = self.sides.get(one, 0) | side
        after = places([(one, self.sides[one]) for one in changed], ordered=self.ordered)
        for one in changed:
            if not self.sides[one]:
                del self.sides[one]
        return self.view.change(before - after, after - before)

    def settle(self, now: Time) -> Time:
        """The time up to which operands and view are settled."""
        until = min(self.left.settle(now), self.right.settle(now))
        settled = self.view.settle(until)
        if len(self.sides) > self._many:
            self.sides = {one: side for one, side in self.sides.items() if one[0] >= until}
            self._many = 2 * len(self.sides) + 32
        self.counts.forget(settled)
        return until if self.steady else settled

    def size(self) -> int:
        """The instances of the operands and of the view."""
        return super().size() + self.view.size() + len(self.sides) + len(self.counts.times)


def _opening(part: Paired) -> tuple[Selection, ...]:
    """The selections that apply to lists that open pairs."""
    either = part.listed.by_operand and part.operator == ","
    return (part.listed.anterior, part.listed.posterior)[: 1 + either]


def _closing(part: Paired) -> tuple[Selection, ...]:
    """The selections that apply to lists that close pairs."""
    either = part.listed.by_operand and part.operator == ","
    return (part.listed.posterior, part.listed.anterior)[: 1 + either]


Row: TypeAlias = tuple[tuple[str, Instance], ...]
"""Names with their instances, in the order of names."""


class Clause(Stateful):
    """The bindings of a clause of a logical conjunction: names with instances.

    Attributes:
        node: the node of a clause that is no logical operator; a pair binds the names of both its operands.
        names: the names that it binds.
        clauses: the clauses of a logical operator.
        conjunction: whether all of them have to hold; else one.
    """

    STATE = ("rows",)

    def __init__(
        self,
        node: Node | None = None,
        names: tuple[str, ...] = (),
        clauses: tuple[Clause, ...] = (),
        *,
        conjunction: bool = False,
    ) -> None:
        self.node, self.names, self.clauses, self.conjunction = node, names, clauses, conjunction
        self.rows: dict[Row, int] = {}
        """Multiplicities of the bindings, of a clause of a conjunction."""

    def step(self, now: Time) -> list[tuple[Row, int]]:
        """The net changes of multiplicities at a time."""
        net: Counter[Row] = Counter()
        for row, more in self._joined(now) if self.conjunction else self._found(now):
            net[row] += more
        return [(row, more) for row, more in net.items() if more]

    def _found(self, now: Time) -> Iterator[tuple[Row, int]]:
        for clause in self.clauses:
            yield from clause.step(now)
        if self.node is None:
            return
        delta = self.node.step(now)
        if len(self.names) == 1:
            yield from (
                (((self.names[0], one),), more) for more, found in zip((-1, 1), delta, strict=True) for one in found
            )
        elif self.names[0] != self.names[1] and isinstance(self.node, PairedNode):  # no event pairs with itself
            for pairs, more in zip(self.node.pairs, (-1, 1), strict=True):
                for one, other, ways in pairs:
                    if ways & FIRST:
                        yield self._row(one, other), more
                    if ways & SECOND:
                        yield self._row(other, one), more

    def _row(self, left: Instance, right: Instance) -> Row:
        return tuple(sorted(zip(self.names, (left, right), strict=True)))

    def _joined(self, now: Time) -> Iterator[tuple[Row, int]]:
        """Join the changes of each clause with the rows of the others, by names."""
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
            for row, more in change:
                clause.rows[row] = clause.rows.get(row, 0) + more
                if not clause.rows[row]:
                    del clause.rows[row]


class ConjunctionNode(CountingNode):
    """The logical conjunction: the instances of all bindings with which its clauses hold.

    Bindings are kept, as later ones may share a name with them.
    """

    def __init__(self, clause: Clause, operands: Iterable[Node]) -> None:
        super().__init__(operands)
        self.clause = clause
        self.unbounded = "a binding can join later ones of the other clauses"

    def step(self, now: Time) -> Delta:
        """The composite instances of the bindings that change."""
        together = [(_together(one for _, one in row), more) for row, more in self.clause.step(now)]
        if not together:
            return NOTHING
        return self.counts.changed(
            (one for one, more in together for _ in range(-more)), (one for one, more in together for _ in range(more))
        )


def _together(instances: Iterable[Instance]) -> Instance:
    ends, starts, members = zip(*instances, strict=True)
    return max(ends), min(starts), tuple(sorted({one for each in members for one in each}, reverse=True))
