"""`remora optimise` and `detect --optimise`: what they say in text and as JSON, and how they refuse."""

import json
from pathlib import Path
from typing import Any

import pytest

from discovery.carlson_lisper.optimisation import optimising
from laws.carlson_lisper.claims import EquationClaim
from reports.documents import complaint
from semantics.carlson_lisper.expressions import put_at
from semantics.carlson_lisper.syntax import parse, parse_equation
from tests.remora.conftest import Remora

LOGINS = "remora/examples/logins.csv"


def document(remora: Remora, *arguments: object) -> dict[str, Any]:
    status, out, err = remora("optimise", *arguments, "--format", "json")
    found: dict[str, Any] = json.loads(out)
    assert (status, err, complaint("remora/optimise/1", found)) == (0, "", None)
    return found


def test_the_chain_leads_from_the_pattern_to_the_result_and_equiv_decides_each_step(remora: Remora) -> None:
    (found,) = document(remora, "(b | (a ; b)) ; (c | c)")["patterns"]
    whole = parse(found["pattern"])
    for step in found["chain"]:
        whole = put_at(whole, tuple(step["place"]), parse(step["after"]))
        assert str(whole) == step["whole"]
        assert remora("equiv", step["before"], step["after"])[0] == 0
        assert remora("laws", "show", step["law"])[0] == 0
    assert (found["result"], found["cheaper"], str(whole)) == ("b ; c", True, "b ; c")


def test_for_people_each_step_has_its_law_its_place_before_and_after(remora: Remora) -> None:
    status, out, _ = remora("optimise", "(b | (a ; b)) ; c", "--by", "size")
    assert status == 0
    assert out.startswith(
        "pattern    (b | (a ; b)) ; c\ncheaper    b ; c\nsame       detections on all traces: decided"
    )
    assert "\n1. detection:2, from left to right, at 1: B | (A ; B) ~= B\n" in out
    assert out.endswith("  before   b | (a ; b)\n  after    b\n  gives    b ; c\n")


def test_a_pattern_as_cheap_as_any_is_left_as_it_is(remora: Remora) -> None:
    said = "pattern    a ; b\nas it is   no cheaper pattern is known\n"
    assert remora("optimise", "a ; b") == (0, said, "")


def test_frequencies_are_stated_or_counted_in_a_log(remora: Remora) -> None:
    assert document(remora, "a ; b", "--frequencies", "a=0.5,'x,y'=1e-3")["frequencies"] == {"a": 0.5, "x,y": 0.001}
    counted = document(remora, "fail ; ok", "--log", LOGINS)["frequencies"]
    assert 0 < counted["ok"] < counted["fail"] < 1


@pytest.mark.parametrize("stated", ["a", "a=", "a=2", "a=-1", "a=nan", "a=0.1;b=0.2", "=0.1", "a=1e"])
def test_what_is_no_frequency_is_refused(remora: Remora, stated: str) -> None:
    status, out, err = remora("optimise", "a ; b", "--frequencies", stated)
    assert (status, out) == (2, "")
    assert err.startswith(f"error: --frequencies: {stated!r} says no frequency\n")


@pytest.mark.parametrize("arguments", [(), ("a", "--patterns", "x"), ("a", "--frequencies", "a=0.1", "--log", LOGINS)])
def test_what_goes_together_is_said(remora: Remora, arguments: tuple[str, ...]) -> None:
    assert remora("optimise", *arguments)[0] == 2


@pytest.mark.slow
def test_patterns_of_a_file_are_optimised_and_what_they_share_is_listed(remora: Remora, tmp_path: Path) -> None:
    file = tmp_path / "some.patterns"
    file.write_text("one = (a ; c) | (b ; c)\n# a remark\ntwo = ((a | b) ; c) - d\na ; d\n", "utf-8")
    found = document(remora, "--patterns", file)
    assert [(one["name"], one["cheaper"]) for one in found["patterns"]] == [
        ("one", True),
        ("two", False),
        ("a ; d", False),
    ]
    assert found["shared"] == [{"part": "(a | b) ; c", "patterns": ["one", "two"]}]
    assert "shared     (a | b) ; c\n  by       one, two\n" in remora("optimise", "--patterns", file)[1]


@pytest.mark.slow
def test_what_is_not_decided_ends_with_status_3(remora: Remora, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("smt.carlson_lisper.law_proofs.prove_patterns", lambda *_, **__: None)
    status, out, _ = remora(
        "optimise", "((a ; b)[400] + (b ; a)[300]) | ((a ; b)[400] + (b ; a)[300])", "--steps", "500"
    )
    assert status == 3
    assert "as it is   (a ; b)[400] + (b ; a)[300] would be cheaper, and it is not decided that it says the same" in out


def test_a_false_law_in_the_catalogue_is_a_disagreement(remora: Remora, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = EquationClaim("wrong", parse_equation("A ; B ~= B"))
    monkeypatch.setattr(optimising, "equations", lambda level: (wrong,))
    status, out, err = remora("optimise", "a ; b")
    assert (status, out) == (4, "")
    assert "the laws lead from a ; b to b, which automata tell apart" in err


@pytest.mark.parametrize("level", ["", "=meaning"])
def test_detect_finds_the_same_with_a_cheaper_pattern_and_says_so(remora: Remora, level: str) -> None:
    asked = ("detect", "(fail ; ok) | (fail ; (connect ; ok))", LOGINS, "--intervals", "--format", "jsonl")
    plain, cheaper = remora(*asked), remora(*asked, f"--optimise{level}")
    assert plain[:2] == cheaper[:2]
    assert cheaper[2].startswith("note: detected as ")
    same = remora("detect", "fail ; ok", LOGINS, f"--optimise{level}")
    assert same == remora("detect", "fail ; ok", LOGINS)


def test_rows_of_a_tick_that_have_an_order_are_not_detected_by_a_cheaper_pattern(remora: Remora) -> None:
    # (b ; c)[0] never occurs, but where the rows of a tick come one after the other
    status, out, err = remora("detect", "a - (b ; c)[0]", LOGINS, "--optimise", "--ties", "order")
    assert (status, out) == (2, "")
    assert err.startswith("error: --optimise: with --ties order, ")


def test_patterns_of_a_file_keep_their_names_when_they_are_detected(remora: Remora, tmp_path: Path) -> None:
    file = tmp_path / "some.patterns"
    file.write_text("one = ok | (fail ; ok)\ntwo = fail ; ok\n", "utf-8")
    asked = ("detect", "--patterns", file, LOGINS, "--intervals", "--format", "jsonl")
    status, out, err = remora(*asked, "--optimise")
    assert (status, out) == remora(*asked)[:2]
    assert err == "note: one: detected as ok, which has the same starts and ends of detections on all traces\n"


def test_explain_says_what_never_matters(remora: Remora) -> None:
    said = "superfluous  (fail + fail) ; ok in ok | ((fail + fail) ; ok)\nshorter      ok, with the same detections\n"
    assert said in remora("explain", "ok | ((fail + fail) ; ok)")[1]
    found = json.loads(remora("explain", "(a ; b)[9][5]", "--format", "json")[1])
    assert complaint("remora/explain/1", found) is None
    (one,) = found["superfluous"]
    assert one == {"within": "(a ; b)[9]", "part": None, "least": 5, "goes": True, "shorter": "(a ; b)[5]"}
    assert found["superfluous_decided"] is True


@pytest.mark.slow
def test_the_bench_measures_what_became_cheaper_and_compares_answers(remora: Remora) -> None:
    asked = ("bench", "--optimise", "b | (a ; b)", "a ; b", "--density", "0.5", "--repetitions", "1")
    found = json.loads(remora(*asked, "--format", "json")[1])
    assert complaint("remora/bench/3", found) is None
    assert (found["patterns"], found["cheaper"], found["exit_status"]) == (2, 1, 0)
    assert {row["subject"] for row in found["rows"]} == {"figure4", "generated", "columns"}
    assert {row["case"]["form"] for row in found["rows"]} == {"pattern", "optimised"}
    assert "2 patterns, of which 1 became cheaper ones with the same answers" in remora(*asked)[1]


def test_of_what_never_occurs_a_cheaper_pattern_is_a_shorter_one(remora: Remora) -> None:
    status, out, err = remora("optimise", "(a ; b) | (c ; b)", "--frequencies", "a=0,b=0,c=0")
    assert (status, err) == (0, "") and "figure4 100%" in out and "nodes 5, before 7" in out


def test_an_empty_pattern_is_refused(remora: Remora) -> None:
    status, out, err = remora("optimise", "")
    assert (status, out) == (2, "") and "nothing to read" in err


def test_all_instances_are_not_those_of_a_pattern_with_the_same_detections(remora: Remora) -> None:
    status, out, err = remora("detect", "fail + fail", LOGINS, "--optimise", "--instances", "all")
    assert (status, out) == (2, "") and "Write --optimise meaning." in err
    status, out, _ = remora("detect", "fail + fail", LOGINS, "--optimise", "meaning", "--instances", "all", "--count")
    assert (status, out) == (0, '{"count": 528}\n')
