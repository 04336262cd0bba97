import copy
import json
from typing import Any

import pytest

from benchmarks.patterns import PATTERNS
from benchmarks.results import SCHEMA, changes, results_data, versions
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


def test_what_changed_is_the_ratio_to_a_tool_and_not_the_machine() -> None:
    slower_machine = changes(results(), results(ours=5e-6, theirs=10e-6))
    assert [round(change.factor, 6) for change in slower_machine] == [1.0]
    assert not slower_machine[0].apart
    (change,) = changes(results(), results(ours=0.5e-6))
    assert (change.pattern, change.density, change.subject, change.family) == ("ii", 0.1, "ours", "Other")
    assert round(change.factor, 6) == 2.0
    assert change.apart


def test_ratios_that_overlap_are_within_noise() -> None:
    old, new = results(), results(ours=0.9e-6)
    new["results"][0]["ratios"][0]["min"] = 1.5
    (change,) = changes(old, new)
    assert change.factor > 1
    assert not change.apart


def test_a_ratio_that_only_one_has_is_left_out() -> None:
    old, new = results(), results()
    old["results"][0]["density"] = 0.5
    assert changes(old, new) == []


@pytest.mark.parametrize("change", [{"schema": "remora/bench/0"}, {"schema": None}])
def test_results_of_another_schema_are_refused(change: dict[str, Any]) -> None:
    data = results()
    with pytest.raises(ValueError, match="remora/bench/1"):
        changes({**copy.deepcopy(data), **change}, data)


def test_a_package_that_is_not_installed_has_no_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.results.PACKAGES", ("numpy", "no-such-package"))
    found = versions()
    assert found["no-such-package"] is None
    assert found["numpy"]
