"""Equivalence of two patterns by solvers, where automata give up because bounds are large.

Automata count ticks; to a solver a bound of a million million ticks is one more number. It proves an equivalence or
finds nothing out: that there is no proof says nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from laws.carlson_lisper.claims import EquationClaim
from laws.standings import Standing, weakest
from semantics.carlson_lisper.decisions import DecidedRelation, Level
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.syntax import Equation, Relation
from smt.carlson_lisper.law_proofs import LADDER
from smt.carlson_lisper.obligations import directions, obligation
from smt.obligations import Obligation
from smt.solvers.portfolio import Portfolio, Query, Verdict, family

NAME = "patterns"


@dataclass(frozen=True)
class PatternProof:
    """A proof that two patterns are related, for all traces.

    Attributes:
        equation: what was proved of the patterns, whose identifiers are event types; `==` and `<=` of their instances,
            `~=` of their detections.
    """

    equation: Equation
    obligations: tuple[Obligation, ...]
    standing: Standing


def prove_patterns(
    left: Expression, right: Expression, level: Level, relation: DecidedRelation, portfolio: Portfolio, *, seed: int = 0
) -> PatternProof | None:
    """A proof that two ground patterns are related at a level, over integer time; None if none is found.

    The same instances have the same intervals and detections, so the finest level is tried for all of them.
    """
    relations: list[Relation] = ["<="] if relation == "inclusion" else ["=="]
    if level == "detection" and relation == "equivalence":
        relations.append("~=")
    for wanted in relations:
        claim = EquationClaim(NAME, Equation(left, right, wanted))
        claim = EquationClaim(NAME, claim.equation, frozenset(claim.variables))
        open_parts = [obligation(claim, part) for part in directions(claim)]
        proved: list[tuple[Obligation, Verdict]] = []
        for attempt in LADDER[:2]:
            asked = [part.with_axioms(attempt.axioms) for part in open_parts]
            budgets = {family(solver): attempt.budgets[family(solver)] for solver in portfolio.solvers}
            queries = [Query(part.id, part.text, budgets) for part in asked]
            told = list(zip(asked, portfolio.check_all(queries, seed=seed), strict=True))
            proved += [pair for pair in told if pair[1].outcome in _STANDINGS]
            open_parts = [part for part, verdict in told if verdict.outcome not in _STANDINGS]
            if not open_parts:
                obligations, verdicts = zip(*proved, strict=True)
                standing = weakest(_STANDINGS[verdict.outcome] for verdict in verdicts)
                return PatternProof(claim.equation, obligations, standing)
    return None


_STANDINGS = {"agreed": Standing.AGREED, "proved": Standing.PROVED}
