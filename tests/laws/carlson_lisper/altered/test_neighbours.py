"""The neighbours of claims: all of them, each different in exactly one place."""

from functools import cache

import pytest

from laws.carlson_lisper.altered.definitions import altered_definitions
from laws.carlson_lisper.altered.neighbours import Neighbour, all_neighbours, canonical, neighbours
from laws.carlson_lisper.claims import Claim, EquationClaim, RestrictionClaim, catalogue, find, laws
from semantics.carlson_lisper.expressions import Bound, BoundExtremum, Expression, Identifier, Operation
from semantics.carlson_lisper.operators import OPERATORS
from semantics.errors import InputError
from tests.laws.carlson_lisper.conjectures import conjecture


@cache
def _found(name: str) -> tuple[Neighbour, ...]:
    return neighbours(find([name])[0])


def of_catalogue(claim: Claim) -> tuple[Neighbour, ...]:
    """The neighbours of a claim, made once."""
    return _found(claim.id)


def statements(claim: Claim) -> list[str]:
    return [neighbour.claim.statement for neighbour in neighbours(claim)]


BY_HAND = {
    "2": """
        (A | B)[t] == B | A      A[t] | B == B | A        A | B[t] == B | A
        A | B == (B | A)[t]      A | B == B[t] | A        A | B == B | A[t]
        A + B == B | A           A - B == B | A           A ; B == B | A
        A | B == B + A           A | B == B - A           A | B == B ; A
        B | A == B | A           A | B == A | B
        B | B == B | A           A | A == B | A
        A | B == A | A           A | B == B | B
    """,
    "31": """
        A[t][u][t] == A[u][t]    A[t][u][u] == A[u][t]
        A[t] == A[u][t]          A[u] == A[u][t]
        A[t][t] == A[u][t]       A[u][u] == A[u][t]
        A[t][t][u] == A[u][t]    A[u][t][u] == A[u][t]
        A[t][u] == A[u][t][t]    A[t][u] == A[u][t][u]
        A[t][u] == A[u]          A[t][u] == A[t]
        A[t][u] == A[u][u]       A[t][u] == A[t][t]
        A[t][u] == A[t][u][t]    A[t][u] == A[u][u][t]
    """,
}
"""The neighbours of two laws, written out. What a restriction twice over can be changed into is there once."""


@pytest.mark.parametrize("name", BY_HAND)
def test_the_neighbours_of_a_law_are_those_written_out_by_hand(name: str) -> None:
    (law,) = find([name])
    expected = [
        part.strip() for line in BY_HAND[name].splitlines() for part in line.split("  ") if part.strip()
    ]
    assert sorted(statements(law)) == sorted(expected)


# ---------------------------------------------------------------------------------------------- one thing changed


def bound_differences(left: Bound | None, right: Bound | None) -> int:
    if left == right:
        return 0
    if isinstance(left, BoundExtremum) and isinstance(right, BoundExtremum):
        inside = bound_differences(left.left, right.left) + bound_differences(left.right, right.right)
        return (left.function != right.function) + inside
    return 1


def differences(left: Expression, right: Expression) -> int:
    """The least number of changes that make one expression of the other."""
    if left == right:
        return 0
    found = [9]
    if isinstance(left, Identifier) and isinstance(right, Identifier):
        found.append(1)
    if isinstance(left, Operation) and left.bound is not None:
        found.append(1 + differences(left.operands[0], right))
    if isinstance(right, Operation) and right.bound is not None:
        found.append(1 + differences(left, right.operands[0]))
    if isinstance(left, Operation) and isinstance(right, Operation):
        if len(left.operands) != len(right.operands):
            return min(found)
        here = (left.operator != right.operator) + bound_differences(left.bound, right.bound)
        pairs = list(zip(left.operands, right.operands, strict=True))
        found.append(here + sum(differences(*pair) for pair in pairs))
        if left.operands == right.operands[::-1]:
            found.append(1 + here)
    return min(found)


EQUATIONS = [claim for claim in catalogue() if isinstance(claim, EquationClaim)]
RESTRICTIONS = [claim for claim in catalogue() if isinstance(claim, RestrictionClaim)]


@pytest.mark.parametrize("law", EQUATIONS, ids=lambda law: law.id)
def test_a_neighbour_of_a_law_differs_from_it_in_exactly_one_place(law: EquationClaim) -> None:
    found = of_catalogue(law)
    for neighbour in found:
        other = neighbour.claim
        assert isinstance(other, EquationClaim)
        sides = differences(law.equation.left, other.equation.left)
        sides += differences(law.equation.right, other.equation.right)
        relations = law.equation.relation != other.equation.relation
        weaker = law.primitive - other.primitive
        assert sides + relations + len(weaker & set(other.variables)) == 1, neighbour
        assert not neighbour.altered
        assert neighbour.change
    assert len({n.claim.statement for n in found if n.kind != "condition"}) == len(
        [n for n in found if n.kind != "condition"]
    )


@pytest.mark.parametrize("theorem", RESTRICTIONS, ids=lambda theorem: theorem.id)
def test_a_neighbour_of_a_theorem_differs_from_it_in_one_part(theorem: RestrictionClaim) -> None:
    for neighbour in of_catalogue(theorem):
        other = neighbour.claim
        assert isinstance(other, RestrictionClaim)
        assert other.streams == theorem.streams
        derived = sum(theorem.derived[name] != other.derived[name] for name in theorem.derived)
        fewer = len(theorem.restrictions) - len(other.restrictions)
        changed = sum(a != b for a, b in zip(theorem.conclusions, other.conclusions, strict=True))
        match neighbour.kind:
            case "hypothesis":
                assert (derived, fewer) == (0, 1)
                assert changed in (0, len(theorem.conclusions))
            case "conclusion":
                assert (derived, fewer, changed) == (0, 0, 1)
            case "order" | "operator":
                assert (derived, fewer, changed) == (1, 0, 0)
            case "definition":
                assert derived == 0
                assert bool(neighbour.altered) is (fewer == 0 and changed == 0)
            case kind:
                pytest.fail(kind)


def test_each_definition_that_a_theorem_speaks_of_is_altered_in_a_neighbour() -> None:
    found = [neighbour for theorem in RESTRICTIONS for neighbour in of_catalogue(theorem)]
    by_definition = {neighbour.change for neighbour in found if neighbour.kind == "definition"}
    in_conclusions = [n.change for n in found if n.kind == "conclusion" and n.of == "theorem:4.5"]
    for altered in altered_definitions():
        if altered.name not in ("≅", "valid", "primitive"):
            assert altered.what in by_definition
    # ≅ occurs in the conclusions of Theorem 4.5 alone, where altering it is the same neighbour.
    assert len(in_conclusions) == sum(altered.name == "≅" for altered in altered_definitions())


# ------------------------------------------------------------------------------------------------------ particulars


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        (conjecture("A[5] <= A"), ["A[4] <= A", "A[6] <= A", "A[5] == A"]),
        (conjecture("A[0] ~= A"), ["A[1] ~= A", "A[0] == A"]),
        (conjecture("A[min(t, 3)] <= A"), ["A[max(t, 3)] <= A", "A[min(t, 2)] <= A", "A[min(t, 4)] <= A"]),
        (conjecture("a == a[t]", "a"), ["a == a"]),
    ],
    ids=lambda value: value.statement if isinstance(value, EquationClaim) else "",
)
def test_bounds_relations_and_conditions_are_changed_where_there_are_any(
    claim: EquationClaim, expected: list[str]
) -> None:
    assert set(expected) <= set(statements(claim))


def test_a_dropped_condition_is_a_neighbour_with_the_same_equation() -> None:
    (law,) = find(["23"])
    (dropped,) = [n for n in neighbours(law) if n.kind == "condition"]
    assert isinstance(dropped.claim, EquationClaim) and isinstance(law, EquationClaim)
    assert dropped.claim.equation == law.equation
    assert not dropped.claim.primitive
    assert dropped.change == "A need not be a primitive event type"


def test_a_weaker_relation_is_not_tried() -> None:
    assert not [n for law in laws() for n in of_catalogue(law) if n.kind == "relation"]


def test_every_claim_has_neighbours_with_ids_of_their_own() -> None:
    for claim in catalogue():
        found = of_catalogue(claim)
        assert len(found) >= 4
        assert [n.id for n in found] == [f"{claim.id}~{number}" for number in range(1, len(found) + 1)]
        assert all(n.claim.id == n.id and n.of == claim.id and not n.claim.source for n in found)


def test_a_claim_without_neighbours_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    (law,) = find(["1"])
    monkeypatch.setattr("laws.carlson_lisper.altered.neighbours._changed", lambda *_: iter(()))
    with pytest.raises(InputError, match="law:1: the claim has no neighbours"):
        neighbours(law)


# --------------------------------------------------------------------------------------------------- distinct ones


def key(statement: str, *primitive: str) -> object:
    return canonical(Neighbour("", "", "", "", conjecture(statement, *primitive)))


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("A ; B == B", "X ; C == C", True),
        ("A ; B == B", "B == A ; B", True),
        ("A ; B ~= B", "C ~= B ; C", True),
        ("A[t][u] == A", "B[u][t] == B", True),
        ("A[min(t, u)] == B", "B[min(u, t)] == A", True),
        ("A ; B == B", "A ; B == A", False),
        ("A ; B <= B", "B <= A ; B", False),
        ("A ; B == B", "A ; B ~= B", False),
        ("A[t][u] == A[t]", "A[t][u] == A[u]", False),
        ("A[min(t, u)] == A[t]", "A[min(t, u)] == A[u]", False),
        ("A[1] == A", "A[2] == A", False),
    ],
)
def test_what_says_the_same_in_other_names_or_with_the_sides_exchanged_and_only_that_has_the_same_key(
    first: str, second: str, same: bool
) -> None:
    assert (key(first) == key(second)) is same


def test_a_side_condition_belongs_to_the_key() -> None:
    assert key("a == a[t]", "a") != key("a == a[t]")
    assert key("a ; b == b ; a", "a") == key("b ; a == a ; b", "b")


def test_there_are_fewer_distinct_neighbours_than_neighbours() -> None:
    found = all_neighbours(catalogue())
    distinct = {canonical(neighbour) for neighbour in found}
    assert len(found) > len(distinct) > 1_200


def test_neighbours_have_the_operators_that_they_speak_of() -> None:
    for neighbour in neighbours(find(["theorem:4.6.seq"])[0]):
        changed = [name for name in OPERATORS if neighbour.operators[name] is not OPERATORS[name]]
        assert changed == [operator.name for operator in neighbour.altered]
