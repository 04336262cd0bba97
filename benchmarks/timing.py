"""Timings: subjects that take turns on the same input, so that ratios within a run mean more than speeds."""

import gc
import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, TypeVar

from laws.standings import Standing, exit_status

OURS = "remora"

Status: TypeAlias = Literal["measured", "wrong", "absent", "no query", "failed"]
ResultT = TypeVar("ResultT")


@dataclass(frozen=True)
class Row:
    """A subject on an input.

    Attributes:
        case: the input, by the names of what varies.
        subject: a detector, an engine or a query.
        tool: whose it is: `OURS`, or another tool.
        detail: why there is no speed; "" for one.
        size: the length of the input, in instants, events or rows.
        found: how much was found.
        seconds: the time of one run, per repetition.
        more: other counts, by name.
    """

    case: Mapping[str, str]
    subject: str
    tool: str = OURS
    status: Status = "measured"
    detail: str = ""
    size: int = 0
    found: int = 0
    seconds: tuple[float, ...] = ()
    more: Mapping[str, int] = field(default_factory=dict)

    @property
    def rate(self) -> float:
        """The size by the median of the seconds; 0 where there are none."""
        return self.size / max(statistics.median(self.seconds), 1e-9) if self.seconds else 0.0


def in_turns(
    runs: Mapping[str, Callable[[], ResultT]], repetitions: int, clock: Callable[[], float] = time.perf_counter
) -> tuple[dict[str, ResultT], dict[str, tuple[float, ...]]]:
    """Results of each run, and its seconds in each repetition, without the garbage collector."""
    found: dict[str, ResultT] = {}
    seconds: dict[str, tuple[float, ...]] = dict.fromkeys(runs, ())
    enabled = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        for _ in range(repetitions):
            for name, run in runs.items():
                begin = clock()
                found[name] = run()
                seconds[name] += (clock() - begin,)
    finally:
        if enabled:
            gc.enable()
    return found, seconds


def standing(rows: Iterable[Row]) -> Standing:
    """Refuted by a wrong answer or a subject of ours that broke down, an error where another tool did."""
    found = {(one.status, one.tool == OURS) for one in rows}
    if {("failed", True), ("wrong", True), ("wrong", False)} & found:
        return Standing.REFUTED
    return Standing.ERROR if ("failed", False) in found else Standing.TESTED


def document(rows: Sequence[Row], seed: int) -> dict[str, Any]:
    """Everything that was measured (`remora/bench/3`), every single timing included."""
    data = [
        {
            "case": dict(one.case), "subject": one.subject, "tool": one.tool, "status": one.status,
            "detail": one.detail, "size": one.size, "found": one.found, "seconds": list(one.seconds),
            "rate": one.rate, "more": dict(one.more),
        }
        for one in rows
    ]  # fmt: skip
    return {"schema": "remora/bench/3", "seed": seed, "rows": data, "exit_status": int(exit_status([standing(rows)]))}
