"""Translation validation accepts the texts that are made, and no wrong one."""

from __future__ import annotations

import pytest

from campaigns.carlson_lisper.mutants.derived import derived_mutants
from campaigns.carlson_lisper.mutants.equivalence import SMALL
from campaigns.mutants.private_modules import PrivateModules
from detectors.carlson_lisper.generated.figure3 import Figure3
from detectors.carlson_lisper.generated.generated import Generated
from remora.verification.known.validation import WRONG_INSTANCES, WRONG_STARTS, GivesUp
from semantics.carlson_lisper.syntax import parse
from smt.carlson_lisper.validation.validating import Validation, validate, validated

PATTERNS = (*SMALL.expressions[:9], "a ; (b ; (c ; a))", '("pay.ok" ; b)[7] - c')


@pytest.mark.parametrize("text", PATTERNS)
def test_what_is_made_for_a_pattern_is_validated(text: str) -> None:
    assert validate(Generated(parse(text), compiles=False)).holds
    assert validate(Figure3(parse(text))).holds


@pytest.mark.parametrize(("pattern", "before", "after"), WRONG_STARTS)
def test_a_wrong_text_of_starts_is_not_validated(pattern: str, before: str, after: str) -> None:
    text, given = Generated(parse(pattern), compiles=False).made()
    assert before in text
    assert not validated(parse(pattern), text.replace(before, after), given).holds


@pytest.mark.parametrize(("pattern", "before", "after"), WRONG_INSTANCES)
def test_a_wrong_text_of_instances_is_not_validated(pattern: str, before: str, after: str) -> None:
    text, given = Figure3(parse(pattern)).made()
    assert before in text
    assert not validated(parse(pattern), text.replace(before, after), given).holds


def test_a_wrong_text_is_refuted_by_a_trace_and_a_state() -> None:
    text, given = Generated(parse("(a ; b)[3]"), compiles=False).made()
    found = validated(parse("(a ; b)[3]"), text.replace("<= 3", "<= 4"), given)
    assert found.outcome == "refuted"
    assert "is right" in found.reason and "should become" in found.reason


def test_what_a_solver_does_not_know_is_not_validated() -> None:
    text, given = Generated(parse("a ; b"), compiles=False).made()
    found = validated(parse("a ; b"), text, given, GivesUp())
    assert found.outcome == "not validated" and "does not know" in found.reason


def test_a_queue_of_which_nothing_is_proved_is_said() -> None:
    found = validate(Figure3(parse("a ; (b ; c)[5000]")))
    assert found.outcome == "not validated" and "tested and not proved" in found.reason


GENERATOR = ("carried", "specialisation", "demand", "instants")
MADE = ("a ; (b ; (c ; a))", "((a ; b)[2] - c) ; a", "(a + b)[3] - (b ; c)")


def _outcomes(names: list[str]) -> dict[str, Validation | None]:
    """For each mutant of the generator whose text differs, the first validation that fails, or None."""
    due = {pattern: Generated(parse(pattern), compiles=False).made() for pattern in MADE}
    found: dict[str, Validation | None] = {}
    for name in names:
        mutant = derived_mutants()[name]
        try:
            modules = PrivateModules(mutant.module, mutant.text, name)
            kind = modules.load("detectors.carlson_lisper.generated.generated").Generated
            made = {pattern: kind(parse(pattern), compiles=False).made() for pattern in MADE}
        except Exception:  # a generator that breaks down makes no text
            continue
        for pattern, (text, given) in made.items():
            if (text, given) != due[pattern]:
                answer = validated(parse(pattern), text, given)
                found[name] = None if answer.holds else answer
                if not answer.holds:
                    break
    return found


def _of_the_generator() -> list[str]:
    return [
        name
        for name, mutant in derived_mutants().items()
        if mutant.altered == "generated" and mutant.module.rpartition(".")[2] in GENERATOR
    ]


def test_mutants_of_the_generator_that_change_a_text_are_not_validated() -> None:
    found = _outcomes(_of_the_generator()[::12])
    assert any(found.values())
