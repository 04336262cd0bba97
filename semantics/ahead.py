"""Work ahead: the next items of an iterator are made by another thread while those before are used."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from queue import Empty, Full, Queue
from threading import Event, Thread
from typing import TypeVar

ItemT = TypeVar("ItemT")

AHEAD = 2
"""So many items are made before they are asked for."""


def ahead(items: Iterator[ItemT]) -> Iterator[ItemT]:
    """The same items in the same order; what making one raises is raised where it is asked for."""
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
