"""Representative times and bounds: nothing that comparisons can tell apart is left out."""

from collections import Counter
from itertools import combinations_with_replacement, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laws.carlson_lisper.checks.representatives import (
    Representative,
    bound_values,
    bounds_of,
    compares_lengths_only,
    outcome_of,
    representatives,
)
from laws.carlson_lisper.claims import EquationClaim
from laws.carlson_lisper.mutations import ALTERED_OPERATORS
from semantics.carlson_lisper.operators import OPERATORS, Operators
from tests.laws.carlson_lisper.conjectures import changed_operators, conjecture

ALTERED = {a.definition.name: a for a in ALTERED_OPERATORS}["tim"].operators()


@pytest.mark.parametrize("occurrences", [1, 2, 3])
@pytest.mark.parametrize(
    "statement", ["A == A", "A[t] == A", "A[t][u] == A", "A[min(t, 2)] == A[1]", "A[0] == A[max(t, u)]"]
)
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


def by_enumeration(claim: EquationClaim, occurrences: int, operators: Operators, greatest: int) -> list[Representative]:
    """The first of every outcome among all times, and all bounds that occur as distances or next to one."""
    found: dict[object, Representative] = {}
    names, lengths_only = claim.parameters, compares_lengths_only(operators)
    for span in range(4 * greatest + 8 if occurrences > 1 else 1):
        for inner in combinations_with_replacement(range(span + 1), max(occurrences - 2, 0)):
            times = (0, *inner, span)[:occurrences]
            for chosen in product(bound_values(times, lengths_only=False), repeat=len(names)):
                bounds = dict(zip(names, chosen, strict=True))
                found.setdefault(outcome_of(bounds_of(claim), times, bounds, lengths_only), (times, bounds))
    return list(found.values())


bound_texts = st.one_of(
    st.integers(0, 3).map(str),
    st.sampled_from(["t", "u"]),
    st.builds("{}({}, {})".format, st.sampled_from(["min", "max"]), st.sampled_from("tu"), st.integers(0, 3)),
)


@settings(deadline=None, max_examples=30)
@given(st.lists(bound_texts, min_size=1, max_size=4), st.sampled_from([2, 3, 3]), st.sampled_from([OPERATORS, ALTERED]))
def test_the_few_times_that_are_looked_at_give_the_same_as_all_times(
    bounds: list[str], occurrences: int, operators: Operators
) -> None:
    claim = conjecture(" | ".join(f"A[{bound}]" for bound in bounds) + " == A")
    found = representatives(claim, occurrences, operators)
    assert found == by_enumeration(claim, occurrences, operators, 3)


@given(st.integers(10, 10**17), st.integers(0, 3), st.integers(1, 3))
def test_large_bounds_have_as_many_representatives_as_small_ones(bound: int, more: int, occurrences: int) -> None:
    """The first is far from 0 and from the second one, so that sums and halves of the bounds do not meet."""

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
