"""All instances of a pattern in a log, as they end: listed, counted, the latest or shortest of them, or some drawn.

An expression that is ambiguous has instances that come in two ways. Of those that end at one instant each is then
remembered until all of them are listed. They are counted by the automaton of marked words, or if that is too large by
being listed.
"""

from __future__ import annotations

import sys
from bisect import bisect_left, bisect_right
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from functools import cached_property
from itertools import accumulate, chain, islice, pairwise, repeat
from random import Random
from typing import Any, Final, Literal, NamedTuple, TypeAlias, TypeVar, cast

from detectors.carlson_lisper.enumeration.ambiguity import is_ambiguous
from detectors.carlson_lisper.enumeration.draws import Draws
from detectors.carlson_lisper.enumeration.graph import TOGETHER, Graph, Member, Node, Shown, told
from detectors.carlson_lisper.enumeration.marked import Marked
from detectors.carlson_lisper.enumeration.steps import NEVER, Behind, Now, Part, Sets, part
from semantics.carlson_lisper.expressions import Expression, Operation, bottom_up
from semantics.carlson_lisper.occurrences import Instance, Time, Value
from semantics.carlson_lisper.ties import finer
from semantics.errors import LimitExceeded
from semantics.events import Moment

MAX_REMEMBERED: Final = 5_000_000  # So many instances that end at one instant are told apart: a gigabyte or two

SORTED: Final = 10_000  # So many instances that end together are put in order

SetT = TypeVar("SetT")

Members: TypeAlias = tuple[Member, ...]
"""The occurrences of an instance."""

Key: TypeAlias = Any
"""A partition of a log."""

Order: TypeAlias = Literal["span", "recency"]
"""The shortest first, or those that end latest; in both, of two that end together the one that starts later."""


class Happened(NamedTuple):
    """What occurs at an instant in a partition of a log; instants come in the order of time."""

    key: Key
    time: Time
    values: Mapping[str, Value]


class Listing:
    """All instances of a ground pattern in a log, which is read anew whenever something is asked."""

    def __init__(self, pattern: Expression, log: Callable[[], Iterable[Happened]], scale: int = 1) -> None:
        self.pattern, self._log, self._scale = pattern, log, scale
        self.ambiguous = is_ambiguous(pattern) is not False
        self._mixed = any(isinstance(node, Operation) and node.operator == "con" for node in bottom_up(pattern))

    def ended(self, shown: Shown = None) -> Iterator[tuple[Key, Time, Node]]:
        """What ends, instant by instant; of each occurrence is told what `shown` makes of it."""
        return self._ending(lambda: cast("Sets[Node]", Graph(shown)))

    def _ending(self, sets: Callable[[], Sets[SetT]]) -> Iterator[tuple[Key, Time, SetT]]:
        parts: dict[Key, Part[SetT]] = {}
        for key, time, now in self._instants():
            if key not in parts:
                parts[key] = part(finer(self.pattern, self._scale), sets())
            ended = parts[key].ending(now, Behind(), NEVER)
            if ended is not None:
                yield key, time, ended

    def _instants(self) -> Iterator[tuple[Key, Time, Now]]:
        for key, time, values in self._log():
            fine = self._scale * int(time) + time.place if isinstance(time, Moment) else time
            yield key, time, Now(fine, values, time)

    def __iter__(self) -> Iterator[tuple[Key, Instance]]:
        """The instances with their partitions, in the order of `batches`."""
        return ((key, _instance(members)) for key, some in self.batches() for members in some)

    def batches(self, shown: Shown = None) -> Iterator[tuple[Key, list[Members]]]:
        """The instances in the order of their ends, some of a partition that end together at a time, never none.

        The order of those that end together is that of starts, then occurrences, unless they are more than `SORTED`;
        the occurrences of each are in order, and what is told of them is made once.
        """
        for key, _, node in self.ended(shown):
            found: Iterator[Members] = chain.from_iterable(self.members(node))
            if self._mixed:
                found = (tuple(sorted({*members})) for members in found)
            some = list(islice(found, SORTED + 1))
            if len(some) <= SORTED:
                some.sort()
            while some:
                yield key, some
                some = list(islice(found, TOGETHER))

    def members(self, node: Node, start: Time = NEVER) -> Iterator[list[Members]]:
        """The occurrences of the instances of a node that start at a time or later, each instance once."""
        seen: set[frozenset[Member]] = set()
        if not self.ambiguous:
            yield from told(node, start)
            return
        for some in told(node, start):
            fresh = {frozenset(members): members for members in some}
            found = [members for instance, members in fresh.items() if instance not in seen]
            seen |= fresh.keys()
            if len(seen) > MAX_REMEMBERED:
                reason = f"more than {MAX_REMEMBERED:,} instances end at one time, and some may come in two ways"
                raise LimitExceeded(reason, remedy="Restrict it, or ask for `--level intervals`.")
            if found:
                yield found

    def counts(self) -> Iterator[tuple[Key, Time, int]]:
        """How many end at each instant at which some do."""
        if self.ambiguous and self._unread is not None:
            yield from ((key, time, number) for key, time, number, _ in self._marked(self._unread))
            return
        if self.ambiguous:
            for key, time, node in self.ended():
                yield key, time, sum(map(len, self.members(node)))
            return
        from detectors.carlson_lisper.enumeration.counts import Counting, Tally  # which bring NumPy

        for key, time, tally in self._ending(lambda: cast("Sets[Tally]", Counting())):
            yield key, time, tally.total

    @property
    def counted_by_listing(self) -> bool:
        """Whether to count instances takes as long as to list them."""
        return self.ambiguous and self._unread is None

    @cached_property
    def _unread(self) -> Marked | None:
        """The automaton of the pattern before it has read anything; None if it is too large."""
        try:
            return Marked(finer(self.pattern, self._scale))
        except LimitExceeded:
            return None

    def _marked(self, unread: Marked, *, keep: bool = False) -> Iterator[tuple[Key, Time, int, Marked]]:
        parts: dict[Key, Marked] = {}
        for key, time, now in self._instants():
            if key not in parts:
                parts[key] = copy(unread)
                parts[key].past = [] if keep else None
            number = parts[key].step(now)
            if number:
                yield key, time, number, parts[key]

    def top(self, number: int, order: Order) -> list[tuple[Key, Instance]]:
        """The first so many in an order."""
        number = min(number, sys.maxsize)  # no container takes more
        if order == "recency":
            last = deque(self.ended(), number)
            found = ((key, one) for key, _, node in reversed(last) for one in self._latest(node, number))
            return list(islice(found, number))
        best, longest = list[tuple[Key, Instance]](), sys.maxsize
        for key, time, node in self.ended():
            earliest = self._scale * (int(time) + 1 - longest)
            if node.starts[-1] >= earliest:
                best += ((key, one) for one in self._latest(node, number, earliest))
                if len(best) >= 2 * number:  # so seldom that the work does not grow with the number
                    best = sorted(best, key=_span)[:number]
                    longest = _span(best[-1])
        return sorted(best, key=_span)[:number]

    def _latest(self, node: Node, number: int, earliest: Time = 0) -> list[Instance]:
        """So many instances of a node that start latest, the latest first, and none that starts before a time."""
        latest, earliest, back = node.starts[-1], max(earliest, 0), 0

        def some(back: int) -> list[Instance]:
            return list(islice(self._each(node, max(latest - back, earliest)), number))

        found = some(back)
        while latest - back > earliest and len(found) < number:
            back = 2 * back + 1
            found = some(back)
        if len(found) < number:
            return sorted(found, key=lambda one: one.start, reverse=True)
        back = bisect_left(range(back), number, key=lambda each: len(some(each)))
        later = some(back - 1) if back else []  # fewer than so many, so that these are all of them
        later.sort(key=lambda one: one.start, reverse=True)
        known = set(later)
        return [*later, *(one for one in some(back) if one not in known)][:number]

    def _each(self, node: Node, start: Time = NEVER) -> Iterator[Instance]:
        return (_instance(members) for some in self.members(node, start) for members in some)

    def sample(self, number: int, seed: int) -> list[tuple[Key, Instance]]:
        """So many different instances, or all if there are no more: each set of so many with the same chance."""
        random, ends = Random(seed), list(accumulate(count for *_, count in self.counts()))
        places, total = set[int](), ends[-1] if ends else 0
        while len(places) < min(number, total):
            places.add(random.randrange(total))
        wanted = Counter(bisect_right(ends, place) for place in places)
        found, draws = list[tuple[Key, Instance]](), Draws(random)
        many = self.ambiguous and any(total - before > SORTED for before, total in pairwise([0, *ends]))
        runs: Iterable[Any] = repeat([None])
        if many and self._unread is not None:
            runs = self._marked(self._unread, keep=True)
        for place, ((key, _, node), (*_, marked)) in enumerate(zip(self.ended(), runs, strict=False)):
            some = wanted[place]
            if some:
                there = ends[place] - (ends[place - 1] if place else 0)
                found += ((key, one) for one in self._drawn(node, marked, some, there, draws))
        return found

    def _drawn(self, node: Node, marked: Marked | None, number: int, total: int, draws: Draws) -> Iterable[Instance]:
        """So many different instances of a node, of so many that it has; of an ambiguous pattern by its runs."""
        found = dict[Instance, None]()
        if marked is not None and 2 * number <= total:
            while len(found) < number:
                found[Instance(marked.draw(draws.random))] = None
            return found
        if self.ambiguous or 2 * number > total:
            chosen = set(draws.random.sample(range(total), number))
            return [one for place, one in enumerate(self._each(node)) if place in chosen]
        for members in draws.draw(node):
            found[_instance(members)] = None
            if len(found) == number:
                break
        return found


def _instance(members: Members) -> Instance:
    return Instance([one.told for one in members])


def _span(pair: tuple[Key, Instance]) -> Time:
    return pair[1].end - pair[1].start
