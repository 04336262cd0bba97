"""Detectors that fail in ways that the mutants do not; named by tests as `broken_detectors:NAME`."""

import os
import re
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

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


Tell = Callable[[Any, Time, Any, Instance | None], Any]


def telling(tell: Tell) -> type[Figure2]:
    """A detector that tells something else than what Figure 2 has found at an instant."""

    class Telling(Figure2):
        def step(self, time: Time, occurrences: Mapping[str, Value]) -> Any:
            return tell(self, time, occurrences, super().step(time, occurrences))

    return Telling


def doing(act: Callable[[Time], object]) -> type[Figure2]:
    """A detector that does something at each of its steps, which are right."""
    return telling(lambda self, now, at, found: (found, act(now))[0])


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


def from_the_beginning(self: Any, now: Time, at: Any, found: Instance | None) -> Instance | None:
    first = vars(self).setdefault("first", all_of(now, at))
    return found and found.join(first)


def one_report_late(self: Any, now: Time, at: Any, found: Instance | None) -> Any:
    held, self.held = getattr(self, "held", None), found
    return held


def late_again(self: Any, now: Time, at: Any, found: Instance | None) -> Any:
    """Right at first, and then the same report again."""
    self.last = getattr(self, "last", None) or found
    return self.last


def floating_inside(self: Any, now: Time, at: Any, found: Instance | None) -> Instance | None:
    """Reports what equals the right instances."""
    if found is None:
        return None
    last = next(each for each in found.occurrences if each.time == now)
    changed = Instance([*(found.occurrences - {last}), last._replace(time=float(now))])  # type: ignore[arg-type]
    changed.start, changed.end = found.start, found.end
    return changed


def everything(self: Any, now: Time, at: Any, found: Instance | None) -> Instance | None:
    """Reports the right starts and ends, with everything that has occurred in between."""
    seen = vars(self).setdefault("seen", [])
    seen += all_of(now, at).occurrences
    return found and Instance(each for each in seen if each.time >= found.start)


Silent = telling(lambda self, now, at, found: None)
Talkative = telling(lambda self, now, at, found: found or all_of(now, at))
Inventive = telling(lambda self, now, at, found: found and found.join(Instance([Occurrence("invented", now)])))
Untyped = telling(lambda self, now, at, found: found and found.interval)
OnlyEarly = telling(lambda self, now, at, found: found if now < 100 else None)
RootSequence = telling(lambda self, now, at, found: None if ";" in str(self.expression) else found)
Floating = telling(lambda self, now, at, found: found and Interval(float(found.start), found.end))  # type: ignore[arg-type]
NarrowSpans = telling(lambda self, now, at, found: found and Interval(found.end, found.end))
WideSpans = telling(lambda self, now, at, found: found and Interval(max(0, found.start - 1), found.end))
Spans = telling(lambda self, now, at, found: found and Interval(*found.interval))  # right ones, without occurrences
FromTheBeginning, OneReportLate, LateAgain = telling(from_the_beginning), telling(one_report_late), telling(late_again)
FloatingInside, Everything = telling(floating_inside), telling(everything)
Eating = telling(lambda self, now, at, found: (found, at.clear())[0])  # Is right, and leaves nothing for others

Raising = doing(raise_late(ZeroDivisionError("division\nby zero"), after=3))
GivesUp = doing(raise_late(LimitExceeded("too late"), after=5))
Leaving = doing(raise_late(SystemExit(3)))
Slow = doing(lambda now: time.sleep(0.02))
Deaf = doing(sleep_deaf)  # Takes no notice of signals
Deadly = doing(lambda now: os._exit(5) if now == 17 else None)  # Ends its process, now and then
Exiting = doing(lambda now: os._exit(5))


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


def at_once(tell: Callable[[list[Interval]], list[Any]], *, eats: bool = False) -> type[AtOnce]:
    class Telling(AtOnce):
        def detect_trace(self, trace: Sequence[Instant]) -> list[Any]:
            found = tell(super().detect_trace(trace))
            if eats:
                del cast(list[Instant], trace)[:]
            return found

    return Telling


EatingTraces = at_once(list, eats=True)  # Is right for a whole trace, and leaves nothing of it
Backwards = at_once(lambda spans: spans[::-1])
Pairs = at_once(lambda spans: [tuple(span) for span in spans])
FirstOnly = at_once(lambda spans: spans[:1])


class Selective(Figure2):
    """Refuses long expressions."""

    def __init__(self, expression: Expression) -> None:
        if len(str(expression)) > 5:
            raise LimitExceeded("only short expressions", remedy="Write a short one.")
        super().__init__(expression)


class HoardsEverything(Everything):  # type: ignore[misc, valid-type]
    """The same, and says that it stores too much."""

    def state(self) -> tuple[NodeState, ...]:
        return (NodeState(1, self.expression, {}, 3, 2),)
