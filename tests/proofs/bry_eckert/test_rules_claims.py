"""What evaluation step by step rests on: proved by both solvers, and not where a symbol is changed."""

from dataclasses import replace

import pytest

from laws.bry_eckert.catalogue import canaries, everything
from laws.bry_eckert.claims import TupleClaim
from laws.standings import Standing
from proofs.proving import prove_claims
from smt.smtlib import TimeSort
from smt.solvers.portfolio import Portfolio, installed


@pytest.fixture(scope="module")
def portfolio() -> Portfolio:
    with installed() as found:
        return found


@pytest.mark.parametrize("time", ["int", "real"])
def test_every_claim_is_agreed_by_both_solvers_and_assumes_nothing_impossible(
    portfolio: Portfolio, time: TimeSort
) -> None:
    for result in prove_claims(everything(), portfolio, time=time):
        assert result.standing is result.claim.expected is Standing.AGREED, result.claim.id
        assert [part.hypotheses for part in result.obligations] == ["satisfiable"], result.claim.id


def test_false_claims_are_refuted_with_values_that_both_solvers_confirm(portfolio: Portfolio) -> None:
    for result in prove_claims(canaries(), portfolio):
        assert result.standing is result.claim.expected is Standing.REFUTED, result.claim.id
        assert result.counterexample is not None


NEEDED = {
    "rules:preservation/absence": 1,
    "rules:preservation/group": 1,
    "rules:streaming/right": 1,
    "rules:suppression/right": 1,
    "rules:suppression/timer": 0,
    "rules:relevance/minimal": 0,
    "rules:relevance/later": 1,
}
"""By claim, an assumption without which it is false."""


@pytest.mark.parametrize("name", NEEDED)
def test_without_what_it_needs_a_claim_is_refuted(portfolio: Portfolio, name: str) -> None:
    (claim,) = (one for one in everything() if one.id == name)
    assert isinstance(claim, TupleClaim)
    given = tuple(one for place, one in enumerate(claim.given) if place != NEEDED[name])
    (result,) = prove_claims([replace(claim, given=given)], portfolio)
    assert result.standing is Standing.REFUTED


@pytest.mark.parametrize(("old", "new"), [("(>= ", "(< "), ("(<= ", "(> "), ("(< ", "(>= ")])
def test_a_changed_symbol_in_a_conclusion_is_noticed(portfolio: Portfolio, old: str, new: str) -> None:
    changed = [
        replace(claim, says=claim.says.replace(old, new, 1))
        for claim in everything()
        if isinstance(claim, TupleClaim) and old in claim.says and "(ite" not in claim.says
    ]
    assert changed
    for result in prove_claims(changed, portfolio):
        assert result.standing is Standing.REFUTED, result.claim.id
