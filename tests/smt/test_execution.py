"""Symbolic execution: every way through the code is found, and what cannot be followed is not overlooked."""

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from detectors.carlson_lisper.source.steps import NON_OCCURRENCE
from smt.execution import (
    MAX_PATHS,
    Execution,
    ExecutionFailed,
    SymbolicCount,
    SymbolicInstance,
    SymbolicTime,
    SymbolicTruth,
    explore,
    with_length,
)
from smt.smtlib import FALSE, TRUE
from smt.solvers.z3_solver import Z3

INFINITY = float("inf")


def satisfiable(*assertions: str, sort: str = "Int") -> bool:
    """Whether formulas about the instances x and y and the times a, b and c can hold together."""
    lines = [
        "(declare-sort Instance 0)",
        *(f"(declare-fun {name} (Instance) {sort})" for name in ("start", "end")),
        "(declare-fun join (Instance Instance) Instance)",
        *(f"(declare-const {name} Instance)" for name in "xy"),
        *(f"(declare-const {name} {sort})" for name in "abc"),
        *(f"(declare-const {name} Bool)" for name in "pqr"),
        *(f"(assert {assertion})" for assertion in assertions),
    ]
    return Z3().check("\n".join(lines), rlimit=1_000_000).status == "sat"


def equivalent(left: str, right: str) -> bool:
    return not satisfiable(f"(not (= {left} {right}))")


# ----------------------------------------------------------------------------------------------------------- paths


def test_every_combination_of_answers_is_a_path_of_its_own() -> None:
    def run(execution: Execution) -> tuple[bool, ...]:
        return tuple(execution.decide(name) for name in "pqr")

    paths, _ = explore(run)
    assert {path.result for path in paths} == set(product((True, False), repeat=3))
    for path in paths:
        assert path.result is not None
        answers = zip("pqr", path.result, strict=True)
        assert path.conditions == tuple(name if answer else f"(not {name})" for name, answer in answers)


@settings(deadline=None, max_examples=60)
@given(st.recursive(st.integers(0, 3), lambda t: st.tuples(st.sampled_from("pqr"), t, t), max_leaves=12))
def test_the_paths_are_those_of_the_decision_tree_each_once_and_cover_everything(tree: Any) -> None:
    def run(execution: Execution) -> int:
        node = tree
        while isinstance(node, tuple):
            node = node[1] if execution.decide(node[0]) else node[2]
        return int(node)

    paths, _ = explore(run)
    for values in product((True, False), repeat=3):
        known = dict(zip("pqr", values, strict=True))
        node = tree
        while isinstance(node, tuple):
            node = node[1] if known[node[0]] else node[2]
        taken = [
            path
            for path in paths
            if all(known[c] if len(c) == 1 else not known[c[5:-1]] for c in path.conditions)
        ]
        assert [path.result for path in taken] == [node]


def test_what_was_answered_is_not_asked_again() -> None:
    def run(execution: Execution) -> bool:
        first = execution.decide("p")
        assert execution.decide("p") == first
        assert execution.decide("(not p)") != first
        assert execution.decide(TRUE)
        assert not execution.decide(FALSE)
        return first

    paths, _ = explore(run)
    assert [path.conditions for path in paths] == [("p",), ("(not p)",)]


def test_an_exception_is_a_duty_on_its_path_and_the_others_go_on() -> None:
    def run(execution: Execution) -> int:
        if execution.decide("p"):
            raise KeyError("lost")
        return 1

    raising, returning = explore(run)[0]
    assert (raising.result, returning.result) == (None, 1)
    ((words, formula),) = raising.duties
    assert words == "no KeyError: 'lost'"
    assert equivalent(formula, "(not p)")
    assert returning.duties == ()


def test_a_requirement_is_to_follow_from_what_is_known_on_the_path() -> None:
    def run(execution: Execution) -> None:
        execution.decide("p")
        execution.facts.append("q")
        execution.require("r is needed", "r")

    first, second = explore(run)[0]
    assert equivalent(first.duties[0][1], "(=> (and p q) r)")
    assert equivalent(second.duties[0][1], "(=> (and (not p) q) r)")
    assert equivalent(first.condition, "(and p q)")


def test_the_constants_of_all_paths_are_known_and_numbered_on_each() -> None:
    def run(execution: Execution) -> list[str]:
        names = [execution.constant("found", "Instance")]
        if execution.decide("p"):
            names.append(execution.constant("found", "Instance"))
        return [*names, execution.constant("foundling", "Bool")]

    paths, constants = explore(run)
    assert [path.result for path in paths] == [
        ["found.1", "found.2", "foundling.1"],
        ["found.1", "foundling.1"],
    ]
    assert constants == {"found.1": "Instance", "found.2": "Instance", "foundling.1": "Bool"}


def test_more_paths_than_a_step_can_need_are_given_up() -> None:
    def run(execution: Execution) -> int:
        time = SymbolicTime("a", execution)
        return sum(bool(time < other) for other in range(20))

    with pytest.raises(ExecutionFailed, match=str(MAX_PATHS)):
        explore(run)


# ----------------------------------------------------------------------------------------------------------- times


def time(
    term: str, execution: Execution | None = None, infinite: str = FALSE, *, natural: bool = False
) -> Any:
    return SymbolicTime(term, execution or Execution(), infinite, natural=natural)


@pytest.mark.parametrize(
    ("truth", "formula"),
    [
        (time("a") < time("b"), "(< a b)"),
        (time("a") <= time("b"), "(<= a b)"),
        (time("a") > time("b"), "(> a b)"),
        (time("a") >= time("b"), "(>= a b)"),
        (time("a") == time("b"), "(= a b)"),
        (time("a") != time("b"), "(not (= a b))"),
        (time("a") < 3, "(< a 3)"),
        (3 < time("a"), "(< 3 a)"),
        (time("a") == -1, "(= a (- 1))"),
        (time("a") + time("b") < time("c") - 1, "(< (+ a b) (- c 1))"),
        (1 + time("a") < 5 - time("b"), "(< (+ 1 a) (- 5 b))"),
        (time("a") < INFINITY, "true"),
        (time("a") >= INFINITY, "false"),
        (time("a", infinite="p") == INFINITY, "p"),
        (time("a", infinite="p") < time("b", infinite="q"), "(and (not p) (or q (< a b)))"),
        (time("a", infinite="p") <= time("b", infinite="q"), "(or q (and (not p) (<= a b)))"),
        (time("a", infinite="p") == time("b", infinite="q"), "(or (and p q) (and (not p) (not q) (= a b)))"),
    ],
)
def test_a_comparison_is_the_formula_that_it_says(truth: SymbolicTruth, formula: str) -> None:
    assert equivalent(truth.formula, formula)


@pytest.mark.parametrize(
    ("truth", "formula"),
    [
        (time("a", natural=True) < 0, FALSE),
        (time("a", natural=True) < -1, FALSE),
        (time("a", natural=True) >= 0, TRUE),
        (time("a", natural=True) > NON_OCCURRENCE.start, TRUE),
        (time("a") < time("a"), FALSE),
        (time("a") <= time("a"), TRUE),
    ],
)
def test_what_is_known_of_every_time_is_not_asked(truth: SymbolicTruth, formula: str) -> None:
    assert truth.formula == formula


def test_what_is_not_known_of_every_time_is_asked() -> None:
    for truth in (time("a") < 0, time("a", natural=True) < 1, time("a", natural=True) > 0, time("a") >= 0):
        assert truth.formula not in (TRUE, FALSE)


@pytest.mark.parametrize("function", [max, min])
def test_the_greater_and_the_smaller_of_two_are_found_on_two_paths(function: Any) -> None:
    def run(execution: Execution) -> str:
        return str(function(time("a", execution), time("b", execution)).term)

    paths, _ = explore(run)
    assert {path.result for path in paths} == {"a", "b"}
    order = "<=" if function is max else ">="
    for path in paths:
        assert path.result is not None
        assert not satisfiable(
            path.condition, f"(not (and ({order} a {path.result}) ({order} b {path.result})))"
        )


@pytest.mark.parametrize(
    "misuse",
    [
        lambda t: t == None,  # noqa: E711
        lambda t: t < "1",
        lambda t: t + 0.5,
        lambda t: t == True,  # noqa: E712
        lambda t: t < -INFINITY,
        lambda t: t * 2,
        lambda t: -t,
        lambda t: t % 2,
        lambda t: range(t),
        lambda t: [0, 1][t],
        lambda t: int(t),
        lambda t: float(t),
        lambda t: t + INFINITY,
    ],
)
def test_what_a_symbolic_time_does_not_define_raises(misuse: Any) -> None:
    with pytest.raises((ExecutionFailed, TypeError)):
        misuse(time("a"))


def test_no_time_is_computed_from_one_that_may_be_infinite() -> None:
    computations: list[Callable[[SymbolicTime], SymbolicTime]] = [
        lambda t: t + 1,
        lambda t: t - 1,
        lambda t: 1 - t,
        lambda t: t + t,
    ]
    for compute in computations:
        with pytest.raises(ExecutionFailed, match="∞"):
            compute(time("a", infinite="p"))


def test_a_time_that_is_not_infinite_on_a_path_is_computed_with_there() -> None:
    def run(execution: Execution) -> str:
        label = time("a", execution, "p")
        return "∞" if label == INFINITY else str((label + 2).term)

    paths, _ = explore(run)
    assert {(path.conditions, path.result) for path in paths} == {(("p",), "∞"), (("(not p)",), "(+ a 2)")}


def test_a_count_adds_truth_values_as_0_and_1() -> None:
    def run(execution: Execution) -> str:
        size = SymbolicCount("n", execution)
        return str((size + SymbolicTruth("p", execution) + True).term)

    paths, _ = explore(run)
    assert {(path.conditions, path.result) for path in paths} == {
        (("p",), "(+ (+ n 1) 1)"),
        (("(not p)",), "(+ (+ n 0) 1)"),
    }


class _Counted:
    """A collection with a symbolic number of elements, and one that it reports."""

    def __init__(self, size: SymbolicCount) -> None:
        self.size = size

    def length(self) -> SymbolicCount:
        return self.size

    def twice(self) -> object:
        return len(self) + len([1, 2])  # type: ignore[arg-type]


def test_the_code_of_a_method_is_run_with_a_length_that_is_symbolic() -> None:
    counted = _Counted(SymbolicCount("n", Execution()))
    found = with_length(counted.twice)()
    assert isinstance(found, SymbolicCount)
    assert found.term == "(+ n 2)"
    with pytest.raises(TypeError):
        counted.twice()


# ------------------------------------------------------------------------------------------------ instances, truth


def test_an_instance_has_a_start_an_end_and_joins_with_instances_alone() -> None:
    execution = Execution()
    x, y = SymbolicInstance("x", execution), SymbolicInstance("y", execution)
    assert (x.start.term, x.end.term, x.join(y).term) == ("(start x)", "(end x)", "(join x y)")
    assert execution.duties == []
    x.join(NON_OCCURRENCE)
    assert execution.duties == [("only instances are joined", FALSE)]


def test_a_symbolic_instance_has_no_occurrences() -> None:
    x: Any = SymbolicInstance("x", Execution())
    for name in ("occurrences", "_occurrences", "interval", "sort_key"):
        with pytest.raises(AttributeError):
            getattr(x, name)


def test_truth_values_are_asked_and_counted() -> None:
    def run(execution: Execution) -> int:
        p, q = SymbolicTruth("p", execution), SymbolicTruth("q", execution)
        return p + q + (1 if p and not q else 0)

    paths, _ = explore(run)
    assert sorted((path.conditions, path.result) for path in paths) == [
        (("(not p)", "(not q)"), 0),
        (("(not p)", "q"), 1),
        (("p", "(not q)"), 2),
        (("p", "q"), 2),
    ]
