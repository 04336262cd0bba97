"""Rules that are added to a detection that goes on: what they derive, what they may see, and what is refused."""

from pathlib import Path
from random import Random

import pytest

from campaigns.bry_eckert.system import usual_plan
from detectors.bry_eckert.correcting import reaches
from remora.systems.bry_eckert.detection import Detection, Running
from semantics.bry_eckert.checking import parse
from semantics.bry_eckert.denotation import denotation
from semantics.bry_eckert.programs import Program, by_time
from semantics.errors import InputError
from semantics.events import Event, Time
from semantics.traces.instants import Instant
from semantics.traces.rows import Origin, Row
from tests.remora.conftest import Remora
from tests.semantics.bry_eckert.programs import seen, split


def running(program: Program) -> Running:
    return Running(program, usual_plan(program), "differencing")


def fed(detection: Detection, events: list[Event], *, end: bool = False) -> list[Event]:
    found: list[Event] = []
    for time in sorted({event.time for event in events}):
        rows = tuple(
            Row(time, one.type, one.start, one.attributes, None, Origin("log"), number)
            for number, one in enumerate(events)
            if one.time == time
        )
        found += [answer.event for answer, _ in detection.instant(Instant(time, rows))]
    return [*found, *(answer.event for answer, _ in detection.end())] if end else found


NEEDED = 0
"""In the place of a past: nothing is said of it, and no more is kept than is needed."""


@pytest.mark.long
@pytest.mark.parametrize("past", [None, NEEDED, 3, 10])
def test_added_rules_derive_what_they_derive_by_definition_of_the_past_that_they_see(
    tmp_path: Path, past: Time | None
) -> None:
    met = answered = 0
    for number in range(110):
        found = split(number)
        if found is None:
            continue
        first, more, events = found
        keep: Time | None = past or 100_000
        if past == NEEDED:
            needed = reaches(usual_plan(more)).values()
            keep = None if None in needed else max(filter(None, needed), default=0)
        if keep is None:
            continue
        now = Random(number).choice(events).time
        whole = denotation(first, events)
        detection = Detection(running(first))
        detection.keep(keep)
        assert sorted(fed(detection, [e for e in events if e.time <= now]), key=by_time) == [
            e for e in whole if e.time <= now
        ]
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
    log = [Event("A", 1, 1, {"x": 1}), Event("B", 7, 7, {"x": 1}), Event("B", 8, 8, {"x": 2})]
    for keep in (10, 9):
        detection = Detection(running(first))
        detection.keep(keep)
        fed(detection, [*log, Event("B", 10, 10, {"x": 3})])
        if keep == 10:
            detection.add(running(more))
            assert [answer.event for answer, _ in detection.end()] == [Event("H", 1, 11)]
        else:
            with pytest.raises(InputError, match="need F back to time 1, and it is forgotten up to time 1"):
                detection.add(running(more))
            detection.add(running(more), past=9)


def row(time: Time, type: str) -> str:
    return f'{{"time": {time}, "event": "{type}", "x": 1}}'


RULES = "event A(x: int)\nevent B(x: int)\nF(x) <- a: A(x)\n"
MORE = "G(x) <- f: F(x), b: B(x), {f, b} within 9\n"


def test_rules_are_added_by_an_option_and_stay_in_the_state(remora: Remora, tmp_path: Path) -> None:
    (tmp_path / "first.rules").write_text(RULES)
    (tmp_path / "more.rules").write_text(MORE)
    state = ("--state", tmp_path / "state.json")

    def detect(line: str, *options: object) -> tuple[int, str, str]:
        (tmp_path / "log.jsonl").write_text(line + "\n")
        return remora("detect", tmp_path / "first.rules", tmp_path / "log.jsonl", *options)

    add = ("--add", tmp_path / "more.rules")
    assert detect(row(1, "A"), *state, "--keep", 20)[0] == 0
    status, out, _ = detect(row(5, "B"), *state, *add)
    assert (status, out) == (0, '{"start": 1, "time": 5, "event": "G", "x": 1}\n')
    assert detect(row(9, "B"), *state)[1] == '{"start": 1, "time": 9, "event": "G", "x": 1}\n'
    status, _, err = detect(row(10, "B"), *state, *add)
    assert status == 2 and "G is there already" in err
    assert detect(row(10, "B"), *add)[0] == 2
    assert detect(row(10, "B"), *state, "--past", 3)[0] == 2
