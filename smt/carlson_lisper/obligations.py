"""Claims as obligations in the theory of instances: arbitrary streams of arbitrary instances, as SMT-LIB 2 text.

`Instance` is an uninterpreted sort with functions start, end and join; a stream is a predicate on it. Nothing bounds
the number of instances, the length of a trace or what instances are made of, so an obligation that is unsatisfiable
here is a proof for all event streams.
"""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from laws.carlson_lisper.claims import Claim, EquationClaim, RestrictionClaim
from semantics.carlson_lisper.expressions import Bound, BoundExtremum, BoundParameter, Expression, fold
from semantics.carlson_lisper.operators import OPERATORS, Operator, operator_stream
from semantics.carlson_lisper.restriction import HALVES, REM, primitive_conditions
from semantics.formulas import Formula, Scope, StreamView, interpret
from smt.obligations import Obligation, Theory
from smt.smtlib import LOGIC, SORT, TRUE, TimeSort, conjunction, disjunction, negation, parse_all, symbol, written

_WRITTEN = tomllib.loads(Path(__file__).with_name("theory.toml").read_text("utf-8"))

AXIOMS: dict[str, str] = _WRITTEN["axioms"]
"""Axioms about instances, by name: Def. 3.8 for unions of sets (Def. 3.7), and the laws of set union."""

BASE_AXIOMS = ("interval", "join-start", "join-end")
UNION_AXIOMS = ("join-commutative", "join-associative", "join-idempotent")

INSTANCES = Theory(tuple(_WRITTEN["declarations"]), AXIOMS)
"""The theory in which the claims about this algebra are stated."""


def stream_symbol(name: str) -> str:
    """The predicate of a stream.

    A capital letter, primed or not, stands for itself. Any other name is set apart: it might be that of a variable
    (`x1`), of a function on instances (`start`) or a reserved word (`let`). What no symbol can hold is written by its
    number.
    """
    alone = name[0].isascii() and name[0].isupper() and set(name[1:]) <= {"'"}
    return symbol(name if alone else f"stream.{_IN_NO_SYMBOL.sub(lambda sign: f'%{ord(sign[0]):x}%', name)}")


_IN_NO_SYMBOL = re.compile(r"[|\\%]|[^ -~]")
"""Characters that a symbol of SMT-LIB may not have between its bars, with their replacements."""


def right_nested(left: str, right: str) -> str:
    """The union of two instances that are terms, with no union on the left of another one."""
    if not left.startswith("(join "):
        return f"(join {left} {right})"
    (term,) = parse_all(left)
    assert isinstance(term, tuple)
    _, first, rest = term
    return right_nested(written(first), right_nested(written(rest), right))


class SymbolicLogic:
    """The logic whose truth values, times and instances are SMT-LIB terms."""

    def __init__(self) -> None:
        self._numbers: dict[str, Iterator[int]] = {}

    def fresh(self, hint: str) -> str:
        """A variable name that has not been used, made from a hint."""
        number = next(self._numbers.setdefault(hint, count(1)))
        return f"{hint}{number}"

    def start(self, element: str) -> str:
        return f"(start {element})"

    def end(self, element: str) -> str:
        return f"(end {element})"

    def join(self, left: str, right: str) -> str:
        """The union of two instances; unions of unions are written from the right, as they are associative."""
        return right_nested(left, right)

    def subtract(self, left: str, right: str) -> str:
        return f"(- {left} {right})"

    def compare(self, relation: str, left: str, right: str) -> str:
        return f"({relation} {left} {right})"

    def same(self, left: str, right: str) -> str:
        return TRUE if left == right else f"(= {left} {right})"

    def every(self, parts: Iterable[str]) -> str:
        return conjunction(parts)

    def either(self, parts: Iterable[str]) -> str:
        return disjunction(parts)

    def negate(self, part: str) -> str:
        return negation(part)


@dataclass(frozen=True)
class PredicateStream:
    """An arbitrary stream, as an uninterpreted predicate."""

    name: str
    logic: SymbolicLogic

    def member(self, element: str) -> str:
        return f"({stream_symbol(self.name)} {element})"

    def some(self, body: Callable[[str], str]) -> str:
        return self._quantified("exists", body)

    def each(self, body: Callable[[str], str]) -> str:
        return self._quantified("forall", body)

    def _quantified(self, quantifier: str, body: Callable[[str], str]) -> str:
        variable = self.logic.fresh(_variable_hint(self.name))
        inner = body(variable)
        if quantifier == "exists":
            return f"(exists (({variable} Instance)) {conjunction((self.member(variable), inner))})"
        return f"(forall (({variable} Instance)) (=> {self.member(variable)} {inner}))"


def _variable_hint(name: str) -> str:
    letters = "".join(letter for letter in name.lower() if letter.isascii() and letter.isalpha())
    return letters[:1] or "x"


def parameter_symbol(name: str) -> str:
    """The symbol of the constant for a symbolic bound."""
    return symbol(parameter_name(name))


def bound_term(bound: Bound, constant: Callable[[str], str] = parameter_symbol) -> str:
    """A bound as a term over its symbolic parameters, given how these are written."""
    match bound:
        case int():
            return str(bound)
        case BoundParameter(name):
            return constant(name)
        case BoundExtremum(function, left, right):
            first, second = bound_term(left, constant), bound_term(right, constant)
            smaller = f"(<= {first} {second})"
            chosen = (first, second) if function == "min" else (second, first)
            return f"(ite {smaller} {chosen[0]} {chosen[1]})"


def parameter_name(name: str) -> str:
    """The constant for a symbolic bound; prefixed, so that it cannot clash with a stream."""
    return f"bound.{name}"


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
    """The obligation for one part of a claim, one of `directions(claim)`."""
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
        logic, declared, time = logic or LOGIC[self.time], tuple(self.declarations), self.time
        return Obligation(
            f"{claim}/{direction}", claim, direction, heading, INSTANCES, tuple(axioms), time, logic, declared, kept
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
    if claim.equation.relation in HALVES:
        goal = writer.formula(HALVES[claim.equation.relation], {"S": inner, "T": outer})
    else:
        goal = inner.each(outer.member)
    return [*assumptions, negation(goal)]


def _restriction(writer: Writer, claim: RestrictionClaim, direction: str) -> list[str]:
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
