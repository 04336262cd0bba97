"""Mutants that are derived from the programs of the detectors, and the catalogue of all."""

from functools import partial

import pytest

from campaigns.carlson_lisper.cases import generate
from campaigns.carlson_lisper.judge import judge
from campaigns.carlson_lisper.mutants.altered_programs import resumed_often
from campaigns.carlson_lisper.mutants.derived import SUBJECTS, derived_mutants
from campaigns.carlson_lisper.mutants.wrong_detectors import ALL, TELLING
from campaigns.mutants.private_modules import source
from detectors.carlson_lisper.catalogue import DETECTORS, INTERVAL_DETECTORS
from detectors.carlson_lisper.source.figure2 import Figure2


def test_every_detector_that_needs_no_compiling_has_mutants() -> None:
    altered = {getattr(mutant, "altered", "") for mutant in ALL.values()}
    assert {*DETECTORS, *INTERVAL_DETECTORS} <= altered


def test_every_mutant_has_a_name_of_its_own_in_the_catalogue() -> None:
    assert len(ALL) == len(TELLING) + len(derived_mutants()) == len(set(ALL)) > 900
    assert all(ALL[name].name == name for name in ALL)
    with pytest.raises(KeyError):
        ALL["no such mutant"]


def test_a_mutant_says_what_was_changed_where() -> None:
    mutant = derived_mutants()["figure2:steps.NegationStep.step:3:lt-le"]
    assert mutant.description == (
        "detectors.carlson_lisper.source.steps, NegationStep.step, line 3: `self.latest < left.start`"
        " becomes `self.latest <= left.start`"
    )
    assert "self.latest <= left.start" in mutant.text()


def test_calling_a_mutant_makes_the_detector_as_its_factory_does() -> None:
    mutant = derived_mutants()["figure2:steps.NegationStep.step:3:lt-le"]
    for number in range(15):
        case = generate(2, number)
        assert judge(case, mutant).kind is judge(case, mutant.factory()).kind


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda s: f"{s.detector}:{s.module}:{s.places[0]}")
def test_every_definition_that_is_to_be_altered_is_there(subject: object) -> None:
    from campaigns.mutants.mutations import mutations

    assert any(True for _ in mutations(source(subject.module), subject.places))  # type: ignore[attr-defined]


@pytest.mark.parametrize("detector", ["figure2", "figure4"])
def test_detectors_that_are_stored_and_taken_up_all_the_time_are_right(detector: str) -> None:
    for number in range(60):
        case = generate(4, number)
        make = DETECTORS[detector]
        assert judge(case, partial(resumed_often, make)).ok


def test_a_resumed_detector_does_go_through_its_snapshots() -> None:
    class Forgetful(Figure2):
        def restore(self, snapshot: object) -> None:
            pass

    kinds = {judge(generate(4, n), partial(resumed_often, Forgetful)).kind for n in range(30)}
    assert len(kinds) > 1


def test_the_unaltered_detector_is_the_one_of_the_catalogue() -> None:
    mutant = derived_mutants()["figure4:steps.BoundedSequenceStep.step:12:drop"]
    assert mutant.unaltered is DETECTORS["figure4"]
