"""Hypothesis strategies for traces, streams of arbitrary instances, expressions and bounds.

They shrink towards few occurrences, early times, small instances and short expressions.
"""

from collections.abc import Sequence

from hypothesis import strategies as st

from semantics.carlson_lisper.expressions import Expression, Identifier, Operation
from semantics.carlson_lisper.occurrences import Instance, Interpretation, Occurrence, Stream, Streams, interpretation
from semantics.carlson_lisper.operators import OPERATORS

EVENTS = ("a", "b", "c")
MAX_TIME = 12
MAX_BOUND = 8


TIMES = st.integers(0, MAX_TIME)


def bounds(max_bound: int = MAX_BOUND) -> st.SearchStrategy[int]:
    """Bounds of temporal restrictions, in ticks."""
    return st.integers(0, max_bound)


def traces(
    events: Sequence[str] = EVENTS, max_time: int = MAX_TIME, max_size: int = 8
) -> st.SearchStrategy[Interpretation]:
    """Admissible interpretations (Def. 3.4, 3.5), without values."""
    pairs = st.sets(st.tuples(st.integers(0, max_time), st.sampled_from(events)), max_size=max_size)
    return pairs.map(lambda chosen: interpretation(Occurrence(event, time) for time, event in chosen))


def pools() -> st.SearchStrategy[list[Occurrence]]:
    """Occurrences of which several streams of arbitrary instances can be made; they may share occurrences."""
    return st.lists(TIMES, min_size=1, max_size=5).map(
        lambda chosen: [Occurrence(f"x{number}", time) for number, time in enumerate(sorted(chosen), start=1)]
    )


def streams(pool: Sequence[Occurrence], max_size: int = 4) -> st.SearchStrategy[Stream]:
    """Event streams of arbitrary instances (Def. 3.9), not only primitive ones, over a pool of occurrences."""
    instances = st.sets(st.sampled_from(pool), min_size=1, max_size=3).map(Instance)
    return st.frozensets(instances, max_size=max_size)


@st.composite
def stream_assignments(draw: st.DrawFn, names: Sequence[str], primitive: frozenset[str] = frozenset()) -> Streams:
    """A stream for each name: primitive for the primitive ones, of arbitrary instances for the others."""
    pool, found = draw(pools()), dict[str, Stream]()
    for name in names:
        if name in primitive:
            found[name] = frozenset(Instance.primitive(name, time) for time in draw(st.sets(TIMES, max_size=4)))
        else:
            found[name] = draw(streams(pool))
    return found


@st.composite
def valid_restrictions(draw: st.DrawFn, stream: Stream) -> Stream:
    """A valid restriction of a stream: for each end time any one of the instances with the greatest start."""
    kept: set[Instance] = set()
    for end in sorted({instance.end for instance in stream}):
        ending = [instance for instance in stream if instance.end == end]
        latest = max(instance.start for instance in ending)
        candidates = sorted((i for i in ending if i.start == latest), key=Instance.sort_key)
        kept.add(draw(st.sampled_from(candidates)))
    return frozenset(kept)


def expressions(
    events: Sequence[str] = EVENTS, max_leaves: int = 6, max_bound: int = MAX_BOUND
) -> st.SearchStrategy[Expression]:
    """Ground expressions over the given event types."""
    binary = sorted(name for name, operator in OPERATORS.items() if operator.arity == 2)
    bounded = sorted(name for name, operator in OPERATORS.items() if operator.bounded)

    def extend(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
        pairs = st.builds(Operation, st.sampled_from(binary), st.tuples(inner, inner))
        return pairs | st.builds(Operation, st.sampled_from(bounded), st.tuples(inner), bounds(max_bound))

    leaves: st.SearchStrategy[Expression] = st.sampled_from(events).map(Identifier)
    return st.recursive(leaves, extend, max_leaves=max_leaves)
