"""The plugin for pytest: a `remora.testing.detector_suite` in a test module becomes many test cases."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

from remora.testing import DetectorSuite

if TYPE_CHECKING:
    from campaigns.engine.findings import Cases

BATCH = 100  # So many random cases are one test case
LEAST = 10  # A law or relation is tried on so many cases at least


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known with which the suites can be chosen or left out: `-m "not remora"`."""
    config.addinivalue_line("markers", "remora: a test case of a remora.testing.detector_suite")


def pytest_pycollect_makeitem(collector: pytest.Module | pytest.Class, name: str, obj: object) -> Any:
    """Collect a suite; leave everything else to pytest."""
    return SuiteCollector.from_parent(collector, name=name, suite=obj) if type(obj) is DetectorSuite else None


class SuiteCollector(pytest.Collector):
    """The test cases of a suite."""

    def __init__(self, *, suite: DetectorSuite, **others: Any) -> None:
        super().__init__(**others)
        self.suite = suite

    @cached_property
    def detector(self) -> tuple[str, Any]:
        """The name of the detector and its factory; `InputError` where it cannot be used."""
        from campaigns.carlson_lisper.loading import any_factory
        from campaigns.carlson_lisper.protocol_check import require_protocol

        factory = self.suite.factory
        if not isinstance(factory, str):
            name = getattr(factory, "__qualname__", repr(factory))
            return f"{getattr(factory, '__module__', '?')}:{name}", factory
        found = any_factory(factory, [str(Path(self.path).parent)])
        require_protocol({factory: found})
        return factory, found

    def collect(self) -> Iterator[pytest.Item]:
        """One for each stored regression, law and relation, and for each batch of random cases."""
        # These bring the judge, which no other test run needs.
        from campaigns.carlson_lisper.relations import RELATIONS
        from campaigns.carlson_lisper.rewriting import equations
        from campaigns.engine.findings import known_cases, law_cases, random_cases
        from campaigns.judging.regressions import own_regressions, stored_regressions
        from semantics.systems import DEFAULT_SYSTEM

        suite, folder = self.suite, Path(self.path).parent / self.suite.regressions
        known = {each.name: each for each in [*own_regressions(DEFAULT_SYSTEM), *stored_regressions(folder)]}
        found = [(f"regression:{each.name}", known_cases([each]), range(1)) for each in known.values()]
        of_laws = [law_cases(law.id, suite.seed) for law in equations()]
        for kinds in (of_laws, [random_cases(suite.seed, name) for name in RELATIONS]):
            found += [(kind.name, kind, range(max(LEAST, suite.cases // len(kinds)))) for kind in kinds]
        for first in range(0, suite.cases, BATCH):
            numbers = range(first, min(first + BATCH, suite.cases))
            found.append((f"cases:{numbers[0]}-{numbers[-1]}", random_cases(suite.seed), numbers))
        for name, cases, numbers in found:
            yield SuiteItem.from_parent(self, name=name, suite=suite, folder=folder, cases=cases, numbers=numbers)


class SuiteItem(pytest.Item):
    """One test case of a suite."""

    def __init__(self, *, suite: DetectorSuite, folder: Path, cases: Cases, numbers: range, **others: Any) -> None:
        super().__init__(**others)
        self.suite, self.folder, self.cases, self.numbers = suite, folder, cases, numbers
        self.add_marker("remora")

    def runtest(self) -> None:
        """Put the cases to the detector up to the first failure; skipped if it takes none of them."""
        from campaigns.engine.findings import Engine
        from remora.gate.output import lines
        from semantics.errors import InputError

        try:
            name, factory = cast(SuiteCollector, self.parent).detector
        except InputError as error:
            raise pytest.fail.Exception(str(error), pytrace=False) from None
        engine = Engine({name: factory}, seconds=self.suite.seconds, keep=self.folder)
        (check,) = engine.put("suite", [self.cases], self.numbers, stop_after=1)
        for finding in engine.findings:
            pytest.fail(lines(finding), pytrace=False)
        if not check.tried:
            pytest.skip(f"the detector took none of {check.refused} cases")
        self.user_properties.append(("cases", check.tried))

    def reportinfo(self) -> tuple[Path, None, str]:
        """Where it is from."""
        return self.path, None, f"{self.parent.name if self.parent else ''}::{self.name}"
