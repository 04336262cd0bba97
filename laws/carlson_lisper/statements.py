"""Statements about streams: their text, close to how the source prints them, and their meaning in any logic.

    {a ∪ c | a ∈ ⟦A⟧ ∧ c ∈ ⟦C⟧ ∧ end(a) < start(c)}        a set of instances; ⟦…⟧ holds an expression of ours
    {e = a ∪ b | a ∈ A ∧ b ∈ B ∧ empty(C, start(e), end(e))}   the union has a name of its own
    dis(S, T)   con(S, T)   neg(S, T)   seq(S, T)   tim(S, t)   ⟦A⟧ ∪ ⟦B⟧   ∅
    ∀ s ∈ S ∃ s' ∈ S' (start(s) ≤ start(s') ∧ end(s) = end(s'))
    rem(S, T)   T ≅ T'   valid(e, S, t)   s = s'   ¬ ∧ ∨ ⇒

A bare name in the place of a time is a bound: `t`, `min(t, u)` or a number of ticks; names of streams are capitals.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Generic, TypeAlias, TypeVar

from lark import Lark, Token
from lark.exceptions import UnexpectedInput, VisitError
from lark.visitors import Transformer, v_args

from semantics import formulas
from semantics.carlson_lisper.denotation import FINITE_LOGIC, FiniteStream
from semantics.carlson_lisper.expressions import Bound, BoundValues, Expression, Operation, evaluate_bound, fold
from semantics.carlson_lisper.occurrences import Instance, Streams
from semantics.carlson_lisper.operators import OPERATORS, ComprehensionStream, Operators, UnionStream, operator_stream
from semantics.carlson_lisper.restriction import REM, SAME_INTERVALS, VALID_INSTANCE
from semantics.carlson_lisper.syntax import parse_schema
from semantics.errors import InputError
from semantics.formulas import Formula, Term
from semantics.grammars import parser_of

TruthT = TypeVar("TruthT")
NumberT = TypeVar("NumberT")
ElementT = TypeVar("ElementT")


@dataclass(frozen=True)
class Named:
    """An arbitrary stream."""

    name: str


@dataclass(frozen=True)
class Meaning:
    """The meaning of an expression whose identifiers name streams."""

    expression: Expression


@dataclass(frozen=True)
class Applied:
    """An operator's function on sets (Def. 3.10)."""

    operator: str
    operands: tuple[SetTerm, ...]
    bound: Bound | None = None


@dataclass(frozen=True)
class Union:
    """The union of sets of instances."""

    parts: tuple[SetTerm, ...]


@dataclass(frozen=True)
class Builder:
    """A set { result | variable ∈ set for each range, condition }.

    The result is the union of some variables, which the condition mentions under the `name`, if there is one; `sets`
    says what the condition's stream names stand for.
    """

    name: str
    result: tuple[str, ...]
    ranges: tuple[tuple[str, SetTerm], ...]
    condition: Formula
    sets: Mapping[str, SetTerm] = field(hash=False)


SetTerm: TypeAlias = Named | Meaning | Applied | Union | Builder


@dataclass(frozen=True)
class Statement:
    """A formula and what its stream names stand for."""

    formula: Formula
    sets: Mapping[str, SetTerm]
    text: str


@dataclass(frozen=True)
class SameSet:
    """The claim that two sets have the same elements."""

    left: SetTerm
    right: SetTerm


Goal: TypeAlias = Statement | SameSet


def parse_bound(text: str) -> Bound:
    """Read a bound: a number of ticks, a symbolic bound, or the `min` or `max` of two."""
    expression = parse_schema(f"A[{text}]")
    assert isinstance(expression, Operation) and expression.bound is not None
    return expression.bound


@v_args(inline=True)
class _Reader(Transformer[Token, Any]):
    """Builds formulas; sets get names of their own, under which formulas mention them."""

    def __init__(self) -> None:
        super().__init__(visit_tokens=False)
        self.sets: dict[str, SetTerm] = {}

    def _named(self, term: SetTerm) -> str:
        known = [name for name, other in self.sets.items() if other == term] or [f"#{len(self.sets)}"]
        name = term.name if isinstance(term, Named) else known[0]
        self.sets[name] = term
        return name

    def implication(self, premise: Formula, conclusion: Formula) -> Formula:
        return formulas.implies(premise, conclusion)

    def either(self, *parts: Formula) -> Formula:
        return formulas.Or(parts)

    def every(self, *parts: Formula) -> Formula:
        return formulas.And(parts)

    def negation(self, body: Formula) -> Formula:
        return formulas.Not(body)

    def each(self, name: Token, term: SetTerm, body: Formula) -> Formula:
        return formulas.ForAll(str(name), self._named(term), body)

    def some(self, name: Token, term: SetTerm, body: Formula) -> Formula:
        return formulas.Exists(str(name), self._named(term), body)

    def member(self, name: Token, term: SetTerm) -> Formula:
        return formulas.In(str(name), self._named(term))

    def comparison(self, left: Term, relation: Token, right: Term) -> Formula:
        if isinstance(left, formulas.Parameter) and isinstance(right, formulas.Parameter) and relation == "=":
            return formulas.Same(left.name, right.name)
        if relation == "≠":
            return formulas.Not(formulas.Compare("=", left, right))
        if relation in (">", "≥"):
            left, right = right, left
        order = {">": "<", "≥": "<=", "≤": "<="}.get(str(relation), str(relation))
        return formulas.Compare(order, left, right)  # type: ignore[arg-type]  # one of its three words

    def restricts(self, stream: SetTerm, restricted: SetTerm) -> Formula:
        return self._related(REM.conditions, {"S": stream, "S'": restricted})

    def same_intervals(self, left: SetTerm, right: SetTerm) -> Formula:
        return self._related(SAME_INTERVALS.conditions, {"S": left, "T": right})

    def _related(self, conditions: tuple[Formula, ...], sets: Mapping[str, SetTerm]) -> Formula:
        names = {name: self._named(term) for name, term in sets.items()}
        return formulas.And(tuple(formulas.renamed(condition, streams=names) for condition in conditions))

    def valid(self, name: Token, term: SetTerm, time: Term) -> Formula:
        if not isinstance(time, formulas.Parameter):
            raise InputError("valid takes a bound as its time")
        streams = {"S": self._named(term)}
        return formulas.renamed(VALID_INSTANCE, streams=streams, instances={"e": str(name)}, times={"τ": time})

    def empty(self, term: SetTerm, first: Term, last: Term) -> Formula:
        start, end = formulas.Start("within"), formulas.End("within")
        within = formulas.And((formulas.Compare("<=", first, start), formulas.Compare("<=", end, last)))
        return formulas.Not(formulas.Exists("within", self._named(term), within))

    def start(self, name: Token) -> Term:
        return formulas.Start(str(name))

    def end(self, name: Token) -> Term:
        return formulas.End(str(name))

    def parameter(self, text: Token) -> Term:
        return formulas.Parameter(_time_name(text))

    def difference(self, left: Term, right: Term) -> Term:
        return formulas.Difference(left, right)

    def meaning(self, text: Token) -> SetTerm:
        return Meaning(parse_schema(str(text)[1:-1]))

    def stream(self, name: Token) -> SetTerm:
        return Named(str(name))

    def applied(self, operator: Token, left: SetTerm, right: SetTerm) -> SetTerm:
        return Applied(str(operator), (left, right))

    def restricted(self, term: SetTerm, bound: Token) -> SetTerm:
        return Applied("tim", (term,), parse_bound(_time_name(bound)))

    def union(self, *parts: SetTerm) -> SetTerm:
        return Union(parts)

    def nothing(self) -> SetTerm:
        return Union(())

    def plain(self, *names: Token) -> tuple[str, tuple[str, ...]]:
        return "", tuple(map(str, names))

    def titled(self, title: Token, *names: Token) -> tuple[str, tuple[str, ...]]:
        return str(title), tuple(map(str, names))

    def builder(self, head: tuple[str, tuple[str, ...]], body: Formula) -> SetTerm:
        title, result = head
        ranges: dict[str, SetTerm] = {}
        conditions: list[Formula] = []
        for part in body.parts if isinstance(body, formulas.And) else (body,):
            if isinstance(part, formulas.In) and part.variable not in ranges:
                ranges[part.variable] = self.sets[part.stream]
            else:
                conditions.append(part)
        if missing := set(result) - set(ranges):
            raise InputError(f"{', '.join(sorted(missing))} ranges over no set")
        return Builder(title, result, tuple(ranges.items()), formulas.And(tuple(conditions)), dict(self.sets))


def _time_name(text: Token) -> str:
    if text[0].isupper():
        raise InputError(f"{text} is a stream, and a time is wanted")
    return str(text)


@cache
def _parser() -> Lark:
    return parser_of(Path(__file__).with_name("formulas.lark"), start=["formula", "set"], maybe_placeholders=False)


def _read(text: str, start: str) -> tuple[Any, dict[str, SetTerm]]:
    reader = _Reader()
    try:
        return reader.transform(_parser().parse(text, start=start)), reader.sets
    except VisitError as error:
        if isinstance(error.orig_exc, InputError):
            raise error.orig_exc from None
        raise
    except UnexpectedInput as error:
        raise InputError(f"not a statement about streams:\n{error.get_context(text).rstrip()}") from None


@cache
def parse_set(text: str) -> SetTerm:
    """Read a set of instances."""
    term: SetTerm = _read(text, "set")[0]
    return term


@cache
def parse_statement(text: str) -> Statement:
    """Read a formula about streams."""
    formula, sets = _read(text, "formula")
    return Statement(formula, sets, text)


def parse_goal(text: str) -> Goal:
    """Read a formula about streams, or `≡` between two sets."""
    left, same, right = text.partition("≡")
    return SameSet(parse_set(left), parse_set(right)) if same else parse_statement(text)


class Lazily(dict[str, NumberT]):
    """Values by name, each computed when it is first asked for."""

    def __init__(self, compute: Callable[[str], NumberT]) -> None:
        super().__init__()
        self.compute = compute

    def __missing__(self, name: str) -> NumberT:
        self[name] = self.compute(name)
        return self[name]


@dataclass(frozen=True)
class Reading(Generic[TruthT, NumberT, ElementT]):
    """Meaning of streams, bounds and operators while statements are interpreted."""

    logic: formulas.Logic[TruthT, NumberT, ElementT]
    streams: Mapping[str, formulas.StreamView[TruthT, ElementT]]
    bound: Callable[[Bound], NumberT]
    operators: Operators

    def view(self, term: SetTerm) -> formulas.StreamView[TruthT, ElementT]:
        """The stream that a set is."""
        match term:
            case Named(name):
                return self.streams[name]
            case Meaning(expression):
                return fold(expression, lambda name: self.streams[name], self._apply)
            case Applied(operator, operands, bound):
                return self._apply(operator, [self.view(operand) for operand in operands], bound)
            case Union(parts):
                return UnionStream(self.logic, [self.view(part) for part in parts])
            case Builder():
                ranges = [(variable, self.view(inner)) for variable, inner in term.ranges]
                scope = self._scope(term.sets)
                return ComprehensionStream(self.logic, ranges, term.result, term.condition, scope, term.name)

    def truth(self, statement: Statement) -> TruthT:
        """The truth value of a statement."""
        return formulas.interpret(statement.formula, self.logic, self._scope(statement.sets))

    def parts(self, goal: Goal) -> dict[str, TruthT]:
        """The truth values of which a goal is the conjunction; of two sets, that of each inclusion."""
        if isinstance(goal, Statement):
            return {"": self.truth(goal)}
        return {"⊆": self.included(goal.left, goal.right), "⊇": self.included(goal.right, goal.left)}

    def included(self, smaller: SetTerm, greater: SetTerm) -> TruthT:
        """Whether each element of one set belongs to the other."""
        return self.view(smaller).each(self.view(greater).member)

    def _scope(self, sets: Mapping[str, SetTerm]) -> formulas.Scope:
        views = {name: self.view(term) for name, term in sets.items()}
        return formulas.Scope({}, views, Lazily(lambda text: self.bound(parse_bound(text))))

    def _apply(
        self, name: str, operands: Sequence[formulas.StreamView[TruthT, ElementT]], bound: Bound | None
    ) -> formulas.StreamView[TruthT, ElementT]:
        value = None if bound is None else self.bound(bound)
        return operator_stream(self.operators[name], self.logic, operands, value)


def finite(streams: Streams, bounds: BoundValues) -> Reading[bool, int, Instance]:
    """Finite streams, by which statements are evaluated."""
    views = {name: FiniteStream(stream) for name, stream in streams.items()}
    return Reading(FINITE_LOGIC, views, lambda bound: evaluate_bound(bound, bounds), OPERATORS)
