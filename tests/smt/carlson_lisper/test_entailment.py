"""Whether equations follow from laws, by proof or by a finite algebra."""

import pytest

from laws.carlson_lisper.claims import EquationClaim, law
from semantics.carlson_lisper.syntax import parse_equation
from smt.carlson_lisper.entailment import Question, decide, find_algebra, proof_text
from tests.smt.fakes import z3


def question(says: str, *numbers: int, assume: tuple[str, ...] = (), primitive: str = "") -> Question:
    return Question(
        parse_equation(says), tuple(map(law, numbers)), tuple(map(parse_equation, assume)), (), frozenset(primitive)
    )


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        (question("A | B == B | A", 2), "follows"),
        (question("A | B == B | A", 1, 4), "does not follow"),
        (question("A | B == A", 1, 2, 4), "does not follow"),
        (question("A[t] | B[u] == (A[t] | B[u])[max(t, u)]", 34), "follows"),
        (question("A[t] | B[u] == (A[t] | B[u])[min(t, u)]", 24, 25, 34), "does not follow"),
        (question("A + C == B + C", assume=("A == B",)), "follows"),
        (question("A + C == B + C", assume=("C == B",)), "does not follow"),
        (question("A == A[0]", 23, primitive="A"), "follows"),
        (question("A == A[0]", 23), "does not follow"),
        (question("A == A[0]", 23, primitive="B"), "does not follow"),
        (question("A[min(t, u)] == A[min(u, t)]"), "follows"),
    ],
    ids=lambda value: str(value.equation) if isinstance(value, Question) else value,
)
def test_what_follows_and_what_does_not(asked: Question, status: str) -> None:
    assert decide(asked, z3()).status == status


def test_an_algebra_against_an_equation_has_the_laws_and_not_the_equation() -> None:
    asked = question("(A - B) - B == A - B", 1, 13)
    algebra = decide(asked, z3()).algebra
    assert algebra is not None
    assert all(algebra.satisfies(one) for one in asked.laws)
    assert not algebra.satisfies(EquationClaim("", asked.equation))
    assert algebra.left != algebra.right


def test_there_is_no_algebra_against_what_follows() -> None:
    assert all(find_algebra(question("(A - B) - B == A - B", 1, 11), z3(), size) is None for size in (1, 2, 3))


def test_the_query_names_what_it_asks() -> None:
    assert proof_text(question("A | B == B | A", 2)).startswith("; A | B == B | A from law:2")
