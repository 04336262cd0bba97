"""Steps of detectors as terms: instances, the non-occurrence, and the objects that the code of steps may name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from detectors.carlson_lisper.source.steps import NON_OCCURRENCE, CandidateQueue
from semantics.carlson_lisper.expressions import evaluate_bound
from smt.carlson_lisper.symbolic import stream_symbol
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
    numeral,
)
from smt.s_expressions import written
from smt.smtlib import FALSE, conjunction, disjunction, negation


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
    """Vocabulary of steps and their makers.

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


def instance_or_none(value: Any) -> str | None:
    """An instance as a term in SMT-LIB, or None for ⟨⟩.

    Raises:
        NotTranslated: it is neither.
    """
    if value is ABSENT:
        return None
    if isinstance(value, SymbolicInstance):
        return value.text
    raise NotTranslated(f"a {type(value).__name__} is neither an instance nor ⟨⟩")


# ------------------------------------------------------------------------------------------- the contract of the queue


@dataclass(frozen=True)
class KeptSet:
    """The set of instances in a queue: an arbitrary one, or what `push` and `evict_before` made of it.

    Attributes:
        name: the predicate of the arbitrary set at the beginning; "" for the empty set.
        changes: what was done since: `("push", instance)` or `("evict", time)`.
    """

    name: str
    changes: tuple[tuple[str, str], ...] = ()

    def __call__(self, element: str) -> str:
        """Whether an instance is kept."""
        belongs = f"({stream_symbol(self.name)} {element})" if self.name else FALSE
        for change, term in self.changes:
            if change == "push":
                belongs = disjunction((belongs, f"(= {element} {term})"))
            else:
                belongs = conjunction((belongs, f"(<= {term} (end {element}))"))
        return belongs

    def each(self, *conclusions: str) -> str:
        """One of the conclusions holds of every instance `x` that is kept."""
        return f"(forall ((x Instance)) {disjunction((negation(self('x')), *conclusions))})"


class SymbolicQueue(Opaque):
    """A queue of which nothing is known but its contract, which the kernel proves of `CandidateQueue`."""

    def __init__(self, name: str, execution: Execution) -> None:
        """The queue whose set is an arbitrary predicate, or empty."""
        self.kept = KeptSet(name)

    def attribute(self, name: str, execution: Execution) -> Any:
        """The methods of the contract."""
        methods = {"push": self._push, "latest_before": self._latest, "evict_before": self._evict}
        return Method(methods[name]) if name in methods else super().attribute(name, execution)

    def _push(self, execution: Execution, instance: Any) -> None:
        """Add an instance; that it is later than all others is a duty of the caller."""
        if not isinstance(instance, SymbolicInstance):
            execution.require("only instances are kept", FALSE)
            return
        pushed = instance.text
        later = conjunction((f"(< (start x) (start {pushed}))", f"(< (end x) (end {pushed}))"))
        execution.require("what is pushed starts and ends later than all that is kept", self.kept.each(later))
        self._change("push", pushed)

    def _latest(self, execution: Execution, time: Any) -> Opaque:
        """The instance with the greatest start among those that end before the time, or ⟨⟩."""
        at = _time(time)
        name = execution.constant("found", "Instance")
        if not execution.decide(execution.constant("present", "Bool")):
            execution.facts.append(self.kept.each(f"(<= {at} (end x))"))
            return ABSENT
        greatest = self.kept.each(f"(<= {at} (end x))", f"(<= (start x) (start {name}))")
        execution.facts.append(conjunction((self.kept(name), f"(< (end {name}) {at})", greatest)))
        return SymbolicInstance(name)

    def _evict(self, execution: Execution, time: Any) -> Opaque:
        """Forget the instances that end before the time; what `latest_before` finds."""
        found = self._latest(execution, time)
        self._change("evict", _time(time))
        return found

    def _change(self, kind: str, term: str) -> None:
        self.kept = KeptSet(self.kept.name, (*self.kept.changes, (kind, term)))


def _time(value: Any) -> str:
    if isinstance(value, Number) and value.infinite == FALSE:
        return value.text
    if type(value) is int:
        return written(numeral(value))
    raise NotTranslated("a queue is asked about something that is no time")
