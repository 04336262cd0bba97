"""The contract of the queue on concrete instances: what a queue does where the contract is not proved.

A queue is used as a sequence uses it, and each answer is compared with what the contract says of a plain list of
instances. All uses of up to four calls are tried, then longer ones that are drawn from a fixed seed. That no
counterexample is found among these proves nothing.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial
from itertools import chain, product
from typing import Any, TypeAlias

from detectors.carlson_lisper.source.steps import NON_OCCURRENCE, CandidateQueue
from proofs.carlson_lisper.runs.histories import WrongRun, first, span
from semantics.carlson_lisper.occurrences import Instance, Time

CALLS = 4
"""All uses of so many calls are tried."""

DRAWN = 300
"""So many longer uses are drawn."""

SEED = 1

TIMES = range(-1, 4)
"""The times that queries of short uses ask about, in ticks."""

Call: TypeAlias = tuple[str, Time]
"""A method, and the time that is asked about; of `push` the least number of ticks that the instance spans."""


def find_queue_counterexample(queue: type[CandidateQueue] = CandidateQueue) -> WrongRun[tuple[str, ...]] | None:
    """A shortest use with a wrong answer among those that are tried, as calls in words; None if there is none."""
    return first(chain(_short_uses(), _drawn_uses()), partial(_wrong_answer, queue))


def _short_uses() -> Iterator[tuple[Call, ...]]:
    """All uses of up to so many calls, shorter ones first; the last call of each asks something."""
    asked = [(method, time) for time in TIMES for method in ("latest_before", "evict_before")]
    changed = [("push", 0), ("push", 2)]
    for count in range(CALLS):
        yield from product(*[[*changed, *asked]] * count, [*asked, ("__len__", 0), ("contents", 0)])


def _drawn_uses() -> Iterator[tuple[Call, ...]]:
    draw = random.Random(f"queue {SEED}")
    methods = ("push", "push", "latest_before", "evict_before", "contents", "__len__")
    for _ in range(DRAWN):
        yield tuple(
            (method, draw.randint(0, 3) if method == "push" else draw.randint(0, 20))
            for method in draw.choices(methods, k=draw.randint(CALLS + 1, 12))
        )


def _wrong_answer(make: type[CandidateQueue], use: tuple[Call, ...]) -> WrongRun[tuple[str, ...]] | None:
    """The first wrong answer in a use of a queue; steps do not ask for `contents`."""
    kept: list[Instance] = []
    start = end = -1
    done: list[str] = []
    made: Any = None
    for method, time in use:
        asked = method.endswith("_before")
        argument: Any = time
        if method == "push":
            start, end = start + 1, max(end, start + time) + 1
            argument = span("a", start, end)
        done.append(f"{method}({argument!r})" if asked or method == "push" else method.strip("_"))
        try:
            made = make() if made is None else made
            called = getattr(made, method)
            answer = called(argument) if asked or method == "push" else called()
        except Exception as error:  # whatever a wrong queue may raise
            answer = f"{type(error).__name__}: {error}"
        ended = [instance for instance in kept if instance.end < time]
        latest = max(ended, key=lambda instance: instance.start, default=NON_OCCURRENCE)
        expected = {"push": None, "__len__": len(kept), "contents": [*kept]}.get(method, latest)
        if method == "push":
            kept.append(argument)
        elif method == "evict_before":
            kept = [instance for instance in kept if instance not in ended]
        if answer is not expected and answer != expected:
            return _wrong(tuple(done), answer, expected)
    return None


def _wrong(calls: tuple[str, ...], answer: object, expected: object) -> WrongRun[tuple[str, ...]]:
    *before, last = calls
    said, due = (
        "nothing" if each is None else each if isinstance(each, str) else repr(each) for each in (answer, expected)
    )
    after = f"after {', '.join(before)}: " if before else ""
    words = f"{after}{last} gives {said}; the contract says {due}"
    plain = {"calls": list(calls), "answer": said, "expected": due}
    return WrongRun(calls, "answer", words, plain, inside=last == "contents")
