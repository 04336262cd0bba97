"""The watch over axioms: an evaluator that notices each event with which a log breaks an axiom (2008, Section 6.4).

How an axiom can be broken is a disjunction of conjunctions of differences, so what it remembers has relevance times. Of
events that can be broken with in the same ways, one is enough. What is unique is remembered for ever.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from heapq import heappop, heappush
from itertools import count, product
from operator import attrgetter, ge, le
from typing import Any, TypeAlias

from detectors.bry_eckert.protocol import Engine
from semantics.bry_eckert.algebra.distances import FOR_EVER, Relevance, distances, maximal
from semantics.bry_eckert.algebra.planning import base, plan_of
from semantics.bry_eckert.algebra.plans import stamps
from semantics.bry_eckert.denotation import Violation, breaks, matched
from semantics.bry_eckert.programs import Always, Atom, Axiom, Program, Unique
from semantics.bry_eckert.temporal import Conjunction, Difference, Stamp, end
from semantics.bry_eckert.terms import Variable
from semantics.events import Event, Time

_ENOUGH = 2  # of different events with one key: whatever comes differs from one of them

_Key: TypeAlias = tuple[Any, ...]


@dataclass(eq=False)
class Way:
    """A way in which an event that matches `atom`, seen before, breaks an axiom with one that matches `other`."""

    axiom: Axiom
    atom: Atom
    other: Atom
    differences: Conjunction = ()
    relevance: Relevance = FOR_EVER
    seen: defaultdict[_Key, list[Event]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        self._queue: list[tuple[Time, int, _Key]] = []
        self._number = count()
        self._times = _times_of(self.atom)
        self._deadline = self.relevance.deadline(tuple(self._times)) if self.relevance.bounded else None
        self.shared = self.axiom.attributes if isinstance(self.axiom, Unique) else self.axiom.shared

    @property
    def few(self) -> bool:
        """Whether of the events with one key no more than a fixed number is remembered."""
        return len(self._orders) <= 1

    @cached_property
    def _orders(self) -> list[tuple[Callable[[Event], Time], Callable[[Time, Time], bool]]]:
        """The time stamps that count, each with the order of what an axiom is more easily broken with."""
        return [
            (self._times[stamp], order)
            for difference in self.differences
            for stamp, order in ((difference.later, le), (difference.earlier, ge))
            if stamp in self._times
        ]

    def broken_with(self, event: Event) -> Event | None:
        """A remembered event with which another one breaks the axiom; None where there is none."""
        key = self._key(self.other, event)
        seen = () if key is None else self.seen.get(key, ())
        return next((one for one in seen if breaks(self.axiom, event, one)), None)

    def remember(self, event: Event) -> None:
        """Remember an event that matches the atom, unless one that is remembered is enough."""
        key = self._key(self.atom, event)
        if key is None:
            return
        seen = self.seen[key]
        known = event in seen or (not self.differences and len(seen) == _ENOUGH)
        if known or any(self._superseded(event, old) for old in seen):
            return
        seen[:] = [old for old in seen if not self._superseded(old, event)]
        seen.append(event)
        if self._deadline is not None:
            heappush(self._queue, (self._last(event), next(self._number), key))

    def forget(self, now: Time) -> None:
        while self._queue and self._queue[0][0] < now:
            key = heappop(self._queue)[2]
            left = [one for one in self.seen.pop(key, ()) if self._last(one) >= now]
            if left:
                self.seen[key] = left

    def restore(self, events: Iterable[Sequence[Any]]) -> None:
        self.seen.clear()
        self._queue.clear()
        for begin, finish, data in events:
            self.remember(Event(self.atom.type, begin, finish, data))

    def _key(self, atom: Atom, event: Event) -> _Key | None:
        values = matched(atom, event)
        return None if values is None else tuple(values[name] for name in self.shared)

    def _last(self, event: Event) -> Time:
        assert self._deadline is not None
        return self._deadline([time(event) for time in self._times.values()])

    def _superseded(self, old: Event, new: Event) -> bool:
        """Whether all that breaks the axiom with an event breaks it with another one too."""
        return bool(self.differences) and all(order(at(new), at(old)) for at, order in self._orders)


def ways(program: Program) -> Iterator[Way]:
    """What is remembered for the axioms of a program; nothing yet."""
    plan = plan_of(program)
    for axiom in program.axioms:
        if isinstance(axiom, Unique):
            yield Way(axiom, axiom.atom, axiom.atom)
            continue
        events = distances(base(axiom.first), plan).joined(distances(base(axiom.second), plan))
        for atom, other in ((axiom.first, axiom.second), (axiom.second, axiom.first)):
            for differences in _broken(axiom):
                known = events.with_([Difference(end(atom.identifier), end(other.identifier)), *differences])
                if not known.contradictory:
                    kept = maximal(known, tuple(_times_of(atom)), [end(other.identifier)])
                    yield Way(axiom, atom, other, differences, kept)


def _times_of(atom: Atom) -> dict[Stamp, Callable[[Event], Any]]:
    """The time stamps of an event that matches an atom, and what may be times among its data."""

    def attribute(name: str) -> Callable[[Event], Any]:
        return lambda event: event.attributes[name]

    own = zip(stamps([atom.identifier]), (attrgetter("start"), attrgetter("time")), strict=True)
    data = ((term.name, attribute(name)) for name, term in atom.arguments if isinstance(term, Variable))
    return {**dict(own), **dict(data)}


def _broken(axiom: Always) -> Iterator[Conjunction]:
    """The conjunctions of differences one of which holds of two events that break an axiom."""
    for condition in axiom.conditions:
        for chosen in product(*condition.alternatives()):
            yield tuple(Difference(d.earlier, d.later, -d.bound, strict=not d.strict) for d in chosen)


class Watch:
    """Looks whether the events of a log obey the axioms of a program."""

    def __init__(self, program: Program) -> None:
        self._ways = list(ways(program))

    def see(self, event: Event) -> Iterator[Violation]:
        """An event comes, no earlier than those before it; for each axiom that it breaks, one way how."""
        self.go_on(event.time)
        told: set[int] = set()
        for way in self._ways:
            earlier = None if id(way.axiom) in told else way.broken_with(event)
            if earlier is not None:
                told.add(id(way.axiom))
                yield Violation(way.axiom, event, earlier)
        for way in self._ways:
            way.remember(event)

    def go_on(self, now: Time) -> None:
        for way in self._ways:
            way.forget(now)

    def snapshot(self) -> list[Any]:
        return [
            [[one.start, one.time, dict(one.attributes)] for events in way.seen.values() for one in events]
            for way in self._ways
        ]

    def restore(self, snapshot: Iterable[Any]) -> None:
        for way, events in zip(self._ways, snapshot, strict=True):
            way.restore(events)


class Watching:
    """An engine with the watch over its program's axioms; what breaks them is kept until it is `noticed`."""

    def __init__(self, engine: Engine, program: Program) -> None:
        self._engine, self._watch = engine, Watch(program)
        self.broken: list[Violation] = []
        self.due = engine.due

    def step(self, time: Time, given: Sequence[Event], /) -> Sequence[Event]:
        self._watch.go_on(time)
        self.broken += [violation for event in given for violation in self._watch.see(event)]
        return self._engine.step(time, given)

    def snapshot(self) -> dict[str, Any]:
        return {"engine": self._engine.snapshot(), "watch": self._watch.snapshot()}

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        self._engine.restore(snapshot["engine"])
        self._watch.restore(snapshot["watch"])


def noticed(engine: object) -> list[Violation]:
    """How events break axioms that an engine has seen since this was asked the last time; nothing of one without."""
    found: list[Violation] = getattr(engine, "broken", [])
    taken = found.copy()
    found.clear()
    return taken
