"""Drawings of failing cases of a text and a history of events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reports.documents import Document
from reports.drawing.layout import Timeline, compared_bars, plain

_COLUMNS = ("event", "time", "start")


@dataclass(frozen=True)
class _Shown:
    """An event in a drawing, at its end."""

    event: str
    time: int
    text: str

    def __str__(self) -> str:
        return self.text


def failure_timeline(case: Document, *, leaving_out: str) -> Timeline:
    """The intervals that are due and those that an engine gave; lines of the text that begin so are left out."""
    bars = compared_bars(case.expected, case.detected)
    lines = [line for line in case.expression.splitlines() if not line.startswith(leaving_out)]
    return Timeline(
        plain("  ".join(lines)),
        (
            f"{plain(case.detector or 'engine')}: {plain(case.kind or 'failing case')}",
            f"{len(case.expected)} answers expected, {len(case.detected)} given",
        ),
        ("expected", "given"),
        tuple(map(_shown, case.trace)),
        tuple(sorted(bars, key=lambda bar: (not bar.differs, bar.end, bar.start))),
    )


def _shown(row: Mapping[str, Any]) -> _Shown:
    values = ", ".join(f"{name} = {value}" for name, value in row.items() if name not in _COLUMNS)
    begin = f" from {row['start']}" if row.get("start", row["time"]) != row["time"] else ""
    return _Shown(str(row["event"]), int(row["time"]), plain(f"{row['event']}({values})@{row['time']}{begin}"))
