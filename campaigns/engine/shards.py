"""A campaign in pieces: waves of cases, and the kernel that judges a shard of one in a Spark worker."""

from __future__ import annotations

import faulthandler
import gc
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
from time import monotonic

import pyarrow as pa

from campaigns.engine.rows import Row, judged_rows, to_batch
from campaigns.engine.settings import Settings
from campaigns.judging.isolation import GRACE, can_isolate
from campaigns.judging.limits import limit_memory

BATCH = 1000
"""How many rows an Arrow batch has."""

FIRST_WAVE = 1000
"""How many cases the first wave has: few, so that a first failure shows early."""

GROWTH = 5
"""How many times as many cases the next wave has, up to a full one."""

WAVE_PER_PROCESSOR = 20_000
"""How many cases a full wave has for each processor: about a minute of work."""

SHARDS_PER_PROCESSOR = 3
"""How many tasks a wave has for each processor: few, for each costs time; some, so that none waits long."""

SMALLEST_SHARD = 200
"""Fewer cases than this are not worth a task of their own."""

WATCHDOG_INTERVAL = 1.0
"""How often the watchdog is put off, in seconds."""

PATIENCE = 20
"""How many time limits may go by with one detector before the watchdog bites: it runs on a few traces for a case."""


@dataclass(frozen=True)
class Kernel:
    """Judges the cases of one shard, for `DataFrame.mapInArrow`.

    From the second attempt on, that is after a worker was lost, each detector runs in a process of its own for
    each case, so that the one that ends its process becomes a row like any other.

    Attributes:
        search_path: folders in which the detector's module is looked for; the driver's current directory.
    """

    settings: Settings
    search_path: tuple[str, ...]

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Batches with one column, the numbers of cases, become batches of `campaigns.engine.rows.ROW_SCHEMA`."""
        from pyspark import TaskContext

        context = TaskContext.get()
        apart = can_isolate() and context is not None and context.attemptNumber() > 0
        numbers = (number for batch in batches for number in batch.column(0).to_pylist())
        if context is not None:  # in a worker, not in the process that asks for a campaign
            _set_imports_aside()
            limit_memory(self.settings.memory)
        watchdog = Watchdog(PATIENCE * (self.settings.seconds + GRACE))
        rows = self.rows(numbers, apart=apart, alive=watchdog.put_off)
        while batch := self._batch(rows, watchdog):
            yield batch

    def rows(
        self, numbers: Iterable[int], *, apart: bool = False, alive: Callable[[], None] = lambda: None
    ) -> Iterator[Row]:
        """The rows of cases; see `campaigns.engine.rows.judged_rows`."""
        return judged_rows(self.settings, numbers, apart=apart, search_path=self.search_path, alive=alive)

    def _batch(self, rows: Iterator[Row], watchdog: Watchdog) -> pa.RecordBatch | None:
        """The next batch, under a watchdog; None at the end."""
        with watchdog:
            found = list(islice(rows, BATCH))
        return to_batch(found) if found else None


_shards = count()


def _set_imports_aside() -> None:
    """Keep the garbage collector from going through all that was imported; Spark calls it after each task.

    Done as a worker begins its second shard: with the first, the last imports have come, and Spark has just collected.
    """
    if next(_shards) == 1:
        gc.freeze()


class Watchdog:
    """Ends this process when a time limit has failed to end a case, as in C code without end."""

    def __init__(self, patience: float) -> None:
        """With the seconds after which it bites, unless it is put off."""
        self.patience = patience
        self._started = 0.0

    def __enter__(self) -> None:
        self._sink = Path(os.devnull).open("w")
        self._start()

    def __exit__(self, *_: object) -> None:
        faulthandler.cancel_dump_traceback_later()
        self._sink.close()

    def put_off(self) -> None:
        """Begin to wait anew; does nothing if it has just begun, as doing it for each case would be a burden."""
        if monotonic() - self._started > WATCHDOG_INTERVAL:
            self._start()

    def _start(self) -> None:
        self._started = monotonic()
        faulthandler.dump_traceback_later(self.patience, exit=True, file=self._sink)


def waves(cases: int, full: int) -> list[range]:
    """The numbers of the cases of each wave: a small one first, then greater ones up to the full size."""
    result: list[range] = []
    begin, size = 0, FIRST_WAVE
    while begin < cases:
        end = min(cases, begin + min(size, full))
        result.append(range(begin, end))
        begin, size = end, size * GROWTH
    return result
