"""How long a verification is said to take: what its stages were measured to take."""

import json
from pathlib import Path

import pytest

from remora.verification import efforts
from remora.verification.efforts import EFFORTS, QUICK, REST, durations, main

REPORT = {
    "command": "remora verify --quick --out somewhere",
    "seconds": 10.0,
    "stages": [
        {"name": "proofs", "seconds": 3.0, "detail": ""},
        {"name": "canaries", "seconds": 1.5, "detail": ""},
        {"name": "canaries", "seconds": 0.5, "detail": ""},
    ],
}


def test_all_seconds_of_a_run_belong_to_a_stage_or_to_the_rest() -> None:
    found = durations(REPORT)
    assert found == {"proofs": 3.0, "canaries": 2.0, REST: 5.0}
    assert sum(found.values()) == REPORT["seconds"]


def test_what_is_said_is_taken_from_the_report_of_a_run_of_that_effort(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "durations.json"
    kept.write_text(efforts.FILE.read_text("utf-8"))
    monkeypatch.setattr(efforts, "FILE", kept)
    report = tmp_path / "report.json"
    report.write_text(json.dumps(REPORT))
    main([str(report)])
    changed = json.loads(kept.read_text("utf-8"))
    assert changed["quick"] == durations(REPORT)
    assert changed["standard"] == dict(efforts.STANDARD.expected)


def test_every_effort_has_the_same_stages_but_for_what_it_leaves_out() -> None:
    assert {*QUICK.expected} == {*EFFORTS[1].expected} - {"throughput", "scaling"}
    assert all(REST in each.expected for each in EFFORTS)
