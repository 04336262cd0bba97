"""Cases near another one: admissible, different, and the same every time."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from campaigns.carlson_lisper.cases import Case, generate
from campaigns.carlson_lisper.nearby import nearby
from campaigns.choices import Source
from semantics.carlson_lisper.interpretations import interpretation
from semantics.carlson_lisper.occurrences import Occurrence
from semantics.carlson_lisper.syntax import parse


@given(st.integers(0, 2**32), st.integers(0, 2**32))
def test_a_case_near_another_is_admissible_and_the_same_every_time(seed: int, choices: int) -> None:
    case = generate(seed, 0)
    found = nearby(case, Source(str(choices)))
    assert found == nearby(case, Source(str(choices)))
    assert list(found.occurrences) == sorted(found.occurrences, key=Occurrence.sort_key)
    assert interpretation(found.occurrences).occurrences() == list(found.occurrences)
    assert parse(str(found.expression)) == found.expression
    assert len(found.occurrences) <= len(case.occurrences) + 3


def test_most_cases_near_another_are_other_cases() -> None:
    case = generate(0, 1)
    found = {
        (near.expression, near.occurrences) for near in (nearby(case, Source(str(n))) for n in range(100))
    }
    assert len(found - {(case.expression, case.occurrences)}) > 50


def test_there_are_cases_near_one_without_occurrences() -> None:
    empty = Case(0, 0, "small", parse("a ; b"), ())
    found = [nearby(empty, Source(str(n))) for n in range(50)]
    assert any(near.occurrences for near in found)
    assert any(near.expression != empty.expression for near in found)


def test_half_of_the_cases_near_one_with_places_for_snapshots_have_them_too() -> None:
    given = replace(generate(0, 1), restored=(3,))
    found = [nearby(given, Source(str(n))).restored for n in range(100)]
    assert set(found) == {(3,), None} and 30 < found.count((3,)) < 70
