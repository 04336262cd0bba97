"""Altered definitions: every change of one comparison, and which claims notice it."""

from dataclasses import fields

import pytest

from laws.carlson_lisper.altered.alterations import Failure, first_failure, first_vacuous
from laws.carlson_lisper.altered.changed_formulas import changed_comparisons
from laws.carlson_lisper.altered.definitions import (
    AlteredDefinition,
    Definitions,
    altered_definitions,
)
from laws.carlson_lisper.altered.restating import is_about, restate
from laws.carlson_lisper.checks.counterexamples import Counterexample
from laws.carlson_lisper.claims import EquationClaim, RestrictionClaim, catalogue, find
from semantics.carlson_lisper.operators import OPERATORS
from semantics.carlson_lisper.restriction import (
    DOMINATED,
    PRIMITIVE,
    REM,
    SAME_INTERVALS,
    VALID_ABSENCE,
    VALID_INSTANCE,
)
from semantics.formulas import Compare, End, Exists, Not, Start, subformulas
from tests.laws.carlson_lisper.altered.symbols import altered_symbols

ALTERED = {altered.id: altered for altered in altered_definitions()}


def test_a_formula_is_changed_at_each_comparison_in_two_ways() -> None:
    formula = Not(Exists("t", "T", Start("s") < End("t")))
    assert [changed.formula for changed in changed_comparisons(formula)] == [
        Not(Exists("t", "T", Start("s") <= End("t"))),
        Not(Exists("t", "T", End("t") < Start("s"))),
    ]
    equal = Compare("=", Start("s"), Start("t"))
    assert [changed.what for changed in changed_comparisons(equal)] == [
        "start(s) = start(t) becomes start(s) ≤ start(t)",
        "start(s) = start(t) becomes start(t) ≤ start(s)",
    ]


def test_every_comparison_of_every_definition_is_altered() -> None:
    conditions = [c.condition for operator in OPERATORS.values() for c in operator.comprehensions]
    relations = [*REM.conditions, *SAME_INTERVALS.conditions, *PRIMITIVE.conditions]
    formulas = [*conditions, *relations, VALID_INSTANCE, VALID_ABSENCE, DOMINATED]
    comparisons = [p for formula in formulas for p in subformulas(formula) if isinstance(p, Compare)]
    assert len(ALTERED) == 2 * len(comparisons)
    assert {altered.name for altered in ALTERED.values()} == {
        "neg", "seq", "tim", "rem", "≅", "valid", "~=", "primitive",
    }  # fmt: skip
    assert len({altered.what for altered in ALTERED.values()}) == len(ALTERED)


def test_an_altered_definition_differs_from_the_sources_in_one_of_them() -> None:
    source, parts = Definitions(), [field.name for field in fields(Definitions)]
    for altered in (*ALTERED.values(), *altered_symbols()):
        changed = [part for part in parts if getattr(altered.definitions, part) != getattr(source, part)]
        assert len(changed) == 1, altered.id


def test_claims_are_restated_under_another_definition() -> None:
    (theorem,) = find(["theorem:4.5"])
    assert isinstance(theorem, RestrictionClaim)
    assert restate(theorem, Definitions()) == theorem
    other = restate(theorem, ALTERED["≅.2~1"].definitions)
    assert isinstance(other, RestrictionClaim)
    assert other.restrictions == theorem.restrictions
    assert [a == b for a, b in zip(other.conclusions, theorem.conclusions, strict=True)] == [True, False]
    premised = restate(theorem, ALTERED["rem.3~1"].definitions)
    assert isinstance(premised, RestrictionClaim)
    assert premised.restrictions == ()
    assert all(a != b for a, b in zip(premised.conclusions, theorem.conclusions, strict=True))


def test_a_claim_is_about_the_definitions_that_occur_in_it() -> None:
    about = {name: [c.id for c in catalogue() if is_about(c, ALTERED[name])] for name in ALTERED}
    assert set(about["seq~1"]) == {
        *(f"law:{number}" for number in (6, 8, 9, 15, 16, 29, 30)),
        *(f"detection:{number}" for number in (2, 3, 7)),
        "primitive:1",
        "theorem:4.6.seq",
    }
    assert about["≅.1~1"] == ["theorem:4.5", "relation:unique", "relation:intervals"]
    restrictions = [*(f"theorem:4.6.{name}" for name in OPERATORS), "relation:restricted", "relation:subset"]
    restrictions += ["relation:detections", "relation:unique", "relation:valid"]
    assert about["rem.2~1"] == ["theorem:4.5", *restrictions]
    assert about["valid.1~1"] == ["relation:valid"]
    assert about["valid.2~1"] == []
    relations = ["restricted", "subset", "detections", "unique", "intervals"]
    assert about["~=~1"] == [
        *(f"detection:{number}" for number in range(1, 8)),
        *(f"relation:{name}" for name in relations),
    ]
    assert about["primitive.1~1"] == ["law:23", "primitive:1"]


@pytest.mark.parametrize("name", ["neg~1", "neg~2", "neg~3", "neg~4", "seq~2", "tim~1", "tim~2"])
def test_a_law_notices_most_alterations_of_the_operators(name: str) -> None:
    laws = [claim for claim in catalogue() if isinstance(claim, EquationClaim)]
    failure = first_failure(ALTERED[name], laws, max_occurrences=2)
    assert isinstance(failure, Failure)
    assert isinstance(failure.evidence, Counterexample)
    assert failure.evidence.left != failure.evidence.right


def test_an_alteration_is_noticed_by_a_claim_that_fails_or_that_has_nothing_left_to_say() -> None:
    few = find(["6", "12", "theorem:4.5"])
    asked = {name: ALTERED[name] for name in ("neg~1", "seq~1", "rem.2~1", "valid.2~1")}
    failures = {name: first_failure(one, few) or first_vacuous(one, few) for name, one in asked.items()}
    assert [name for name, failure in failures.items() if failure is not None] == ["neg~1", "rem.2~1"]


def test_no_claim_fails_under_the_sources_own_definitions() -> None:
    source = AlteredDefinition("none", "seq", "nothing", Definitions(altered_operators=(OPERATORS["seq"],)))
    assert first_failure(source, catalogue(), max_occurrences=2) is None
