"""Mutants that are none: no difference within a bound that is said, and the comparison does see differences."""

from dataclasses import replace

import pytest

from campaigns.carlson_lisper.judge import judge
from campaigns.carlson_lisper.mutants.derived import derived_mutants
from campaigns.carlson_lisper.mutants.equivalent import EQUIVALENT
from campaigns.carlson_lisper.mutants.power import power
from tests.campaigns.carlson_lisper.mutants.bounded import SMALL, Bound, differences

TINY = Bound(("a | b", "a + b", "a - b", "((a ; b) | a) ; b", "a ; (b ; a)[2]", "(a ; a)[1] - b"), "ab", 3)


def test_equivalent_mutants_are_derived_ones_each_with_a_reason() -> None:
    assert EQUIVALENT.keys() <= derived_mutants().keys()
    assert all(EQUIVALENT.values())


def test_some_equivalent_mutants_do_not_differ_on_any_tiny_trace() -> None:
    assert differences({name: derived_mutants()[name] for name in list(EQUIVALENT)[::60]}, TINY) == {}


@pytest.mark.long
def test_equivalent_mutants_do_not_differ_on_any_small_trace() -> None:
    assert differences({name: derived_mutants()[name] for name in EQUIVALENT}, SMALL) == {}


def test_equivalent_mutants_survive_a_campaign() -> None:
    some = {name: derived_mutants()[name] for name in list(EQUIVALENT)[1::48]}
    assert power(some, seed=5, cases=40).deaths == {}


def test_the_comparison_finds_the_first_difference_of_what_is_not_equivalent() -> None:
    names = ("figure2:steps.NegationStep.step:3:lt-le", "figure4:steps.BoundedSequenceStep.step:8:lt-le")
    found = differences({name: derived_mutants()[name] for name in names}, TINY)
    assert found.keys() == set(names)
    for name, case in found.items():
        assert not judge(case, derived_mutants()[name]).ok


def test_a_bound_says_what_was_compared() -> None:
    assert str(replace(TINY, ticks=2, apart=9)).startswith(
        "all 16 traces of 2 ticks that are 9 apart over a, b,"
    )
    assert [str(o) for o in list(replace(TINY, apart=9).cases())[1].occurrences] == ["a@18"]
    assert str(TINY) == "all 64 traces of 3 ticks over a, b, for 6 expressions"
    assert sum(1 for _ in TINY.cases()) == 6 * TINY.traces
