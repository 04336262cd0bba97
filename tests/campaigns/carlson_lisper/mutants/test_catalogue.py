import pytest

from campaigns.carlson_lisper.cases import generate
from campaigns.carlson_lisper.judge import judge
from campaigns.carlson_lisper.mutants.telling import KILLED_WITHIN, MUTANTS, TellingMutant
from detectors.carlson_lisper.source.figure2 import Figure2
from semantics.carlson_lisper.operators import OPERATORS
from tests.campaigns.carlson_lisper.wrong import first_failure


@pytest.mark.parametrize("mutant", MUTANTS.values(), ids=MUTANTS.keys())
def test_every_mutant_is_found_wrong(mutant: TellingMutant) -> None:
    seed = 1  # tests of minimising look for failures of seed 0
    found = first_failure(mutant, seed)
    assert found is not None
    number, kind = found
    assert number < KILLED_WITHIN / 2
    assert judge(generate(seed, number), mutant).kind is kind
    assert judge(generate(seed, number), Figure2).ok


def test_every_operator_has_a_mutant() -> None:
    assert {mutant.operator for mutant in MUTANTS.values()} == set(OPERATORS)


def test_a_mutant_that_is_not_found_wrong_is_none() -> None:
    assert first_failure(MUTANTS["seq-newest"], 0, limit=0) is None
