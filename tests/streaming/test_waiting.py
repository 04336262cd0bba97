"""That events wait as long as they must and no longer, and come out in order of time."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from semantics.errors import InputError
from streaming.carlson_lisper.waiting import Fate, Waiting

TIMES = st.integers(0, 40)
BATCHES = st.lists(st.lists(st.tuples(TIMES, st.sampled_from("abx")), max_size=8), max_size=8)


def arrive(waiting: Waiting, batch: list[tuple[int, str]]) -> list[Fate]:
    fates = []
    for time, event in batch:
        if event == "x":
            waiting.see(time)
        else:
            fates.append(waiting.add(event, time))
    return fates


@given(BATCHES, st.integers(0, 9))
@settings(deadline=None)
def test_instants_come_out_in_order_and_nothing_that_was_taken_is_lost(
    batches: list[list[tuple[int, str]]], lateness: int
) -> None:
    waiting, out, taken = Waiting(), [], 0
    for batch in batches:
        taken += arrive(waiting, batch).count(Fate.WAITS)
        out += waiting.release(lateness)
    out += waiting.release_all()
    assert [time for time, _ in out] == sorted({time for time, _ in out})
    assert sum(len(values) for _, values in out) == taken


@given(BATCHES, st.integers(0, 9))
@settings(deadline=None)
def test_at_most_lateness_and_one_ticks_wait(batches: list[list[tuple[int, str]]], lateness: int) -> None:
    waiting = Waiting()
    for batch in batches:
        arrive(waiting, batch)
        waiting.release(lateness)
        assert len(waiting.at) <= lateness + 1
        assert all(waiting.time - lateness <= time <= waiting.time for time in waiting.at)


@given(BATCHES, st.integers(0, 9))
@settings(deadline=None)
def test_what_waits_is_the_same_after_it_was_stored(
    batches: list[list[tuple[int, str]]], lateness: int
) -> None:
    waiting = Waiting()
    for batch in batches:
        arrive(waiting, batch)
        waiting.release(lateness)
        again = Waiting.from_json(waiting.time, waiting.done, waiting.to_json(), frozenset("ab"))
        assert again == waiting


def test_an_instant_is_done_when_a_time_greater_by_more_than_the_lateness_was_seen() -> None:
    waiting = Waiting()
    waiting.add("a", 10)
    waiting.see(13)
    assert waiting.release(3) == []
    waiting.see(14)
    assert waiting.release(3) == [(10, {"a": None})]
    assert waiting.add("a", 10) is Fate.LATE
    assert waiting.add("a", 11) is Fate.WAITS


def test_of_several_of_one_type_at_one_time_the_one_that_came_first_is_kept() -> None:
    waiting = Waiting()
    assert waiting.add("a", 1, "m") is Fate.WAITS
    waiting.release(5)
    assert waiting.add("a", 1, "b") is Fate.REPEATED
    assert waiting.release_all() == [(1, {"a": "m"})]


@given(st.permutations(["m", "b", "z"]))
def test_within_a_micro_batch_the_choice_does_not_depend_on_the_order(values: list[str]) -> None:
    waiting = Waiting()
    fates = [waiting.add("a", 1, value) for value in values]
    assert fates == [Fate.WAITS, Fate.REPEATED, Fate.REPEATED]
    assert waiting.release_all() == [(1, {"a": "b"})]


@pytest.mark.parametrize(
    ("time", "done", "text"),
    [
        (5, 6, "[]"),
        (-2, -2, "[]"),
        (5, 1, "[[1, {}]]"),
        (5, 1, "[[6, {}]]"),
        (5, 1, "[[3, {"),
        (5, 1, '[[3, ["a"]]]'),
        (5, 1, "[3]"),
        (5, 1, '{"3": {}}'),
        (5, 1, json.dumps([[3, {"c": None}]])),
    ],
)
def test_a_damaged_state_is_refused(time: int, done: int, text: str) -> None:
    with pytest.raises(InputError, match="damaged"):
        Waiting.from_json(time, done, text, frozenset("ab"))
