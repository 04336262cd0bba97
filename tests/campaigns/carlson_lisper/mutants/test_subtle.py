"""Faults that need rare circumstances are found nevertheless."""

import pytest

from campaigns.carlson_lisper.mutants.power import power
from campaigns.carlson_lisper.mutants.telling import KILLED_WITHIN, THOUGHT_OF
from semantics.carlson_lisper.syntax import parse

SUBTLE = {
    name: mutant
    for name, mutant in THOUGHT_OF.items()
    if mutant.altered in ("figure2", "figure4") and not mutant.operator
}


@pytest.mark.long
@pytest.mark.parametrize("seed", [0, 1])
def test_every_subtle_fault_is_found(seed: int) -> None:
    assert power(SUBTLE, seed, KILLED_WITHIN).survivors == ()


def test_a_subtle_fault_does_not_show_where_nothing_brings_it_about() -> None:
    for name, mutant in SUBTLE.items():
        if not name.startswith(("instant", "label")):
            detector = mutant(parse("a ; b"))
            assert repr(detector.step(3, {"a": None})) == "None"  # type: ignore[union-attr]
            assert repr(detector.step(5, {"b": None})) == "{a@3, b@5}"  # type: ignore[union-attr]
