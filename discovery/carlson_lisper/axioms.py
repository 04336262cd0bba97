"""Axioms: laws from which all equations up to a size follow, what each is needed for, and which are independent.

An equation follows from laws where their instances join its sides in the table of all terms, in which they are used on
terms a little greater than its sides; or, of a law, where a chain of others leads from one side to the other within the
limits of an e-graph. Both are bounded: what does not follow so may follow by greater terms. That a law does not follow
at all is shown by a finite algebra in which the others hold and it does not.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from discovery.carlson_lisper.algebras import Algebra, algebra_without
from discovery.carlson_lisper.egraph import Step, derivation
from discovery.carlson_lisper.exploring import Exploration
from discovery.carlson_lisper.fingerprints import Ids
from discovery.carlson_lisper.table import Table, forest_root, united
from laws.carlson_lisper.claims import EquationClaim
from laws.claims import stated
from semantics.carlson_lisper import expressions
from semantics.carlson_lisper.decisions import RELATION, Level
from semantics.carlson_lisper.expressions import Identifier, Operation
from semantics.carlson_lisper.syntax import Equation
from semantics.errors import EnginesDisagree

NODES, ROUNDS = 2000, 8  # The limits of an e-graph in which a law is derived from others

_Pairs: TypeAlias = Mapping[int, Ids]  # By the number of a law, the pairs of rows that its instances join


@dataclass(frozen=True)
class Axiom:
    """A law that is needed, and what for.

    Without it, so many rows of the table are not joined to those that mean the same, among the terms of the least size
    of which any are not; the first of them is told as an equation.
    """

    id: str
    statement: str  # with the side condition
    size: int  # of the greater side
    least: int
    rows: int
    first: str
    algebra: Algebra | None  # in which the others hold and it fails; none where only the limits say that it is needed


@dataclass(frozen=True)
class Growth:
    """How many axioms a size needs, which of them smaller sizes do not, and the first equation that these leave out."""

    size: int
    axioms: int
    new: tuple[str, ...]
    first: str  # none where the axioms of the smaller size are enough


@dataclass(frozen=True)
class Axioms:
    """Axioms of a level up to a size: all equations of the table follow, and without any one of them not all do."""

    level: Level
    size: int
    laws: int  # of which they are chosen
    axioms: tuple[Axiom, ...]
    derived: Mapping[str, tuple[str, ...]]  # laws that the table needs, with the laws of the chain that leads to each
    growth: tuple[Growth, ...]


class _Joined:
    """The pairs of rows that instances of laws join, in the table in which all laws are used."""

    def __init__(self, exploration: Exploration) -> None:
        known, self.laws, self.level = exploration.table, exploration.laws, exploration.level
        self.table = Table([], known.variables, known.bounds, known.slack)
        for _ in range(known.size):
            self.table.grow(list(enumerate(self.laws)))
            self.table.settle()
        if len(self.table.row_of) != len(known.row_of):
            raise EnginesDisagree("the laws that were found do not join what was joined when they were found")
        self.pairs = [self._pairs(size) for size in range(known.size + 1)]

    def _pairs(self, size: int) -> _Pairs:
        """The pairs of a size; an earlier row counts as its representative, as the laws of smaller sizes say."""
        table, found = self.table, dict[int, list[Ids]]()
        for joins in table.joins:
            if joins.size == size:
                both = np.stack([joins.left, joins.right]).astype(np.int64)
                both = np.where(both < table.first_row[size], table.row_of[table.class_of[both]], both)
                found.setdefault(joins.law, []).append(both[:, both[0] != both[1]])
        pairs = {law: np.unique(np.sort(np.concatenate(some, axis=1), axis=0), axis=1) for law, some in found.items()}
        return {law: some for law, some in pairs.items() if some.size}

    def lost(self, laws: Collection[int], size: int) -> Ids:
        """The rows of a size that some laws do not join to what means the same, given that all smaller ones are."""
        table, label = self.table, np.arange(len(self.table.rows))
        for law, (left, right) in self.pairs[size].items():
            if law in laws:
                united(label, left, right)
        rows = np.arange(table.first_row[size], table.first_row[size + 1])
        found: Ids = rows[forest_root(label, rows) != table.row_of[table.class_of[rows]]]
        return found

    def first_lost(self, laws: Collection[int], size: int) -> tuple[int, Ids]:
        """The least size up to a given one of which rows are lost, and these rows; otherwise the given one and none."""
        found = ((each, self.lost(laws, each)) for each in range(1, size + 1))
        return next(((each, rows) for each, rows in found if len(rows)), (size, np.zeros(0, np.int64)))

    def equation(self, row: int) -> str:
        """A row and the representative of its class, as an equation."""
        table = self.table
        sides = table.term(row), table.representative(int(table.class_of[row]))
        return str(Equation(*sides, RELATION[self.level]))

    def needed(self, order: Sequence[int], size: int) -> list[int]:
        """The laws that are left when they are taken away in an order, each unless rows up to a size are lost."""
        kept = set(order)
        for law in order:
            sizes = [each for each in range(1, size + 1) if law in self.pairs[each]]
            if not any(len(self.lost(kept - {law}, each)) for each in sizes):
                kept.remove(law)
        return [law for law in order if law in kept]


def axioms(exploration: Exploration, claims: Mapping[str, EquationClaim]) -> Axioms:
    """The axioms of an exploration, given its laws as claims by their ids.

    The greatest are taken away first, those that were found before those that were published.

    Raises:
        EnginesDisagree: the laws do not join what they joined when they were found.
    """
    joined, laws, size = _Joined(exploration), exploration.laws, exploration.table.size
    number = {law.id: place for place, law in enumerate(laws)}
    sizes = [max(map(expressions.size, (law.left, law.right))) for law in laws]
    order = sorted(
        range(len(laws)), key=lambda law: (-sizes[law], claims[laws[law].id].source not in ("", "discovered"), -law)
    )
    growth, chosen, chains = list[Growth](), list[int](), dict[int, frozenset[int]]()
    for each in range(1, size + 1):
        least, rows = joined.first_lost({*chosen, *chains}, each)
        before, kept = chosen, joined.needed(order, each)
        chosen = list(kept)
        for law in kept:
            others = [other for other in chosen if other != law]
            if each == size or (law not in before and not chains.get(law, {law}) <= set(others)):
                asked = [claims[laws[other].id] for other in sorted(others)]
                chain = _chain(claims[laws[law].id], asked)
                chains.pop(law, None)
                if chain is not None:
                    chains[law] = frozenset(number[step.claim.id] for step in chain)
            if law in chains:
                chosen = others
        chains = {law: used for law, used in chains.items() if law in kept}
        new = [laws[law].id for law in sorted(chosen) if law not in before]
        growth.append(Growth(each, len(chosen), tuple(new), joined.equation(int(rows[0])) if len(rows) else ""))
    told, chosen = list[Axiom](), sorted(chosen, key=lambda law: (sizes[law], law))
    for law in chosen:
        rest = {*chosen, *chains} - {law}
        while hidden := {other for other in rest if other in chains and not chains[other] <= rest}:
            rest -= hidden
        least, rows = joined.first_lost(rest, size)
        claim = claims[laws[law].id]
        algebra = algebra_without(laws[law], [laws[other] for other in chosen if other != law])
        told.append(
            Axiom(claim.id, stated(claim), sizes[law], least, len(rows), joined.equation(int(rows[0])), algebra)
        )
    derived = {laws[law].id: tuple(laws[other].id for other in sorted(used)) for law, used in chains.items()}
    return Axioms(exploration.level, size, len(laws), tuple(told), derived, tuple(growth))


def _chain(claim: EquationClaim, others: Sequence[EquationClaim]) -> tuple[Step, ...] | None:
    """The chain of laws by which one follows from others, in an e-graph, or in one with `A - nothing` beside A."""
    left, right = claim.equation.left, claim.equation.right
    nothing = Operation("neg", (left, left))
    beside = [Operation("neg", (each, nothing)) for each in (*map(Identifier, claim.variables), left, right)]
    events = claim.primitive
    for some in ([], beside):
        found = derivation(left, right, others, nodes=NODES, rounds=ROUNDS, events=events, beside=some)
        if found is not None:
            return found
    return None
