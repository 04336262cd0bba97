"""Axioms: all follow from them, none can be left out, as algebras show; the records are all the laws up to a size."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import pytest

from discovery.carlson_lisper.algebras import Algebra, algebra_without
from discovery.carlson_lisper.axioms import Axioms, axioms
from discovery.carlson_lisper.exploring import Answer, Exploration, explore, known_laws
from laws.carlson_lisper.claims import EquationClaim, discovered, everything, find
from semantics.carlson_lisper.decisions import Level
from semantics.carlson_lisper.expressions import size

KNOWN = {claim.id: claim for claim in everything() if isinstance(claim, EquationClaim)}
SIGN = r"==|\[=\]|~="
ONE_PROVER = {
    "A | (A + (A | B)) == A + (A | B)",
    "(A + (A | B)) ; C [=] (A | (A + B)) ; C",
    "A + (A + (A | B)) [=] A + (A | B)",
    "(A | B) + (A ; B) ~= A + (B + (A ; B))",
}
"""Laws of up to seven nodes that are no records, as one solver alone proves them."""


def nothing_new(claims: Sequence[EquationClaim]) -> list[Answer]:
    """A judge that is asked nothing."""
    assert not claims, [claim.statement for claim in claims]
    return []


@cache
def explored(level: Level, nodes: int, types: bool = False) -> Exploration:
    return explore(level, nodes, nothing_new, types=types, known=KNOWN.values())


@cache
def chosen() -> Axioms:
    return axioms(explored("detection", 4), KNOWN)


@pytest.mark.slow
@pytest.mark.parametrize("types", [False, True])
@pytest.mark.parametrize("level", ["meaning", "intervals", "detection"])
def test_the_records_are_all_the_laws_of_up_to_five_nodes(level: Level, types: bool) -> None:
    found = explored(level, 5, types)
    assert (found.findings, found.totals.open) == ((), 0)


@pytest.mark.long
@pytest.mark.parametrize("level", ["meaning", "intervals", "detection"])
def test_of_up_to_seven_nodes_none_is_found_but_those_that_one_solver_proves(level: Level) -> None:
    asked = set[str]()

    def judge(claims: Sequence[EquationClaim]) -> list[Answer]:
        asked.update(claim.statement for claim in claims)
        return [(claim.expected, None) for claim in claims]

    explore(level, 6, nothing_new, known=KNOWN.values())
    explore(level, 7, judge, known=KNOWN.values())
    assert {re.sub(SIGN, "", text) for text in asked} <= {re.sub(SIGN, "", text) for text in ONE_PROVER}


@pytest.mark.slow
def test_none_of_the_axioms_can_be_left_out_and_a_larger_size_keeps_those_that_a_smaller_one_needs() -> None:
    found = chosen()
    assert {axiom.id for axiom in found.axioms} >= {"law:2", "law:3", "law:24", "law:27", "detection:1"}
    assert all(axiom.rows and axiom.first and axiom.least <= found.size for axiom in found.axioms)
    assert [growth.size for growth in found.growth] == [1, 2, 3, 4]
    assert found.growth[-1].axioms == len(found.axioms)
    assert not set(found.derived) & {axiom.id for axiom in found.axioms}
    assert found.derived["discovered:3"]


@pytest.mark.slow
def test_each_algebra_has_all_axioms_but_one() -> None:
    found = chosen()
    laws = {law.id: law for law in known_laws(KNOWN.values(), "detection", 2, types=False)}
    for axiom in found.axioms:
        assert axiom.algebra is not None, axiom.id
        assert {other.id for other in found.axioms if not axiom.algebra.satisfies(laws[other.id])} == {axiom.id}


def test_an_algebra_with_another_table_is_none_and_what_follows_has_none() -> None:
    claims = find(["law:1", "law:12", "discovered:7"])
    idempotent, nothing, rest = known_laws(
        (each for each in claims if isinstance(each, EquationClaim)), "meaning", 2, False
    )
    assert algebra_without(idempotent, [nothing, rest]) is None  # A | A == A | (A - (B - B)) == A
    found = algebra_without(idempotent, [nothing])
    assert isinstance(found, Algebra) and found.satisfies(nothing) and not found.satisfies(idempotent)
    assert replace(found, tables={**found.tables, "dis": ((0, 0), (1, 1))}).satisfies(idempotent)
    assert not replace(found, tables={**found.tables, "neg": ((1, 1), (0, 0))}).satisfies(nothing)


def test_records_of_laws_that_were_found_are_numbered_the_smallest_first_but_for_the_last() -> None:
    found = discovered()
    assert [claim.id for claim in found] == [f"discovered:{number}" for number in range(1, len(found) + 1)]
    sizes = [max(size(claim.equation.left), size(claim.equation.right)) for claim in found[:-1]]
    assert sizes == sorted(sizes)
    assert len({str(claim.equation) for claim in KNOWN.values()}) == len(KNOWN)
    assert all(claim.reading.endswith(".") and claim.source == "discovered" for claim in found)
