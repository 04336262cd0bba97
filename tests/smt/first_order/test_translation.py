"""Obligations as problems for provers that have no arithmetic."""

import pytest

from proofs.record import FOLDER
from smt.first_order.arithmetic import Used
from smt.first_order.translation import NotTranslated, translated
from smt.solvers.z3_solver import Z3

DECLARED = "(declare-sort S 0)(declare-const a S)(declare-const b S)(declare-const p Bool)(declare-const n Int)" \
    "(declare-fun f (S S) S)(declare-fun q (S) Bool)(declare-fun |t(i)| (S) Int)"  # fmt: skip


def conclusion(formula: str) -> str:
    """What a formula that is asserted alone denies, as it is translated."""
    text = translated(f"{DECLARED}(assert {formula})(check-sat)").text
    return text.splitlines()[-1].removeprefix("tff(conclusion, conjecture, ~(").removesuffix(")).")


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        ("true", "$true"),
        ("(not p)", "~('p')"),
        ("(and p (q a))", "('p' & 'q'('a'))"),
        ("(or p (q a) p)", "('p' | 'q'('a') | 'p')"),
        ("(=> p (q a) (q b))", "('p' => ('q'('a') => 'q'('b')))"),
        ("(= p (q a))", "('p' <=> 'q'('a'))"),
        ("(= a b)", "('a' = 'b')"),
        ("(distinct a b (f a b))", "(('a' != 'b') & ('a' != 'f'('a', 'b')) & ('b' != 'f'('a', 'b')))"),
        ("(forall ((x S)) (exists ((y S)) (= x y)))", "(![Vx: 'S']: (?[Vy: 'S']: (Vx = Vy)))"),
        ("(ite p (q a) (q b))", "(('p' => 'q'('a')) & ('p' | 'q'('b')))"),
        ("(q (ite p a b))", "(('p' => 'q'('a')) & (~('p') => 'q'('b')))"),
        ("(<= n 1)", "('Int|<='('n', 'Int|1'))"),
        ("(>= n 1)", "('Int|<='('Int|1', 'n'))"),
        ("(< n 1)", "(~'Int|<='('Int|1', 'n'))"),
        ("(> n 1)", "(~'Int|<='('n', 'Int|1'))"),
        ("(= n (- 1))", "('n' = 'Int|-1')"),
        ("(= n (- n))", "('n' = 'Int|-'('Int|0', 'n'))"),
        ("(= n (* 2 (|t(i)| a)))", "('n' = 'Int|+'('t(i)'('a'), 't(i)'('a')))"),
        ("(= n (* n n))", "('n' = 'Int|*'('n', 'n'))"),
    ],
)  # fmt: skip
def test_formulas_say_in_the_problem_what_they_say_in_the_obligation(formula: str, said: str) -> None:
    assert conclusion(formula) == said


@pytest.mark.parametrize(
    "formula", ["(= n 1.5)", "(= n 1.0)", "(xor p p)", "(let ((x p)) x)", "(= n unknown)", "(< a b)"]
)
def test_what_cannot_be_translated_is_refused(formula: str) -> None:
    with pytest.raises(NotTranslated):
        conclusion(formula)
    with pytest.raises(NotTranslated):
        translated("(declare-datatypes () ())(assert true)")


@pytest.mark.parametrize("sort", ["Int", "Real"])
def test_what_problems_are_told_of_the_numbers_is_true_of_them(sort: str) -> None:
    truths = list(Used(sort, {-2, -1, 0, 1, 3}, calculates=True).truths())
    assert len(truths) > 15
    for truth in truths:
        assert Z3().check(f"(assert (not {truth}))(check-sat)", rlimit=1_000_000).status == "unsat", truth


def test_a_false_word_of_the_numbers_would_be_noticed() -> None:
    dense = "(forall ((x Real) (y Real)) (or (<= y x) (<= (+ x 1.0) y)))"
    assert Z3().check(f"(assert (not {dense}))(check-sat)", rlimit=1_000_000).status == "sat"


@pytest.mark.parametrize(
    ("formula", "exact"),
    [
        ("(<= (start a) (end a))", True),
        ("(and (<= 0.0 (start a)) (= (end a) 1.0))", True),
        ("(forall ((x S)) (<= 0.0 (start x)))", True),
        ("(<= (- (end a) (start a)) 1.0)", False),
        ("(exists ((t Real)) (< (start a) t (end a)))", False),
        ("(< (count a) 1)", False),
    ],
)
def test_a_problem_is_exact_where_real_numbers_are_compared_and_no_more(formula: str, exact: bool) -> None:
    declared = "(declare-sort S 0)(declare-const a S)(declare-fun start (S) Real)(declare-fun end (S) Real)"
    assert translated(f"{declared}(declare-fun count (S) Int)(assert {formula})").exact is exact


def test_every_obligation_of_the_record_can_be_put_to_a_prover() -> None:
    for path in sorted((FOLDER / "obligations").glob("*.smt2"))[::40]:
        assert translated(path.read_text("utf-8")).text.endswith(").\n")
