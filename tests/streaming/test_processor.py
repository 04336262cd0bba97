"""That what Spark runs for each key gives the batch answer, without Spark."""

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings, strategies as st
from pyspark.sql.streaming.tws_tester import TwsTester

from laws.carlson_lisper.checks.strategies import expressions
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.syntax import parse
from semantics.errors import InputError
from semantics.events import Event
from semantics.traces.rows import Row
from streaming.carlson_lisper.detection import _row_of, settings_of
from streaming.folder import Refused, explained
from streaming.keyed import KEYS, Processor, restored_keys
from tests.streaming import keyed
from tests.streaming.keyed import Answer, Arrival, Batches, cut, disordered, events, expected, rows


def rows_of(batch: Sequence[Arrival]) -> list[Row]:
    return [row for one in batch for row in rows([Event(one.event, one.time, one.time)], one.key)]


def stream(pattern: Expression, batches: Batches, lateness: int, *, detector: str = "auto") -> Answer:
    given = settings_of(pattern, lateness=lateness, detector=detector, instances=detector == "figure4")
    lines, rest = keyed.stream(given, [rows_of(batch) for batch in batches if batch])
    return keyed.answer_of([*lines, *rest])


@pytest.mark.slow
@given(
    expressions(max_leaves=4, max_bound=6),
    st.integers(0, 6).flatmap(lambda n: st.tuples(st.just(n), st.one_of(events(), disordered(n)).flatmap(cut))),
)
@settings(deadline=None, max_examples=150)
def test_late_events_are_reported_one_by_one_and_the_others_detected(
    pattern: Expression, arrivals: tuple[int, Batches]
) -> None:
    lateness, batches = arrivals
    assert stream(pattern, batches, lateness) == expected(pattern, batches, lateness)


@pytest.mark.parametrize("detector", ["figure2", "figure4", "generated"])
@given(st.data())
@settings(deadline=None, max_examples=10)
def test_every_detector_gives_the_same_rows(detector: str, data: st.DataObject) -> None:
    pattern = parse("(a ; (b + c))[9] - (c ; a)")
    batches = data.draw(events().flatmap(cut))
    assert stream(pattern, batches, 2, detector=detector) == expected(pattern, batches, 2)


def test_a_query_that_is_not_live_has_done_everything_at_its_end() -> None:
    given = replace(settings_of("a ; b"), live=False)
    (line,), rest = keyed.stream(given, [rows_of([Arrival("u", 7, "b"), Arrival("u", 3, "a")])])
    assert (json.loads(line), rest) == ({"start": 3, "end": 7, "partition": "u", "kind": "detected"}, [])


def test_an_instance_keeps_the_values_of_its_events() -> None:
    values: list[tuple[str, int, str | float]] = [("a", 1, "x"), ("b", 4, 3.5)]
    events = [Event(type, time, time, {"value": value}) for type, time, value in values]
    (line,), _ = keyed.stream(
        settings_of("a ; b", instances=True), [rows(events, "u"), rows_of([Arrival("u", 5, "z")])]
    )
    assert json.loads(line)["instance"] == [
        {"event": type, "time": time, "value": value} for type, time, value in values
    ]


def repeated(*values: str, keep_one: bool) -> tuple[list[str], list[str]]:
    events = [Event("a", 1, 1, {"value": value}) for value in values]
    given = settings_of("a", keep_one=keep_one, instances=True)
    return keyed.stream(given, [rows(events, "u")])


def test_an_event_type_twice_at_one_time_is_refused_with_the_rule_and_the_remedy() -> None:
    with pytest.raises(Refused) as refusal:
        repeated("m", "m", keep_one=False)
    error = explained(Exception(f"Java says: {refusal.value}\n\tat org.apache.spark"))
    assert isinstance(error, InputError)
    assert error.place == "key u"
    assert "a occurs a second time at time 1" in error.reason
    assert "--keep-one" in error.remedy


@given(st.permutations(["m", "b", "z"]))
def test_with_keep_one_all_but_that_with_the_least_value_are_reported(values: list[str]) -> None:
    lines, (rest,) = repeated(*values, keep_one=True)
    assert [json.loads(line)["kind"] for line in lines] == ["repeated", "repeated"]
    assert json.loads(rest)["instance"] == [{"event": "a", "time": 1, "value": "b"}]


def test_of_several_of_one_type_at_one_time_the_one_that_came_in_an_earlier_micro_batch_is_kept() -> None:
    given = settings_of("a", keep_one=True, instances=True, lateness=5)
    batches = [rows([Event("a", 1, 1, {"value": value})], "u") for value in "mb"]
    _, (rest,) = keyed.stream(given, batches)
    assert json.loads(rest)["instance"][0]["value"] == "m"


def test_the_state_of_another_pattern_or_a_damaged_one_is_refused() -> None:
    ready = [Arrival("u", 1, "a"), Arrival("u", 9, "x")]
    tester = TwsTester(Processor(settings_of("a ; b")))
    assert list(keyed.detected(tester, settings_of("a ; b"), [rows_of(ready)])) == []
    shard = settings_of("a ; b").shard('"u"')
    ((key, stored),) = tester.peekMapState(KEYS, shard).items()
    other = TwsTester(Processor(settings_of("a + b")))
    other.updateMapState(KEYS, shard, {key: stored})
    with pytest.raises(Refused, match="the snapshot's expression"):
        list(keyed.detected(other, settings_of("a + b"), [rows_of([Arrival("u", 15, "a"), Arrival("u", 19, "b")])]))
    with pytest.raises(InputError, match="the state of a key is damaged"):
        list(restored_keys([("u", "[", "")]))


@pytest.mark.parametrize(
    ("time", "event", "value", "problem"),
    [
        (-1, "a", None, "is negative"),
        (None, "a", None, "the time is missing"),
        (10**18 + 1, "a", None, "greater than the limit"),
        (1, None, None, "the event is missing"),
        (1, "", None, "is missing"),
        (1, "a", [1], "is an array"),
    ],
)
def test_a_cell_that_breaks_a_rule_is_refused(time: int | None, event: str | None, value: object, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        _row_of({"key": "u", "time": time, "event": event, "value": value}, 1)
