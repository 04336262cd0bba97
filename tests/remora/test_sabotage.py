"""Sabotages are data that apply to the program as it is, are undone, and are noticed by a check or counted."""

import ast
import gc
import time
from dataclasses import replace
from functools import cache
from operator import attrgetter
from pathlib import Path

import pytest

from laws.carlson_lisper.checks.truth_tables import column
from laws.standings import Standing, weakest
from remora.atlas.cells import LAWS
from remora.atlas.obligations import Same
from remora.cli import ROOMS
from remora.terminal.progress import Progress
from remora.verification.efforts import FULL, sample
from remora.verification.sabotage import running
from remora.verification.sabotage.checks import complaint
from remora.verification.sabotage.edits import Sabotage, applied, catalogue, edited, forget
from remora.verification.sabotage.running import carried_out, put
from remora.verification.stages import Verification
from semantics.errors import InputError
from smt.carlson_lisper.symbolic import AXIOMS
from smt.smtlib import negation

KNOWN = {sabotage.id: sabotage for sabotage in catalogue()}


def test_every_sabotage_is_a_change_of_the_program_as_it_is() -> None:
    for sabotage in sorted(KNOWN.values(), key=attrgetter("module")):  # so that each module is read once
        ast.parse(edited(sabotage))
        assert sabotage.before != sabotage.after and sabotage.what and sabotage.seen_by, sabotage.id


def test_there_are_at_least_a_hundred_in_every_room_that_can_say_yes() -> None:
    assert len(KNOWN) >= 100
    rooms = {sabotage.room.partition("/")[0] for sabotage in KNOWN.values()}
    assert rooms == {
        "benchmarks", "campaigns", "detectors", "laws", "proofs", "remora", "reports", "semantics", "smt",
    }  # fmt: skip
    modules = {sabotage.module for sabotage in KNOWN.values()}
    assert {"remora.atlas.proving", "smt.bry_eckert.relevance", "proofs.hinze_voisard.errata"} <= modules


def test_a_function_is_changed_for_everybody_and_changed_back() -> None:
    with applied(KNOWN["negation-affirms"]):
        assert negation("(p x)") == "(p x)"
    assert negation("(p x)") == "(not (p x))"


def test_a_mapping_is_changed_in_its_place_and_a_computed_answer_is_forgotten() -> None:
    before = dict(AXIOMS)
    with applied(KNOWN["axiom-false"]):
        assert AXIOMS["interval"] == "false"
    assert before == AXIOMS


def test_a_record_is_changed_for_the_defaults_that_hold_it() -> None:
    before = Same(LAWS[0], {}, "").theory.axioms
    with applied(KNOWN["atlas-axiom"]):
        assert Same(LAWS[0], {}, "").theory.axioms != before
    assert Same(LAWS[0], {}, "").theory.axioms == before


def test_what_was_computed_is_forgotten_although_the_collector_was_told_to_leave_it_alone() -> None:
    column(3, 1)
    gc.freeze()
    forget()
    assert column.cache_info().currsize == 0


@pytest.mark.parametrize("room", sorted(ROOMS))
def test_what_any_room_keeps_is_forgotten(room: str) -> None:
    kept = cache(lambda: room)
    kept.__module__ = f"{room}.known"
    kept()
    forget()
    assert kept.cache_info().currsize == 0


def test_a_change_is_undone_where_a_check_breaks_down() -> None:
    with pytest.raises(ZeroDivisionError), applied(KNOWN["weakest-best"]):
        assert weakest([Standing.AGREED, Standing.UNKNOWN]) is Standing.AGREED
        raise ZeroDivisionError
    assert weakest([Standing.AGREED, Standing.UNKNOWN]) is Standing.UNKNOWN


def test_a_text_that_is_not_there_once_is_refused() -> None:
    wrong = Sabotage("wrong", "nothing", "smt.smtlib", "negation", "nowhere", "", "record")
    with pytest.raises(InputError, match="0 times"):
        edited(wrong)
    assert not put(wrong).by


def test_a_check_that_breaks_down_complains() -> None:
    assert complaint(lambda: "it is wrong") == "it is wrong"
    assert complaint(lambda: "") == ""
    assert "ZeroDivisionError" in complaint(lambda: str(1 // 0))


def test_a_check_that_does_not_end_has_not_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "LIMIT", 0.1)

    def slow() -> str:
        time.sleep(30)
        return "it is wrong"

    monkeypatch.setattr(running, "fast_checks", lambda _: {"standings": slow})
    (found,) = carried_out([KNOWN["weakest-best"]])
    assert (found.by, found.row.noticed, found.ended) == ("", "", False)


def test_a_sample_repeats_with_its_seed_and_none_is_all() -> None:
    everything = list(KNOWN.values())
    assert sample(everything, 10, 7) == sample(everything, 10, 7) != sample(everything, 10, 8)
    assert sample(everything, None, 0) == everything
    assert len(sample(everything, 10, 7)) == 10


def test_sabotages_are_noticed_in_processes_of_their_own() -> None:
    chosen = [KNOWN["weakest-best"], KNOWN["alone-agrees"], KNOWN["certified-unknown"]]
    found = list(carried_out(chosen))
    assert [each.sabotage for each in found] == chosen
    assert [each.by for each in found] == ["standings", "opinions", "certified"]
    assert weakest([Standing.AGREED, Standing.UNKNOWN]) is Standing.UNKNOWN


def test_what_nothing_notices_is_said_to_be_unnoticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "fast_checks", lambda _: {"standings": lambda: ""})
    (found,) = carried_out([KNOWN["weakest-best"]])
    assert (found.by, found.row.noticed) == ("", "")
    monkeypatch.setattr(running, "fast_checks", lambda _: {})
    (found,) = carried_out([KNOWN["weakest-best"]])
    assert not found.by and "there is no check" in found.said


def test_a_sabotage_of_what_is_not_installed_is_left_out_and_the_report_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lacking = replace(KNOWN["plugin-passes"], needs="no_such_package")
    monkeypatch.setattr("remora.verification.stages.catalogue", lambda: (KNOWN["weakest-best"], lacking))
    monkeypatch.setattr("remora.verification.stages.Verification._all", lambda *_: None)
    run = Verification(FULL, Path(), 0, (), "local[1]", Progress(quiet=True))
    found = run.sabotages()
    assert (found.of, [row.id for row in found.rows]) == (2, ["weakest-best"])
    assert run.warnings == ["the sabotage 'plugin-passes' was left out: no_such_package is not installed"]
    assert not run.problems
