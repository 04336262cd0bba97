"""Test suites in one line of a test module: every law, relation, stored regression, and random cases.

    from remora.testing import detector_suite
    from mypackage.detectors import Fast

    test_fast = detector_suite(Fast)

The plugin for pytest that comes with Remora makes a test case of each. What is imported here is light: a test run that
uses no suite pays nothing for the plugin.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from detectors.carlson_lisper.adapters import AnyFactory


class DetectorSuite(NamedTuple):
    """A suite of tests for a detector, to be collected by pytest; see `detector_suite`."""

    factory: Any
    cases: int
    seed: int
    regressions: str
    seconds: float


def detector_suite(
    factory: AnyFactory | str,
    *,
    cases: int = 1000,
    seed: int = 0,
    regressions: str = "regressions",
    seconds: float = 5.0,
) -> DetectorSuite:
    """A suite of tests for a detector; assigned to a name in a test module, it is collected by pytest.

    A failure is made small, drawn in the report, and stored in the folder of regressions, which belongs in version
    control: it is a test case of its own from then on.

    Args:
        factory: makes a fresh detector for a ground expression (`remora.Detector`, or one that reports
            starts and ends alone), or its name, such as `command: ./mydetector` beside the test module.
        cases: how many random cases there are; all laws and relations together are tried on about as many.
        seed: their seed.
        regressions: the folder with stored failures, seen from the test module.
        seconds: how long the detector may take for one trace.

    Raises:
        TypeError: the factory cannot be called.
        ValueError: there are no cases, or no time.
    """
    if not (callable(factory) or isinstance(factory, str)):
        raise TypeError(f"a detector is made by a class or function, or has a name; it is no {type(factory).__name__}")
    if cases < 1 or seconds <= 0:
        raise ValueError("a suite has at least one case, and some time for it")
    return DetectorSuite(factory, cases, seed, regressions, seconds)
