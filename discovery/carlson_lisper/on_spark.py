"""Fingerprints computed by the workers of Spark: whatever their number, the answer is the same.

Rows come by shape, the operation and the sizes of its operands, and are split in this order. A worker is told the rows
and the representatives of the classes that they are made of, as rows too; what these mean it computes by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
from pyspark.sql import SparkSession

from cluster.jobs import processors, shipped
from cluster.session import spark_session, workers_are_ours
from discovery.carlson_lisper.fingerprints import CHUNK, Fingerprinting, Meanings, Rows
from discovery.carlson_lisper.universes import Words

MODULES = ("discovery", "semantics")  # What the workers import of the project
SPREAD = 4  # So many tasks for each processor, as shapes are uneven


@dataclass(frozen=True)
class OnSpark:
    """Fingerprints of many rows on a Spark session; where they are fewer than `least`, in this process."""

    session: SparkSession
    least: int = CHUNK

    def __call__(self, meanings: Meanings, rows: Rows, universes: Sequence[int], prints: Words) -> Words:
        """The fingerprints with what universes tell taken in."""
        if len(rows) < max(self.least, 1) or not universes:
            return meanings.fingerprints(rows, universes, prints)
        tasks, place = SPREAD * processors(self.session), np.arange(len(rows))
        columns = {
            "place": place,
            "task": place * tasks // len(rows),
            "operation": rows.operation.astype(np.int64),
            "left": rows.left,
            "right": rows.right,
            "print": prints.view(np.int64),
        }
        frame = self.session.createDataFrame(pa.table(columns)).repartitionByRange(tasks, "task")
        work = partial(_fingerprinted, meanings=meanings, universes=list(universes))
        told = frame.mapInArrow(work, "place long, print long").toArrow()
        found = np.empty(len(rows), np.uint64)
        found[told["place"].to_numpy()] = told["print"].to_numpy().view(np.uint64)
        return found


@contextmanager
def on_spark(master: str) -> Iterator[Fingerprinting]:
    """Fingerprints on the workers of a master, which get the project where they are not of this machine.

    Raises:
        SparkUnavailable: Spark does not start, or ends before its time.
    """
    with spark_session(master) as session, nullcontext() if workers_are_ours(master) else shipped(session, MODULES):
        yield OnSpark(session)


def _fingerprinted(batches: Iterable[Any], *, meanings: Meanings, universes: Sequence[int]) -> Iterator[Any]:
    table = pa.Table.from_batches(batches) if (batches := list(batches)) else None
    if table is not None:
        operation, left, right, prints = (table[name].to_numpy() for name in ("operation", "left", "right", "print"))
        rows = Rows(operation.astype(np.int8), left, right)
        found = meanings.fingerprints(rows, universes, prints.view(np.uint64))
        yield from pa.table({"place": table["place"], "print": found.view(np.int64)}).to_batches()
