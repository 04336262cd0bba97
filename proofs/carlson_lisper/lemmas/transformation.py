"""Lemma 6.1 and Theorem 6.1: the rules of the transformation that runs, executed on symbolic restrictions.

The induction is over the structure of the expression. For each operator the rule is executed with an arbitrary
restriction τ ∈ 𝒯 ∪ {∞}; where it asks for the transformation of an operand X under λ, it gets an arbitrary expression
X' and an arbitrary bound for which the lemma is assumed: X_λ ≡ X'_λ and X' ≡ X'_bound. For each way through the rule
the lemma's two conclusions are obligations, and so is what Theorem 6.1 says of labels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from detectors.carlson_lisper.source.transformation import Rule, Transformed, transform
from laws.carlson_lisper.claims import EquationClaim
from proofs.carlson_lisper.lemmas.extended import ExtendedLogic, ExtendedTime, extended_term
from proofs.carlson_lisper.lemmas.faithfulness import rule_objections
from proofs.carlson_lisper.subject import Subject
from semantics.carlson_lisper.expressions import (
    UNBOUNDED,
    Expression,
    Identifier,
    Label,
    Operation,
    bottom_up,
)
from semantics.carlson_lisper.operators import Operator
from semantics.carlson_lisper.syntax import parse_equation
from semantics.formulas import StreamView
from smt.carlson_lisper.obligations import Writer, directions, equation_assertions
from smt.execution import Execution, ExecutionFailed, Path, SymbolicTime, explore
from smt.obligations import Obligation
from smt.smtlib import FALSE, SORT, TRUE, TimeSort, conjunction, disjunction, negation

LEMMA, THEOREM = "lemma:6.1", "theorem:6.1"

LIMIT, BOUND = "limit", "tau"
"""The restriction that a rule is given, and the bound of the temporal restriction that it transforms."""


@dataclass(frozen=True)
class RuleOutcome:
    """What a rule did: which operands it had transformed under which restriction, and what it returned."""

    calls: tuple[tuple[str, object], ...]
    expression: Expression
    bound: object


def lemma(time: TimeSort, subject: Subject) -> list[Obligation]:
    """The obligations of Lemma 6.1: each case, both conclusions."""
    found = [_primitive(time, subject)]
    for proof in rule_proofs(time, subject):
        found += proof.lemma()
    return found


def theorem(time: TimeSort, subject: Subject) -> list[Obligation]:
    """The obligations of Theorem 6.1: the case τ = ∞ of the lemma, and the labels of sequences."""
    found = [_whole(time, subject.operators, direction) for direction in ("⊆", "⊇")]
    for proof in rule_proofs(time, subject):
        found += proof.labels()
    return found


def rule_proofs(time: TimeSort, subject: Subject) -> Iterator[RuleProof]:
    """The case of each operator."""
    for name, operator in subject.operators.items():
        yield RuleProof(operator, subject.rules[name], time, subject.operators)


class RuleProof:
    """The case of one operator."""

    def __init__(
        self, operator: Operator, rule: Rule, time: TimeSort, operators: Mapping[str, Operator]
    ) -> None:
        self.operator = operator
        self.rule = rule
        self.time: TimeSort = time
        self.operators = operators
        self.names = ("A", "B")[: operator.arity]
        objections = rule_objections(rule)
        if objections:
            raise ExecutionFailed("; ".join(objections))
        self.paths, self.constants = explore(self.run)

    @property
    def expression(self) -> Operation:
        """The operator applied to arbitrary operands."""
        operands = tuple(Identifier(name) for name in self.names)
        return Operation(self.operator.name, operands, cast(Any, BOUND) if self.operator.bounded else None)

    def run(self, execution: Execution) -> RuleOutcome:
        """The rule, with arbitrary outcomes for the operands."""
        bound = SymbolicTime(BOUND, execution, natural=True) if self.operator.bounded else None
        operands = tuple(Identifier(name) for name in self.names)
        limit = cast(Any, SymbolicTime(LIMIT, execution, f"{LIMIT}.infinite"))
        work = self.rule(Operation(self.operator.name, operands, cast(Any, bound)), limit)
        calls: list[tuple[str, object]] = []
        try:
            request = next(work)
            while True:
                operand, under = request
                if not isinstance(operand, Identifier) or operand.name in dict(calls):
                    raise ExecutionFailed("a rule has each operand transformed once, and nothing else")
                calls.append((operand.name, under))
                of = f"bound.{operand.name}"
                found = cast(Label, SymbolicTime(of, execution, f"{of}.infinite"))
                request = work.send(Transformed(Identifier(f"{operand.name}'"), found))
        except StopIteration as finished:
            outcome: Transformed = finished.value
        return RuleOutcome(tuple(calls), outcome.expression, outcome.bound)

    # ---------------------------------------------------------------------------------------------- obligations

    def lemma(self) -> list[Obligation]:
        """Both conclusions on each path, and that there are no other paths."""
        found = []
        for place, (path, outcome) in enumerate(self.finished(), start=1):
            case = f"{self.operator.name} {place}" if len(self.paths) > 1 else self.operator.name
            words = _words(path, outcome)
            for direction in ("⊆", "⊇"):
                found.append(
                    self.part(
                        LEMMA, f"{case} {direction}", words, path, outcome, self.same_meaning(direction)
                    )
                )
            found.append(self.part(LEMMA, f"{case} bound", words, path, outcome, self.bounded))
            found.append(self.natural(case, path, outcome))
        every = disjunction(conjunction(path.conditions) for path in self.paths if path.result is not None)
        writer, _ = self.writer()
        words = "every way through the rule is one of these"
        found.append(writer.obligation(LEMMA, f"{self.operator.name} paths", words, [negation(every)]))
        return found

    def natural(self, case: str, path: Path[RuleOutcome], outcome: RuleOutcome) -> Obligation:
        """The times that are returned, passed on and written are at least 0, as is assumed of those of operands."""
        written = [
            time
            for node in bottom_up(outcome.expression)
            if isinstance(node, Operation)
            for time in (node.bound, node.label)
            if time is not None
        ]
        every = [outcome.bound, *(under for _, under in outcome.calls), *written]
        goal = conjunction(ExtendedLogic().compare("<=", "0", extended_term(time)) for time in every)
        denied = negation(disjunction((negation(path.condition), goal)))
        words = "what is returned, passed on and written is a time or ∞"
        return self.bounds_writer().obligation(
            LEMMA, f"{case} natural", words, [*self.natural_bounds(), denied]
        )

    def labels(self) -> list[Obligation]:
        """Sequences of the result that are new have a right operand as short as their label says."""
        return [
            self.part(
                THEOREM,
                f"labels {self.operator.name} {place}",
                "the right operands of sequences are no longer than their labels",
                path,
                outcome,
                self.labelled,
            )
            for place, (path, outcome) in enumerate(self.finished(), start=1)
        ]

    def finished(self) -> list[tuple[Path[RuleOutcome], RuleOutcome]]:
        """The ways through the rule that do not end in an exception."""
        return [(path, path.result) for path in self.paths if path.result is not None]

    def writer(self) -> tuple[Writer, dict[str, StreamView[str, str]]]:
        """A writer with the operands, what they are transformed into, and the restrictions."""
        writer = Writer(self.time, self.operators, ExtendedLogic())
        streams: dict[str, StreamView[str, str]] = {
            name: writer.stream(name) for operand in self.names for name in (operand, f"{operand}'")
        }
        return self.declared(writer), streams

    def bounds_writer(self) -> Writer:
        """A writer with the restrictions alone."""
        return self.declared(Writer(self.time, self.operators, ExtendedLogic()))

    def declared(self, writer: Writer) -> Writer:
        """The writer, with the restrictions declared."""
        for name in (LIMIT, *(f"bound.{operand}" for operand in self.names)):
            writer.declare(name, SORT[self.time])
            writer.declare(f"{name}.infinite", "Bool")
        if self.operator.bounded:
            writer.declare(BOUND, SORT[self.time])
        return writer

    def natural_bounds(self) -> list[str]:
        """What is assumed of the restrictions: they are times or ∞."""
        assumptions = [f"(<= 0 {LIMIT})", *(f"(<= 0 bound.{operand})" for operand in self.names)]
        return [*assumptions, f"(<= 0 {BOUND})"] if self.operator.bounded else assumptions

    def part(
        self,
        claim: str,
        direction: str,
        words: str,
        path: Path[RuleOutcome],
        outcome: RuleOutcome,
        goal: Callable[[Writer, Mapping[str, StreamView[str, str]], RuleOutcome], str],
    ) -> Obligation:
        """A conclusion about one way through the rule, from the lemma for the operands."""
        writer, streams = self.writer()
        assumptions = self.natural_bounds()
        for operand, under in outcome.calls:
            plain, transformed = streams[operand], streams[f"{operand}'"]
            before, after = self.restrict(writer, plain, under), self.restrict(writer, transformed, under)
            assumptions += [before.each(after.member), after.each(before.member)]
            own = self.restrict(writer, transformed, operand_bound(operand))
            assumptions.append(transformed.each(own.member))
        conclusion = goal(writer, streams, outcome)
        denied = negation(disjunction((negation(path.condition), conclusion)))
        return writer.obligation(claim, direction, words, [*assumptions, denied])

    def restrict(self, writer: Writer, stream: StreamView[str, str], bound: object) -> StreamView[str, str]:
        """The stream with a temporal restriction that may be ∞."""
        return writer.apply("tim", [stream], extended_term(bound))

    def same_meaning(
        self, direction: str
    ) -> Callable[[Writer, Mapping[str, StreamView[str, str]], RuleOutcome], str]:
        """E_τ ≡ E'_τ, one inclusion."""

        def goal(writer: Writer, streams: Mapping[str, StreamView[str, str]], outcome: RuleOutcome) -> str:
            limit = limit_term()
            before = self.restrict(writer, writer.denote(self.expression, streams, extended_term), limit)
            after = self.restrict(writer, writer.denote(outcome.expression, streams, extended_term), limit)
            inner, outer = (before, after) if direction == "⊆" else (after, before)
            return inner.each(outer.member)

        return goal

    def bounded(
        self, writer: Writer, streams: Mapping[str, StreamView[str, str]], outcome: RuleOutcome
    ) -> str:
        """E' ≡ E'_τ' for the bound τ' that is returned."""
        after = writer.denote(outcome.expression, streams, extended_term)
        return after.each(self.restrict(writer, after, outcome.bound).member)

    def labelled(
        self, writer: Writer, streams: Mapping[str, StreamView[str, str]], outcome: RuleOutcome
    ) -> str:
        """B ≡ B_τ for every sequence A;_τ B that the rule makes."""
        goals = []
        for node in bottom_up(outcome.expression):
            if isinstance(node, Identifier) and node.name in self.names:
                return FALSE  # an operand as it was, whose sequences are labelled in no way or wrongly
            if isinstance(node, Operation) and node.operator == "seq":
                right = writer.denote(node.operands[1], streams, extended_term)
                labelled = node.label is not None
                goals.append(
                    right.each(self.restrict(writer, right, node.label).member) if labelled else FALSE
                )
        return conjunction(goals) if goals else TRUE


def limit_term() -> ExtendedTime:
    """The restriction that a rule is given."""
    return ExtendedTime(LIMIT, f"{LIMIT}.infinite")


def operand_bound(operand: str) -> ExtendedTime:
    """The bound that is returned for an operand."""
    return ExtendedTime(f"bound.{operand}", f"bound.{operand}.infinite")


def _words(path: Path[RuleOutcome], outcome: RuleOutcome) -> str:
    conditions = " and ".join(path.conditions) or "always"
    return f"when {conditions}"


def _primitive(time: TimeSort, subject: Subject) -> Obligation:
    """An event type is left as it is, and its instances have length 0."""
    outcome = transform(Identifier("A"), 0, subject.rules)
    claim = EquationClaim(
        LEMMA, parse_equation(f"A <= ({outcome.expression})[{outcome.bound}]"), frozenset("A")
    )
    writer = Writer(time, subject.operators)
    words = "the case of an event type"
    return writer.obligation(
        LEMMA, "primitive", words, equation_assertions(writer, claim, directions(claim)[0])
    )


def _whole(time: TimeSort, operators: Mapping[str, Operator], direction: str) -> Obligation:
    """E ≡ E' follows from E_∞ ≡ E'_∞."""
    writer = Writer(time, operators, ExtendedLogic())
    before, after = writer.stream("E"), writer.stream("E'")
    unrestricted = [writer.apply("tim", [stream], extended_term(UNBOUNDED)) for stream in (before, after)]
    same = [unrestricted[0].each(unrestricted[1].member), unrestricted[1].each(unrestricted[0].member)]
    inner, outer = (before, after) if direction == "⊆" else (after, before)
    words = "E_∞ ≡ E'_∞ implies E ≡ E'"
    return writer.obligation(THEOREM, direction, words, [*same, negation(inner.each(outer.member))])
