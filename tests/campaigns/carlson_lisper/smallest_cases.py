"""Smallest cases for behaviours, found by generating and minimising."""

from __future__ import annotations

from campaigns.carlson_lisper.cases import Case, generate
from campaigns.carlson_lisper.coverage.behaviours import covered
from campaigns.carlson_lisper.profiles import DEFAULT_PROFILES
from campaigns.choices import Weights
from campaigns.judging.minimise import minimise
from campaigns.judging.verdicts import Kind, Verdict

_MET = Verdict(Kind.DISAGREEMENT, "", ())  # minimisation keeps a failure; which one is of no concern
_NOT_MET = Verdict(None, "", ())


def first_case(
    behaviour: str, seed: int, limit: int, profiles: Weights[str] = DEFAULT_PROFILES
) -> Case | None:
    """The first case of a campaign that meets a behaviour, or None.

    Args:
        behaviour: one of `campaigns.carlson_lisper.coverage.behaviours.BEHAVIOURS`.
        seed: the campaign's seed.
        limit: how many cases are tried.
        profiles: how often each profile is used.
    """
    cases = (generate(seed, number, profiles) for number in range(limit))
    return next((case for case in cases if behaviour in covered(case, all_groups=True)), None)


def smallest(behaviour: str, case: Case) -> Case:
    """A case that no single reduction makes smaller without losing the behaviour that the given one meets."""

    def judge(smaller: Case) -> Verdict:
        return _MET if behaviour in covered(smaller, all_groups=True) else _NOT_MET

    return minimise(case, _MET, judge).case
