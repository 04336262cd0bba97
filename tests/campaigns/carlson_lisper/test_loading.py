import sys

import pytest

from campaigns.carlson_lisper.loading import any_factory, detector_factory
from campaigns.carlson_lisper.mutants import MUTANTS
from detectors.carlson_lisper.catalogue import DETECTORS, INTERVAL_DETECTORS
from detectors.carlson_lisper.source.figure2 import Figure2
from semantics.errors import InputError


@pytest.mark.parametrize(
    ("name", "detector"),
    [
        ("figure2", DETECTORS["figure2"]),
        ("mutant:seq-overlap", MUTANTS["seq-overlap"]),
        ("detectors.carlson_lisper.source.figure2:Figure2", Figure2),
        ("generated", INTERVAL_DETECTORS["generated"]),
        ("mutant:match-now", MUTANTS["match-now"]),
    ],
)
def test_a_name_is_that_of_a_detector_a_mutant_or_any_importable_object(name: str, detector: object) -> None:
    assert any_factory(name) is detector
    assert name in ("generated", "mutant:match-now") or detector_factory(name) is detector


def test_a_module_in_the_search_path_is_found(broken: str) -> None:
    assert detector_factory(f"{broken}Silent", ["."]) is sys.modules["broken_detectors"].Silent
    assert sys.path[-1] == "."


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("figure9", "figure2"),
        ("mutant:figure2", "seq-overlap"),
        ("no_such_module:Detector", "ModuleNotFoundError"),
        ("detectors.carlson_lisper.source.figure2:Figure9", "AttributeError"),
        ("detectors.carlson_lisper.source.figure2:STEPS", "not callable"),
    ],
)
def test_what_is_no_detector_is_an_error_with_a_remedy(name: str, says: str) -> None:
    with pytest.raises(InputError, match=r"detector|mutant|callable") as error:
        detector_factory(name)
    assert says in str(error.value)
    assert error.value.remedy
