"""Representative times and bounds: nothing that comparisons can tell apart is left out."""

from itertools import product

import pytest

from laws.alterations import ALTERATIONS
from laws.claims import EquationClaim, find
from laws.definitions import altered_definitions
from laws.representatives import (
    Representative,
    compares_lengths_only,
    outcome_of,
    parameters_of,
    representatives,
)
from semantics.operators import OPERATORS
from semantics.syntax import parse_equation

ALTERED = {a.definition.name: a for a in ALTERATIONS}["tim"].operators()


def conjecture(statement: str) -> EquationClaim:
    return EquationClaim("conjecture", parse_equation(statement))


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
    names = parameters_of(claim)
    for steps in product(range(6), repeat=occurrences - 1):
        times = tuple(sum(steps[:place]) for place in range(occurrences))
        for chosen in product(range(8), repeat=len(names)):
            bounds = dict(zip(names, chosen, strict=True))
            first = known[outcome_of(claim, times, bounds, operators)]  # type: ignore[arg-type]
            own = (times[-1], times, chosen)
            assert (first.times[-1], first.times, tuple(first.bounds[name] for name in names)) <= own


def test_too_many_choices_are_given_up_and_said_so() -> None:
    many = " | ".join(f"A[t{number}]" for number in range(9))
    assert representatives(conjecture(f"{many} == A"), 3, OPERATORS) is None
    assert representatives(conjecture("A[100000] == A"), 3, OPERATORS) is None
    assert representatives(conjecture("A[100000] == A"), 2, OPERATORS) is not None


def test_a_definition_that_does_more_with_the_bound_is_looked_at_more_closely() -> None:
    assert compares_lengths_only(OPERATORS)
    assert not compares_lengths_only(ALTERED)
    assert not any(
        compares_lengths_only(altered.definitions.operators)
        for altered in altered_definitions()
        if altered.name == "tim"
    )


def test_the_bound_of_a_claim_about_restrictions_counts() -> None:
    (claim,) = find(["theorem:4.6.tim"])
    assert parameters_of(claim) == ("t",)
    assert parameters_of(find(["theorem:4.6.seq"])[0]) == ()
