"""Known answers about searches for models by solvers: counterexamples over few occurrences, witnesses of hypotheses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from unittest.mock import patch

from laws.carlson_lisper.altered.alterations import ALTERATIONS
from laws.carlson_lisper.checks.smallest import smallest_counterexample
from laws.carlson_lisper.checks.witnesses import is_witness
from laws.carlson_lisper.claims import EquationClaim, RestrictionClaim
from laws.systems import find
from remora.verification.known.answers import Checks, Row
from remora.verification.known.derivations import DENSE, claim
from semantics.formulas import Not
from smt.carlson_lisper.countermodels import (
    find_counterexample,
    find_dense_counterexample,
    hypotheses_witness,
)
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


@checks.known(
    "models", "what a solver finds is a counterexample when it is one, and it is asked for each there may be"
)
def _models() -> Iterator[Row]:
    z3 = Z3()
    by_solver = partial(find_counterexample, solver=z3, table_occurrences=0)
    for statement in ("A | B == A", "A == A | B"):
        found = by_solver(claim(statement), max_occurrences=1)
        yield f"a counterexample of {statement}", found.counterexample is not None, True
    with patch(_MODELS + "confirm", lambda *_: None):
        unconfirmed = by_solver(claim("A == A | B"), max_occurrences=1).unconfirmed
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
    for dense in (claim(DENSE), claim(DENSE.replace("[1]", "[min(t, 1)]"))):
        for search, fails in ((find_counterexample, False), (find_dense_counterexample, True)):
            found = search(dense, z3, max_occurrences=3)
            yield f"{dense.statement} by {search.__name__}", found.counterexample is not None, fails
    for statement, complete in (("A[1] == A[1][2]", 4), ("A[t][1] == A[1][t]", 3)):
        found = find_dense_counterexample(claim(statement), z3, max_occurrences=4)
        yield f"how far there is none of {statement}", found.complete_up_to, complete
    with patch(_MODELS + "in_dense_time", lambda *_: None):
        found = find_dense_counterexample(claim(DENSE), z3, max_occurrences=3)
        yield "one of dense time that is not confirmed", found.unconfirmed, True
    right_empty = claim("A == B - B")
    for direction, solver, witnessed in (("⊆", z3, True), ("⊇", z3, False), ("⊇", _Liar(), False)):
        witness = hypotheses_witness(right_empty, direction, solver, max_occurrences=2)
        yield f"a witness of {direction} by {solver.name}", witness is not None, witnessed
    nothing = is_witness(theorem, "left", dict.fromkeys(theorem.streams, frozenset()), {})
    yield "a witness in which nothing occurs", nothing, False
    for alteration in ALTERATIONS:
        (law,) = find([alteration.law])
        assert isinstance(law, EquationClaim)
        for operators, fails in (({}, False), (alteration.operators(), True)):
            searched = smallest_counterexample(law, operators) if operators else smallest_counterexample(law)
            got = bool(searched.counterexample)
            yield f"{law.id}, {alteration.what if fails else 'as it is'}", got, fails
