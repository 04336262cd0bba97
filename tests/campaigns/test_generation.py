"""Generation: a seed, a number and a profile determine a case; cases are about something, and of many kinds."""

import hashlib
import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given as drawn, strategies as st

from campaigns.carlson_lisper.cases import MAX_INSTANTS, generate
from campaigns.carlson_lisper.judge import Meaning, given
from campaigns.carlson_lisper.profiles import LONG, PROFILES
from campaigns.choices import mixed
from campaigns.imports import harvested, named
from campaigns.systems import NO_CORPUS, AnyCase, cases_of
from detectors.carlson_lisper.source.figure2 import Figure2
from semantics.carlson_lisper.expressions import Operation, bottom_up
from semantics.errors import InputError

SYSTEMS = ("carlson_lisper", "bry_eckert", "hinze_voisard")


def made(system: str, profile: str, count: int) -> list[AnyCase]:
    make = cases_of(system).maker(7, {profile: 1}, NO_CORPUS, 0, (37, 100))
    return [make(number) for number in range(count)]


# A change of these is a change of generation: raise `GENERATION` of the system and replace them.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("system", "pinned"),
    [("carlson_lisper", "6b228f5c6f7a7b7e"), ("bry_eckert", "9804288f4d19cbb2"), ("hinze_voisard", "d32651cbfbdbd905")],
)
def test_the_cases_of_all_profiles_are_the_ones_that_they_always_were(system: str, pinned: str) -> None:
    cases = (case for profile in cases_of(system).PROFILES for case in made(system, profile, 10))
    texts = (f"{case.profile}\n{case.text}\n{case.trace_text}\n" for case in cases)
    assert hashlib.sha256("".join(texts).encode()).hexdigest()[:16] == pinned


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_case_survives_json(system: str) -> None:
    cases = cases_of(system)
    make = cases.maker(0, cases.PROFILES, NO_CORPUS, 0)
    for case in map(make, range(40)):
        again = cases.case_from_json(cases.case_to_json(case), case.seed, case.number, case.profile)
        assert again == case == make(case.number)


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.slow
def test_some_reduction_makes_every_case_smaller_and_each_is_a_case(system: str) -> None:
    cases = cases_of(system)
    for case in map(cases.maker(0, cases.PROFILES, NO_CORPUS, 0), range(3)):
        smaller = [one for reduction in cases.REDUCTIONS for one in reduction(case)]
        assert any(cases.measure(one) < cases.measure(case) for one in smaller)
        assert all(one.system == system and one.features for one in smaller)


@pytest.mark.parametrize("weights", [{"no-such": 1}, {"small": -1}, {"small": 0}, {}])
def test_weights_that_choose_nothing_are_refused(weights: dict[str, int]) -> None:
    with pytest.raises(InputError):
        mixed("", weights, (PROFILES, LONG, {}))


def test_every_profile_is_used_every_operator_is_frequent_and_few_cases_are_about_nothing() -> None:
    cases = [generate(0, number) for number in range(500)]
    assert {case.profile for case in cases} == set(PROFILES)
    nodes = [node for case in cases for node in bottom_up(case.expression) if isinstance(node, Operation)]
    count = Counter(node.operator for node in nodes)
    assert len(count) == 5 and min(count.values()) > 200
    assert 0.03 < sum(not Meaning(case).expected for case in cases) / 500 < 0.2
    assert all(len({o.time for o in case.occurrences}) <= MAX_INSTANTS for case in cases)
    values = [{o.value for o in case.occurrences} - {None} for case in cases]
    assert 0.05 < sum(map(bool, values)) / 500 < 0.3 and set().union(*values) >= {False, " x "}


@drawn(st.integers(0, 10**6))
def test_a_detector_is_given_the_trace_with_mappings_of_its_own_in_any_order(number: int) -> None:
    case = generate(3, number)
    assert list(given(case)) == list(case.instants())
    first, second = list(given(case)), list(given(case))
    assert not {id(occurring) for _, occurring in first} & {id(occurring) for _, occurring in second}


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS)
def test_cases_of_other_numbers_are_the_same_with_and_without_constants(system: str) -> None:
    cases = cases_of(system)
    one, two = (cases.maker(5, cases.PROFILES, NO_CORPUS, 0, constants) for constants in ((), (37, 200)))
    pairs = [(one(number), two(number)) for number in range(100)]
    assert all(first.profile == second.profile for first, second in pairs)
    long = {first.profile for first, second in pairs if first.text != second.text}
    assert long and long <= {*LONG, "lasting", "crowded"}


SIZES = """
SIZE = 4_444
TABLE = {"a": [3_331, (3_332,)], 3_333: None}

class Store:
    room = 5_551
"""

OWN = """
import json
from harvest_sizes import Store
from semantics.events import Interval
from detectors.carlson_lisper.source import figure2

def detector(expression, limit=6_661):
    for number in (7_771, 10**4 + 1, 24 * 60 * 60, 1 << 12, 2.5):
        if limit == number or 8_881.0 < 1:
            return Store()
    match limit:
        case 9_991:
            return int("12345")
"""


def test_integers_in_any_form_are_found_in_a_module_and_in_what_it_imports_but_not_in_python_and_packages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "harvest_sizes.py").write_text(SIZES)
    (tmp_path / "harvest_own.py").write_text(OWN)
    monkeypatch.syspath_prepend(tmp_path)
    mine = named("harvest_own:detector", {}, dict, ())
    found = harvested({"harvest_own:detector": mine})
    assert set(found) >= {6_661, 7_771, 10_001, 86_400, 1_440, 4_096, 8_881, 9_991, 12_345}
    assert set(found) >= {4_444, 3_331, 3_332, 3_333, 5_551}
    assert max(found) == 86_400 and list(found) == sorted(found)
    assert set(found) < set(harvested({"harvest_own:detector": mine, "figure2": Figure2}))
    assert harvested({"dumps": json.dumps, "mutant:seq-newest": mine}) == ()
