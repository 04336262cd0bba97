"""The catalogue of claims: complete, as the source states it, and found by name."""

import re

import pytest

from laws.carlson_lisper.claims import EquationClaim, canaries, catalogue, find, laws, laws_from_toml, theorems
from laws.claims import find as find_claims
from semantics.carlson_lisper.operators import OPERATORS
from semantics.carlson_lisper.syntax import parse_equation
from semantics.errors import InputError

FROM_THE_SOURCE = """
    1   A ∨ A ≡ A
    2   A ∨ B ≡ B ∨ A
    3   A + B ≡ B + A
    4   A ∨ (B ∨ C) ≡ (A ∨ B) ∨ C
    5   A + (B + C) ≡ (A + B) + C
    6   A ; (B ; C) ≡ (A ; B) ; C
    7   (A ∨ B) + C ≡ (A + C) ∨ (B + C)
    8   (A ∨ B) ; C ≡ (A ; C) ∨ (B ; C)
    9   A ; (B ∨ C) ≡ (A ; B) ∨ (A ; C)
    10  A + (B ∨ C) ≡ (A + B) ∨ (A + C)
    11  (A - B) - C ≡ A - (B ∨ C)
    12  A - (B - B) ≡ A
    13  (A ∨ B) - C ≡ (A - C) ∨ (B - C)
    14  (A + B) - C ≡ ((A - C) + B) - C
    15  (A ; B) - C ≡ ((A - C) ; B) - C
    16  (A ; B) - C ≡ (A ; (B - C)) - C
    17  (A - B) - B ≡ A - B
    18  (A - B) - C ≡ (A - C) - B
    19  (A ∨ B) - C ≡ ((A - C) ∨ B) - C
    20  (A ∨ B) - C ≡ (A ∨ (B - C)) - C
    21  (A + B) - C ≡ (A + (B - C)) - C
    22  (A - B) - C ≡ ((A - C) - B) - C
    23  A ≡ A[t]
    24  (A[t])[u] ≡ A[min(t, u)]
    25  (A ∨ B)[t] ≡ A[t] ∨ B[t]
    26  (A + B)[t] ≡ (A[t] + B)[t]
    27  (A - B)[t] ≡ A[t] - B
    28  (A - B)[t] ≡ (A - B[t])[t]
    29  (A ; B)[t] ≡ (A[t] ; B)[t]
    30  (A ; B)[t] ≡ (A ; B[t])[t]
    31  (A[t])[u] ≡ (A[u])[t]
    32  (A ∨ B)[t] ≡ (A[t] ∨ B)[t]
    33  (A ∨ B)[t] ≡ (A ∨ B[t])[t]
    34  A[t] ∨ B[u] ≡ (A[t] ∨ B[u])[max(t, u)]
    35  (A + B)[t] ≡ (A + B[t])[t]
    36  (A - B)[t] ≡ A[t] - B[t]
"""
"""Theorems 4.2-4.4 with their corollaries, typed once more; law 28 as its proof shows it."""


def test_the_36_laws_are_those_of_the_source() -> None:
    lines = [line.split(maxsplit=1) for line in FROM_THE_SOURCE.strip().splitlines()]
    typed = {f"law:{number}": parse_equation(statement) for number, statement in lines}
    assert len(typed) == 36
    assert [(law.id, law.equation) for law in laws()] == list(typed.items())
    sources = ["Theorem 4.2"] * 9 + ["Corollary 4.1"] + ["Theorem 4.3"] * 6 + ["Corollary 4.2"] * 6
    assert [law.source for law in laws()] == [*sources, *["Theorem 4.4"] * 8, *["Corollary 4.3"] * 6]
    assert {law.id: law.condition for law in laws() if law.primitive} == {"law:23": "A is a primitive event type"}


def test_every_claim_has_an_id_of_its_own_and_is_stated_somewhere() -> None:
    claims = (*catalogue(), *canaries())
    assert len({claim.id for claim in claims}) == len(claims)
    assert all(claim.source for claim in catalogue())


def test_theorem_4_6_is_stated_for_each_operator() -> None:
    named = {claim.id: claim for claim in theorems()}
    assert list(named) == ["theorem:4.5", *(f"theorem:4.6.{name}" for name in OPERATORS)]
    assert named["theorem:4.6.tim"].statement == "rem(S, S') and rem(tim(S', τ), U) imply rem(tim(S, τ), U)"
    assert [claim.id for claim in theorems() if claim.parameters] == ["theorem:4.6.tim"]


@pytest.mark.parametrize(
    ("names", "ids"),
    [
        (["law:14", "14"], ["law:14"]),
        (["theorem:4.5", "2"], ["theorem:4.5", "law:2"]),
        (["theorem:4.6"], [f"theorem:4.6.{name}" for name in OPERATORS]),
        (["canary:3", "relation:unique"], ["canary:3", "relation:unique"]),
    ],
)
def test_claims_are_found_by_id_in_the_order_asked_and_once_each(names: list[str], ids: list[str]) -> None:
    assert [claim.id for claim in find(names)] == [claim.id for claim in find_claims(names)] == ids


@pytest.mark.parametrize("name", ["37", "law:", "", "theorem:4.6.xor", "theorem:4"])
def test_a_claim_that_does_not_exist_is_an_error_that_says_how_to_list_them(name: str) -> None:
    with pytest.raises(InputError, match=re.escape(repr(name))) as caught:
        find(["1", name])
    assert "remora laws list" in caught.value.remedy


def test_a_side_condition_about_what_does_not_occur_is_refused() -> None:
    with pytest.raises(InputError, match="mine: Z does not occur in A == A"):
        EquationClaim("mine", parse_equation("A == A[t]"), frozenset({"A", "Z"}))


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ('[[law]]\nnumber = 7\nstatement = "A == A | A"', "law:7: the record has no 'reading'"),
        (
            '[[canary]]\nnumber = 2\nstatement = "A | B + C == A"\nreading = ""',
            "canary:2: column 7: | and + stand side",
        ),
    ],
)
def test_a_record_that_cannot_be_read_is_refused_by_name(record: str, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        laws_from_toml(record)
