"""One's own logs in the report: how many detections by partition and over time, and the first ones drawn."""

from pathlib import Path

import pytest

from detectors.carlson_lisper.catalogue import DEFAULT_DETECTOR, DETECTORS
from detectors.carlson_lisper.protocol import instants, run
from remora.api.claiming.data import JsonObject
from remora.verification.logs import FIRST, comparable, found_in, read_log
from reports.carlson_lisper.system import REPORTS
from reports.documents import value_of
from reports.drawing.timeline import to_text
from semantics.carlson_lisper.occurrences import Occurrence, interpretation
from semantics.carlson_lisper.syntax import parse
from semantics.traces.reading import Reading

LOG = "time,event,user\n" + "".join(
    f"2024-01-01T00:{minute:02}:00Z,{event},{user}\n"
    for minute, event, user in (
        (0, "fail", "ann"),
        (1, "fail", "ann"),
        (2, "ok", "ann"),
        (3, "fail", "bob"),
        (4, "fail", "bob"),
        (5, "fail", "bob"),
        (9, "ok", "cyd"),
    )
)


def told(path: Path, pattern: str, reading: Reading) -> JsonObject:
    path.write_text(LOG)
    log, _ = read_log("log.csv", path, pattern, reading)
    detector = DETECTORS[DEFAULT_DETECTOR]
    return found_in(
        log, {key: list(run(detector(log.expression), instants(one))) for key, one in log.scenarios.items()}
    )


def test_detections_are_counted_by_partition_and_over_time(tmp_path: Path) -> None:
    found = told(tmp_path / "log.csv", "fail ; fail", Reading(tick="1min", partition_by="user"))
    assert found["by_key"] == [{"key": "bob", "detections": 2}, {"key": "ann", "detections": 1}]
    assert found["partitions"] == 2
    assert sum(span["detections"] for span in found["over_time"]) == 3
    assert found["over_time"][0]["from"] == "2024-01-01T00:00:00Z"
    assert found["over_time"][-1]["to"] == "2024-01-01T00:05:00Z"


def test_the_first_detections_are_drawn_with_what_occurs_meanwhile(tmp_path: Path) -> None:
    found = told(tmp_path / "log.csv", "fail ; ok", Reading(tick="1min", partition_by="user"))
    (first,) = found["first"]
    drawn = to_text(REPORTS.detection_timeline(value_of("first detection", first)))
    assert drawn.startswith("2024-01-01T00:01:00Z to 2024-01-01T00:02:00Z, in ann")
    assert "{fail@0, ok@1}" in drawn
    many = told(tmp_path / "log.csv", "fail", Reading(tick="1min"))
    assert len(many["first"]) == FIRST
    assert "by_key" not in many


def test_of_a_long_trace_the_beginning_is_compared_with_the_meaning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("remora.verification.logs.MAX_INSTANTS", 4)
    occurrences = [Occurrence("ab"[number % 2], number) for number in range(6)]
    scenario = interpretation([*occurrences, Occurrence("other", 0), Occurrence("other", 9)])
    part, last = comparable(parse("a ; b"), scenario)
    assert (last, max(one.time for one in part.occurrences())) == (3, 3)
    assert comparable(parse("a ; a"), scenario) == (scenario, None)
