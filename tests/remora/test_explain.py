"""`remora explain`: what it says in text and as JSON, and how it refuses."""

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings

from detectors.carlson_lisper.generated import program
from laws.carlson_lisper.checks.strategies import expressions
from remora import explain
from remora.api.patterns.comparisons import occurring
from remora.api.patterns.patterns import branches, node_text
from semantics.carlson_lisper.decisions import Decider
from semantics.carlson_lisper.expressions import Expression, Operation, bottom_up
from semantics.carlson_lisper.syntax import parse
from tests.remora.conftest import Remora
from tests.tables import table


def document(remora: Remora, *arguments: str) -> dict[str, Any]:
    status, out, err = remora("explain", *arguments, "--format", "json")
    found: dict[str, Any] = json.loads(out)
    assert (err, found["exit_status"], found["schema"]) == ("", status, "remora/explain/1")
    return found


def test_example_6_1_is_explained_exactly(remora: Remora) -> None:
    status, out, err = remora("explain", "(B;B)[2]-(P;(P+T))")
    assert (status, err) == (0, "")
    assert out.startswith(
        """\
pattern      (B ; B)[2] - (P ; (P + T))
transformed  (B ;[0] B)[2] - (P ;[2] (P + T)[2])
length       at most 2 ticks
stores       at most 8 occurrences, in 8 instances
steps        at most 43 at one instant
generated    at most 7 starts
its text     validated
ties         can matter: B@0 P@0 T@0 P@0 B@0 detects nothing, and P@0 B@0 T@0 P@0 B@0 detects [0, 0]

#  length  instances  occurrences  steps  subexpression
9       2          0            0      2  -  negation
3       2          0            0      1  ├─ [2]  temporal restriction
2     inf          2            2     12  │  └─ ;[0]  sequence
1       0          0            0      1  │     ├─ B
1                                         │     └─ B  (as above)
8     inf          4            4     15  └─ ;[2]  sequence
4       0          0            0      1     ├─ P
7       2          0            0      1     └─ [2]  temporal restriction
6     inf          2            2      9        └─ +  conjunction
4                                                  ├─ P  (as above)
5       0          0            0      1           └─ T

it can occur

a shortest trace on which it occurs
"""
    )
    assert "instance  ●━━━━━●  {B@0, B@1}\n\nwhich detector runs\n  whole instances" in out


@given(expressions(max_leaves=8, max_bound=3))
def test_the_tree_draws_each_subexpression_in_full_once_and_below_what_it_is_part_of(expression: Expression) -> None:
    drawn = list(branches(expression))
    full = [branch.node for branch in drawn if not branch.again]
    assert len(full) == len(set(full))
    assert set(full) == set(bottom_up(expression))
    assert {branch.node for branch in drawn if branch.again} <= set(full)
    above: list[Expression] = []
    for branch in drawn:
        del above[len(branch.lines) // 3 :]
        if above:
            assert isinstance(above[-1], Operation) and branch.node in above[-1].operands
            assert node_text(above[-1], str).startswith(above[-1].definition.symbol or "[")
        above.append(branch.node)


def test_example_6_1_in_json(remora: Remora) -> None:
    found = document(remora, "(B;B)[2]-(P;(P+T))")
    assert (found["transformed"], found["length"]) == ("(B ;[0] B)[2] - (P ;[2] (P + T)[2])", 2)
    assert found["total"] == {"instances": 8, "occurrences": 8, "steps": 43}
    assert (found["bounded"], found["faults"], found["remedies"], found["formulas"]) == (True, [], [], None)
    eighth = {"number": 8, "expression": "P ;[2] (P + T)[2]", "operator": "sequence", "label": 2, "length": None}
    sizes = {"instance_occurrences": 3, "instances": 4, "occurrences": 4, "steps": 15}
    assert found["subexpressions"][7] == {**eighth, **sizes}
    possible = found["possibility"]
    assert (possible["occurs"], possible["instances"][0]["end"], len(possible["trace"])) == (True, 1, 2)


def test_without_a_bound_the_fault_and_the_detectors_are_said_in_words(remora: Remora) -> None:
    chosen = document(remora, "a ; (b + c)")["choices"]
    assert [(one["wanted"], one["feed"], one["detector"], one["bounded"]) for one in chosen] == [
        ("instances", "rows", "figure4", False),
        ("intervals", "rows", "generated", True),
        ("both", "columns", "columns", True),
    ]
    out = remora("explain", "a ; (b + c)")[1]
    assert re.search(r"\n  starts and ends, by rows +generated: code generated", out)
    assert "a ;[inf] (b + c) has no finite label, so its queue grows with the input" in out
    assert "stores       no bound\nsteps        no bound\n" in out
    assert "a ;[inf] (b + c) keeps one instance of its left side for every time" in out
    assert "b + c may take arbitrarily long" in out
    assert "  a ; (b + c)[t]\n  (a ; (b + c))[t]\n" in out


@pytest.mark.parametrize("option", ["--code", "--code=starts"])
def test_the_code_that_is_shown_is_the_code_that_runs(remora: Remora, option: str) -> None:
    text = program(parse("(a ; b)[3] - c"))
    assert document(remora, "(a ; b)[t] - c", "--bound", "t=3", option)["code"] == {"kind": "starts", "text": text}
    assert remora("explain", "(a ; b)[3] - c", option)[1].endswith(f"\n\n{text}")
    assert document(remora, "(a ; b)[3] - c")["code"] is None


@pytest.mark.slow
def test_what_has_no_bound_names_the_sequence_at_fault_and_remedies_that_work(remora: Remora) -> None:
    found = document(remora, "x | (a ; ((b + c) - d))")
    assert (found["bounded"], found["total"]) == (False, {"instances": None, "occurrences": None, "steps": None})
    (fault,) = found["faults"]
    assert (fault["expression"], fault["right"]) == ("a ;[inf] ((b + c) - d)", "(b + c) - d")
    assert fault["causes"] == ["b + c"]
    assert found["remedies"] == ["x | (a ; ((b + c) - d)[t])", "(x | (a ; ((b + c) - d)))[t]"]
    assert all(explain(remedy, bounds={"t": 7}).bounded and explain(remedy).bounded for remedy in found["remedies"])


def test_the_bound_of_a_remedy_is_named_like_no_event_type_and_no_other_bound(remora: Remora) -> None:
    assert document(remora, "t ; (b + t)")["remedies"][0] == "t ; (b + t)[u]"
    found = document(remora, "a[t] ; (b + c)[max(t, u)] ; (a ; (b + c))")
    assert found["remedies"][0].endswith("(a ; (b + c)[v])[v]")


def test_symbolic_bounds_give_formulas_and_with_values_numbers(remora: Remora) -> None:
    pattern = "((a ; b)[t] ; (c + d)[u])[v]"
    found = document(remora, pattern)
    assert (found["total"], found["transformed"], found["possibility"]) == (None, None, None)
    assert found["subexpressions"] == []
    assert found["formulas"]["instances"] == "min(u, v) + 6"
    assert found["formulas"]["transformed"] == "((a ;[0] b)[min(t, v)] ;[min(u, v)] (c + d)[min(u, v)])[v]"
    valued = document(remora, pattern, "--bound", "t=9", "--bound", "u=5", "--bound", "v=7")
    assert valued["bounds"] == {"t": 9, "u": 5, "v": 7}
    assert valued["total"]["instances"] == 11
    assert {**valued["formulas"], "bounds": {}} == found["formulas"]
    assert valued["possibility"]["occurs"] is True


def test_the_formulas_are_shown_by_subexpression_where_there_are_no_numbers(remora: Remora) -> None:
    out = remora("explain", "(A;B)[t]-C")[1]
    assert "transformed  (A ;[0] B)[t] - C\nlength       at most t\ninstances    at most 2\n" in out
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert {"6 t 0 0 2 - negation", "4 t 0 0 1 ├─ [t] temporal restriction"} <= set(lines)
    assert "occur" not in out.replace("occurrences", "")


def test_a_formula_of_a_ground_pattern_names_its_numbers(remora: Remora) -> None:
    found = document(remora, "t ; (b + c)[300]", "--formula")
    assert (found["formulas"]["bounds"], found["formulas"]["instances"]) == ({"u": 300}, "u + 4")
    assert found["total"]["instances"] == 304
    out = remora("explain", "t ; (b + c)[300]", "--formula")[1]
    assert "as formulas  in the bounds: t ; (b + c)[u] with u = 300\nlength       no bound\n" in out


@pytest.mark.parametrize(("pattern", "reason"), table(__file__, "never"))
def test_a_pattern_that_can_never_occur_is_told_so_with_the_reason(remora: Remora, pattern: str, reason: str) -> None:
    found = document(remora, pattern)["possibility"]
    assert (found["occurs"], found["reason"], found["trace"]) == (False, reason, None)
    assert f"\n\nit never occurs, on any trace: {reason}\n" in remora("explain", pattern)[1]


@settings(deadline=None, max_examples=25)
@given(expressions(events=("a", "b"), max_leaves=6, max_bound=2))
def test_the_answer_is_that_of_the_decision_and_every_reason_is_about_something_impossible(
    expression: Expression,
) -> None:
    answer, found = occurring(expression, 200_000), Decider([expression]).possibility(expression)
    assert answer.occurs is (found.trace is not None)
    assert bool(answer.reason) is (answer.occurs is False)


@pytest.mark.slow
def test_what_is_not_decided_within_the_budget_is_said_and_is_inconclusive(remora: Remora) -> None:
    pattern = "((a ; b)[40000] - (a | b))[30000] | ((a ; (c + d))[1000] - (c | (d + e)[30000]))"
    found = document(remora, pattern, "--steps", "2000")
    assert (found["exit_status"], found["possibility"]["occurs"]) == (3, None)
    assert found["total"]["instances"] == 1008
    assert "more than" in found["possibility"]["reason"]


def test_engines_that_disagree_are_no_answer(remora: Remora, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Decider, "_replayed", lambda *_, **__: None)
    status, out, err = remora("explain", "a ; b")
    assert (status, out) == (4, "")
    assert "has no instance on" in err
