"""Laws put to engines: right ones pass in every form of answers, wrong ones that the source lets pass are found."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from campaigns.carlson_lisper.law_tests import LawOutcome, evaluator, law_case, law_outcome, said
from campaigns.carlson_lisper.rewriting import settled
from campaigns.choices import Source
from campaigns.judging.verdicts import Kind
from laws.carlson_lisper.claims import EquationClaim, find, laws, listed
from laws.standings import Standing
from semantics.carlson_lisper.decisions import Level
from semantics.carlson_lisper.expressions import Identifier
from semantics.errors import InputError

HERE = (str(Path(__file__).parent),)


def put(name: str, claims: tuple[EquationClaim, ...], cases: int = 20, level: Level | None = None) -> list[LawOutcome]:
    engine = evaluator(f"engines:{name}" if ":" not in name else name, level, HERE)
    return [law_outcome(claim, engine, cases=cases, seed=0) for claim in claims]


@pytest.mark.parametrize("name", ["Engine", "instances", "spans", "sets"])
def test_a_right_engine_passes_whatever_the_form_of_its_answers(name: str) -> None:
    found = put(name, listed("shortest"), cases=4)
    assert {(each.standing, each.cases, each.refused) for each in found} == {(Standing.TESTED, 4, 0)}


@pytest.mark.parametrize("name", ["generated", "figure4"])
def test_detectors_are_engines_of_which_detections_are_compared(name: str) -> None:
    engine = evaluator(name)
    assert engine.level == "detection"
    assert all(law_outcome(each, engine, cases=10, seed=1).standing is Standing.TESTED for each in listed("own"))


@pytest.mark.parametrize(
    ("name", "law", "trace", "answers"),
    [
        ("overlapping", "discovered:26", "a@0", ["nothing", "{a@0}"]),
        ("never_absent", "discovered:10", "b@0", ["{b@0}", "nothing"]),
        ("unbounded", "discovered:26", "b@0 b@1", ["nothing", "{b@0, b@1}"]),
        ("never", "primitive:1", "a@0 a@1", ["{a@0}, {a@0, a@1}, {a@1}", "{a@0}, {a@1}"]),
    ],
)
def test_a_wrong_engine_that_the_source_lets_pass_is_found_and_the_case_is_small(
    name: str, law: str, trace: str, answers: list[str]
) -> None:
    assert {each.standing for each in put(name, laws()[5::7], cases=5)} == {Standing.TESTED}
    chosen = tuple(claim for claim in listed("all") if claim.id == law)
    (found,) = put(name, chosen)
    assert found.failure is not None
    assert (found.failure.kind, " ".join(map(str, found.failure.case.occurrences))) == (Kind.RELATION, trace)
    assert [said(answer) for answer in found.failure.answers] == answers
    assert put(name, chosen) == [found]


def test_one_instance_for_each_end_is_compared_by_detections_where_that_is_asked() -> None:
    claims = find(["law:10", "law:6"])
    assert all(isinstance(claim, EquationClaim) for claim in claims)
    chosen = tuple(claim for claim in claims if isinstance(claim, EquationClaim))
    assert {each.standing for each in put("restricted", chosen, level="detection")} == {Standing.TESTED}


def test_what_is_refused_is_counted_and_nothing_else_is_tested() -> None:
    some, negated = put("no_negation", (laws()[5], laws()[10]))
    assert (some.standing, 0 < some.refused < 20) == (Standing.TESTED, True)
    assert (negated.standing, negated.refused) == (Standing.UNKNOWN, 20)


def test_an_engine_that_breaks_down_in_a_case_is_refuted_with_the_line_of_its_code() -> None:
    (found,) = put("breaks_later", (laws()[5],))
    assert found.failure is not None
    assert (found.standing, found.failure.kind, len(found.failure.case.occurrences)) == (
        Standing.REFUTED,
        Kind.CRASH,
        4,
    )
    assert "engines.py, line " in found.failure.said


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("engines:breaks", r"engines\.py:\d+: the engine engines:breaks failed on two rows: ZeroDivisionError"),
        ("engines:odd", "the engine engines:odd reported a value of type str"),
        ("engines:none", "cannot be imported"),
        ("engines:idle", "finds neither a | b nor a"),
        ("nix", "no detector is called 'nix'"),
    ],
)
def test_a_mistake_in_the_form_has_its_place_and_a_remedy(name: str, says: str) -> None:
    with pytest.raises(InputError, match=says) as found:
        evaluator(name, None, HERE)
    assert found.value.remedy


def test_a_seed_and_a_number_determine_a_case() -> None:
    claim = laws()[13]
    assert law_case(claim, 3, 7) == law_case(claim, 3, 7) != law_case(claim, 3, 8)
    assert law_case(claim, 3, 7) != law_case(claim, 4, 7)


def test_primitive_identifiers_stand_for_different_event_types() -> None:
    claim = replace(laws()[1], primitive=frozenset("AB"))
    chosen = [law_case(claim, 0, number).substitution for number in range(20)]
    assert all(one["A"] != one["B"] for one in chosen)
    left, right, match = settled(claim, Identifier("a"), Source("alone"))
    assert (str(left), str(right), len(set(match.parts.values()))) == ("a | a_B", "a_B | a", 2)


PROGRAM = """
import json, sys
for line in sys.stdin:  # all pairs of events, whatever the pattern
    case = json.loads(line)
    times = [time for time, _, _ in case["events"]]
    spans = [{"start": one, "end": other} for other in times for one in times if one <= other]
    print(json.dumps({"case": case["case"], "detections": spans}), flush=True)
"""


def test_a_program_that_reports_all_matches_is_an_engine(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    form = tmp_path / "form.toml"
    form.write_text(f'command = "{sys.executable} program.py"\nmatches = "all"\n')
    found = law_outcome(laws()[1], evaluator(str(form)), cases=3, seed=0)
    assert (found.standing, found.refused) == (Standing.TESTED, 0)
