"""Known answers about searches for models by solvers: counterexamples over few occurrences, witnesses of hypotheses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from unittest.mock import patch

from laws.carlson_lisper.altered.alterations import ALTERATIONS
from laws.carlson_lisper.checks.smallest import smallest_counterexample
from laws.carlson_lisper.claims import EquationClaim, RestrictionClaim
from laws.systems import find
from remora.verification.known.answers import Checks, Row
from semantics.carlson_lisper.syntax import parse_equation
from semantics.formulas import Not
from smt.carlson_lisper.countermodels import (
    find_counterexample,
    find_dense_counterexample,
    hypotheses_witness,
)
from smt.carlson_lisper.law_proofs import _laws_standing
from smt.smtlib import TimeSort
from smt.solvers.portfolio import Portfolio
from smt.solvers.solver import Answer
from smt.solvers.z3_solver import Z3

_MODELS = "smt.carlson_lisper.countermodels."

checks = Checks()


@dataclass
class _Liar:
    """A solver that has a model of everything, in which nothing occurs."""

    name: str = "liar"

    def check(self, text: str, *, rlimit: int, seed: int = 0) -> Answer:
        return Answer("sat", self.name, 0.0, 0)


def _claim(statement: str) -> EquationClaim:
    return EquationClaim("known", parse_equation(statement))


DENSE = _claim("(A ; (B ; C))[1] == (A ; (B ; C))[0]")
"""An equation that holds over integer time, and fails in halves of a tick."""


@checks.known(
    "models", "what a solver finds is a counterexample when it is one, and it is asked for each there may be"
)
def _models() -> Iterator[Row]:
    z3 = Z3()
    by_solver = partial(find_counterexample, solver=z3, table_occurrences=0)
    for statement in ("A | B == A", "A == A | B"):
        found = by_solver(_claim(statement), max_occurrences=1)
        yield f"a counterexample of {statement}", found.counterexample is not None, True
    with patch(_MODELS + "confirm", lambda *_: None):
        unconfirmed = by_solver(_claim("A == A | B"), max_occurrences=1).unconfirmed
        yield "a model that is not confirmed", unconfirmed, True
    (theorem,) = find(["theorem:4.5"])
    assert isinstance(theorem, RestrictionClaim)
    (first, formula), *_ = theorem.conclusions
    for title, conclusions, right in (
        ("is true", theorem.conclusions, (False, False)),
        ("has a false conclusion", ((first, formula), ("no", Not(formula))), (True, False)),
    ):
        found = by_solver(replace(theorem, conclusions=conclusions), max_occurrences=2)
        yield f"a theorem that {title}", (found.counterexample is not None, found.unconfirmed), right
    for search, fails in ((find_counterexample, False), (find_dense_counterexample, True)):
        found = search(DENSE, z3, max_occurrences=3)
        yield f"{DENSE.statement} by {search.__name__}", found.counterexample is not None, fails
    with patch(_MODELS + "in_dense_time", lambda *_: None):
        found = find_dense_counterexample(DENSE, z3, max_occurrences=3)
        yield "one of dense time that is not confirmed", found.unconfirmed, True
    right_empty = _claim("A == B - B")
    for direction, solver, witnessed in (("⊆", z3, True), ("⊇", z3, False), ("⊇", _Liar(), False)):
        witness = hypotheses_witness(right_empty, direction, solver, max_occurrences=2)
        yield f"a witness of {direction} by {solver.name}", witness is not None, witnessed
    for alteration in ALTERATIONS:
        (law,) = find([alteration.law])
        assert isinstance(law, EquationClaim)
        for operators, fails in (({}, False), (alteration.operators(), True)):
            searched = smallest_counterexample(law, operators) if operators else smallest_counterexample(law)
            got = bool(searched.counterexample)
            yield f"{law.id}, {alteration.what if fails else 'as it is'}", got, fails


@checks.known("laws over dense time", "a claim is derived from laws that are proved over the same time")
def _laws(portfolio: Portfolio) -> Iterator[Row]:
    times: tuple[tuple[TimeSort, bool], ...] = (("int", True), ("real", False))
    for time, right in times:
        yield f"{DENSE.statement} over {time}", _laws_standing([DENSE], portfolio, time, 0).unbounded, right
