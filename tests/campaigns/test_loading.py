import sys

import pytest

from campaigns.loading import detector_factory
from campaigns.mutants import MUTANTS
from detectors.figure2 import Figure2
from semantics.errors import InputError


def test_a_name_of_the_catalogue_is_that_detector() -> None:
    assert detector_factory("figure2") is Figure2


def test_mutants_have_a_prefix() -> None:
    assert detector_factory("mutant:seq-overlap") is MUTANTS["seq-overlap"]


def test_any_importable_object_is_a_detector() -> None:
    assert detector_factory("detectors.figure2:Figure2") is Figure2


def test_a_module_in_the_search_path_is_found(broken: str) -> None:
    assert detector_factory(f"{broken}Silent", ["."]).__name__ == "Silent"
    assert sys.path[-1] == "."


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("figure3", "figure2"),
        ("mutant:figure2", "seq-overlap"),
        ("no_such_module:Detector", "ModuleNotFoundError"),
        ("detectors.figure2:Figure3", "AttributeError"),
        ("detectors.figure2:STEPS", "not callable"),
        (":", "no detector"),
    ],
)
def test_what_is_no_detector_is_an_error_with_a_remedy(name: str, says: str) -> None:
    with pytest.raises(InputError, match=r"detector|mutant|callable") as error:
        detector_factory(name)
    assert says in str(error.value)
    assert error.value.remedy
