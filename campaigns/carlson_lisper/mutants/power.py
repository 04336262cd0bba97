"""Power of the cases of this algebra: how many of its wrong detectors they find, and after how many cases."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import partial

from campaigns.carlson_lisper.mutants.derived import DerivedMutant
from campaigns.carlson_lisper.mutants.telling import WrongDetector
from campaigns.judging.verdicts import TIME_LIMIT
from campaigns.mutants import power as of_systems
from campaigns.mutants.power import Power
from campaigns.systems import WrongDetector as Wrong
from campaigns.systems import cases_of
from detectors.carlson_lisper.adapters import AnyFactory


def power(
    mutants: Mapping[str, WrongDetector],
    seed: int,
    cases: int,
    profiles: Mapping[str, int] | None = None,
    *,
    first: int = 0,
    seconds: float = TIME_LIMIT,
    progress: Callable[[int, Collection[str]], None] = lambda case, living: None,
) -> Power:
    """Put the cases of a campaign to mutants until each is found wrong or there are no more cases.

    The constants that cases take are those of the detectors without the faults. A case that such a detector fails as
    well says nothing about the mutant and does not count.

    Args:
        cases: the number of the first case that is left out.
        profiles: how often each profile is used; by default as in a campaign.
        first: the number of the first case; greater than 0 to go on with the survivors of an earlier run.
        progress: called after each case with its number and those of the mutants at hand that are alive.
    """
    system, wrong = cases_of("carlson_lisper"), as_wrong(mutants)
    constants = system.constants({name: each.unaltered for name, each in wrong.items()})
    return of_systems.power(
        wrong,
        system,
        system.maker(seed, profiles or system.PROFILES, None, 0, constants),
        seed,
        range(first, cases),
        seconds=seconds,
        progress=progress,
    )


def as_wrong(mutants: Mapping[str, WrongDetector]) -> dict[str, Wrong]:
    """Mutants of this algebra as wrong detectors of any."""
    return {name: Wrong(partial(ready, mutant), mutant.unaltered) for name, mutant in mutants.items()}


def ready(mutant: WrongDetector) -> AnyFactory:
    """A factory that is fast to call; where its program cannot even be loaded, one that says so each time."""
    if not isinstance(mutant, DerivedMutant):
        return mutant
    try:
        return mutant.factory()
    except Exception:  # whatever a wrong program raises is found out again by the first case
        return mutant
