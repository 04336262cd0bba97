"""Statements about arbitrary streams as queries: unsatisfiable means that the statement holds for all streams."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from laws.carlson_lisper.statements.algebra import Condition
from laws.carlson_lisper.statements.formula_syntax import Meaning, SetTerm, Statement
from laws.carlson_lisper.statements.formula_views import Reading, bound_names, stream_names
from semantics.carlson_lisper.expressions import Identifier, bound_parameters
from semantics.carlson_lisper.operators import OPERATORS, Operator
from semantics.carlson_lisper.restriction import primitive_conditions
from semantics.carlson_lisper.syntax import Equation
from semantics.formulas import Scope, interpret
from smt.carlson_lisper.symbolic import (
    AXIOMS,
    BASE_AXIOMS,
    INSTANCES,
    UNION_AXIOMS,
    PredicateStream,
    SymbolicLogic,
    bound_term,
    parameter_symbol,
    stream_symbol,
)
from smt.smtlib import LOGIC, SORT, TimeSort, conjunction, negation
from smt.solvers.solver import Answer, Solver

ATTEMPTS = ((BASE_AXIOMS, 50_000), ((*BASE_AXIOMS, *UNION_AXIOMS), 300_000), (BASE_AXIOMS, 500_000))
"""What is assumed of instances, and the budget, in the solver's units of work; one after the other."""


@dataclass(frozen=True)
class SameSet:
    """The claim that two sets have the same elements."""

    left: SetTerm
    right: SetTerm


Goal = Statement | SameSet


def same_meaning(equation: Equation) -> SameSet:
    """An equation between expressions as a claim about sets of instances."""
    return SameSet(Meaning(equation.left), Meaning(equation.right))


def query(
    goal: Goal,
    given: Sequence[Goal] = (),
    *,
    conditions: Iterable[Condition] = (),
    primitive: Iterable[str] = (),
    axioms: Sequence[str] = BASE_AXIOMS,
    time: TimeSort = "int",
    operators: Mapping[str, Operator] = OPERATORS,
) -> str:
    """The query that is unsatisfiable if and only if the goal follows for all streams.

    Args:
        primitive: the streams that are those of primitive event types.
        axioms: names of the assumptions about instances.
    """
    logic = SymbolicLogic()
    terms = [term for part in (goal, *given) for term in _parts(part)]
    conditions, primitive = tuple(conditions), sorted(primitive)
    streams = sorted(frozenset(primitive).union(*map(stream_names, terms)))
    bounds = frozenset[str]().union(*map(bound_names, terms))
    for condition in conditions:
        bounds |= bound_parameters(Identifier("A")[condition.left][condition.right])
    views = {name: PredicateStream(name, logic) for name in streams}
    reading: Reading[str, str, str] = Reading(logic, views, bound_term, operators)

    def truth(part: Goal) -> str:
        if isinstance(part, Statement):
            return reading.truth(part)
        return conjunction((reading.included(part.left, part.right), reading.included(part.right, part.left)))

    assumed = [f"(<= 0 {parameter_symbol(name)})" for name in sorted(bounds)]
    assumed += [f"({c.relation} {bound_term(c.left)} {bound_term(c.right)})" for c in conditions]
    assumed += [interpret(f, logic, Scope({}, views, {})) for f in primitive_conditions(primitive)]
    assumed += map(truth, given)
    return "\n".join(
        [
            f"(set-logic {LOGIC[time]})",
            *(line.replace("{time}", SORT[time]) for line in INSTANCES.declarations),
            *(f"(declare-fun {stream_symbol(name)} (Instance) Bool)" for name in streams),
            *(f"(declare-const {parameter_symbol(name)} {SORT[time]})" for name in sorted(bounds)),
            *(f"(assert {AXIOMS[name]})" for name in axioms),
            *(f"(assert {formula})" for formula in assumed),
            f"(assert {negation(truth(goal))})",
            "(check-sat)",
            "",
        ]
    )


def _parts(goal: Goal) -> tuple[Statement | SetTerm, ...]:
    return (goal,) if isinstance(goal, Statement) else (goal.left, goal.right)


def prove_goal(
    goal: Goal,
    solver: Solver,
    given: Sequence[Goal] = (),
    *,
    conditions: Iterable[Condition] = (),
    primitive: Iterable[str] = (),
    time: TimeSort = "int",
    attempts: Sequence[tuple[Sequence[str], int]] = ATTEMPTS,
) -> Answer:
    """The answer of the first attempt that proves the goal, otherwise of the last one.

    Args:
        primitive: the streams that are those of primitive event types.
        attempts: names of assumptions about instances, and a budget in the solver's units of work, for each attempt.
    """
    conditions, primitive = tuple(conditions), tuple(primitive)
    for axioms, rlimit in attempts:
        text = query(goal, given, conditions=conditions, primitive=primitive, axioms=axioms, time=time)
        answer = solver.check(text, rlimit=rlimit)
        if answer.status == "unsat":
            break
    return answer
