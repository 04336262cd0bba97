"""Interpretations: what happened in one scenario, as a primitive event stream per identifier (Def. 3.4, 3.5)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from semantics.carlson_lisper.occurrences import Instance, Occurrence, Stream, Time, occurrences_in
from semantics.errors import InputError

_NO_OCCURRENCES: Stream = frozenset()


@dataclass(frozen=True)
class Interpretation(Mapping[str, Stream]):
    """A map from identifiers to primitive event streams; a name without occurrences has the empty stream.

    Build one with `interpretation`, which checks Def. 3.4.
    """

    streams: Mapping[str, Stream] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Stream:
        """The stream of a name; empty for a name that never occurs."""
        return self.streams.get(name, _NO_OCCURRENCES)

    def __contains__(self, name: object) -> bool:
        """Whether the name occurs."""
        return name in self.streams

    def __iter__(self) -> Iterator[str]:
        """The names that occur."""
        return iter(self.streams)

    def __len__(self) -> int:
        """How many names occur."""
        return len(self.streams)

    def occurrences(self) -> list[Occurrence]:
        """All occurrences by time, type and value."""
        return occurrences_in(self.streams.values())


def interpretation(occurrences: Iterable[Occurrence]) -> Interpretation:
    """The interpretation that consists of the given occurrences.

    Raises:
        InputError: an event type occurs twice at one time, or a time is not a natural number.
    """
    seen: set[tuple[str, Time]] = set()
    streams: defaultdict[str, set[Instance]] = defaultdict(set)
    for occurrence in occurrences:
        if occurrence.time < 0:
            raise InputError(f"{occurrence}: a time is a natural number of ticks (Def. 3.1)")
        if (occurrence.event, occurrence.time) in seen:
            raise InputError(
                f"{occurrence.event} occurs twice at time {occurrence.time};"
                " occurrences of one event type have different times (Def. 3.4)"
            )
        seen.add((occurrence.event, occurrence.time))
        streams[occurrence.event].add(Instance((occurrence,)))
    return Interpretation({name: frozenset(stream) for name, stream in streams.items()})
