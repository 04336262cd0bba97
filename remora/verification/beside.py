"""Work that goes on in a process beside the others, and what stages of a verification find there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from campaigns.judging.isolation import Child, Lost, can_isolate
from laws.standings import Standing
from remora.api.claiming.data import JsonObject

LONGEST = 86_400.0
"""How long the process is waited for, in seconds: longer than any verification takes."""

Result = TypeVar("Result")


@dataclass(frozen=True)
class FoundBeside:
    """What stages find in a process of their own.

    Attributes:
        found: by the name of the stage, what the report has of it; None where it broke down.
        stages: the name and the seconds of each part.
    """

    found: Mapping[str, Any]
    standings: Sequence[Standing]
    problems: Sequence[str]
    power: JsonObject
    stages: Sequence[tuple[str, float]]


@contextmanager
def going_on(work: Callable[[], Result]) -> Iterator[Callable[[], Result]]:
    """Have work done in a process of its own while the block runs; where nothing forks, when it is asked for.

    Yields:
        What waits for the result, and raises RuntimeError where the process ended without one; to be called once.
    """
    child = Child(work, memory=None) if can_isolate() else None

    def awaited() -> Result:
        found = work() if child is None else child.result(LONGEST)
        if isinstance(found, Lost):
            raise RuntimeError(f"what went on beside the others was lost: {found.detail}")
        return found

    try:
        yield awaited
    finally:
        if child is not None:
            child.kill()
