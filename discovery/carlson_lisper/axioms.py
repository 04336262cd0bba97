"""Axioms: laws from which all equations up to a size follow, what each is needed for, and which are independent.

An equation follows from laws where their instances join its sides in the table of all terms, in which they are used on
terms a little greater than its sides; or, of a law, where a chain of others leads from one side to the other within the
limits of an e-graph. Both are bounded: what does not follow so may follow by greater terms. That a law does not follow
at all is shown by a finite algebra in which the others hold and it does not.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from discovery.carlson_lisper.egraph import Step, derivation
from discovery.carlson_lisper.exploring import RELATION, Exploration
from discovery.carlson_lisper.table import BINARY, Ids, Law, Table, forest_root, number_of, united
from discovery.carlson_lisper.universes import BOUNDS
from laws.carlson_lisper.claims import EquationClaim
from laws.claims import stated
from semantics.carlson_lisper import expressions
from semantics.carlson_lisper.decisions import Level
from semantics.carlson_lisper.expressions import Bound
from semantics.carlson_lisper.syntax import Equation
from semantics.errors import EnginesDisagree

NODES, ROUNDS = 2000, 8  # The limits of an e-graph in which a law is derived from others

_Pairs: TypeAlias = Mapping[int, Ids]  # By the number of a law, the pairs of rows that its instances join
_Truth: TypeAlias = NDArray[np.uint8]


@dataclass(frozen=True)
class Algebra:
    """An algebra of the elements 0 and 1 in which all axioms but one hold, so that this one does not follow from them.

    An operator is given by its values for 00, 01, 10 and 11, a restriction to a bound by those for 0 and 1; variables
    that stand for event types have the elements that are `primitive`.
    """

    operations: Mapping[str, str]
    primitive: str


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
    algebra: Algebra | None  # none where only the limits say that it does not follow


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
    found, number = {finding.law.id for finding in exploration.findings}, {law.id: n for n, law in enumerate(laws)}
    sizes = [max(map(expressions.size, (law.left, law.right))) for law in laws]
    order = sorted(range(len(laws)), key=lambda law: (-sizes[law], laws[law].id not in found, -law))
    growth, chosen, chains = list[Growth](), list[int](), dict[int, frozenset[int]]()
    for each in range(1, size + 1):
        least, rows = joined.first_lost({*chosen, *chains}, each)
        before, kept = chosen, joined.needed(order, each)
        chosen = list(kept)
        for law in kept:
            others = [other for other in chosen if other != law]
            if each == size or law not in before and not chains.get(law, {law}) <= set(others):
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
    for law, algebra in zip(chosen, _algebras([laws[law] for law in chosen]), strict=True):
        rest = {*chosen, *chains} - {law}
        while hidden := {other for other in rest if other in chains and not chains[other] <= rest}:
            rest -= hidden
        least, rows = joined.first_lost(rest, size)
        claim = claims[laws[law].id]
        told.append(
            Axiom(claim.id, stated(claim), sizes[law], least, len(rows), joined.equation(int(rows[0])), algebra)
        )
    derived = {laws[law].id: tuple(laws[other].id for other in sorted(used)) for law, used in chains.items()}
    return Axioms(exploration.level, size, len(laws), tuple(told), derived, tuple(growth))


def _chain(claim: EquationClaim, others: Sequence[EquationClaim]) -> tuple[Step, ...] | None:
    """The chain of laws by which one follows from others, in an e-graph."""
    sides = claim.equation.left, claim.equation.right
    return derivation(*sides, others, nodes=NODES, rounds=ROUNDS, events=claim.primitive)


_AXES = (*BINARY, *BOUNDS, "primitive")  # Of all algebras of two elements: the tables of what each is made of


def _algebras(laws: Sequence[Law]) -> list[Algebra | None]:
    """For each law an algebra of two elements in which the others hold and it fails, if there is one."""
    counts = [16] * len(BINARY) + [4] * len(BOUNDS) + [3]
    tables = {name: np.arange(count, dtype=np.uint8) for name, count in zip(_AXES, counts, strict=True)}
    tables["primitive"] += 1  # no set of elements is empty, as streams of event types are not missing
    axes = {
        name: table.reshape([-1 if place == axis else 1 for axis in range(len(_AXES))])
        for place, (name, table) in enumerate(tables.items())
    }
    failing = [_failing(law, axes) for law in laws]
    every = np.zeros(counts, np.uint8)
    for each in failing:
        every += each
    found = list[Algebra | None]()
    for each in failing:
        places = np.flatnonzero((every == 1) & (each == 1))
        chosen = np.unravel_index(places[0], counts) if len(places) else None
        found.append(None if chosen is None else _named([tables[n][i] for n, i in zip(_AXES, chosen, strict=True)]))
    return found


def _failing(law: Law, axes: Mapping[str, _Truth]) -> _Truth:
    """In which algebras a law fails."""
    failing: _Truth = np.zeros([1] * len(_AXES), np.uint8)
    for ticks in product(range(len(BOUNDS)), repeat=len(law.parameters)):
        bounds = dict(zip(law.parameters, ticks, strict=True))
        if law.ordered and sorted(ticks) != list(ticks):
            continue

        def operation(name: str, operands: Sequence[_Truth], bound: Bound | None) -> _Truth:
            table = axes[name if bound is None else BOUNDS[number_of(bound, bounds)]]  # noqa: B023
            place = operands[0] if len(operands) == 1 else operands[0] * np.uint8(2) + operands[1]
            return (table >> place) & np.uint8(1)

        for elements in product((0, 1), repeat=len(law.variables)):
            values = {name: np.uint8(each) for name, each in zip(law.variables, elements, strict=True)}
            sides = [expressions.fold(side, lambda name: values[name], operation) for side in (law.left, law.right)]  # noqa: B023
            differ = sides[0] ^ sides[1]
            for name in law.primitive:
                differ = differ & (axes["primitive"] >> values[name])
            failing = failing | differ & np.uint8(1)
    return failing


def _named(tables: Sequence[int]) -> Algebra:
    """An algebra by the numbers of its tables."""
    told = {
        name: "".join(str(int(t) >> place & 1) for place in range(4)) for name, t in zip(_AXES, tables, strict=True)
    }
    return Algebra(
        {name: told[name] if name in BINARY else told[name][:2] for name in _AXES[:-1]},
        "".join(str(e) for e in (0, 1) if int(tables[-1]) >> e & 1),
    )
