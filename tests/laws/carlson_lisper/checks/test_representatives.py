"""Representative times and bounds: nothing that comparisons can tell apart is left out."""

from itertools import combinations_with_replacement, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laws.carlson_lisper.checks.representatives import (
    Representative,
    compares_lengths_only,
    outcome_of,
    representatives,
)
from laws.carlson_lisper.claims import EquationClaim, find
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
    statement: str, occurrences: int, operators: dict[str, object]
) -> None:
    claim = conjecture(statement)
    levels = representatives(claim, occurrences, operators)  # type: ignore[arg-type]
    assert levels is not None
    assert [span for span, _ in levels] == sorted(span for span, _ in levels)
    known: dict[object, Representative] = {}
    for span, level in levels:
        for representative in level:
            assert representative.times[-1] == span
            outcome = outcome_of(claim, representative.times, representative.bounds, operators)  # type: ignore[arg-type]
            assert known.setdefault(outcome, representative) is representative
    names = claim.parameters
    for steps in product(range(6), repeat=occurrences - 1):
        times = tuple(sum(steps[:place]) for place in range(occurrences))
        for chosen in product(range(8), repeat=len(names)):
            bounds = dict(zip(names, chosen, strict=True))
            first = known[outcome_of(claim, times, bounds, operators)]  # type: ignore[arg-type]
            own = (times[-1], times, chosen)
            assert (first.times[-1], first.times, tuple(first.bounds[name] for name in names)) <= own


def by_enumeration(claim: EquationClaim, occurrences: int, operators: Operators, greatest: int) -> list[Representative]:
    """The first of every outcome among all times, and all bounds that occur as distances or next to one."""
    found: dict[object, Representative] = {}
    names = claim.parameters
    for span in range(4 * greatest + 8 if occurrences > 1 else 1):
        for inner in combinations_with_replacement(range(span + 1), max(occurrences - 2, 0)):
            times = (0, *inner, span)[:occurrences]
            distances = {later - earlier for earlier in times for later in times if earlier <= later}
            values = sorted(distances | {distance + 1 for distance in distances})
            for chosen in product(values, repeat=len(names)):
                bounds = dict(zip(names, chosen, strict=True))
                outcome = outcome_of(claim, times, bounds, operators)
                found.setdefault(outcome, Representative(times, bounds))
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
    levels = representatives(claim, occurrences, operators)
    assert levels is not None
    found = [representative for _, level in levels for representative in level]
    assert found == by_enumeration(claim, occurrences, operators, 3)


@given(st.integers(10, 10**17), st.integers(0, 3), st.integers(1, 3))
def test_large_bounds_have_as_many_representatives_as_small_ones(bound: int, more: int, occurrences: int) -> None:
    """The first is far from 0 and from the second one, so that sums and halves of the bounds do not meet."""

    def times(first: int, second: int) -> list[int]:
        levels = representatives(conjecture(f"A[{first}] == A[{second}]"), occurrences, OPERATORS)
        assert levels is not None
        return [len(level) for _, level in levels if level]

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


def test_the_bound_of_a_claim_about_restrictions_counts() -> None:
    (claim,) = find(["theorem:4.6.tim"])
    assert claim.parameters == ("t",)
    assert find(["theorem:4.6.seq"])[0].parameters == ()
