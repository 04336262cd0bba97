"""Texts for solvers: one to prove, one with a model, one that none of them settles."""

from pathlib import Path

OBLIGATIONS = Path(__file__).parents[3] / "proofs" / "obligations"

PROVABLE = (OBLIGATIONS / "law-14-included.smt2").read_text("utf-8")

SATISFIABLE = (
    "(set-logic QF_LIA)(declare-const x Int)(declare-const |y z| Bool)"
    "(assert (and (< 2 x) (< x 4) |y z|))(check-sat)"
)

HARD = "(set-logic QF_NIA)(declare-const a Int)(declare-const b Int)(declare-const c Int)" + (
    "(assert (and (< 1 a) (< 1 b) (< 1 c) (= (* a a a a a) (+ (* b b b b b) (* c c c c c)))))(check-sat)"
)
"""A case of Fermat's last theorem."""
