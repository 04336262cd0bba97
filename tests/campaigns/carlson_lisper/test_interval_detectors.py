"""Detectors of starts and ends in campaigns: right ones pass, wrong ones are found."""

import pytest

from campaigns.carlson_lisper.cases import generate
from campaigns.carlson_lisper.judge import judge
from campaigns.carlson_lisper.mutants import KILLED_WITHIN, THOUGHT_OF, TellingMutant
from campaigns.carlson_lisper.profiles import profile_weights
from detectors.carlson_lisper.catalogue import INTERVAL_DETECTORS
from tests.campaigns.carlson_lisper.wrong import Made, first_failure

FASTER = {name: mutant for name, mutant in THOUGHT_OF.items() if mutant.altered not in ("figure2", "figure4")}


@pytest.mark.parametrize("name", INTERVAL_DETECTORS)
def test_every_detector_of_starts_and_ends_passes_some_cases(name: str) -> None:
    verdicts = [judge(generate(11, number), INTERVAL_DETECTORS[name], seconds=60) for number in range(50)]
    assert [verdict.detail for verdict in verdicts if verdict.kind is not None] == []
    assert sum(verdict.refused for verdict in verdicts) <= 10
    assert sum(verdict.ok and not verdict.vacuous for verdict in verdicts) > 15


@pytest.mark.slow
@pytest.mark.parametrize("mutant", FASTER.values(), ids=FASTER)
def test_every_wrong_detector_of_starts_and_ends_is_found(mutant: TellingMutant) -> None:
    found = first_failure(mutant, 0)
    assert found is not None
    number, kind = found
    assert number < KILLED_WITHIN / 2
    assert judge(generate(0, number), mutant).kind is kind


def test_faster_detectors_of_each_kind_have_mutants() -> None:
    assert {mutant.altered for mutant in FASTER.values()} == {"generated"}


def test_a_mutant_without_its_fault_is_not_found_wrong() -> None:
    sound = Made("sound", INTERVAL_DETECTORS["generated"], INTERVAL_DETECTORS["generated"])
    assert first_failure(sound, 0, limit=40) is None


def test_the_expressions_of_a_pool_happen_and_are_few() -> None:
    pool = profile_weights({"pool": 1})
    cases = [generate(3, number, pool) for number in range(200)]
    assert len({str(case.expression) for case in cases}) == 8
    verdicts = [judge(case, INTERVAL_DETECTORS["generated"]) for case in cases]
    assert all(verdict.ok for verdict in verdicts)
    assert sum(verdict.vacuous for verdict in verdicts) < 60
