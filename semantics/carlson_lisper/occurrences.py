"""Occurrences of primitive events, the instances made of them, and interpretations: what happened (Def. 3.1-3.9)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias

from semantics.errors import InputError
from semantics.events import Interval, Time as Time, Value as Value, in_ticks, quoted


class Occurrence(NamedTuple):
    """The triple of event type, value and time that the source writes ⟨p, v, τ⟩ (Def. 3.3), as text `fail(root)@3`.

    The algebra groups and forwards the value and never looks inside (Def. 3.2).
    """

    event: str
    time: Time
    value: Value = None

    def sort_key(self) -> tuple[Time, str, str]:
        """A total order: by time, then type, then value."""
        return (self.time, self.event, "" if self.value is None else f"{type(self.value).__name__}:{self.value}")

    def __str__(self) -> str:
        return self.text(self.time)

    def text(self, time: Time | str) -> str:
        """The same with its time as it is shown."""
        value = "" if self.value is None else f"({self.value})"
        return f"{quoted(self.event)}{value}@{time}"


class Instance:
    """A non-empty finite set of occurrences (Def. 3.7) with its start and end (Def. 3.8).

    `join` takes constant time: the set itself is only built when somebody looks at the occurrences, so that a detector
    pays for starts and ends alone. Equality and hash are those of the set.
    """

    __slots__ = ("_occurrences", "_parts", "end", "start")

    start: Time
    end: Time
    _occurrences: frozenset[Occurrence] | None
    _parts: tuple[Instance, Instance] | None

    def __init__(self, occurrences: Iterable[Occurrence]) -> None:
        members = frozenset(occurrences)
        if not members:
            raise ValueError("an event instance has at least one occurrence (Def. 3.7)")
        times = [occurrence.time for occurrence in members]
        self.start, self.end = min(times), max(times)
        self._occurrences, self._parts = members, None

    @classmethod
    def primitive(cls, event: str, time: Time, value: Value = None) -> Instance:
        """The singleton set {⟨event, value, time⟩}, a primitive event instance (Def. 3.3)."""
        instance = cls.__new__(cls)
        instance.start = instance.end = time
        instance._occurrences = frozenset((Occurrence(event, time, value),))
        instance._parts = None
        return instance

    def join(self, other: Instance) -> Instance:
        """The union of the two sets; starts at the earlier start and ends at the later end."""
        instance = Instance.__new__(Instance)
        instance.start = self.start if self.start <= other.start else other.start
        instance.end = self.end if self.end >= other.end else other.end
        instance._occurrences = None
        instance._parts = (self, other)
        return instance

    @property
    def occurrences(self) -> frozenset[Occurrence]:
        """The set of occurrences."""
        if self._occurrences is None:
            found: set[Occurrence] = set()
            pending = [self]
            while pending:
                instance = pending.pop()
                if instance._occurrences is not None:
                    found |= instance._occurrences
                elif instance._parts is not None:
                    pending += instance._parts
            self._occurrences = frozenset(found)
            self._parts = None
        return self._occurrences

    @property
    def interval(self) -> tuple[Time, Time]:
        """The pair (start, end), in ticks."""
        return (self.start, self.end)

    def sorted_occurrences(self) -> tuple[Occurrence, ...]:
        """The occurrences by time, then type, then value."""
        return tuple(sorted(self.occurrences, key=Occurrence.sort_key))

    def sort_key(self) -> tuple[Time, Time, tuple[tuple[Time, str, str], ...]]:
        """A total order on instances: by end, then start, then the occurrences in order."""
        return (self.end, self.start, tuple(o.sort_key() for o in self.sorted_occurrences()))

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, Instance) and self.interval == other.interval and self.occurrences == other.occurrences

    def __hash__(self) -> int:
        return hash(self.occurrences)

    def __repr__(self) -> str:
        return "{" + ", ".join(map(str, self.sorted_occurrences())) + "}"

    def __reduce__(self) -> tuple[type[Instance], tuple[frozenset[Occurrence]]]:
        return (Instance, (self.occurrences,))


Stream: TypeAlias = frozenset[Instance]  # An event stream: a set of event instances (Def. 3.9)
Streams: TypeAlias = Mapping[str, Stream]  # Streams by name


def occurrences_in(streams: Iterable[Stream]) -> list[Occurrence]:
    """The occurrences of which the instances of streams are made, by time, then type, then value."""
    found = {o for stream in streams for instance in stream for o in instance.occurrences}
    return sorted(found, key=Occurrence.sort_key)


def by_end_time(stream: Iterable[Instance]) -> list[Instance]:
    """The instances of a stream in the order in which they are printed: by end, start, occurrences."""
    return sorted(stream, key=Instance.sort_key)


class Interpretation(dict[str, Stream]):
    """A map from identifiers to primitive event streams, made by `interpretation`; others have none."""

    def __missing__(self, name: str) -> Stream:
        return frozenset()

    def occurrences(self) -> list[Occurrence]:
        """All occurrences by time, type and value."""
        return occurrences_in(self.values())


def interpretation(occurrences: Iterable[Occurrence]) -> Interpretation:
    """The interpretation of occurrences; InputError if a type occurs twice at one time, or at no natural number."""
    seen: set[tuple[str, Time]] = set()
    streams: defaultdict[str, set[Instance]] = defaultdict(set)
    for occurrence in occurrences:
        if occurrence.time < 0:
            raise InputError(f"{occurrence}: a time is a natural number of ticks (Def. 3.1)")
        if (occurrence.event, occurrence.time) in seen:
            reason = "occurrences of one event type have different times (Def. 3.4)"
            raise InputError(f"{occurrence.event} occurs twice at time {occurrence.time}; {reason}")
        seen.add((occurrence.event, occurrence.time))
        streams[occurrence.event].add(Instance((occurrence,)))
    return Interpretation({name: frozenset(stream) for name, stream in streams.items()})


def occurrence_data(occurrence: Occurrence, time: Callable[[Time], Time | str] = in_ticks) -> dict[str, Any]:
    """`{"event": …, "time": …, "value": …}`."""
    return {"event": occurrence.event, "time": time(occurrence.time), "value": occurrence.value}


def found_data(found: Instance | Interval, time: Callable[[Time], Time | str] = in_ticks) -> dict[str, Any]:
    """`{"start": …, "end": …}`, and of an instance its occurrences, with times as a function shows them."""
    span: dict[str, Any] = {"start": time(found.start), "end": time(found.end)}
    if isinstance(found, Instance):
        span["instance"] = [occurrence_data(each, time) for each in found.sorted_occurrences()]
    return span
