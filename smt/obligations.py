"""Claims as obligations: SMT-LIB 2 texts whose unsatisfiability proves a claim for all event streams.

An obligation states the theory of instances, declares the arbitrary streams, asserts what is assumed and asserts that
the conclusion fails for some instance. A claim is proved when all of its obligations are unsatisfiable.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from laws.claims import Claim, EquationClaim, RestrictionClaim
from semantics.expressions import Bound, Expression, fold
from semantics.formulas import Formula, Scope, StreamView, interpret
from semantics.operators import BOUND_NAME, OPERATORS, Operator, OperatorStream
from semantics.restriction import DOMINATED, REM, primitive_conditions
from smt.smtlib import (
    AXIOMS,
    SORT,
    PredicateStream,
    SymbolicLogic,
    TimeSort,
    bound_term,
    negation,
    parameter_name,
    stream_symbol,
    symbol,
)

BASE_AXIOMS = ("interval", "join-start", "join-end")
UNION_AXIOMS = ("join-commutative", "join-associative", "join-idempotent")


@dataclass(frozen=True)
class Obligation:
    """One query; unsatisfiable means that this part of the claim holds for all event streams.

    Attributes:
        id: the claim's id with the direction, such as `law:14/⊆`.
        claim: the claim's id.
        direction: which part of the claim it is.
        axioms: the names of the assumptions about instances (`smt.smtlib.AXIOMS`).
        time: the sort of time.
        text: the SMT-LIB 2 text, up to and including `(check-sat)`.
    """

    id: str
    claim: str
    direction: str
    axioms: tuple[str, ...]
    time: TimeSort
    text: str

    @property
    def sha256(self) -> str:
        """The hash of the text."""
        return hashlib.sha256(self.text.encode()).hexdigest()


def directions(claim: Claim) -> tuple[str, ...]:
    """The parts of a claim, each an obligation of its own."""
    match claim:
        case EquationClaim():
            return ("⊆",) if claim.equation.relation == "<=" else ("⊆", "⊇")
        case RestrictionClaim():
            return tuple(name for name, _ in claim.conclusions)


def obligation(
    claim: Claim,
    direction: str,
    *,
    axioms: Sequence[str] = BASE_AXIOMS,
    time: TimeSort = "int",
    operators: Mapping[str, Operator] = OPERATORS,
) -> Obligation:
    """The obligation for one part of a claim.

    Args:
        claim: the claim.
        direction: one of `directions(claim)`.
        axioms: names of assumptions about instances.
        time: integer or dense time.
        operators: the definitions of the operators.
    """
    writer = _Writer(time, operators)
    match claim:
        case EquationClaim():
            assertions = writer.equation(claim, direction)
        case RestrictionClaim():
            assertions = writer.restriction(claim, direction)
    header = [
        f"; {claim.id} {direction}: {claim.statement}",
        "; unsatisfiable: the claim holds for all event streams",
        f"(set-logic {'UFLIA' if time == 'int' else 'UFLRA'})",
        "(declare-sort Instance 0)",
        f"(declare-fun start (Instance) {SORT[time]})",
        f"(declare-fun end (Instance) {SORT[time]})",
        "(declare-fun join (Instance Instance) Instance)",
    ]
    body = [f"(assert {AXIOMS[name]})" for name in axioms]
    text = "\n".join([*header, *writer.declarations, *body, *assertions, "(check-sat)", ""])
    return Obligation(f"{claim.id}/{direction}", claim.id, direction, tuple(axioms), time, text)


class _Writer:
    """Collects the declarations that an obligation needs while its formulas are written."""

    def __init__(self, time: TimeSort, operators: Mapping[str, Operator]) -> None:
        self.logic = SymbolicLogic()
        self.time = time
        self.operators = operators
        self.declarations: list[str] = []

    def stream(self, name: str) -> PredicateStream:
        """Declare an arbitrary stream."""
        self.declarations.append(f"(declare-fun {stream_symbol(name)} (Instance) Bool)")
        return PredicateStream(name, self.logic)

    def parameter(self, name: str) -> str:
        """Declare a bound: an arbitrary time."""
        constant = symbol(parameter_name(name))
        self.declarations.append(f"(declare-const {constant} {SORT[self.time]})")
        return constant

    def apply(
        self, name: str, operands: Sequence[StreamView[str, str]], bound: str | None
    ) -> StreamView[str, str]:
        """An operator on streams."""
        return OperatorStream(self.operators[name], self.logic, tuple(operands), bound)

    def denote(
        self, expression: Expression, streams: Mapping[str, StreamView[str, str]]
    ) -> StreamView[str, str]:
        """The meaning of an expression."""

        def operation(
            name: str, operands: Sequence[StreamView[str, str]], bound: Bound | None
        ) -> StreamView[str, str]:
            return self.apply(name, operands, None if bound is None else bound_term(bound))

        return fold(expression, lambda name: streams[name], operation)

    def formula(self, formula: Formula, streams: Mapping[str, object], bound: str | None = None) -> str:
        """A formula over named streams."""
        return interpret(
            formula, self.logic, Scope({}, streams, {} if bound is None else {BOUND_NAME: bound})
        )

    def equation(self, claim: EquationClaim, direction: str) -> list[str]:
        """The assertions for one inclusion of an equation."""
        streams: dict[str, StreamView[str, str]] = {name: self.stream(name) for name in claim.variables}
        constants = [self.parameter(name) for name in claim.parameters]
        assumptions = [f"(<= 0 {constant})" for constant in constants]
        assumptions += [
            self.formula(condition, streams) for condition in primitive_conditions(sorted(claim.primitive))
        ]
        sides = [claim.equation.left, claim.equation.right]
        smaller, greater = sides if direction == "⊆" else reversed(sides)
        inner, outer = self.denote(smaller, streams), self.denote(greater, streams)
        if claim.equation.relation == "~=":
            goal = self.formula(DOMINATED, {"S": inner, "T": outer})
        else:
            goal = inner.each(outer.member)
        return [f"(assert {formula})" for formula in (*assumptions, negation(goal))]

    def restriction(self, claim: RestrictionClaim, direction: str) -> list[str]:
        """The assertions for one conclusion about restricted streams."""
        streams: dict[str, StreamView[str, str]] = {name: self.stream(name) for name in claim.streams}
        bound = self.parameter("t") if claim.uses_bound else None
        assumptions = [] if bound is None else [f"(<= 0 {bound})"]
        for name, derived in claim.derived.items():
            operands = [streams[operand] for operand in derived.operands]
            takes_bound = self.operators[derived.operator].bounded
            streams[name] = self.apply(derived.operator, operands, bound if takes_bound else None)
        for stream, restricted in claim.restrictions:
            scope = {"S": streams[stream], "S'": streams[restricted]}
            assumptions += [self.formula(condition, scope) for condition in REM.conditions]
        goal = self.formula(dict(claim.conclusions)[direction], streams)
        return [f"(assert {formula})" for formula in (*assumptions, negation(goal))]
