"""Stores with a join in their relevance condition: a tuple goes whose companion has not come in time (2008, 6.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from heapq import heappop, heappush

from detectors.bry_eckert.stores import NOTHING, Store, hashing
from semantics.bry_eckert.algebra.plans import Schema
from semantics.bry_eckert.algebra.relations import Tuple
from semantics.bry_eckert.algebra.relevance import Relevance
from semantics.events import Time


class AccompaniedStore(Store):
    """A store whose tuples are on trial until their companion can no longer come.

    The condition is looked at once for each tuple, at the end of its trial: a companion that is there then may go
    later, and the tuple stays, which costs memory and no answer.

    Args:
        schema: the columns of the tuples.
        keys: for each index, the columns by which it is hashed.
        relevance: how long a tuple is kept, with a companion.
    """

    def __init__(self, schema: Schema, keys: Iterable[tuple[str, ...]], relevance: Relevance) -> None:
        """An empty store."""
        super().__init__(schema, keys, relevance)
        assert relevance.companion is not None
        self._until = Relevance(relevance.companion.times).deadline(schema)
        self._trials: list[tuple[Time, int, Tuple]] = []
        self._schema = schema
        self._accompanied: Callable[[Tuple], bool] = lambda row: True

    def accompany(self, other: Store, key: tuple[str, ...]) -> None:
        """Say which store has the companions, and by which columns they are found."""
        hashed, index = hashing(key, self._schema), other.indexes[key]

        def accompanied(row: Tuple) -> bool:
            _, rows = index.get(hashed(row), NOTHING)
            return any(map(other.lives, reversed(rows)))

        self._accompanied = accompanied

    def add(self, row: Tuple) -> bool:
        """Store a tuple that occurs no earlier than all others, unless it is irrelevant when it comes."""
        deadline = until = self._until(row)
        if self._deadline is not None:
            deadline = self._deadline(row)
            if self._now is not None and deadline <= self._now:
                return False
        heappush(self._trials, (min(until, deadline), next(self._order), row))
        self.first = min(self.first, self._trials[0][0])
        self._insert(row, self._time(row))
        return True

    def expire(self, now: Time) -> Sequence[Tuple]:
        """Drop the tuples that are relevant until now and no longer, those without a companion among them."""
        alone = []
        while self._trials and self._trials[0][0] <= now:
            row = heappop(self._trials)[2]
            if not self._accompanied(row):
                alone.append(row)
            elif self._deadline is not None:
                self._keep(self._deadline(row), row)
        self._take_out(alone)
        dropped = [*alone, *super().expire(now)]
        if self._trials:
            self.first = min(self.first, self._trials[0][0])
        return dropped

    def _take_out(self, gone: Sequence[Tuple]) -> None:
        """Take tuples out of the lists of all indexes at once."""
        known = set(map(id, gone))
        for hashed, index in self._hashed if gone else ():
            for key in set(map(hashed, gone)):
                times, rows = index[key]
                kept = [place for place, row in enumerate(rows) if id(row) not in known]
                times[:], rows[:] = [times[place] for place in kept], [rows[place] for place in kept]
                if not rows:
                    del index[key]
        self.size -= len(gone)

    def clear(self) -> None:
        """Forget all tuples."""
        super().clear()
        self._trials.clear()
