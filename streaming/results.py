"""Where detections of a folder go: each micro-batch as a folder of files that appears whole, and once.

A micro-batch that is done again after a kill has the same number and the same rows, so that its folder takes the place
of the one from before; any reader of files sees each row once.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Literal, TypeAlias

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f

ResultFormat: TypeAlias = Literal["jsonl", "parquet"]
"""The file format of results."""

PENDING_FOLDER = "pending"


def json_lines(rows: DataFrame) -> DataFrame:
    """Detections by JSON keys as lines of JSON, in the form in which `remora detect` prints them, with a `kind`."""

    def text(*parts: str | Column) -> Column:
        return f.concat(*(f.lit(part) if isinstance(part, str) else part for part in parts))

    def optional(*parts: str | Column) -> Column:
        return f.coalesce(text(*parts), f.lit(""))

    line = text(
        *('{"start": ', f.col("start"), ', "end": ', f.col("end")),
        optional(', "instance": ', f.col("instance")),
        optional(', "event": "', f.col("event"), '"'),
        *(', "partition": ', f.col("key"), ', "kind": "', f.col("kind"), '"}'),
    )
    return rows.select(line.alias("line"))


def table(rows: DataFrame) -> DataFrame:
    """Detections by JSON keys as a table with the columns `partition`, which is text, and those of detections."""
    key = f.get_json_object(f.concat(f.lit('{"key": '), f.col("key"), f.lit("}")), "$.key")
    return rows.select(key.alias("partition"), "kind", "start", "end", "event", "instance")


class Results:
    """A folder of results.

    Attributes:
        folder: where it is.
        form: the file format.
    """

    def __init__(self, folder: Path, form: ResultFormat) -> None:
        """Take the place; nothing is written."""
        self.folder = folder
        self.form = form

    def has_batches(self) -> bool:
        """Whether there are results here."""
        return any(self.folder.glob("batch=*"))

    def write(self, rows: DataFrame, number: int) -> None:
        """Write the rows of a micro-batch."""
        self._write(rows, self.folder / f"batch={number:06}")

    def write_pending(self, rows: DataFrame) -> None:
        """Write what is pending, in place of what was."""
        self._write(rows, self.folder / PENDING_FOLDER)

    def remove_pending(self) -> None:
        """Take away what was pending, before it ceases to be true."""
        shutil.rmtree(self.folder / PENDING_FOLDER, ignore_errors=True)

    def _write(self, rows: DataFrame, target: Path) -> None:
        draft = target.with_name(f".{target.name}.draft")
        if self.form == "jsonl":
            json_lines(rows).write.mode("overwrite").text(str(draft))
        else:
            table(rows).write.mode("overwrite").parquet(str(draft))
        for place in draft.iterdir():
            if not place.name.startswith("part-") or place.stat().st_size == 0:
                place.unlink()  # marks of Spark, checksums, and parts without a row
        for number, part in enumerate(sorted(draft.iterdir())):
            part.rename(draft / f"part-{number:03}.{self.form}")
        shutil.rmtree(target, ignore_errors=True)
        if any(draft.iterdir()):
            draft.rename(target)
        else:
            draft.rmdir()
