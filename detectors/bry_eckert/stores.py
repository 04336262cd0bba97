"""Stores of tuples: hashed by the columns that a join shares, ordered by occurrence time within each hash."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from semantics.bry_eckert.plans import Schema
from semantics.bry_eckert.relations import Tuple
from semantics.bry_eckert.temporal import end, is_stamp
from semantics.bry_eckert.plans import identifiers_of

Index: TypeAlias = dict[Any, tuple[list[int], list[Tuple]]]
"""By the values of some columns, the tuples with their occurrence times, both in the order of time."""


class Store:
    """The tuples of one input of a materialization point that may still join.

    Args:
        schema: the columns of the tuples.
        keys: for each index, the columns by which it is hashed.
    """

    def __init__(self, schema: Schema, keys: Iterable[tuple[str, ...]]) -> None:
        """An empty store."""
        self.indexes: dict[tuple[str, ...], Index] = {key: {} for key in keys}
        self._places = [(tuple(map(schema.index, key)), index) for key, index in self.indexes.items()]
        self._ends = [schema.index(end(name)) for name in identifiers_of(schema)]
        self.size = 0

    def add(self, row: Tuple) -> None:
        """Store a tuple that occurs no earlier than all others."""
        time = row[0] if len(self._ends) == 1 else max(row[place] for place in self._ends)
        for places, index in self._places:
            key = row[places[0]] if len(places) == 1 else tuple(row[place] for place in places)
            entry = index.get(key)
            if entry is None:
                index[key] = ([time], [row])
            else:
                entry[0].append(time)
                entry[1].append(row)
        self.size += 1

    def __iter__(self) -> Iterator[Tuple]:
        """The tuples, in the order of time within each hash."""
        for index in list(self.indexes.values())[:1]:
            for _, rows in index.values():
                yield from rows
