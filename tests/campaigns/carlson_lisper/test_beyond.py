"""Cases beyond the usual sizes: a detector that is wrong at one number, deep down or after very long is found."""

import sys
from collections.abc import Callable, Iterator
from itertools import count, islice
from pathlib import Path

import pytest

from campaigns.carlson_lisper.cases import MAX_INSTANTS, generate
from campaigns.carlson_lisper.judge import Meaning, judge
from campaigns.carlson_lisper.profiles import BEYOND, LONGEST
from campaigns.choices import is_beyond
from campaigns.judging.verdicts import Kind
from campaigns.systems import AnyCase, Factory, cases_of
from detectors.carlson_lisper.source.figure2 import Figure2

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

QUEUE = """
from detectors.carlson_lisper.source.figure4 import BOUNDED_STEPS, figure4
from detectors.carlson_lisper.source.steps import CandidateQueue

class Queue(CandidateQueue):
    def push(self, instance):
        super().push(instance)
        if len(self) > 200:
            del self._instances[0], self._ends[0]

def step(operation):
    made = BOUNDED_STEPS["seq"](operation)
    made.queue = Queue()
    return made

def detector(expression):
    return figure4(expression, {**BOUNDED_STEPS, "seq": step})
"""

COMPACTION = (
    QUEUE.partition("    def push")[0]
    + """    gone = 0
    __slots__ = ("gone",)
    def __init__(self):
        super().__init__()
        self.gone = 0
    def evict_before(self, time):
        before = len(self)
        latest = super().evict_before(time)
        self.gone += before - len(self)
        if self.gone >= 128:
            self.gone = 0
            del self._instances[:1], self._ends[:1]
        return latest

def step"""
    + QUEUE.partition("def step")[2]
).replace("    gone = 0\n", "")

NEGATION = """
from dataclasses import replace
from detectors.carlson_lisper.source.figure2 import Figure2
from semantics.carlson_lisper.expressions import Operation

def altered(e):
    if not isinstance(e, Operation):
        return e, 0
    found = [altered(operand) for operand in e.operands]
    depth = 1 + max(depth for _, depth in found)
    operands = tuple(operand for operand, _ in found)
    return operands[0] if e.operator == "neg" and depth > 9 else replace(e, operands=operands), depth

def detector(expression):
    return Figure2(altered(expression)[0])
"""

BELOW = """
from dataclasses import replace
from detectors.carlson_lisper.source.figure2 import Figure2
from semantics.carlson_lisper.expressions import Operation

def altered(e, level):
    if not isinstance(e, Operation):
        return e
    if e.operator == "neg" and level >= 10:
        return altered(e.operands[0], level)
    return replace(e, operands=tuple(altered(operand, level + 1) for operand in e.operands))

def detector(expression):
    return Figure2(altered(expression, 0))
"""

CASES = cases_of("carlson_lisper")

WRONG = {
    "a bound of 37": (BOUND, "counted", 37),
    "the thousandth instant": (INSTANT, "thousands", 1000),
    "a queue of 200": (QUEUE, "turning", 200),
    "a compaction at 128": (COMPACTION, "turning", 128),
    "a negation on ten levels": (NEGATION, "nested", 9),
    "a negation under ten levels": (BELOW, "nested", 10),
}
"""Wrong detectors: the text, the kind of cases that find it, and a constant in it."""

Written = Callable[[str], tuple[str, Factory]]


@pytest.fixture
def written(tmp_path: Path) -> Iterator[Written]:
    """Writes a text as a module of its own; gives the name of the detector in it, and the detector."""
    before, path = set(sys.modules), list(sys.path)

    def write(text: str) -> tuple[str, Factory]:
        module = f"wrong_{abs(hash(text))}"
        (tmp_path / f"{module}.py").write_text(text)
        name = f"{module}:detector"
        return name, CASES.factory(name, (str(tmp_path),))

    yield write
    sys.path[:] = path
    for name in sys.modules.keys() - before:
        if name.startswith("wrong_"):
            del sys.modules[name]


def failed(cases: Iterator[AnyCase], wrong: Factory) -> AnyCase | None:
    """The first case that a detector fails."""
    return next((case for case in cases if judge(case, wrong).kind is not None), None)


@pytest.mark.parametrize("what", WRONG)
def test_cases_of_the_constants_find_what_is_wrong_at_one_of_them(written: Written, what: str) -> None:
    text, kind, constant = WRONG[what]
    name, wrong = written(text)
    constants = CASES.constants({name: wrong})
    assert constant in constants
    make = CASES.maker(0, {kind: 1}, None, 0, constants)
    case = failed(map(make, range(150)), wrong)
    assert case is not None
    assert judge(case, Figure2).ok


def test_cases_of_other_numbers_are_the_same_with_and_without_constants() -> None:
    usual = sum(weight for name, weight in CASES.PROFILES.items() if name not in BEYOND)
    beyond = sum(kind.weight for kind in BEYOND.values())
    one, two = (CASES.maker(5, CASES.PROFILES, None, 0, constants) for constants in ((), (37, 1000)))
    numbers = range(400)
    among = [number for number in numbers if is_beyond(f"5:{number}", usual, beyond)]
    assert 0 < len(among) < len(numbers) * 2 * beyond / usual
    for number in numbers:
        if number in among:
            assert one(number).profile == two(number).profile in BEYOND
        else:
            assert one(number) == two(number) == generate(5, number)


@pytest.mark.parametrize("kind", BEYOND)
def test_a_case_is_determined_by_seed_number_and_constants_and_of_its_size(kind: str) -> None:
    one, two, other = (CASES.maker(3, {kind: 1}, None, 0, numbers) for numbers in ((17,), (17,), (200, 1000)))
    assert [one(number) for number in range(5)] == [two(number) for number in range(5)]
    for number in range(5):
        case = other(number)
        assert (case.seed, case.number, case.profile) == (3, number, kind)
        assert case.features.instants <= LONGEST


def test_a_crash_is_told_with_file_and_line_of_the_code_of_the_detector(written: Written) -> None:
    name, crashing = written("import json\n\ndef detector(expression):\n    return json.loads('[')\n")
    verdict = judge(generate(0, 1), crashing)
    assert verdict.kind is Kind.CRASH
    assert verdict.detail.endswith(f"({name.partition(':')[0]}.py, line 4)")


def test_a_detector_too_slow_for_thousands_of_instants_refuses_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("campaigns.carlson_lisper.judge.LONG_SECONDS", 0.02)

    class Slow(Figure2):
        def step(self, time: object, occurrences: object) -> None:
            while True:
                pass

    long = CASES.maker(0, {"thousands": 1}, None, 0)
    case: AnyCase = next(case for case in map(long, count()) if case.features.instants > MAX_INSTANTS)
    verdict = judge(case, Slow, meaning=Meaning(case))
    assert verdict.kind is None
    assert "not finished after 0.02 seconds with a trace of" in verdict.refusal


def test_without_their_weight_there_are_none_of_these_cases() -> None:
    weights = {**CASES.PROFILES, **dict.fromkeys(BEYOND, 0)}
    make = CASES.maker(1, weights, None, 0, (37,))
    assert all(case.profile not in BEYOND for case in islice(map(make, count()), 200))
