"""Detection without waiting for late events: answers at once, corrected when a late event changes them.

Two engines of a program: one has the events that nothing can come before any more, the other one all that have come.
When an event comes late, the second one goes back to the state of the first, and what it derives then is compared with
what was given: what differs are corrections.
"""

import json
from bisect import insort
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any

from detectors.bry_eckert.protocol import Answer, Engine, answers, timers
from detectors.bry_eckert.watch import noticed
from semantics.bry_eckert.denotation import Violation
from semantics.events import Event, Time


class Correcting:
    """Evaluates a program over events that may come late; axioms are watched over in what is settled (`noticed`)."""

    def __init__(self, make: Callable[[], Engine]) -> None:
        self._settled, self._ahead = make(), make()
        self._initial = self._settled.snapshot()
        self._waiting: list[Event] = []
        self._given: list[Event] = []
        self._now: Time = -1
        self.broken: list[Violation] = []
        self.due = self._ahead.due

    def take(self, events: Sequence[Event]) -> Iterator[Answer]:
        """The answers and corrections when events arrive together, some perhaps late; none is given and withdrawn."""
        late = any(event.time <= self._now for event in events)
        for event in events:
            insort(self._waiting, event, key=attrgetter("time"))
        if late:
            self._now = max(self._now, events[-1].time)
            found = self._derived()
            given, derived = Counter(map(_key, self._given)), Counter(map(_key, found))
            yield from (Answer(event, True) for event in _left(self._given, given - derived))
            yield from map(Answer, _left(found, derived - given))
            self._given = found
            return
        for time, together in groupby(events, key=attrgetter("time")):
            yield from self.go_on(time - 1)
            self._now = time
            yield from self._new(self._ahead.step(time, list(together)))

    def go_on(self, until: Time | None) -> Iterator[Answer]:
        """The answers of timers due up to a time; of all pending timers where it is None."""
        yield from self._new(timers(self._ahead, until))
        self._now = self._now if until is None else max(self._now, until)

    def _new(self, found: Iterable[Event]) -> Iterator[Answer]:
        for event in found:
            self._given.append(event)
            yield Answer(event)

    def _derived(self) -> list[Event]:
        """The answers derived from the events that are not settled."""
        self._ahead.restore(self._settled.snapshot())
        return list(answers(self._ahead, self._waiting, self._now))

    def settle(self, done: Time | None) -> None:
        """Settle all times up to one, for which no event can arrive any more; all times where it is None."""
        ready = [event for event in self._waiting if done is None or event.time <= done]
        list(answers(self._settled, ready, done))
        self._waiting = self._waiting[len(ready) :]
        self._given = [event for event in self._given if done is not None and event.time > done]
        self.broken += noticed(self._settled)
        noticed(self._ahead)

    def unsettled(self) -> Time | None:
        """The first time with an unsettled event or timer; None where there is none."""
        due = self._settled.due()
        return min([*(event.time for event in self._waiting[:1]), *(() if due is None else (due,))], default=None)

    @property
    def idle(self) -> bool:
        """Whether no event is unsettled and the settled engine is in its initial state."""
        return not self._waiting and self._settled.snapshot() == self._initial

    def snapshot(self) -> dict[str, Any]:
        """The state as plain data: the settled engine, the unsettled events, the time."""
        return {"settled": self._settled.snapshot(), "waiting": list(map(as_data, self._waiting)), "now": self._now}

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Take up a state that `snapshot` made, in the place of its own; what was given is what is derived again."""
        self._settled.restore(snapshot["settled"])
        self._waiting = [Event(*row) for row in snapshot["waiting"]]
        self._now = snapshot["now"]
        self._given = self._derived()
        noticed(self._ahead)


def as_data(event: Event) -> list[Any]:
    """An event as plain data, of which `Event` makes it again."""
    return [event.type, event.start, event.time, dict(event.attributes)]


def _key(event: Event) -> tuple[Any, ...]:
    return event.type, event.start, event.time, json.dumps(dict(event.attributes), sort_keys=True)


def _left(events: Iterable[Event], which: Counter[Any]) -> Iterator[Event]:
    """Of some events, so many as are counted."""
    for event in events:
        if which[_key(event)] > 0:
            which[_key(event)] -= 1
            yield event
