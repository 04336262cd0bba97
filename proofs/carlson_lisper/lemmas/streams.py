"""Streams of obligations that are no predicates: what a detector outputs over time, and sets that a step changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from smt.carlson_lisper.symbolic import SymbolicLogic
from smt.smtlib import conjunction, disjunction, negation


@dataclass(frozen=True)
class DefinedStream:
    """A stream given by what it means to belong."""

    logic: SymbolicLogic
    belongs: Callable[[str], str]
    hint: str = "x"

    def member(self, element: str) -> str:
        """Membership."""
        return self.belongs(element)

    def some(self, body: Callable[[str], str]) -> str:
        """Existence of an instance that satisfies the body."""
        variable = self.logic.fresh(self.hint)
        return f"(exists (({variable} Instance)) {conjunction((self.belongs(variable), body(variable)))})"

    def each(self, body: Callable[[str], str]) -> str:
        """The body for every instance."""
        variable = self.logic.fresh(self.hint)
        inner = disjunction((negation(self.belongs(variable)), body(variable)))
        return f"(forall (({variable} Instance)) {inner})"


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
