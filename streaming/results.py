"""Result folders of a stream: each micro-batch as a folder of files that appears whole, and once.

A micro-batch that is done again after a kill has the same number and the same rows, so that its folder takes the place
of the one from before; any reader of files sees each row once.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from pyspark.sql import DataFrame

from streaming.systems import ResultFormat

PENDING_FOLDER = "pending"


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
        """Write the rows of a micro-batch, which have the form of the results."""
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
            rows.write.mode("overwrite").text(str(draft))
        else:
            rows.write.mode("overwrite").parquet(str(draft))
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
