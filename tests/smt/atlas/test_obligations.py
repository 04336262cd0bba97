"""Laws in settings as obligations: what is agreed holds, what fails is not agreed, contradictions are noticed."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from laws.atlas.cells import LAWS as ROWS
from laws.carlson_lisper.claims import EquationClaim
from laws.standings import Standing
from proofs.atlas.proving import agreed
from semantics.atlas.catalogue import SETTINGS, Setting
from semantics.atlas.pairs import NotPairs
from semantics.carlson_lisper.syntax import parse_equation
from smt.atlas.obligations import THEORY, Same, same_lists, same_pairs, same_places
from smt.attempts import Attempt, Provable, prove_all
from smt.solvers.portfolio import installed

Way = Callable[[EquationClaim, Setting], Provable]
SAME, OTHER = "A + (A + A) [=] A + A", "A | (A ; B) [=] A"
LAWS = {law.id: law for law in ROWS} | {text: EquationClaim(text, parse_equation(text)) for text in (SAME, OTHER)}


@pytest.mark.parametrize(
    ("law", "setting", "why"),
    [
        ("law:3", "hv-2-2-reapply-points-native", "lists"),
        ("law:3", "snoop-recent-points", "pairs"),
        ("law:16", "snoop-recent-intervals", "pairs"),
        ("law:15", "hv-all-first-lists-points-filter", "pairs"),
        ("law:8", "snoop-unrestricted-points", "solvers"),
        ("detection:2", "hv-2-2-reapply-points-native", "whatever pairs"),
        pytest.param("law:16", "snoop-continuous-intervals", "instances", marks=pytest.mark.slow),
        pytest.param(SAME, "snoop-unrestricted-points", "instances", marks=pytest.mark.slow),
    ],
)
def test_two_solvers_agree_on_a_law_in_a_setting(law: str, setting: str, why: str) -> None:
    proof = agreed(LAWS[law], SETTINGS[setting], why)
    assert proof is not None
    assert proof.why == why
    assert len(proof.solvers) == 2


@pytest.mark.parametrize(
    ("law", "setting", "way"),
    [
        ("law:15", "snoop-recent-points", "pairs"),
        ("law:29", "hv-all-all-lists-points-filter", "pairs"),
        ("law:10", "snoop-recent-intervals", "pairs"),
        pytest.param(OTHER, "snoop-unrestricted-points", "instances", marks=pytest.mark.slow),
        pytest.param("detection:1", "hv-all-all-keep-points-filter", "whatever pairs", marks=pytest.mark.long),
        pytest.param("detection:6", "snoop-cumulative-points", "whatever pairs", marks=pytest.mark.long),
    ],
)
def test_a_law_that_fails_is_not_agreed_on(law: str, setting: str, way: str) -> None:
    assert agreed(LAWS[law], SETTINGS[setting], way) is None


@pytest.mark.parametrize(
    ("way", "law", "setting"),
    [
        (same_pairs, "law:3", "snoop-chronicle-points"),
        (same_pairs, "law:9", "snoop-cumulative-points"),
        (same_pairs, "law:3", "snoop-continuous-points"),
        (same_pairs, "law:6", "snoop-recent-points"),
        (same_pairs, "law:30", "hv-all-all-keep-points-native"),
        (same_lists, "law:26", "hv-all-all-keep-points-filter"),
        (same_places, "law:5", "snoop-chronicle-points"),
        (same_places, "law:3", "snoop-recent-points"),
    ],
)
def test_what_the_obligations_cannot_say_is_refused(way: Way, law: str, setting: str) -> None:
    with pytest.raises(NotPairs):
        way(LAWS[law], SETTINGS[setting])


def test_axioms_that_contradict_themselves_prove_nothing() -> None:
    asked = same_pairs(LAWS["law:16"], SETTINGS["snoop-recent-intervals"])
    assert isinstance(asked, Same)
    wrong = {**THEORY.axioms, "interval": "(forall ((x Instance)) (< (end x) (end x)))"}
    assumed = (Attempt(tuple(wrong), {"z3": 3_000_000, "cvc5": 600_000}),)
    contradiction = replace(asked, theory=replace(THEORY, axioms=wrong), ladder=assumed)
    with installed() as portfolio:
        (result,) = prove_all([contradiction], portfolio)
    assert result.standing is not Standing.AGREED
    assert all(part.standing is not Standing.AGREED for part in result.obligations)
