"""The wrong detectors that a campaign is measured by are wrong: a change of the code that they alter may undo one."""

from itertools import chain

import pytest

from campaigns.carlson_lisper.cases import generate
from campaigns.carlson_lisper.judge import judge
from campaigns.carlson_lisper.mutants import MUTANTS, TELLING
from campaigns.judging.regressions import own_regressions
from semantics.carlson_lisper.operators import OPERATORS

FIRST = 1_000
"""Nearly all are found by a stored case; the others have to be by one of so many generated ones."""


@pytest.mark.parametrize("name", TELLING)
def test_every_wrong_detector_is_found_by_a_stored_case_or_a_generated_one(name: str) -> None:
    wrong = TELLING[name]
    stored = (regression.verdict(wrong) for regression in own_regressions())
    generated = (judge(generate(0, number), wrong) for number in range(FIRST))
    assert any(verdict.kind is not None for verdict in chain(stored, generated))


def test_every_operator_has_a_mutant() -> None:
    assert {mutant.operator for mutant in MUTANTS.values()} == set(OPERATORS)
