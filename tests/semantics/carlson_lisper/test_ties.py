"""Ties: rows of one tick that come one after the other, in ticks with places and on the finer clock."""

from collections import Counter
from operator import itemgetter

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


def in_order(rows: list[tuple[int, str]], scale: int = 0) -> list[Occurrence]:
    """Rows in ticks with places, or on the finer clock; the value of each is its number."""
    places, found = Counter[int](), list[Occurrence]()
    for number, (time, event) in enumerate(sorted(rows, key=itemgetter(0))):
        at = scale * time + places[time] if scale else Moment(9 * time + places[time], 9)
        found.append(Occurrence(event, at, number))
        places[time] += 1
    return found


@example(parse("(a ; (a | b))[1]"), [(0, "a"), (0, "a"), (1, "b"), (1, "b"), (2, "b")])
@given(PATTERNS, ROWS)
def test_on_the_finer_clock_a_pattern_means_what_it_means_in_ticks_with_places(
    pattern: Expression, rows: list[tuple[int, str]]
) -> None:
    scale = 2 * max(Counter(time for time, _ in rows).values(), default=1)
    meant = denotation(pattern, interpretation(in_order(rows)))
    found = denotation(finer(pattern, scale), interpretation(in_order(rows, scale)))
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
