"""Altered definitions on small streams and short runs: each is noticed, or says the same as the source's."""

import pytest

from laws.carlson_lisper.altered.alterations import Failure
from laws.carlson_lisper.altered.definitions import (
    SOURCE,
    AlteredDefinition,
    Definitions,
    altered_definitions,
)
from laws.carlson_lisper.checks.counterexamples import Counterexample, RestrictionCounterexample
from proofs.carlson_lisper.runs.altered import find_contradiction, noticed_by_run
from proofs.carlson_lisper.runs.definitions import STATED
from semantics.carlson_lisper.operators import OPERATORS
from tests.laws.carlson_lisper.altered.symbols import altered_symbols
from tests.smt.carlson_lisper.test_alterations import UNNOTICED

ALTERED = {altered.id: altered for altered in (*altered_definitions(), *altered_symbols())}

SAMPLE = 12
"""The quick test takes every so many-th altered definition."""


def test_nothing_is_noticed_under_the_definitions_of_the_source() -> None:
    assert find_contradiction(SOURCE) is None
    same = Definitions(altered_operators=tuple(OPERATORS.values()))
    assert noticed_by_run(AlteredDefinition("none", "neg", "nothing", same)) is None


@pytest.mark.parametrize("name", list(ALTERED)[::SAMPLE])
def test_some_altered_definitions_are_noticed_by_streams_or_a_run(name: str) -> None:
    assert (noticed_by_run(ALTERED[name]) is None) == (name in UNNOTICED)


@pytest.mark.long
def test_every_altered_definition_is_noticed_by_streams_or_a_run_unless_it_says_the_same() -> None:
    assert {name for name, altered in ALTERED.items() if noticed_by_run(altered) is None} == set(UNNOTICED)


@pytest.mark.parametrize(
    ("name", "claim"),
    [
        ("≅.1#8", "Def. 4.3"),
        ("primitive.2#5", "Def. 3.3, 3.4"),
        ("primitive.3#1", "Def. 3.3, 3.4"),
        ("valid.1#1", "lemma:5.1"),
        ("valid.1#22", "lemma:5.2"),
        ("valid.2~2", "lemma:5.4"),
        ("seq~1", "lemma:5.5"),
    ],
)
def test_it_is_told_what_notices(name: str, claim: str) -> None:
    found = noticed_by_run(ALTERED[name])
    assert isinstance(found, Failure)
    assert found.claim == claim
    evidence = found.evidence
    assert (
        evidence.summary() if isinstance(evidence, Counterexample | RestrictionCounterexample) else evidence
    )


def test_a_relation_that_is_not_symmetric_is_told_with_streams() -> None:
    found = STATED["Def. 4.3"](ALTERED["≅.1#8"].definitions)
    assert found is not None
    assert found.summary() == "symmetric fails with S = {a@0, a@1}, {a@1}; T = {a@1}"


def test_an_output_that_later_instances_make_invalid_is_told_with_its_time() -> None:
    found = noticed_by_run(ALTERED["valid.2~2"])
    assert found is not None
    assert str(found.evidence).endswith("the step outputs ⟨⟩ at 0, which is not valid in the end")
