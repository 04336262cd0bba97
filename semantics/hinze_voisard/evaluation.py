"""Evaluation of profiles over a closed interval, and continuously (Section 4.3; readings in docs/profiles.md)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any, Literal, NamedTuple

from semantics.errors import LimitExceeded
from semantics.events import Event, Time, TraceForm
from semantics.hinze_voisard import profiles
from semantics.hinze_voisard.pairing import FOLLOWS, Instance, Instances, by_time, joined, occurrence, pair
from semantics.traces.rows import Row

FORM = TraceForm(intervals=False, source="Section 2.2: events have no duration")
"""Events are points in time; several of a type may occur at one time."""

TIME = "time"
"""The type of the time event that ends a negation; other time events have the names of their classes."""


class Found(NamedTuple):
    """An occurrence of a profile.

    Attributes:
        events: its primitive events, time events among them, in the order of time.
    """

    profile: str
    start: Time
    time: Time
    events: tuple[Event, ...]


class Evaluation:
    """The instances of profiles in a trace.

    Args:
        begin: the first time of the interval; by default that of the first event.
        end: its last time; by default that of the last event.

    Time events come after those of the trace where the order of time does not tell instances apart: by class, as the
    classes are written, those that end negations last.
    """

    def __init__(
        self, file: profiles.ProfileFile, trace: Sequence[Event], begin: Time | None = None, end: Time | None = None
    ) -> None:
        """Evaluate nothing yet."""
        self._file = file
        self._begin = begin if begin is not None else (trace[0].time if trace else 0)
        self._end = end if end is not None else (trace[-1].time if trace else self._begin - 1)
        self._events = [event for event in trace if self._begin <= event.time <= self._end]
        self._content = len(self._events)
        used = {
            part.type
            for one in file.profiles
            for part in profiles.parts(one.expression)
            if isinstance(part, profiles.OfClass)
        }
        self._timers: dict[str, range | list[Time]] = {
            name: one.times(self._begin, self._end)
            for name, one in file.classes.items()
            if name in used and isinstance(one, profiles.TimeClass)
        }
        self._timers[""] = range(self._begin, self._end + 1)
        self._classes: dict[str, Instances] = {}

    def found(self, profile: profiles.Profile) -> dict[Hashable, Found]:
        """The occurrences of a profile, in the order of time, each by what tells it apart in every longer trace."""
        instances = sorted(self.instances(profile.expression), key=by_time)
        return {
            (profile.name, *members): Found(profile.name, one.start, one.end, self._events_of(members))
            for one in instances
            for members in [list(self._members(one))]
        }

    def instances(self, part: profiles.Part) -> Instances:
        """The instances of an expression."""
        match part:
            case profiles.OfClass(type):
                return self._of_class(type)
            case profiles.Paired("|", left, right):
                return self.instances(left) | self.instances(right)
            case profiles.Paired():
                return frozenset(pair(*both) for both in self._pairs(part))
            case profiles.Absent(operand, span):
                return self._absent(self.instances(operand), span)
            case profiles.Selected(operand, place):
                ordered = sorted(self.instances(operand), key=by_time)
                return frozenset(ordered[place - 1 : place])
            case profiles.Logical(conjunction, clauses):
                if not conjunction:
                    return frozenset().union(*map(self.instances, clauses))
                return frozenset(joined(one.values()) for one in self._bound(clauses, "") if one)

    def _pairs(self, part: profiles.Paired) -> Iterator[tuple[Instance, Instance]]:
        left, right = self.instances(part.left), self.instances(part.right)
        if part.operator == ";":
            return part.listed.sequence(left, right, FOLLOWS["points"], part.span)
        return part.listed.conjunction(left, right, part.span)

    def _of_class(self, name: str) -> Instances:
        if name not in self._classes:
            found = self._file.classes[name]
            if isinstance(found, profiles.TimeClass):
                members = [self._timer(name, place) for place in range(len(self._timers[name]))]
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
        gaps, free = [], self._begin + span
        for time in sorted({instance.end for instance in operand}):
            gaps.append(range(free, time))
            free = max(free, time + span + 1)
        gaps.append(range(free, self._end + 1))
        times = sum(map(len, gaps))
        profiles.require_few(times, f"a negation over {span} ticks")
        if times * (self._end - self._begin) > profiles.MAX_TIMES**2:  # the instance of a late time has many bits
            raise LimitExceeded(
                f"the interval has {self._end - self._begin + 1:,} ticks, "
                f"too many for a negation that may end at {times:,} of them",
                remedy="State a coarser tick, such as tick = 1min, or take a shorter log.",
            )
        return frozenset(self._timer("", time - self._begin) for gap in gaps for time in gap)

    def _bound(self, clauses: Sequence[profiles.Part], within: str) -> list[dict[str, Instance]]:
        """Names with their events, so that all clauses hold; a part without a name is bound by its place."""
        rows: list[dict[str, Instance]] = [{}]
        for number, clause in enumerate(clauses):
            choices = list(self._bindings(clause, f"{within}.{number}"))
            rows = [
                {**row, **choice}
                for row in rows
                for choice in choices
                if all(row.get(name, instance) == instance for name, instance in choice.items())
            ]
        return rows

    def _bindings(self, part: profiles.Part, place: str) -> Iterator[Mapping[str, Instance]]:
        match part:
            case profiles.OfClass(_, name):
                yield from ({name or f"#{place}": one} for one in self.instances(part))
            case profiles.Paired("," | ";"):
                names = _name(part.left, f"{place}l"), _name(part.right, f"{place}r")
                if names[0] == names[1]:
                    return  # no event pairs with itself
                left, right = self.instances(part.left), self.instances(part.right)
                for one, other in self._pairs(part):
                    orders = [(one, other)] if part.operator == ";" else [(one, other), (other, one)]
                    for first, second in orders:
                        if first in left and second in right:
                            yield dict(zip(names, (first, second), strict=True))
            case profiles.Logical(True, clauses):
                yield from self._bound(clauses, place)
            case profiles.Logical(False, clauses):
                for number, clause in enumerate(clauses):
                    yield from self._bindings(clause, f"{place}.{number}")
            case _:
                yield from ({f"#{place}": one} for one in self.instances(part))

    def _timer(self, name: str, place: int) -> Instance:
        """The time event of a class with a number in it; the class "" is of those that end negations."""
        number = self._content
        for known, times in self._timers.items():
            if known == name:
                return occurrence(number + place, times[place])
            number += len(times)
        raise KeyError(name)

    def _members(self, instance: Instance) -> Iterator[int | tuple[str, Time]]:
        """The events of an instance in the order of time: numbers of the trace, and time events."""
        found: list[tuple[Time, int, int | tuple[str, Time]]] = []
        members = instance.members
        while members:
            number = (members & -members).bit_length() - 1
            members &= members - 1
            found.append(self._member(number))
        yield from (member for *_, member in sorted(found))

    def _member(self, number: int) -> tuple[Time, int, int | tuple[str, Time]]:
        if number < self._content:
            return self._events[number].time, number, number
        place = number - self._content
        for name, times in self._timers.items():
            if place < len(times):
                return times[place], number, (name, times[place])
            place -= len(times)
        raise IndexError(number)

    def _events_of(self, members: Iterable[int | tuple[str, Time]]) -> tuple[Event, ...]:
        return tuple(
            self._events[one] if isinstance(one, int) else Event(one[0] or TIME, one[1], one[1]) for one in members
        )


def _name(part: profiles.Part, place: str) -> str:
    return part.name if isinstance(part, profiles.OfClass) and part.name else f"#{place}"


def evaluated(
    file: profiles.ProfileFile,
    trace: Sequence[Event],
    evaluation: Callable[[profiles.ProfileFile, Sequence[Event]], Evaluation] = Evaluation,
) -> list[Found]:
    """The occurrences of all profiles in a trace, over the closed interval from its first event to its last."""
    return list(_keyed(file, evaluation(file, trace)).values())


def _keyed(file: profiles.ProfileFile, evaluation: Evaluation) -> dict[Hashable, Found]:
    found = [each for profile in file.profiles for each in evaluation.found(profile).items()]
    return dict(sorted(found, key=lambda each: (each[1].time, each[1].start, each[1].profile)))


class Notification(NamedTuple):
    """Notification of continuous evaluation.

    Attributes:
        kind: an occurrence is announced, or one that was announced is withdrawn.
    """

    time: Time
    kind: Literal["announced", "withdrawn"]
    found: Found


def event_of(row: Row) -> Event:
    """The event of a row of a log."""
    return Event(row.event, row.time, row.time, row.attributes)


def said_data(said: Found | Notification, shown: Callable[[Time], Time | str] = lambda time: time) -> dict[str, Any]:
    """An occurrence, or what is said of one, as plain data; times as they are shown."""
    first = {"at": shown(said.time), "kind": said.kind} if isinstance(said, Notification) else {}
    found = said.found if isinstance(said, Notification) else said
    events = [{"time": shown(one.time), "event": one.type, **one.attributes} for one in found.events]
    return {**first, "start": shown(found.start), "time": shown(found.time), "event": found.profile, "events": events}


def continuously(file: profiles.ProfileFile, trace: Iterable[Event]) -> Iterator[Notification]:
    """Early notification by definition: at each time with events, what the interval up to it has more or less.

    What is withdrawn comes before what is announced.
    """
    events: list[Event] = []
    known: dict[Hashable, Found] = {}
    for time, given in groupby(trace, key=attrgetter("time")):
        events += given
        before, known = known, _keyed(file, Evaluation(file, events))
        yield from (Notification(time, "withdrawn", one) for key, one in before.items() if key not in known)
        yield from (Notification(time, "announced", one) for key, one in known.items() if key not in before)
