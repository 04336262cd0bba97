"""The parts of a `remora.testing.detector_suite`: what each puts to the detector, and what is said when it fails."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from campaigns.carlson_lisper.cases import Case, generate
from campaigns.carlson_lisper.relations.catalogue import RELATIONS
from campaigns.carlson_lisper.relations.rewriting import equations
from campaigns.carlson_lisper.relations.suite import examine_law, judge_law, law_case
from campaigns.judging.judgements import judged_by
from campaigns.judging.minimise import minimise
from campaigns.judging.regressions import Regression, own_regressions, store, stored_regressions
from campaigns.judging.verdicts import BLOCKING, MEANING, Verdict
from detectors.carlson_lisper.adapters import AnyFactory
from laws.carlson_lisper.claims import EquationClaim
from remora.judging.reports import lines
from remora.judging.results import Finding
from remora.testing import DetectorSuite

BATCH = 100
"""So many random cases are one test case."""

LEAST = 10
"""A law or relation is tried on so many cases at least."""


@dataclass(frozen=True)
class Outcome:
    """What came of a part.

    Attributes:
        cases: how many cases it has.
        taken: how many of them the detector took, up to the first failure.
        failure: the failure, drawn; "" if there is none.
    """

    cases: int
    taken: int
    failure: str = ""


@dataclass(frozen=True)
class Part:
    """One test case of a suite: its name, and what runs it."""

    name: str
    run: Callable[[], Outcome]


def parts(suite: DetectorSuite, folder: Path) -> Iterator[Part]:
    """The test cases of a suite.

    Args:
        suite: the suite.
        folder: where its test module is.

    Raises:
        InputError: a stored regression cannot be read.
    """
    judged = _Judged(suite, folder / suite.regressions)
    known = {each.name: each for each in [*own_regressions(), *stored_regressions(judged.folder)]}
    yield from (Part(f"regression:{name}", partial(judged.regression, one)) for name, one in known.items())
    yield from (Part(law.id, partial(judged.law, law)) for law in equations())
    yield from (Part(f"relation:{name}", partial(judged.relation, name)) for name in RELATIONS)
    for first in range(0, suite.cases, BATCH):
        numbers = range(first, min(first + BATCH, suite.cases))
        yield Part(f"cases:{numbers[0]}-{numbers[-1]}", partial(judged.campaign, numbers))


class _Judged:
    """A detector and the folder for its failures."""

    def __init__(self, suite: DetectorSuite, folder: Path) -> None:
        self.suite = suite
        self.folder = folder
        self.factory: AnyFactory = suite.factory
        kind = self.factory
        self.name = f"{getattr(kind, '__module__', '?')}:{getattr(kind, '__qualname__', repr(kind))}"

    def regression(self, one: Regression) -> Outcome:
        said = f"regression {one.name}, first failed by {one.detector}"
        verdict = one.verdict(self.factory, seconds=self.suite.seconds)
        if verdict.kind is None:
            return Outcome(1, not verdict.refused)
        return Outcome(1, 1, self._drawn(one.relation, one.case, verdict, said))

    def law(self, law: EquationClaim) -> Outcome:
        number = max(LEAST, self.suite.cases // len(equations()))
        seconds, taken = self.suite.seconds, 0
        for case in (law_case(law, self.suite.seed, each) for each in range(number)):
            verdict = judge_law(law, case, self.factory, seconds=seconds)
            taken += not verdict.refused
            if verdict.kind is None:
                continue
            said = f"{law.id}, {law.statement}, is violated on {case}: {verdict.detail}"
            found = (
                None if verdict.kind in BLOCKING else examine_law(law, case, self.factory, seconds=seconds)
            )
            if found is None:
                return Outcome(number, taken, self._drawn(law.id, case, verdict, said))
            said = (
                f"{law.id}, {law.statement}, is violated on {found.case.trace_text}: {found.verdict.detail}"
            )
            if found.wrong is None:
                return Outcome(number, taken, self._drawn(law.id, found.case, found.verdict, said))
            small = found.wrong
            return Outcome(number, taken, self._kept(MEANING, small.case, small.verdict, said))
        return Outcome(number, taken)

    def relation(self, name: str) -> Outcome:
        return self._tried(name, range(max(LEAST, self.suite.cases // len(RELATIONS))))

    def campaign(self, numbers: range) -> Outcome:
        return self._tried(MEANING, numbers)

    def _tried(self, relation: str, numbers: Iterable[int]) -> Outcome:
        ask = partial(judged_by, relation, factory=self.factory, seconds=self.suite.seconds)
        cases = taken = 0
        for number in numbers:
            case = generate(self.suite.seed, number)
            verdict = ask(case)
            cases += 1
            taken += not verdict.refused
            if verdict.kind is not None:
                small = minimise(case, verdict, ask) if verdict.kind not in BLOCKING else None
                if small is not None:
                    case, verdict = small.case, small.verdict
                said = f"case {number} of seed {self.suite.seed}"
                return Outcome(cases, taken, self._kept(relation, case, verdict, said))
        return Outcome(cases, taken)

    def _kept(self, relation: str, case: Case, verdict: Verdict, said: str) -> str:
        """Store a failure and draw it."""
        assert verdict.kind is not None  # it is a failure
        regression = Regression(case, relation, self.name, verdict.kind.value, verdict.detail)
        if regression.name in {one.name for one in own_regressions()}:  # which are always tried
            return self._drawn(relation, case, verdict, said)
        store(self.folder, [regression])
        file = self.folder / f"{regression.name}.json"
        return self._drawn(relation, case, verdict, said, str(file))

    def _drawn(self, by: str, case: Case, verdict: Verdict, said: str, file: str = "") -> str:
        assert verdict.kind is not None  # it is a failure
        finding = Finding("suite", self.name, by, verdict.kind, verdict.detail, case, verdict, said)
        return lines(replace(finding, regression=file))
