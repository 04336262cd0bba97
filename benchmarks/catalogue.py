"""Catalogue of benchmark subjects."""

from __future__ import annotations

from benchmarks import own
from benchmarks.peers import duckdb_queries, polars_frames, reelay_monitors
from benchmarks.subjects import Subject

SUBJECTS: tuple[Subject, ...] = (
    *own.SUBJECTS,
    *polars_frames.SUBJECTS,
    *duckdb_queries.SUBJECTS,
    *reelay_monitors.SUBJECTS,
)
"""Ours first, in the order of the table."""
