"""Campaigns of profiles: the engine says what the definition says, wrong engines are found, failing cases are small."""

import pytest

from campaigns.hinze_voisard.cases import Case
from campaigns.hinze_voisard.reductions import REDUCTIONS, measure
from campaigns.hinze_voisard.system import CASES, MUTANTS
from campaigns.judging.minimise import minimise
from campaigns.judging.verdicts import Verdict
from campaigns.mutants.power import power
from remora.judging.known_deaths import known_deaths
from semantics.events import Event
from semantics.hinze_voisard.syntax import parse

MAKE = CASES.maker(0, CASES.PROFILES, None, 0)
KEPT = [name for name in MUTANTS if name not in CASES.telling()]


def test_a_case_is_determined_by_its_number_and_survives_json() -> None:
    for number in range(40):
        case = MAKE(number)
        assert MAKE(number) == case
        assert CASES.case_from_json(CASES.case_to_json(case), case.seed, case.number, case.profile) == case


def test_cases_have_all_constructs_and_half_of_them_say_something() -> None:
    made = [MAKE(number) for number in range(150)]
    met = {construct for case in made for construct in case.constructs}
    assert {"or", "and", "then", "absent", "selected", "all clauses", "some clause", "time event"} <= met
    assert {"keep", "lists", "events", "reapply", "by operand", "any span", "later last"} <= met
    said = [CASES.meaning(case).said for case in made]
    assert sum(map(bool, said)) > 70
    assert any(one.kind == "withdrawn" for each in said for one in each)


@pytest.mark.parametrize("engine", CASES.ENGINES)
def test_engines_say_at_each_time_what_the_definition_says(engine: str) -> None:
    factory = CASES.factory(engine, ())
    for number in range(40):
        case = MAKE(number)
        assert CASES.judge(case, factory, seconds=5, meaning=CASES.meaning(case)).kind is None, number
        for relation in CASES.RELATIONS if engine == CASES.DEFAULT_DETECTOR else ():
            verdict = CASES.judge_relation(relation, case, factory, seconds=5, first=None)
            assert verdict.kind is None, (number, relation)


def test_a_case_that_is_too_much_for_the_definition_is_refused_with_the_reason() -> None:
    text = 'class a = event(name = "a")\nprofile P = not(a)[0]\n'
    far = Case(0, 0, "far", text, (Event("a", 0, 0), Event("a", 1 << 40, 1 << 40)))
    meaning = CASES.meaning(far)
    verdict = CASES.judge(far, CASES.factory(CASES.DEFAULT_DETECTOR, ()), seconds=5, meaning=meaning)
    assert verdict.refused and verdict.refusal.startswith("the definition says nothing: ")
    assert meaning.expected == ()


def test_every_text_that_a_mutant_replaces_is_there_once() -> None:
    assert len(MUTANTS) >= 80
    assert all(mutant.text() for mutant in MUTANTS.values())


@pytest.mark.slow
def test_the_definition_finds_every_wrong_engine_by_the_case_that_found_it_the_last_time() -> None:
    telling, met = CASES.telling(), 0
    for number, names in known_deaths("hinze_voisard", 0, CASES.KILLED_WITHIN):
        some = {name: telling[name] for name in names}
        met += len(power(some, CASES, MAKE, 0, range(number, number + 1), seconds=5).deaths)
    assert met == len(telling), "cases have changed: run `python -m remora.judging.known_deaths`"


@pytest.mark.parametrize("name", KEPT)
def test_a_relation_finds_every_engine_that_is_wrong_about_a_stored_state(name: str) -> None:
    factory = CASES.factory(f"mutant:{name}", ())
    judged = (CASES.judge_relation("restored", MAKE(n), factory, seconds=5, first=None) for n in range(150))
    assert any(verdict.kind for verdict in judged)


def test_the_case_that_finds_a_wrong_engine_is_made_small() -> None:
    factory = CASES.factory("mutant:last-is-never-withdrawn", ())

    def judged(case: Case) -> Verdict:
        return CASES.judge(case, factory, seconds=5, meaning=CASES.meaning(case))

    case = next(case for case in map(MAKE, range(200)) if judged(case).kind)
    small = minimise(case, judged(case), judged).case
    assert [event.type for event in small.events] in (["a", "b", "b"], ["b", "a", "a"])
    assert len(parse(small.text).profiles) == 1


def test_every_reduction_makes_a_case_smaller() -> None:
    for case in map(MAKE, range(3)):
        for reduction in REDUCTIONS:
            assert all(measure(smaller) < measure(case) for smaller in reduction(case)), reduction.__name__
