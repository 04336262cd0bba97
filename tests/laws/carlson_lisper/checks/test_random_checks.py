"""Random checks: they find what is planted, small and replayed, and repeat for a seed."""

from collections.abc import Callable

import pytest

from laws.carlson_lisper.checks.counterexamples import Counterexample, RestrictionCounterexample, replay
from laws.carlson_lisper.checks.random_checks import check_on_expressions, check_on_streams
from laws.carlson_lisper.claims import EquationClaim, RestrictionClaim, check, find
from laws.outcomes import TestOutcome
from laws.standings import Standing
from semantics.carlson_lisper.restriction import rem
from semantics.formulas import ForAll, In
from tests.laws.carlson_lisper.conjectures import conjecture

PLANTED, CANARY = conjecture("(A ; B)[t] == A[t] ; B[t]"), conjecture("A - (A - B) == A")


@pytest.mark.parametrize(("claim", "method"), [(PLANTED, check_on_expressions), (CANARY, check_on_streams)])
def test_a_false_claim_is_refuted_with_a_small_trace(claim: EquationClaim, method: Callable[..., TestOutcome]) -> None:
    outcome = method(claim, examples=300, seed_number=1)
    found = outcome.counterexample
    assert outcome.standing is Standing.REFUTED
    assert isinstance(found, Counterexample)
    assert replay(claim, found.substitution, found.bounds, found.trace) == found
    assert len(found.trace) <= 3


@pytest.mark.slow
@pytest.mark.parametrize("method", [check_on_streams, check_on_expressions])
def test_the_same_seed_gives_the_same_outcome(method: Callable[..., TestOutcome]) -> None:
    first, second = (method(conjecture("A + A == A"), examples=20, seed_number=7) for _ in range(2))
    assert first == second


@pytest.mark.parametrize("name", ["23", "34", "theorem:4.6.seq"])
def test_a_true_claim_survives_every_check_and_none_calls_that_a_proof(name: str) -> None:
    (claim,) = find([name])
    outcomes = list(check(claim, examples=25, seed_number=3))
    assert {outcome.standing for outcome in outcomes} == {Standing.TESTED}
    kinds = ["exhaustive", "streams", "expressions"]
    assert [outcome.method for outcome in outcomes] == kinds[: 3 if isinstance(claim, EquationClaim) else 2]
    assert all(outcome.cases >= 25 and outcome.bound for outcome in outcomes)


def test_a_false_claim_about_restrictions_is_refuted_with_streams_that_satisfy_its_assumption() -> None:
    lossless = (("S within S'", ForAll("s", "S", In("s", "S'"))),)
    claim = RestrictionClaim("conjecture", "", ("S", "S'"), (("S", "S'"),), lossless, "")
    found = check_on_streams(claim, examples=200, seed_number=0).counterexample
    assert isinstance(found, RestrictionCounterexample)
    assert rem(found.streams["S"], found.streams["S'"])
    assert len(found.streams["S"]) == 2
    assert found.streams["S"] > found.streams["S'"]
    assert found.summary().startswith("S within S' fails with")
