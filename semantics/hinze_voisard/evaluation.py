"""Evaluation of profiles over a closed interval, and continuously (Section 4.3; readings in docs/profiles.md)."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any, Literal, NamedTuple

from semantics.errors import LimitExceeded
from semantics.events import Event, Time, TraceForm
from semantics.hinze_voisard import profiles
from semantics.hinze_voisard.pairing import FOLLOWS, Instance, Instances, Pair, by_time, joined, occurrence, pair
from semantics.traces.rows import Row

FORM = TraceForm(intervals=False, source="Section 2.2: events have no duration")
"""Events are points in time; several of a type may occur at one time."""

TIME = "time"  # The type of the time event that ends a negation; other time events have the names of their classes


class Found(NamedTuple):
    """An occurrence of a profile, with its primitive events, time events among them, in the order of time."""

    profile: str
    start: Time
    time: Time
    events: tuple[Event, ...]


class Evaluation:
    """The instances of profiles in a trace, over the closed interval from its first event to its last, or to `until`.

    Where times tie, time events come after those of the trace by class, those that end negations (class "") last.
    """

    def __init__(self, file: profiles.ProfileFile, trace: Sequence[Event], until: Time | None = None) -> None:
        """Evaluate nothing yet."""
        self._file, self._events = file, trace
        last = trace[-1].time if until is None and trace else until
        self._begin, self._end = (trace[0].time, last) if trace and last is not None else (0, -1)
        used = file.types()
        self._timers: dict[str, range | list[Time]] = {
            name: one.times(self._begin, self._end)
            for name, one in file.classes.items()
            if name in used and isinstance(one, profiles.TimeClass)
        }
        self._timers[""] = range(self._begin, self._end + 1)
        self._first, number = dict[str, int](), len(trace)
        for name, times in self._timers.items():
            self._first[name] = number
            number += len(times)
        self._classes: dict[str, Instances] = {}

    def found(self, profile: profiles.Profile) -> dict[Hashable, Found]:
        """The occurrences of a profile, in the order of time, each by what tells it apart in every longer trace."""
        return dict(self.told(profile, one) for one in sorted(self.instances(profile.expression), key=by_time))

    def told(self, profile: profiles.Profile, one: Instance) -> tuple[Hashable, Found]:
        """An instance of a profile as an occurrence, and what tells it apart in every longer trace."""
        events = self.primitives(one)
        key = (profile.name, *(each[2] for each in events))
        return key, Found(profile.name, one.start, one.end, tuple(each[3] for each in events))

    def primitives(self, one: Instance) -> list[tuple[Time, int, Hashable, Event]]:
        """The primitive events of an instance in the order of time: their times, numbers, identities, and they."""
        events, members = list[tuple[Time, int, Hashable, Event]](), one.members
        while members:
            events.append(self._primitive((members & -members).bit_length() - 1))
            members &= members - 1
        return sorted(events, key=lambda each: each[:2])

    def instances(self, part: profiles.Part) -> Instances:
        """The instances of an expression."""
        match part:
            case profiles.OfClass(name):
                if name not in self._classes:
                    self._classes[name] = frozenset(self._of_class(name))
                return self._classes[name]
            case profiles.Paired("|", left, right):
                return part.listed.disjunction(self.instances(left), self.instances(right))
            case profiles.Paired():
                return frozenset(pair(*both) for both in self.pairs(part))
            case profiles.Absent(operand, span):
                return self._absent(self.instances(operand), span)
            case profiles.Selected(operand, place):
                return frozenset(sorted(self.instances(operand), key=by_time)[place - 1 : place])
            case profiles.Logical(True, clauses):
                return frozenset(joined(one.values()) for one in self._bound(clauses, "") if one)
            case profiles.Logical(_, clauses):
                return frozenset().union(*map(self.instances, clauses))

    def pairs(self, part: profiles.Paired) -> Iterable[Pair]:
        """The pairs that make the instances of a conjunction or a sequence."""
        left, right = self.instances(part.left), self.instances(part.right)
        if part.operator == ";":
            return part.listed.sequence(left, right, FOLLOWS["points"], part.span)
        return part.listed.conjunction(left, right, part.span)

    def _of_class(self, name: str) -> Iterator[Instance]:
        constraints = self._file.constraints(name)
        if constraints is None:
            yield from (occurrence(number, time) for number, time in enumerate(self._timers[name], self._first[name]))
            return
        for number, event in enumerate(self._events):
            if all(one.holds(event) for one in constraints):
                yield occurrence(number, event.time)

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
            reason = f"the interval has too many ticks for a negation that may end at {times:,} of them"
            raise LimitExceeded(reason, remedy="State a coarser tick, such as tick = 1min, or take a shorter log.")
        return frozenset(self._ender(time) for gap in gaps for time in gap)

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
            case profiles.Paired("," | ";" as operator):
                one, other = profiles.name_at(part.left, f"{place}l"), profiles.name_at(part.right, f"{place}r")
                if one == other:
                    return  # no event pairs with itself
                left, right = self.instances(part.left), self.instances(part.right)
                for both in self.pairs(part):
                    for first, second in (both, both[::-1])[: 1 if operator == ";" else 2]:
                        if first in left and second in right:
                            yield {one: first, other: second}
            case profiles.Logical(True, clauses):
                yield from self._bound(clauses, place)
            case profiles.Logical(_, clauses):
                for number, clause in enumerate(clauses):
                    yield from self._bindings(clause, f"{place}.{number}")
            case _:
                yield from ({profiles.name_at(part, place): one} for one in self.instances(part))

    def _ender(self, time: Time) -> Instance:
        """The time event that ends a negation at a time."""
        return occurrence(self._first[""] + time - self._begin, time)

    def _primitive(self, number: int) -> tuple[Time, int, Hashable, Event]:
        """The event with a number: its time, number, what tells it apart in every longer trace, and itself."""
        if number < len(self._events):
            event = self._events[number]
            return event.time, number, number, event
        name = [one for one, first in self._first.items() if first <= number][-1]
        time = self._timers[name][number - self._first[name]]
        return time, number, (name, time), Event(name or TIME, time, time)


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
    """Notification of continuous evaluation: an occurrence is announced, or one that was announced is withdrawn."""

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
    """Early notification by definition: at each time with events, what the interval up to it has less, then more."""
    events: list[Event] = []
    known: dict[Hashable, Found] = {}
    for time, given in groupby(trace, key=attrgetter("time")):
        events += given
        before, known = known, _keyed(file, Evaluation(file, events))
        yield from (Notification(time, "withdrawn", one) for key, one in before.items() if key not in known)
        yield from (Notification(time, "announced", one) for key, one in known.items() if key not in before)
