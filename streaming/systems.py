"""Protocol of a system in streams: a detection in the files of a folder, and how its rows are written."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Literal, Protocol, TypeAlias

from pyspark.sql import DataFrame, SparkSession

from semantics.errors import InputError
from semantics.traces.reading import Reading

ResultFormat: TypeAlias = Literal["jsonl", "parquet"]
"""The file format of results."""

PROVIDER = "spark.sql.streaming.stateStore.providerClass"
ROCKSDB = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"

SESSION_OPTIONS: Mapping[str, str] = MappingProxyType(
    {
        PROVIDER: ROCKSDB,
        # What has changed is stored after each micro-batch, not everything.
        "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled": "true",
        # The longer the batches of rows, the longer the packs of events of one key.
        "spark.sql.execution.arrow.maxRecordsPerBatch": "20000",
    }
)
"""The settings of a session in which detections are made; the first one is necessary."""


def require_store(session: SparkSession) -> None:
    """Make sure that a session keeps the state of streams in RocksDB.

    Raises:
        InputError: it does not.
    """
    if session.conf.get(PROVIDER, "") != ROCKSDB:
        raise InputError(
            "the session does not keep the state of streams in RocksDB, which this needs",
            remedy=f"Set {PROVIDER} to {ROCKSDB}, or take all of streaming.systems.SESSION_OPTIONS.",
        )


class FolderDetection(Protocol):
    """A detection in the files of a folder, with its settings."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of rows that it gives, values of the column `kind`; `pending` is one."""

    def question(self) -> Mapping[str, object]:
        """What is detected and how, by which a checkpoint is known to belong to it."""

    def packs(self, paths: DataFrame, reading: Reading) -> DataFrame:
        """The events in files whose addresses are the column `path`, in the form that `detected` takes."""

    def detected(self, packs: DataFrame) -> DataFrame:
        """The rows to which packs lead, with the state in the checkpoint of the query."""

    def pending(self, session: SparkSession, checkpoint: Path) -> DataFrame | None:
        """The rows to which the state would lead if nothing more came; None while no micro-batch is finished."""

    def written(self, rows: DataFrame, form: ResultFormat) -> DataFrame:
        """Rows as they are written: as lines of JSON, the column `line`, or as a table."""
