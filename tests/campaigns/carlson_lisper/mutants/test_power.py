"""The power of a campaign: who dies, when, and who survives."""

import pytest

from campaigns.carlson_lisper.mutants import MUTANTS, WrongDetector
from campaigns.mutants.power import Power, power
from detectors.carlson_lisper.source.figure2 import Figure2
from tests.campaigns.carlson_lisper.wrong import Made, first_failure

SOUND = Made("sound", Figure2, Figure2)
FEW: dict[str, WrongDetector] = {name: MUTANTS[name] for name in ("dis-earlier", "seq-overlap", "tim-short")}


@pytest.fixture(scope="module")
def found() -> Power:
    return power({**FEW, "sound": SOUND}, seed=3, cases=250)


def test_each_mutant_dies_by_the_first_case_that_finds_it_wrong(found: Power) -> None:
    for name, mutant in FEW.items():
        death = found.deaths[name]
        assert first_failure(mutant, 3) == (death.case, death.kind)


def test_what_is_not_wrong_survives(found: Power) -> None:
    assert found.survivors == ("sound",)
    assert found.rate == 0.75


def test_the_curve_counts_the_dead_against_the_cases(found: Power) -> None:
    deaths = sorted(death.case + 1 for death in found.deaths.values())
    assert found.curve[-1] == (deaths[-1], 3)
    assert found.median == deaths[1]
    assert found.worst == deaths[2]
    assert all(earlier < later for earlier, later in zip(found.curve, found.curve[1:], strict=False))


def test_it_goes_on_with_the_survivors_of_an_earlier_run(found: Power) -> None:
    first = power({**FEW, "sound": SOUND}, seed=3, cases=5)
    everyone: dict[str, WrongDetector] = {**FEW, "sound": SOUND}
    left = {name: everyone[name] for name in first.survivors}
    assert first.followed_by(power(left, seed=3, cases=250, first=5)).deaths == found.deaths


def test_a_case_that_the_detector_itself_fails_does_not_count() -> None:
    wrong = MUTANTS["seq-overlap"]
    as_wrong = Made("as wrong", wrong, wrong)
    assert power({"as wrong": as_wrong}, seed=3, cases=250).survivors == ("as wrong",)
