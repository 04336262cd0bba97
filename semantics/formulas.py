"""The small language in which the algebra is defined: formulas about the starts and ends of instances.

The operators (Def. 3.10), the restriction policy (Def. 3.12) and the relations built on them are written once, as
values of this module. Everything else interprets them: an interpretation is a `Logic`, and `interpret` the one fold.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Literal, Protocol, TypeVar


class _Comparable:
    """Terms compare with `<` and `<=`, and subtract, so that definitions read like the source's."""

    def __lt__(self, other: Term) -> Compare:
        return Compare("<", self, other)  # type: ignore[arg-type]  # every subclass is a Term

    def __le__(self, other: Term) -> Compare:
        return Compare("<=", self, other)  # type: ignore[arg-type]  # every subclass is a Term

    def __sub__(self, other: Term) -> Difference:
        return Difference(self, other)  # type: ignore[arg-type]  # every subclass is a Term


@dataclass(frozen=True)
class Start(_Comparable):
    """start(x), the time of the earliest occurrence of an instance (Def. 3.8)."""

    variable: str


@dataclass(frozen=True)
class End(_Comparable):
    """end(x), the time of the latest occurrence of an instance (Def. 3.8)."""

    variable: str


@dataclass(frozen=True)
class Parameter(_Comparable):
    """A time that is given from outside, such as the bound τ of a temporal restriction."""

    name: str


@dataclass(frozen=True)
class Difference(_Comparable):
    """The difference of two times, in ticks."""

    left: Term
    right: Term


Term = Start | End | Parameter | Difference


@dataclass(frozen=True)
class Compare:
    """An order relation, or equality, between two times."""

    relation: Literal["<", "<=", "="]
    left: Term
    right: Term


@dataclass(frozen=True)
class Same:
    """Two variables denote the same instance."""

    left: str
    right: str


@dataclass(frozen=True)
class In:
    """The instance is an element of the stream."""

    variable: str
    stream: str


@dataclass(frozen=True)
class And:
    """All of the parts hold; the empty conjunction is true."""

    parts: tuple[Formula, ...] = ()


@dataclass(frozen=True)
class Or:
    """At least one of the parts holds."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True)
class Not:
    """The body does not hold."""

    body: Formula


@dataclass(frozen=True)
class Exists:
    """Some instance of the stream satisfies the body."""

    variable: str
    stream: str
    body: Formula


@dataclass(frozen=True)
class ForAll:
    """Every instance of the stream satisfies the body."""

    variable: str
    stream: str
    body: Formula


Formula = Compare | Same | In | And | Or | Not | Exists | ForAll

TRUE = And()

RELATIONS: Mapping[str, Callable[[int, int], bool]] = {"<": operator.lt, "<=": operator.le, "=": operator.eq}
"""Comparisons of times as functions of numbers."""


def implies(premise: Formula, conclusion: Formula) -> Formula:
    """Material implication, expressed with `Or` and `Not`."""
    return Or((Not(premise), conclusion))


def parts_of(formula: Formula) -> tuple[Formula, ...]:
    """The formulas that a formula consists of directly."""
    match formula:
        case And(parts) | Or(parts):
            return parts
        case Not(body) | Exists(_, _, body) | ForAll(_, _, body):
            return (body,)
        case _:
            return ()


def with_parts(formula: Formula, parts: Iterable[Formula]) -> Formula:
    """The formula with others in the places of its parts."""
    match formula:
        case And() | Or():
            return type(formula)(tuple(parts))
        case Not() | Exists() | ForAll():
            (body,) = parts
            return replace(formula, body=body)
        case _:
            return formula


def subformulas(formula: Formula) -> Iterator[Formula]:
    """The formula and all that it consists of, from left to right."""
    yield formula
    for part in parts_of(formula):
        yield from subformulas(part)


def renamed(
    formula: Formula,
    *,
    streams: Mapping[str, str] = MappingProxyType({}),
    instances: Mapping[str, str] = MappingProxyType({}),
    times: Mapping[str, Term] = MappingProxyType({}),
) -> Formula:
    """The formula with other names for streams and free instances, and with terms in the place of parameters.

    The terms and the new names of instances are none over which the formula quantifies.
    """

    def term(given: Term) -> Term:
        match given:
            case Start(variable) | End(variable):
                return type(given)(instances.get(variable, variable))
            case Parameter(name):
                return times.get(name, given)
            case Difference(left, right):
                return Difference(term(left), term(right))

    def visit(part: Formula) -> Formula:
        match part:
            case Compare(relation, left, right):
                return Compare(relation, term(left), term(right))
            case Same(left_name, right_name):
                return Same(instances.get(left_name, left_name), instances.get(right_name, right_name))
            case In(variable, stream):
                return In(instances.get(variable, variable), streams.get(stream, stream))
            case Exists(variable, stream, body) | ForAll(variable, stream, body):
                return type(part)(variable, streams.get(stream, stream), visit(body))
            case _:
                return with_parts(part, map(visit, parts_of(part)))

    return visit(formula)


def quantified_streams(formula: Formula) -> frozenset[str]:
    """The streams over which a formula quantifies."""
    return frozenset(part.stream for part in subformulas(formula) if isinstance(part, Exists | ForAll))


TruthT = TypeVar("TruthT")
NumberT = TypeVar("NumberT")
ElementT = TypeVar("ElementT")


class StreamView(Protocol[TruthT, ElementT]):
    """Stream as a logic sees it: membership, and whether a body holds for some or for each of its instances."""

    def member(self, element: ElementT) -> TruthT: ...
    def some(self, body: Callable[[ElementT], TruthT]) -> TruthT: ...
    def each(self, body: Callable[[ElementT], TruthT]) -> TruthT: ...


class Truths(Protocol[TruthT, NumberT]):
    """A domain of truth values, and one of times; conjunction and disjunction may consume their parts lazily."""

    def subtract(self, left: NumberT, right: NumberT) -> NumberT: ...
    def compare(self, relation: str, left: NumberT, right: NumberT) -> TruthT: ...
    def every(self, parts: Iterable[TruthT]) -> TruthT: ...
    def either(self, parts: Iterable[TruthT]) -> TruthT: ...
    def negate(self, part: TruthT) -> TruthT: ...


class Logic(Truths[TruthT, NumberT], Protocol[TruthT, NumberT, ElementT]):
    """Interpretation of formulas: truth values, times and instances, which can be joined and are the same or not."""

    def start(self, element: ElementT) -> NumberT: ...
    def end(self, element: ElementT) -> NumberT: ...
    def join(self, left: ElementT, right: ElementT) -> ElementT: ...
    def same(self, left: ElementT, right: ElementT) -> TruthT: ...


@dataclass(frozen=True)
class Scope:
    """Scope of a formula: instances, streams and times of the interpretation at hand."""

    elements: Mapping[str, Any]
    streams: Mapping[str, Any]
    parameters: Mapping[str, Any]

    def bind(self, variable: str, element: object) -> Scope:
        """The same scope with one more instance variable."""
        return Scope({**self.elements, variable: element}, self.streams, self.parameters)


def evaluate_term(term: Term, logic: Logic[TruthT, NumberT, ElementT], scope: Scope) -> NumberT:
    """The time that a term denotes in a logic."""
    match term:
        case Start(variable):
            return logic.start(scope.elements[variable])
        case End(variable):
            return logic.end(scope.elements[variable])
        case Parameter(name):
            return scope.parameters[name]  # type: ignore[no-any-return]  # a scope holds its logic's numbers
        case Difference(left, right):
            return logic.subtract(evaluate_term(left, logic, scope), evaluate_term(right, logic, scope))


def interpret(formula: Formula, logic: Logic[TruthT, NumberT, ElementT], scope: Scope) -> TruthT:
    """The truth value of a formula in a logic; KeyError where it mentions what the scope does not have."""
    match formula:
        case Compare(relation, left, right):
            return logic.compare(relation, evaluate_term(left, logic, scope), evaluate_term(right, logic, scope))
        case Same(left_name, right_name):
            return logic.same(scope.elements[left_name], scope.elements[right_name])
        case In(variable, stream):
            return scope.streams[stream].member(scope.elements[variable])  # type: ignore[no-any-return]
        case And(parts):
            return logic.every(interpret(part, logic, scope) for part in parts)
        case Or(parts):
            return logic.either(interpret(part, logic, scope) for part in parts)
        case Not(body):
            return logic.negate(interpret(body, logic, scope))
        case Exists(variable, stream, body) | ForAll(variable, stream, body):
            view = scope.streams[stream]
            quantifier: Callable[[Callable[[ElementT], TruthT]], TruthT]
            quantifier = view.some if isinstance(formula, Exists) else view.each
            return quantifier(lambda element: interpret(body, logic, scope.bind(variable, element)))
