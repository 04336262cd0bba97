"""Entailment of an equation by laws, by equational reasoning alone.

The solver is given an uninterpreted sort of expressions with the five operators as functions, the laws as universally
quantified equations, and the denial of the equation. Unsatisfiable: it follows, for the laws hold in no algebra
without the equation holding. A finite algebra with the laws and without the equation, which is evaluated here once
more: it does not follow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

from laws.carlson_lisper.claims import EquationClaim
from laws.carlson_lisper.statements.algebra import Condition, Entry, FiniteAlgebra, assignments, entries, holds
from semantics.carlson_lisper.expressions import (
    Bound,
    BoundExtremum,
    Expression,
    Identifier,
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

PROOF_RLIMITS = (20_000, 400_000)
"""The budgets of the attempts at a proof, in the solver's units of work."""

SEARCH_RLIMIT = 3_000_000
"""The budget of one search for a finite algebra."""

ELEMENTS = (2, 3)
"""The sizes of the finite algebras that are searched, each after an attempt at a proof."""


@dataclass(frozen=True)
class Question:
    """Does the equation follow from the laws?

    Attributes:
        equation: what is to follow; its names stand for fixed expressions and bounds.
        laws: what may be used, for all expressions and bounds.
        assumptions: equations between fixed expressions that may be used as they stand.
        conditions: what is known of the bounds.
        primitive: the names of fixed expressions that are primitive event types.
    """

    equation: Equation
    laws: tuple[EquationClaim, ...]
    assumptions: tuple[Equation, ...] = ()
    conditions: tuple[Condition, ...] = ()
    primitive: frozenset[str] = frozenset()

    @property
    def names(self) -> tuple[str, ...]:
        """The fixed expressions."""
        sides = [side for e in (self.equation, *self.assumptions) for side in (e.left, e.right)]
        return tuple(sorted(frozenset[str](self.primitive).union(*map(identifiers, sides))))

    @property
    def parameters(self) -> tuple[str, ...]:
        """The fixed bounds."""
        sides = [side for e in (self.equation, *self.assumptions) for side in (e.left, e.right)]
        sides += [Identifier("A")[bound] for c in self.conditions for bound in (c.left, c.right)]
        return tuple(sorted(frozenset[str]().union(*map(bound_parameters, sides))))


@dataclass(frozen=True)
class Entailment:
    """The answer to a question.

    Attributes:
        status: whether the equation follows; `unknown` when there is neither a proof nor a small algebra.
        algebra: for `does not follow`, the algebra, which evaluation has confirmed.
    """

    status: Literal["follows", "does not follow", "unknown"]
    solver: str
    algebra: FiniteAlgebra | None = None

    def summary(self) -> str:
        """The answer in words."""
        if self.status == "follows":
            return f"follows: unsat by {self.solver}"
        if self.algebra is not None:
            return f"does not follow: {self.algebra.summary()}"
        return "unknown"


def decide(question: Question, solver: Solver) -> Entailment:
    """Try a proof and a small algebra against the equation in turns, each time with more effort."""
    if question.equation.left == question.equation.right:
        return Entailment("follows", "identity")
    text = proof_text(question)
    efforts: tuple[tuple[int | None, int | None], ...] = (
        (PROOF_RLIMITS[0], ELEMENTS[0]),
        (None, ELEMENTS[1]),
        (PROOF_RLIMITS[1], None),
    )
    for rlimit, elements in efforts:
        if rlimit is not None:
            answer = solver.check(text, rlimit=rlimit)
            if answer.status == "unsat":
                return Entailment("follows", answer.solver)
        if elements is not None:
            algebra = find_algebra(question, solver, elements)
            if algebra is not None:
                return Entailment("does not follow", solver.name, algebra)
    return Entailment("unknown", solver.name)


# --------------------------------------------------------------------------------------------------------- proofs


def proof_text(question: Question) -> str:
    """The query that is unsatisfiable if and only if the equation follows.

    Laws are asserted for all integers as bounds: reading a negative bound as 0 makes such an algebra of any one over
    the natural numbers, so that nothing more follows.
    """
    lines = [
        f"; {question.equation} from {', '.join(law.id for law in question.laws) or 'no law'}",
        "(set-logic UFLIA)",
        "(declare-sort Expression 0)",
        *(
            f"(declare-fun {name} (Expression Expression) Expression)"
            for name, operator in OPERATORS.items()
            if operator.arity == 2
        ),
        "(declare-fun tim (Expression Int) Expression)",
        *(f"(declare-const {symbol(f'fixed.{name}')} Expression)" for name in question.names),
        *(f"(declare-const {parameter_symbol(name)} Int)" for name in question.parameters),
        *(f"(assert (<= 0 {parameter_symbol(name)}))" for name in question.parameters),
        *(f"(assert {_condition(condition)})" for condition in question.conditions),
        *(f"(assert {_fixed(assumption)})" for assumption in question.assumptions),
    ]
    for law in question.laws:
        lines += [f"(assert {formula})" for formula in _law(law, sorted(question.primitive))]
    return "\n".join([*lines, f"(assert (not {_fixed(question.equation)}))", "(check-sat)", ""])


def _term(expression: Expression, identifier: Mapping[str, str], term: Callable[[Bound], str] = bound_term) -> str:
    def operation(name: str, operands: Sequence[str], bound: Bound | None) -> str:
        return f"({name} {' '.join([*operands, *([] if bound is None else [term(bound)])])})"

    return fold(expression, lambda name: identifier[name], operation)


def _fixed(equation: Equation) -> str:
    names = {n: symbol(f"fixed.{n}") for n in identifiers(equation.left) | identifiers(equation.right)}
    return f"(= {_term(equation.left, names)} {_term(equation.right, names)})"


def _condition(condition: Condition) -> str:
    return f"({condition.relation} {bound_term(condition.left)} {bound_term(condition.right)})"


def _law(law: EquationClaim, primitive: Sequence[str]) -> list[str]:
    """A law as a quantified equation; once per fixed event type where it is about an event type."""
    choices: list[dict[str, str]] = [{}]
    for name in law.primitive:
        choices = [{**chosen, name: symbol(f"fixed.{p}")} for chosen in choices for p in primitive]
    formulas = []
    for chosen in choices:
        free = [name for name in law.variables if name not in chosen]
        names = {**{name: symbol(f"any.{name}") for name in free}, **chosen}
        body = f"(= {_term(law.equation.left, names)} {_term(law.equation.right, names)})"
        variables = [f"({names[name]} Expression)" for name in free]
        variables += [f"({parameter_symbol(name)} Int)" for name in law.parameters]
        if variables:
            patterns = [_term(side, names) for side in _patterns(law)]
            hints = "".join(f" :pattern ({pattern})" for pattern in patterns)
            body = f"(forall ({' '.join(variables)}) {f'(! {body}{hints})' if hints else body})"
        formulas.append(body)
    return formulas


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


# ------------------------------------------------------------------------------------------------ finite algebras


def find_algebra(question: Question, solver: Solver, elements: int) -> FiniteAlgebra | None:
    """A finite algebra with the laws and the assumptions and without the equation; evaluated before it is returned."""
    bounds = max(1, len(question.parameters)) + 1
    answer = solver.check(_algebra_text(question, elements, bounds), rlimit=SEARCH_RLIMIT)
    if answer.status != "sat":
        return None
    table = {entry: int(answer.values.get(_cell(entry), 0)) for entry in entries(elements, bounds)}
    names = [*question.names, *question.parameters]
    values = {name: int(answer.values.get(f"value.{name}", 0)) for name in names}
    bare = FiniteAlgebra(elements, bounds, table, values, 0, 0)
    left, right = (bare.value(side, values) for side in (question.equation.left, question.equation.right))
    algebra = FiniteAlgebra(elements, bounds, table, values, left, right)
    return algebra if left != right and _is_model(algebra, question) else None


def _is_model(algebra: FiniteAlgebra, question: Question) -> bool:
    return (
        all(algebra.satisfies(law, question.primitive) for law in question.laws)
        and all(
            algebra.value(equation.left, algebra.values) == algebra.value(equation.right, algebra.values)
            for equation in question.assumptions
        )
        and all(holds(condition, algebra.values) for condition in question.conditions)
    )


def _cell(entry: Entry) -> str:
    name, arguments = entry
    return f"{name}.{'.'.join(map(str, arguments))}"


def _algebra_text(question: Question, elements: int, bounds: int) -> str:
    """The query whose models are the finite algebras: a constant per cell, and every law for every choice."""
    constants = {_cell(entry): elements for entry in entries(elements, bounds)}
    constants |= {f"value.{name}": elements for name in question.names}
    constants |= {f"value.{name}": bounds for name in question.parameters}
    lines = ["(set-logic QF_UFLIA)"]
    lines += [f"(declare-fun {name} (Int Int) Int)" for name in OPERATORS]
    for constant, size in constants.items():
        lines += [f"(declare-const |{constant}| Int)", f"(assert (<= 0 |{constant}| {size - 1}))"]
    for entry in entries(elements, bounds):
        name, arguments = entry
        lines.append(f"(assert (= ({name} {' '.join(map(str, arguments))}) |{_cell(entry)}|))")
    fixed = {name: f"|value.{name}|" for name in (*question.names, *question.parameters)}
    templates = [f"({c.relation} {_bound_template(c.left)} {_bound_template(c.right)})" for c in question.conditions]
    templates += [_template(assumption) for assumption in question.assumptions]
    templates.append(f"(not {_template(question.equation)})")
    conditions = [template.format_map(fixed) for template in templates]
    for law in question.laws:
        template = _template(law.equation)
        conditions += map(template.format_map, _choices(law, elements, bounds, question.primitive))
    lines += [f"(assert {condition})" for condition in conditions]
    return "\n".join([*lines, "(check-sat)", ""])


def _choices(law: EquationClaim, elements: int, bounds: int, primitive: frozenset[str]) -> Iterable[dict[str, str]]:
    if law.primitive:
        names = sorted(primitive)
        for chosen in assignments(law, elements, bounds, range(len(names))):
            yield {
                name: f"|value.{names[value]}|" if name in law.primitive else str(value)
                for name, value in chosen.items()
            }
    else:
        for chosen in assignments(law, elements, bounds, ()):
            yield {name: str(value) for name, value in chosen.items()}


def _template(equation: Equation) -> str:
    """An equation with places in braces for the values of its names."""
    names = {name: f"{{{name}}}" for name in identifiers(equation.left) | identifiers(equation.right)}
    left, right = (_term(side, names, _bound_template) for side in (equation.left, equation.right))
    return f"(= {left} {right})"


_bound_template = partial(bound_term, constant="{{{}}}".format)
"""A bound with places in braces for the values of its names."""
