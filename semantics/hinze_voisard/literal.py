"""Definitions 2.1 and 4.3 to 4.8 word for word, each suspected slip of the print with a switch; not to be relied on.

Without any slip they are what runs (`semantics.hinze_voisard.pairing`, `.evaluation`). A slip has the name of its
record in `laws/hinze_voisard/errata.toml`, which has a trace that shows it.
"""

import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import groupby, product
from pathlib import Path
from typing import Any, TypeAlias

from semantics.errors import InputError
from semantics.events import Event, Time
from semantics.hinze_voisard import pairing
from semantics.hinze_voisard.evaluation import Evaluation
from semantics.hinze_voisard.pairing import Instance, Instances, Listed, Pair, Selection, by_time, occurrence
from semantics.hinze_voisard.profiles import Absent, Logical, Paired, Part, ProfileFile, Selected

SLIPS: Mapping[str, str] = tomllib.loads(Path(__file__).with_name("slips.toml").read_text("utf-8"))
"""The places that can be read as they are printed, and what they say then."""

PLACES = tuple(one for one in SLIPS if one != "classes-of-lists")
"""The places that bear on profiles: none says which list is D(n)."""

_THIRD_TABLE = {"reapplied-first", "reapplied-last", "reapplied-lists"}
"""Whatever is read as printed there, the table is of neighbouring lists, once."""

_List: TypeAlias = list[Instance]
_Key: TypeAlias = Callable[[Instance], Any]
_Chosen: TypeAlias = tuple[Selection, Selection]


def view(
    left: Instances, right: Instances, slips: Set[str] = frozenset(), *, roles: bool, key: _Key = by_time
) -> list[_List]:
    """The duplicate lists tr[1], …, tr[n] of the trace view tr(e1, e2) (Def. 4.4, renumbering, equation (5)).

    With roles, as in a sequence, an instance of both classes stands for each of them.
    """
    seen = [((one in left, one in right), one) for one in left | right]
    apart = "overlapping-classes" not in slips
    if roles and apart:
        seen = [((opens, not opens), one) for opens, side in ((True, left), (False, right)) for one in side]
    if roles and "order-of-ties" not in slips:
        seen.sort(key=lambda entry: (entry[1].end, entry[0], key(entry[1])))
    else:
        seen.sort(key=lambda entry: (key(entry[1]), not entry[0][0]))
    alone = "longest-lists" in slips
    places = [(side, place if alone or (apart and all(side)) else -1) for place, (side, _) in enumerate(seen)]
    runs = groupby(zip(places, seen, strict=True), key=lambda entry: entry[0])
    lists = [(place[0], [one for _, (_, one) in run]) for place, run in runs]
    if "duplicate-lists" in slips:
        between = [(one[0].end, one[-1].end, right if side[0] else left) for side, one in lists]
        within = [any(begin < other.end < end for other in others) for begin, end, others in between]
        lists = [one for one, demanded in zip(lists, within, strict=True) if demanded]
    if roles and lists and not lists[0][0][0] and "first-list" not in slips:
        lists = lists[1:]
    return [one for _, one in lists]


def duplicate_lists(left: Instances, right: Instances, slips: Set[str] = frozenset()) -> list[_List]:
    r"""The duplicate lists D_{E1\E2}(1), D_{E1\E2}(2), … of the first class (equation (4))."""
    return view(left, right, slips, roles=True)[:: 1 if "classes-of-lists" in slips else 2]


def disjunction(left: Instances, right: Instances, selection: Selection, slips: Set[str] = frozenset()) -> Instances:
    """Instances tr[x, z] that match either profile, of which those of some indices z are selected (Def. 4.5)."""
    if "for-all-lists" in slips:
        return frozenset()
    lists = view(left, right, slips, roles=False)
    found = frozenset(one[z - 1] for one in lists for z in _indices(one, selection, slips))
    return _least(found) if "time-of-a-disjunction" in slips else found


def _least(found: Instances) -> Instances:
    return frozenset(sorted(found, key=by_time)[:1])


@dataclass(frozen=True)
class Pairing:
    """The pairs of Def. 4.7, (tr[2x-1, z], tr[2y, w]), or of Def. 4.6, (tr[x, z], tr[y+1, w]), within a span t.

    P_xy, and what is selected by both tables, is `listed`; `key` is of the order of time.
    """

    operator: str
    listed: Listed
    span: Time | None
    slips: Set[str] = frozenset()
    key: _Key = by_time
    follows: pairing.Follows = pairing.FOLLOWS["points"]

    @property
    def table(self) -> bool:
        """Whether the third table is read as printed."""
        return self.listed.consumption == "reapply" and bool(self.slips & _THIRD_TABLE)

    def pairs(self, left: Instances, right: Instances) -> Set[Pair]:
        """The pairs, round after round where that is reapplied; `InputError` if the third table has no row."""
        if "for-all-lists" in self.slips:
            return frozenset()  # a finite trace has no tr[x, z] for every x
        consumption = self.listed.consumption
        if consumption in ("keep", "lists") or self.table or "unique-pairs" in self.slips:
            return frozenset(self._candidates(left, right))
        found: set[Pair] = set()
        while once := self._each_once(self._candidates(left, right)):
            found |= once
            used = {instance for both in once for instance in both}
            left, right = left - used, right - used
            if consumption != "reapply":
                break
        return found

    def _each_once(self, candidates: Iterable[Pair]) -> set[Pair]:
        """Pairs in which each event, or each primitive one, participates in one only; the earliest completion first."""
        found: set[Pair] = set()
        for both in sorted(candidates, key=lambda both: (self.key(both[1]), self.key(both[0]))):
            if not any(self._share(one, other) for each in found for one, other in product(both, each)):
                found.add(both)
        return found

    def _share(self, one: Instance, other: Instance) -> bool:
        """Whether an event of two pairs is the same, as consumption counts events."""
        return bool(one.members & other.members) if self.listed.consumption == "primitives" else one == other

    def _candidates(self, left: Instances, right: Instances) -> Iterator[Pair]:
        ordered, listed = self.operator == ";", self.listed
        lists = view(left, right, self.slips, roles=ordered, key=self.key)
        unique = listed.consumption == "lists" or self.table
        unique = unique or (listed.consumption != "keep" and "unique-pairs" in self.slips)
        by_operand = not ordered and listed.by_operand and "position-of-a-selection" not in self.slips
        indices = self._third_table if self.table else self._second_table
        step = 2 if ordered else 1
        places = [(x, y) for x in range(0, len(lists), step) for y in range(x + 1, len(lists), step)]
        for ant, post in [(lists[x], lists[y]) for x, y in places if y == x + 1 or not unique]:
            chosen = (listed.anterior, listed.posterior)
            if by_operand:
                chosen = chosen[ant[0] not in left], chosen[post[0] not in left]
            for z, w in indices(ant, post, chosen):
                if self._matches(ant[z - 1], post[w - 1], left, right):
                    yield ant[z - 1], post[w - 1]

    def _matches(self, one: Instance, other: Instance, left: Instances, right: Instances) -> bool:
        if one.members & other.members and "shared-events" not in self.slips:
            return False
        distance = other.end - one.end
        ordered = one in left and other in right
        if self.operator == ";":
            reach = 1 if "end-of-a-sequence" in self.slips else self.span
            return ordered and self.follows(one, other) and (reach is None or distance <= reach)
        turned = one in right and other in left and "order-of-a-conjunction" not in self.slips
        return (ordered or turned) and (self.span is None or abs(distance) <= self.span)

    def _second_table(self, ant: _List, post: _List, chosen: _Chosen) -> Iterator[tuple[int, int]]:
        """The indices z from z_min to z_max, and w from w_min to w_max."""
        for z in _indices(ant, chosen[0], self.slips):
            if chosen[1] != "last":
                yield from ((z, w) for w in _indices(post, chosen[1], self.slips))
            elif m := self._within(post, ant[z - 1]):
                yield from [(z, m)] if m <= len(post) - ("index-within-a-list" in self.slips) else []

    def _third_table(self, ant: _List, post: _List, chosen: _Chosen) -> Iterator[tuple[int, int]]:
        """The indices z and w of the third table, which has rows for `first` and for `last`."""
        if chosen not in (("first", "first"), ("last", "last")):
            raise InputError("the third table has no row for this selection", remedy="Select first, or last.")
        if chosen[0] == "first":
            many = min(len(ant), len(post))
            zs = ws = range(1, many + 1)
        else:
            m = self._within(post, ant[-1])
            many = min(m, len(ant))
            if "reapplied-last" in self.slips:
                zs, ws = range(len(ant), len(ant) - many + 1), range(m, m - many + 1)
            else:
                zs, ws = range(len(ant) - many + 1, len(ant) + 1), range(m - many + 1, m + 1)
        combined = product(zs, ws) if "reapplied-first" in self.slips else zip(zs, ws, strict=True)
        most = "index-within-a-list" in self.slips
        yield from ((z, w) for z, w in combined if 1 <= z <= len(ant) - most and 1 <= w <= len(post) - most)

    def _within(self, post: _List, one: Instance) -> int:
        """m: the last index within the span; 0 for none."""
        if self.span is None:
            return len(post)
        origin = post[0].end if "last-within-the-span" in self.slips else one.end
        return sum(other.end <= origin + self.span for other in post)


def _indices(listed: Sequence[object], selection: Selection, slips: Set[str]) -> Iterator[int]:
    """The indices from z_min to z_max that the list has."""
    length = len(listed)
    places = {"first": range(1, 2), "last": range(length, length + 1), "all": range(1, length + 1)}
    chosen = places[selection] if isinstance(selection, str) else [selection]
    return (z for z in chosen if z <= length - ("index-within-a-list" in slips))


class AsPrinted(Evaluation):
    """The instances of profiles by the definitions word for word, some of `PLACES` as printed; else an `InputError`."""

    def __init__(
        self, file: ProfileFile, trace: Sequence[Event], slips: Collection[str] = (), until: Time | None = None
    ) -> None:
        """Evaluate nothing yet."""
        super().__init__(file, trace, until)
        for slip in slips:
            if slip not in PLACES:
                raise InputError(f"no place is called {slip}", remedy=f"There are {', '.join(PLACES)}.")
        self._slips = frozenset(slips)

    def instances(self, part: Part) -> Instances:
        """The instances of an expression."""
        match part:
            case Paired("|", left, right):
                operands = self.instances(left), self.instances(right)
                return disjunction(*operands, part.listed.anterior, self._slips)
            case Absent(operand, span):
                return self._negation(self.instances(operand), span)
            case Selected(operand, place):
                return self._selection(self.instances(operand), place)
            case Logical(False) if "time-of-a-logical-disjunction" in self._slips:
                return _least(super().instances(part))
            case _:
                return super().instances(part)

    def _negation(self, counted: Instances, span: Time) -> Instances:
        """The time events that end a span without an instance (Def. 4.3)."""
        if "profile-of-a-negation" in self._slips:
            counted = frozenset(occurrence(number, event.time) for number, event in enumerate(self._events))
        timers: Iterable[Instance] = map(self._ender, self._timers[""])
        if "times-of-a-negation" in self._slips:
            timers = {one for name in self._timers if name for one in self._of_class(name)}
        return frozenset(
            timer
            for timer in timers
            if timer.end >= self._begin + span or "span-before-the-trace" in self._slips
            if any(timer.end - span <= one.end <= timer.end for one in counted) == ("negative-events" in self._slips)
        )

    def _selection(self, found: Instances, place: int) -> Instances:
        """Instance in the i-th place by an order of the matching set that agrees with that of time (Def. 4.8)."""
        if "order-of-the-selection" in self._slips:
            return frozenset()  # t(e) <= t(e) demands o(e) < o(e), and there is no such order
        if "selection-of-composites" in self._slips:
            found = frozenset(one for one in found if one.members.bit_count() == 1)
        return frozenset(sorted(found, key=by_time)[place - 1 : place])

    def pairs(self, part: Paired) -> Set[Pair]:
        """The pairs, as printed."""
        left, right = self.instances(part.left), self.instances(part.right)
        return Pairing(part.operator, part.listed, part.span, self._slips).pairs(left, right)

    def _of_class(self, name: str) -> Iterator[Instance]:
        constraints = self._file.constraints(name)
        if constraints is None or "matching-of-profiles" not in self._slips:
            yield from super()._of_class(name)
            return
        mentioned = {one.attribute for one in constraints}
        for one in super()._of_class(name):
            if self._events[one.members.bit_length() - 1].attributes.keys() <= mentioned:
                yield one
