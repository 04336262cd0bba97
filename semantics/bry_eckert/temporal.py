"""Time stamps, temporal conditions (Allen's relations, `within`, `apart`, windows) and relative timers.

Each condition means a disjunction of conjunctions of differences `later - earlier <= bound` between time stamps; that
is its only definition. What evaluates, translates, prints or reasons about conditions reads the differences.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations, product
from typing import Any, Literal, NamedTuple, TypeAlias, TypeGuard

from semantics.bry_eckert.terms import NOWHERE, Place

PRIME = "′"  # ends what a rule calls something, where a number tells several apart; no identifier has it


class TimeStamp(NamedTuple):
    """A time stamp of an event: `i.s`, the start of the event i, or `i.e`, its end."""

    identifier: str
    side: Literal["start", "end"]

    def __str__(self) -> str:
        return f"{self.identifier}.{self.side[0]}"


# A column of a relation is a time stamp or data by its name; a stamp is one that has times; durations are in ticks.
Column: TypeAlias = TimeStamp | str
Stamp: TypeAlias = TimeStamp | str
Duration: TypeAlias = int


class Moment(str):
    """A variable in a temporal condition: both its time stamps are the column of data itself (2008, Section 6.1)."""

    __slots__ = ()


def start(identifier: str) -> Stamp:
    """The time stamp i.s."""
    return str(identifier) if isinstance(identifier, Moment) else TimeStamp(identifier, "start")


def end(identifier: str) -> Stamp:
    """The time stamp i.e."""
    return str(identifier) if isinstance(identifier, Moment) else TimeStamp(identifier, "end")


def is_stamp(column: Column) -> TypeGuard[TimeStamp]:
    """Whether a column of a schema is a time stamp of an event, and not data."""
    return isinstance(column, TimeStamp)


@dataclass(frozen=True)
class Difference:
    """The comparison `later - earlier <= bound`, or `<` where it is strict; in whole ticks at most `ticks`."""

    later: Stamp
    earlier: Stamp
    bound: int = 0
    strict: bool = False

    @property
    def ticks(self) -> int:
        """The greatest difference in whole ticks."""
        return self.bound - self.strict

    def __str__(self) -> str:
        sign = "<" if self.strict else "≤"
        if self.bound > 0:
            return f"{self.later} - {self.earlier} {sign} {self.bound}"
        return f"{self.later}{f' + {-self.bound}' if self.bound else ''} {sign} {self.earlier}"


Conjunction: TypeAlias = tuple[Difference, ...]

_Allen: TypeAlias = Callable[[str, str], Conjunction]


def _less(*pairs: tuple[Stamp, Stamp]) -> Conjunction:
    return tuple(Difference(earlier, later, strict=True) for earlier, later in pairs)


def _equal(left: Stamp, right: Stamp) -> Conjunction:
    return (Difference(left, right), Difference(right, left))


_FORWARD: dict[str, tuple[str, _Allen]] = {
    "before": ("after", lambda i, j: _less((end(i), start(j)))),
    "meets": ("met_by", lambda i, j: _equal(end(i), start(j))),
    "overlaps": ("overlapped_by", lambda i, j: _less((start(i), start(j)), (start(j), end(i)), (end(i), end(j)))),
    "starts": ("started_by", lambda i, j: _equal(start(i), start(j)) + _less((end(i), end(j)))),
    "during": ("contains", lambda i, j: _less((start(j), start(i)), (end(i), end(j)))),
    "finishes": ("finished_by", lambda i, j: _less((start(j), start(i))) + _equal(end(i), end(j))),
    "equals": ("equals", lambda i, j: _equal(start(i), start(j)) + _equal(end(i), end(j))),
}
"""Seven of Allen's relations as conjunctions, each with the name of its converse."""


def _converse(relation: _Allen) -> _Allen:
    return lambda i, j: relation(j, i)


ALLEN: Mapping[str, _Allen] = {name: relation for name, (_, relation) in _FORWARD.items()} | {
    name: _converse(relation) for name, relation in _FORWARD.values()
}
"""Allen's thirteen relations between intervals, strict as the papers write them (2007, Section 2)."""


@dataclass(frozen=True)
class Related:
    """One of Allen's relations between two events: `o before s`."""

    left: str
    relation: str
    right: str
    place: Place = field(default=NOWHERE, compare=False, repr=False)

    def alternatives(self) -> tuple[Conjunction, ...]:
        """The differences that it means."""
        return (ALLEN[self.relation](self.left, self.right),)

    def __str__(self) -> str:
        return f"{self.left} {self.relation} {self.right}"

    @property
    def identifiers(self) -> tuple[str, ...]:
        """The events that it is about."""
        return (self.left, self.right)


@dataclass(frozen=True)
class Within:
    """The events together take at most a duration: `{c, d} within 4` (2008, Section 2.1)."""

    identifiers: tuple[str, ...]
    duration: Duration
    place: Place = field(default=NOWHERE, compare=False, repr=False)

    def alternatives(self) -> tuple[Conjunction, ...]:
        """`max{ends} - min{starts} <= duration` as a difference for each end and each start."""
        pairs = product(self.identifiers, repeat=2)
        return (tuple(Difference(end(i), start(j), self.duration) for i, j in pairs),)

    def __str__(self) -> str:
        return f"{{{', '.join(self.identifiers)}}} within {self.duration}"


@dataclass(frozen=True)
class Apart:
    """Each two of the events have at least a duration between them, in either order: `{c, d} 2 apart`."""

    identifiers: tuple[str, ...]
    duration: Duration
    place: Place = field(default=NOWHERE, compare=False, repr=False)

    def alternatives(self) -> tuple[Conjunction, ...]:
        """For each pair, one of the two orders."""
        far = -self.duration
        pairs = combinations(self.identifiers, 2)
        orders = ((Difference(end(i), start(j), far), Difference(end(j), start(i), far)) for i, j in pairs)
        return tuple(product(*orders))

    def __str__(self) -> str:
        return f"{{{', '.join(self.identifiers)}}} {self.duration} apart"


def inside(event: str, window: str) -> Related:
    """Condition that an event lies within its window, strictly at both ends: `while w: …` (2007, Section 3)."""
    return Related(event, "during", window)


Temporal: TypeAlias = Related | Within | Apart


def renamed(condition: Temporal, name: Callable[[str], str]) -> Temporal:
    """A condition on what is called by other names."""
    if isinstance(condition, Related):
        return replace(condition, left=name(condition.left), right=name(condition.right))
    return replace(condition, identifiers=tuple(map(name, condition.identifiers)))


def in_stamps(condition: Temporal) -> str:
    """A condition as the papers write it: as comparisons of time stamps."""
    if isinstance(condition, Within):
        ends, starts = (", ".join(str(of(name)) for name in condition.identifiers) for of in (end, start))
        return f"max{{{ends}}} - min{{{starts}}} ≤ {condition.duration}"
    return " ∨ ".join(" ∧ ".join(map(str, parts)) for parts in condition.alternatives())


def holds(condition: Temporal, at: Mapping[Any, int]) -> bool:
    """Whether a condition holds for the values of the time stamps."""
    return any(all(at[d.later] - at[d.earlier] <= d.ticks for d in parts) for parts in condition.alternatives())


_START, _END = ("start", 0), ("end", 0)

TIMERS: Mapping[str, tuple[tuple[str, int], tuple[str, int]]] = {
    "extend": (_START, ("end", 1)),
    "extend_backward": (("start", -1), _END),
    "shorten": (_START, ("end", -1)),
    "shorten_backward": (("start", 1), _END),
    "shift": (("start", 1), ("end", 1)),
    "shift_backward": (("start", -1), ("end", -1)),
    "from_start": (_START, ("start", 1)),
    "from_start_backward": (("start", -1), _START),
    "from_end": (_END, ("end", 1)),
    "from_end_backward": (("end", -1), _END),
}
"""The kinds of timers by name: from which time stamp of its event the start and the end are computed, and the sign of
the duration by which that is moved; a timer that would end before it starts does not happen."""


@dataclass(frozen=True)
class Timing:
    """A relative timer: the interval `into` that a kind and a duration make of the interval `of`."""

    into: str
    kind: str
    of: str
    duration: Duration
    place: Place = field(default=NOWHERE, compare=False, repr=False)

    @cached_property
    def edges(self) -> tuple[tuple[Stamp, Stamp, Duration], ...]:
        """Its start and its end, each with the time stamp from which it is computed and by how much that is moved."""
        origins = {"start": start(self.of), "end": end(self.of)}
        (first, back), (last, on) = TIMERS[self.kind]
        begin = (start(self.into), origins[first], back * self.duration)
        return begin, (end(self.into), origins[last], on * self.duration)

    @property
    def said(self) -> tuple[str, ...]:
        """Its start and its end as they are computed: `o.s`, `o.e + 6`."""
        return tuple(f"{o} {'-' if t < 0 else '+'} {abs(t)}" if t else str(o) for _, o, t in self.edges)

    def interval(self, begin: int, finish: int) -> tuple[int, int] | None:
        """The interval for an event over [begin, finish]; None where it would end before it starts."""
        base = {start(self.of): begin, end(self.of): finish}
        first, last = (base[origin] + ticks for _, origin, ticks in self.edges)
        return (first, last) if first <= last else None

    def __str__(self) -> str:
        return f"{self.into}: {self.kind}({self.of}, {self.duration})"
