"""Altered definitions on small streams: contradicted where a claim speaks of them."""

import pytest

from laws.carlson_lisper.altered.definitions import altered_definitions
from proofs.carlson_lisper.runs.definitions import find_definition_counterexample

ALTERED = {altered.id: altered.definitions for altered in altered_definitions()}


@pytest.mark.parametrize(
    ("altered", "claim", "part"),
    [
        ("rem.2~1", "lemma:5.1", "condition 2"),
        ("rem.2~3", "corollary:4.4", "T' within T"),
        ("rem.3~1", "lemma:5.1", "condition 3"),
        ("rem.3~1", "theorem:5.1", "primitive condition 3"),
        ("tim~1", "theorem:4.4.infinite", "law 23 ⊆"),
        ("neg~2", "theorem:4.4.infinite", "law 28 ⊇"),
    ],
)
def test_an_altered_definition_is_contradicted_by_small_streams(altered: str, claim: str, part: str) -> None:
    found = find_definition_counterexample(claim, ALTERED[altered])
    assert found is not None
    counterexample, parts = found
    assert part in parts
    assert counterexample.summary()


def test_an_alteration_of_what_a_claim_does_not_speak_of_is_not_held_against_it() -> None:
    assert find_definition_counterexample("theorem:5.1", ALTERED["tim~1"]) is None
    assert find_definition_counterexample("theorem:4.4.infinite", ALTERED["rem.3~1"]) is None
