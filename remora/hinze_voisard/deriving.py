"""Occurrences of profiles in Python, for `remora.derive`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from remora.hinze_voisard.explaining import by_partition, read_profiles
from semantics.hinze_voisard.evaluation import FORM, evaluated, said_data
from semantics.traces.instants import Instant, ReadReport
from semantics.traces.rows import Partition


class Profiles:
    """A file of profiles, evaluated over the closed interval of a log (`remora.api.derivation.Deriving`)."""

    def __init__(self, path: Path, tick: str | None) -> None:
        self._profiles = read_profiles(path, tick)
        self.form, self.tick = FORM, self._profiles.tick
        self.how = "by definition"

    def derived(self, instants: Iterable[Instant]) -> Iterator[tuple[dict[str, Any], Partition]]:
        """The occurrences of each partition, which are there when the log has ended."""
        for partition, given in by_partition(instants).items():
            yield from ((said_data(one), partition) for one in evaluated(self._profiles, given))

    def warnings(self, report: ReadReport) -> Sequence[str]:
        """Nothing."""
        return ()
