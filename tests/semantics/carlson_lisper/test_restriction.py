"""The restriction policy: what a detector may output, and that all it may output looks alike."""

import random

from hypothesis import given, settings, strategies as st

from laws.carlson_lisper.checks.strategies import pools, streams
from semantics.carlson_lisper.occurrences import Instance, Stream
from semantics.carlson_lisper.restriction import dominated, rem, restriction, same_intervals, valid

quick = settings(deadline=None, max_examples=25)


def chosen_streams(number: int) -> st.SearchStrategy[tuple[Stream, ...]]:
    return pools().flatmap(lambda pool: st.tuples(*[streams(pool, max_size=5)] * number))


def rem_literally(S: Stream, R: Stream) -> bool:
    return (
        R.issubset(S)
        and all(any(s.start <= r.start and s.end == r.end for r in R) for s in S)
        and all(r == q or r.end != q.end for r in R for q in R)
    )


def valid_literally(e: Instance | None, S: Stream, tau: int) -> bool:
    ending = [s for s in S if s.end == tau]
    if e is None:
        return ending == []
    return e in ending and e.start == max(s.start for s in ending)


@quick
@given(chosen_streams(2))
def test_rem_is_the_three_conditions_of_definition_3_12(chosen: tuple[Stream, Stream]) -> None:
    S, T = chosen
    for part in (T, S & T, restriction(S), restriction(S) | T):
        assert rem(S, part) is rem_literally(S, part)


@quick
@given(chosen_streams(1), chosen_streams(1), st.integers(0, 12))
def test_valid_is_definition_5_2(chosen: tuple[Stream], others: tuple[Stream], time: int) -> None:
    (S,), (T,) = chosen, others
    for candidate in (None, *S, *T):
        assert valid(candidate, S, time) is valid_literally(candidate, S, time)


@quick
@given(chosen_streams(2))
def test_the_same_intervals_and_domination_are_what_they_say(chosen: tuple[Stream, Stream]) -> None:
    S, T = chosen
    one, other = ({instance.interval for instance in stream} for stream in chosen)
    assert same_intervals(S, T) is (one == other)
    assert dominated(S, T) is all(any(s.end == t.end and s.start <= t.start for t in T) for s in S)
    assert (dominated(S, T) and dominated(T, S)) is same_intervals(restriction(S), restriction(T))


@quick
@given(chosen_streams(1), st.integers())
def test_the_restriction_is_valid_whatever_the_order_of_instances(chosen: tuple[Stream], seed: int) -> None:
    (S,) = chosen
    kept = restriction(S)
    assert rem(S, kept)
    assert restriction(kept) == kept
    for one in kept:
        assert one.sort_key() == min(other.sort_key() for other in S if other.interval == one.interval)
    shuffled = sorted(S, key=Instance.sort_key)
    random.Random(seed).shuffle(shuffled)
    assert restriction(iter(shuffled)) == kept
