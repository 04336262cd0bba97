"""The text of statements about streams, close to how the source prints them.

    {a ∪ c | a ∈ ⟦A⟧ ∧ c ∈ ⟦C⟧ ∧ end(a) < start(c)}        a set of instances; ⟦…⟧ holds an expression of ours
    {e = a ∪ b | a ∈ A ∧ b ∈ B ∧ empty(C, start(e), end(e))}   the union has a name of its own
    dis(S, T)   con(S, T)   neg(S, T)   seq(S, T)   tim(S, t)   ⟦A⟧ ∪ ⟦B⟧   ∅
    ∀ s ∈ S ∃ s' ∈ S' (start(s) ≤ start(s') ∧ end(s) = end(s'))
    rem(S, T)   T ≅ T'   valid(e, S, t)   s = s'   ¬ ∧ ∨ ⇒

A bare name in the place of a time is a bound: `t`, `min(t, u)` or a number of ticks; names of streams are capitals.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from lark import Lark, Token
from lark.exceptions import UnexpectedInput, VisitError
from lark.visitors import Transformer, v_args

from semantics import formulas
from semantics.carlson_lisper.expressions import Bound, Expression, Operation
from semantics.carlson_lisper.restriction import REM, SAME_INTERVALS, VALID_INSTANCE
from semantics.carlson_lisper.syntax import parse_schema
from semantics.errors import InputError
from semantics.grammars import parser_of


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

    Attributes:
        name: the name under which the condition mentions the result, or "".
        result: the variables whose union the result is.
        ranges: each variable with the set it ranges over.
        condition: about the variables, the result and the sets in `sets`.
        sets: what the condition's stream names stand for.
    """

    name: str
    result: tuple[str, ...]
    ranges: tuple[tuple[str, SetTerm], ...]
    condition: formulas.Formula
    sets: Mapping[str, SetTerm] = field(hash=False)


SetTerm: TypeAlias = Named | Meaning | Applied | Union | Builder


@dataclass(frozen=True)
class Statement:
    """A formula and what its stream names stand for."""

    formula: formulas.Formula
    sets: Mapping[str, SetTerm]
    text: str


_ORDER = {"<": "<", "≤": "<=", "=": "="}


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
        if isinstance(term, Named):
            name = term.name
        else:
            known = [name for name, other in self.sets.items() if other == term]
            name = known[0] if known else f"#{len(self.sets)}"
        self.sets[name] = term
        return name

    # ---- formulas

    def implication(self, premise: formulas.Formula, conclusion: formulas.Formula) -> formulas.Formula:
        return formulas.implies(premise, conclusion)

    def either(self, *parts: formulas.Formula) -> formulas.Formula:
        return formulas.Or(parts)

    def every(self, *parts: formulas.Formula) -> formulas.Formula:
        return formulas.And(parts)

    def negation(self, body: formulas.Formula) -> formulas.Formula:
        return formulas.Not(body)

    def each(self, name: Token, term: SetTerm, body: formulas.Formula) -> formulas.Formula:
        return formulas.ForAll(str(name), self._named(term), body)

    def some(self, name: Token, term: SetTerm, body: formulas.Formula) -> formulas.Formula:
        return formulas.Exists(str(name), self._named(term), body)

    def member(self, name: Token, term: SetTerm) -> formulas.Formula:
        return formulas.In(str(name), self._named(term))

    def comparison(self, left: formulas.Term, relation: Token, right: formulas.Term) -> formulas.Formula:
        if isinstance(left, formulas.Parameter) and isinstance(right, formulas.Parameter) and relation == "=":
            return formulas.Same(left.name, right.name)
        return formulas.Compare(_ORDER[str(relation)], left, right)  # type: ignore[arg-type]  # one of its three words

    def restricts(self, stream: SetTerm, restricted: SetTerm) -> formulas.Formula:
        return self._related(REM.conditions, {"S": stream, "S'": restricted})

    def same_intervals(self, left: SetTerm, right: SetTerm) -> formulas.Formula:
        return self._related(SAME_INTERVALS.conditions, {"S": left, "T": right})

    def _related(self, conditions: tuple[formulas.Formula, ...], sets: Mapping[str, SetTerm]) -> formulas.Formula:
        names = {name: self._named(term) for name, term in sets.items()}
        return formulas.And(tuple(formulas.renamed(condition, streams=names) for condition in conditions))

    def valid(self, name: Token, term: SetTerm, time: formulas.Term) -> formulas.Formula:
        if not isinstance(time, formulas.Parameter):
            raise InputError("valid takes a bound as its time")
        streams = {"S": self._named(term)}
        return formulas.renamed(VALID_INSTANCE, streams=streams, instances={"e": str(name)}, times={"τ": time})

    def empty(self, term: SetTerm, first: formulas.Term, last: formulas.Term) -> formulas.Formula:
        within = formulas.And(
            (
                formulas.Compare("<=", first, formulas.Start("within")),
                formulas.Compare("<=", formulas.End("within"), last),
            )
        )
        return formulas.Not(formulas.Exists("within", self._named(term), within))

    # ---- times

    def start(self, name: Token) -> formulas.Term:
        return formulas.Start(str(name))

    def end(self, name: Token) -> formulas.Term:
        return formulas.End(str(name))

    def parameter(self, text: Token) -> formulas.Term:
        return formulas.Parameter(_time_name(text))

    def difference(self, left: formulas.Term, right: formulas.Term) -> formulas.Term:
        return formulas.Difference(left, right)

    # ---- sets

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

    def builder(self, head: tuple[str, tuple[str, ...]], body: formulas.Formula) -> SetTerm:
        title, result = head
        ranges: dict[str, SetTerm] = {}
        conditions: list[formulas.Formula] = []
        for part in body.parts if isinstance(body, formulas.And) else (body,):
            if isinstance(part, formulas.In) and part.variable not in ranges:
                ranges[part.variable] = self.sets[part.stream]
            else:
                conditions.append(part)
        missing = set(result) - set(ranges)
        if missing:
            raise InputError(f"{', '.join(sorted(missing))} ranges over no set")
        return Builder(title, result, tuple(ranges.items()), formulas.And(tuple(conditions)), dict(self.sets))


def _time_name(text: Token) -> str:
    if text[0].isupper():
        raise InputError(f"{text} is a stream, and a time is wanted")
    return str(text)


@cache
def _parser() -> Lark:
    source = Path(__file__).with_name("formulas.lark")
    return parser_of(source, start=["formula", "set"], maybe_placeholders=False)


def _read(text: str, start: str) -> tuple[Any, dict[str, SetTerm]]:
    reader = _Reader()
    try:
        return reader.transform(_parser().parse(text, start=start)), reader.sets
    except VisitError as error:
        if isinstance(error.orig_exc, InputError):
            raise error.orig_exc from None
        raise
    except UnexpectedInput as error:
        context = error.get_context(text).rstrip()
        raise InputError(f"not a statement about streams:\n{context}") from None


@cache
def parse_set(text: str) -> SetTerm:
    """Read a set of instances.

    Raises:
        InputError: the text is not one.
    """
    term: SetTerm = _read(text, "set")[0]
    return term


@cache
def parse_statement(text: str) -> Statement:
    """Read a formula about streams.

    Raises:
        InputError: the text is not one.
    """
    formula, sets = _read(text, "formula")
    return Statement(formula, sets, text)
