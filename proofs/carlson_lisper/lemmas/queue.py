"""The queue of candidates: its contract, and the proof that the queue that runs keeps it (Section 5.3).

A sequence sees its queue as a set of instances. What `push`, `latest_before` and `evict_before` do to that set is the
contract; `SymbolicQueue` is the contract itself, used when a step is executed on symbolic values. That the queue that
runs keeps it is proved in `proofs.carlson_lisper.lemmas.queue_contract`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from detectors.carlson_lisper.source.steps import NON_OCCURRENCE
from smt.carlson_lisper.symbolic import stream_symbol
from smt.execution import Execution, ExecutionFailed, SymbolicCount, SymbolicInstance, SymbolicTime, number
from smt.smtlib import FALSE, conjunction, disjunction, negation

Membership = Callable[[str], str]
"""A set of instances, as the formula that says of an instance whether it belongs."""

SIZE = "size"
"""What the constants are called that say how many instances a queue keeps."""


# ------------------------------------------------------------------------------------------------- the contract


def later_than_all(kept: Membership, pushed: str) -> str:
    """Precondition of `push`: the instance starts and ends later than all that are kept."""
    later = conjunction((f"(< (start x) (start {pushed}))", f"(< (end x) (end {pushed}))"))
    return f"(forall ((x Instance)) {disjunction((negation(kept('x')), later))})"


def is_latest_before(kept: Membership, time: str, found: str | None) -> str:
    """What `latest_before` and `evict_before` return, None standing for ⟨⟩."""
    if found is None:
        return f"(forall ((x Instance)) {disjunction((negation(kept('x')), f'(<= {time} (end x))'))})"
    greatest = disjunction((negation(kept("x")), f"(<= {time} (end x))", f"(<= (start x) (start {found}))"))
    return conjunction((kept(found), f"(< (end {found}) {time})", f"(forall ((x Instance)) {greatest})"))


def same_set(left: Membership, right: Membership) -> str:
    """Two sets have the same members."""
    both = conjunction(
        (disjunction((negation(left("x")), right("x"))), disjunction((negation(right("x")), left("x"))))
    )
    return f"(forall ((x Instance)) {both})"


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

    def pushed(self, instance: str) -> KeptSet:
        """The set after `push`."""
        return KeptSet(self.name, (*self.changes, ("push", instance)))

    def evicted(self, time: str) -> KeptSet:
        """The set after `evict_before`."""
        return KeptSet(self.name, (*self.changes, ("evict", time)))


class SymbolicQueue:
    """A queue of which nothing is known but its contract."""

    def __init__(self, name: str, execution: Execution) -> None:
        """The queue whose set is an arbitrary predicate."""
        self.execution = execution
        self.kept = KeptSet(name)
        self.sizes: dict[KeptSet, str] = {}

    def length(self) -> SymbolicCount:
        """How many instances are kept: a number of which nothing is known but that it is one."""
        if self.kept not in self.sizes:
            self.sizes[self.kept] = self.execution.constant(SIZE, "Int")
            self.execution.facts.append(f"(<= 0 {self.sizes[self.kept]})")
        return SymbolicCount(self.sizes[self.kept], self.execution, natural=True)

    def __bool__(self) -> bool:
        """Not in the contract."""
        raise ExecutionFailed("whether a queue is empty is not in its contract")

    def push(self, instance: object) -> None:
        """Add an instance; that it is later than all others is a duty of the caller."""
        if not isinstance(instance, SymbolicInstance):
            self.execution.require("only instances are kept", FALSE)
            return
        self.execution.require(
            "what is pushed starts and ends later than all that is kept",
            later_than_all(self.kept, instance.term),
        )
        self.kept = self.kept.pushed(instance.term)

    def latest_before(self, time: object) -> object:
        """The instance with the greatest start among those that end before the time, or ⟨⟩."""
        return self._found(_term(time))

    def evict_before(self, time: object) -> object:
        """Forget the instances that end before the time; the one of them with the greatest start, or ⟨⟩."""
        limit = _term(time)
        found = self._found(limit)
        self.kept = self.kept.evicted(limit)
        return found

    def _found(self, time: str) -> object:
        name = self.execution.constant("found", "Instance")
        present = self.execution.constant("present", "Bool")
        found = SymbolicInstance(name, self.execution) if self.execution.decide(present) else NON_OCCURRENCE
        term = None if found is NON_OCCURRENCE else name
        self.execution.facts.append(is_latest_before(self.kept, time, term))
        return found


def _term(value: object) -> str:
    if isinstance(value, SymbolicTime):
        return value.term
    if isinstance(value, int):
        return number(value)
    raise ExecutionFailed(f"{value!r} is no time")
