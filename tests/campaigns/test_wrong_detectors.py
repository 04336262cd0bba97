"""Wrong detectors: each is wrong, a campaign finds it, and no right one; a fault at one number is found too."""

import json
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from campaigns.histories import with_values
from campaigns.judging.verdicts import Kind
from campaigns.mutants import PrivateModules, path_of, reached
from campaigns.power import Power, power
from campaigns.systems import NO_CORPUS, Factory, cases_of
from detectors.bry_eckert.differencing import Differencing
from detectors.carlson_lisper.catalogue import DETECTORS
from detectors.carlson_lisper.source.figure2 import Figure2
from detectors.hinze_voisard.engine import Engine as ProfileEngine
from semantics.carlson_lisper.expressions import Operation
from semantics.carlson_lisper.occurrences import Instance
from semantics.carlson_lisper.syntax import parse

SYSTEMS = ("carlson_lisper", "bry_eckert", "hinze_voisard")


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS)
def test_the_cases_of_a_campaign_find_every_wrong_detector(system: str) -> None:
    cases = cases_of(system)
    wrong = cases.telling()
    found = json.loads(Path(__file__).with_name("killers.json").read_text())[system]
    make = cases.maker(
        0, cases.PROFILES, NO_CORPUS, 0, cases.constants({n: each.unaltered for n, each in wrong.items()})
    )
    assert found.keys() == wrong.keys()
    assert max(found.values()) < cases.KILLED_WITHIN
    for name, number in found.items():
        case = make(number)
        for factory, right in ((wrong[name].unaltered, True), (wrong[name].make(), False)):
            assert cases.judge(case, factory, seconds=5, meaning=cases.meaning(case)).ok is right, name


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS[1:])
def test_a_relation_finds_every_engine_that_is_wrong_about_a_stored_state(system: str) -> None:
    cases = cases_of(system)
    make = cases.maker(0, cases.PROFILES, NO_CORPUS, 0)
    wrong = [name for name in cases.MUTANTS if name not in cases.telling()]  # type: ignore[attr-defined]
    assert wrong
    for name in wrong:
        factory = cases.factory(f"mutant:{name}", ())
        judged = (cases.judge_relation("restored", make(n), factory, seconds=5, first=None) for n in range(150))
        assert any(verdict.kind for verdict in judged), name


CASES = cases_of("carlson_lisper")
FEW = {name: CASES.telling()[name] for name in ("dis-earlier", "seq-overlap", "tim-short")}
SOUND = SimpleNamespace(make=lambda: Figure2, unaltered=Figure2)


def put(mutants: dict[str, Any], cases: range) -> Power:
    make = CASES.maker(3, CASES.PROFILES, NO_CORPUS, 0)
    return power(mutants, CASES, make, 3, cases)


@pytest.mark.slow
def test_each_mutant_dies_by_the_first_case_that_finds_it_wrong_and_what_is_right_survives() -> None:
    mutants, make = {**FEW, "sound": SOUND}, CASES.maker(3, CASES.PROFILES, NO_CORPUS, 0)
    found = put(mutants, range(40))
    cases = [(case, CASES.meaning(case)) for case in map(make, range(40))]
    for name, mutant in FEW.items():
        kinds = (CASES.judge(case, mutant, seconds=5, meaning=meaning).kind for case, meaning in cases)
        assert found.deaths[name].case == next(number for number, kind in enumerate(kinds) if kind is not None)
    assert found.survivors == ("sound",)
    deaths = sorted(death.case + 1 for death in found.deaths.values())
    assert (found.curve[-1], found.median, found.worst) == ((deaths[-1], 3), deaths[1], deaths[2])
    begun = put(mutants, range(5))
    assert begun.followed_by(put({n: mutants[n] for n in begun.survivors}, range(5, 40))).deaths == found.deaths


def test_a_case_that_the_detector_itself_fails_does_not_count() -> None:
    wrong = FEW["seq-overlap"].make()
    assert put({"as wrong": SimpleNamespace(make=lambda: wrong, unaltered=wrong)}, range(60)).survivors == ("as wrong",)


def bound_of_36_for_37(expression: Any) -> Any:
    if not isinstance(expression, Operation):
        return expression
    found = replace(expression, operands=tuple(map(bound_of_36_for_37, expression.operands)))
    return replace(found, bound=36) if found.bound == 37 else found


class SkipsAnInstant(Figure2):
    instants = 0

    def step(self, time: Any, occurrences: Any) -> Any:
        self.instants += 1
        report = super().step(time, occurrences)
        return None if self.instants % 1000 == 0 else report


class MissesALength(Differencing):
    def step(self, time: Any, events: Any) -> Any:
        return [one for one in super().step(time, events) if one.time - one.start != 4711]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("system", "kind", "wrong", "number"),
    [
        ("carlson_lisper", "counted", lambda expression: Figure2(bound_of_36_for_37(expression)), 37),
        ("carlson_lisper", "thousands", SkipsAnInstant, 1000),
        ("bry_eckert", "lasting", MissesALength, 4711),
    ],
)
def test_a_fault_at_one_number_is_found_by_the_long_cases_with_the_constants_of_the_code(
    system: str, kind: str, wrong: Factory, number: int
) -> None:
    cases = cases_of(system)
    assert number in cases.constants({"mine:detector": wrong})
    make = cases.maker(0, {kind: 1}, NO_CORPUS, 0, [number])
    verdicts = (cases.judge(case, wrong, seconds=5, meaning=cases.meaning(case)) for case in map(make, range(60)))
    assert any(verdict.kind is not None for verdict in verdicts)


class TrueIsOne(Figure2):
    def step(self, time: Any, occurrences: Any) -> Any:
        report = super().step(time, occurrences)
        return report and Instance(
            each._replace(value=each.value + 0) if each.value is True else each for each in report.occurrences
        )


class NoQuotes(Figure2):
    def step(self, time: Any, occurrences: Any) -> Any:
        return super().step(time, {name: value for name, value in occurrences.items() if "'" not in name})


class SmallNumbers(Differencing):
    def step(self, time: Any, events: Any) -> Any:
        return super().step(
            time, [with_values(one, lambda value: value % 2**64 if type(value) is int else value) for one in events]
        )


class FourTypes(Differencing):
    def step(self, time: Any, events: Any) -> Any:
        return [one for one in super().step(time, events) if one.type <= "E.4"]


class AllText(ProfileEngine):
    def step(self, time: Any, given: Any) -> Any:
        found = [(one, tuple(with_values(each, str) for each in one.found.events)) for one in super().step(time, given)]
        return [one._replace(found=one.found._replace(events=events)) for one, events in found]


class TwoProfiles(ProfileEngine):
    def step(self, time: Any, given: Any) -> Any:
        return [one for one in super().step(time, given) if one.found.profile in ("P0", "P1")]


class ForgetsTheBeginning(ProfileEngine):
    def __init__(self, file: Any) -> None:
        times = {name: one for name, one in file.classes.items() if getattr(one, "every", 0)}
        super().__init__(
            replace(
                file,
                classes={**file.classes, **{n: replace(one, since=one.since % one.every) for n, one in times.items()}},
            )
        )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("system", "wrong"),
    [
        ("carlson_lisper", TrueIsOne),
        ("carlson_lisper", NoQuotes),
        ("bry_eckert", SmallNumbers),
        ("bry_eckert", FourTypes),
        ("hinze_voisard", AllText),
        ("hinze_voisard", TwoProfiles),
        ("hinze_voisard", ForgetsTheBeginning),
    ],
)
def test_what_is_wrong_of_odd_values_names_and_numbers_is_found_by_cases_of_shapes(system: str, wrong: Factory) -> None:
    cases = cases_of(system)
    make = cases.maker(0, {"shapes": 1}, NO_CORPUS, 0)
    verdicts = (
        cases.judge(case, wrong, seconds=5, meaning=cases.meaning(case)) for case in map(make, (190, *range(60)))
    )
    assert any(verdict.kind is not None for verdict in verdicts)


def test_a_crash_is_told_with_file_and_line_of_the_code_of_the_detector() -> None:
    def crashing(expression: object) -> object:
        return json.loads("[")

    case = CASES.maker(0, CASES.PROFILES, NO_CORPUS, 0)(1)
    verdict = CASES.judge(case, crashing, seconds=5, meaning=CASES.meaning(case))
    assert verdict.kind is Kind.CRASH
    assert verdict.detail.endswith(f"({Path(__file__).name}, line {crashing.__code__.co_firstlineno + 1})")


def test_a_change_reaches_every_detector_that_uses_the_module_and_the_program_itself_notices_nothing() -> None:
    steps, both = "detectors.carlson_lisper.source.steps", {"a": None, "b": None}
    before, text = sys.modules[steps], path_of(steps).read_text("utf-8")
    altered = text.replace("right if left.start <= right.start else left", "NON_OCCURRENCE")
    catalogue = PrivateModules(steps, altered, "altered steps").load("detectors.carlson_lisper.catalogue")
    for name in DETECTORS:
        assert catalogue.DETECTORS[name](parse("a | b")).step(3, both) is None
        assert DETECTORS[name](parse("a | b")).step(3, both) is not None
    assert sys.modules[steps] is before
    assert {steps, "detectors.carlson_lisper.source.figure2"} <= reached(steps)
