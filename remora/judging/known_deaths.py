"""Cases by which wrong detectors were found the last time, tried first.

They are a guess and no more: each wrong detector is put to its case again, and where the case does not find it, to all
cases from the first one on. The file is made by `python -m remora.judging.known_deaths`, when cases have changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from campaigns.carlson_lisper.mutants.catalogue import TELLING
from campaigns.carlson_lisper.mutants.power import power
from campaigns.carlson_lisper.mutants.telling import KILLED_WITHIN
from semantics.atomic_files import write_text

FILE = Path(__file__).with_name("known_deaths.json")

SEED = 0
"""The cases of this seed are known: what nobody chose another one for."""


def known_deaths(seed: int, cases: int) -> Iterator[tuple[int, list[str]]]:
    """Numbers of cases, ascending, with the names of the wrong detectors that each was the first to find.

    Args:
        seed: the seed of the cases; of others than `SEED`, none are known.
        cases: the number of the first case that is left out.
    """
    if seed != SEED:
        return
    known: dict[str, int] = json.loads(FILE.read_text("utf-8"))
    for number in sorted({number for number in known.values() if number < cases}):
        yield number, [name for name, first in known.items() if first == number]


def write() -> None:
    """Look for the cases again and write the file."""
    deaths = power(TELLING, SEED, KILLED_WITHIN).deaths
    write_text(FILE, json.dumps({name: death.case for name, death in deaths.items()}, indent=1) + "\n")


if __name__ == "__main__":
    write()
