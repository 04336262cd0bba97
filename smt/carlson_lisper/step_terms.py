"""Code of steps and rules as terms: instances, the non-occurrence, operations, and what such code may name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from detectors.carlson_lisper.source.steps import NON_OCCURRENCE, CandidateQueue
from detectors.carlson_lisper.source.transformation import Transformed
from semantics.carlson_lisper.expressions import Operation, evaluate_bound
from smt.python.interpreter import Interpreter
from smt.python.paths import Execution, Made, Method, NotTranslated, Number, Opaque, Raised, Term, Vocabulary
from smt.smtlib import FALSE, written


@dataclass(frozen=True)
class SymbolicInstance(Opaque):
    """An arbitrary instance, as a term."""

    term: Term

    @property
    def text(self) -> str:
        """The term in SMT-LIB."""
        return written(self.term)

    def attributes(self) -> Mapping[str, Any]:
        times = {name: Number((name, self.term), natural=True) for name in ("start", "end")}
        return {**times, "join": Method(self._join)}

    def _join(self, execution: Execution, other: Any) -> SymbolicInstance:
        if not isinstance(other, SymbolicInstance):
            execution.require("only instances are joined", FALSE)
            return self
        return SymbolicInstance(("join", self.term, other.term))


class Absent(Opaque):
    """The non-occurrence ⟨⟩, which starts and ends at -1, and is joined with nothing."""

    single = True

    def attributes(self) -> Mapping[str, Any]:
        def join(*_: Any) -> None:
            raise Raised("union with ⟨⟩")

        return {"start": -1, "end": -1, "join": Method(join)}


ABSENT = Absent()


@dataclass(frozen=True)
class OperationTerm(Opaque):
    """An operation with an arbitrary bound or label, as the makers of steps and the rules see it."""

    operands: tuple[Any, ...]
    bound: Number | None
    label: Number | float | None = None
    with_label: bool = True

    def attributes(self) -> Mapping[str, Any]:
        found = {"operands": self.operands, "bound": self.bound, "label": self.label}
        return {name: found[name] for name in found if name != "label" or self.with_label}


@dataclass(frozen=True)
class OutcomeTerm(Opaque):
    """A transformed expression with its bound, for `Transformed`."""

    expression: Any
    bound: Any

    def attributes(self) -> Mapping[str, Any]:
        return {"expression": self.expression, "bound": self.bound}


def step_vocabulary(queue: Callable[[Execution], Opaque], absent: Opaque = ABSENT) -> Vocabulary:
    """Vocabulary of steps and their makers, given what stands for a new `CandidateQueue` and for ⟨⟩."""
    return Vocabulary(
        (
            (NON_OCCURRENCE, absent),
            (CandidateQueue, Method(queue)),
            (evaluate_bound, Method(lambda _, bound: bound)),
            (cast, Method(lambda _, kind, value: value)),
            (int, "int"),
        )
    )


def rule_vocabulary(
    operation: Callable[..., object], expressions: type | tuple[type, ...], methods: frozenset[str] = frozenset()
) -> Vocabulary:
    """Vocabulary of the transformation's rules, given what stands for a new operation."""
    return Vocabulary(
        (
            (Transformed, Method(lambda _, expression, bound: OutcomeTerm(expression, bound))),
            (Operation, Method(operation)),
            (evaluate_bound, Method(lambda _, bound: bound)),
        ),
        expressions,
        methods,
    )


def made_step(interpreter: Interpreter, factory: object, operation: OperationTerm) -> Made:
    """The step that a factory makes for an operation; `NotTranslated` if that is something else."""
    made = interpreter.call(interpreter.known(factory), [operation])
    if not isinstance(made, Made):
        raise NotTranslated("what makes the step returns something else")
    return made
