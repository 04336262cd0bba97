"""Bounds that may be ∞: the temporal domain of Section 6, with A_∞ = A.

The source states the laws of Theorem 4.4 for bounds τ ∈ 𝒯 and then uses them with ∞. Here they are proved for 𝒯 ∪ {∞}.
"""

from __future__ import annotations

from collections.abc import Callable

from laws.carlson_lisper.claims import laws
from proofs.carlson_lisper.subject import Subject
from semantics.carlson_lisper.expressions import UNBOUNDED, BoundExtremum, BoundParameter
from smt.carlson_lisper.obligations import Writer, directions, equation_assertions
from smt.carlson_lisper.symbolic import SymbolicLogic, parameter_name
from smt.execution import ExecutionFailed, SymbolicTime, number
from smt.obligations import Obligation
from smt.smtlib import FALSE, TRUE, TimeSort, conjunction, disjunction, negation, symbol

CLAIM = "theorem:4.4.infinite"


class ExtendedTime(str):
    """A term for a time that may be ∞; `infinite` is the formula under which it is, the term then means nothing."""

    __slots__ = ("infinite",)
    infinite: str

    def __new__(cls, term: str, infinite: str = FALSE) -> ExtendedTime:
        """The time that a term denotes."""
        made = super().__new__(cls, term)
        made.infinite = infinite
        return made


def _infinite(time: str) -> str:
    return time.infinite if isinstance(time, ExtendedTime) else FALSE


class ExtendedLogic(SymbolicLogic):
    """The symbolic logic over times that may be ∞, which is after every other time."""

    def compare(self, relation: str, left: str, right: str) -> str:
        """The comparison of two times by `<`, `<=` or `=`."""
        finite = super().compare(relation, str(left), str(right))
        before, after = _infinite(left), _infinite(right)
        if relation == "<":
            return conjunction((negation(before), disjunction((after, finite))))
        if relation == "<=":
            return disjunction((after, conjunction((negation(before), finite))))
        return disjunction(
            (conjunction((before, after)), conjunction((negation(before), negation(after), finite)))
        )


def extended_term(value: object) -> ExtendedTime:
    """A time, a number or ∞ as a term: a symbolic one, an integer, or what is a term."""
    match value:
        case SymbolicTime():
            return ExtendedTime(value.term, value.infinite)
        case ExtendedTime():
            return value
        case int():
            return ExtendedTime(number(value))
        case str():
            return ExtendedTime(value)
    if value == UNBOUNDED:
        return ExtendedTime("0", TRUE)
    raise ExecutionFailed(f"{value!r} is no time")


def _parameter(name: str) -> ExtendedTime:
    """A bound t that may be ∞, under the flag `bound.t.infinite`."""
    return ExtendedTime(symbol(parameter_name(name)), symbol(f"{parameter_name(name)}.infinite"))


def extended_bound(bound: object, parameter: Callable[[str], ExtendedTime] = _parameter) -> ExtendedTime:
    """A bound as a term, given the terms of its parameters, which may be ∞."""
    match bound:
        case BoundParameter(name):
            return parameter(name)
        case BoundExtremum(function, first, second):
            left, right = extended_bound(first, parameter), extended_bound(second, parameter)
            smaller = ExtendedLogic().compare("<=", left, right)
            chosen = (left, right) if function == "min" else (right, left)
            infinite = f"(ite {smaller} {chosen[0].infinite} {chosen[1].infinite})"
            return ExtendedTime(f"(ite {smaller} {chosen[0]} {chosen[1]})", infinite)
        case known:
            return extended_term(known)


def obligations(time: TimeSort, subject: Subject) -> list[Obligation]:
    """Each law with symbolic bounds, for bounds that may be ∞."""
    found = []
    for law in laws():
        if not law.parameters:
            continue
        for direction in directions(law):
            writer = Writer(time, subject.operators, ExtendedLogic())
            for name in law.parameters:
                writer.declare(symbol(f"{parameter_name(name)}.infinite"), "Bool")
            assertions = equation_assertions(writer, law, direction, extended_bound)
            part = f"{law.id.replace(':', ' ')} {direction}"
            found.append(
                writer.obligation(CLAIM, part, f"{law.statement}, where a bound may be ∞", assertions)
            )
    return found
