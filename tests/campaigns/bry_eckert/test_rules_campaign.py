"""Campaigns of rules: wrong engines are found, failing cases are made small, a case is its number."""

from dataclasses import replace
from typing import Any

import pytest

from campaigns.bry_eckert.cases import constructs
from campaigns.bry_eckert.reductions import REDUCTIONS, measure
from campaigns.bry_eckert.system import CASES, MUTANTS
from campaigns.engine.failures import Failure
from campaigns.judging.judgements import fault_path
from campaigns.judging.minimise import minimise
from campaigns.judging.verdicts import MEANING, Cause, Kind, Verdict
from campaigns.mutants.power import power
from remora.judging.known_deaths import known_deaths
from semantics.bry_eckert.axioms import violations
from semantics.bry_eckert.denotation import denotation
from semantics.errors import InputError
from semantics.events import Event, Interval
from tests.semantics.bry_eckert.programs import cases

MAKE = CASES.maker(0, CASES.PROFILES, None, 0)


def test_a_case_is_determined_by_its_number_and_survives_json() -> None:
    for number in range(40):
        case = MAKE(number)
        assert MAKE(number) == case
        assert CASES.case_from_json(CASES.case_to_json(case), case.seed, case.number, case.profile) == case


def test_cases_have_all_constructs_and_most_derive_something() -> None:
    made = cases(150)
    met = {construct for case in made for construct in constructs(case.program)}
    assert {"join", "not", "collect", "chain", "union", "related", "within", "apart", "comparison"} | {
        "unique",
        "always",
    } <= met
    assert sum(bool(denotation(case.program, case.events)) for case in made) > 50


def test_logs_of_programs_with_axioms_obey_them_mostly_and_engines_notice_where_not() -> None:
    made = [case for case in cases(150) if case.program.axioms]
    broken = [case for case in made if any(violations(case.program, case.events))]
    assert 0 < len(broken) < len(made) / 2
    deaf = "differencing-watch-one-of-a-kind-is-enough"
    factory = CASES.factory(f"mutant:{deaf}", ())
    verdicts = [CASES.judge(case, factory, seconds=5, meaning=CASES.meaning(case)) for case in broken]
    assert any("is broken, and the engine does not say so" in verdict.detail for verdict in verdicts)


def test_every_text_that_a_mutant_replaces_is_there_once() -> None:
    assert len(MUTANTS) >= 60
    assert all(mutant.text() for mutant in MUTANTS.values())


def test_the_meaning_finds_every_wrong_engine_by_the_case_that_found_it_the_last_time() -> None:
    telling, met = CASES.telling(), 0
    for number, names in known_deaths("bry_eckert", 0, CASES.KILLED_WITHIN):
        some = {name: telling[name] for name in names}
        met += len(power(some, CASES, MAKE, 0, range(number, number + 1), seconds=5).deaths)
    assert met == len(telling), "cases have changed: run `python -m remora.judging.known_deaths`"


@pytest.mark.parametrize("name", [name for name in MUTANTS if name not in CASES.telling()])
def test_a_relation_finds_every_engine_that_is_wrong_about_a_stored_state(name: str) -> None:
    factory = CASES.factory(f"mutant:{name}", ())
    judged = (CASES.judge_relation("restored", case, factory, seconds=5, first=None) for case in cases(150))
    assert any(verdict.kind for verdict in judged)


def test_the_engine_as_printed_is_found_and_its_case_made_small() -> None:
    factory = CASES.factory("nodes:as-printed", ())
    for number in range(200):
        case = MAKE(number)
        verdict = CASES.judge(case, factory, seconds=5, meaning=CASES.meaning(case))
        if verdict.kind is Kind.MISSING:
            break
    small = minimise(case, verdict, lambda c: CASES.judge(c, factory, seconds=5, meaning=CASES.meaning(c)))
    assert len(small.case.events) <= 2
    assert len(small.case.program.rules) <= 2 and not small.case.program.axioms


def test_a_failure_is_called_after_its_smallest_case_and_a_late_answer_drawn_when_it_was_given() -> None:
    program = "event A()\nE() <- a: A(), b: A(), w: shift(a, 1), {a, b} within 9\n"
    events = (Event("A", 1, 1, {}), Event("A", 9, 9, {}))
    case = replace(MAKE(0), profile="plain", text=program, events=events)
    factory = CASES.factory("nodes:as-printed", ())

    def judged(one: Any) -> Verdict:
        return CASES.judge(one, factory, seconds=5, meaning=CASES.meaning(one))

    verdict = judged(case)
    assert verdict.kind is Kind.PROTOCOL
    assert "is given at 9 and happens at 2" in verdict.detail
    assert Interval(1, 9) in verdict.detected and Interval(1, 2) in verdict.expected
    path = fault_path(case, Kind.PROTOCOL, judged)
    failure = Failure(
        case,
        Cause("nodes:as-printed", MEANING, path, Kind.PROTOCOL),
        "",
        verdict,
        minimise(case, verdict, judged),
    )
    assert (failure.cause.path, failure.called.path) == ("join, shift, within", "shift")


def test_every_reduction_makes_a_case_smaller() -> None:
    for case in cases(4):
        for reduction in REDUCTIONS:
            assert all(measure(smaller) < measure(case) for smaller in reduction(case)), reduction.__name__


def test_a_name_that_no_engine_has_is_refused() -> None:
    with pytest.raises(InputError, match="no detector is called"):
        CASES.factory("nobody", ())
    with pytest.raises(InputError, match="there is no mutant:nobody"):
        CASES.factory("mutant:nobody", ())
    assert MEANING not in CASES.RELATIONS
