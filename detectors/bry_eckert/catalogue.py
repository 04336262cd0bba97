"""The engines for rules by name, and those that go back to correct answers, or to add rules (2008, Section 6.2)."""

import json
from bisect import insort
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any, TypeAlias

from detectors.bry_eckert.bodies import body_of
from detectors.bry_eckert.differencing import Differencing
from detectors.bry_eckert.node_engine import Nodes
from detectors.bry_eckert.protocol import Answer, Engine, answers, timers
from detectors.bry_eckert.watch import Watching, noticed
from semantics.bry_eckert.algebra.distances import maximal
from semantics.bry_eckert.algebra.plans import Base, Name, Plan, Union, identifiers_of, stamps
from semantics.bry_eckert.denotation import Violation
from semantics.bry_eckert.programs import Program
from semantics.bry_eckert.temporal import end
from semantics.errors import InputError
from semantics.events import Event, Time, quoted

EngineFactory: TypeAlias = Callable[[Program, Plan, frozenset[str]], Engine]
"""Makes a fresh engine for a program and its plan; the event types of the set have no events that take time."""


def _watched(make: EngineFactory) -> EngineFactory:
    def made(program: Program, plan: Plan, points: frozenset[str]) -> Engine:
        engine = make(program, plan, points)
        return Watching(engine, program) if program.axioms else engine

    return made


ENGINES: Mapping[str, EngineFactory] = {"differencing": _watched(Differencing), "nodes": _watched(Nodes)}
"""Finite differencing (2008, Section 2.4), and node objects (2007, Sections 4 and 5)."""

DEFAULT_DETECTOR = "differencing"


class Correcting:
    """Evaluates over events that may come late: when one does, an engine goes back to the state of what is settled."""

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
    for event in events:
        if which[_key(event)] > 0:
            which[_key(event)] -= 1
            yield event


Reach: TypeAlias = Time | None  # how far back events matter, in ticks; None without a bound


def reaches(plan: Plan) -> dict[str, Reach]:
    """How far back a plan has to see each relation: an event that ended so long ago has no part in later answers."""
    found: dict[Name, Reach] = {}

    def note(relation: Name, reach: Reach) -> None:
        known = found.get(relation, 0)
        found[relation] = None if known is None or reach is None else max(known, reach)

    for part in reversed(plan.definitions):
        own = found.get(part.name, 0)
        if part.empty:
            continue
        if isinstance(part.expression, Union):
            for name in part.expression.relations:
                note(name, own)
            continue
        body = body_of(part.expression, plan)
        ends = [end(name) for given in body.inputs for name in identifiers_of(given.schema)]
        ends += [end(timing.into) for timing in body.timers]
        for number, given in enumerate(body.relations):
            names = identifiers_of(given.schema)
            others = [stamp for stamp in ends if stamp not in map(end, names)]
            inputs = len(body.inputs)
            known = body.distances if number < inputs else body.absences[number - inputs].distances
            times = maximal(known, stamps(names), others).times.values()
            reach: Reach = own
            if others:
                reach = None if own is None or not times else own + max(0, min(times))
            note(given.relation if isinstance(given, Base) else given.name, reach)
    return {name: reach for name, reach in found.items() if isinstance(name, str) and name not in plan.by_name}


class Growing:
    """An engine to which others can be added: they read its events and answers, kept after the time `forgotten`."""

    def __init__(self, engine: Engine, keep: Time = 0) -> None:
        self._parts: list[Engine] = [engine]
        self.keep = keep
        self.history: deque[Event] = deque()
        self.forgotten: Time | None = None
        self.broken: list[Violation] = []

    def step(self, time: Time, given: Sequence[Event], /) -> Sequence[Event]:
        found = list(self._parts[0].step(time, given))
        for part in self._parts[1:]:
            found += part.step(time, [*given, *found])
        for part in self._parts:
            self.broken += noticed(part)
        if self.keep:
            self.history += (*given, *found)
            while self.history and self.history[0].time <= time - self.keep:
                self.forgotten = self.history.popleft().time
        elif given or found:
            self.forgotten = time
        return found

    def take(self, events: Sequence[Event]) -> Iterator[Answer]:
        return map(Answer, self.step(events[0].time, events))

    def go_on(self, until: Time | None) -> Iterator[Answer]:
        return map(Answer, timers(self, until))

    def settle(self, done: Time | None) -> None:
        """No event can arrive any more up to a time: events come in order."""

    def require(self, needed: Mapping[str, Reach], known: Mapping[str, object], now: Time) -> None:
        """Make sure that what rules need of the past is kept; raises `InputError` where it is not."""
        for relation, reach in needed.items():
            kept = self.forgotten is None or (reach is not None and self.forgotten <= now - reach)
            if reach == 0 or (kept and relation in known):
                continue
            back = "without a bound" if reach is None else f"back to time {now - reach + 1}"
            there = "was not read" if self.forgotten is None else f"is forgotten up to time {self.forgotten}"
            reason = f"the rules that are added need {quoted(relation)} {back}, and it {there}"
            remedy = "Say with --past how much of the past they see, or have more kept from the beginning with --keep."
            raise InputError(reason, place="--add", remedy=remedy)

    def add(self, engine: Engine, now: Time, past: Time | None = None) -> None:
        """Let another engine, in which no time has passed, run after the time that is done."""
        list(answers(engine, [event for event in self.history if past is None or event.time > now - past], now))
        noticed(engine)  # what the past breaks is past
        self._parts.append(engine)

    def due(self) -> Time | None:
        return min((due for part in self._parts if (due := part.due()) is not None), default=None)

    def snapshot(self) -> dict[str, Any]:
        history = list(map(as_data, self.history))
        return {"parts": [part.snapshot() for part in self._parts], "history": history, "forgotten": self.forgotten}

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Take up a state that `snapshot` made, in the place of its own."""
        for part, state in zip(self._parts, snapshot["parts"], strict=True):
            part.restore(state)
        self.history = deque(Event(*row) for row in snapshot["history"])
        self.forgotten = snapshot["forgotten"]
