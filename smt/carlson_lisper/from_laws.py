"""Conjectures that follow from the laws by equational reasoning: rewriting that streams and instances only obscure.

A solver that reasons about arbitrary streams loses its way in a long chain of sequences; one that is given the laws of
associativity does not. The laws that may be used are themselves proved first, in the same run.
"""

from __future__ import annotations

from laws.carlson_lisper.claims import EquationClaim, laws
from semantics.carlson_lisper.expressions import Operation, bottom_up
from semantics.carlson_lisper.syntax import Equation
from smt.carlson_lisper.entailment import Question, proof_text
from smt.carlson_lisper.symbolic import INSTANCES
from smt.obligations import Obligation

BUDGETS = {"z3": 200_000, "cvc5": 15_000}
"""The work that the solvers may spend on a derivation."""

DIRECTION = "from the laws"
"""The name of the part of a claim that is its derivation."""


def derivation(claim: EquationClaim) -> tuple[Obligation, tuple[EquationClaim, ...]] | None:
    """The query that is unsatisfiable if and only if a conjecture follows from laws, and those laws.

    An inclusion A ⊆ B is the equation A ∨ B ≡ B; the same detections follow from the same meaning. A law is not derived
    from laws, and there is no derivation without one about the operators that occur.
    """
    if claim.source or claim.is_vacuous:
        return None
    equation = claim.equation
    if equation.relation == "<=":
        equation = Equation(equation.left | equation.right, equation.right)
    used = _operators(equation)
    usable = tuple(law for law in laws() if _operators(law.equation) <= used)
    if not usable:
        return None
    text = proof_text(Question(equation, usable, primitive=claim.primitive))
    heading = (f"{claim.id} {DIRECTION}: {claim.statement}",)
    found = Obligation(
        f"{claim.id}/{DIRECTION}",
        claim.id,
        DIRECTION,
        heading,
        INSTANCES,
        (),
        "int",
        "UFLIA",
        (),
        (),
        whole=text,
    )
    return found, usable


def _operators(equation: Equation) -> set[str]:
    return {
        node.operator
        for side in (equation.left, equation.right)
        for node in bottom_up(side)
        if isinstance(node, Operation)
    }
