"""Translation validation accepts the texts that are made, and no wrong one."""

import tomllib
from collections.abc import Iterable
from pathlib import Path

import pytest

from campaigns.carlson_lisper.cases import generate
from detectors.carlson_lisper.catalogue import CATALOGUE
from detectors.carlson_lisper.generated import Generated
from laws.standings import Standing
from remora.examples import EXAMPLES
from remora.gate.decisions import decided
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.syntax import parse
from smt.carlson_lisper.validation.relations import questions
from smt.carlson_lisper.validation.validating import Outcome, Validation, validate, validated
from smt.solvers.portfolio import Answer
from tests.smt.fakes import told, z3

SMALL = (
    "a | b", "a + b", "a - b", "a ; b", "(a ; b)[1]", "((a ; b) | c) - a", "c - ((a ; b) | c)",
    "((a ; b) | c) + (b | c)", "((a ; b) | c) ; b", "a ; (b ; c)[2]", "((a ; b) | c) ; (a ; c)[2]",
    "a ; (b + (c | a))[1]", "(a + b) - (b ; c)", "((a ; b)[2] - c) ; a[0]", "(a ; a)[2] + (b ; a)[1]",
    "(a ; (b - c)[1])[2]",
)  # fmt: skip
"""Every operator, alone and on operands whose instances end in another order than they start."""

_ROWS = tomllib.loads(Path(__file__).with_name("wrong_texts.toml").read_text("utf-8"))
WRONG_STARTS, SAME_STARTS = (tuple(map(tuple, _ROWS[name])) for name in ("starts", "same"))
"""Patterns, what stands in the text that is made for each, and what takes its place."""

PATTERNS = (
    *SMALL,
    *(example.expression for example in EXAMPLES),
    '("pay.ok" ; b)[7] - c',
    "a ; (b ; c)[5000]",
    "(c | (a | b)) ; (a | b)",
    "(((start | a | (t1 | (aa | ab)))[0] | (a1 | _a)[0]) ; ((a1 | _a) - (A | (B | q1))))[1]",
    "((a | b | c | d) + ((a | b | c) ; (a | b))) - (a | b)[2]",
    "(a | a) ; (b | a | a)",
    f"({' | '.join(f'a{number}' for number in range(40))})[0] ; x",
)


@pytest.mark.parametrize(
    "patterns",
    [
        [*map(parse, SMALL[3::4]), generate(23, 0).expression],
        pytest.param(map(parse, PATTERNS), marks=pytest.mark.slow),
        pytest.param((generate(23, number).expression for number in range(600)), marks=pytest.mark.long),
    ],
    ids=["some", "examples", "campaign"],
)
def test_what_is_made_for_a_pattern_is_validated(patterns: Iterable[Expression]) -> None:
    for pattern in patterns:
        found = validate(Generated(pattern))
        assert found.holds, f"{pattern}: {found}"


def test_a_question_is_about_one_subexpression() -> None:
    def longest(pattern: str) -> int:
        detector = Generated(parse(pattern))
        return max(len(text) for _, text in questions(detector.expression, *detector.made()))

    assert longest("((d + e) - f) | ((a + b) - c)") < 2 * longest("(a + b) - c")


@pytest.mark.parametrize(("pattern", "before", "after"), WRONG_STARTS)
def test_a_wrong_text_of_starts_is_not_validated(pattern: str, before: str, after: str) -> None:
    text, given = Generated(parse(pattern)).made()
    assert before in text
    assert not validated(parse(pattern), text.replace(before, after), given, z3()).holds


def test_a_wrong_text_is_refuted_by_a_trace() -> None:
    text, given = Generated(parse("(a ; b)[3]")).made()
    found = validated(parse("(a ; b)[3]"), text.replace("<= 3", "<= 4"), given, z3())
    assert found.outcome == "refuted"
    assert "is right" in found.reason and "finds a state in which they part" in found.reason


def test_what_a_solver_does_not_know_is_not_validated() -> None:
    text, given = Generated(parse("a ; b")).made()
    found = validated(parse("a ; b"), text, given, told(Answer("unknown", "nobody", 0.0, 0)))
    assert found.outcome == "not validated" and "does not know" in found.reason


def test_the_detectors_of_the_catalogue_that_say_so_are_validated() -> None:
    assert {name for name, entry in CATALOGUE.items() if entry.validated} == {"generated"}


@pytest.mark.parametrize(
    ("outcome", "standing"), [("validated", "proved"), ("refuted", "refuted"), ("not validated", "unknown")]
)
def test_a_gate_counts_what_is_validated_and_a_refuted_text_is_red(
    outcome: Outcome, standing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = Validation(outcome, "for a reason" * (outcome != "validated"), "z3", 0.0, "")
    monkeypatch.setattr("smt.carlson_lisper.validation.validating.validate", lambda _: found)
    detectors = {"generated": None, "figure4": None}
    (check,) = decided("texts", "carlson_lisper", detectors, ["a ; b", "a", "a"])
    assert (check.detector, check.standing, check.tried) == ("generated", Standing(standing), 2)
    assert "2 texts of 2 patterns" in check.detail
    assert found.holds or "for a reason, for a ; b" in check.detail


@pytest.mark.parametrize(("pattern", "before", "after"), SAME_STARTS)
def test_a_text_that_is_written_differently_and_does_the_same_is_validated(
    pattern: str, before: str, after: str
) -> None:
    text, given = Generated(parse(pattern)).made()
    assert before in text
    assert validated(parse(pattern), text.replace(before, after), given, z3()).holds
