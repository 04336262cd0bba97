"""Rounds: long work cut into pieces that forked processes do, until the time is up.

A detector that ends or blocks its process is found out, and the rest goes on.

The pieces are numbered, and what comes back is in the order of their numbers without a gap, whatever finished first.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from time import monotonic
from typing import TypeAlias, TypeVar

from campaigns.judging.isolation import Child, Lost, OutOfTime, can_isolate
from campaigns.judging.limits import MEMORY_LIMIT, limit_memory

Result = TypeVar("Result")

Work: TypeAlias = "Callable[[Sequence[int], bool], Iterable[Result]]"
"""Gives one result for each number, one after the other; told whether detectors run in processes of their own."""

ROUND = 1.0
"""A round takes about so many seconds: then there is something to show, and the time is looked at."""

GROWTH = 4
"""A round has at most so many times as many pieces as the one before."""


def rounds(
    work: Work[Result], numbers: Iterable[int], *, until: float, seconds: float, processes: int | None = None
) -> Iterator[list[Result]]:
    """The results of work, round by round; ends when the numbers do, or the time.

    The pieces of a round are shared out to processes. If one of these is lost, its pieces are done again one by one,
    each with the detectors in processes of their own. What is not done at a curfew is left out.

    Args:
        until: when to stop, on the clock of `time.monotonic`; at least one piece is done in any case.
        seconds: the longest that one piece should take, more or less; a process gets several times as long.
        processes: how many at one time; by default one for each processor.
    """
    side_by_side = (processes or processors()) if can_isolate() else 1
    pending, share, first = iter(numbers), 1, True
    while batch := list(islice(pending, share * side_by_side)):
        if monotonic() >= until and not first:
            return
        begin = monotonic()
        limit = begin if first else until
        found = _round(work, [batch[place::side_by_side] for place in range(side_by_side)], limit, seconds)
        done = [found[number] for number in _prefix(batch, found)]
        yield done
        if len(done) < len(batch):
            return
        taken = max(monotonic() - begin, 1e-3)
        share = max(1, min(share * GROWTH, int(share * ROUND / taken)))
        first = False


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _prefix(batch: Sequence[int], found: dict[int, Result]) -> Iterator[int]:
    for number in batch:
        if number not in found:
            return
        yield number


def _round(
    work: Work[Result], parts: Sequence[Sequence[int]], until: float, seconds: float
) -> dict[int, Result]:
    if not can_isolate():
        return dict(_done(work, [number for part in parts for number in part], until))
    found: dict[int, Result] = {}
    running = [(part, Child(partial(_limited, work, part, until))) for part in parts if part]
    try:
        for part, child in running:
            results = child.result(ROUND * GROWTH + 2 * seconds)
            if not isinstance(results, Lost):
                found.update(results)
                continue
            for number in part:
                found.update(zip([number], work([number], True), strict=True))
                if monotonic() >= until:
                    break
    except OutOfTime:
        pass
    finally:
        for _, child in running:
            child.kill()
    return found


def _limited(work: Work[Result], part: Sequence[int], until: float) -> list[tuple[int, Result]]:
    limit_memory(MEMORY_LIMIT)
    return list(_done(work, part, until))


def _done(work: Work[Result], part: Sequence[int], until: float) -> Iterator[tuple[int, Result]]:
    for number, result in zip(part, work(part, False), strict=True):
        yield number, result
        if monotonic() >= until:
            return
