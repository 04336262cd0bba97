"""Campaigns of rules: axioms are looked after, failing cases are made small and called after their smallest form."""

from dataclasses import replace
from typing import Any

import pytest

from campaigns.bry_eckert.system import CASES
from campaigns.engine.summary import Failure
from campaigns.judging.judgements import fault_path, minimise
from campaigns.judging.verdicts import MEANING, Cause, Kind, Verdict
from campaigns.systems import NO_CORPUS
from detectors.bry_eckert.differencing import Differencing
from semantics.bry_eckert.denotation import violations
from semantics.events import Event, Interval
from tests.semantics.bry_eckert.programs import cases

MAKE = CASES.maker(0, CASES.PROFILES, NO_CORPUS, 0)


class Untimed(Differencing):
    """An engine whose steps are those at which an event arrives: answers of timers are late."""

    def due(self) -> None:
        return None


def judged_with(factory: Any) -> Any:
    factory = CASES.factory(factory, ()) if isinstance(factory, str) else factory
    return lambda one: CASES.judge(one, factory, seconds=5, meaning=CASES.meaning(one))


@pytest.mark.slow
def test_logs_of_programs_with_axioms_obey_them_mostly_and_engines_notice_where_not() -> None:
    made = [case for case in cases(150) if case.program.axioms]
    broken = [case for case in made if any(violations(case.program, case.events))]
    assert 0 < len(broken) < len(made) / 2
    verdicts = list(map(judged_with("mutant:differencing-watch-one-of-a-kind-is-enough"), broken))
    assert any("is broken, and the engine does not say so" in verdict.detail for verdict in verdicts)


@pytest.mark.slow
def test_a_wrong_engine_is_found_and_its_case_made_small() -> None:
    judged = judged_with("mutant:nodes-timer-due-at-the-earliest-end")
    case = next(case for case in map(MAKE, range(200)) if judged(case).kind is Kind.MISSING)
    small = minimise(case, judged(case), judged)
    assert len(small.case.events) <= 2
    assert len(small.case.program.rules) <= 2 and not small.case.program.axioms


def test_a_failure_is_called_after_its_smallest_case_and_a_late_answer_drawn_when_it_was_given() -> None:
    program = "event A()\nE() <- a: A(), b: A(), w: shift(a, 1), {a, b} within 9\n"
    events = (Event("A", 1, 1, {}), Event("A", 9, 9, {}))
    case = replace(MAKE(0), profile="plain", text=program, events=events)
    judged = judged_with(Untimed)
    verdict: Verdict = judged(case)
    assert verdict.kind is Kind.PROTOCOL
    assert "is given at 9 and happens at 2" in verdict.detail
    assert Interval(1, 9) in verdict.detected and Interval(1, 2) in verdict.expected
    path = fault_path(case, Kind.PROTOCOL, judged)
    cause = Cause("untimed", MEANING, path, Kind.PROTOCOL)
    failure = Failure(case, cause, "", verdict, minimise(case, verdict, judged))
    assert (failure.cause.path, failure.called.path) == ("join, shift, within", "shift")
