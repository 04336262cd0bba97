"""Detectors that fail in ways that the mutants do not; named by tests as `broken_detectors:NAME`."""

import os
import re
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from detectors.carlson_lisper.adapters import Instant
from detectors.carlson_lisper.protocol import run
from detectors.carlson_lisper.source.figure2 import Figure2
from detectors.protocol import NodeState
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.occurrences import Instance, Occurrence, Time, Value
from semantics.errors import LimitExceeded
from semantics.events import Interval


def without_place(detail: str) -> str:
    """What is said of a failure, without the file and line where a detector crashed."""
    return re.sub(r" \(\w+\.py, line \d+\)$", "", detail)


Tell = Callable[[Figure2, Time, Mapping[str, Value], Instance | None], Any]


def telling(tell: Tell) -> type[Figure2]:
    """A detector that tells something else than what Figure 2 has found at an instant."""

    class Telling(Figure2):
        def step(self, time: Time, occurrences: Mapping[str, Value]) -> Any:
            return tell(self, time, occurrences, super().step(time, occurrences))

    return Telling


def doing(act: Callable[[Time], object]) -> type[Figure2]:
    """A detector that does something before each of its steps, which are right."""

    class Doing(Figure2):
        def step(self, time: Time, occurrences: Mapping[str, Value]) -> Instance | None:
            act(time)
            return super().step(time, occurrences)

    return Doing


def raise_late(error: BaseException, after: Time = -1) -> Callable[[Time], None]:
    def act(now: Time) -> None:
        if now > after:
            raise error

    return act


def all_of(time: Time, occurrences: Mapping[str, Value]) -> Instance:
    return Instance(Occurrence(name, time, value) for name, value in occurrences.items())


def sleep_deaf(now: Time) -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
    time.sleep(30)


Silent = telling(lambda self, now, at, found: None)
Talkative = telling(lambda self, now, at, found: found or all_of(now, at))
Inventive = telling(lambda self, now, at, found: found and found.join(Instance([Occurrence("invented", now)])))
Untyped = telling(lambda self, now, at, found: found and found.interval)
OnlyEarly = telling(lambda self, now, at, found: found if now < 100 else None)
RootSequence = telling(lambda self, now, at, found: None if ";" in str(self.expression) else found)
"""Detects nothing where the expression has a sequence."""
Floating = telling(lambda self, now, at, found: found and Interval(float(found.start), found.end))  # type: ignore[arg-type]
"""Reports what equals the right intervals."""
WideSpans = telling(lambda self, now, at, found: found and Interval(max(0, found.start - 1), found.end))

Spans = telling(lambda self, now, at, found: found and Interval(*found.interval))
"""Reports starts and ends alone, right ones; has a state that is watched like any other."""

Raising = doing(raise_late(ZeroDivisionError("division\nby zero"), after=3))
GivesUp = doing(raise_late(LimitExceeded("too late"), after=5))
Leaving = doing(raise_late(SystemExit(3)))
Slow = doing(lambda now: time.sleep(0.02))
Deaf = doing(sleep_deaf)  # Takes no notice of signals
Deadly = doing(lambda now: os._exit(5) if now == 17 else None)  # Ends its process, now and then
Exiting = doing(lambda now: os._exit(5))


class FromTheBeginning(Figure2):
    first: Instance | None = None

    def step(self, time: Time, occurrences: Mapping[str, Value]) -> Instance | None:
        found = super().step(time, occurrences)
        self.first = self.first or all_of(time, occurrences)
        return found and found.join(self.first)


class OneReportLate(Figure2):
    held: Instance | None = None

    def step(self, time: Time, occurrences: Mapping[str, Value]) -> Instance | None:
        held, self.held = self.held, super().step(time, occurrences)
        return held


class LateAgain(Figure2):
    """Right at first, and then the same report again."""

    last: Instance | None = None

    def step(self, time: Time, occurrences: Mapping[str, Value]) -> Instance | None:
        self.last = self.last or super().step(time, occurrences)
        return self.last


class FloatingInside(Figure2):
    """Reports what equals the right instances."""

    def step(self, time: Time, occurrences: Mapping[str, Value]) -> Instance | None:
        found = super().step(time, occurrences)
        if found is None:
            return None
        last = next(each for each in found.occurrences if each.time == time)
        odd = last._replace(time=float(time))  # type: ignore[arg-type]
        changed = Instance([*(found.occurrences - {last}), odd])
        changed.start, changed.end = found.start, found.end
        return changed


class Eating(Figure2):
    """Is right, and leaves nothing for others."""

    def step(self, time: Time, occurrences: Mapping[str, Value]) -> Instance | None:
        found = super().step(time, occurrences)
        assert isinstance(occurrences, dict)
        occurrences.clear()
        return found


class Hoarder(Figure2):
    steps = 0

    def step(self, time: Time, occurrences: Mapping[str, Value]) -> Instance | None:
        self.steps += 1
        return super().step(time, occurrences)

    def state(self) -> tuple[NodeState, ...]:
        return (NodeState(1, self.expression, {}, self.steps, 2),)


class Looping(Figure2):
    def step(self, time: Time, occurrences: Mapping[str, Value]) -> Instance | None:
        while True:
            try:
                super().step(time, occurrences)
            except Exception:
                continue


class Refusing(Figure2):
    def __init__(self, expression: Expression) -> None:
        raise NotImplementedError


class AtOnce:
    """Answers for the whole trace."""

    def __init__(self, expression: Expression) -> None:
        self.expression = expression

    def detect_trace(self, trace: Sequence[Instant]) -> list[Interval]:
        found = run(Figure2(self.expression), trace)
        return [Interval(*instance.interval) for instance in found]


class EatingTraces(AtOnce):
    """Is right for a whole trace, and leaves nothing of it."""

    def detect_trace(self, trace: Sequence[Instant]) -> list[Interval]:
        found = super().detect_trace(trace)
        assert isinstance(trace, list)
        trace.clear()
        return found


def at_once(tell: Callable[[list[Interval]], list[Any]]) -> type[AtOnce]:
    class Telling(AtOnce):
        def detect_trace(self, trace: Sequence[Instant]) -> list[Any]:
            return tell(super().detect_trace(trace))

    return Telling


Backwards = at_once(lambda spans: spans[::-1])
Pairs = at_once(lambda spans: [tuple(span) for span in spans])
FirstOnly = at_once(lambda spans: spans[:1])


class Selective(Figure2):
    """Refuses long expressions."""

    def __init__(self, expression: Expression) -> None:
        if len(str(expression)) > 5:
            raise LimitExceeded("only short expressions", remedy="Write a short one.")
        super().__init__(expression)


class Everything(Figure2):
    """Reports the right starts and ends, with everything that has occurred in between."""

    def __init__(self, expression: Expression) -> None:
        super().__init__(expression)
        self.seen: list[Occurrence] = []

    def step(self, time: Time, occurrences: Mapping[str, Value]) -> Instance | None:
        self.seen += [Occurrence(name, time, value) for name, value in occurrences.items()]
        found = super().step(time, occurrences)
        return found and Instance(each for each in self.seen if each.time >= found.start)


class HoardsEverything(Everything):
    """The same, and says that it stores too much."""

    def state(self) -> tuple[NodeState, ...]:
        return (NodeState(1, self.expression, {}, 3, 2),)
