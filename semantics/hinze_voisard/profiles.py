"""Profiles: classes of events, and expressions over them with parameters beside their operators (Sections 2 to 4)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import Literal, TypeAlias

from semantics.errors import LimitExceeded
from semantics.events import Event, Time, Value
from semantics.hinze_voisard.pairing import Listed

MAX_TIMES = 100_000
"""So many time events of a class, or times that end a negation, are counted at once."""

Sign: TypeAlias = Literal["=", "!=", "<", "<=", ">", ">=", "in"]


@dataclass(frozen=True)
class Constraint:
    """A property that an attribute of an event must have; `name` is the event type.

    Attributes:
        attribute: the attribute.
        sign: the comparison; an event that lacks the attribute has no property of it.
        values: one value, or several for `in`; in a text `*` and `?` are wildcards for `=` and `in`.
    """

    attribute: str
    sign: Sign
    values: tuple[Value, ...]

    def holds(self, event: Event) -> bool:
        """Whether an event has the property."""
        value = event.type if self.attribute == "name" else event.attributes.get(self.attribute)
        if value is None:
            return False
        if self.sign in ("=", "in"):
            return any(_matches(value, wanted) for wanted in self.values)
        (wanted,) = self.values
        if self.sign == "!=":
            return not _matches(value, wanted)
        if isinstance(value, str) != isinstance(wanted, str):
            return False
        below, same = value < wanted, value == wanted  # type: ignore[operator]  # of one kind
        return {"<": below, "<=": below or same, ">": not (below or same), ">=": not below}[self.sign]


def _matches(value: Value, wanted: Value) -> bool:
    if isinstance(value, str) and isinstance(wanted, str):
        return fnmatchcase(value, wanted)
    return value == wanted and isinstance(value, bool) == isinstance(wanted, bool)


def _differ(one: Constraint, other: Constraint) -> bool:
    """Whether two properties are of different values, none of which has wildcards."""
    (value,), (wanted,) = one.values, other.values
    return not _matches(value, wanted) and not set("*?[") & set(f"{value}{wanted}")


@dataclass(frozen=True)
class EventClass:
    """A class of content events: those with some properties, and with those of the class it is a subclass of."""

    name: str
    constraints: tuple[Constraint, ...]
    parent: str = ""


@dataclass(frozen=True)
class TimeClass:
    """A class of time events: at some times, or periodically.

    Attributes:
        name: its name.
        at: the times, in ticks.
        every: the period; 0 for none.
        since: the first time of the period.
    """

    name: str
    at: tuple[Time, ...] = ()
    every: Time = 0
    since: Time = 0

    def times(self, begin: Time, end: Time) -> list[Time]:
        """The times from `begin` to `end`, both included.

        Raises:
            LimitExceeded: there are more than `MAX_TIMES`.
        """
        found = {time for time in self.at if begin <= time <= end}
        if self.every:
            first = max(self.since, begin + (self.since - begin) % self.every)
            periodic = range(first, end + 1, self.every)
            require_few(len(periodic), f"the class {self.name}")
            found |= set(periodic)
        return sorted(found)


def require_few(times: int, of: str) -> None:
    """Refuse more times than can be counted at once.

    Raises:
        LimitExceeded: there are more than `MAX_TIMES`.
    """
    if times > MAX_TIMES:
        raise LimitExceeded(
            f"{of} has {times:,} times in the interval; at most {MAX_TIMES:,} are counted at once",
            remedy="State a coarser tick, such as tick = 1min, or take a shorter log.",
        )


@dataclass(frozen=True)
class OfClass:
    """The events of a class; a name makes it the same event in all clauses of a logical operator."""

    type: str
    name: str = ""


@dataclass(frozen=True)
class Paired:
    """A disjunction, conjunction or sequence.

    Attributes:
        operator: `|`, `,` or `;`.
        left: an operand.
        right: the other one.
        span: how far apart in time they may be, in ticks; None for any.
        listed: what is selected and consumed.
    """

    operator: Literal["|", ",", ";"]
    left: Part
    right: Part
    span: Time | None = None
    listed: Listed = field(default_factory=lambda: Listed("all", "all", "keep"))


@dataclass(frozen=True)
class Absent:
    """The negation over a span: the times at whose end nothing of a class has occurred for so long (Def. 4.3)."""

    operand: Part
    span: Time


@dataclass(frozen=True)
class Selected:
    """The i-th event of the matching set, in the order of time (Def. 4.8); counted from 1."""

    operand: Part
    place: int


@dataclass(frozen=True)
class Logical:
    """The logical conjunction or disjunction of clauses that share names.

    Attributes:
        conjunction: whether all clauses have to hold; else one.
        clauses: the clauses.
    """

    conjunction: bool
    clauses: tuple[Part, ...]


Part: TypeAlias = OfClass | Paired | Absent | Selected | Logical


def operands(part: Part) -> tuple[Part, ...]:
    """The parts that a part is immediately made of."""
    match part:
        case OfClass():
            return ()
        case Paired(_, left, right):
            return left, right
        case Absent(operand) | Selected(operand):
            return (operand,)
        case Logical(_, clauses):
            return clauses


def parts(part: Part) -> Iterator[Part]:
    """A part and all that it is made of."""
    yield part
    for operand in operands(part):
        yield from parts(operand)


@dataclass(frozen=True)
class Profile:
    """A named expression."""

    name: str
    expression: Part


@dataclass(frozen=True)
class ProfileFile:
    """Classes and profiles.

    Attributes:
        classes: the classes by name.
        profiles: the profiles, in their order.
        text: as it was read.
        tick: the length of a tick as it is written, such as `1s`; "" where it is not stated.
    """

    classes: Mapping[str, EventClass | TimeClass]
    profiles: tuple[Profile, ...]
    text: str = ""
    tick: str = ""

    def __str__(self) -> str:
        """The text."""
        return self.text

    def only(self, names: Collection[str]) -> ProfileFile:
        """The classes with some of the profiles."""
        return replace(self, profiles=tuple(one for one in self.profiles if one.name in names))

    def is_member(self, event: Event, name: str) -> bool:
        """Whether an event belongs to a class of content events."""
        constraints = self.constraints(name)
        return constraints is not None and all(constraint.holds(event) for constraint in constraints)

    def are_apart(self, one: str, other: str) -> bool:
        """Whether plainly no event belongs to two classes: they demand different values of an attribute."""
        constraints, others = self.constraints(one), self.constraints(other)
        if constraints is None or others is None:  # each time event is of one class
            return one != other
        return any(
            mine.attribute == its.attribute and mine.sign == its.sign == "=" and _differ(mine, its)
            for mine in constraints
            for its in others
        )

    def constraints(self, name: str) -> tuple[Constraint, ...] | None:
        """The properties of the events of a class, with those of what it is a subclass of; None for time events."""
        found, given = self.classes[name], tuple[Constraint, ...]()
        while isinstance(found, EventClass):
            given += found.constraints
            if not found.parent:
                return given
            found = self.classes[found.parent]
        return None
