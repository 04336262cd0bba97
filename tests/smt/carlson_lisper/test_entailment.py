"""Whether an equation follows from laws by equational reasoning."""

import pytest

from laws.carlson_lisper.claims import law
from semantics.carlson_lisper.expressions import BoundParameter
from semantics.carlson_lisper.syntax import parse_equation
from smt.carlson_lisper.entailment import FOLLOWS, FOLLOWS_NOT, Question, decide
from tests.smt.fakes import z3

T, U = BoundParameter("t"), BoundParameter("u")


@pytest.mark.parametrize(
    ("says", "cited", "where", "expected"),
    [
        ("A | A == A", (), (), FOLLOWS_NOT),
        ("A | B == A | B", (), (), FOLLOWS),
        ("(A - B) - B == A - B", (1, 11), (), FOLLOWS),
        ("(A - B) - B == A - B", (1, 13), (), FOLLOWS_NOT),
        ("A[t][u] == A[t]", (24,), (("<=", T, U),), FOLLOWS),
        ("A[t][u] == A[t]", (24,), (("<=", U, T),), FOLLOWS_NOT),
        ("E == E[0]", (23,), (), FOLLOWS_NOT),
    ],
)
def test_what_follows_is_proved_and_what_does_not_fails_in_an_algebra(
    says: str, cited: tuple[int, ...], where: tuple[tuple[str, BoundParameter, BoundParameter], ...], expected: str
) -> None:
    question = Question(parse_equation(says), tuple(map(law, cited)), conditions=where)
    assert decide(question, z3())[0] == expected


def test_event_types_and_assumptions_are_fixed() -> None:
    about_events = Question(parse_equation("E == E[0]"), (law(23),), primitive=frozenset("E"))
    assert decide(about_events, z3())[0] == FOLLOWS
    assumed = (parse_equation("A == B"),)
    assert decide(Question(parse_equation("A + C == B + C"), (), assumed), z3())[0] == FOLLOWS
    assert decide(Question(parse_equation("B == C"), (), assumed), z3())[0] == FOLLOWS_NOT
