"""Waves of a campaign: shards of cases judged by Spark's workers, and what is stored of them.

Spark tells workers which cases to judge and tries again what was lost, but no row goes through it: a worker writes the
rows of its shard as one Parquet file. What is in the file follows from the settings and the numbers of its cases, its
name from the first of them, and it appears as a whole or not at all; so a shard that is judged twice, by a second
attempt or by a worker that was given up too early, is replaced by itself, and each case is there exactly once.
"""

from __future__ import annotations

import errno
import faulthandler
import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from campaigns.engine.rows import ROW_SCHEMA, judged_rows, to_batch
from campaigns.engine.settings import Settings
from campaigns.judging.isolation import GRACE, can_isolate, limit_memory
from semantics.atomic_files import draft, write_text
from semantics.errors import InputError

ROW_GROUP = 20_000
"""How many rows of a file are held in memory and written together."""

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

RECEIPTS = "_receipts.json"
"""The name of the file in the folder of a wave; readers of Parquet pass over names that begin so."""


def waves_of(settings: Settings) -> list[range]:
    """The numbers of the cases of each wave: a small one first, then greater ones up to the full size."""
    result: list[range] = []
    begin, size = 0, FIRST_WAVE
    while begin < settings.cases:
        end = min(settings.cases, begin + min(size, settings.wave or settings.cases))
        result.append(range(begin, end))
        begin, size = end, size * GROWTH
    return result


class Receipt(NamedTuple):
    """Answer of a worker: the file that it wrote, how many cases are in it, and its SHA-256."""

    file: str
    cases: int
    sha256: str


RECEIPT_SCHEMA = pa.schema([("file", pa.string()), ("cases", pa.int64()), ("sha256", pa.string())])


# ---------------------------------------------------------------------------------------- what a worker does


@dataclass(frozen=True)
class Shard:
    """Judges the cases of one shard and writes their rows, for `DataFrame.mapInArrow`.

    From the second attempt on, that is after a worker was lost, each detector runs in a process of its own for
    each case, so that the one that ends its process becomes a row like any other.

    Attributes:
        search_path: folders in which the detector's module is looked for.
        folder: the folder of the wave, at the same place on all machines.
    """

    settings: Settings
    search_path: tuple[str, ...]
    folder: str

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Batches with one column, the numbers of cases, become a file and a receipt of it."""
        from pyspark import TaskContext

        numbers = [number for batch in batches for number in batch.column(0).to_pylist()]
        if not numbers:
            return
        context = TaskContext.get()
        apart = can_isolate() and context is not None and context.attemptNumber() > 0
        if context is not None:  # in a worker, not in the process that asks for a campaign
            limit_memory(self.settings.memory)
        receipt = self.judged(numbers, apart=apart)
        yield pa.RecordBatch.from_pylist([receipt._asdict()], RECEIPT_SCHEMA)

    def judged(self, numbers: list[int], *, apart: bool = False) -> Receipt:
        """Judge cases, and write their rows into a file as a whole or not at all."""
        path = Path(self.folder) / f"part-{numbers[0]:012}.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        with Watchdog(PATIENCE * (self.settings.seconds + GRACE)) as watchdog:
            rows = judged_rows(
                self.settings, numbers, apart=apart, search_path=self.search_path, alive=watchdog.put_off
            )
            with draft(path) as place:
                with pq.ParquetWriter(place, ROW_SCHEMA, write_statistics=["case"]) as file:
                    while group := list(islice(rows, ROW_GROUP)):
                        file.write_batch(to_batch(group))
                return Receipt(path.name, len(numbers), checksum(place))


class Watchdog:
    """Ends this process when a time limit has failed to end a case, as in C code without end."""

    def __init__(self, patience: float) -> None:
        """With the seconds after which it bites, unless it is put off."""
        self.patience = patience
        self._started = 0.0

    def __enter__(self) -> Watchdog:
        self._sink = Path(os.devnull).open("w")
        self._start()
        return self

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


# ------------------------------------------------------------------------------------------- what is stored


def checksum(path: Path) -> str:
    """The SHA-256 of a file, as hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_receipts(folder: Path, receipts: Iterable[Receipt]) -> None:
    """Write the receipts of a wave into its folder, as a whole or not at all."""
    write_text(folder / RECEIPTS, json.dumps([each._asdict() for each in sorted(receipts)], indent=1) + "\n")


def is_whole(folder: Path, campaign: str, due: range) -> bool:
    """Whether each case of a wave is there exactly once.

    A file that cannot be read counts as missing, and so does a wave without receipts, which was not judged to its end.

    Args:
        campaign: the id of the campaign; rows of another one do not count.

    Raises:
        InputError: a file can be read and is not the one of its receipt.
    """
    try:
        receipts = [Receipt(**each) for each in json.loads((folder / RECEIPTS).read_text("utf-8"))]
        [counts] = asked(
            'select count(*), count(distinct "case"), min("case"), max("case") + 1 from rows', [folder], campaign
        )
    except (OSError, ValueError, TypeError):
        return False
    known = {receipt.file: receipt.sha256 for receipt in receipts}
    for path in sorted(folder.glob("*.parquet")):
        if path.name not in known or checksum(path) != known[path.name]:
            said = "its checksum is not that of its receipt" if path.name in known else "it has no receipt"
            raise InputError(
                f"these rows are not those that the campaign wrote: {said}",
                place=str(path),
                remedy=f"Remove the folder {folder}: resuming judges its cases again.",
            )
    return counts == (len(due), len(due), due.start, due.stop)


def asked(query: str, folders: Iterable[Path], campaign: str) -> list[tuple[Any, ...]]:
    """The answer of DuckDB to a query of `rows`, the rows of a campaign in some waves.

    Raises:
        OSError: they cannot be read.
    """
    import duckdb  # takes longer to load than a case to be judged

    paths = [str(path) for folder in folders for path in sorted(folder.glob("*.parquet"))]
    quoted = ", ".join("'" + path.replace("'", "''") + "'" for path in paths)
    files = f"read_parquet([{quoted}], union_by_name = true, hive_partitioning = false)"
    rows = f"with rows as (from {files} where campaign = $campaign)"
    try:
        with duckdb.connect() as database:
            return database.execute(f"{rows} {query}", {"campaign": campaign}).fetchall()
    except duckdb.Error as error:
        raise OSError(errno.EIO, f"the rows cannot be read: {error}", paths[0] if paths else None) from error
