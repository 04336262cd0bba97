"""Profiles: what is read, and what occurs."""

from typing import Any

import pytest

from semantics.errors import InputError
from semantics.events import Event
from semantics.hinze_voisard.evaluation import evaluated
from semantics.hinze_voisard.profiles import TimeClass
from semantics.hinze_voisard.syntax import parse
from tests.tables import table

CLASSES = 'class a = event(name = "a")\nclass b = event(name = "b")\nclass c = event(name = "c")\n'


def log(text: str) -> list[Event]:
    return [Event(name, int(time), int(time)) for name, time in (one.split("@") for one in text.split())]


def occurs(profile: str, trace: str) -> list[tuple[int, int]]:
    file = parse(f"{CLASSES}profile P = {profile}")
    return [(found.start, found.time) for found in evaluated(file, log(trace))]


@pytest.mark.parametrize(("profile", "trace", "expected"), table(__file__, "meanings"))
def test_what_a_profile_means(profile: str, trace: str, expected: list[tuple[int, int]]) -> None:
    assert occurs(profile, trace) == [tuple(one) for one in expected]


def test_classes_have_constraints_wildcards_and_subclasses() -> None:
    file = parse(
        'class truck = event(name = "truck*", load >= 3)\nclass near = truck(place in ["A", "B*"])\nprofile P = near'
    )
    events = [
        Event("truck-location", 1, 1, {"place": "B7", "load": 3}),
        Event("truck-location", 2, 2, {"place": "C", "load": 9}),
        Event("truck-location", 3, 3, {"place": "A"}),
        Event("car", 4, 4, {"place": "A", "load": 9}),
    ]
    assert [found.time for found in evaluated(file, events)] == [1]


@pytest.mark.parametrize(("constraint", "values", "expected"), table(__file__, "read"))
def test_a_text_counts_as_the_number_or_truth_value_that_it_reads_as(
    constraint: str, values: list[Any], expected: list[int]
) -> None:
    file = parse(f"class x = event(x {constraint})\nprofile P = x")
    events = [Event("e", time, time, {"x": value}) for time, value in enumerate(values)]
    assert [found.time for found in evaluated(file, events)] == expected


def test_time_events_are_periodic_within_the_interval() -> None:
    file = parse('class half = time(every 5 from 2)\nclass a = event(name = "a")\nprofile P = (half ; a)[2]')
    assert [(one.start, one.time) for one in evaluated(file, log("a@4 a@8 a@14"))] == [(7, 8), (12, 14)]


def test_the_tick_is_that_of_the_file_or_of_the_log() -> None:
    text = "class a = time(2h)  # tick = 1s\n"
    assert parse(f"tick = 1h\n{text}").classes["a"] == TimeClass("a", (2,))
    assert parse(text, "1min").classes["a"] == TimeClass("a", (120,))
    assert parse('class a = event(name = "tick = 5")').tick == ""


def test_parameters_are_given_in_either_order() -> None:
    written = ("select last; consume lists", "consume lists; select last", "consume lists select last")
    assert len({parse(f"{CLASSES}profile P = (a ; b) {{ {one} }}").profiles for one in written}) == 1


def test_a_long_chain_of_subclasses_is_followed() -> None:
    classes = "".join(f"class a{n} = a{n - 1}()\n" for n in range(1, 2000))
    file = parse(f'class a0 = event(name = "a")\n{classes}profile P = a1999')
    assert [one.time for one in evaluated(file, log("a@1 b@2"))] == [1]


@pytest.mark.parametrize("profile", ["not(a)[5]", "t"])
def test_more_time_events_than_can_be_counted_are_refused(profile: str) -> None:
    file = parse(f"{CLASSES}class t = time(every 3)\nprofile P = {profile}")
    with pytest.raises(InputError, match="times in the interval; at most 100,000"):
        evaluated(file, log("a@0 a@1000000000000"))
    assert len(evaluated(file, log("a@0 a@3000"))) > 900


def test_a_few_ends_of_a_negation_in_an_interval_too_long_for_their_numbers_are_refused() -> None:
    file = parse(f"{CLASSES}profile P = not(a)[{2**40 - 2}]")
    with pytest.raises(InputError, match="too many ticks for a negation that may end at 1 of them"):
        evaluated(file, log(f"a@0 a@{2**40}"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        *table(__file__, "refused"),
        (f"class a = time({'9' * 5000})", "line 1, column 16: the number has too many digits"),
        (f"class a = event()\nprofile P = {'(' * 1500}a{' ; a)' * 1500}", "more than 100 operators deep"),
    ],
)
def test_a_file_that_makes_no_sense_is_refused_with_its_place(text: str, said: str) -> None:
    with pytest.raises(InputError) as refusal:
        parse(text)
    assert said in str(refusal.value)
