"""Representative times and bounds: nothing that comparisons can tell apart is left out."""

from collections import Counter
from itertools import product

import pytest
from hypothesis import given, strategies as st

from laws.carlson_lisper.checks.representatives import bounds_of, compares_lengths_only, outcome_of, representatives
from laws.carlson_lisper.mutations import ALTERED_OPERATORS
from semantics.carlson_lisper.operators import OPERATORS, Operators
from tests.laws.carlson_lisper.conjectures import changed_operators, conjecture

ALTERED = {a.definition.name: a for a in ALTERED_OPERATORS}["tim"].operators()


@pytest.mark.parametrize("occurrences", [1, 2, 3])
@pytest.mark.parametrize("statement", ["A == A", "A[t][u] == A", "A[0] == A[max(t, u)]", "A[3] | A[min(t, 1)] == A[2]"])
@pytest.mark.parametrize("operators", [OPERATORS, ALTERED], ids=["as defined", "with < for <="])
def test_every_outcome_of_the_comparisons_has_a_representative_and_the_first_of_it(
    statement: str, occurrences: int, operators: Operators
) -> None:
    claim = conjecture(statement)
    found, lengths_only = representatives(claim, occurrences, operators), compares_lengths_only(operators)
    assert found is not None
    assert [times[-1] for times, _ in found] == sorted(times[-1] for times, _ in found)
    known = {outcome_of(bounds_of(claim), *each, lengths_only): each for each in found}
    assert len(known) == len(found)
    names = claim.parameters
    for steps in product(range(6), repeat=occurrences - 1):
        times = tuple(sum(steps[:place]) for place in range(occurrences))
        for chosen in product(range(8), repeat=len(names)):
            bounds = dict(zip(names, chosen, strict=True))
            first, values = known[outcome_of(bounds_of(claim), times, bounds, lengths_only)]
            assert (first[-1], first, tuple(values[name] for name in names)) <= (times[-1], times, chosen)


@given(st.integers(10, 10**17), st.integers(0, 3), st.integers(1, 3))
def test_large_bounds_have_as_many_representatives_as_small_ones(bound: int, more: int, occurrences: int) -> None:
    def times(first: int, second: int) -> list[int]:
        found = representatives(conjecture(f"A[{first}] == A[{second}]"), occurrences, OPERATORS)
        assert found is not None
        return list(Counter(times[-1] for times, _ in found).values())

    assert times(bound, bound + more) == times(10, 10 + more)


def test_too_many_choices_are_given_up_and_said_so() -> None:
    many = " | ".join(f"A[t{number}]" for number in range(9))
    assert representatives(conjecture(f"{many} == A"), 3, OPERATORS) is None
    assert representatives(conjecture("A[100000] == A"), 4, OPERATORS) is None


def test_a_definition_that_does_more_with_the_bound_is_looked_at_more_closely() -> None:
    assert compares_lengths_only(OPERATORS)
    assert not compares_lengths_only(ALTERED)
    assert not any(
        compares_lengths_only({**OPERATORS, operator.name: operator})
        for _, operator in changed_operators()
        if operator.name == "tim"
    )
