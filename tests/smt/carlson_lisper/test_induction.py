"""Induction over instances: true conjectures that need it are proved, their false neighbours are not."""

from collections.abc import Iterator

import pytest

from laws.standings import Standing
from smt.attempts import prove_all
from smt.carlson_lisper.induction import by_induction
from smt.carlson_lisper.law_proofs import LawProof
from smt.smtlib import TimeSort
from smt.solvers.portfolio import Portfolio
from tests.laws.carlson_lisper.conjectures import conjecture
from tests.smt.fakes import z3

PARTS = ["base 1", "step 1", "⊆ by induction", "⊇ by induction"]


@pytest.fixture(scope="module")
def portfolio() -> Iterator[Portfolio]:
    with Portfolio([z3()]) as found:
        yield found


@pytest.mark.parametrize("time", ["int", "real"])
@pytest.mark.parametrize(
    "statement", ["A - (B - (B ; C)) == A - B", "A - (B - (C ; B)) == A - B", "A ; B ~= (A - (A ; A)) ; B"]
)
def test_what_needs_a_shortest_instance_is_proved_with_base_and_step(
    statement: str, time: TimeSort, portfolio: Portfolio
) -> None:
    (result,) = prove_all([LawProof(conjecture(statement))], portfolio, time=time)
    assert result.standing is Standing.PROVED
    assert [part.obligation.direction for part in result.obligations] == PARTS
    assert all(f"conjecture/{name}" == part.obligation.id for name, part in zip(PARTS, result.obligations, strict=True))
    assert {part.obligation.time for part in result.obligations} == {time}


@pytest.mark.parametrize(
    "statement",
    [
        "A - (B - (B + C)) == A - B",
        "A - (B - (C ; C)) == A - B",
        "A - (B - B) == A - B",
        "A ; B ~= (A - (A + A)) ; B",
        "A ; B == (A - (A ; A)) ; B",
        "(A - (A ; A)) ; B == A ; B",
    ],
)
def test_false_neighbours_are_not_proved_but_refuted(statement: str, portfolio: Portfolio) -> None:
    assert by_induction(conjecture(statement), portfolio, "int", 0) == ()
    (result,) = prove_all([LawProof(conjecture(statement))], portfolio)
    assert result.standing is Standing.REFUTED
