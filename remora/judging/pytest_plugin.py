"""The plugin for pytest: a `remora.testing.detector_suite` in a test module becomes many test cases."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from remora.testing import DetectorSuite

if TYPE_CHECKING:
    from remora.judging.suites import Part


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known with which the suites can be chosen or left out: `-m "not remora"`."""
    config.addinivalue_line("markers", "remora: a test case of a remora.testing.detector_suite")


def pytest_pycollect_makeitem(
    collector: pytest.Module | pytest.Class, name: str, obj: object
) -> pytest.Collector | None:
    """Collect a suite; leave everything else to pytest."""
    if type(obj) is not DetectorSuite:
        return None
    found: SuiteCollector = SuiteCollector.from_parent(collector, name=name, suite=obj)
    return found


class SuiteCollector(pytest.Collector):
    """The test cases of a suite."""

    def __init__(self, *, suite: DetectorSuite, **others: Any) -> None:
        super().__init__(**others)
        self.suite = suite

    def collect(self) -> Iterator[SuiteItem]:
        """One for each stored regression, law and relation, and for each batch of random cases."""
        from remora.judging.suites import parts  # brings the judge, which no other test run needs

        for part in parts(self.suite, Path(self.path).parent):
            item: SuiteItem = SuiteItem.from_parent(self, name=part.name, part=part)
            yield item


class DetectorFailed(Exception):
    """The detector is wrong; the text says where, and draws it."""


class SuiteItem(pytest.Item):
    """One test case of a suite."""

    def __init__(self, *, part: Part, **others: Any) -> None:
        super().__init__(**others)
        self.part = part
        self.add_marker("remora")

    def runtest(self) -> None:
        """Put the cases to the detector; skipped if it takes none of them."""
        outcome = self.part.run()
        if outcome.failure:
            raise DetectorFailed(outcome.failure)
        if not outcome.taken:
            pytest.skip(f"the detector took none of {outcome.cases} cases")
        self.user_properties.append(("cases", outcome.taken))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The failure as it was drawn, without a traceback of ours."""
        if isinstance(excinfo.value, DetectorFailed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, None, str]:
        """Where it is from."""
        return self.path, None, f"{self.parent.name if self.parent else ''}::{self.name}"
