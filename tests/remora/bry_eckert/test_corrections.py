"""Answers at once about rows that come late: what is left of them in the end is what the sorted log derives."""

import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from campaigns.bry_eckert.cases import Case
from campaigns.bry_eckert.system import usual_plan
from remora.systems.bry_eckert.detection import Detection, Running, arriving
from semantics.bry_eckert.denotation import denotation, violations
from semantics.events import Event, Time
from semantics.traces.instants import ReadReport
from semantics.traces.rows import Origin, Partition, Row
from tests.remora.conftest import Remora
from tests.semantics.bry_eckert.programs import made as generated

RULES = "event A(x: int)\nevent B(x: int)\nF(x) <- a: A(x), w: extend(a, 3), while w: not B(x)\n"


def rows(events: list[Event], partition: Partition = None) -> list[Row]:
    return [
        Row(one.time, one.type, one.start, one.attributes, partition, Origin("log"), number)
        for number, one in enumerate(events)
    ]


def shown(event: Event, partition: Partition) -> str:
    return json.dumps([partition, *event[:3], dict(event.attributes)], sort_keys=True)


def corrected(running: Running, arrivals: list[Row], lateness: Time) -> tuple[Counter[str], int]:
    """What is left of the answers, and how many were withdrawn; a withdrawn one was given before."""
    detection, left, withdrawn = Detection(running, lateness), Counter[str](), 0
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
    made = [Case(0, 0, "", RULES, tuple(points))]
    made += [generated(0, number, {"windows": 2, "chained": 1}) for number in range(6)]
    for number, case in enumerate(made):
        if any(violations(case.program, case.events)):
            continue
        running = Running(case.program, usual_plan(case.program), "differencing")
        arrivals = [row for key in ("a", "b") for row in rows(list(case.events), key)]
        arrivals.sort(key=lambda row: row.time + random.randint(0, lateness))
        expected = Counter(shown(event, key) for key in ("a", "b") for event in denotation(case.program, case.events))
        left, gone = corrected(running, arrivals, lateness)
        assert left == expected, number
        withdrawn += gone
        in_order = sorted(arrivals, key=lambda row: row.time)
        assert corrected(running, in_order, lateness) == (expected, 0)
    assert withdrawn >= 3


@pytest.mark.parametrize("cut", [1, 3])
def test_a_state_goes_on_with_answers_that_may_still_be_corrected(remora: Remora, tmp_path: Path, cut: int) -> None:
    (tmp_path / "f.rules").write_text(RULES)
    log = [(1, "A", 1), (9, "A", 2), (2, "B", 1), (20, "B", 3), (25, "A", 5)]
    lines = [json.dumps({"time": time, "event": type, "x": x}) + "\n" for time, type, x in log]
    options = ("--lateness", 8, "--corrections")
    (tmp_path / "whole.jsonl").write_text("".join(lines))
    whole = remora("detect", tmp_path / "f.rules", tmp_path / "whole.jsonl", *options)[1]
    parts = ""
    state = ("--state", tmp_path / "s.json")
    for number, some in enumerate((lines[:cut], lines[cut:])):
        path = tmp_path / f"{number}.jsonl"
        path.write_text("".join(some))
        status, out, _ = remora("detect", tmp_path / "f.rules", path, *options, *state)
        assert status == 0
        parts += out
    assert '"withdrawn": true' in parts
    last = {"start": 25, "time": 28, "event": "F", "x": 5}  # which is still to come
    assert parts.splitlines() == [line for line in whole.splitlines() if json.loads(line) != last]
    for other in (("--lateness", 9, "--corrections"), ("--lateness", 8)):
        status, _, err = remora("detect", tmp_path / "f.rules", path, *other, *state)
        assert status == 2 and "the state belongs to another lateness" in err
