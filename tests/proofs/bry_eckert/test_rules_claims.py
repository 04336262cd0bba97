"""What evaluation step by step rests on: proved by both solvers, and not where a symbol is changed."""

from dataclasses import replace

import pytest

from laws.bry_eckert.catalogue import canaries, everything
from laws.standings import Standing
from proofs.bry_eckert.proving import TupleProof
from proofs.proving import prove_claims
from smt.bry_eckert.histories import Definitions, History
from smt.smtlib import TimeSort, written
from smt.solvers.portfolio import Portfolio, installed
from tests.tables import table


@pytest.fixture(scope="module")
def portfolio() -> Portfolio:
    with installed() as found:
        return found


@pytest.mark.long
@pytest.mark.parametrize("time", ["int", "real"])
def test_every_claim_is_agreed_by_both_solvers_and_assumes_nothing_impossible(
    portfolio: Portfolio, time: TimeSort
) -> None:
    for result in prove_claims(everything(), portfolio, time=time):
        assert result.standing is result.claim.expected is Standing.AGREED, result.claim.id
        assert [part.hypotheses for part in result.obligations] == ["satisfiable"], result.claim.id


@pytest.mark.long
def test_false_claims_are_refuted_by_histories(portfolio: Portfolio) -> None:
    for result in prove_claims(canaries(), portfolio):
        assert result.standing is result.claim.expected is Standing.REFUTED, result.claim.id
        assert result.counterexample is not None


@pytest.mark.long
def test_without_any_of_what_it_assumes_a_claim_is_refuted_by_a_history(portfolio: Portfolio) -> None:
    for claim in everything():
        for place in range(len(claim.given)):
            less = replace(claim, given=(*claim.given[:place], *claim.given[place + 1 :]))
            assert TupleProof(less).refute(0, portfolio).counterexample is not None, (claim.id, place)


def test_a_false_claim_is_refuted_by_a_history_that_shows_it(
    portfolio: Portfolio, monkeypatch: pytest.MonkeyPatch
) -> None:
    (claim,) = (one for one in canaries() if one.id == "rules:canary/projection")
    (result,) = prove_claims([claim], portfolio)
    assert result.counterexample is not None
    assert result.counterexample.summary() == (
        "tuple 1: m = 0, f = tuple 2, E; tuple 2: m = 6, f = tuple 1; t = tuple 2, now = 0"
    )
    monkeypatch.setattr(History, "holds", lambda *_: True)
    search = TupleProof(claim).refute(0, portfolio)
    assert search.unconfirmed and search.counterexample is None


SOME = ("some", "(E t) (exists ((u Tuple)) (and (E u) (near u t)))")
OLD = ("old", "(now E t) (and (E t) (< (m t) now))")


@pytest.mark.parametrize(("formula", "written_out"), table(__file__, "written-out"))
def test_definitions_are_written_out_and_no_variable_is_caught(formula: str, written_out: str) -> None:
    assert written(Definitions([SOME, OLD]).expanded(formula)) == written_out


def test_a_definition_takes_as_many_arguments_as_it_has_parameters() -> None:
    with pytest.raises(ValueError, match="old has 3 parameters, and 2 arguments"):
        Definitions([OLD]).expanded("(old now R)")


@pytest.mark.parametrize(
    ("old", "new"), [pytest.param("(>= ", "(< ", marks=pytest.mark.slow), ("(<= ", "(> "), ("(< ", "(>= ")]
)
def test_a_changed_symbol_in_a_conclusion_is_noticed(portfolio: Portfolio, old: str, new: str) -> None:
    changed = [replace(claim, says=claim.says.replace(old, new, 1)) for claim in everything() if old in claim.says]
    assert changed
    for result in prove_claims(changed, portfolio):
        assert result.standing is Standing.REFUTED, result.claim.id
