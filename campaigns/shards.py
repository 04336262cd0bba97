"""A campaign in pieces: waves of cases, and the kernel that judges a shard of one in a Spark worker."""

from __future__ import annotations

import faulthandler
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from time import monotonic

import pyarrow as pa

from campaigns.isolation import GRACE, can_isolate
from campaigns.rows import Row, judged_rows, to_batch
from campaigns.settings import Settings

BATCH = 1000
"""How many rows an Arrow batch has."""

FIRST_WAVE = 1000
"""How many cases the first wave has: few, so that a first failure shows early."""

GROWTH = 5
"""How many times as many cases the next wave has, up to a full one."""

WAVE_PER_PROCESSOR = 20_000
"""How many cases a full wave has for each processor: about twenty seconds of work."""

SHARDS_PER_PROCESSOR = 3
"""How many tasks a wave has for each processor: few, for each costs time; some, so that none waits long."""

SMALLEST_SHARD = 200
"""Fewer cases than this are not worth a task of their own."""

WATCHDOG_INTERVAL = 1.0
"""How often the watchdog is put off, in seconds; doing it for each case would be a burden."""


@dataclass(frozen=True)
class Kernel:
    """Judges the cases of one shard, for `DataFrame.mapInArrow`.

    From the second attempt on, that is after a worker was lost, each case runs in a process of its own, so that
    the one that ends its process becomes a row like any other.

    Attributes:
        settings: the campaign's settings.
        search_path: folders in which the detector's module is looked for; the driver's current directory.
    """

    settings: Settings
    search_path: tuple[str, ...]

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Batches with one column of case numbers become batches of `campaigns.rows.ROW_SCHEMA`."""
        from pyspark import TaskContext

        context = TaskContext.get()
        isolated = can_isolate() and context is not None and context.attemptNumber() > 0
        numbers = (number for batch in batches for number in batch.column(0).to_pylist())
        rows = judged_rows(self.settings, numbers, isolated=isolated, search_path=self.search_path)
        while batch := self._batch(rows):
            yield batch

    def _batch(self, rows: Iterator[Row]) -> pa.RecordBatch | None:
        """The next batch, under a watchdog; None at the end.

        The watchdog ends this worker when the time limit has failed to end a case, as in C code without end.
        """
        patience = 2 * (self.settings.seconds + GRACE)
        found: list[Row] = []
        with Path(os.devnull).open("w") as sink:
            try:
                started = monotonic()
                faulthandler.dump_traceback_later(patience, exit=True, file=sink)
                for row in islice(rows, BATCH):
                    found.append(row)
                    if monotonic() - started > WATCHDOG_INTERVAL:
                        started = monotonic()
                        faulthandler.dump_traceback_later(patience, exit=True, file=sink)
            finally:
                faulthandler.cancel_dump_traceback_later()
        return to_batch(found) if found else None


def waves(cases: int, full: int) -> list[range]:
    """The numbers of the cases of each wave: a small one first, then greater ones up to the full size."""
    result: list[range] = []
    begin, size = 0, FIRST_WAVE
    while begin < cases:
        end = min(cases, begin + min(size, full))
        result.append(range(begin, end))
        begin, size = end, size * GROWTH
    return result
