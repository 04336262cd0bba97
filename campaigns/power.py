"""Power of a campaign: how many wrong detectors it finds, and after how many cases.

A mutant dies by the first case that finds it wrong. Where the curve of deaths against cases is flat, more cases of this
kind find little.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from statistics import median_low

from campaigns.judging.verdicts import TIME_LIMIT, Kind
from campaigns.mutants import Mutant
from campaigns.systems import NO_CORPUS, AnyCase, CasesOfSystem, cases_of


@dataclass(frozen=True)
class Death:
    """The first case that finds a mutant wrong."""

    case: int
    kind: Kind
    detail: str


@dataclass(frozen=True)
class Power:
    """Power of the cases of a campaign against mutants, each put to so many cases at most, from number 0 on."""

    seed: int
    cases: int
    deaths: Mapping[str, Death]
    survivors: tuple[str, ...]

    def followed_by(self, later: Power) -> Power:
        """Both together: the other one went on with the survivors of this one."""
        return Power(self.seed, later.cases, {**self.deaths, **later.deaths}, later.survivors)

    @property
    def _ends(self) -> list[int]:
        return sorted(death.case + 1 for death in self.deaths.values())

    @property
    def curve(self) -> tuple[tuple[int, int], ...]:
        """The detection power: pairs of a number of cases and how many mutants these kill, where that grows."""
        return tuple({cases: killed for killed, cases in enumerate(self._ends, start=1)}.items())

    @property
    def median(self) -> int | None:
        """So many cases kill half of the mutants that die; None if none does."""
        return median_low(self._ends) if self.deaths else None

    @property
    def worst(self) -> int | None:
        """So many cases kill all mutants that die; None if none does."""
        return max(self._ends, default=None)

    def to_json(self) -> dict[str, object]:
        """As plain data."""
        return {
            "seed": self.seed,
            "cases": self.cases,
            "mutants": len(self.deaths) + len(self.survivors),
            "killed": len(self.deaths),
            "median": self.median,
            "worst": self.worst,
            "curve": [list(point) for point in self.curve],
            "deaths": {name: asdict(death) for name, death in self.deaths.items()},
            "survivors": list(self.survivors),
        }


Progress = Callable[[str, int], None]  # Is told after each case how many mutants are alive, in words, and its place


def power(
    mutants: Mapping[str, Mutant],
    system: CasesOfSystem,
    case_of: Callable[[int], AnyCase],
    seed: int,
    cases: range,
    *,
    seconds: float = TIME_LIMIT,
    progress: Progress = lambda alive, done: None,
) -> Power:
    """Put the cases of a campaign to mutants until each is found wrong or there are no more cases.

    A case that the detector without the fault fails as well says nothing about the mutant and does not count.
    """
    deaths: dict[str, Death] = {}
    living = {name: mutant.make() for name, mutant in mutants.items()}
    for number in cases:
        if not living:
            break
        case = case_of(number)
        meaning = system.meaning(case)
        for name, factory in list(living.items()):
            found = system.judge(case, factory, seconds=seconds, meaning=meaning)
            right = mutants[name].unaltered
            if found.kind is not None and system.judge(case, right, seconds=seconds, meaning=meaning).ok:
                deaths[name] = Death(number, found.kind, found.detail)
                del living[name]
        progress(f"{len(living)} alive", number + 1)
    known = {name: deaths[name] for name in mutants if name in deaths}
    return Power(seed, cases.stop, known, tuple(name for name in mutants if name not in known))


def power_of(name: str, seed: int, cases: range, *, progress: Progress = lambda alive, done: None) -> Power:
    """Put the cases of a campaign to the wrong detectors of a system, with the constants of those without faults."""
    system = cases_of(name)
    wrong = system.telling()
    constants = system.constants({one: each.unaltered for one, each in wrong.items()})
    case_of = system.maker(seed, system.PROFILES, NO_CORPUS, 0, constants)
    return power(wrong, system, case_of, seed, cases, progress=progress)
