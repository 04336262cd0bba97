"""Ties: rows of one tick that come one after the other, in ticks with places and on the finer clock."""

from operator import itemgetter
from typing import cast

import pytest
from hypothesis import example, given, strategies as st

from laws.carlson_lisper.checks.strategies import EVENTS, expressions
from semantics.carlson_lisper.denotation import denotation
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.occurrences import Occurrence, interpretation
from semantics.carlson_lisper.syntax import parse
from semantics.carlson_lisper.ties import finer, order_matters, told
from semantics.events import Moment

ROWS = st.lists(st.tuples(st.integers(0, 3), st.sampled_from(EVENTS)), min_size=3, max_size=7)
PATTERNS = expressions(max_leaves=4, max_bound=2)


def in_order(rows: list[tuple[int, str]]) -> list[Occurrence]:
    """Rows in ticks with places; the value of each is its number."""
    found = list[Occurrence]()
    for time, event in sorted(rows, key=itemgetter(0)):
        place = sum(each.time == time for each in found)
        found.append(Occurrence(event, Moment(9 * time + place, 9), len(found)))
    return found


@example(parse("(a ; (a | b))[1]"), [(0, "a"), (0, "a"), (1, "b"), (1, "b"), (2, "b")])
@given(PATTERNS, ROWS)
def test_on_the_finer_clock_a_pattern_means_what_it_means_in_ticks_with_places(
    pattern: Expression, rows: list[tuple[int, str]]
) -> None:
    places = [cast(Moment, each.time).place for each in in_order(rows)]
    scale = 2 * max(places) + 2
    fine = [each._replace(time=scale * each.time + places[number]) for number, each in enumerate(in_order(rows))]
    meant = denotation(pattern, interpretation(in_order(rows)))
    found = denotation(finer(pattern, scale), interpretation(fine))
    one, other = ({frozenset(row.value for row in each.occurrences) for each in stream} for stream in (meant, found))
    assert one == other


@example(parse("(b ; a) - (a + c)"), [(0, "b"), (0, "a"), (0, "a"), (1, "c")])
@given(PATTERNS, ROWS)
def test_where_no_order_matters_as_much_with_each_start_is_detected_in_the_opposite_order(
    pattern: Expression, rows: list[tuple[int, str]]
) -> None:
    log = [each._replace(time=int(each.time)) for each in in_order(rows)]
    opposite = sorted(log, key=lambda row: (row.time, -cast(int, row.value)))
    answers = [told(pattern, each, in_order=True).detected for each in (log, opposite)]
    assert order_matters(pattern).matter or answers[0] == answers[1]


@given(PATTERNS, ROWS.map(lambda rows: list(dict.fromkeys(rows))))
def test_where_ties_never_matter_the_same_is_detected_in_any_order_and_in_none(
    pattern: Expression, rows: list[tuple[int, str]]
) -> None:
    log = [each._replace(time=int(each.time)) for each in in_order(rows)]
    one, other = ({e: s for s, e in told(pattern, log, in_order=order).detected} for order in (True, False))
    assert order_matters(pattern, simultaneous=True).matter or one == other


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("b | (a ; b)[600]", ""),
        ("(a ; a)[60] | b", ""),
        ("a - b", "b@0 a@0 [0, 0] / b@0 a@0 in no order"),
        ("(fail ; fail)[60] - ok", "fail@0 ok@0 fail@0 / ok@0 fail@0 fail@0 [0, 0]"),
        ("((a ; b)[3600] ; c)[1800] - d", "a@0 b@0 c@0 [0, 0] / b@0 a@0 c@0"),
        ("a + b", "a@0 a@0 b@0 [0, 0] / a@0 b@0 a@0 [0, 0] [0, 0]"),
        ("b | (((a ; c)[1800] ; b)[3600])", "this takes more than"),
    ],
)
def test_two_smallest_logs_show_that_a_tie_can_matter_or_it_never_does_or_is_undecided(text: str, shown: str) -> None:
    order = order_matters(parse(text), steps=50_000)
    found = order_matters(parse(text), simultaneous=True) if order.matter is False else order
    logs = (
        f"{' '.join(map(str, [*log, *map(list, detected)]))}{'' if in_order else ' in no order'}"
        for log, in_order, detected in found.logs
    )
    assert shown in (" / ".join(logs) or found.why)
    assert found.matter is (None if found.why else bool(shown))
