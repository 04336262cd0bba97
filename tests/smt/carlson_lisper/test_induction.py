"""Induction over instances: true conjectures that need it are proved, their false neighbours are not."""

from collections.abc import Iterator

import pytest

from laws.carlson_lisper.checks.exhaustive import smallest_counterexample
from laws.standings import Standing
from smt.attempts import prove_all
from smt.carlson_lisper.induction import by_induction
from smt.carlson_lisper.law_proofs import LawProof
from smt.smtlib import TimeSort
from smt.solvers.portfolio import Portfolio
from tests.laws.carlson_lisper.conjectures import conjecture
from tests.smt.fakes import z3
from tests.tables import table

PARTS = ["base 1", "step 1", "⊆ by induction", "⊇ by induction"]


@pytest.fixture(scope="module")
def portfolio() -> Iterator[Portfolio]:
    with Portfolio([z3()]) as found:
        yield found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("statement", "time"),
    [
        ("A - (B - (B ; C)) == A - B", "real"),
        ("A - (B - (D | (C ; B))) == A - (B - D)", "int"),
        ("A ; B ~= (A - (A ; A)) ; B", "real"),
        ("A ; (B ; C) [=] A ; ((B - (B ; B)) ; C)", "int"),
    ],
)
def test_what_needs_a_shortest_instance_is_proved_with_base_and_step(
    statement: str, time: TimeSort, portfolio: Portfolio
) -> None:
    parts = by_induction(conjecture(statement), portfolio, time, 0)
    assert [part.obligation.direction for part in parts] == PARTS
    assert [part.obligation.id for part in parts] == [f"conjecture/{name}" for name in PARTS]
    assert {(part.standing, part.obligation.time) for part in parts} == {(Standing.PROVED, time)}


@pytest.mark.slow
def test_a_proof_by_induction_is_found_after_the_attempts_that_need_none(portfolio: Portfolio) -> None:
    (result,) = prove_all([LawProof(conjecture("A ; B ~= (A - (A ; A)) ; B"))], portfolio)
    assert result.standing is Standing.PROVED
    assert [part.obligation.direction for part in result.obligations] == PARTS


@pytest.mark.parametrize("statement", table(__file__, "false-neighbours"))
@pytest.mark.slow
def test_false_neighbours_are_not_proved(statement: str, portfolio: Portfolio) -> None:
    assert smallest_counterexample(conjecture(statement), max_occurrences=3).counterexample is not None
    assert by_induction(conjecture(statement), portfolio, "int", 0) == ()
