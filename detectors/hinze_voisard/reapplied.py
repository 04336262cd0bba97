"""The view of two classes of events whose pairs are reapplied: rounds of a kernel over their numbers."""

from __future__ import annotations

from array import array
from typing import Any

from detectors.hinze_voisard import rounds
from detectors.hinze_voisard.lists import LEFT, RIGHT, WAYS, Instance, Lists, Pair, Pairs
from detectors.hinze_voisard.views import Sides, places
from semantics.events import Time
from semantics.hinze_voisard.pairing import Listed
from semantics.native import bound

COMPILED_FROM = 10_000
"""After so many steps kernels are compiled, which takes seconds once; before, only if that has been done."""

ROOM = 64, 4
"""Room for so many places, and for so many rounds, at first."""


class ReappliedEvents:
    """A view at whose end alone events are put in, and what is left over is paired again.

    Args:
        listed: what is selected.
        span: how far apart in time they may be; None for any.
        ordered: whether it is a sequence.
    """

    def __init__(self, listed: Listed, span: Time | None, *, ordered: bool) -> None:
        self._ordered, self._steps = ordered, 0
        self.instances: list[Instance] = []
        """The event of each place."""
        anterior, posterior = Lists(listed, span, ordered=ordered).selected
        head = [0] * rounds.HEAD
        head[rounds.SPAN], head[rounds.ORDERED] = -1 if span is None else span, ordered
        head[rounds.ANTERIOR :] = [*anterior, *posterior]
        head[rounds.ROUNDS] = 1
        self._head = array("q", head)
        self._places, self._rounds = array("q"), array("q", [0] * rounds.ROUND_HEAD)
        self._make_room(*ROOM)

    def change(self, before: Sides, after: Sides) -> Pairs:
        """Put in what is new; all of it ends at one time, later than what was there."""
        found = sorted(places(after.items(), ordered=self._ordered))
        self._require_room(len(found))
        begin = len(self.instances)
        for place, (time, _, one, side) in enumerate(found, begin):
            self._places[place], self._places[rounds.SIDE * self._capacity + place] = time, side
            self.instances.append(one)
        if len(found) > len(after):
            self._join_twins(begin)
        return self._advanced(found[-1][0])

    def put(self, one: Instance, side: int) -> Pairs:
        """Put in one instance as it belongs to one operand, or without an order to both."""
        if len(self.instances) == self._capacity:
            self._require_room(1)
        time, place, columns = one[0], len(self.instances), self._places
        columns[place], columns[rounds.SIDE * self._capacity + place] = time, side
        self.instances.append(one)
        if side == LEFT and self._ordered:  # it closes nothing: what it opens is paired with what comes
            return [], []
        return self._advanced(time)

    def _advanced(self, now: Time) -> Pairs:
        """The pairs that change when all is put in that ends at a time."""
        head = self._head
        head[rounds.PLACES], head[rounds.BEFORE] = len(self.instances), now + 1
        self._steps += 1
        if self._steps == COMPILED_FROM:
            self._bind()
        self._advance()
        while head[rounds.ROUND]:
            self._make_room(head[rounds.CAPACITY], 2 * head[rounds.ROOM])
            self._advance()
        many = head[rounds.CHANGES]
        return self._pairs(many) if many else ([], [])

    def _take_all(self) -> None:
        """Go through the rounds with what opens pairs and has not been there."""
        if self.instances and self._head[rounds.KNOWN] < len(self.instances):
            self._advanced(self.instances[-1][0])

    def _pairs(self, many: int) -> Pairs:
        gone: list[Pair] = []
        new: list[Pair] = []
        begin, instances, places = 3 * self._capacity, self.instances, self._places
        changes, sides = iter(self._work[begin : begin + 3 * many].tolist()), rounds.SIDE * self._capacity
        for more, one, other in zip(changes, changes, changes, strict=True):
            ways = WAYS[places[sides + other]][places[sides + one]]
            (new if more > 0 else gone).append((instances[one], instances[other], ways))
        return gone, new

    def _join_twins(self, begin: int) -> None:
        """Tell each other of the places that an event has of both operands."""
        met: dict[Instance, int] = {}
        twins = rounds.TWIN * self._head[rounds.CAPACITY]
        for number in range(begin, len(self.instances)):
            other = met.setdefault(self.instances[number], number)
            if other != number:
                self._places[twins + number], self._places[twins + other] = other, number

    def _require_room(self, many: int) -> None:
        """Make room for so many more places."""
        if len(self.instances) + many <= self._capacity:
            return
        self._take_all()
        self._forget()
        self.instances = [self.instances[place] for place in self._work[: self._head[rounds.PLACES]]]
        capacity = self._capacity
        while 2 * (len(self.instances) + many) > capacity:
            capacity *= 2
        if capacity > self._capacity:
            self._make_room(capacity, self._head[rounds.ROOM])

    def _make_room(self, capacity: int, room: int) -> None:
        """Room for so many places, and for so many rounds."""
        before = self._head[rounds.CAPACITY]
        self._places = _moved(self._places, 0, before, capacity, rounds.COLUMNS, 1)
        twins = rounds.TWIN * capacity
        self._places[twins + before : twins + capacity] = array("q", [-1]) * (capacity - before)
        self._rounds = _moved(self._rounds, rounds.ROUND_HEAD, before, capacity, 2, room)
        self._work = array("q", bytes(8 * 9 * capacity))
        self._head[rounds.CAPACITY], self._head[rounds.ROOM] = capacity, room
        self._capacity = capacity
        self._bind()

    def _bind(self) -> None:
        """Take the kernels as machine code where there is some, or many steps have been taken; or else as Python."""
        given = self._head, self._places, self._rounds, self._work
        self._advance, self._forget = (
            bound(kernel, function, given, large=self._steps >= COMPILED_FROM)
            for kernel, function in ((rounds.ADVANCE, rounds.advance), (rounds.FORGET, rounds.forget))
        )

    def settle(self, until: Time) -> Time:
        """What is left of a round changes as long as something of it can be used up."""
        return min(until, self._head[rounds.SETTLED]) if self.instances else until

    def size(self) -> int:
        """How many places are held."""
        return len(self.instances)

    def state(self) -> Any:
        """The events with their places, and the rounds."""
        self._take_all()
        return [[*self._head], [*self._places], [*self._rounds], self.instances]

    def restore(self, state: Any) -> None:
        """Take up the rounds.

        Raises:
            ValueError: they are none of this view; machine code would write where it may not.
        """
        head, columns, found, instances = state
        self._refuse_others(head, columns, found, len(instances))
        self._head, self._places, self._rounds = (array("q", each) for each in (head, columns, found))
        self.instances = instances
        self._make_room(self._head[rounds.CAPACITY], self._head[rounds.ROOM])

    def _refuse_others(self, head: list[int], columns: list[int], found: list[int], many: int) -> None:
        own, capacity, room = list(self._head), head[rounds.CAPACITY], head[rounds.ROOM]
        size = rounds.ROUND_HEAD + 2 * capacity

        def column(name: int) -> list[int]:
            return columns[name * capacity : name * capacity + many]

        def is_round(begin: int) -> bool:
            start, side, _, pool, chosen, _ = found[begin : begin + rounds.ROUND_HEAD]
            lists = begin + rounds.ROUND_HEAD, begin + rounds.ROUND_HEAD + capacity
            return (
                min(pool, chosen) >= 0 <= pool + chosen <= start <= many
                and 0 <= side <= LEFT | RIGHT
                and all(0 <= one < start for one in found[lists[0] : lists[0] + pool])
                and all(0 <= one < start for one in found[lists[1] : lists[1] + chosen])
            )

        if not (
            len(head) == rounds.HEAD
            and all(head[at] == own[at] for at in (rounds.SPAN, rounds.ORDERED))
            and head[rounds.ANTERIOR :] == own[rounds.ANTERIOR :]
            and head[rounds.PLACES] == head[rounds.KNOWN] == many <= capacity
            and head[rounds.ROUND] == 0 < head[rounds.ROUNDS] <= room
            and (len(columns), len(found)) == (rounds.COLUMNS * capacity, room * size)
            and all(LEFT <= side <= LEFT | RIGHT for side in column(rounds.SIDE))
            and {*columns[rounds.TWIN * capacity + many : (rounds.TWIN + 1) * capacity]} <= {-1}
            and all(
                rounds.GONE <= one < many
                for name in (rounds.TWIN, rounds.MATE, rounds.FORMER)
                for one in column(name)
            )
            and all(
                0 <= used < head[rounds.ROUNDS]
                for used, mate in zip(column(rounds.USED), column(rounds.MATE), strict=True)
                if mate >= 0
            )
            and all(is_round(number * size) for number in range(head[rounds.ROUNDS]))
        ):
            raise ValueError("its rounds are none of this view")


def _moved(old: array[int], head: int, before: int, after: int, columns: int, blocks: int) -> array[int]:
    """Blocks of a head and columns, with longer columns or more blocks."""
    found = array("q", bytes(8 * blocks * (head + columns * after)))
    for block in range(min(blocks, len(old) // max(1, head + columns * before))):
        begin, place = block * (head + columns * before), block * (head + columns * after)
        found[place : place + head] = old[begin : begin + head]
        for column in range(columns):
            there, here = begin + head + column * before, place + head + column * after
            found[here : here + before] = old[there : there + before]
    return found
