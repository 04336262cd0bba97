"""Variants of a problem say the same, in other words."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laws.carlson_lisper.claims import catalogue
from smt.audit.variants import DECLARATIONS, Problem, Variant, renamed, variants, written
from smt.carlson_lisper.obligations import directions, obligation
from smt.obligations import Obligation
from smt.s_expressions import SExpression, parse_all
from smt.solvers.questions import ask_once
from smt.solvers.solver import Question
from smt.solvers.z3_solver import Z3

OBLIGATIONS = [obligation(claim, part) for claim in catalogue() for part in directions(claim)]

SATISFIABLE = """(set-logic UFLIA)
(declare-sort Instance 0)
(declare-fun start (Instance) Int)
(declare-fun |stream.q i| (Instance) Bool)
(declare-const n1 Int)
(declare-const |bound {0}| Int)
(assert (forall ((x Instance)) (=> (|stream.q i| x) (<= n1 (start x)))))
(assert (exists ((x Instance) (y Instance)) (and (|stream.q i| x) (not (|stream.q i| y)))))
(assert (< n1 |bound {0}| 7))
(check-sat)
"""


def back(variant: Variant) -> list[SExpression]:
    """The commands of a variant under their old names."""
    old = {new: name for name, new in variant.names.items()}
    return [renamed(command, old) for command in parse_all(variant.text)]


@given(st.sampled_from(OBLIGATIONS), st.integers(0, 2**40))
def test_a_variant_under_the_old_names_has_the_same_commands(chosen: Obligation, seed: int) -> None:
    (variant,) = variants(chosen.text, chosen.id, 1, seed)
    assert len(set(variant.names.values())) == len(variant.names)
    assert Counter(back(variant)) == Counter(parse_all(chosen.text))


@given(st.sampled_from(OBLIGATIONS), st.integers(0, 2**40))
def test_a_variant_declares_before_it_asserts_and_asks_last(chosen: Obligation, seed: int) -> None:
    (variant,) = variants(chosen.text, chosen.id, 1, seed)
    heads = [command[0] for command in parse_all(variant.text)]
    places = [
        ("set-logic", *DECLARATIONS[:1], "declare", "assert", "check-sat").index(kind(h)) for h in heads
    ]
    assert places == sorted(places)


def kind(head: SExpression) -> str:
    return "declare" if head in DECLARATIONS[1:] else str(head)


def test_nothing_keeps_its_name_and_no_new_name_was_there_before() -> None:
    for chosen in (*(o.text for o in OBLIGATIONS), SATISFIABLE):
        problem = Problem.of(chosen)
        atoms = set(chosen.replace("(", " ").replace(")", " ").replace("|", " ").split())
        assert not atoms & set(problem.free)
        assert {"Instance", "start", "x"} <= set(problem.names)


def test_other_numbers_seeds_and_names_give_other_variants_and_the_same_ones_the_same() -> None:
    text = OBLIGATIONS[0].text
    first = list(variants(text, "a", 5))
    assert first == list(variants(text, "a", 5))
    assert first[:3] == list(variants(text, "a", 3))
    others = [*first, *variants(text, "b", 5), *variants(text, "a", 5, seed=1)]
    assert len({variant.text for variant in others}) == len({variant.seed for variant in others}) == 15


def test_the_first_variant_is_the_same_everywhere() -> None:
    (variant,) = variants(
        "(declare-const a Bool)(assert a)(declare-const b Bool)(assert b)(check-sat)", "x", 1
    )
    assert (
        variant.text
        == "(declare-const n1 Bool)\n(declare-const n0 Bool)\n(assert n1)\n(assert n0)\n(check-sat)\n"
    )
    assert variant.seed == 495743257


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 2**40))
def test_what_is_satisfiable_stays_satisfiable(seed: int) -> None:
    (variant,) = variants(SATISFIABLE, "satisfiable", 1, seed)
    assert ask_once(Z3(), Question(variant.text, 1_000_000, variant.seed)).status == "sat"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "does not end with"),
        ("(check-sat)(assert true)", "does not end with"),
        ("(define-fun f () Int 1)(check-sat)", "define-fun"),
        ("(check-sat)(check-sat)", "check-sat"),
        ("(assert (let ((x 1)) (= x 1)))(check-sat)", "let"),
        ("(declare-const |1| Int)(assert (= |1| 1))(check-sat)", "'1'"),
        ("(assert true)) (check-sat)", "parenthesis"),
    ],
)
def test_a_text_that_cannot_be_rewritten_is_refused(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words.replace("(", r"\(")):
        next(variants(text, "x", 1))


def test_what_is_written_is_read_again() -> None:
    for text in (SATISFIABLE, *(part.text for part in OBLIGATIONS[::5])):
        commands = parse_all(text)
        assert parse_all("\n".join(map(written, commands))) == commands
