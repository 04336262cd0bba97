"""Section 6: the laws with bounds that may be ∞, and the rules of the transformation that runs (Lemma 6.1).

For each operator the rule is translated with an arbitrary restriction τ ∈ 𝒯 ∪ {∞}; where it asks for the
transformation of an operand X under λ, it gets an arbitrary expression X' and an arbitrary bound for which the lemma
is assumed: X_λ ≡ X'_λ and X' ≡ X'_bound. For each way through the rule both conclusions of the lemma are obligations.
The loop that carries out what rules ask for is run on small expressions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from typing import Any, TypeAlias, cast

from detectors.carlson_lisper.source.transformation import restricted, transform
from laws.carlson_lisper.claims import EquationClaim, laws
from proofs.carlson_lisper.step_runs import WrongRun
from proofs.carlson_lisper.steps import Subject
from semantics.carlson_lisper import expressions
from semantics.carlson_lisper.denotation import denotation
from semantics.carlson_lisper.expressions import UNBOUNDED, BoundExtremum, Expression, Identifier, Operation, bottom_up
from semantics.carlson_lisper.occurrences import Occurrence, Stream, interpretation
from semantics.carlson_lisper.syntax import parse, parse_equation
from semantics.formulas import StreamView
from smt.carlson_lisper.obligations import SymbolicLogic, Writer, directions, equation_assertions, parameter_name
from smt.carlson_lisper.step_terms import OperationTerm, OutcomeTerm, rule_vocabulary
from smt.obligations import Obligation
from smt.python.interpreter import Interpreter
from smt.python.paths import Execution, NotTranslated, Number, explore, numeral
from smt.smtlib import FALSE, SORT, TRUE, TimeSort, conjunction, disjunction, negation, symbol, written

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


class ExtendedLogic(SymbolicLogic):
    """The symbolic logic over times that may be ∞, which is after every other time."""

    def compare(self, relation: str, left: str, right: str) -> str:
        """The comparison of two times by `<`, `<=` or `=`."""
        finite = super().compare(relation, str(left), str(right))
        before, after = (time.infinite if isinstance(time, ExtendedTime) else FALSE for time in (left, right))
        if relation == "<":
            return conjunction((negation(before), disjunction((after, finite))))
        if relation == "<=":
            return disjunction((after, conjunction((negation(before), finite))))
        return disjunction((conjunction((before, after)), conjunction((negation(before), negation(after), finite))))


def extended_bound(bound: object) -> ExtendedTime:
    """A time, a number, ∞ or a bound as a term; the parameter t may be ∞, under the flag `bound.t.infinite`."""
    match bound:
        case Number():
            return ExtendedTime(bound.text, written(bound.infinite))
        case ExtendedTime():
            return bound
        case int():
            return ExtendedTime(written(numeral(bound)))
        case str():
            return ExtendedTime(bound)
        case expressions.BoundParameter(name):
            return ExtendedTime(symbol(parameter_name(name)), symbol(f"{parameter_name(name)}.infinite"))
        case BoundExtremum(function, first, second):
            left, right = extended_bound(first), extended_bound(second)
            smaller = ExtendedLogic().compare("<=", left, right)
            chosen = (left, right) if function == "min" else (right, left)
            infinite = f"(ite {smaller} {chosen[0].infinite} {chosen[1].infinite})"
            return ExtendedTime(f"(ite {smaller} {chosen[0]} {chosen[1]})", infinite)
    if bound == UNBOUNDED:
        return ExtendedTime("0", TRUE)
    raise NotTranslated(f"{bound!r} is no time")


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


LEMMA = "lemma:6.1"

LIMIT, BOUND = "limit", "tau"
"""The restriction that a rule is given, and the bound of the temporal restriction that it transforms."""

Streams: TypeAlias = Mapping[str, StreamView[str, str]]


@dataclass(frozen=True)
class _Outcome:
    """What a rule returns, and the operands and restrictions that it asked for."""

    expression: Expression
    bound: object
    calls: tuple[tuple[str, object], ...]


def lemma(time: TimeSort, subject: Subject) -> list[Obligation]:
    """The obligations of Lemma 6.1: each case, both conclusions."""
    outcome = transform(Identifier("A"), 0, subject.rules)
    claim = EquationClaim(LEMMA, parse_equation(f"A <= ({outcome.expression})[{outcome.bound}]"), frozenset("A"))
    writer = Writer(time, subject.operators)
    assertions = equation_assertions(writer, claim, directions(claim)[0])
    primitive = writer.obligation(LEMMA, "primitive", "the case of an event type", assertions)
    return [primitive, *(part for name in subject.operators for part in _RuleProof(subject, name, time).obligations())]


class _RuleProof:
    """The case of one operator."""

    def __init__(self, subject: Subject, name: str, time: TimeSort) -> None:
        self.subject = subject
        self.operator = subject.operators[name]
        self.time: TimeSort = time
        self.operands = tuple(map(Identifier, ("A", "B")[: self.operator.arity]))
        self.times = (LIMIT, *(f"bound.{operand}" for operand in self.operands))

    def run(self, execution: Execution) -> _Outcome:
        """The rule, with arbitrary outcomes for the operands."""
        bound = Number(BOUND, natural=True) if self.operator.bounded else None
        calls: list[tuple[str, object]] = []

        def asked(request: Any) -> OutcomeTerm:
            operand, under = request if isinstance(request, tuple) and len(request) == 2 else (None, None)
            if not isinstance(operand, Identifier) or operand.name in dict(calls):
                raise NotTranslated("a rule has each operand transformed once, and nothing else")
            calls.append((operand.name, under))
            of = f"bound.{operand.name}"
            return OutcomeTerm(Identifier(f"{operand.name}'"), Number(of, f"{of}.infinite"))

        def operation(_: Execution, operator: str, operands: Any, bound: Any = None, label: Any = None) -> Operation:
            return Operation(operator, operands, bound, label)

        known = rule_vocabulary(operation, (Identifier, Operation), frozenset({"then"}))
        given = [OperationTerm(self.operands, bound, with_label=False), Number(LIMIT, f"{LIMIT}.infinite")]
        outcome = Interpreter(execution, known, asked).call(self.subject.rules[self.operator.name], given)
        if not isinstance(outcome, OutcomeTerm):
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
            writer, _, assumptions = self.writer(with_streams=False)
            denied = negation(disjunction((negation(path.condition), _natural(outcome))))
            words = "what is returned, passed on and written is a time or ∞"
            found.append(writer.obligation(LEMMA, f"{case} natural", words, [*assumptions, denied]))
        every = disjunction(conjunction(path.conditions) for path, _ in finished)
        words = "every way through the rule is one of these"
        return [*found, self.writer()[0].obligation(LEMMA, f"{self.operator.name} paths", words, [negation(every)])]

    def writer(
        self, calls: Sequence[tuple[str, object]] = (), *, with_streams: bool = True
    ) -> tuple[Writer, Streams, list[str]]:
        """A writer, the operands with what they are transformed into, and the lemma for those that were asked for."""
        writer = Writer(self.time, self.subject.operators, ExtendedLogic())
        names = [name for operand in self.operands for name in (operand.name, f"{operand.name}'")]
        streams: dict[str, StreamView[str, str]] = {name: writer.stream(name) for name in names if with_streams}
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
            own = _restricted(writer, transformed, ExtendedTime(f"bound.{operand}", f"bound.{operand}.infinite"))
            assumptions.append(transformed.each(own.member))
        return writer, streams, assumptions

    def conclusion(self, direction: str, writer: Writer, streams: Streams, outcome: _Outcome) -> str:
        """One inclusion of E_τ ≡ E'_τ, or E' ≡ E'_τ' for the bound τ' that is returned."""
        if direction == "bound":
            after = writer.denote(outcome.expression, streams, extended_bound)
            return after.each(_restricted(writer, after, outcome.bound).member)
        limit = ExtendedTime(LIMIT, f"{LIMIT}.infinite")
        whole = Operation(self.operator.name, self.operands, cast(Any, BOUND) if self.operator.bounded else None)
        before, after = (
            _restricted(writer, writer.denote(one, streams, extended_bound), limit)
            for one in (whole, outcome.expression)
        )
        inner, outer = (before, after) if direction == "⊆" else (after, before)
        return inner.each(outer.member)


def _restricted(writer: Writer, stream: StreamView[str, str], bound: object) -> StreamView[str, str]:
    """The stream with a temporal restriction that may be ∞."""
    return writer.apply("tim", [stream], extended_bound(bound))


def _natural(outcome: _Outcome) -> str:
    """The times that are returned, passed on and written are at least 0, as is assumed of those of operands."""
    nodes = [node for node in bottom_up(outcome.expression) if isinstance(node, Operation)]
    every = [time for node in nodes for time in (node.bound, node.label) if time is not None]
    times = [outcome.bound, *(under for _, under in outcome.calls), *every]
    return conjunction(ExtendedLogic().compare("<=", "0", extended_bound(time)) for time in times)


_TRACES = [
    chosen
    for count in range(5)
    for chosen in combinations([Occurrence(event, time) for time in range(3) for event in "ab"], count)
]
"""The traces of two event types over three instants with up to four occurrences, those with few first."""

_SIDES = product("|+-;", ("a", "(a ; b)[1]"), ("b", "(a + b)", "b[0]"))
_SMALL = [f"{left} {sign} {right}" for sign, left, right in _SIDES]
_SMALL += [f"({one})[{n}]" for one in ("a", "a | b", "a + b", "b ; a", "b - a", "(a + b)[1]") for n in (0, 1, 3)]


def find_transformation_counterexample(subject: Subject) -> WrongRun | None:
    """A small expression whose transformation is wrong, with a trace; None if there is none among those tried."""

    @cache
    def meaning(expression: Expression) -> list[Stream]:
        return [denotation(expression, interpretation(trace)) for trace in _TRACES]

    for expression, limit in product(map(parse, _SMALL), (UNBOUNDED, 0, 1, 2)):
        called, plain = f"transform({expression}, {limit})", {"expression": str(expression)}
        try:
            found, bound = transform(expression, limit, subject.rules)
            pairs = [(restricted(expression, limit), restricted(found, limit)), (found, restricted(found, bound))]
            for left, right in pairs:
                for trace, one, other in zip(_TRACES, meaning(left), meaning(right), strict=True):
                    if one != other:
                        shown = ", ".join(map(str, trace))
                        words = f"{called} = ⟨{found}, {bound}⟩: on the trace {shown} {left} and {right} differ"
                        return WrongRun("transformation", words, {**plain, "trace": shown})
        except Exception as error:  # whatever a wrong rule may raise
            return WrongRun("exception", f"{called} raises {type(error).__name__}: {error}", plain)
    return None
