"""Detection by rules: rules that are added while it goes on, and answers that are corrected when rows come late."""

import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from campaigns.bry_eckert.cases import Case
from campaigns.bry_eckert.system import usual_plan
from detectors.bry_eckert.catalogue import reaches
from remora.systems.bry_eckert.detection import Detection, Running, arriving
from semantics.bry_eckert.checking import parse
from semantics.bry_eckert.denotation import denotation, violations
from semantics.bry_eckert.programs import Program, by_time
from semantics.errors import InputError
from semantics.events import Event, Time
from semantics.traces.rows import Origin, Partition, ReadReport, Row
from semantics.traces.watermark import Watermark
from tests.semantics.bry_eckert.programs import made as generated, seen, split


def running(program: Program) -> Running:
    return Running(program, usual_plan(program), "differencing")


def rows(events: list[Event], partition: Partition = None) -> list[Row]:
    return [
        Row(one.time, one.type, one.start, one.attributes, partition, Origin("log"), number)
        for number, one in enumerate(events)
    ]


def fed(
    detection: Detection, events: list[Event], *, end: bool = False, watermark: Watermark | None = None
) -> list[Event]:
    watermark = watermark or Watermark()
    instants = watermark.instants(arriving(rows(events), 0, ReadReport()))
    found = [answer.event for instant in instants for answer, _ in detection.instant(instant)]
    return [*found, *(answer.event for answer, _ in detection.end(watermark.until))] if end else found


@pytest.mark.slow
def test_answers_that_are_not_pending_stay_however_the_log_goes_on() -> None:
    taken_back = 0
    for number in range(60):
        case, random, watermark = generated(11, number, {"windows": 1}), Random(number), Watermark()
        now = random.choice(case.events).time
        log = [event for event in case.events if event.time <= now]
        said = fed(Detection(running(case.program)), log, end=True, watermark=watermark)
        final = [event for event in said if not watermark.mark(event.time)]
        for _ in range(3):
            later = [event for event in case.events if event.time > now and random.random() < 0.8]
            after = fed(Detection(running(case.program)), log + later, end=True)
            assert after[: len(final)] == final, case
            assert fed(Detection(running(case.program)), log + later, end=True, watermark=Watermark(now)) == final
            taken_back += any(event not in after for event in said)
    assert taken_back > 1


NEEDED = 0  # In the place of a past: nothing is said of it, and no more is kept than is needed


@pytest.mark.long
@pytest.mark.parametrize("past", [None, NEEDED, 3, 10])
def test_added_rules_derive_what_they_derive_by_definition_of_the_past_that_they_see(
    tmp_path: Path, past: Time | None
) -> None:
    met = answered = 0
    for number, (first, more, events) in ((n, found) for n in range(110) if (found := split(n))):
        keep: Time | None = past or 100_000
        if past == NEEDED:
            needed = reaches(usual_plan(more)).values()
            keep = None if None in needed else max(filter(None, needed), default=0)
        if keep is None:
            continue
        now, whole = Random(number).choice(events).time, denotation(first, events)
        detection = Detection(running(first))
        detection.keep(keep)
        given = fed(detection, [e for e in events if e.time <= now])
        assert sorted(given, key=by_time) == [e for e in whole if e.time <= now]
        detection.add(running(more), past or None)
        detection.store(tmp_path / f"{number}.json", None)
        again = Detection(running(first))
        again.go_on_from(tmp_path / f"{number}.json", None)
        given = fed(again, [event for event in events if event.time > now], end=True)
        expected = [e for e in whole if e.time > now]
        expected += [e for e in seen(first, more, events, now - past if past else -1) if e.time > now]
        assert sorted(given, key=by_time) == sorted(expected, key=by_time), (number, str(first), str(more))
        met += 1
        answered += len(given) - sum(event.time > now for event in whole)
    assert met > 8 and answered > 2, (met, answered)


def test_what_is_kept_for_as_long_as_added_rules_need_gives_all_their_answers_and_a_tick_less_is_refused() -> None:
    first = parse("event A(x: int) within 0\nevent B(x: int) within 0\nF(x) <- a: A(x)")
    more = parse(
        "G(x) <- f: F(x), b: B(x), f before b, {f, b} within 6\nH() <- g: G(x), w: extend(g, 4)", "", first.signatures
    )
    assert reaches(usual_plan(more)) == {"F": 10, "B": 4}
    log = [Event(type, time, time, {"x": x}) for type, time, x in (("A", 1, 1), ("B", 7, 1), ("B", 8, 2), ("B", 10, 3))]
    for keep in (10, 9):
        detection = Detection(running(first))
        detection.keep(keep)
        fed(detection, log)
        if keep == 10:
            detection.add(running(more))
            assert [answer.event for answer, _ in detection.end()] == [Event("H", 1, 11)]
        else:
            with pytest.raises(InputError, match="need F back to time 1, and it is forgotten up to time 1"):
                detection.add(running(more))
            detection.add(running(more), past=9)


LATE = "event A(x: int)\nevent B(x: int)\nF(x) <- a: A(x), w: extend(a, 3), while w: not B(x)\n"


def shown(event: Event, partition: Partition) -> str:
    return json.dumps([partition, *event[:3], dict(event.attributes)], sort_keys=True)


def corrected(program: Program, arrivals: list[Row], lateness: Time) -> tuple[Counter[str], int]:
    """What is left of the answers, and how many were withdrawn; a withdrawn one was given before."""
    detection, left, withdrawn = Detection(running(program), lateness), Counter[str](), 0
    instants = arriving(arrivals, lateness, ReadReport())
    for found in (*map(detection.instant, instants), detection.end()):
        for answer, partition in found:
            left[shown(answer.event, partition)] += -1 if answer.withdrawn else 1
            withdrawn += answer.withdrawn
            assert min(left.values()) >= 0
    return +left, withdrawn


@pytest.mark.parametrize("lateness", [3, 8])
def test_what_is_left_of_corrected_answers_is_what_the_whole_log_derives(lateness: Time) -> None:
    random, withdrawn = Random(lateness), 0
    points = (Event(random.choice("AB"), time, time, {"x": random.randrange(2)}) for time in range(80))
    made = [Case(0, 0, "", LATE, tuple(points))]
    made += [generated(0, number, {"windows": 2, "chained": 1}) for number in range(6)]
    for number, case in enumerate(made):
        if any(violations(case.program, case.events)):
            continue
        arrivals = [row for key in ("a", "b") for row in rows(list(case.events), key)]
        arrivals.sort(key=lambda row: row.time + random.randint(0, lateness))
        expected = Counter(shown(event, key) for key in ("a", "b") for event in denotation(case.program, case.events))
        left, gone = corrected(case.program, arrivals, lateness)
        assert left == expected, number
        withdrawn += gone
        in_order = sorted(arrivals, key=lambda row: row.time)
        assert corrected(case.program, in_order, lateness) == (expected, 0)
    assert withdrawn >= 3
