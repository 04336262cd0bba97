"""Theorem 4.1, Corollary 4.4, Lemma 5.1 and Theorem 5.1: congruence, and from valid outputs to valid restrictions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from proofs.carlson_lisper.subject import Subject
from semantics.carlson_lisper.restriction import (
    REM,
    SAME_INTERVALS,
    VALID_ABSENCE,
    VALID_INSTANCE,
    primitive_conditions,
)
from semantics.formulas import Formula, StreamView, rename_streams
from smt.carlson_lisper.obligations import Writer
from smt.carlson_lisper.symbolic import SymbolicLogic
from smt.obligations import Obligation
from smt.smtlib import SORT, TimeSort, conjunction, disjunction, negation

Streams = Mapping[str, StreamView[str, str]]


@dataclass(frozen=True)
class OutputStream:
    """The instances that a detector outputs: { out(τ) | τ ∈ 𝒯, out(τ) ≠ ⟨⟩ } (Def. 5.1).

    Attributes:
        output: the function from times to the instance that is output.
        occurs: the predicate on times: whether something is output.
    """

    logic: SymbolicLogic
    sort: str
    output: str = "out"
    occurs: str = "occurs"

    def at(self, time: str) -> str:
        """Whether something is output at a time."""
        return f"({self.occurs} {time})"

    def instance(self, time: str) -> str:
        """What is output at a time."""
        return f"({self.output} {time})"

    def member(self, element: str) -> str:
        """Whether the instance is output at some time."""
        time = self.logic.fresh("when")
        body = conjunction((f"(<= 0 {time})", self.at(time), self.logic.same(element, self.instance(time))))
        return f"(exists (({time} {self.sort})) {body})"

    def some(self, body: Callable[[str], str]) -> str:
        """Whether something output satisfies the body."""
        time = self.logic.fresh("when")
        inner = conjunction((f"(<= 0 {time})", self.at(time), body(self.instance(time))))
        return f"(exists (({time} {self.sort})) {inner})"

    def each(self, body: Callable[[str], str]) -> str:
        """Whether everything output satisfies the body."""
        time = self.logic.fresh("when")
        inner = disjunction((f"(< {time} 0)", negation(self.at(time)), body(self.instance(time))))
        return f"(forall (({time} {self.sort})) {inner})"


def congruence(time: TimeSort, subject: Subject) -> list[Obligation]:
    """Theorem 4.1: operators of equal streams are equal, both inclusions for each operator."""
    found = []
    for operator in subject.operators.values():
        for direction in ("⊆", "⊇"):
            writer = Writer(time, subject.operators)
            names = ("S", "T")[: operator.arity]
            plain = [writer.stream(name) for name in names]
            primed = [writer.stream(f"{name}'") for name in names]
            same = [
                one.each(other.member) for a, b in zip(plain, primed, strict=True) for one, other in ((a, b), (b, a))
            ]
            bound = writer.parameter("t") if operator.bounded else None
            known = [f"(<= 0 {bound})"] if bound else []
            left, right = (writer.apply(operator.name, plain, bound), writer.apply(operator.name, primed, bound))
            inner, outer = (left, right) if direction == "⊆" else (right, left)
            words = f"a {operator.title} of equal streams is the same stream"
            goal = inner.each(outer.member)
            part = f"{operator.name} {direction}"
            found.append(writer.obligation("theorem:4.1", part, words, [*known, *same, negation(goal)]))
    return found


def corollary(time: TimeSort, subject: Subject) -> list[Obligation]:
    """Corollary 4.4, read with rem(⟦A'⟧, T') as its second hypothesis: what is printed does not use A ≡ A'."""
    found = []
    names = {"S": "T", "T": "T'"}
    parts = zip(("T within T'", "T' within T"), SAME_INTERVALS.conditions, strict=True)
    for part, condition in parts:
        writer = Writer(time)
        streams: Streams = {name: writer.stream(name) for name in ("A", "A'", "T", "T'")}
        same = [streams["A"].each(streams["A'"].member), streams["A'"].each(streams["A"].member)]
        hypotheses = [
            writer.formula(rename_streams(each, {"S": whole, "S'": restricted}), streams)
            for whole, restricted in (("A", "T"), ("A'", "T'"))
            for each in REM.conditions
        ]
        goal = writer.formula(rename_streams(condition, names), streams)
        words = "valid restrictions of equal streams have the same starts and ends"
        found.append(writer.obligation("corollary:4.4", part, words, [*same, *hypotheses, negation(goal)]))
    return found


def valid_outputs(time: TimeSort, subject: Subject) -> list[Obligation]:
    """Lemma 5.1: outputs that are valid at every time form a valid restriction.

    The last two parts are what the lemmas about steps assume of the outputs of their operands; the source takes them
    for granted.
    """
    conditions = [(f"condition {number}", condition) for number, condition in enumerate(REM.conditions, start=1)]
    words = "outputs that are valid at every time form a valid restriction"
    found = []
    for part, condition in conditions:
        writer, stream, output, valid = _valid_output(time)
        goal = writer.formula(condition, {"S": stream, "S'": output})
        found.append(writer.obligation("lemma:5.1", part, words, [valid, negation(goal)]))
    writer, _, output, valid = _valid_output(time)
    at = writer.declare("at", SORT[time])
    goal = _valid_at(writer, output, output, at)
    words = "such outputs are also valid at every time for the stream that they form themselves"
    found.append(writer.obligation("lemma:5.1", "own stream", words, [valid, f"(<= 0 {at})", negation(goal)]))
    return found


def _valid_output(time: TimeSort) -> tuple[Writer, StreamView[str, str], OutputStream, str]:
    """An arbitrary stream and outputs that are valid for it at every time (Def. 5.2)."""
    writer = Writer(time)
    stream = writer.stream("S")
    sort = SORT[time]
    writer.declarations.append(f"(declare-fun out ({sort}) Instance)")
    writer.declarations.append(f"(declare-fun occurs ({sort}) Bool)")
    output = OutputStream(writer.logic, sort)
    when = writer.logic.fresh("when")
    always = f"(forall (({when} {sort})) (=> (<= 0 {when}) {_valid_at(writer, stream, output, when)}))"
    # What follows from it for the times at which instances end: terms in which a solver finds those times.
    at_ends = stream.each(lambda instance: _valid_at(writer, stream, output, f"(end {instance})"))
    return writer, stream, output, conjunction((always, at_ends))


def _valid_at(writer: Writer, stream: StreamView[str, str], output: OutputStream, time: str) -> str:
    """valid(out(τ), S, τ) (Def. 5.2)."""
    present = writer.formula(VALID_INSTANCE, {"S": stream}, {"τ": time}, {"e": output.instance(time)})
    absent = writer.formula(VALID_ABSENCE, {"S": stream}, {"τ": time})
    return conjunction((disjunction((negation(output.at(time)), present)), disjunction((output.at(time), absent))))


def correctness(time: TimeSort, subject: Subject) -> list[Obligation]:
    """Theorem 5.1, the case of an event type: its stream is a valid restriction of itself, by Def. 3.4.

    The other cases are Lemmas 5.2-5.7 and Theorem 4.6, which the theorem's record names.
    """
    found = []
    for number, condition in enumerate(REM.conditions, start=1):
        writer = Writer(time)
        stream = writer.stream("P")
        known: list[Formula] = primitive_conditions(["P"])
        assumptions = [writer.formula(each, {"P": stream}) for each in known]
        goal = writer.formula(condition, {"S": stream, "S'": stream})
        words = "the stream of an event type is a valid restriction of itself"
        found.append(
            writer.obligation("theorem:5.1", f"primitive condition {number}", words, [*assumptions, negation(goal)])
        )
    return found
