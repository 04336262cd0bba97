"""Campaigns of profiles: engines say what the definition says, and the case of a wrong one is made small."""

import pytest

from campaigns.hinze_voisard.cases import Case
from campaigns.hinze_voisard.system import CASES
from campaigns.judging.judgements import minimise
from campaigns.judging.verdicts import Verdict
from campaigns.systems import NO_CORPUS
from semantics.events import Event
from semantics.hinze_voisard.syntax import parse

MAKE = CASES.maker(0, CASES.PROFILES, NO_CORPUS, 0)


@pytest.mark.parametrize("engine", CASES.ENGINES)
def test_engines_say_at_each_time_what_the_definition_says(engine: str) -> None:
    factory = CASES.factory(engine, ())
    for case in map(MAKE, range(40)):
        assert CASES.judge(case, factory, seconds=5, meaning=CASES.meaning(case)).kind is None, case.number
        for relation in CASES.RELATIONS if engine == CASES.DEFAULT_DETECTOR else ():
            verdict = CASES.judge_relation(relation, case, factory, seconds=5, first=None)
            assert verdict.kind is None, (case.number, relation)


def test_a_case_that_is_too_much_for_the_definition_is_refused_with_the_reason() -> None:
    text = 'class a = event(name = "a")\nprofile P = not(a)[0]\n'
    far = Case(0, 0, "far", text, (Event("a", 0, 0), Event("a", 1 << 40, 1 << 40)))
    meaning = CASES.meaning(far)
    verdict = CASES.judge(far, CASES.factory(CASES.DEFAULT_DETECTOR, ()), seconds=5, meaning=meaning)
    assert verdict.refused and verdict.refusal.startswith("the definition says nothing: ")
    assert meaning.expected == ()


def test_the_case_that_finds_a_wrong_engine_is_made_small() -> None:
    factory = CASES.factory("mutant:last-is-never-withdrawn", ())

    def judged(case: Case) -> Verdict:
        return CASES.judge(case, factory, seconds=5, meaning=CASES.meaning(case))

    case = next(case for case in map(MAKE, range(200)) if judged(case).kind)
    small = minimise(case, judged(case), judged).case
    assert [event.type for event in small.events] in (["a", "b", "b"], ["b", "a", "a"])
    assert len(parse(small.text).profiles) == 1
