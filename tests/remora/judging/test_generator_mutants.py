"""Changes of the generator of code: their texts are refuted, or do what the proved steps do."""

import json

import pytest

from remora.judging.generator_mutants import (
    PATTERNS,
    Told,
    counts,
    generator_mutants,
    sample,
    told,
)
from smt.carlson_lisper.validation.validating import Validation
from tests.remora.conftest import Remora

TELLING = (
    "event_operands._Deciding._is_less:7:without-1",
    "specialisation.Rewriting._assigning:5:if-not",
)


@pytest.mark.parametrize(("number", "seed"), [(5, 5), pytest.param(None, 0, marks=pytest.mark.long)])
def test_no_change_of_the_generator_makes_a_wrong_text_that_is_validated(
    number: int | None, seed: int
) -> None:
    found = list(told(sample(number, seed)))
    assert not [each for each in found if each.outcome == "missed"]
    assert number is not None or counts(found)["refuted"] > 100


def test_a_changed_text_is_refuted_by_a_trace_or_validated() -> None:
    found = {each.name: each for each in told([*TELLING, "event_operands._Deciding._is_less:7:drop"])}
    assert [each.outcome for each in found.values()] == ["refuted", "refuted", "validated"]
    assert all(each.pattern in PATTERNS for each in found.values())
    assert "is right" in found[TELLING[0]].reason


def test_a_wrong_text_that_is_validated_is_missed_and_ends_the_command_with_status_4(
    remora: Remora, monkeypatch: pytest.MonkeyPatch
) -> None:
    blind = Validation("validated", "", "nobody", 0.0, "")
    monkeypatch.setattr("remora.judging.generator_mutants.validated", lambda *_: blind)
    monkeypatch.setattr("remora.judging.generator_mutants.sample", lambda *_: [TELLING[0]])
    status, out, _ = remora("campaign", "power", "--texts", "1", "--format", "json")
    found = json.loads(out)
    assert (status, found["schema"], found["counts"]["missed"]) == (4, "remora/generator-mutants/1", 1)
    assert found["of"] == len(generator_mutants())
    status, out, _ = remora("campaign", "power", "--texts", "1")
    assert status == 4 and "1  missed" in out


def test_a_sample_is_by_its_seed_and_every_program_of_the_generator_is_changed() -> None:
    assert sample(9, 1) == sample(9, 1) != sample(9, 2)
    assert len(sample(None, 0)) == len(generator_mutants()) > 900
    assert counts([Told("x", "y", "no text")])["no text"] == 1
