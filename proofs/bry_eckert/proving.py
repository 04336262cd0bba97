"""Proofs of claims about tuples: each is one obligation, without quantifiers and without axioms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from laws.bry_eckert.claims import TupleClaim
from smt.attempts import Attempt, Hypotheses, Provable, Search
from smt.obligations import Obligation, Theory
from smt.s_expressions import SExpression, parse_all
from smt.smtlib import LOGIC, SORT, TimeSort
from smt.solvers.portfolio import Portfolio

BUDGET = 1_000_000
"""The work for one question when a counterexample is looked for, in units of the solver."""

_THEORY = Theory((), {})


@dataclass(frozen=True)
class Values:
    """Time stamps and truth values for which a claim is false."""

    values: Mapping[str, int | bool]

    def summary(self) -> str:
        """The values in one line."""
        return ", ".join(f"{name} = {str(value).lower()}" for name, value in self.values.items())

    def data(self) -> dict[str, Any]:
        """Nothing besides the summary."""
        return {}


class TupleProof(Provable):
    """A claim about tuples as one obligation."""

    ladder = (Attempt((), {"z3": 200_000, "cvc5": 50_000}),)

    def __init__(self, claim: TupleClaim) -> None:
        """The claim."""
        self._claim = claim

    @property
    def claim(self) -> TupleClaim:
        """The claim."""
        return self._claim

    def obligations(self, time: TimeSort) -> list[Obligation]:
        """That the conclusion cannot fail."""
        claim = self._claim
        declared = tuple(
            f"(declare-const {name} {'Bool' if name.endswith('?') else SORT[time]})" for name in claim.tuples
        )
        assertions = *(_expanded(one, claim) for one in claim.given), f"(not {_expanded(claim.says, claim)})"
        text = (f"{claim.id}: {claim.statement}",), _THEORY, (), time, LOGIC[time], declared, assertions
        return [Obligation(f"{claim.id}/=", claim.id, "=", *text)]

    def refute(self, effort: int, portfolio: Portfolio) -> Search:
        """Values for which the conclusion fails, which a second solver has to confirm."""
        (obligation,) = self.obligations("int")
        first, *others = portfolio.solvers
        answer = first.check(obligation.text, rlimit=BUDGET)
        if answer.status != "sat":
            return Search()
        fixed = "".join(f"(assert (= {name} {_literal(value)}))\n" for name, value in answer.values.items())
        text = obligation.text.replace("(check-sat)", f"{fixed}(check-sat)")
        confirmed = all(other.check(text, rlimit=BUDGET).status == "sat" for other in others)
        return Search(Values(answer.values), frozenset("=")) if confirmed else Search(unconfirmed=True)

    def hypotheses(self, direction: str, portfolio: Portfolio) -> Hypotheses:
        """Whether what is given can be true."""
        (obligation,) = self.obligations("int")
        assumed = obligation.text.replace(f"(assert (not {_expanded(self._claim.says, self._claim)}))\n", "")
        sat = portfolio.solvers[0].check(assumed, rlimit=BUDGET).status == "sat"
        return Hypotheses("satisfiable" if sat else "not known to be satisfiable")


def _expanded(formula: str, claim: TupleClaim) -> str:
    """A formula with what is defined written out."""
    definitions = {name: parse_all(text) for name, text in claim.definitions}

    def expand(part: SExpression, values: Mapping[str, SExpression]) -> SExpression:
        if isinstance(part, str):
            return values.get(part, part)
        head, *arguments = (expand(each, values) for each in part)
        if isinstance(head, str) and head in definitions:
            names, body = definitions[head]
            return expand(body, dict(zip(map(str, names), arguments, strict=True)))
        return (head, *arguments)

    (parsed,) = parse_all(formula)
    return _printed(expand(parsed, {}))


def _printed(part: SExpression) -> str:
    return part if isinstance(part, str) else f"({' '.join(map(_printed, part))})"


def _literal(value: int | bool) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if value >= 0 else f"(- {-value})"


provable = TupleProof
"""The proof of a claim (`proofs.systems.ProofsOfSystem`)."""
