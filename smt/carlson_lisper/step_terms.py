"""Steps of detectors as terms: instances, the non-occurrence, and the objects that the code of steps may name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from detectors.carlson_lisper.source.steps import NON_OCCURRENCE, CandidateQueue
from semantics.carlson_lisper.expressions import evaluate_bound
from smt.python_terms import (
    Execution,
    Interpreter,
    Made,
    Method,
    NotTranslated,
    Number,
    Opaque,
    Raised,
    Term,
    Vocabulary,
)
from smt.s_expressions import written
from smt.smtlib import FALSE


@dataclass(frozen=True)
class SymbolicInstance(Opaque):
    """An arbitrary instance, as a term."""

    term: Term

    @property
    def text(self) -> str:
        """The term in SMT-LIB."""
        return written(self.term)

    def attribute(self, name: str, execution: Execution) -> Any:
        """The start, the end, or the union with another instance."""
        if name in ("start", "end"):
            return Number((name, self.term), natural=True)
        return Method(self._join) if name == "join" else super().attribute(name, execution)

    def _join(self, execution: Execution, other: Any) -> SymbolicInstance:
        if not isinstance(other, SymbolicInstance):
            execution.require("only instances are joined", FALSE)
            return self
        return SymbolicInstance(("join", self.term, other.term))


class Absent(Opaque):
    """The non-occurrence ⟨⟩, which starts and ends at -1."""

    single = True

    def attribute(self, name: str, execution: Execution) -> Any:
        """The start or the end; it is joined with nothing."""
        if name in ("start", "end"):
            return -1
        if name == "join":
            raise Raised("union with ⟨⟩")
        return super().attribute(name, execution)


ABSENT = Absent()


@dataclass(frozen=True)
class OperationTerm(Opaque):
    """An operation with an arbitrary bound or label, as the makers of steps and the rules see it."""

    operands: tuple[Any, ...]
    bound: Number | None
    label: Number | float | None = None
    with_label: bool = True

    def attribute(self, name: str, execution: Execution) -> Any:
        """The operands, the bound, or the label where it may be asked for."""
        if name in ("operands", "bound") or (name == "label" and self.with_label):
            return getattr(self, name)
        return super().attribute(name, execution)


def vocabulary(queue: Callable[[Execution], Opaque], absent: Opaque = ABSENT) -> Vocabulary:
    """What steps and their makers may name.

    Args:
        queue: makes what stands for a new `CandidateQueue`.
        absent: what stands for ⟨⟩.
    """
    return Vocabulary(
        (
            (NON_OCCURRENCE, absent),
            (CandidateQueue, Method(queue)),
            (evaluate_bound, Method(lambda _, bound: bound)),
            (cast, Method(lambda _, kind, value: value)),
            (int, "int"),
        )
    )


def made_step(interpreter: Interpreter, factory: object, operation: OperationTerm) -> Made:
    """The step that a factory makes for an operation.

    Raises:
        NotTranslated: it makes something else, or in a way that is not understood.
    """
    made = interpreter.call(interpreter.known(factory), [operation])
    if not isinstance(made, Made):
        raise NotTranslated("what makes the step returns something else")
    return made


def instance_or_none(value: Any) -> SymbolicInstance | None:
    """An instance, or None for ⟨⟩.

    Raises:
        NotTranslated: it is neither.
    """
    if value is ABSENT:
        return None
    if isinstance(value, SymbolicInstance):
        return value
    raise NotTranslated(f"a {type(value).__name__} is neither an instance nor ⟨⟩")
