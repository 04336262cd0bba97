"""All wrong detectors by name: those that somebody thought of, and those that are derived from the programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from campaigns.carlson_lisper.mutants.derived import derived_mutants
from campaigns.carlson_lisper.mutants.telling import THOUGHT_OF, WrongDetector

TELLING: Mapping[str, WrongDetector] = {**THOUGHT_OF}
"""The faults that somebody thought of."""


class _All(Mapping[str, WrongDetector]):
    """Those and the derived ones, which are found in the programs when one of them is asked for."""

    def __getitem__(self, name: str) -> WrongDetector:
        return TELLING[name] if name in TELLING else derived_mutants()[name]

    def __iter__(self) -> Iterator[str]:
        yield from TELLING
        yield from derived_mutants()

    def __len__(self) -> int:
        return len(TELLING) + len(derived_mutants())


ALL: Mapping[str, WrongDetector] = _All()
"""Every wrong detector by name, as in `mutant:NAME`."""
