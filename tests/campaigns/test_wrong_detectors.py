"""Wrong detectors: each is wrong, a campaign finds it, and no right one; a fault at one number is found too."""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from campaigns.judging.verdicts import Kind
from campaigns.mutants import PrivateModules, path_of, reached
from campaigns.power import Power, power
from campaigns.systems import NO_CORPUS, Factory, cases_of
from detectors.carlson_lisper.catalogue import DETECTORS
from detectors.carlson_lisper.source.figure2 import Figure2
from semantics.carlson_lisper.operators import OPERATORS
from semantics.carlson_lisper.syntax import parse
from semantics.errors import InputError
from tests.campaigns.carlson_lisper.wrong import WRONG_STEPS

SYSTEMS = ("carlson_lisper", "bry_eckert", "hinze_voisard")


def test_every_operator_has_a_wrong_step_and_every_system_some_thirty_wrong_detectors() -> None:
    assert {mutant.operator for mutant in WRONG_STEPS.values()} == set(OPERATORS)
    assert all(25 <= len(cases_of(system).telling()) <= 45 for system in SYSTEMS)


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


@pytest.mark.parametrize(
    ("system", "name"), [(system, name) for system in SYSTEMS for name in ("nobody", "mutant:nobody", ":")]
)
def test_a_name_that_no_detector_has_is_refused(system: str, name: str) -> None:
    with pytest.raises(InputError, match=r"no detector is called|there is no mutant:nobody"):
        cases_of(system).factory(name, ())


CASES = cases_of("carlson_lisper")
FEW = {name: CASES.telling()[name] for name in ("dis-earlier", "seq-overlap", "tim-short")}
SOUND = SimpleNamespace(make=lambda: Figure2, unaltered=Figure2)


def put(mutants: dict[str, Any], cases: range) -> Power:
    make = CASES.maker(3, CASES.PROFILES, NO_CORPUS, 0)
    return power(mutants, CASES, make, 3, cases)


def test_each_mutant_dies_by_the_first_case_that_finds_it_wrong_and_what_is_right_survives() -> None:
    found = put({**FEW, "sound": SOUND}, range(120))
    make = CASES.maker(3, CASES.PROFILES, NO_CORPUS, 0)
    for name, mutant in FEW.items():
        factory = mutant.make()
        verdicts = (
            CASES.judge(case, factory, seconds=5, meaning=CASES.meaning(case)) for case in map(make, range(120))
        )
        first = next(number for number, verdict in enumerate(verdicts) if verdict.kind is not None)
        assert found.deaths[name].case == first
    assert found.survivors == ("sound",)
    deaths = sorted(death.case + 1 for death in found.deaths.values())
    assert (found.curve[-1], found.median, found.worst) == ((deaths[-1], 3), deaths[1], deaths[2])
    begun = put({**FEW, "sound": SOUND}, range(5))
    left = {name: {**FEW, "sound": SOUND}[name] for name in begun.survivors}
    assert begun.followed_by(put(left, range(5, 120))).deaths == found.deaths


def test_a_case_that_the_detector_itself_fails_does_not_count() -> None:
    wrong = FEW["seq-overlap"].make()
    assert put({"as wrong": SimpleNamespace(make=lambda: wrong, unaltered=wrong)}, range(60)).survivors == ("as wrong",)


BOUND = """
from dataclasses import replace
from detectors.carlson_lisper.source.figure2 import Figure2
from semantics.carlson_lisper.expressions import Operation

def altered(e):
    if not isinstance(e, Operation):
        return e
    e = replace(e, operands=tuple(map(altered, e.operands)))
    return replace(e, bound=36) if e.operator == "tim" and e.bound == 37 else e

def detector(expression):
    return Figure2(altered(expression))
"""

INSTANT = """
from detectors.carlson_lisper.source.figure2 import Figure2

class detector(Figure2):
    instants = 0
    def step(self, time, occurrences):
        self.instants += 1
        report = super().step(time, occurrences)
        return None if self.instants % 1000 == 0 else report
"""


RULES = """
from detectors.bry_eckert.catalogue import DEFAULT_DETECTOR, ENGINES

class detector:
    def __init__(self, *given):
        self.right = ENGINES[DEFAULT_DETECTOR](*given)

    def due(self):
        return self.right.due()

    def step(self, time, events):
        return [one for one in self.right.step(time, events) if one.time - one.start != 4711]
"""

PROFILES = """
from detectors.hinze_voisard.engine import DEFAULT_DETECTOR, ENGINES

class detector:
    def __init__(self, file):
        self.right, self.heard = ENGINES[DEFAULT_DETECTOR](file), 0

    def step(self, time, events):
        self.heard += len(events)
        found = self.right.step(time, events)
        return found if self.heard < 127 else []
"""

FAULTS = [
    ("carlson_lisper", "counted", BOUND, 37),
    ("carlson_lisper", "thousands", INSTANT, 1000),
    ("bry_eckert", "lasting", RULES, 4711),
    ("hinze_voisard", "crowded", PROFILES, 127),
]
"""Wrong detectors: the kind of long cases that finds each, its text, and the number at which it is wrong."""

Written = Callable[[str, str], tuple[str, Factory]]


@pytest.fixture
def written(tmp_path: Path) -> Iterator[Written]:
    """Writes a text as a module of its own; gives the name of the detector in it, and the detector."""
    before, path = set(sys.modules), list(sys.path)

    def write(system: str, text: str) -> tuple[str, Factory]:
        module = f"wrong_{abs(hash(text))}"
        (tmp_path / f"{module}.py").write_text(text)
        name = f"{module}:detector"
        return name, cases_of(system).factory(name, (str(tmp_path),))

    yield write
    sys.path[:] = path
    for name in sys.modules.keys() - before:
        if name.startswith("wrong_"):
            del sys.modules[name]


@pytest.mark.parametrize(("system", "kind", "text", "number"), FAULTS, ids=[fault[1] for fault in FAULTS])
def test_a_fault_at_one_number_is_found_by_the_long_cases_with_the_constants_of_the_code(
    written: Written, system: str, kind: str, text: str, number: int
) -> None:
    name, wrong = written(system, text)
    cases = cases_of(system)
    assert number in cases.constants({name: wrong})
    make = cases.maker(0, {kind: 1}, NO_CORPUS, 0, [number])
    verdicts = (cases.judge(case, wrong, seconds=5, meaning=cases.meaning(case)) for case in map(make, range(60)))
    assert any(verdict.kind is not None for verdict in verdicts)


def test_a_crash_is_told_with_file_and_line_of_the_code_of_the_detector(written: Written) -> None:
    text = "import json\n\ndef detector(expression):\n    return json.loads('[')\n"
    name, crashing = written("carlson_lisper", text)
    case = CASES.maker(0, CASES.PROFILES, NO_CORPUS, 0)(1)
    verdict = CASES.judge(case, crashing, seconds=5, meaning=CASES.meaning(case))
    assert verdict.kind is Kind.CRASH
    assert verdict.detail.endswith(f"({name.partition(':')[0]}.py, line 4)")


STEPS = "detectors.carlson_lisper.source.steps"


def altered(before: str, after: str) -> PrivateModules:
    text = path_of(STEPS).read_text("utf-8")
    assert text.count(before) == 1
    return PrivateModules(STEPS, text.replace(before, after), "altered steps")


def test_a_change_reaches_every_detector_that_uses_the_module_and_the_program_itself_notices_nothing() -> None:
    before = sys.modules[STEPS]
    modules = altered("right if left.start <= right.start else left", "NON_OCCURRENCE")
    catalogue = modules.load("detectors.carlson_lisper.catalogue")
    for name in DETECTORS:
        both = {"a": None, "b": None}
        assert catalogue.DETECTORS[name](parse("a | b")).step(3, both) is None
        assert DETECTORS[name](parse("a | b")).step(3, both) is not None
    assert sys.modules[STEPS] is before
    assert {STEPS, "detectors.carlson_lisper.source.figure2"} <= reached(STEPS)
