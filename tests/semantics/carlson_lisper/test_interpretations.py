"""Interpretations: what is admissible as a scenario (Def. 3.4, 3.5)."""

import pytest
from hypothesis import given, settings

from laws.carlson_lisper.checks.strategies import traces
from semantics.carlson_lisper.interpretations import Interpretation, interpretation
from semantics.carlson_lisper.occurrences import Instance, Occurrence
from semantics.errors import InputError


def test_the_interpretation_of_example_3_1_maps_each_type_to_its_stream() -> None:
    scenario = interpretation(
        [Occurrence("T", 2, 12), Occurrence("T", 3, 14), Occurrence("P", 4, "low"), Occurrence("T", 5, 8)]
    )
    assert scenario["P"] == {Instance.primitive("P", 4, "low")}
    assert {instance.start for instance in scenario["T"]} == {2, 3, 5}


def test_a_type_that_never_occurs_has_the_empty_stream_and_is_not_listed() -> None:
    scenario = interpretation([Occurrence("a", 1)])
    assert scenario["b"] == frozenset()
    assert "b" not in scenario
    assert "a" in scenario
    assert list(scenario) == ["a"]


def test_one_type_does_not_occur_twice_at_one_time() -> None:
    with pytest.raises(InputError, match=r"a occurs twice at time 3.*Def\. 3\.4"):
        interpretation([Occurrence("a", 3, "x"), Occurrence("a", 3, "y")])


def test_a_time_is_a_natural_number() -> None:
    with pytest.raises(InputError, match=r"natural number of ticks \(Def\. 3\.1\)"):
        interpretation([Occurrence("a", -1)])


@settings(deadline=None)
@given(traces())
def test_an_interpretation_is_rebuilt_from_its_occurrences(scenario: Interpretation) -> None:
    listed = scenario.occurrences()
    assert listed == sorted(listed, key=Occurrence.sort_key)
    assert interpretation(reversed(listed)) == scenario
