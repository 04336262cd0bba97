"""Drawings of failing cases of a text and a history of events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reports.layout import Bar, Side, Timeline, plain
from reports.systems import Record

_COLUMNS = ("event", "time", "start")


@dataclass(frozen=True)
class _Shown:
    """An event in a drawing, at its end."""

    event: str
    time: int
    text: str

    def __str__(self) -> str:
        return self.text


def failure_timeline(record: Record, *, leaving_out: str) -> Timeline:
    """The intervals that are due and those that an engine gave; lines of the text that begin so are left out."""
    expected, detected = (
        Counter((int(start), int(end)) for start, end in record.get(key) or ())
        for key in ("expected", "detected")
    )
    parts: tuple[tuple[Side, Counter[tuple[int, int]]], ...] = (
        ("both", expected & detected),
        ("left", expected - detected),
        ("right", detected - expected),
    )
    bars = [Bar(*interval, side, side != "both") for side, found in parts for interval in found.elements()]
    lines = [
        line for line in str(record.get("expression", "")).splitlines() if not line.startswith(leaving_out)
    ]
    said = f"{plain(record.get('detector', 'engine'))}: {plain(record.get('kind') or 'failing case')}"
    return Timeline(
        plain("  ".join(lines)),
        (said, f"{expected.total()} answers expected, {detected.total()} given"),
        ("expected", "given"),
        tuple(map(_shown, record.get("trace") or ())),
        tuple(sorted(bars, key=lambda bar: (not bar.differs, bar.end, bar.start))),
    )


def _shown(row: Mapping[str, Any]) -> _Shown:
    values = ", ".join(f"{name} = {value}" for name, value in row.items() if name not in _COLUMNS)
    begin = f" from {row['start']}" if row.get("start", row["time"]) != row["time"] else ""
    return _Shown(
        str(row["event"]), int(row["time"]), plain(f"{row['event']}({values})@{row['time']}{begin}")
    )
