"""What a detector is given of a case."""

from hypothesis import given as drawn
from hypothesis import strategies as st

from campaigns.carlson_lisper.cases import Case, generate
from campaigns.carlson_lisper.judge import given, turned
from semantics.carlson_lisper.occurrences import Occurrence
from semantics.carlson_lisper.syntax import parse


@drawn(st.integers(0, 10**6))
def test_what_is_given_is_the_trace(number: int) -> None:
    case = generate(3, number)
    assert list(given(case)) == list(case.instants())


def test_each_time_it_is_a_mapping_of_its_own() -> None:
    case = generate(0, 0)
    first, second = list(given(case)), list(given(case))
    assert not {id(occurring) for _, occurring in first} & {id(occurring) for _, occurring in second}


def test_what_occurs_together_comes_in_every_order_of_two_as_often() -> None:
    orders = [tuple(turned({"a": 1, "b": 2}, time)) for time in range(1000)]
    assert set(orders) == {("a", "b"), ("b", "a")}
    assert 400 < orders.count(("a", "b")) < 600


def test_the_order_depends_on_the_time_alone_and_is_another_one_in_the_smallest_case() -> None:
    trace = (Occurrence("a", 0), Occurrence("b", 0))
    for text in ("a", "a ; b"):
        [(_, occurring)] = given(Case(0, 0, "written", parse(text), trace))
        assert list(occurring) == ["b", "a"]
