"""Stored waves of a campaign: each is whole, or to be judged anew."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from campaigns.engine.receipts import read_receipts, require_unaltered
from campaigns.engine.settings import Settings
from campaigns.engine.shards import waves
from campaigns.judging.verdicts import Cause, Kind


@dataclass(frozen=True)
class Wave:
    """A wave that is whole: how many of its cases failed, and the first case of each cause, with its detail."""

    failed: int
    causes: dict[Cause, tuple[int, str]]


def waves_of(settings: Settings) -> list[range]:
    """The numbers of the cases of each wave of a campaign."""
    return waves(settings.cases, settings.wave or settings.cases)


def kept_wave(folder: Path, campaign: str, due: range) -> Wave | None:
    """What is in a wave of which each case is there exactly once; None if it is not whole.

    Read here and not by Spark, whose first query of a kind takes seconds: a few columns of a wave are small. A file
    that cannot be read counts as missing, and so does a wave without receipts, which was not judged to its end.

    Args:
        campaign: the id of the campaign; rows of another one do not count.

    Raises:
        InputError: a file can be read and was altered.
    """
    receipts = read_receipts(folder)
    if receipts is None:
        return None
    try:
        rows = pq.read_table(folder, columns=["campaign", "case", "failures"], partitioning=None)
    except (pa.ArrowException, OSError):
        return None
    require_unaltered(folder, receipts)
    ours = rows.filter(pc.equal(rows["campaign"], campaign))
    if not np.array_equal(np.sort(ours["case"].to_numpy()), np.arange(due.start, due.stop)):
        return None
    failed = ours.filter(pc.greater(pc.list_value_length(ours["failures"]), 0)).sort_by("case")
    causes: dict[Cause, tuple[int, str]] = {}
    for row in failed.select(["case", "failures"]).to_pylist():
        for failure in row["failures"]:
            causes.setdefault(cause_of(failure), (row["case"], failure["detail"]))
    return Wave(len(failed), causes)


def cause_of(record: Mapping[str, Any]) -> Cause:
    """The cause of a failure as it is stored."""
    return Cause(record["detector"], record["relation"], record["path"], Kind(record["kind"]))
