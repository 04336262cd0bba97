"""Accounts of pairs of terms: chains of laws that can be followed, and traces that can be replayed."""

from random import Random

import pytest

from discovery.carlson_lisper.accounts import Account, Accounts
from discovery.carlson_lisper.exploring import Exploration, explore
from discovery.carlson_lisper.judging import judge_by
from laws.carlson_lisper.checks.counterexamples import replay
from laws.carlson_lisper.claims import EquationClaim, everything
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.syntax import Equation, parse_equation
from semantics.errors import InputError
from smt.solvers.portfolio import installed
from tests.discovery.carlson_lisper.steps import replayed

KNOWN = {claim.id: claim for claim in everything() if isinstance(claim, EquationClaim)}


@pytest.fixture(scope="module")
def explored() -> Exploration:
    with installed() as portfolio:
        return explore("detection", 5, judge_by(portfolio), variables="AB", bounds=2, known=KNOWN.values())


@pytest.fixture(scope="module")
def accounts(explored: Exploration) -> Accounts:
    return Accounts(explored, KNOWN)


def followed(account: Account) -> Expression:
    """The term to which the steps of an account lead from its left side; each is checked to be what it says."""
    assert account.steps is not None
    return replayed(account.equation.left, account.steps, frozenset())


@pytest.mark.slow
def test_a_chain_of_laws_leads_from_one_term_to_the_other(explored: Exploration, accounts: Accounts) -> None:
    table, random, chains = explored.table, Random(0), 0
    for row in random.sample(range(len(table.rows)), 300):
        term, other = table.term(row), table.representative(int(table.class_of[row]))
        for one, two in ((term, other), (other, term)):  # and back again
            (account, *_) = accounts.accounts(Equation(one, two, "~="))
            if not account.condition:  # a law of two bounds is told of min(t, u), where t is the smaller one
                assert followed(account) == account.equation.right
                chains += bool(account.steps)
    assert chains > 200


@pytest.mark.slow
def test_a_trace_tells_terms_of_different_classes_apart(explored: Exploration, accounts: Accounts) -> None:
    table, random = explored.table, Random(1)
    for _ in range(60):
        one, other = (table.representative(random.randrange(len(table.row_of))) for _ in range(2))
        if one != other:
            for account in accounts.accounts(Equation(one, other, "~=")):
                found = account.counterexample
                assert account.equal is False and found is not None
                claim = EquationClaim("apart", Equation(found.left_expression, found.right_expression, "~="))
                assert replay(claim, {}, {}, found.trace) is not None


@pytest.mark.slow
def test_an_equation_keeps_its_names_or_is_told_with_which_others_it_is_answered(accounts: Accounts) -> None:
    equation = parse_equation("(x | y) - x ~= y - x")
    assert accounts.names(equation) == {"x": "A", "y": "B"}
    (account,) = accounts.accounts(equation)
    assert account.equal and str(account.equation) == "(A | B) - A ~= B - A"
    below, above = accounts.accounts(parse_equation("A[t][u] ~= A[t]"))
    assert (below.bounds, below.equal) == ({"t": "t", "u": "u"}, True)
    assert (above.bounds, above.equal, str(above.equation)) == ({"u": "t", "t": "u"}, False, "A[u][t] ~= A[u]")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "reason"),
    [("A | (B | (A | B)) ~= A", "has 7 nodes"), ("A | B ~= C", "3 variables"), ("A[3] ~= A", "the bound 3")],
)
def test_what_was_not_explored_is_refused(accounts: Accounts, text: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        accounts.accounts(parse_equation(text))
