"""Claims as obligations in the theory of instances."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from laws.carlson_lisper.claims import Claim, EquationClaim, RestrictionClaim
from semantics.carlson_lisper.expressions import Bound, Expression, fold
from semantics.carlson_lisper.operators import OPERATORS, Operator, operator_stream
from semantics.carlson_lisper.restriction import DOMINATED, REM, primitive_conditions
from semantics.formulas import Formula, Scope, StreamView, interpret
from smt.carlson_lisper.symbolic import (
    BASE_AXIOMS,
    INSTANCES,
    PredicateStream,
    SymbolicLogic,
    bound_term,
    parameter_symbol,
    stream_symbol,
)
from smt.obligations import Obligation
from smt.smtlib import LOGIC, SORT, TRUE, TimeSort, negation


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
        direction: one of `directions(claim)`.
    """
    writer = Writer(time, operators)
    match claim:
        case EquationClaim():
            assertions = equation_assertions(writer, claim, direction)
        case RestrictionClaim():
            assertions = _restriction(writer, claim, direction)
    return writer.obligation(claim.id, direction, claim.statement, assertions, axioms)


class Writer:
    """Collects the declarations that an obligation needs while its formulas are written."""

    def __init__(
        self, time: TimeSort = "int", operators: Mapping[str, Operator] = OPERATORS, logic: SymbolicLogic | None = None
    ) -> None:
        self.logic = logic or SymbolicLogic()
        self.time: TimeSort = time
        self.operators = operators
        self.declarations: list[str] = []

    def obligation(
        self,
        claim: str,
        direction: str,
        statement: str,
        assertions: Iterable[str],
        axioms: Sequence[str] = BASE_AXIOMS,
        logic: str = "",
    ) -> Obligation:
        """The obligation with what has been declared; the last of the assertions denies the conclusion.

        The logic is that of uninterpreted functions and linear times, unless another one is given.
        """
        heading = (f"{claim} {direction}: {statement}", "unsatisfiable: the claim holds for all event streams")
        kept = tuple(assertion for assertion in assertions if assertion != TRUE)
        return Obligation(
            f"{claim}/{direction}",
            claim,
            direction,
            heading,
            INSTANCES,
            tuple(axioms),
            self.time,
            logic or LOGIC[self.time],
            tuple(self.declarations),
            kept,
        )

    def stream(self, name: str) -> PredicateStream:
        """Declare an arbitrary stream."""
        self.declarations.append(f"(declare-fun {stream_symbol(name)} (Instance) Bool)")
        return PredicateStream(name, self.logic)

    def declare(self, name: str, sort: str) -> str:
        """Declare a constant: an arbitrary instance, time or truth value."""
        self.declarations.append(f"(declare-const {name} {sort})")
        return name

    def parameter(self, name: str) -> str:
        """Declare a bound: an arbitrary time."""
        constant = parameter_symbol(name)
        self.declarations.append(f"(declare-const {constant} {SORT[self.time]})")
        return constant

    def apply(self, name: str, operands: Sequence[StreamView[str, str]], bound: str | None) -> StreamView[str, str]:
        """An operator on streams."""
        return operator_stream(self.operators[name], self.logic, operands, bound)

    def denote(
        self,
        expression: Expression,
        streams: Mapping[str, StreamView[str, str]],
        term: Callable[[Bound], str] = bound_term,
    ) -> StreamView[str, str]:
        """The meaning of an expression, given how its bounds are written."""

        def operation(name: str, operands: Sequence[StreamView[str, str]], bound: Bound | None) -> StreamView[str, str]:
            return self.apply(name, operands, None if bound is None else term(bound))

        return fold(expression, lambda name: streams[name], operation)

    def formula(
        self,
        formula: Formula,
        streams: Mapping[str, object],
        times: Mapping[str, str] | None = None,
        instances: Mapping[str, str] | None = None,
    ) -> str:
        """A formula over named streams, times and instances."""
        return interpret(formula, self.logic, Scope(instances or {}, streams, times or {}))


def premises(writer: Writer, claim: EquationClaim) -> tuple[dict[str, StreamView[str, str]], list[str]]:
    """The arbitrary streams of an equation, and what is assumed of them and of its bounds."""
    streams: dict[str, StreamView[str, str]] = {name: writer.stream(name) for name in claim.variables}
    constants = [writer.parameter(name) for name in claim.parameters]
    assumptions = [f"(<= 0 {constant})" for constant in constants]
    assumptions += [writer.formula(c, streams) for c in primitive_conditions(sorted(claim.primitive))]
    return streams, assumptions


def equation_assertions(
    writer: Writer,
    claim: EquationClaim,
    direction: str,
    term: Callable[[Bound], str] = bound_term,
    lemmas: Callable[[Mapping[str, StreamView[str, str]]], Iterable[str]] = lambda _: (),
) -> list[str]:
    """The assertions for one inclusion of an equation, given what is known of its streams besides."""
    streams, assumptions = premises(writer, claim)
    assumptions += lemmas(streams)
    sides = [claim.equation.left, claim.equation.right]
    smaller, greater = sides if direction == "⊆" else reversed(sides)
    inner, outer = writer.denote(smaller, streams, term), writer.denote(greater, streams, term)
    if claim.equation.relation == "~=":
        goal = writer.formula(DOMINATED, {"S": inner, "T": outer})
    else:
        goal = inner.each(outer.member)
    return [*assumptions, negation(goal)]


def _restriction(writer: Writer, claim: RestrictionClaim, direction: str) -> list[str]:
    """The assertions for one conclusion about restricted streams."""
    streams: dict[str, StreamView[str, str]] = {name: writer.stream(name) for name in claim.streams}
    bound = writer.parameter("t") if claim.parameters else None
    assumptions = [] if bound is None else [f"(<= 0 {bound})"]
    for name, derived in claim.derived.items():
        operands = [streams[operand] for operand in derived.operands]
        takes_bound = writer.operators[derived.operator].bounded
        streams[name] = writer.apply(derived.operator, operands, bound if takes_bound else None)
    for stream, restricted in claim.restrictions:
        scope = {"S": streams[stream], "S'": streams[restricted]}
        assumptions += [writer.formula(condition, scope) for condition in REM.conditions]
    goal = writer.formula(dict(claim.conclusions)[direction], streams)
    return [*assumptions, negation(goal)]
