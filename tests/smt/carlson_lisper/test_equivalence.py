"""What solvers prove of two patterns: only what automata say too, and without regard to how large bounds are."""

from collections.abc import Iterator
from typing import get_args

import pytest
from hypothesis import given, settings, strategies as st

from laws.carlson_lisper.checks.strategies import expressions
from laws.standings import Standing
from semantics.carlson_lisper.decisions import LEVELS, DecidedRelation, Decider, Level
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.syntax import parse
from smt.carlson_lisper.law_proofs import prove_patterns
from smt.solvers.portfolio import Portfolio, installed
from tests.smt.fakes import z3
from tests.tables import table

RELATIONS: tuple[DecidedRelation, ...] = get_args(DecidedRelation)


@pytest.fixture(scope="module")
def portfolio() -> Iterator[Portfolio]:
    with installed() as solvers:
        yield solvers


@pytest.mark.parametrize(("left", "right", "level", "relation"), table(__file__, "too-large"))
def test_a_relation_is_proved_whose_automata_would_be_too_large(
    left: str, right: str, level: Level, relation: DecidedRelation, portfolio: Portfolio
) -> None:
    found = prove_patterns(parse(left), parse(right), level, relation, portfolio)
    assert found is not None
    assert found.standing.unbounded
    assert len(found.obligations) == (1 if relation == "inclusion" else 2)


def test_what_two_solvers_prove_is_agreed_and_what_one_proves_is_not(portfolio: Portfolio) -> None:
    left, right = parse("(a ; b)[100000]"), parse("(a ; b)[100000] | (a ; b)[99999]")
    alone = prove_patterns(left, right, "meaning", "equivalence", Portfolio([z3()]))
    together = prove_patterns(left, right, "meaning", "equivalence", portfolio)
    assert alone is not None and alone.standing is Standing.PROVED
    assert together is not None
    assert together.standing is (Standing.AGREED if len(portfolio.solvers) > 1 else Standing.PROVED)


@pytest.mark.parametrize("level", LEVELS)
def test_what_differs_is_not_proved(level: Level, portfolio: Portfolio) -> None:
    left, right = parse("(a ; b)[1000000]"), parse("(a ; b)[1000001]")
    assert prove_patterns(left, right, level, "equivalence", portfolio) is None
    assert prove_patterns(right, left, level, "inclusion", portfolio) is None
    assert prove_patterns(left, right, level, "inclusion", portfolio) is not None


small = expressions(("a", "b"), max_leaves=3, max_bound=1)


@pytest.mark.long
@settings(deadline=None, max_examples=25)
@given(small, small, st.sampled_from(LEVELS), st.sampled_from(RELATIONS))
def test_what_is_proved_is_what_automata_decide(
    left: Expression, right: Expression, level: Level, relation: DecidedRelation
) -> None:
    found = prove_patterns(left, right, level, relation, Portfolio([z3()]))
    if found is not None:
        assert Decider((left, right)).decide(left, right, level, relation).holds
