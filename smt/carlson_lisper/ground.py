"""Conjectures about event types alone, decided completely: by interval languages instead of a solver."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product

from laws.carlson_lisper.checks.counterexamples import Counterexample, replay
from laws.carlson_lisper.checks.dense_time import in_dense_time, in_parts, tells_dense_time
from laws.carlson_lisper.checks.suggestions import suggested_counterexample
from laws.carlson_lisper.claims import EquationClaim
from semantics.carlson_lisper.decisions import Undecided, decide_equation
from semantics.carlson_lisper.expressions import Identifier, fold, with_bounds
from semantics.carlson_lisper.occurrences import Occurrence
from semantics.carlson_lisper.operators import OPERATORS, Operator
from semantics.carlson_lisper.syntax import Equation
from semantics.errors import LimitExceeded
from smt.carlson_lisper.symbolic import INSTANCES
from smt.obligations import Obligation
from smt.smtlib import TimeSort

SMALL_BOUNDS = (0, 1, 2, 4)
"""The values of symbolic bounds that are tried, in ticks."""

MAX_INSTANCES = 16
"""How many choices of them are tried."""

ENGINE = "interval languages"

STEPS = 500_000
"""The work that a decision may cost, in transitions of automata; about three seconds."""

INSTANCE_STEPS = 50_000
"""The work that the decision on one of several instances of a claim may cost."""

MOST_PARTS = 12
"""Into how many parts a tick is divided at the most, in dense time."""


@dataclass(frozen=True)
class GroundDecision:
    """A decision on an equation between ground expressions, for all traces.

    Attributes:
        obligation: the question, in place of a query to a solver.
    """

    obligation: Obligation
    holds: bool
    counterexample: Counterexample | None
    states: int
    seconds: float
    words: str


def decide_ground(claim: EquationClaim, operators: Mapping[str, Operator] = OPERATORS) -> GroundDecision | None:
    """The decision, over integer time; None where the claim is not about event types alone, or is too large."""
    if claim.primitive != frozenset(claim.variables) or claim.parameters:
        return None
    return _decide(claim, {}, operators, STEPS)


def ground_counterexample(claim: EquationClaim, operators: Mapping[str, Operator] = OPERATORS) -> Counterexample | None:
    """A counterexample in which every identifier is an event type, with small bounds, of however many occurrences.

    A claim about all expressions is one about event types too, so what fails for them fails.
    """
    for values in islice(product(SMALL_BOUNDS, repeat=len(claim.parameters)), MAX_INSTANCES):
        bounds = dict(zip(claim.parameters, values, strict=True))
        decided = _decide(claim, bounds, operators, INSTANCE_STEPS)
        if decided is None:
            return None
        if decided.counterexample is not None:
            return decided.counterexample
    return None


def larger_counterexample(
    claim: EquationClaim, operators: Mapping[str, Operator] = OPERATORS, time: TimeSort = "int"
) -> Counterexample | None:
    """A counterexample of any size, in dense time also with times in parts of a tick; it need not be the smallest.

    First all identifiers are event types and automata decide; then traces are tried that the claim itself suggests.
    """
    divisions = [1]
    if time == "real" and tells_dense_time(claim, operators):
        divisions.append(min(MOST_PARTS, max(2, _longest_side(claim) - 1)))
    for parts in divisions:
        scaled = in_parts(claim, parts)
        found = ground_counterexample(scaled, operators) or suggested_counterexample(scaled, operators)
        if found is not None:
            return in_dense_time(claim, found, parts, operators)
    return None


def _longest_side(claim: EquationClaim) -> int:
    """How many identifiers the longer side of an equation mentions, each as often as it is mentioned."""
    sides = (claim.equation.left, claim.equation.right)
    return max(fold(side, lambda _: 1, lambda _, operands, __: sum(operands)) for side in sides)


def _decide(
    claim: EquationClaim, bounds: Mapping[str, int], operators: Mapping[str, Operator], steps: int
) -> GroundDecision | None:
    """The decision on an instance of a claim: identifiers as event types, and given bounds."""
    begin = time.perf_counter()
    equation = Equation(
        with_bounds(claim.equation.left, bounds), with_bounds(claim.equation.right, bounds), claim.equation.relation
    )
    try:
        decision = decide_equation(equation, operators=operators, steps=steps)
    except (Undecided, LimitExceeded, ValueError):  # too large, or an altered definition without languages
        return None
    found = None if decision.witness is None else _replayed(claim, bounds, decision.witness.trace, operators)
    heading = (f"{claim.id}: {claim.statement}", f"decided by {ENGINE}, for all traces")
    asked = Obligation(f"{claim.id}/all traces", claim.id, "all traces", heading, INSTANCES, (), "int", "ALL", (), ())
    seconds = time.perf_counter() - begin
    words = f"decided for all traces by automata with {sum(decision.states)} states"
    return GroundDecision(asked, decision.holds, found, sum(decision.states), seconds, words)


def _replayed(
    claim: EquationClaim, bounds: Mapping[str, int], trace: Sequence[Occurrence], operators: Mapping[str, Operator]
) -> Counterexample | None:
    types = {name: Identifier(name) for name in claim.variables}
    return replay(claim, types, bounds, trace, operators)
