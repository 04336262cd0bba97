"""The rows of a shard as one Parquet file, written by the worker that judged them.

Spark tells workers which cases to judge and tries again what was lost, but no row goes through it: its own way from
Arrow into Parquet costs more processor time than a short case. Nothing else is needed for each case to be there exactly
once. What is in a file follows from the settings and the numbers of its cases, its name from the first of them, and it
appears as a whole or not at all: a shard that is judged twice, by a second attempt or by a worker that was given up too
early, is replaced by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql.pandas.types import from_arrow_schema

from campaigns.engine.receipts import Receipt, checksum
from campaigns.engine.rows import ROW_SCHEMA
from campaigns.engine.shards import Kernel
from semantics.atomic_files import draft

ROW_GROUP = 20_000
"""How many rows of a file are held in memory and written together, at least."""

RECEIPT_SCHEMA = pa.schema(
    [pa.field("file", pa.string()), pa.field("cases", pa.int64()), pa.field("sha256", pa.string())]
)
"""What a worker answers (`campaigns.engine.receipts.Receipt`)."""

RECEIPT_SPARK_SCHEMA = from_arrow_schema(RECEIPT_SCHEMA)
"""The same as Spark has it; not as text, for which Spark would have to wake its parser."""

WORKERS_IMPORT = (__name__, "pandas")
"""What workers have to import for a campaign (see `cluster.session.spark_session`); pyarrow asks for pandas."""


@dataclass(frozen=True)
class ShardWriter:
    """Judges the cases of one shard and writes their rows, for `DataFrame.mapInArrow`.

    Attributes:
        folder: the folder of the wave, at the same place on all machines.
    """

    kernel: Kernel
    folder: str

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Batches with one column of numbers, as `Kernel` takes them, become a file and a receipt of it."""
        numbers = iter(batches)
        first = next((batch for batch in numbers if batch.num_rows), None)
        if first is None:
            return
        path = Path(self.folder) / f"part-{first.column(0)[0].as_py():012}.parquet"
        receipt = write_rows(path, self.kernel(chain([first], numbers)))
        yield pa.RecordBatch.from_pylist([receipt._asdict()], RECEIPT_SCHEMA)


def write_rows(path: Path, batches: Iterable[pa.RecordBatch]) -> Receipt:
    """Write batches of `ROW_SCHEMA` into a file, as a whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    count, held = 0, list[pa.RecordBatch]()
    with draft(path) as place:
        with pq.ParquetWriter(place, ROW_SCHEMA, write_statistics=["case"]) as file:
            for batch in batches:
                held.append(batch)
                count += batch.num_rows
                if sum(some.num_rows for some in held) >= ROW_GROUP:
                    file.write_table(pa.Table.from_batches(held))
                    held.clear()
            file.write_table(pa.Table.from_batches(held, ROW_SCHEMA))
        return Receipt(path.name, count, checksum(place))
