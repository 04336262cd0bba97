import json
from typing import Any

import pytest

from benchmarks.patterns import PATTERNS
from benchmarks.results import SCHEMA, results_data, versions
from benchmarks.timing import Effort, compare, scaling
from benchmarks.traces import random_trace
from tests.benchmarks.fakes import FakeClock, fake, too_early
from tests.remora.documents import of_its_schema

EFFORT = Effort(repetitions=3, seconds=0.01)


def results(ours: float = 1e-6, theirs: float = 2e-6) -> dict[str, Any]:
    clock = FakeClock()
    trace = random_trace(("A", "B"), 0.1, 20_000, 0)
    subjects = [
        fake("ours", clock=clock, cost=lambda n: ours * n),
        fake("theirs", clock=clock, cost=lambda n: theirs * n, family="Other"),
        fake("wrong", clock=clock, change=too_early, family="Other"),
    ]
    comparison = compare(PATTERNS["ii"], 0.1, trace, subjects, EFFORT, clock=clock)
    growth = scaling(PATTERNS["ii"], 0.1, trace, subjects[:1], EFFORT, clock=clock)
    data = results_data([comparison], growth, EFFORT, 7, 1)
    found: dict[str, Any] = json.loads(json.dumps(data, allow_nan=False))
    return found


def test_results_with_every_part_are_a_document_of_the_schema() -> None:
    data = {"remora": "1", **results()}
    assert data["schema"] == SCHEMA and data["results"][0]["ratios"] and data["scaling"][0]["points"]
    of_its_schema(json.dumps(data))


def test_every_single_timing_is_kept_and_a_wrong_subject_has_none() -> None:
    ours, theirs, wrong = results()["results"][0]["subjects"]
    assert [len(one["seconds"]) for one in (ours, theirs, wrong)] == [3, 3, 0]
    assert (wrong["status"], wrong["rate"]) == ("wrong", None)


def test_a_package_that_is_not_installed_has_no_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.results.PACKAGES", ("numpy", "no-such-package"))
    found = versions()
    assert found["no-such-package"] is None
    assert found["numpy"]
