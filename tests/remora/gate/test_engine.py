"""The engine of judging: what is counted, what is made small, and what is believed, in this process and in others."""

import itertools
from collections.abc import Mapping
from pathlib import Path

import pytest

from campaigns.carlson_lisper.cases import Case
from campaigns.carlson_lisper.mutants import MUTANTS
from campaigns.carlson_lisper.rewriting import equations
from campaigns.engine.findings import (
    AFTER_A_FAILURE,
    TOO_SHORT,
    Cases,
    Clock,
    Engine,
    Outcome,
    Tally,
    given_cases,
    known_cases,
    law_cases,
    random_cases,
)
from campaigns.judging.judgements import UNSTEADY
from campaigns.judging.regressions import own_regressions, stored_regressions
from campaigns.judging.verdicts import MEANING, Kind, Verdict
from campaigns.systems import NO_CORPUS, cases_of
from detectors.carlson_lisper.source.figure2 import Figure2
from laws.standings import Standing
from remora.gate.output import lines
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.occurrences import Instance, Occurrence, Time, Value
from semantics.carlson_lisper.syntax import parse
from semantics.events import Interval
from tests.campaigns.broken_detectors import Exiting, Looping, Selective

KNOWN = own_regressions("carlson_lisper")
LAWS = {law.id: law_cases(law.id, 0) for law in equations()}


class Tired(Figure2):
    """Reports nothing from its twelfth instance in a process on."""

    made = itertools.count(1)

    def __init__(self, expression: Expression) -> None:
        super().__init__(expression)
        self.silent = next(Tired.made) >= 12

    def step(self, time: Time, occurrences: Mapping[str, Value]) -> Instance | None:
        found = super().step(time, occurrences)
        return None if self.silent else found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kinds", "mutant", "apart"),
    [
        ([LAWS["law:6"]], "seq-earliest", True),
        ([random_cases(0)], "seq-newest", False),
        ([random_cases(0)], "seq-newest", True),
        ([random_cases(0, "gap")], "seq-earliest", False),
        ([known_cases(KNOWN)], "neg-forgets", False),
        ([known_cases(KNOWN, small=False)], "neg-forgets", False),
    ],
    ids=lambda given: given[0].name.partition(":")[0] if isinstance(given, list) else str(given),
)
def test_every_kind_of_cases_lets_right_detectors_pass_and_finds_a_wrong_one(
    kinds: list[Cases], mutant: str, apart: bool, tmp_path: Path
) -> None:
    engine = Engine({"right": Figure2, "wrong": MUTANTS[mutant]}, keep=tmp_path, apart=apart)
    checks = engine.put("some", kinds, range(min(60, len(KNOWN))), stop_after=None if apart else 1)
    assert {check.standing for check in checks if check.detector == "right" and check.tried} == {Standing.TESTED}
    failed = [check for check in checks if check.wrong]
    assert {check.detector for check in failed} == {"wrong"}
    assert all(check.detail.startswith(f"{check.failed} of {check.tried} cases failed: ") for check in failed)
    assert all(len(finding.case.occurrences) <= 12 for finding in engine.findings)
    assert all(finding.verdict is not None and finding.steady for finding in engine.findings)
    kept = {f"{one.name}.json" for one in stored_regressions(tmp_path)}
    assert kept == {Path(finding.regression).name for finding in engine.findings if finding.regression}


@pytest.mark.slow
@pytest.mark.parametrize("apart", [False, True])
def test_a_violated_law_is_shown_by_the_side_that_is_wrong(apart: bool) -> None:
    engine = Engine({"wrong": MUTANTS["tim-short"]}, apart=apart)
    engine.put("laws", list(LAWS.values()), range(5 * len(LAWS)), stop_after=1)
    assert engine.findings
    for finding in engine.findings:
        said = finding.remark if finding.by == MEANING else finding.detail
        assert "; by the semantics it is wrong for " in said
        assert " due" not in said


@pytest.mark.slow
def test_a_failure_that_does_not_come_again_alone_counts_and_is_not_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Of more processors each has few instances; and so it is with short rounds.
    monkeypatch.setattr("campaigns.judging.isolation.processors", lambda: 2)
    monkeypatch.setattr("campaigns.judging.isolation.ROUND", 60.0)
    engine = Engine({"tired": Tired}, keep=tmp_path, apart=True)
    for kind in (random_cases(0), LAWS["law:6"]):
        (check,) = engine.put("some", [kind], range(120))
        assert check.wrong
    assert {finding.by for finding in engine.findings} == {MEANING, "law:6"}
    for finding in engine.findings:
        assert (finding.steady, finding.verdict, finding.regression) == (False, None, "")
        assert UNSTEADY in lines(finding)
    assert stored_regressions(tmp_path) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("detector", "kind"), [(Exiting, Kind.WORKER_LOST), pytest.param(Looping, Kind.TIMEOUT, marks=pytest.mark.slow)]
)
def test_a_detector_that_ends_or_blocks_its_process_is_found_out(
    detector: type[Figure2], kind: Kind, tmp_path: Path
) -> None:
    engine = Engine({"bad": detector}, seconds=0.2, keep=tmp_path, apart=True, clock=Clock(2.0))
    small = cases_of().maker(0, {"small": 1}, NO_CORPUS, 0)
    (check,) = engine.put("some", [Cases("small cases", small, lambda number: "")], itertools.count())
    assert check.standing is (Standing.UNKNOWN if kind is Kind.TIMEOUT else Standing.REFUTED)
    (finding,) = engine.findings
    assert (finding.kind, finding.steady) == (kind, True)
    assert kind is Kind.TIMEOUT or len(finding.case.occurrences) <= 4


def test_what_is_refused_is_counted_with_its_reason_and_is_no_pass() -> None:
    engine = Engine({"mine": Selective})
    (check,) = engine.put("some", [random_cases(0)], range(40))
    assert (check.standing, check.tried + check.refused) == (Standing.TESTED, 40)
    assert (check.failed, check.reason) == (0, "only short expressions")
    case = Case(0, 0, "given", parse("a - (b | c)"), (Occurrence("a", 1),))
    (check,) = engine.put("yours", [given_cases([(case, "mine")])], range(1))
    assert (check.standing, check.detail) == (None, "the detector took none of 1 cases: only short expressions")


def test_outcomes_become_checks() -> None:
    tally = Tally("laws")

    def stands(name: str) -> tuple[Standing | None, str]:
        check = tally.check(name, "mine")
        return check.standing, check.detail

    passed = Outcome("law:1", 0, "mine", "law:1", Verdict(None, "", (Interval(1, 2),)))
    refused = Outcome("law:4", 0, "mine", "law:4", Verdict(None, "", (), refusal="no sums"))
    assert list(tally.add([(passed,), (refused,)])) == []
    assert stands("law:1")[0] is Standing.TESTED
    assert stands("law:4") == (None, "the detector took none of 1 cases: no sums")
    assert (tally.check("law:4", "mine").refused, tally.check("law:4", "mine").reason) == (1, "no sums")
    assert stands("law:2") == (Standing.UNKNOWN, TOO_SHORT), "no failure, and not one case"
    failed = passed._replace(number=1, verdict=Verdict(Kind.MISSING, "at 1: nothing", ()))
    assert list(tally.add([(failed,), (failed,)])) == [failed], "one of a kind is looked at"
    assert stands("law:1")[0] is Standing.REFUTED
    assert stands("law:2") == (None, AFTER_A_FAILURE) and not tally.blocked
    slow = failed._replace(verdict=Verdict(Kind.TIMEOUT, "not finished", ()))
    list(tally.add([(slow,), (slow._replace(name="law:7"),)]))
    assert tally.blocked
    assert stands("law:7") == (Standing.UNKNOWN, "1 of 1 cases were not finished: not finished")
    said = "2 of 4 cases failed and 1 of 4 cases were not finished: at 1: nothing"
    assert stands("law:1") == (Standing.REFUTED, said)
    list(tally.add([(passed._replace(verdict=Verdict(Kind.DISAGREEMENT, "", ())),)]))
    assert stands("law:1")[0] is Standing.DISAGREEMENT
