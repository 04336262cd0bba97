"""Entailment of an equation by laws, by equational reasoning alone.

Expressions are an uninterpreted sort with the five operators as functions, laws are equations for all expressions and
bounds, and the equation is denied of fixed ones. Unsatisfiable: it follows, as no algebra has the laws without it. What
does not follow is denied by an algebra of two or three elements, in which every law is written out for every choice.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from laws.carlson_lisper.claims import EquationClaim
from semantics.carlson_lisper import expressions
from semantics.carlson_lisper.expressions import Bound, Operation, bottom_up, bound_parameters, fold, identifiers
from semantics.carlson_lisper.operators import OPERATORS
from semantics.carlson_lisper.syntax import Equation
from smt.carlson_lisper.obligations import bound_term, parameter_symbol
from smt.smtlib import symbol
from smt.solvers.portfolio import Solver

FOLLOWS, FOLLOWS_NOT = "follows", "does not follow"

PROOF_RLIMITS = (20_000, 400_000)  # The budgets of the attempts at a proof, in the solver's units of work
SEARCH_RLIMIT = 3_000_000  # The budget of one search for a finite algebra


@dataclass(frozen=True)
class Question:
    """Does the equation follow from the laws?"""

    equation: Equation  # what is to follow; its names stand for fixed expressions and bounds
    laws: tuple[EquationClaim, ...]  # what may be used, for all expressions and bounds
    assumptions: tuple[Equation, ...] = ()  # equations between fixed expressions that may be used as they stand
    # what is known of the fixed bounds: a relation and two bounds
    conditions: tuple[tuple[str, Bound, Bound], ...] = ()
    primitive: frozenset[str] = frozenset()  # the names of fixed expressions that are primitive event types


def decide(question: Question, solver: Solver) -> tuple[str, str]:
    """Whether an equation follows or not, or `unknown`; and what shows it, in words."""
    for rlimit, elements in zip(PROOF_RLIMITS, (2, 3), strict=True):
        if solver.check(_text(question), rlimit=rlimit).status == "unsat":
            return FOLLOWS, f"unsat by {solver.name}"
        if solver.check(_text(question, elements), rlimit=SEARCH_RLIMIT).status == "sat":
            words = f"{solver.name} found an algebra of {elements} elements with the cited laws and without it"
            return FOLLOWS_NOT, words
    return "unknown", solver.name


def _text(question: Question, elements: int = 0) -> str:
    """The query that is unsatisfiable if and only if the equation follows, or does in all algebras of so many elements.

    Laws are asserted for all integers as bounds: reading a negative bound as 0 makes such an algebra of any one over
    the natural numbers, so that nothing more follows.
    """
    sides = [side for each in (question.equation, *question.assumptions) for side in (each.left, each.right)]
    conditions = [Operation("tim", (sides[0],), bound) for _, *two in question.conditions for bound in two]
    fixed = {name: symbol(f"fixed.{name}") for name in sorted(question.primitive.union(*map(identifiers, sides)))}
    bounds = sorted(frozenset[str]().union(*map(bound_parameters, [*sides, *conditions])))
    listed = [f"element.{number}" for number in range(elements)]
    kinds = f"(declare-datatypes ((Expression 0)) (({' '.join(f'({each})' for each in listed)})))"
    lines = [f"(set-logic {'ALL' if elements else 'UFLIA'})", kinds if elements else "(declare-sort Expression 0)"]
    for name, operator in OPERATORS.items():
        arguments = ["Expression"] * operator.arity + ["Int"] * operator.bounded
        lines.append(f"(declare-fun {name} ({' '.join(arguments)}) Expression)")
    lines += [f"(declare-const {name} Expression)" for name in fixed.values()]
    for name in map(parameter_symbol, bounds):
        lines += [f"(declare-const {name} Int)", f"(assert (<= 0 {name}))"]
    known = [f"({relation} {bound_term(left)} {bound_term(right)})" for relation, left, right in question.conditions]
    known += [_equation(each, fixed) for each in question.assumptions]
    events = [fixed[name] for name in sorted(question.primitive)]
    known += [each for law in question.laws for each in _asserted(law, events, listed)]
    known.append(f"(not {_equation(question.equation, fixed)})")
    return "\n".join([*lines, *(f"(assert {each})" for each in known), "(check-sat)", ""])


def _equation(equation: Equation, names: Mapping[str, str]) -> str:
    return f"(= {_term(equation.left, names)} {_term(equation.right, names)})"


def _term(expression: expressions.Expression, names: Mapping[str, str]) -> str:
    def operation(name: str, operands: Sequence[str], bound: Bound | None) -> str:
        return f"({' '.join([name, *operands, *([] if bound is None else [bound_term(bound)])])})"

    return fold(expression, lambda name: names[name], operation)


def _asserted(law: EquationClaim, events: Sequence[str], elements: Sequence[str]) -> Iterable[str]:
    """A law as quantified equations, for each fixed event type where it is about one and each of given elements."""
    for chosen in product(*(events if name in law.primitive else elements or [""] for name in law.variables)):
        names = {name: value or symbol(f"any.{name}") for name, value in zip(law.variables, chosen, strict=True)}
        variables = [
            f"({names[name]} Expression)" for name, value in zip(law.variables, chosen, strict=True) if not value
        ]
        variables += [f"({parameter_symbol(name)} Int)" for name in law.parameters]
        hints = "" if elements else "".join(f" :pattern ({_term(side, names)})" for side in _patterns(law))
        body = f"(! {_equation(law.equation, names)}{hints})" if hints else _equation(law.equation, names)
        yield f"(forall ({' '.join(variables)}) {body})" if variables else _equation(law.equation, names)


def _patterns(law: EquationClaim) -> list[Operation]:
    """The sides of a law by whose shape its instances can be found: with all of its names, and plain bounds."""
    return [
        side
        for side in (law.equation.left, law.equation.right)
        if isinstance(side, Operation)
        and identifiers(side) == set(law.variables)
        and bound_parameters(side) == set(law.parameters)
        and not any(
            isinstance(node, Operation) and isinstance(node.bound, expressions.BoundExtremum)
            for node in bottom_up(side)
        )
    ]
