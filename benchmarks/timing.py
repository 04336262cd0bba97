"""Timings: subjects that take turns on the same input, so that ratios within a run mean more than speeds."""

import gc
import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, TypeAlias, TypeVar

from laws.standings import Standing, exit_status

OURS = "remora"

Status: TypeAlias = Literal["measured", "wrong", "no query", "failed"]
ResultT = TypeVar("ResultT")


@dataclass(frozen=True)
class Row:
    """A subject of ours or of another tool on an input (`case`) of some size, in instants, events or rows.

    `seconds` are those of one run, per repetition; `detail` says why there are none, and `more` has other counts.
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
    gc.collect()
    gc.disable()
    try:
        for _ in range(repetitions):
            for name, run in runs.items():
                begin = clock()
                found[name] = run()
                seconds[name] += (clock() - begin,)
    finally:
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
    data = [{**asdict(one), "seconds": list(one.seconds), "rate": one.rate} for one in rows]
    return {"schema": "remora/bench/3", "seed": seed, "rows": data, "exit_status": int(exit_status([standing(rows)]))}
