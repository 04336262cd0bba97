"""Ties: rows of one tick that come one after the other, in ticks with places and on the finer clock."""

from operator import itemgetter
from typing import cast

from hypothesis import example, given
from hypothesis import strategies as st

from laws.carlson_lisper.checks.strategies import EVENTS, expressions
from semantics.carlson_lisper.denotation import denotation
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.occurrences import Occurrence, interpretation
from semantics.carlson_lisper.syntax import parse
from semantics.carlson_lisper.ties import finer, matters_to
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


@given(PATTERNS, ROWS.map(lambda rows: list(dict.fromkeys(rows))))
def test_where_ties_never_matter_the_same_is_detected_in_any_order_and_in_none(
    pattern: Expression, rows: list[tuple[int, str]]
) -> None:
    together = [Occurrence(event, time) for time, event in rows]
    streams = (denotation(pattern, interpretation(each)) for each in (in_order(rows), together))
    one, other = (sorted((int(each.end), int(each.start)) for each in stream) for stream in streams)
    assert matters_to(pattern) or dict(one) == dict(other)
