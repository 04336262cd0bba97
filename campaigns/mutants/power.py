"""Power of a campaign: how many wrong detectors it finds, and after how many cases.

The cases of a campaign are put to mutants instead of a detector. Each case is generated and given its meaning once for
all mutants that are still alive; the number of the first case that finds a mutant wrong is when it dies. The curve of
deaths against cases tells how long a campaign is worth running: where it is flat, more cases of this kind find little.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from statistics import median_low

from campaigns.judging.verdicts import TIME_LIMIT, Kind
from campaigns.systems import NO_CORPUS, AnyCase, CasesOfSystem, Factory, WrongDetector, cases_of


@dataclass(frozen=True)
class Death:
    """The first case that finds a mutant wrong."""

    case: int
    kind: Kind
    detail: str


@dataclass(frozen=True)
class Power:
    """Power of the cases of a campaign against mutants.

    Attributes:
        cases: how many cases each mutant was put to at most, from number 0 on.
    """

    seed: int
    cases: int
    deaths: Mapping[str, Death]
    survivors: tuple[str, ...]

    def followed_by(self, later: Power) -> Power:
        """Both together: the other one went on with the survivors of this one."""
        return Power(self.seed, later.cases, {**self.deaths, **later.deaths}, later.survivors)

    @property
    def rate(self) -> float:
        """The share of mutants that were found wrong; 0 if there are none."""
        mutants = len(self.deaths) + len(self.survivors)
        return len(self.deaths) / mutants if mutants else 0.0

    @property
    def curve(self) -> tuple[tuple[int, int], ...]:
        """The detection power: pairs of a number of cases and how many mutants these kill, where that grows."""
        ends = sorted(death.case + 1 for death in self.deaths.values())
        return tuple({cases: killed for killed, cases in enumerate(ends, start=1)}.items())

    @property
    def median(self) -> int | None:
        """So many cases kill half of the mutants that die; None if none does."""
        return median_low(death.case + 1 for death in self.deaths.values()) if self.deaths else None

    @property
    def worst(self) -> int | None:
        """So many cases kill all mutants that die; None if none does."""
        return max((death.case + 1 for death in self.deaths.values()), default=None)

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
            "deaths": {
                name: {"case": death.case, "kind": str(death.kind), "detail": death.detail}
                for name, death in self.deaths.items()
            },
            "survivors": list(self.survivors),
        }


def power(
    mutants: Mapping[str, WrongDetector],
    system: CasesOfSystem,
    case_of: Callable[[int], AnyCase],
    seed: int,
    cases: range,
    *,
    seconds: float = TIME_LIMIT,
    progress: Callable[[int, Collection[str]], None] = lambda case, living: None,
) -> Power:
    """Put the cases of a campaign to mutants until each is found wrong or there are no more cases.

    A case that the detector without the fault fails as well says nothing about the mutant and does not count.

    Args:
        cases: the numbers of the cases; from greater ones than 0 on to go on with the survivors of an earlier run.
        progress: called after each case with its number and those of the mutants at hand that are alive.
    """
    deaths: dict[str, Death] = {}
    living = {name: mutant.make() for name, mutant in mutants.items()}
    for number in cases:
        if not living:
            break
        case = case_of(number)
        meaning = system.meaning(case)
        for name, death in _killed(living, system, case, meaning, seconds):
            if system.judge(case, mutants[name].unaltered, seconds=seconds, meaning=meaning).ok:
                deaths[name] = death
                del living[name]
        progress(number, living.keys())
    known = {name: deaths[name] for name in mutants if name in deaths}
    return Power(seed, cases.stop, known, tuple(name for name in mutants if name not in known))


def _killed(
    living: Mapping[str, Factory], system: CasesOfSystem, case: AnyCase, meaning: object, seconds: float
) -> Iterator[tuple[str, Death]]:
    for name, factory in list(living.items()):
        verdict = system.judge(case, factory, seconds=seconds, meaning=meaning)
        if verdict.kind is not None:
            yield name, Death(case.number, verdict.kind, verdict.detail)


def power_of(
    name: str,
    seed: int,
    cases: range,
    *,
    seconds: float = TIME_LIMIT,
    progress: Callable[[int, Collection[str]], None] = lambda case, living: None,
) -> Power:
    """Put the cases of a campaign to the wrong detectors of a system by its name; see `power`.

    The constants that cases take are those of the detectors without the faults.
    """
    system = cases_of(name)
    wrong = system.telling()
    constants = system.constants({one: each.unaltered for one, each in wrong.items()})
    case_of = system.maker(seed, system.PROFILES, NO_CORPUS, 0, constants)
    return power(wrong, system, case_of, seed, cases, seconds=seconds, progress=progress)
