"""MONA as a second opinion: it agrees with automata, and what it says otherwise ends with status 4."""

from dataclasses import replace
from pathlib import Path

import pytest

from laws.atlas.cells import LAWS as ROWS
from laws.atlas.deciding import decision
from proofs.atlas.record import recorded
from semantics.atlas.catalogue import SETTINGS
from smt.atlas import mona

LAWS = {law.id: law for law in ROWS}

PROGRAM = mona.installed()

needs_mona = pytest.mark.skipif(PROGRAM is None, reason="MONA is not installed")


def program(folder: Path, printed: str) -> str:
    """A program in the place of MONA that prints a line."""
    path = folder / "mona"
    path.write_text(f"#!/bin/sh\necho '{printed}'\n", "utf-8")
    path.chmod(0o755)
    return str(path)


@needs_mona
@pytest.mark.parametrize(
    ("law", "setting"),
    [
        ("law:5", "snoop-recent-points"),
        ("law:6", "hv-all-all-keep-intervals-filter"),
        ("law:6", "snoop-recent-points"),
        ("law:16", "snoop-continuous-intervals"),
        ("law:8", "snoop-cumulative-points"),
        ("law:9", "hv-first-last-lists-points-native"),
        ("detection:3", "snoop-cumulative-points"),
        ("detection:7", "hv-2-2-lists-points-filter"),
        ("detection:7", "snoop-continuous-intervals"),
    ],
)
def test_mona_says_what_automata_say_of_each_choice_of_types(law: str, setting: str) -> None:
    assert PROGRAM is not None
    for level in ("types", "shared"):
        decided = decision(LAWS[law], SETTINGS[setting], level)
        assert decided is not None
        said = {mona.valid(text, PROGRAM) for text in mona.formulas(LAWS[law], SETTINGS[setting], level)}
        assert (False in said) is bool(decided.cases)


@pytest.mark.long
@needs_mona
def test_a_formula_that_is_wrong_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    assert PROGRAM is not None
    decided, prelude = recorded()["law:5", "snoop-recent-points"], mona.PRELUDE
    assert mona.opinions([decided], PROGRAM) == mona.Opinions(1, 0, ())
    for right, wrong in (
        ("before(max X, max Y)", "before(min X, max Y)"),
        ("~before(max Y, max X)", "~before(max X, max Y)"),
    ):
        monkeypatch.setattr(mona, "PRELUDE", prelude.replace(right, wrong))
        assert mona.opinions([decided], PROGRAM).against == ("law:5 in snoop-recent-points",)


@needs_mona
def test_a_law_that_automata_would_decide_wrongly_is_told() -> None:
    assert PROGRAM is not None
    wrong = replace(recorded()["law:6", "snoop-recent-points"], standing="decided", why="automata")
    assert mona.opinions([wrong], PROGRAM).against == ("law:6 in snoop-recent-points",)
