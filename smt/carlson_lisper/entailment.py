"""Entailment of an equation by laws, by equational reasoning alone.

Expressions are an uninterpreted sort with the five operators as functions, laws are equations for all expressions and
bounds, and the equation is denied of fixed ones. Unsatisfiable: it follows, as no algebra has the laws without it. What
does not follow is denied by an algebra of two or three elements, in which every law is written out for every choice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from laws.carlson_lisper.claims import EquationClaim
from semantics.carlson_lisper.expressions import (
    Bound,
    BoundExtremum,
    Expression,
    Operation,
    bottom_up,
    bound_parameters,
    fold,
    identifiers,
)
from semantics.carlson_lisper.operators import OPERATORS
from semantics.carlson_lisper.syntax import Equation
from smt.carlson_lisper.symbolic import bound_term, parameter_symbol
from smt.smtlib import symbol
from smt.solvers.solver import Solver

FOLLOWS, FOLLOWS_NOT = "follows", "does not follow"

PROOF_RLIMITS = (20_000, 400_000)
"""The budgets of the attempts at a proof, in the solver's units of work."""

SEARCH_RLIMIT = 3_000_000
"""The budget of one search for a finite algebra."""


@dataclass(frozen=True)
class Question:
    """Does the equation follow from the laws?

    Attributes:
        equation: what is to follow; its names stand for fixed expressions and bounds.
        laws: what may be used, for all expressions and bounds.
        assumptions: equations between fixed expressions that may be used as they stand.
        conditions: what is known of the fixed bounds: a relation and two bounds.
        primitive: the names of fixed expressions that are primitive event types.
    """

    equation: Equation
    laws: tuple[EquationClaim, ...]
    assumptions: tuple[Equation, ...] = ()
    conditions: tuple[tuple[str, Bound, Bound], ...] = ()
    primitive: frozenset[str] = frozenset()

    @property
    def sides(self) -> list[Expression]:
        """The sides of the equations about fixed expressions."""
        return [side for each in (self.equation, *self.assumptions) for side in (each.left, each.right)]

    @property
    def names(self) -> list[str]:
        """The fixed expressions."""
        return sorted(frozenset[str](self.primitive).union(*map(identifiers, self.sides)))

    @property
    def parameters(self) -> list[str]:
        """The fixed bounds."""
        bounded = [
            Operation("tim", (side,), bound) for _, *two in self.conditions for bound in two for side in self.sides
        ]
        return sorted(frozenset[str]().union(*map(bound_parameters, [*self.sides, *bounded])))


def decide(question: Question, solver: Solver) -> tuple[str, str]:
    """Whether an equation follows or not, or `unknown`; and what shows it, in words."""
    proof = _text(question)
    for rlimit, elements in zip(PROOF_RLIMITS, (2, 3), strict=True):
        if solver.check(proof, rlimit=rlimit).status == "unsat":
            return FOLLOWS, f"unsat by {solver.name}"
        if solver.check(_text(question, elements), rlimit=SEARCH_RLIMIT).status == "sat":
            return (
                FOLLOWS_NOT,
                f"{solver.name} found an algebra of {elements} elements with the cited laws and without it",
            )
    return "unknown", solver.name


def _text(question: Question, elements: int | None = None) -> str:
    """The query that is unsatisfiable if and only if the equation follows, or does in all algebras of so many elements.

    Laws are asserted for all integers as bounds: reading a negative bound as 0 makes such an algebra of any one over
    the natural numbers, so that nothing more follows. In a finite algebra bounds are a chain: a monotone map of the
    natural numbers onto it respects min and max, through which alone the laws mention bounds.
    """
    sort = "Expression" if elements is None else "Int"
    chain = len(question.parameters) + 1 + (not question.parameters)
    fixed = {name: symbol(f"fixed.{name}") for name in question.names}
    lines = [f"(set-logic {'UFLIA' if elements is None else 'QF_UFLIA'})"]
    lines += ["(declare-sort Expression 0)"] if elements is None else []
    for name, operator in OPERATORS.items():
        arguments = [sort] * operator.arity + ["Int"] * operator.bounded
        lines.append(f"(declare-fun {name} ({' '.join(arguments)}) {sort})")
        if elements is not None:
            ranges = [range(elements)] * operator.arity + [range(chain)] * operator.bounded
            lines += [f"(assert (<= 0 ({name} {' '.join(map(str, at))}) {elements - 1}))" for at in product(*ranges)]
    for constant, kind, size in (
        *((fixed[name], sort, elements) for name in question.names),
        *((parameter_symbol(name), "Int", chain if elements else None) for name in question.parameters),
    ):
        lines.append(f"(declare-const {constant} {kind})")
        if kind == "Int":
            lines.append(f"(assert (<= 0 {constant}{f' {size - 1}' if size else ''}))")
    known = [f"({relation} {bound_term(left)} {bound_term(right)})" for relation, left, right in question.conditions]
    known += [_equation(each, fixed) for each in question.assumptions]
    for law in question.laws:
        known += (
            _quantified(law, question, fixed) if elements is None else _instances(law, question, fixed, elements, chain)
        )
    known.append(f"(not {_equation(question.equation, fixed)})")
    return "\n".join([*lines, *(f"(assert {each})" for each in known), "(check-sat)", ""])


def _equation(equation: Equation, names: Mapping[str, str], term: Callable[[Bound], str] = bound_term) -> str:
    return f"(= {_term(equation.left, names, term)} {_term(equation.right, names, term)})"


def _term(expression: Expression, names: Mapping[str, str], term: Callable[[Bound], str] = bound_term) -> str:
    def operation(name: str, operands: Sequence[str], bound: Bound | None) -> str:
        return f"({name} {' '.join([*operands, *([] if bound is None else [term(bound)])])})"

    return fold(expression, lambda name: names[name], operation)


def _choices(
    law: EquationClaim, others: Sequence[str], question: Question, fixed: Mapping[str, str]
) -> list[dict[str, str]]:
    """Values of the names of a law: those of event types for fixed event types, all others for any of a list."""
    events = [fixed[name] for name in sorted(question.primitive)]
    ranges = [events if name in law.primitive else others for name in law.variables]
    return [dict(zip(law.variables, chosen, strict=True)) for chosen in product(*ranges)]


def _quantified(law: EquationClaim, question: Question, fixed: Mapping[str, str]) -> list[str]:
    """A law as a quantified equation; once per fixed event type where it is about an event type."""
    found = []
    for chosen in _choices(law, [""], question, fixed):
        names = {name: value or symbol(f"any.{name}") for name, value in chosen.items()}
        variables = [f"({names[name]} Expression)" for name, value in chosen.items() if not value]
        variables += [f"({parameter_symbol(name)} Int)" for name in law.parameters]
        hints = "".join(f" :pattern ({_term(side, names)})" for side in _patterns(law))
        body = f"(! {_equation(law.equation, names)}{hints})" if hints else _equation(law.equation, names)
        found.append(f"(forall ({' '.join(variables)}) {body})" if variables else _equation(law.equation, names))
    return found


def _patterns(law: EquationClaim) -> list[Operation]:
    """The sides of a law by whose shape its instances can be found: with all of its names, and plain bounds."""
    return [
        side
        for side in (law.equation.left, law.equation.right)
        if isinstance(side, Operation)
        and identifiers(side) == set(law.variables)
        and bound_parameters(side) == set(law.parameters)
        and not any(isinstance(node, Operation) and isinstance(node.bound, BoundExtremum) for node in bottom_up(side))
    ]


def _instances(
    law: EquationClaim, question: Question, fixed: Mapping[str, str], elements: int, chain: int
) -> list[str]:
    """A law for every choice of elements and bounds."""
    return [
        _equation(law.equation, names, lambda bound, places=places: bound_term(bound, places.__getitem__))  # type: ignore[misc]
        for names in _choices(law, list(map(str, range(elements))), question, fixed)
        for chosen in product(map(str, range(chain)), repeat=len(law.parameters))
        for places in [dict(zip(law.parameters, chosen, strict=True))]
    ]
