"""Detectors by name; what does not keep to the protocol is told at once, with its place, and is no wrong detection."""

import re
import sys
from typing import Any

import pytest

from campaigns.carlson_lisper.loading import ALL, any_factory, detector_factory, named_detectors
from campaigns.carlson_lisper.mutants import MUTANTS
from campaigns.carlson_lisper.protocol_check import mistake, require_protocol
from detectors.carlson_lisper.adapters import AnyFactory
from detectors.carlson_lisper.catalogue import DETECTORS, INTERVAL_DETECTORS
from detectors.carlson_lisper.source.figure2 import Figure2
from semantics.errors import InputError, LimitExceeded
from tests.campaigns import broken_detectors
from tests.tables import table


class NoStep:
    def __init__(self, expression: object) -> None:
        pass


class NoExpression:
    """Is made of nothing."""


class Stateless(Figure2):
    def state(self) -> Any:
        return None


class Crashing(Figure2):
    def step(self, time: Any, occurrences: Any) -> Any:
        return occurrences[0]


class Choosy(Figure2):
    taken: tuple[str, ...] = ("a ; b",)

    def __init__(self, expression: Any) -> None:
        if str(expression) not in self.taken:
            raise LimitExceeded("sequences alone, at most")
        super().__init__(expression)


class Nothing(Choosy):
    taken = ()


@pytest.mark.parametrize(
    ("factory", "said"),
    [
        (NoStep, "has no method step"),
        (NoExpression, "failed when it was made"),
        (broken_detectors.Untyped, "reported a value of type tuple"),
        (Stateless, r"a state\(\) that cannot be used.*not iterable"),
        (Crashing, "failed at time 0 .*KeyError"),
        (broken_detectors.Refusing, "NotImplementedError"),
        (broken_detectors.Pairs, "detect_trace reported a value of type tuple"),
    ],
)
def test_a_mistake_in_the_form_is_told_with_its_place_and_a_remedy(factory: AnyFactory, said: str) -> None:
    with pytest.raises(InputError, match=said) as told:
        require_protocol({"mine:Own": factory})
    assert re.search(r"(test_loading|broken_detectors)\.py:\d+$", told.value.place)
    assert told.value.remedy
    assert "mine:Own" in told.value.reason


def test_where_it_crashed_is_the_line_of_the_users_code() -> None:
    found = mistake(Crashing)
    assert found is not None and found.place.endswith(f":{Crashing.step.__code__.co_firstlineno + 1}")


WRONG = ("Silent", "Talkative", "Hoarder", "AtOnce", "Exiting", "Raising")


@pytest.mark.parametrize("factory", [Figure2, *(getattr(broken_detectors, name) for name in WRONG), Choosy, Nothing])
def test_wrong_detections_refusals_and_lost_processes_are_for_the_cases(factory: AnyFactory) -> None:
    require_protocol({"mine:Own": factory})


def test_every_detector_of_the_project_keeps_to_the_protocol() -> None:
    for name in named_detectors([ALL]):
        assert mistake(any_factory(name)) is None, name


def test_mutants_are_passed_over() -> None:
    require_protocol({f"mutant:{name}": broken_detectors.Untyped for name in MUTANTS})


def test_a_name_is_that_of_a_detector_a_mutant_or_any_importable_object() -> None:
    mine = "detectors.carlson_lisper.source.figure2:Figure2"
    known = {"figure2": DETECTORS["figure2"], "mutant:seq-overlap": MUTANTS["seq-overlap"], mine: Figure2}
    assert all(any_factory(name) is detector_factory(name) is detector for name, detector in known.items())
    assert any_factory("generated") is INTERVAL_DETECTORS["generated"]


def test_a_module_in_the_search_path_is_found(broken: str) -> None:
    assert detector_factory(f"{broken}Silent", ["."]) is sys.modules["broken_detectors"].Silent
    assert sys.path[-1] == "."


@pytest.mark.parametrize(("name", "says"), table(__file__, "no-detectors"))
def test_what_is_no_detector_is_an_error_with_a_remedy(name: str, says: str) -> None:
    with pytest.raises(InputError, match=r"detector|mutant|callable") as error:
        detector_factory(name)
    assert says in str(error.value)
    assert error.value.remedy
