"""Cases by which wrong detectors were found the last time, tried first.

They are a guess and no more: each wrong detector is put to its case again, and where the case does not find it, to all
cases from the first one on. The file is made by `python -m remora.judging.known_deaths`, when cases have changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from campaigns.mutants.power import power
from campaigns.systems import cases_of
from semantics.atomic_files import write_text
from semantics.systems import systems_in

FILE = Path(__file__).with_name("known_deaths.json")

SEED = 0
"""The cases of this seed are known: what nobody chose another one for."""


def known_deaths(system: str, seed: int, cases: int) -> Iterator[tuple[int, list[str]]]:
    """Numbers of cases, ascending, with the names of the wrong detectors that each was the first to find.

    Args:
        seed: the seed of the cases; of others than `SEED`, none are known.
        cases: the number of the first case that is left out.
    """
    if seed != SEED:
        return
    known: dict[str, int] = json.loads(FILE.read_text("utf-8")).get(system, {})
    for number in sorted({number for number in known.values() if number < cases}):
        yield number, [name for name, first in known.items() if first == number]


def write() -> None:
    """Look for the cases again and write the file."""
    found = {}
    for name in systems_in("campaigns"):
        system = cases_of(name)
        case_of = system.maker(SEED, system.PROFILES, None, 0)
        deaths = power(system.telling(), system, case_of, SEED, range(system.KILLED_WITHIN)).deaths
        found[name] = {wrong: death.case for wrong, death in deaths.items()}
    write_text(FILE, json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    write()
