"""That what Spark runs for each key gives the batch answer, without Spark."""

from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyspark.sql import Row
from pyspark.sql.streaming.tws_tester import TwsTester

from laws.carlson_lisper.checks.strategies import expressions
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.syntax import parse
from semantics.errors import InputError
from streaming.carlson_lisper.detection import settings_of
from streaming.carlson_lisper.processor import STATE, KeyState, Processor, Settings, detect, restored
from streaming.carlson_lisper.waiting import Waiting
from streaming.errors import Refused, explained
from tests.streaming.arrivals import Answer, Batches, Event, cut, disordered, events, expected

PATTERNS = expressions(max_leaves=4, max_bound=6)


def pack(batch: list[Event]) -> list[Row]:
    """The events in two packs, as from two places."""
    half = len(batch) // 2
    packs = [batch[:half], batch[half:]]
    return [
        Row(
            times=[event.time for event in pack],
            events=[event.event for event in pack],
            values=[None for _ in pack],
        )
        for pack in packs
        if pack
    ]


def stream(
    pattern: Expression,
    batches: Batches,
    lateness: int,
    *,
    detector: str = "auto",
    make: Callable[[Settings], Processor] = lambda given: Processor(given, live=True),
) -> Answer:
    """The rows of a stream, with what is pending at its end as detected."""
    given = settings_of(
        pattern, lateness=lateness, detector=detector, instances=detector in ("figure3", "recent")
    )
    tester = TwsTester(make(given))
    rows: Answer = []
    keys = sorted({event.key for batch in batches for event in batch})
    for batch in batches:
        for key in keys:
            mine = pack([event for event in batch if event.key == key])
            found = tester.test(key, mine) if mine else []
            rows += [(row.key, row.kind, row.start, row.end) for row in found]
    for key in keys:
        stored = tester.peekValueState(STATE, key)
        state = KeyState(Waiting(), "") if stored is None else restored(stored, frozenset("abc"))
        rest = detect(state, given, state.waiting.release_all(), "detected")
        rows += [(key, result.kind, result.start, result.end) for result in rest]
    return sorted(rows)


@given(PATTERNS, st.integers(0, 6).flatmap(lambda n: st.tuples(st.just(n), disordered(n).flatmap(cut))))
@settings(deadline=None)
def test_within_the_lateness_the_answer_is_that_of_the_batch_in_any_micro_batches(
    pattern: Expression, arrivals: tuple[int, Batches]
) -> None:
    lateness, batches = arrivals
    answer = stream(pattern, batches, lateness)
    assert answer == expected(pattern, [[event for batch in batches for event in batch]], 0)
    assert not [row for row in answer if row[1] == "late"]


@given(PATTERNS, events().flatmap(cut), st.integers(0, 6))
@settings(deadline=None)
def test_late_events_are_reported_one_by_one_and_the_others_detected(
    pattern: Expression, batches: Batches, lateness: int
) -> None:
    assert stream(pattern, batches, lateness) == expected(pattern, batches, lateness)


@pytest.mark.parametrize("detector", ["figure2", "figure3", "figure4", "recent", "generated"])
@given(st.data())
@settings(deadline=None, max_examples=10)
def test_every_detector_gives_the_same_rows(detector: str, data: st.DataObject) -> None:
    pattern = parse("(a ; (b + c))[9] - (c ; a)")
    batches = data.draw(events().flatmap(cut))
    assert stream(pattern, batches, 2, detector=detector) == expected(pattern, batches, 2)


@given(PATTERNS, events().flatmap(cut), st.integers(0, 6))
@settings(deadline=None)
def test_a_key_gets_the_same_rows_whatever_happens_to_others(
    pattern: Expression, batches: Batches, lateness: int
) -> None:
    alone = [[event for event in batch if event.key == "u"] for batch in batches]
    rows = [row for row in stream(pattern, batches, lateness) if row[0] == "u"]
    assert rows == stream(pattern, alone, lateness)


BATCHES: Batches = [
    [Event("u", 1, "a"), Event("v", 9, "b")],
    [Event("u", 3, "x"), Event("v", 8, "a"), Event("v", 20, "x")],
    [Event("u", 2, "c"), Event("u", 5, "b"), Event("u", 9, "x")],
]


class Forgetful(Processor):
    """Stores nothing."""

    def _store(self, state: KeyState) -> None:
        pass


class Shared(Processor):
    """Goes on from the state of whichever key came before."""

    before: KeyState | None = None

    def _restored(self) -> KeyState:
        state = super()._restored()
        if self.before is not None:
            state.detector = self.before.detector
        self.before = state
        return state


class Impatient(Processor):
    """Takes no notice of the lateness."""

    def __init__(self, settings: Settings, *, live: bool) -> None:
        super().__init__(settings, live=False)


@pytest.mark.parametrize("wrong", [Forgetful, Shared, Impatient])
def test_a_wrong_processor_is_noticed(wrong: type[Processor]) -> None:
    pattern = parse("a ; b")
    answer = expected(pattern, BATCHES, 4)
    assert stream(pattern, BATCHES, 4) == answer
    try:
        found = stream(pattern, BATCHES, 4, make=lambda given: wrong(given, live=True))
    except (InputError, Refused, ValueError):
        return
    assert found != answer


def test_a_query_that_is_not_live_has_done_everything_at_its_end() -> None:
    given = settings_of("a ; b")
    tester = TwsTester(Processor(given, live=False))
    rows = tester.test("u", pack([Event("u", 7, "b"), Event("u", 3, "a")]))
    assert [(row.kind, row.start, row.end) for row in rows] == [("detected", 3, 7)]


def test_an_instance_keeps_the_values_of_its_events() -> None:
    tester = TwsTester(Processor(settings_of("a ; b", instances=True), live=True))
    tester.test("u", [Row(times=[1, 4], events=["a", "b"], values=['"x"', "3.5"])])
    (row,) = tester.test("u", [Row(times=[5], events=["z"], values=[None])])
    assert (
        row.instance == '[{"event": "a", "time": 1, "value": "x"}, {"event": "b", "time": 4, "value": 3.5}]'
    )


def repeated(keep_one: bool) -> Iterator[Row]:
    tester = TwsTester(Processor(settings_of("a ; b", keep_one=keep_one), live=True))
    return iter(tester.test("u", [Row(times=[1, 1], events=["a", "a"], values=[None, None])]))


def test_an_event_type_twice_at_one_time_is_refused_with_the_rule_and_the_remedy() -> None:
    with pytest.raises(Refused) as refusal:
        repeated(keep_one=False)
    error = explained(Exception(f"Java says: {refusal.value}\n\tat org.apache.spark"))
    assert isinstance(error, InputError)
    assert error.place == "key u"
    assert "a occurs a second time at time 1" in error.reason
    assert "--keep-one" in error.remedy


def test_with_keep_one_all_but_one_are_reported() -> None:
    assert [(row.kind, row.start, row.event) for row in repeated(keep_one=True)] == [("repeated", 1, "a")]


def test_the_state_of_another_pattern_is_refused() -> None:
    tester = TwsTester(Processor(settings_of("a ; b"), live=True))
    tester.test("u", pack(list(BATCHES[0])[:1]))
    tester.test("u", pack(list(BATCHES[1])[:1]))
    stored = tester.peekValueState(STATE, "u")
    assert stored is not None
    other = TwsTester(Processor(settings_of("a + b"), live=True))
    other.updateValueState(STATE, "u", stored)
    with pytest.raises(Refused, match="the snapshot's expression"):
        other.test("u", pack([Event("u", 5, "a"), Event("u", 9, "b")]))
