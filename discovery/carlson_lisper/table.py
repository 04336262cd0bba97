"""The table of all terms up to a size: which of them mean the same, and the law by which they do.

A term is a variable, an operation on terms or a restriction to a bound; its size is its number of nodes. Terms that no
universe tells apart are of one *class*, and the first of a class, by size and then in the order of the table, is its
*representative*. Each of the three relations between meanings is a congruence, so a term is of the class of the same
operation on the representatives of its operands: the rows of the table are these operations, and stand for all terms.

That rows of one class really mean the same is *accounted for* by laws: an instance of a law joins two rows. What no
instance of a known law joins is a candidate for a new one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discovery.carlson_lisper.fingerprints import BINARY, VARIABLE, Fingerprinting, Ids, Meanings, Rows, locally
from discovery.carlson_lisper.universes import BOUNDS, Planes, Universe, Words
from semantics.carlson_lisper import expressions
from semantics.carlson_lisper.expressions import Bound, BoundExtremum, BoundParameter, Expression, Identifier, Operation

SLACK = 2  # Laws are used on terms of up to so many nodes more than those that are to be joined

_ARRAYS = (
    *("class_of", "row_of", "size_of", "first_row", "first_class", "label"),
    *("_keys", "_places", "_prints", "_coarse", "_alike"),
)
"""What says everything of a table, besides its rows, its joins and its universes."""

_WIDTH = 25  # Bits of the number of a class, in the key of a row


@dataclass(frozen=True)
class Law:
    """An equation that joins rows of the table.

    An `ordered` one speaks of bounds t <= u alone. Variables that are `primitive` stand for variables alone.
    """

    id: str
    left: Expression
    right: Expression
    ordered: bool = False
    primitive: frozenset[str] = frozenset()

    @property
    def variables(self) -> list[str]:
        """The identifiers of both sides, sorted."""
        return sorted(expressions.identifiers(self.left) | expressions.identifiers(self.right))

    @property
    def parameters(self) -> list[str]:
        """The bounds of both sides, sorted."""
        return sorted(expressions.bound_parameters(self.left) | expressions.bound_parameters(self.right))


@dataclass(frozen=True)
class Joins:
    """Pairs of rows that instances of a law join."""

    law: int
    size: int
    left: NDArray[np.int32]
    right: NDArray[np.int32]


@dataclass(frozen=True)
class Split:
    """An instance of an equation whose sides are told apart, so that it is false.

    It has the classes that are put for its variables, and the numbers of bounds for its bounds.
    """

    law: Law
    values: Mapping[str, int]
    bounds: Mapping[str, int]


@dataclass
class Table:
    """The rows for terms over some variables and bounds, by the universes that tell them apart.

    It grows by a size at a time: `grow` adds the rows and joins them by known laws, `candidates` says what is left,
    `join` and `tell` use a further law or further universes, and `settle` makes classes of what is joined.
    """

    universes: list[Universe]
    variables: Sequence[str]
    bounds: int = len(BOUNDS)
    slack: int = SLACK
    fingerprint: Fingerprinting = locally

    rows: Rows = field(init=False)
    class_of: Ids = field(init=False)  # by row; those of the greatest size have none until they are settled
    row_of: Ids = field(init=False)  # the row of the representative, by class
    size_of: Ids = field(init=False)  # the size of the representative, by class
    first_row: list[int] = field(init=False)  # the first row of each size
    first_class: list[int] = field(init=False)  # the first class of each size
    label: Ids = field(init=False)  # a forest: rows with the same root are joined by laws
    joins: list[Joins] = field(init=False)  # which rows laws join

    def __post_init__(self) -> None:
        self.rows = Rows.none()
        self.class_of, self.row_of, self.size_of, self.label = (np.zeros(0, np.int64) for _ in range(4))
        self.first_row, self.first_class, self.joins = [0, 0], [0, 0], []
        self._keys, self._places = np.zeros(0, np.int64), np.zeros(0, np.int64)
        self.meanings = Meanings(self.universes, self.variables)
        self.first = len(self.universes)  # of the universes, those that are asked of every row
        self._prints = np.zeros(0, np.uint64)  # by row, as far as they have been asked for
        self._coarse = np.zeros(0, np.uint64)  # likewise, by the first universes alone
        self._alike = np.zeros(0, bool)  # of which rows further universes have been asked

    @property
    def size(self) -> int:
        """The size of the greatest terms."""
        return len(self.first_row) - 2

    def classes(self, size: int) -> Ids:
        """The classes whose representatives have a size."""
        return np.arange(self.first_class[size], self.first_class[size + 1])

    def _shapes(self, size: int) -> list[tuple[int, int, int]]:
        """The operations of a size with the sizes of their operands, in the order of the table."""
        if size == 1:
            return [(VARIABLE, 0, 0)]
        binary = [(operation, left, size - 1 - left) for operation in range(len(BINARY)) for left in range(1, size - 1)]
        return binary + [(len(BINARY) + bound, size - 1, 0) for bound in range(self.bounds)]

    def _shaped(self, shape: tuple[int, int, int]) -> Rows:
        operation, left, right = shape
        if operation == VARIABLE:
            variables = np.arange(len(self.variables))
            return Rows(np.full(len(variables), VARIABLE, np.int8), variables, np.zeros_like(variables))
        lefts, rights = self.classes(left), self.classes(right) if right else np.zeros(1, np.int64)
        count = len(lefts) * len(rights)
        return Rows(np.full(count, operation, np.int8), np.repeat(lefts, len(rights)), np.tile(rights, len(lefts)))

    def grow(self, laws: Sequence[tuple[int, Law]]) -> None:
        """Add the rows of the next size, and join them by laws, each with its number."""
        size, before = self.size + 1, len(self.rows)
        rows = Rows.joined([*map(self._shaped, self._shapes(size))])
        self.label[:] = self.row_of[self.class_of]
        self.label = np.concatenate([self.label, np.arange(before, before + len(rows))])
        self.rows = Rows.joined([self.rows, rows])
        self.class_of = np.concatenate([self.class_of, np.full(len(rows), -1)])
        nothing = np.zeros(len(rows), np.uint64)
        self._prints, self._coarse = (np.concatenate([each, nothing]) for each in (self._prints, self._coarse))
        self._alike = np.concatenate([self._alike, nothing.astype(bool)])
        self.first_row.append(len(self.rows))
        keys = np.concatenate([self._keys, _key(rows.operation, rows.left, rows.right)])
        places = np.concatenate([self._places, np.arange(before, len(self.rows))])
        order = np.argsort(keys, kind="stable")
        self._keys, self._places = keys[order], places[order]
        for number, law in laws:
            self.join(number, law)
        new = self.open_rows
        self._coarse[new] = self.fingerprint(self.meanings, self.rows.chosen(new), range(self.first), self._coarse[new])
        self._prints[new] = self._coarse[new]
        asked = np.concatenate([self.row_of, new])
        _, place, count = np.unique(self._coarse[asked], return_inverse=True, return_counts=True)
        alike = asked[count[place] > 1]
        self._tell(alike[~self._alike[alike]], range(self.first, len(self.universes)))

    def _tell(self, rows: Ids, universes: Sequence[int]) -> None:
        """Take what further universes tell of rows into their fingerprints."""
        self._alike[rows] = True
        self._prints[rows] = self.fingerprint(self.meanings, self.rows.chosen(rows), universes, self._prints[rows])

    def false(self, laws: Iterable[Law]) -> Law | None:
        """A law of the greatest size, by its greater side, that variables themselves refute in a universe."""
        found = list[tuple[Law, int, int]]()
        for law in laws:
            names = dict(zip(law.variables, range(len(self.variables)), strict=False))
            if max(map(expressions.size, (law.left, law.right))) == self.size and len(names) == len(law.variables):
                values = {name: np.array([number]) for name, number in names.items()}
                for ticks in self._orders(law):
                    one, other = (
                        int(self.rows_of(side, values, ticks, self.size)[0]) for side in (law.left, law.right)
                    )
                    found += [(law, one, other)] if min(one, other) >= 0 else []
        both = self.rows.chosen(np.array([rows for _, *rows in found], np.int64).reshape(-1, 2).T.ravel())
        told = locally(self.meanings, both, range(len(self.universes)), np.zeros(len(both), np.uint64)).reshape(2, -1)
        return next((found[place][0] for place in np.flatnonzero(told[0] != told[1])), None)

    def _orders(self, law: Law) -> Iterator[dict[str, int]]:
        """The numbers of bounds that bounds of a law may stand for."""
        for ticks in product(range(self.bounds), repeat=len(law.parameters)):
            bounds = dict(zip(law.parameters, ticks, strict=True))
            if not law.ordered or not set(BOUNDS) <= bounds.keys() or bounds[BOUNDS[0]] <= bounds[BOUNDS[1]]:
                yield bounds

    @property
    def open_rows(self) -> Ids:
        """Rows of the greatest size that laws do not join to earlier ones, one of each that laws join to each other."""
        rows = np.arange(self.first_row[-2], self.first_row[-1])
        return np.array(rows[self.label[rows] == rows])

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything but the universes, when no size is begun and not settled."""
        arrays = {name: getattr(self, name) for name in _ARRAYS}
        arrays |= {f"rows.{name}": getattr(self.rows, name) for name in vars(self.rows)}
        joins = [(each.law, each.size, len(each.left)) for each in self.joins]
        arrays["joins"] = np.array(joins, np.int64).reshape(-1, 3)
        for name in ("left", "right"):
            arrays[f"joins.{name}"] = np.concatenate(
                [np.zeros(0, np.int32), *(getattr(one, name) for one in self.joins)]
            )
        return arrays

    def resume(self, state: Mapping[str, NDArray[Any]], further: Sequence[Universe]) -> None:
        """Become the table with a state, and with the universes that it was told of since it began."""
        for name in _ARRAYS:
            setattr(self, name, state[name].tolist() if name.startswith("first_") else state[name])
        self.rows = Rows(*(state[f"rows.{name}"] for name in ("operation", "left", "right")))
        ends = np.cumsum(state["joins"][:, 2])[:-1]
        pairs = zip(np.split(state["joins.left"], ends), np.split(state["joins.right"], ends), strict=True)
        numbers = state["joins"][:, :2].tolist()
        self.joins = [Joins(law, size, left, right) for (law, size), (left, right) in zip(numbers, pairs, strict=False)]
        self.universes += further
        for size in range(1, self.size + 1):
            self.meanings.settle(self.rows.chosen(self.row_of[self.classes(size)]), size)

    def tell(self, universes: Sequence[Universe]) -> None:
        """Take further universes, asked of what the first ones do not tell apart."""
        first = len(self.universes)
        self.universes += universes
        self._tell(np.flatnonzero(self._alike), range(first, len(self.universes)))

    def settle(self) -> None:
        """Make classes of the rows of the greatest size: of those that laws join to an earlier one it is that one's."""
        size, rows = self.size, np.arange(self.first_row[-2], self.first_row[-1])
        roots = forest_root(self.label, rows)
        new = self.open_rows
        self.class_of[new] = np.arange(len(new)) + len(self.row_of)
        self.row_of = np.concatenate([self.row_of, new])
        self.size_of = np.concatenate([self.size_of, np.full(len(new), size)])
        self.class_of[rows] = self.class_of[roots]
        self.first_class.append(len(self.row_of))
        self.meanings.settle(self.rows.chosen(new), size)

    def meaning(self, classes: Ids, universe: int) -> Planes:
        """What the representatives of classes mean in a universe."""
        return self.meanings.of(classes, universe)

    def differing(self, left: Ids, right: Ids, universe: int) -> Words:
        """In which cases a universe tells rows apart, as words."""
        asked = self.universes[universe]
        one, other = (asked.told(self.meanings.of_rows(self.rows.chosen(rows), universe)) for rows in (left, right))
        found: Words = np.bitwise_or.reduce(one ^ other, axis=0)
        return found

    def row(self, operation: Ids | int, left: Ids, right: Ids | int) -> Ids:
        """The rows of operations on classes, of which some may be -1; -1 where the table has none."""
        keys = _key(operation, left, right)
        place = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        found = (self._keys[place] == keys) & (left >= 0) & (np.asarray(right) >= 0)
        return np.where(found, self._places[place], -1)

    def rows_of(
        self, side: Expression, values: Mapping[str, Ids], bounds: Mapping[str, int], size: int | None = None
    ) -> Ids:
        """The rows of a side of an equation, for classes of its variables and numbers of its bounds.

        -1 where the table has none, or where a proper part is of a row of a given size or a greater one.
        """
        settled = len(self.rows) if size is None else self.first_row[size]

        def class_of(rows: Ids) -> Ids:
            return np.where((rows >= 0) & (rows < settled), self.class_of[rows], -1)

        def operation(name: str, operands: Sequence[Ids], bound: Bound | None) -> Ids:
            if bound is not None:
                return self.row(len(BINARY) + number_of(bound, bounds), class_of(operands[0]), 0)
            return self.row(BINARY.index(name), class_of(operands[0]), class_of(operands[1]))

        return expressions.fold(side, lambda name: self.row_of[values[name]], operation)

    def instances(self, law: Law, size: int) -> Iterator[tuple[Ids, Ids, Mapping[str, Ids], Mapping[str, int]]]:
        """The rows of both sides of instances of a law whose greater side has a size, or a little more.

        Proper parts are smaller, so that there is nothing left to justify of them.
        """
        slack = self.slack
        names, counts = law.variables, [_occurrences(side) for side in (law.left, law.right)]
        least = [expressions.size(side) for side in (law.left, law.right)]
        known = range(1, len(self.first_class) - 1)

        def sizes(place: int, sides: tuple[int, int]) -> Iterator[tuple[int, ...]]:
            if place == len(names):
                if size <= max(sides) <= size + slack:
                    yield ()
                return
            name = names[place]
            for each in [1] if name in law.primitive and size > 1 else known:
                grown = [side + count.get(name, 0) * (each - 1) for side, count in zip(sides, counts, strict=True)]
                if max(grown) > size + slack:
                    break
                for rest in sizes(place + 1, (grown[0], grown[1])):
                    yield (each, *rest)

        for chosen in sizes(0, (least[0], least[1])):
            grid = np.meshgrid(*(self.classes(each) for each in chosen), indexing="ij")
            values = {name: column.ravel() for name, column in zip(names, grid, strict=True)}
            # they stand for different event types
            for one, other in combinations(sorted(law.primitive & values.keys()), 2):
                kept = values[one] != values[other]
                values = {name: column[kept] for name, column in values.items()}
            for bounds in self._orders(law):
                left, right = (self.rows_of(side, values, bounds, size) for side in (law.left, law.right))
                yield left, right, values, bounds

    def join(self, number: int, law: Law, *, proved: bool = True) -> Split | None:
        """Join rows of the greatest size by the instances of a law.

        Where it is not proved, what universes tell apart is not joined, and one such instance is given back.
        """
        false = None
        for left, right, values, bounds in self.instances(law, self.size):
            joined = (left >= 0) & (right >= 0) & (left != right)
            if not proved:
                split = joined & ~self.alike(left, right)
                if split.any():
                    place = int(np.flatnonzero(split)[0])
                    false = Split(law, {name: int(column[place]) for name, column in values.items()}, bounds)
                    joined &= ~split
            left, right = left[joined], right[joined]
            united(self.label, left, right)
            self.joins.append(Joins(number, self.size, left.astype(np.int32), right.astype(np.int32)))
        return false

    def alike(self, left: Ids, right: Ids) -> NDArray[np.bool_]:
        """Whether no universe tells what rows are joined to apart; also where there is none of them, as -1 says."""
        one, other = (self._prints[forest_root(self.label, np.maximum(rows, 0))] for rows in (left, right))
        return np.array(one == other)

    def candidates(self) -> list[tuple[int, int, Expression, Expression]]:
        """Rows of the greatest size and earlier ones that nothing tells apart: first those with the most variables.

        Of as many variables those with the most bounds come first, as the most general ones.
        """
        rows = np.concatenate([self.row_of, self.open_rows])
        _, first, inverse = np.unique(self._prints[rows], return_index=True, return_inverse=True)
        others = rows[first[inverse]]
        found = [
            (int(row), int(other), self.term(int(row)), self.term(int(other)))
            for row, other in zip(rows[len(self.row_of) :], others[len(self.row_of) :], strict=True)
            if row != other
        ]

        def generality(candidate: tuple[int, int, Expression, Expression]) -> tuple[int, int, int]:
            law = Law("", *candidate[2:])
            return (-len(law.variables), -len(law.parameters), candidate[0])

        return sorted(found, key=generality)

    def size_at(self, row: int) -> int:
        """The size of a row."""
        return bisect_right(self.first_row, row) - 1

    @property
    def prints(self) -> Words:
        """The fingerprints of the classes."""
        return self._prints[self.row_of]

    def term(self, row: int) -> Expression:
        """The term of a row: the operation on the representatives of its operands."""
        operation, left = int(self.rows.operation[row]), int(self.rows.left[row])
        if operation < 0:
            return Identifier(self.variables[left])
        if operation >= len(BINARY):
            return self.representative(left)[BoundParameter(BOUNDS[operation - len(BINARY)])]
        operands = (self.representative(left), self.representative(int(self.rows.right[row])))
        return Operation(BINARY[operation], operands)

    def representative(self, number: int) -> Expression:
        """The smallest term of a class."""
        return self.term(int(self.row_of[number]))


def _key(operation: NDArray[np.int8] | Ids | int, left: Ids, right: Ids | int) -> Ids:
    return ((np.asarray(operation, np.int64) + 1 << _WIDTH) + left << _WIDTH) + right


def number_of(bound: Bound, bounds: Mapping[str, int]) -> int:
    """The number of a bound, given those of its parameters; the smaller bound has the smaller number."""
    match bound:
        case BoundParameter(name):
            return bounds[name]
        case BoundExtremum(function, left, right):
            return (min if function == "min" else max)(number_of(left, bounds), number_of(right, bounds))
    raise ValueError(f"{bound} is no symbolic bound")


def _occurrences(side: Expression) -> dict[str, int]:
    """How often each identifier occurs."""

    def operation(_: str, operands: Sequence[dict[str, int]], __: object) -> dict[str, int]:
        return {name: sum(each.get(name, 0) for each in operands) for each in operands for name in each}

    return expressions.fold(side, lambda name: {name: 1}, operation)


def forest_root(label: Ids, rows: Ids) -> Ids:
    """The root of each row in a forest, in which a label is the number of the row above, or the own one."""
    above = label[rows]
    while ((further := label[above]) != above).any():
        above = further
    label[rows] = above
    return above


def united(label: Ids, left: Ids, right: Ids) -> None:
    """Join pairs of rows in a forest; the root is the least of what is joined."""
    while len(left):
        one, other = forest_root(label, left), forest_root(label, right)
        apart = one != other
        left, right, one, other = left[apart], right[apart], one[apart], other[apart]
        np.minimum.at(label, np.maximum(one, other), np.minimum(one, other))
