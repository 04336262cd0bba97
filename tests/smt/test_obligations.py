"""Obligations: texts that depend on the claim and the definitions, on nothing else, and that solvers can read."""

import hashlib

import pytest

from laws.carlson_lisper.claims import Claim, EquationClaim, find, laws
from laws.carlson_lisper.mutations import ALTERED_OPERATORS, AlteredOperator
from semantics.carlson_lisper.expressions import Operation, bottom_up
from smt.carlson_lisper.obligations import AXIOMS, BASE_AXIOMS, directions, obligation, stream_symbol
from smt.smtlib import conjunction, disjunction, negation
from tests.laws.carlson_lisper.conjectures import conjecture
from tests.tables import table


def operators_of(claim: EquationClaim) -> set[str]:
    nodes = [*bottom_up(claim.equation.left), *bottom_up(claim.equation.right)]
    return {node.operator for node in nodes if isinstance(node, Operation)}


def test_an_obligation_can_be_read_by_people() -> None:
    (law,) = find(["12"])
    assert obligation(law, "⊇").text.splitlines() == [
        "; law:12 ⊇: A - (B - B) == A",
        "; unsatisfiable: the claim holds for all event streams",
        "(set-logic UFLIA)",
        "(declare-sort Instance 0)",
        "(declare-fun start (Instance) Int)",
        "(declare-fun end (Instance) Int)",
        "(declare-fun join (Instance Instance) Instance)",
        "(declare-fun A (Instance) Bool)",
        "(declare-fun B (Instance) Bool)",
        *(f"(assert {AXIOMS[name]})" for name in BASE_AXIOMS),
        "(assert (not (forall ((a1 Instance)) (=> (A a1) (and (A a1) (not (exists ((b1 Instance)) (and (B b1)"
        " (and (not (exists ((b2 Instance)) (and (B b2) (and (<= (start b1) (start b2)) (<= (end b2) (end b1))))))"
        " (and (<= (start a1) (start b1)) (<= (end b1) (end a1))))))))))))",
        "(check-sat)",
    ]


def test_an_equation_has_two_directions_an_inclusion_one_and_a_theorem_its_conclusions() -> None:
    assert directions(conjecture("A == B")) == ("⊆", "⊇")
    assert directions(conjecture("A ~= B")) == ("⊆", "⊇")
    assert directions(conjecture("A <= B")) == ("⊆",)
    (theorem,) = find(["theorem:4.6.con"])
    assert directions(theorem) == ("condition 1", "condition 2", "condition 3")


def test_the_hash_is_that_of_the_text() -> None:
    made = [obligation(claim, direction) for claim in laws() for direction in directions(claim)]
    assert all(each.sha256 == hashlib.sha256(each.text.encode()).hexdigest() for each in made)
    assert len({each.sha256 for each in made}) == len(made)


@pytest.mark.parametrize("alteration", ALTERED_OPERATORS, ids=lambda alteration: alteration.operator)
def test_altering_an_operator_changes_the_obligations_of_exactly_the_laws_that_use_it(
    alteration: AlteredOperator,
) -> None:
    def texts(law: Claim, **options: object) -> list[str]:
        return [obligation(law, d, **options).text for d in directions(law)]  # type: ignore[arg-type]

    changed = {law.id for law in laws() if texts(law) != texts(law, operators=alteration.operators())}
    assert changed == {law.id for law in laws() if alteration.operator in operators_of(law)}


def test_a_capital_letter_stands_for_itself_and_any_other_name_is_set_apart() -> None:
    names = ["A", "S'", "x1", "start", "let", "a1", "A1", "_", "Instance", "and"]
    assert [stream_symbol(name) for name in names[:3]] == ["A", "|S'|", "|stream.x1|"]
    assert len({stream_symbol(name) for name in names}) == len(names)
    assert {stream_symbol(name)[:8] for name in names[2:]} == {"|stream."}


@pytest.mark.parametrize(("parts", "both", "any_of"), table(__file__, "connectives"))
def test_connectives_leave_out_what_says_nothing(parts: list[str], both: str, any_of: str) -> None:
    assert (conjunction(parts), disjunction(parts)) == (both, any_of)


@pytest.mark.parametrize("part", ["p", "true", "false", "(and p q)"])
def test_a_double_negation_is_no_negation(part: str) -> None:
    assert negation(negation(part)) == part
