"""The contract of the queue on concrete instances: what a queue does where the contract is not proved.

A queue is used as a sequence uses it, and each answer is compared with what the contract says of a plain list of
instances, of which one with few places keeps the last ones. All uses of up to four calls are tried, then longer ones
that are drawn from a fixed seed. That no counterexample is found among these proves nothing.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain, product
from typing import Any, Protocol, TypeAlias

from detectors.carlson_lisper.source.steps import NON_OCCURRENCE, CandidateQueue, Candidates
from proofs.carlson_lisper.runs.histories import span
from proofs.carlson_lisper.runs.wrong_runs import WrongRun, first
from semantics.carlson_lisper.occurrences import Instance, Time


class EvictingQueue(Candidates, Protocol):
    """A place for candidates that can be told to forget some."""

    def evict_before(self, time: Time) -> Instance:
        """Forget the instances that end before the time; the one of them with the greatest start, or ⟨⟩."""


CALLS = 4
"""All uses of so many calls are tried."""

DRAWN = 300
"""So many longer uses are drawn."""

SEED = 1

TIMES = range(-1, 4)
"""The times that queries of short uses ask about, in ticks."""


@dataclass(frozen=True)
class Call:
    """A call of a method.

    Attributes:
        method: `push`, `latest_before`, `evict_before`, `contents` or `__len__`.
        time: the time that is asked about, in ticks; of `push` the least number of ticks that the instance spans. It
            starts a tick after the one that was pushed before.
    """

    method: str
    time: Time = 0


Use: TypeAlias = tuple[Call, ...]

Calls: TypeAlias = tuple[str, ...]
"""The calls of a use in words."""


def find_queue_counterexample(queue: type[CandidateQueue] = CandidateQueue) -> WrongRun[Calls] | None:
    """A shortest use with a wrong answer among those that are tried; None if there is none."""
    return first(chain(short_uses(CALLS), _drawn_uses()), partial(wrong_answer, queue))


def short_uses(calls: int) -> Iterator[Use]:
    """All uses of up to so many calls, shorter ones first; the last call of each asks something."""
    asked = [Call(method, time) for time in TIMES for method in ("latest_before", "evict_before")]
    changed = [Call("push", 0), Call("push", 2)]
    for count in range(calls):
        yield from product(*[[*changed, *asked]] * count, [*asked, Call("__len__"), Call("contents")])


def _drawn_uses() -> Iterator[Use]:
    draw = random.Random(f"queue {SEED}")
    methods = ("push", "push", "latest_before", "evict_before", "contents", "__len__")
    for _ in range(DRAWN):
        yield tuple(
            Call(method, draw.randint(0, 3) if method == "push" else draw.randint(0, 20))
            for method in draw.choices(methods, k=draw.randint(CALLS + 1, 12))
        )


def wrong_answer(
    make: Callable[[], EvictingQueue], use: Use, places: int | None = None
) -> WrongRun[Calls] | None:
    """The first wrong answer in a use of a queue, with the calls in words; steps do not ask for `contents`.

    Args:
        places: how many instances it has room for, at least one; a further one takes the place of the oldest. None if
            there is no end.
    """
    kept: list[Instance] = []
    start = end = -1
    done: list[tuple[Call, object]] = []
    made: EvictingQueue | None = None
    for call in use:
        expected: object = None
        argument: Any = call.time
        if call.method == "push":
            start, end = start + 1, max(end, start + call.time) + 1
            argument = span("a", start, end)
        done.append((call, argument))
        try:
            made = make() if made is None else made
            answer = _answer(made, call, argument)
        except Exception as error:  # whatever a wrong queue may raise
            answer = f"{type(error).__name__}: {error}"
        match call.method:
            case "push":
                kept = [*kept, argument][-(places or 0) :]
            case "__len__":
                expected = len(kept)
            case "contents":
                expected = kept
            case _:
                expected = _latest(kept, call.time)
                if call.method == "evict_before":
                    kept = [instance for instance in kept if instance.end >= call.time]
        if answer is not expected and answer != expected:
            return _wrong(tuple(_words(*each) for each in done), _shown(answer), _shown(expected), places)
    return None


def _wrong(calls: Calls, answer: str, expected: str, places: int | None) -> WrongRun[Calls]:
    *before, last = calls
    made = "" if places is None else f"with room for {places}, "
    after = f"after {', '.join(before)}: " if before else "at first: " if made else ""
    words = f"{made}{after}{last} gives {answer}; the contract says {expected}"
    plain = {"places": places, "calls": list(calls), "answer": answer, "expected": expected}
    return WrongRun(calls, "answer", words, plain, inside=last == "contents")


def _answer(queue: EvictingQueue, call: Call, argument: Any) -> object:
    match call.method:
        case "push":
            return queue.push(argument)  # type: ignore[func-returns-value]  # a wrong one may return something
        case "latest_before":
            return queue.latest_before(argument)
        case "evict_before":
            return queue.evict_before(argument)
        case "contents":
            return queue.contents()
        case _:
            return len(queue)


def _latest(kept: Iterable[Instance], time: Time) -> Instance:
    """The instance with the greatest start among those that end before the time, or ⟨⟩."""
    ended = (instance for instance in kept if instance.end < time)
    return max(ended, key=lambda instance: instance.start, default=NON_OCCURRENCE)


def _words(call: Call, argument: object) -> str:
    if call.method in ("__len__", "contents"):
        return call.method.strip("_")
    return f"{call.method}({argument!r})"


def _shown(answer: object) -> str:
    return "nothing" if answer is None else str(answer) if isinstance(answer, str) else repr(answer)
