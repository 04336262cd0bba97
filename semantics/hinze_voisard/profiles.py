"""Profiles: classes of events, expressions over them with parameters beside their operators, and their text."""

from __future__ import annotations

import json
import math
import operator
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import lru_cache
from itertools import combinations
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from semantics.errors import LimitExceeded
from semantics.events import Event, Time, Value
from semantics.hinze_voisard.pairing import Consumption, Listed

MAX_TIMES = 100_000  # So many time events of a class, or times that end a negation, are counted at once

Sign: TypeAlias = Literal["=", "!=", "<", "<=", ">", ">=", "in"]

_ORDERS: Mapping[str, Callable[[Any, Any], bool]] = MappingProxyType(
    {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
)


@dataclass(frozen=True)
class Constraint:
    """A property that an attribute of an event (`name`: its type) must have; there are several values for `in`.

    An event that lacks the attribute has no property of it; in a text `*` and `?` are wildcards for `=` and `in`. A
    text of the log, as all cells of CSV are, is the number or truth value that it reads as where one is asked for.
    """

    attribute: str
    sign: Sign
    values: tuple[Value, ...]

    def holds(self, event: Event) -> bool:
        """Whether an event has the property."""
        value = event.type if self.attribute == "name" else event.attributes.get(self.attribute)
        if value is None:
            return False
        if self.sign == "in":
            return any(_matches(value, wanted) for wanted in self.values)
        (wanted,) = self.values
        if self.sign == "=":
            return _matches(value, wanted)
        if self.sign == "!=":
            return not _matches(value, wanted)
        value = _read(value, wanted)
        kinds = [(isinstance(one, str), isinstance(one, bool)) for one in (value, wanted)]
        return kinds[0] == kinds[1] and _ORDERS[self.sign](value, wanted)

    def excludes(self, other: Constraint) -> bool:
        """Whether plainly no event has both properties: they demand different values without wildcards."""
        if self.attribute != other.attribute or not self.sign == other.sign == "=":
            return False
        (value,), (wanted,) = self.values, other.values
        alike = _matches(value, wanted) or _matches(wanted, value)
        return not alike and not set("*?") & set(f"{value}{wanted}")

    def __str__(self) -> str:
        """The property as it is written."""
        values = ", ".join(json.dumps(value, ensure_ascii=False) for value in self.values)
        return f"{self.attribute} {self.sign} " + (f"[{values}]" if self.sign == "in" else values)


@lru_cache(1024)
def _like(value: str, wanted: str) -> bool:
    return fnmatchcase(value, wanted.replace("[", "[[]"))


def _matches(value: Value, wanted: Value) -> bool:
    if isinstance(value, str) and isinstance(wanted, str):
        return _like(value, wanted)
    value = _read(value, wanted)
    return value == wanted and isinstance(value, bool) == isinstance(wanted, bool)


def _read(value: Value, wanted: Value) -> Value:
    """A value of a log; of a text the number or truth value that it reads as, if one is wanted."""
    if not isinstance(value, str) or isinstance(wanted, str) or "_" in value:
        return value
    if isinstance(wanted, bool):
        return {"true": True, "false": False}.get(value.lower(), value)
    for kind in (int, float):
        with suppress(ValueError):
            number = kind(value)
            return number if kind is int or math.isfinite(number) else value
    return value


@dataclass(frozen=True)
class EventClass:
    """A class of content events: those with some properties, and with those of the class it is a subclass of."""

    name: str
    constraints: tuple[Constraint, ...]
    parent: str = ""

    def __str__(self) -> str:
        """The class as a file states it."""
        return f"class {self.name} = {self.parent or 'event'}({', '.join(map(str, self.constraints))})"


@dataclass(frozen=True)
class TimeClass:
    """A class of time events: at some times, or every so many ticks (0 for never) from `since` on."""

    name: str
    at: tuple[Time, ...] = ()
    every: Time = 0
    since: Time = 0

    def times(self, begin: Time, end: Time) -> list[Time]:
        """The times from `begin` to `end`, both included, or a `LimitExceeded`."""
        found = {time for time in self.at if begin <= time <= end}
        if self.every:
            periodic = range(max(self.since, begin + (self.since - begin) % self.every), end + 1, self.every)
            require_few(len(periodic), f"the class {self.name}")
            found |= set(periodic)
        return sorted(found)

    def __str__(self) -> str:
        """The class as a file states it."""
        times = f"every {self.every} from {self.since}" if self.every else ", ".join(map(str, self.at))
        return f"class {self.name} = time({times})"


def require_few(times: int, of: str) -> None:
    """Refuse more times than `MAX_TIMES` with a `LimitExceeded`."""
    if times > MAX_TIMES:
        reason = f"{of} has {times:,} times in the interval; at most {MAX_TIMES:,} are counted at once"
        raise LimitExceeded(reason, remedy="State a coarser tick, such as tick = 1min, or take a shorter log.")


@dataclass(frozen=True)
class OfClass:
    """The events of a class; a name makes it the same event in all clauses of a logical operator."""

    type: str
    name: str = ""


@dataclass(frozen=True)
class Paired:
    """A disjunction, conjunction or sequence, whose operands are at most a span apart in time (None for any)."""

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
    """The logical conjunction, or else disjunction, of clauses that share names."""

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


def name_at(part: Part, place: str) -> str:
    """The name by which clauses share an operand; one without a name is called by its place."""
    return (part.name if isinstance(part, OfClass) else "") or f"#{place}"


def _bound(part: Part) -> Iterator[OfClass]:
    """The operands with names that are the same events in all clauses of the logical conjunction around a clause."""
    match part:
        case OfClass(_, name) if name:
            yield part
        case Paired("," | ";", left, right):
            yield from (one for one in (left, right) if isinstance(one, OfClass) and one.name)
        case Logical(True, clauses):
            for clause in clauses:
                yield from _bound(clause)


def called(part: Part) -> str:
    """The name of an operand, or that of its class; "" of a composite one."""
    return part.name or part.type if isinstance(part, OfClass) else ""


@dataclass(frozen=True)
class Profile:
    """A named expression."""

    name: str
    expression: Part


@dataclass(frozen=True)
class ProfileFile:
    """Classes and profiles, with the text as it was read and the length of a tick as it states it, such as `1s`."""

    classes: Mapping[str, EventClass | TimeClass]
    profiles: tuple[Profile, ...]
    text: str = ""
    tick: str = ""

    def only(self, names: Collection[str]) -> ProfileFile:
        """The classes with some of the profiles."""
        return replace(self, profiles=tuple(one for one in self.profiles if one.name in names))

    def types(self) -> list[str]:
        """The names of the classes in the profiles, in the order in which they first stand there."""
        found = (part for one in self.profiles for part in parts(one.expression))
        return list(dict.fromkeys(part.type for part in found if isinstance(part, OfClass)))

    def are_apart(self, one: str, other: str) -> bool:
        """Whether plainly no event belongs to two classes."""
        constraints, others = self.constraints(one), self.constraints(other)
        if constraints is None or others is None:  # each time event is of one class
            return one != other
        return any(mine.excludes(its) for mine in constraints for its in others)

    def never_the_same(self) -> Iterator[tuple[str, str, str, str]]:
        """Profile, name and two classes that are apart, where a logical conjunction has the name for events of both."""
        found = (
            (profile.name, *both)
            for profile in self.profiles
            for part in parts(profile.expression)
            if isinstance(part, Logical) and part.conjunction
            for both in combinations(dict.fromkeys(_bound(part)), 2)
        )
        for profile_name, one, other in dict.fromkeys(found):
            if one.name == other.name and self.are_apart(one.type, other.type):
                yield profile_name, one.name, one.type, other.type

    def constraints(self, name: str) -> tuple[Constraint, ...] | None:
        """The properties of the events of a class, with those of what it is a subclass of; None for time events."""
        found, given = self.classes[name], tuple[Constraint, ...]()
        while isinstance(found, EventClass):
            given += found.constraints
            if not found.parent:
                return given
            found = self.classes[found.parent]
        return None


def file_text(file: ProfileFile) -> str:
    """Profiles and the classes that they need as a file states them."""
    needed = set(file.types())
    for name, found in reversed(list(file.classes.items())):
        if name in needed and isinstance(found, EventClass):
            needed.add(found.parent)
    classes = [str(found) for name, found in file.classes.items() if name in needed]
    return "\n".join([*classes, *(f"profile {one.name} = {text(one.expression)}" for one in file.profiles)]) + "\n"


def text(part: Part) -> str:
    """An expression as it is written; durations are in ticks."""
    match part:
        case OfClass(type, name):
            return f"{name}: {type}" if name else type
        case Paired(operator, left, right, span):
            bound = "" if span is None else f"[{span}]"
            return f"({text(left)} {operator} {text(right)}){bound}{_parameters(part)}"
        case Absent(operand, span):
            return f"not({text(operand)})[{span}]"
        case Selected(operand, place):
            inner = text(operand)
            return f"({inner})^{place}" if isinstance(operand, Selected) else f"{inner}^{place}"
        case Logical(conjunction, clauses):
            return "(" + (r" /\ " if conjunction else r" \/ ").join(map(text, clauses)) + ")"


def _parameters(part: Paired) -> str:
    listed = part.listed
    if listed == Listed("all", "all", "keep"):
        return ""
    if part.operator == "|":
        return f" {{ select {listed.anterior} }}"
    names = [f"{called(operand)}: " if listed.by_operand else "" for operand in (part.left, part.right)]
    select = f"{names[0]}{listed.anterior}, {names[1]}{listed.posterior}"
    return f" {{ select {select}; consume {listed.consumption} }}"


_CONSUMPTIONS: Mapping[Consumption, str] = MappingProxyType(
    {
        "keep": "",
        "lists": "each list pairs with the next one alone",
        "events": "each is in one pair at most",
        "primitives": "each primitive event is in one pair at most",
        "reapply": "each is in one pair at most, and what is left over is paired again",
    }
)


def words(part: Part) -> str:
    """Meaning of an expression, as a part of a sentence."""
    match part:
        case OfClass(type, name):
            return f"{name}, of the class {type}" if name else type
        case Paired("|", left, right, _, listed):
            chosen = "" if listed.anterior == "all" else f"; of each list of successive ones {listed.anterior}"
            return f"{_inner(left)} or {_inner(right)}{chosen}"
        case Paired(operator, left, right, span):
            order, far = ("and then", "later") if operator == ";" else ("and", "apart")
            said = f"{_inner(left)} {order} {_inner(right)}" + (" in either order" if operator == "," else "")
            said += "" if span is None else f" at most {span} ticks {far}"
            return "; ".join(filter(None, (said, _selections(part), _CONSUMPTIONS[part.listed.consumption])))
        case Absent(operand, span):
            return f"the end of {span} ticks without {_inner(operand)}"
        case Selected(operand, place):
            return f"number {place} of all occurrences of {_inner(operand)}"
        case Logical(conjunction, clauses):
            return (" and " if conjunction else ", or ").join(f"({words(clause)})" for clause in clauses)


def _inner(part: Part) -> str:
    return words(part) if isinstance(part, OfClass) else f"({words(part)})"


def _selections(part: Paired) -> str:
    listed = part.listed
    if listed.anterior == listed.posterior == "all":
        return ""
    one, other = "the earlier list of successive ones", "the later"
    if listed.by_operand or part.operator == ";":
        one, other = f"successive {_inner(part.left)}", f"successive {_inner(part.right)}"
    return f"of {one} {listed.anterior}, of {other} {listed.posterior}"
