"""Faults at one duration or number of events, which only constants of the code under test find."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from campaigns.imports import harvested
from campaigns.systems import AnyCase, Factory, cases_of

RULES = """
from detectors.bry_eckert.catalogue import ENGINES

class Wrong:
    def __init__(self, *given):
        self.right, self.heard = ENGINES["differencing"](*given), 0

    def due(self):
        return self.right.due()

    def step(self, time, events):
        self.heard += len(events)
        found = self.right.step(time, events)
        return {kept}
"""

PROFILES = """
from detectors.hinze_voisard.catalogue import DEFAULT_DETECTOR, ENGINES

class Wrong:
    def __init__(self, file):
        self.right, self.heard = ENGINES[DEFAULT_DETECTOR](file), 0

    def step(self, time, events):
        self.heard += len(events)
        found = self.right.step(time, events)
        return {kept}
"""

CASES = 120
"""The cases with numbers below this find each fault."""

FAULTS = [
    ("bry_eckert", RULES, "[one for one in found if one.time - one.start != {number}]", 4711),
    ("hinze_voisard", PROFILES, "found if self.heard < {number} else []", 127),
]


@pytest.mark.slow  # hundreds of cases, each judged by definition
@pytest.mark.parametrize(("system", "text", "kept", "number"), FAULTS)
def test_a_fault_at_one_number_is_found_by_the_constants_of_the_code_and_not_without(
    system: str, text: str, kept: str, number: int, tmp_path: Path
) -> None:
    name = f"wrong_{system}_{number}"
    (tmp_path / f"{name}.py").write_text(text.format(kept=kept.format(number=number)))
    cases = cases_of(system)
    factory = cases.factory(f"{name}:Wrong", [str(tmp_path)])
    constants = cases.constants({f"{name}:Wrong": factory})
    assert number in constants
    kinds = {kind: weight for kind, weight in cases.PROFILES.items() if kind in ("lasting", "crowded")}

    def found(taken: Sequence[int], count: int = CASES) -> int | None:
        made: Callable[[int], AnyCase] = cases.maker(0, {"plain": 1, **kinds}, None, 0, taken)
        return next((place for place in range(count) if _fails(system, made(place), factory)), None)

    first = found([number])
    assert first is not None
    assert found([], first + 1) is None


def _fails(system: str, case: AnyCase, factory: Factory) -> bool:
    cases = cases_of(system)
    if case.profile not in ("lasting", "crowded"):
        return False
    return not cases.judge(case, factory, seconds=5, meaning=cases.meaning(case)).ok


@pytest.mark.parametrize("system", ["bry_eckert", "hinze_voisard"])
def test_cases_of_usual_kinds_do_not_depend_on_constants(system: str) -> None:
    cases = cases_of(system)
    with_them, without = (cases.maker(3, cases.PROFILES, None, 0, taken) for taken in ((37, 500), ()))
    pairs = [(with_them(place), without(place)) for place in range(60)]
    assert {one.profile for one, _ in pairs} >= {"lasting", "plain"}
    assert all(one.text == other.text for one, other in pairs if one.profile not in ("lasting", "crowded"))
    assert harvested({}) == ()
