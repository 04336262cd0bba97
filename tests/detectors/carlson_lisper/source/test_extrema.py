"""The smaller and the greater of formulas: right for all values, and simple."""

from itertools import pairwise

import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from detectors.carlson_lisper.source.cost import Formula, greater, smaller

NAMES = sympy.symbols("t u v", integer=True, nonnegative=True)

Term = tuple[Formula, tuple[object, ...]]
"""A formula, and how it was made: an atom, or `min`, `max` of two made so."""


def terms() -> st.SearchStrategy[Term]:
    atoms = (st.sampled_from(NAMES) | st.integers(0, 4) | st.just(sympy.oo)).map(lambda a: (a, (a,)))

    def extend(inner: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
        choice = st.sampled_from(((smaller, min), (greater, max)))
        return st.builds(lambda f, a, b: (f[0](a[0], b[0]), (f[1], a[1], b[1])), choice, inner, inner)

    return st.recursive(atoms, extend, max_leaves=8)


def evaluated(made: tuple[object, ...], values: dict[Formula, int]) -> object:
    if len(made) == 1:
        return values.get(made[0], made[0])
    choose, left, right = made
    return choose(evaluated(left, values), evaluated(right, values))  # type: ignore[operator, arg-type]


@settings(deadline=None, max_examples=100)
@given(terms(), st.tuples(*[st.integers(0, 5)] * 3))
def test_a_simplified_extremum_has_the_value_of_the_extremum(
    term: Term, chosen: tuple[int, int, int]
) -> None:
    formula, made = term
    values = dict(zip(NAMES, chosen, strict=True))
    numbers = {name: sympy.Integer(number) for name, number in values.items()}
    assert sympy.sympify(formula).xreplace(numbers) == evaluated(made, values)


def test_what_changes_nothing_is_left_out() -> None:
    t, u, _ = NAMES
    assert smaller(t, sympy.oo) == greater(t, 0) == smaller(t, t) == t
    assert smaller(t, greater(t, u)) == greater(t, smaller(t, u)) == t
    assert smaller(t, 0) == 0
    assert greater(t, sympy.oo) == sympy.oo
    assert smaller(3, greater(5, u)) == 3
    assert smaller(smaller(t, 4), smaller(u, 3)) == smaller(3, u, t)
    assert smaller(t, u) == smaller(u, t)


def test_many_names_are_no_problem() -> None:
    many = sympy.symbols("t:40", integer=True, nonnegative=True)
    formula = many[0]
    for lower, upper in pairwise(many):
        formula = smaller(greater(formula, upper), lower)
    assert formula.free_symbols
