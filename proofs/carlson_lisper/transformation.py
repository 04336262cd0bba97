"""Section 6: the laws with bounds that may be ∞, and the rules of the transformation that runs (Lemma 6.1).

For each operator the rule is translated with an arbitrary restriction τ ∈ 𝒯 ∪ {∞}; where it asks for the
transformation of an operand X under λ, it gets an arbitrary expression X' and an arbitrary bound for which the lemma
is assumed: X_λ ≡ X'_λ and X' ≡ X'_bound. For each way through the rule both conclusions of the lemma are obligations.
What is not proved is run on small expressions and traces.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from typing import Any, TypeAlias, cast

from detectors.carlson_lisper.source.transformation import Transformed, restricted, transform
from laws.carlson_lisper.claims import EquationClaim, laws
from proofs.carlson_lisper.step_runs import WrongRun
from proofs.carlson_lisper.steps import Subject
from semantics.carlson_lisper.denotation import apply_operator, denotation
from semantics.carlson_lisper.expressions import (
    UNBOUNDED,
    BoundExtremum,
    BoundParameter,
    Expression,
    Identifier,
    Label,
    Operation,
    bottom_up,
    evaluate_bound,
    size,
)
from semantics.carlson_lisper.occurrences import Occurrence, Stream, interpretation
from semantics.carlson_lisper.operators import Operator
from semantics.carlson_lisper.syntax import parse, parse_equation
from semantics.formulas import StreamView
from smt.carlson_lisper.obligations import Writer, directions, equation_assertions
from smt.carlson_lisper.step_terms import OperationTerm
from smt.carlson_lisper.symbolic import SymbolicLogic, parameter_name
from smt.obligations import Obligation
from smt.python_terms import (
    Execution,
    Interpreter,
    Method,
    NotTranslated,
    Number,
    Opaque,
    Path,
    Vocabulary,
    explore,
    numeral,
)
from smt.s_expressions import written
from smt.smtlib import FALSE, SORT, TRUE, TimeSort, conjunction, disjunction, negation, symbol

# -------------------------------------------------------------------------------------------- bounds that may be ∞

INFINITE = "theorem:4.4.infinite"


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
        return disjunction((conjunction((before, after)), conjunction((negation(before), negation(after), finite))))


def extended_term(value: object) -> ExtendedTime:
    """A time, a number or ∞ as a term: a symbolic one, an integer, or what is a term."""
    match value:
        case Number():
            return ExtendedTime(value.text, written(value.infinite))
        case ExtendedTime():
            return value
        case int():
            return ExtendedTime(written(numeral(value)))
        case str():
            return ExtendedTime(value)
    if value == UNBOUNDED:
        return ExtendedTime("0", TRUE)
    raise NotTranslated(f"{value!r} is no time")


def _parameter(name: str) -> ExtendedTime:
    """A bound t that may be ∞, under the flag `bound.t.infinite`."""
    return ExtendedTime(symbol(parameter_name(name)), symbol(f"{parameter_name(name)}.infinite"))


def extended_bound(bound: object) -> ExtendedTime:
    """A bound as a term; its parameters may be ∞."""
    match bound:
        case BoundParameter(name):
            return _parameter(name)
        case BoundExtremum(function, first, second):
            left, right = extended_bound(first), extended_bound(second)
            smaller = ExtendedLogic().compare("<=", left, right)
            chosen = (left, right) if function == "min" else (right, left)
            infinite = f"(ite {smaller} {chosen[0].infinite} {chosen[1].infinite})"
            return ExtendedTime(f"(ite {smaller} {chosen[0]} {chosen[1]})", infinite)
        case known:
            return extended_term(known)


def infinite_laws(time: TimeSort, subject: Subject) -> list[Obligation]:
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
            found.append(writer.obligation(INFINITE, part, f"{law.statement}, where a bound may be ∞", assertions))
    return found


# ---------------------------------------------------------------------------------------------------------- Lemma 6.1

LEMMA = "lemma:6.1"

LIMIT, BOUND = "limit", "tau"
"""The restriction that a rule is given, and the bound of the temporal restriction that it transforms."""

Streams: TypeAlias = Mapping[str, StreamView[str, str]]


@dataclass(frozen=True)
class _Outcome(Opaque):
    """What `Transformed` stands for; of a rule, with the operands and restrictions that it asked for."""

    expression: Expression
    bound: object
    calls: tuple[tuple[str, object], ...] = ()

    def attribute(self, name: str, execution: Execution) -> Any:
        """Its two parts."""
        return getattr(self, name) if name in ("expression", "bound") else super().attribute(name, execution)


def _operation(_: Execution, operator: str, operands: Any, bound: Any = None, label: Any = None) -> Operation:
    return Operation(operator, operands, bound, label)


VOCABULARY = Vocabulary(
    (
        (Transformed, Method(lambda _, expression, bound: _Outcome(expression, bound))),
        (Operation, Method(_operation)),
        (evaluate_bound, Method(lambda _, bound: bound)),
    ),
    expressions=(Identifier, Operation),
    methods=frozenset({"then"}),
)
"""What the rules may name."""


def lemma(time: TimeSort, subject: Subject) -> list[Obligation]:
    """The obligations of Lemma 6.1: each case, both conclusions."""
    outcome = transform(Identifier("A"), 0, subject.rules)
    claim = EquationClaim(LEMMA, parse_equation(f"A <= ({outcome.expression})[{outcome.bound}]"), frozenset("A"))
    writer = Writer(time, subject.operators)
    assertions = equation_assertions(writer, claim, directions(claim)[0])
    primitive = writer.obligation(LEMMA, "primitive", "the case of an event type", assertions)
    cases = [part for name in subject.operators for part in _RuleProof(subject, name, time).obligations()]
    return [primitive, *cases]


class _RuleProof:
    """The case of one operator."""

    def __init__(self, subject: Subject, name: str, time: TimeSort) -> None:
        self.subject = subject
        self.operator = subject.operators[name]
        self.time: TimeSort = time
        self.names = ("A", "B")[: self.operator.arity]
        self.times = (LIMIT, *(f"bound.{operand}" for operand in self.names))
        self.operands = tuple(map(Identifier, self.names))

    def run(self, execution: Execution) -> _Outcome:
        """The rule, with arbitrary outcomes for the operands."""
        bound = Number(BOUND, natural=True) if self.operator.bounded else None
        calls: list[tuple[str, object]] = []

        def asked(request: Any) -> _Outcome:
            operand, under = request if isinstance(request, tuple) and len(request) == 2 else (None, None)
            if not isinstance(operand, Identifier) or operand.name in dict(calls):
                raise NotTranslated("a rule has each operand transformed once, and nothing else")
            calls.append((operand.name, under))
            of = f"bound.{operand.name}"
            return _Outcome(Identifier(f"{operand.name}'"), Number(of, f"{of}.infinite"))

        operation = OperationTerm(self.operands, bound, with_label=False)
        rule = self.subject.rules[self.operator.name]
        limit = Number(LIMIT, f"{LIMIT}.infinite")
        outcome = Interpreter(execution, VOCABULARY, asked).call(rule, [operation, limit])
        if not isinstance(outcome, _Outcome):
            raise NotTranslated("a rule returns something else than what is transformed")
        return _Outcome(outcome.expression, outcome.bound, tuple(calls))

    def obligations(self) -> list[Obligation]:
        """Both conclusions on each path, that times stay times, and that there are no other paths."""
        found, (paths, _) = [], explore(self.run)
        finished = [(path, path.result) for path in paths if path.result is not None]
        for place, (path, outcome) in enumerate(finished, start=1):
            case = f"{self.operator.name} {place}" if len(paths) > 1 else self.operator.name
            words = f"when {' and '.join(path.conditions) or 'always'}"
            for direction in ("⊆", "⊇", "bound"):
                writer, streams, assumptions = self.writer(outcome.calls)
                conclusion = self.conclusion(direction, writer, streams, outcome)
                denied = negation(disjunction((negation(path.condition), conclusion)))
                found.append(writer.obligation(LEMMA, f"{case} {direction}", words, [*assumptions, denied]))
            found.append(self.natural(case, path, outcome))
        every = disjunction(conjunction(path.conditions) for path, _ in finished)
        writer, _, _ = self.writer()
        words = "every way through the rule is one of these"
        return [*found, writer.obligation(LEMMA, f"{self.operator.name} paths", words, [negation(every)])]

    def natural(self, case: str, path: Path[_Outcome], outcome: _Outcome) -> Obligation:
        """The times that are returned, passed on and written are at least 0, as is assumed of those of operands."""
        nodes = [node for node in bottom_up(outcome.expression) if isinstance(node, Operation)]
        every = [time for node in nodes for time in (node.bound, node.label) if time is not None]
        times = [outcome.bound, *(under for _, under in outcome.calls), *every]
        goal = conjunction(ExtendedLogic().compare("<=", "0", extended_term(time)) for time in times)
        denied = negation(disjunction((negation(path.condition), goal)))
        writer, _, assumptions = self.writer(with_streams=False)
        words = "what is returned, passed on and written is a time or ∞"
        return writer.obligation(LEMMA, f"{case} natural", words, [*assumptions, denied])

    def writer(
        self, calls: Sequence[tuple[str, object]] = (), *, with_streams: bool = True
    ) -> tuple[Writer, Streams, list[str]]:
        """A writer, the operands with what they are transformed into, and the lemma for those that were asked for."""
        writer = Writer(self.time, self.subject.operators, ExtendedLogic())
        names = [name for operand in self.names for name in (operand, f"{operand}'")] if with_streams else []
        streams: dict[str, StreamView[str, str]] = {name: writer.stream(name) for name in names}
        for name in self.times:
            writer.declare(name, SORT[self.time])
            writer.declare(f"{name}.infinite", "Bool")
        assumptions = [f"(<= 0 {name})" for name in self.times]
        if self.operator.bounded:
            writer.declare(BOUND, SORT[self.time])
            assumptions.append(f"(<= 0 {BOUND})")
        for operand, under in calls:
            plain, transformed = streams[operand], streams[f"{operand}'"]
            before, after = _restricted(writer, plain, under), _restricted(writer, transformed, under)
            assumptions += [before.each(after.member), after.each(before.member)]
            own = _restricted(writer, transformed, _time(f"bound.{operand}"))
            assumptions.append(transformed.each(own.member))
        return writer, streams, assumptions

    def conclusion(self, direction: str, writer: Writer, streams: Streams, outcome: _Outcome) -> str:
        """One inclusion of E_τ ≡ E'_τ, or E' ≡ E'_τ' for the bound τ' that is returned."""
        limit = _time(LIMIT)
        if direction == "bound":
            after = writer.denote(outcome.expression, streams, extended_term)
            return after.each(_restricted(writer, after, outcome.bound).member)
        whole = Operation(self.operator.name, self.operands, cast(Any, BOUND) if self.operator.bounded else None)
        before, after = (
            _restricted(writer, writer.denote(one, streams, extended_term), limit)
            for one in (whole, outcome.expression)
        )
        inner, outer = (before, after) if direction == "⊆" else (after, before)
        return inner.each(outer.member)


def _restricted(writer: Writer, stream: StreamView[str, str], bound: object) -> StreamView[str, str]:
    """The stream with a temporal restriction that may be ∞."""
    return writer.apply("tim", [stream], extended_term(bound))


def _time(name: str) -> ExtendedTime:
    return ExtendedTime(name, f"{name}.infinite")


# ------------------------------------------------------------------------------------------- small expressions, traces

_OPERANDS = ("a", "b", "a | b", "a + b", "a ; b", "b - a", "(a + b)[0]", "(a + b)[1]", "(a ; b)[2]", "(a + b)[3] - b")
"""Operands with which each operator is tried: of every kind, short and long."""

_LIMITS: tuple[Label, ...] = (UNBOUNDED, 0, 1, 2)


@cache
def _traces() -> tuple[tuple[Occurrence, ...], ...]:
    """All traces of two event types over three instants, those with few occurrences first."""
    places = [Occurrence(event, time) for time in range(3) for event in "ab"]
    return tuple(chosen for count in range(len(places) + 1) for chosen in combinations(places, count))


def _expressions(operators: Mapping[str, Operator]) -> list[Expression]:
    operands = [parse(text) for text in _OPERANDS]
    made = [
        Operation(operator.name, chosen, bound)
        for operator in operators.values()
        for chosen in product(operands, repeat=operator.arity)
        for bound in ((0, 1, 3) if operator.bounded else (None,))
    ]
    return sorted(made, key=size)


def find_transformation_counterexample(subject: Subject, largest: int = 8) -> WrongRun | None:
    """A small expression whose transformation is wrong, with a trace; None if there is none among those tried.

    Args:
        largest: the greatest number of nodes of the expressions that are tried.
    """
    meanings: dict[Expression, list[Stream]] = {}

    def meaning(whole: Expression) -> list[Stream]:
        for node in bottom_up(whole):
            if node not in meanings and isinstance(node, Operation):
                operator = subject.operators[node.operator]
                bound = None if node.bound is None else evaluate_bound(node.bound)
                operands = zip(*(meanings[operand] for operand in node.operands), strict=True)
                meanings[node] = [apply_operator(operator, streams, bound) for streams in operands]
            elif node not in meanings:
                meanings[node] = [denotation(node, interpretation(trace)) for trace in _traces()]
        return meanings[whole]

    for expression, limit in product(_expressions(subject.operators), _LIMITS):
        if size(expression) > largest:
            break
        tried, plain = f"transform({expression}, {_label(limit)})", {"expression": str(expression)}
        try:
            outcome = transform(expression, limit, subject.rules)
            short = restricted(outcome.expression, outcome.bound)
            compared = {
                f"the two differ under τ = {_label(limit)}": (
                    meaning(restricted(expression, limit)),
                    meaning(restricted(outcome.expression, limit)),
                ),
                "it is not as short as the returned bound says": (meaning(outcome.expression), meaning(short)),
            }
        except Exception as error:  # whatever a wrong rule may raise
            return WrongRun("exception", f"{tried} raises {type(error).__name__}: {error}", plain)
        for words, sides in compared.items():
            for trace, left, right in zip(_traces(), *sides, strict=True):
                if left != right:
                    shown = f"{tried} = ⟨{outcome.expression}, {_label(outcome.bound)}⟩"
                    plain |= {"transformed": str(outcome.expression), "trace": ", ".join(map(str, trace))}
                    return WrongRun("transformation", f"{shown}: on the trace {plain['trace']} {words}", plain)
    return None


def _label(label: Label) -> str:
    return "∞" if label == UNBOUNDED else str(label)
