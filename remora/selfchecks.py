"""Checks of the checkers: something wrong is given to each, and it has to complain."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from laws.alterations import ALTERATIONS, Alteration
from laws.claims import EquationClaim, find
from laws.counterexamples import replay
from laws.exhaustive import check_exhaustively
from laws.standings import Standing
from semantics.expressions import Identifier
from semantics.occurrences import Occurrence
from semantics.syntax import parse_equation
from smt.obligations import BASE_AXIOMS
from smt.portfolio import Portfolio
from smt.prove import Attempt, prove


@dataclass(frozen=True)
class SelfCheck:
    """The outcome of giving a checker something wrong.

    Attributes:
        id: a short name.
        what: what has to happen.
        ok: whether it did.
        detail: what happened.
    """

    id: str
    what: str
    ok: bool
    detail: str


def self_checks(solver: Portfolio) -> list[Callable[[], SelfCheck]]:
    """The checks, to be called one after the other."""
    return [
        lambda: _vacuous_law(solver),
        lambda: _no_budget(solver),
        _true_law_is_not_refuted,
        *(_alteration_check(alteration, solver) for alteration in ALTERATIONS),
    ]


def _vacuous_law(solver: Portfolio) -> SelfCheck:
    printed = EquationClaim(
        "law:28 as printed", parse_equation("(A - B)[t] == (A - B)[t]"), source="Theorem 4.4"
    )
    standing = prove(printed, solver).standing
    return SelfCheck(
        "vacuous law",
        "a law whose sides are the same text does not count as proved",
        standing is Standing.UNKNOWN,
        f"law 28 as the source prints it is {standing.value}",
    )


def _no_budget(solver: Portfolio) -> SelfCheck:
    (law,) = find(["law:6"])
    standing = prove(law, solver, ladder=(Attempt(BASE_AXIOMS, {"z3": 1, "cvc5": 1}),)).standing
    return SelfCheck(
        "no budget",
        "a solver that runs out of its budget leaves a claim unknown",
        standing is Standing.UNKNOWN,
        f"law 6 with a budget of one unit of work is {standing.value}",
    )


def _true_law_is_not_refuted() -> SelfCheck:
    (law,) = find(["law:2"])
    assert isinstance(law, EquationClaim)
    names = {name: Identifier(name.lower()) for name in law.variables}
    found = replay(law, names, {}, [Occurrence("a", 0), Occurrence("b", 1)])
    return SelfCheck(
        "replay",
        "a suspected counterexample that the executable semantics does not confirm is dropped",
        found is None,
        "law 2 on the trace a@0, b@1 " + ("is not refuted" if found is None else "is refuted"),
    )


def _alteration_check(alteration: Alteration, solver: Portfolio) -> Callable[[], SelfCheck]:
    def check() -> SelfCheck:
        (law,) = find([alteration.law])
        operators = alteration.operators()
        proof = prove(law, solver, operators=operators).standing
        test = check_exhaustively(law, operators).standing
        return SelfCheck(
            f"altered {alteration.operator}",
            f"{alteration.what} makes {alteration.law} false, for the solver and for the exhaustive check",
            proof is Standing.REFUTED and test is Standing.REFUTED,
            f"the solver side says {proof.value}, the exhaustive check says {test.value}",
        )

    return check
