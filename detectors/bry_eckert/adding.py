"""Rules that are added to a running engine, and how much of the past they need (2008, Section 6.2).

What is added reads the events of the log and the answers of what runs already, as if both were events of a log. It may
see those of the past that are kept for it; how far back it has to see follows from its temporal distances.
"""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from detectors.bry_eckert.bodies import body_of
from detectors.bry_eckert.correcting import as_data
from detectors.bry_eckert.protocol import Answer, Engine, answers, timers
from detectors.bry_eckert.watch import noticed
from semantics.bry_eckert.algebra.distances import maximal
from semantics.bry_eckert.algebra.plans import Base, Plan, Union, identifiers_of, stamps
from semantics.bry_eckert.denotation import Violation
from semantics.bry_eckert.temporal import end
from semantics.errors import InputError
from semantics.events import Event, Time, quoted

Reach: TypeAlias = Time | None
"""How far back events matter, in ticks; None without a bound."""


def reaches(plan: Plan) -> dict[str, Reach]:
    """How far back a plan has to see each relation, so that it gives all answers that are to come.

    An event that ended so many ticks ago, or before, has no part in any of them.
    """
    found: dict[str, Reach] = {}

    def note(relation: str, reach: Reach) -> None:
        known = found.get(relation, 0)
        found[relation] = None if known is None or reach is None else max(known, reach)

    for part in reversed(plan.definitions):
        own = found.get(part.name, 0)
        if isinstance(part.expression, Union):
            for name in part.expression.relations:
                note(name, own)
            continue
        body = body_of(part.expression, plan)
        ends = [end(name) for given in body.inputs for name in identifiers_of(given.schema)]
        ends += [end(timing.into) for timing in body.timers]
        read = [(given, body.distances) for given in body.inputs]
        read += [(absence.input, absence.distances) for absence in body.absences]
        for given, known in read:
            names = identifiers_of(given.schema)
            others = [stamp for stamp in ends if stamp not in map(end, names)]
            times = maximal(known, stamps(names), others).times.values()
            reach: Reach = own
            if others:
                reach = None if own is None or not times else own + max(0, min(times))
            note(given.relation if isinstance(given, Base) else given.name, reach)
    return {name: reach for name, reach in found.items() if name not in plan.by_name}


class Growing:
    """An engine to which others can be added while it runs; events and answers are kept for them for some ticks.

    The events up to the time `forgotten` are not kept; None where all are. How events break axioms is in `broken`
    until somebody takes note of it (`detectors.bry_eckert.watch.noticed`).
    """

    def __init__(self, engine: Engine, keep: Time = 0) -> None:
        self._parts: list[Engine] = [engine]
        self.keep = keep
        self.history: deque[Event] = deque()
        self.forgotten: Time | None = None
        self.broken: list[Violation] = []

    def step(self, time: Time, given: Sequence[Event], /) -> Sequence[Event]:
        """The answers that happen at a time, given the events that end at it."""
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
        """The answers at the time at which some events end."""
        return map(Answer, self.step(events[0].time, events))

    def go_on(self, until: Time | None) -> Iterator[Answer]:
        """The answers of timers due up to a time; of all pending timers where it is None."""
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
            raise InputError(
                f"the rules that are added need {quoted(relation)} {back}, and it {there}",
                place="--add",
                remedy="Say with --past how much of the past they see, or have more of it kept from the beginning with"
                " --keep.",
            )

    def add(self, engine: Engine, now: Time, past: Time | None = None) -> None:
        """Let another engine, in which no time has passed, run after the time that is done."""
        list(answers(engine, [event for event in self.history if past is None or event.time > now - past], now))
        noticed(engine)  # what the past breaks is past
        self._parts.append(engine)

    def due(self) -> Time | None:
        """When the next timer is due."""
        return min((due for part in self._parts if (due := part.due()) is not None), default=None)

    def snapshot(self) -> dict[str, Any]:
        """The states of all parts and what is kept, as plain data."""
        history = list(map(as_data, self.history))
        return {"parts": [part.snapshot() for part in self._parts], "history": history, "forgotten": self.forgotten}

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Take up a state that `snapshot` made, in the place of its own."""
        for part, state in zip(self._parts, snapshot["parts"], strict=True):
            part.restore(state)
        self.history = deque(Event(*row) for row in snapshot["history"])
        self.forgotten = snapshot["forgotten"]
