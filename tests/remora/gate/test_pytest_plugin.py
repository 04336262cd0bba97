"""The suite for a detector of one's own that one line in a test module gives."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np  # cannot be imported a second time, after the run of a suite in this process
import pytest

from campaigns.carlson_lisper.cases import Case
from campaigns.judging.regressions import Regression, store, stored_regressions
from campaigns.judging.verdicts import MEANING, Kind
from detectors.carlson_lisper.source.figure2 import Figure2
from semantics.carlson_lisper.occurrences import Occurrence
from semantics.carlson_lisper.syntax import parse

ROOT = Path(__file__).parents[3]
pytest_plugins = ["pytester"]
assert np


@pytest.fixture
def suite(pytester: pytest.Pytester) -> Callable[..., pytest.RunResult]:
    """Runs a test module with a suite."""

    def run(module: str, *arguments: str) -> pytest.RunResult:
        pytester.makepyfile(test_mine="from remora.testing import detector_suite\n" + module)
        pytester.syspathinsert()
        return pytester.runpytest_inprocess("-p", "no:cacheprovider", *arguments)

    return run


FIGURE2 = "from detectors.carlson_lisper.source.figure2 import Figure2\ntest_it = detector_suite(Figure2, cases={})\n"


def test_one_line_gives_every_law_relation_regression_and_batch(suite: Callable[..., pytest.RunResult]) -> None:
    found = suite(FIGURE2.format(150), "--collect-only", "-q")
    names = {line.rpartition("::")[2] for line in found.outlines if "::" in line}
    assert {"law:36", "detection:7", "primitive:1", "relation:gap", "cases:0-99", "cases:100-149"} <= names
    assert any(name.startswith("regression:") for name in names)


@pytest.mark.slow
def test_failures_of_the_suite_are_small_drawn_and_stored(
    suite: Callable[..., pytest.RunResult], pytester: pytest.Pytester
) -> None:
    module = (
        "from campaigns.carlson_lisper.mutants import MUTANTS\n"
        "test_it = detector_suite(MUTANTS['seq-earliest'], cases=100)\n"
    )
    found = suite(module)
    outcomes = found.parseoutcomes()
    assert outcomes["failed"] >= 3
    assert outcomes["passed"] > outcomes["failed"]
    found.stdout.fnmatch_lines(["*law:6*", "*expected only*", "*found by: law:6, A ; (B ; C)*", "*stored: *"])
    kept = stored_regressions(pytester.path / "regressions")
    assert kept
    assert all(len(regression.case.occurrences) <= 6 for regression in kept)


def test_a_stored_failure_is_a_test_case_of_its_own(
    suite: Callable[..., pytest.RunResult], pytester: pytest.Pytester
) -> None:
    case = Case(0, 0, "small", parse("a ; b"), (Occurrence("a", 0), Occurrence("b", 1)))
    regression = Regression(case, MEANING, "somebody's", Kind.MISSING.value, "")
    store(pytester.path / "regressions", [regression])
    found = suite(FIGURE2.format(1), "-k", regression.name)
    found.assert_outcomes(passed=1, deselected=found.parseoutcomes()["deselected"])


def test_the_plugin_brings_nothing_heavy() -> None:
    code = "import sys, remora.gate.pytest_plugin; print([n for n in sys.modules if n.split('.')[0] in WORDS])"
    words = "{'campaigns', 'laws', 'semantics', 'detectors', 'z3', 'numpy', 'pyspark', 'pyarrow'}"
    run = subprocess.run(
        [sys.executable, "-c", code.replace("WORDS", words)], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert run.stdout == "[]\n"


def test_a_suite_of_something_that_makes_no_detectors_is_refused() -> None:
    from remora.testing import detector_suite

    with pytest.raises(TypeError, match="it is no int"):
        detector_suite(2)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="at least one case"):
        detector_suite(Figure2, cases=0)
