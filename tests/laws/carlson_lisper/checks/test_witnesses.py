"""Witnesses: what a claim assumes can be true, and what says nothing has none."""

from typing import get_args

import pytest

from laws.carlson_lisper.checks.exhaustive import Side, is_witness, simple_witness
from laws.carlson_lisper.claims import Claim, EquationClaim, RestrictionClaim, catalogue, find
from semantics.carlson_lisper.denotation import denotation
from semantics.carlson_lisper.occurrences import Stream
from semantics.carlson_lisper.restriction import rem
from tests.laws.carlson_lisper.conjectures import conjecture


@pytest.mark.parametrize("claim", catalogue(), ids=lambda claim: claim.id)
def test_every_claim_of_the_source_has_a_simple_witness(claim: Claim) -> None:
    for side in get_args(Side):
        streams = simple_witness(claim, side)
        assert streams is not None
        match claim:
            case EquationClaim():
                expression = claim.equation.left if side == "left" else claim.equation.right
                assert denotation(expression, streams, dict.fromkeys(claim.parameters, 9))
            case RestrictionClaim():
                pairs = [pair for pair in claim.restrictions if pair[0] in streams]
                assert pairs or claim.derived or not claim.restrictions
                assert all(rem(streams[whole], streams[part]) and streams[part] for whole, part in pairs)


@pytest.mark.parametrize("statement", ["A - A <= B", "(A ; B)[0] <= C", "(A ; B) - (A ; B) <= C"])
def test_a_side_that_is_always_empty_has_no_witness(statement: str) -> None:
    claim = conjecture(statement)
    assert simple_witness(claim, "left") is None
    assert simple_witness(claim, "right") is not None


def test_empty_streams_are_no_witness() -> None:
    (theorem,) = find(["theorem:4.5"])
    nothing: dict[str, Stream] = dict.fromkeys(("A", "S", "T", "T'"), frozenset())
    assert not is_witness(theorem, "left", nothing, {})
    assert not is_witness(conjecture("A == A | A"), "left", nothing, {})


def test_a_primitive_identifier_of_a_witness_is_one_event_type() -> None:
    streams = simple_witness(conjecture("a ; b == a + b", "a", "b"), "left")
    assert streams is not None
    assert streams["a"] and streams["b"]
    assert not streams["a"] & streams["b"]
