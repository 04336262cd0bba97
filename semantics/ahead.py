"""Prefetching: the next items of an iterator are made while those before are used."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from queue import Empty, Full, Queue
from threading import Event, Thread
from typing import Any, TypeVar

ItemT = TypeVar("ItemT")
MadeT = TypeVar("MadeT")

AHEAD = 2
"""So many items are made before they are asked for."""


def ahead(items: Iterator[ItemT]) -> Generator[ItemT]:
    """The same items in the same order; what making one raises is raised where it is asked for.

    The first ones are made at once, before one is asked for.
    """
    found = _made_ahead(items)
    next(found)
    return found


def _made_ahead(items: Iterator[ItemT]) -> Generator[Any]:
    """The items after nothing, which is there as soon as their making has begun."""
    made: Queue[tuple[ItemT] | BaseException | None] = Queue(AHEAD)
    stopped = Event()

    def put(item: tuple[ItemT] | BaseException | None) -> None:
        while not stopped.is_set():
            with suppress(Full):
                made.put(item, timeout=0.1)
                return

    def work() -> None:
        try:
            for item in items:
                put((item,))
                if stopped.is_set():
                    return
            put(None)
        except BaseException as error:
            put(error)

    thread = Thread(target=work, daemon=True)
    thread.start()
    try:
        yield None
        while (item := made.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item[0]
    finally:
        stopped.set()
        while not made.empty():
            with suppress(Empty):
                made.get_nowait()
        thread.join()


def side_by_side(items: Iterable[ItemT], workers: Sequence[Callable[[ItemT], MadeT]]) -> Generator[MadeT]:
    """What workers make of items, in their order; each has a thread, and they take turns.

    What a worker or the items raise is raised after everything that was made of the items before.
    """
    queues: list[Queue[tuple[ItemT] | None]] = [Queue() for _ in workers]
    made = [ahead(map(worker, _taken(queue))) for worker, queue in zip(workers, queues, strict=True)]
    given = asked = 0
    error: BaseException | None = None
    rest = iter(items)
    try:
        while error is None or asked < given:
            while error is None and given < asked + AHEAD * len(workers):
                try:
                    queues[given % len(workers)].put((next(rest),))
                    given += 1
                except BaseException as raised:
                    error = raised
            if asked < given:
                yield next(made[asked % len(workers)])
                asked += 1
        if not isinstance(error, StopIteration):
            raise error
    finally:
        for queue in queues:
            queue.put(None)
        for each in made:
            each.close()


def _taken(queue: Queue[tuple[ItemT] | None]) -> Iterator[ItemT]:
    while (item := queue.get()) is not None:
        yield item[0]
