"""The catalogue of claims: complete, as the source states it, and found by name."""

import re

import pytest

from laws.carlson_lisper.claims import EquationClaim, canaries, catalogue, find, laws, laws_from_toml, theorems
from laws.claims import false_beside, find as find_claims
from semantics.carlson_lisper.operators import OPERATORS
from semantics.carlson_lisper.syntax import parse_equation
from semantics.errors import InputError
from tests.tables import table


def test_the_36_laws_are_those_of_the_source() -> None:
    statements = enumerate(table(__file__, "from-the-source"), 1)
    typed = {f"law:{number}": parse_equation(statement) for number, statement in statements}
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


def test_a_theorem_comes_with_its_parts_and_with_false_claims_of_its_signs_also_for_each_way_alone() -> None:
    assert len(find_claims(["theorem:ends-now"])) == 6
    for name, numbers in {"3": "1 2 50", "27": "1 4 6 50 52 57", "theorem:4.5": "1 22 50"}.items():
        assert [claim.id for claim in false_beside(find_claims([name]))] == [f"canary:{n}" for n in numbers.split()]


@pytest.mark.parametrize("name", ["37", "law:", "", "theorem:4.6.xor", "theorem:4"])
def test_a_claim_that_does_not_exist_is_an_error_that_says_how_to_list_them(name: str) -> None:
    with pytest.raises(InputError, match=re.escape(repr(name))) as caught:
        find(["1", name])
    assert "remora laws list" in caught.value.remedy


def test_a_side_condition_about_what_does_not_occur_is_refused() -> None:
    with pytest.raises(InputError, match="mine: Z does not occur in A == A"):
        EquationClaim("mine", parse_equation("A == A[t]"), frozenset({"A", "Z"}))


@pytest.mark.parametrize(("record", "message"), table(__file__, "unreadable"))
def test_a_record_that_cannot_be_read_is_refused_by_name(record: str, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        laws_from_toml(record)
