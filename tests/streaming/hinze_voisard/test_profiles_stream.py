"""That a stream of files says of profiles what continuous evaluation says of each key, whatever comes when."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from campaigns.hinze_voisard.cases import LIKENESSES
from campaigns.hinze_voisard.system import CASES
from campaigns.systems import NO_CORPUS
from semantics.clock import Clock
from semantics.events import Event
from semantics.hinze_voisard.evaluation import continuously, evaluated, event_of, said_data
from semantics.hinze_voisard.profiles import ProfileFile
from semantics.hinze_voisard.syntax import parse
from semantics.traces.rows import Row
from streaming.hinze_voisard.detection import ProfileDetection
from streaming.run import line_in_times
from tests.streaming import keyed
from tests.streaming.keyed import in_batches, rows

WEIGHTS = {name: one.weight for name, one in LIKENESSES.items() if name != "long"}

FLEET = """
class jam    = event(name = "jam", area = "A")
class truck  = event(name = "truck")
class quiet  = time(every 4)
profile P1   = (jam , truck)[3] { select jam: all, truck: last; consume keep }
profile P2   = ((truck ; jam)[9] { select first; consume events } ; quiet)
profile P3   = not(jam)[2]
"""


def detection_of(file: ProfileFile, *, lateness: int = 0, key: str | None = None) -> ProfileDetection:
    return ProfileDetection(lateness, key, file.text, file.tick, tuple(one.name for one in file.profiles))


def log(number: int) -> list[Event]:
    random = Random(number)
    return [
        Event(type, time, time, {"area": random.choice("AB")})
        for time in range(20)
        for type in ("jam", "truck", "other")
        if random.random() < 0.4
    ]


def standing(lines: Iterable[dict[str, Any]]) -> Counter[str]:
    """What was announced and not withdrawn, pending or not."""
    net = Counter[str]()
    for line in lines:
        kind = line.get("says", line["kind"])
        found = {name: line[name] for name in ("start", "time", "event", "events")}
        net[json.dumps(found)] += {"announced": 1, "withdrawn": -1}[kind]
    return +net


def streamed(detection: ProfileDetection, batches: Sequence[Sequence[Row]]) -> list[dict[str, Any]]:
    lines, rest = keyed.stream(detection, batches)
    return [json.loads(line) for line in (*lines, *rest)]


@pytest.mark.parametrize("lateness", [0, 3])
def test_random_profiles_come_to_what_eval_says_in_any_micro_batches(lateness: int) -> None:
    random = Random(lateness)
    for number, case in enumerate(map(CASES.maker(lateness, WEIGHTS, NO_CORPUS, 0), range(20))):
        arrivals = sorted(rows(case.events), key=lambda row: row.time + random.randint(0, lateness))
        lines = streamed(detection_of(case.file, lateness=lateness), in_batches(arrivals, random))
        came = sorted(arrivals, key=lambda row: row.time)  # at one time, as they came
        whole = Counter(json.dumps(said_data(one)) for one in evaluated(case.file, [*map(event_of, came)]))
        assert standing(lines) == whole, number


def test_each_value_of_a_column_is_a_log_of_its_own_with_its_own_interval() -> None:
    file, random = parse(FLEET), Random(1)
    logs = {name: log(number) for number, name in enumerate(["a", None, "1"])}
    arrivals = sorted((row for name, events in logs.items() for row in rows(events, name)), key=lambda row: row.time)
    lines = streamed(detection_of(file, key="shop"), in_batches(arrivals, random))
    for name, events in logs.items():
        told = [line for line in lines if line["partition"] == name]
        whole = [{**said_data(one), "partition": name} for one in continuously(file, events)]
        assert len(whole) > 10
        assert [{**line, "kind": line.get("says", line["kind"])} for line in told] == [
            {**line, **({"says": line["kind"]} if "says" in given else {})}
            for line, given in zip(whole, told, strict=True)
        ]


def test_an_event_whose_time_is_done_is_late_and_changes_nothing() -> None:
    file = parse(FLEET).only(("P1",))
    jam, truck = Event("jam", 1, 1, {"area": "A"}), Event("truck", 2, 2)
    batches = [rows([jam]), rows([Event("other", 9, 9)]), rows([truck])]
    assert streamed(detection_of(file), batches) == [{"start": 2, "time": 2, "event": "truck", "kind": "late"}]
    (pair,) = streamed(detection_of(file, lateness=7), batches)
    assert (pair["kind"], pair["says"], pair["event"], pair["at"]) == ("pending", "announced", "P1", 2)


def test_times_of_day_are_in_the_events_of_a_row_too() -> None:
    line = {"at": 2, "start": 1, "time": 2, "event": "P1", "events": [{"time": 1, "event": "jam"}]}
    shown = json.loads(line_in_times(json.dumps(line), Clock(Fraction(60))))
    assert (shown["at"], shown["start"]) == ("1970-01-01T00:02:00Z", "1970-01-01T00:01:00Z")
    assert shown["events"][0]["time"] == shown["start"]


@pytest.mark.parametrize(("until", "said"), [(None, []), (4, [4]), (3, [])])
def test_time_events_come_up_to_a_stated_time(until: int | None, said: list[int]) -> None:
    file = parse('class a = event(name = "a")\nclass four = time(every 4)\nprofile P = (a ; four)[4]\n')
    _, rest = keyed.stream(
        detection_of(file), [rows([Event("a", 1, 1, {})]), rows([Event("b", 2, 2, {})])], until=until
    )
    assert [line["at"] for line in map(json.loads, rest) if line["kind"] == "announced"] == said
