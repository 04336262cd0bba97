"""Evaluation of profiles over a closed interval, and continuously (Section 4.3; readings in docs/profiles.md)."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from semantics.events import Event, Time
from semantics.hinze_voisard.profiles import (
    Absent,
    Logical,
    OfClass,
    Paired,
    Part,
    Profile,
    ProfileFile,
    Selected,
    TimeClass,
)
from semantics.settings.catalogue import FOLLOWS
from semantics.settings.instances import Instance, Instances, by_time, joined, occurrence, pair

TIME = "time"
"""The type of the time event that ends a negation; other time events have the names of their classes."""


@dataclass(frozen=True)
class Found:
    """An occurrence of a profile.

    Attributes:
        profile: its name.
        start: the time of its first event.
        time: when it occurs.
        events: its primitive events, time events among them, in the order of time.
    """

    profile: str
    start: Time
    time: Time
    events: tuple[Event, ...]


class Evaluation:
    """The instances of profiles in a trace.

    Args:
        file: the classes and profiles.
        trace: the events, in the order of time.
        begin: the first time of the interval; by default that of the first event.
        end: its last time; by default that of the last event.
    """

    def __init__(
        self, file: ProfileFile, trace: Sequence[Event], begin: Time | None = None, end: Time | None = None
    ) -> None:
        """Evaluate nothing yet."""
        self._file = file
        self._begin = begin if begin is not None else (trace[0].time if trace else 0)
        self._end = end if end is not None else (trace[-1].time if trace else 0)
        self._events = [event for event in trace if self._begin <= event.time <= self._end]
        self._content = len(self._events)
        self._timers: dict[tuple[str, Time], Instance] = {}
        self._classes: dict[str, Instances] = {}

    def found(self, profile: Profile) -> list[Found]:
        """The occurrences of a profile, in the order of time."""
        instances = sorted(self.instances(profile.expression), key=by_time)
        return [Found(profile.name, one.start, one.end, self._members(one)) for one in instances]

    def instances(self, part: Part) -> Instances:
        """The instances of an expression."""
        match part:
            case OfClass(type):
                return self._of_class(type)
            case Paired("|", left, right):
                return self.instances(left) | self.instances(right)
            case Paired():
                return frozenset(pair(*both) for both in self._pairs(part))
            case Absent(operand, span):
                return self._absent(self.instances(operand), span)
            case Selected(operand, place):
                ordered = sorted(self.instances(operand), key=by_time)
                return frozenset(ordered[place - 1 : place])
            case Logical(conjunction, clauses):
                if not conjunction:
                    return frozenset().union(*map(self.instances, clauses))
                return frozenset(joined(one.values()) for one in self._bound(clauses) if one)

    def _pairs(self, part: Paired) -> Iterator[tuple[Instance, Instance]]:
        left, right = self.instances(part.left), self.instances(part.right)
        if part.operator == ";":
            return part.listed.sequence(left, right, FOLLOWS["points"], part.span)
        return part.listed.conjunction(left, right, part.span)

    def _of_class(self, name: str) -> Instances:
        if name not in self._classes:
            found = self._file.classes[name]
            if isinstance(found, TimeClass):
                members = [self._timer(name, time) for time in found.times(self._begin, self._end)]
            else:
                members = [
                    occurrence(number, event.time)
                    for number, event in enumerate(self._events[: self._content])
                    if self._file.is_member(event, name)
                ]
            self._classes[name] = frozenset(members)
        return self._classes[name]

    def _absent(self, operand: Instances, span: Time) -> Instances:
        """The times of the interval that end a span, its ends included, in which nothing of the operand occurs."""
        times = {instance.end for instance in operand}
        found = []
        for time in range(self._begin + span, self._end + 1):
            if not any(time - span <= each <= time for each in times):
                found.append(self._timer(TIME, time))
        return frozenset(found)

    def _bound(self, clauses: Sequence[Part]) -> list[dict[str, Instance]]:
        """Names with their events, so that all clauses hold; a part without a name is bound by its place."""
        rows: list[dict[str, Instance]] = [{}]
        for number, clause in enumerate(clauses):
            choices = list(self._bindings(clause, str(number)))
            rows = [
                {**row, **choice}
                for row in rows
                for choice in choices
                if all(row.get(name, instance) == instance for name, instance in choice.items())
            ]
        return rows

    def _bindings(self, part: Part, place: str) -> Iterator[Mapping[str, Instance]]:
        match part:
            case OfClass(_, name):
                yield from ({name or f"#{place}": one} for one in self.instances(part))
            case Paired("," | ";"):
                left, right = self.instances(part.left), self.instances(part.right)
                for one, other in self._pairs(part):
                    orders = [(one, other)] if part.operator == ";" else [(one, other), (other, one)]
                    for first, second in orders:
                        if first in left and second in right:
                            yield {
                                _name(part.left, f"{place}l"): first,
                                _name(part.right, f"{place}r"): second,
                            }
            case Logical(True, clauses):
                yield from self._bound(clauses)
            case Logical(False, clauses):
                for number, clause in enumerate(clauses):
                    yield from self._bindings(clause, f"{place}.{number}")
            case _:
                yield from ({f"#{place}": one} for one in self.instances(part))

    def _timer(self, name: str, time: Time) -> Instance:
        key = (name, time)
        if key not in self._timers:
            self._timers[key] = occurrence(len(self._events), time)
            self._events.append(Event(name, time, time))
        return self._timers[key]

    def _members(self, instance: Instance) -> tuple[Event, ...]:
        found = [event for number, event in enumerate(self._events) if instance.members >> number & 1]
        return tuple(sorted(found, key=lambda event: event.time))


def _name(part: Part, place: str) -> str:
    return part.name if isinstance(part, OfClass) and part.name else f"#{place}"


def evaluated(file: ProfileFile, trace: Sequence[Event]) -> list[Found]:
    """The occurrences of all profiles in a trace, over the closed interval from its first event to its last."""
    evaluation = Evaluation(file, trace)
    found = [one for profile in file.profiles for one in evaluation.found(profile)]
    return sorted(found, key=lambda one: (one.time, one.start, one.profile))


@dataclass(frozen=True)
class Notification:
    """What continuous evaluation says at a time.

    Attributes:
        time: when it is said.
        kind: an occurrence is announced, or one that was announced is withdrawn.
        found: the occurrence.
    """

    time: Time
    kind: Literal["announced", "withdrawn"]
    found: Found


def continuously(file: ProfileFile, trace: Sequence[Event]) -> Iterator[Notification]:
    """Early notification: at each time with events, what the interval up to it has more or less than before."""
    known: dict[Hashable, Found] = {}
    for time in dict.fromkeys(event.time for event in trace):
        so_far = [event for event in trace if event.time <= time]
        current = {_identity(one): one for one in evaluated(file, so_far)}
        for key, one in known.items():
            if key not in current:
                yield Notification(time, "withdrawn", one)
        for key, one in current.items():
            if key not in known:
                yield Notification(time, "announced", one)
        known = current


def _identity(found: Found) -> Hashable:
    events = tuple(
        (one.type, one.time, tuple(sorted(one.attributes.items(), key=repr))) for one in found.events
    )
    return (found.profile, found.start, found.time, events)
