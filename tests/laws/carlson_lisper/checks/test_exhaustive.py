"""The exhaustive check: truth tables over all streams, against evaluating the streams one by one."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest

from laws.carlson_lisper.checks import exhaustive
from laws.carlson_lisper.checks.counterexamples import (
    Counterexample,
    RestrictionCounterexample,
    contradicts,
    replay_restriction,
)
from laws.carlson_lisper.checks.exhaustive import check_exhaustively, pool_size
from laws.carlson_lisper.checks.truth_tables import MAX_TABLE_BITS
from laws.carlson_lisper.claims import Claim, EquationClaim, RestrictionClaim, canaries, catalogue, find
from laws.carlson_lisper.mutations import ALTERED_OPERATORS, AlteredOperator
from laws.standings import Standing
from semantics.carlson_lisper.expressions import BoundValues
from semantics.carlson_lisper.occurrences import Occurrence, Streams
from semantics.carlson_lisper.operators import OPERATORS, Operators
from semantics.errors import LimitExceeded
from tests.laws.carlson_lisper.conjectures import all_streams, conjecture


def choices(claim: EquationClaim) -> Iterator[tuple[Streams, BoundValues]]:
    """Every choice that the check ranges over, written as streams, for claims without side conditions."""
    for gaps in product(range(exhaustive.MAX_GAP + 1), repeat=pool_size(len(claim.variables)) - 1):
        times = [sum(gaps[:place]) for place in range(len(gaps) + 1)]
        occurrences = [Occurrence(f"x{number}", time) for number, time in enumerate(times, start=1)]
        for streams in product(all_streams(occurrences), repeat=len(claim.variables)):
            for values in product(range(exhaustive.MAX_BOUND + 1), repeat=len(claim.parameters)):
                yield (
                    dict(zip(claim.variables, streams, strict=True)),
                    dict(zip(claim.parameters, values, strict=True)),
                )


ONE = ["A + A == A", "A[t] == A", "A ; A <= A + A", "A[t][2] == A[min(t, 2)]"]
TWO = ["A ; B == B ; A", "A - B <= A", "A ~= A - (B ; B)", "A | B ~= B | A | A"]
ALTERED = ALTERED_OPERATORS[2].operators()


@pytest.mark.parametrize(
    ("statement", "bits", "operators"),
    [
        *((one, 7, OPERATORS) for one in ONE),  # up to three occurrences
        ("A - A[t] == A", 7, ALTERED),
        *((two, 6, OPERATORS) for two in TWO),  # up to two, which are 64 choices of two streams
    ],
)
def test_truth_tables_agree_with_evaluating_all_streams_one_by_one(
    statement: str, bits: int, operators: Operators, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exhaustive, "MAX_TABLE_BITS", bits)
    claim = conjecture(statement)
    outcome = check_exhaustively(claim, operators)
    failing = [choice for choice in choices(claim) if contradicts(claim, *choice, operators)]
    assert outcome.standing is (Standing.REFUTED if failing else Standing.TESTED)
    if not failing:
        assert outcome.cases == sum(1 for _ in choices(claim))


@pytest.mark.parametrize("claim", canaries(), ids=lambda claim: claim.id)
def test_every_canary_is_refuted_by_a_trace(claim: Claim) -> None:
    outcome = check_exhaustively(claim)
    assert outcome.standing is Standing.REFUTED
    found = outcome.counterexample
    if isinstance(claim, RestrictionClaim):
        assert isinstance(found, RestrictionCounterexample)
        return
    assert isinstance(found, Counterexample)
    assert found.left != found.right
    assert len(found.trace) <= 4


@pytest.mark.slow
@pytest.mark.parametrize("claim", catalogue(), ids=lambda claim: claim.id)
def test_every_claim_of_the_source_survives_and_says_how_far_it_was_tested(claim: Claim) -> None:
    outcome = check_exhaustively(claim)
    assert (outcome.standing, "all streams over" in outcome.bound) == (Standing.TESTED, True)
    if isinstance(claim, EquationClaim) and claim.parameters:
        assert f"bounds up to {exhaustive.MAX_BOUND} ticks" in outcome.bound


@pytest.mark.parametrize("alteration", ALTERED_OPERATORS, ids=lambda alteration: alteration.operator)
def test_an_altered_operator_makes_a_law_false(alteration: AlteredOperator) -> None:
    (law,) = find([alteration.law])
    assert check_exhaustively(law).standing is Standing.TESTED
    assert check_exhaustively(law, alteration.operators()).standing is Standing.REFUTED


@pytest.mark.parametrize("name", OPERATORS)
def test_a_theorem_about_restrictions_fails_without_one_of_its_assumptions(name: str) -> None:
    (claim,) = find([f"theorem:4.6.{name}"])
    assert isinstance(claim, RestrictionClaim)
    weaker = replace(claim, id="weaker", restrictions=claim.restrictions[1:])  # without rem(S, S')
    outcome = check_exhaustively(weaker)
    assert outcome.standing is Standing.REFUTED
    found = outcome.counterexample
    assert isinstance(found, RestrictionCounterexample)
    assert replay_restriction(weaker, found.streams, found.bound) is not None
    assert replay_restriction(claim, found.streams, found.bound) is None


def test_a_primitive_event_type_has_single_occurrences_at_different_times() -> None:
    assert check_exhaustively(conjecture("A == A[t]")).standing is Standing.REFUTED
    assert check_exhaustively(conjecture("A == A[t]", "A")).standing is Standing.TESTED
    assert check_exhaustively(conjecture("A + A == A[0] | (A ; A)", "A")).standing is Standing.TESTED
    assert check_exhaustively(conjecture("A + A == A[0] | (A ; A)")).standing is Standing.REFUTED


@pytest.mark.parametrize("streams", range(1, 30))
def test_a_truth_table_never_exceeds_its_limit(streams: int) -> None:
    size = pool_size(streams)
    assert size == 1 or streams * (2**size - 1) <= MAX_TABLE_BITS


def test_more_identifiers_than_a_truth_table_can_hold_are_refused() -> None:
    many = " | ".join(f"A{number}" for number in range(40))
    with pytest.raises(LimitExceeded, match="40 identifiers"):
        check_exhaustively(conjecture(f"{many} == {many}"))
