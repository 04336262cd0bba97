"""Wrong programs that differ from right ones only in what a symbolic execution sees: the adversaries of the proofs.

Each is wrong on concrete values. A proof that accepts one of them has a hole.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from detectors.carlson_lisper.source.figure2 import StepFactory
from detectors.carlson_lisper.source.steps import (
    NON_OCCURRENCE,
    BoundedSequenceStep,
    CandidateQueue,
    ConjunctionStep,
    DisjunctionStep,
    NegationStep,
    SequenceStep,
)
from detectors.carlson_lisper.source.transformation import Rule, Transformed, Work, restricted, transform
from semantics.carlson_lisper.expressions import UNBOUNDED, Expression, Label, Operation
from semantics.carlson_lisper.occurrences import Instance, Time


def changed(program: type[Any], **attributes: object) -> type[Any]:
    """A step or a queue with other methods or attributes of its class."""
    return type(f"Changed{program.__name__}", (program,), attributes)


# ------------------------------------------------------------------------------------------------- state elsewhere


class NotesNone(ConjunctionStep):
    """Remembers that it has run in an attribute that it did not have, and whose value is None."""

    def step(self, left: Instance, right: Instance) -> Instance:
        if hasattr(self, "seen"):
            return NON_OCCURRENCE
        self.seen = None
        return super().step(left, right)


class Deletes(ConjunctionStep):
    """Remembers that it has run by an attribute that it no longer has."""

    def __init__(self) -> None:
        super().__init__()
        self.fresh = True

    def step(self, left: Instance, right: Instance) -> Instance:
        if not hasattr(self, "fresh"):
            return NON_OCCURRENCE
        del self.fresh
        return super().step(left, right)


class ChangesAList(ConjunctionStep):
    """Remembers that it has run in a list, which stays the same object."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[Instance] = []

    def step(self, left: Instance, right: Instance) -> Instance:
        self.seen.append(left)
        return NON_OCCURRENCE if len(self.seen) > 1 else super().step(left, right)


class ClassState(ConjunctionStep):
    """Counts in its class."""

    runs: list[int] = []  # noqa: RUF012

    def __init__(self) -> None:
        super().__init__()
        self.runs.clear()

    def step(self, left: Instance, right: Instance) -> Instance:
        self.runs.append(1)
        return NON_OCCURRENCE if len(self.runs) > 1 else super().step(left, right)


def counting_in_a_default_argument() -> StepFactory:
    """A step that counts in a default argument."""

    class Counting(ConjunctionStep):
        def step(self, left: Instance, right: Instance, seen: list[Instance] = []) -> Instance:  # noqa: B006
            seen.append(left)
            return NON_OCCURRENCE if len(seen) > 200 else super().step(left, right)

    return lambda _: Counting()


def sharing_a_queue() -> StepFactory:
    """A step whose queue is that of all steps."""
    one_for_all = CandidateQueue()

    def make(_: Operation) -> SequenceStep:
        step = SequenceStep()
        step.queue = one_for_all
        return step

    return make


def counting_in_a_closure() -> StepFactory:
    """A step that counts in a closure."""
    runs = 0

    class Counting(DisjunctionStep):
        def __init__(self) -> None:
            nonlocal runs
            runs = 0

        def step(self, left: Instance, right: Instance) -> Instance:
            nonlocal runs
            runs += 1
            return left if runs > 1 else super().step(left, right)

    return lambda _: Counting()


# ------------------------------------------------------------------------- what is different about symbolic values


class Identity(ConjunctionStep):
    """Outputs nothing when both operands are one object, as in E + E."""

    def step(self, left: Instance, right: Instance) -> Instance:
        return NON_OCCURRENCE if left is right else super().step(left, right)


class Equality(ConjunctionStep):
    """Outputs nothing when both operands output the same set."""

    def step(self, left: Instance, right: Instance) -> Instance:
        return NON_OCCURRENCE if left == right else super().step(left, right)


class ComparedTruth(DisjunctionStep):
    """Asks whether a comparison is True instead of asking it."""

    def step(self, left: Instance, right: Instance) -> Instance:
        return left if (left.start <= right.start) is True else super().step(left, right)


class ExclusiveOr(NegationStep):
    """Compares two truth values with each other; they are always equal."""

    def step(self, left: Instance, right: Instance) -> Instance:
        output = super().step(left, right)
        if (left.start < right.start) != (not right.start <= left.start):
            return output
        return output if left.start < 0 else NON_OCCURRENCE


class IdenticalTimes(NegationStep):
    """Asks whether two times are one object, as small numbers are."""

    def step(self, left: Instance, right: Instance) -> Instance:
        output = super().step(left, right)
        return NON_OCCURRENCE if left.start is left.end else output


class HashedTime(NegationStep):
    """Looks a time up in a set, by its hash."""

    def step(self, left: Instance, right: Instance) -> Instance:
        output = super().step(left, right)
        return NON_OCCURRENCE if left.start in {self.latest + 1} else output


class Typed(DisjunctionStep):
    """Asks whether it gets instances."""

    def step(self, left: Instance, right: Instance) -> Instance:
        if isinstance(right, Instance) and right is not NON_OCCURRENCE:
            return left
        return super().step(left, right)


class Printed(DisjunctionStep):
    """Reads what an instance looks like."""

    def step(self, left: Instance, right: Instance) -> Instance:
        return left if repr(right).startswith("{") else super().step(left, right)


class Labels(DisjunctionStep):
    """Attaches something to an instance, which instances do not allow."""

    def step(self, left: Instance, right: Instance) -> Instance:
        if left.start >= 0:
            left.seen = True  # type: ignore[attr-defined]
        return super().step(left, right)


class Swallows(ConjunctionStep):
    """Takes another way where the execution fails."""

    def step(self, left: Instance, right: Instance) -> Instance:
        try:
            if left.start >= 0 and left.occurrences is not None:
                return NON_OCCURRENCE
        except Exception:
            pass
        return super().step(left, right)


class EmptyQueue(SequenceStep):
    """Asks whether the queue is empty, and outputs what is no sequence then."""

    def step(self, left: Instance, right: Instance) -> Instance:
        if not self.queue and right.start >= 0:
            super().step(left, right)
            return right
        return super().step(left, right)


class EmptyBoundedQueue(BoundedSequenceStep):
    """Forgets the last one when the queue is empty."""

    def step(self, left: Instance, right: Instance) -> Instance:
        if not self.queue and right.start >= 0:
            super().step(left, right)
            return NON_OCCURRENCE
        return super().step(left, right)


def _made(step: Callable[[], Any]) -> Callable[[], StepFactory]:
    return lambda: lambda _: step()


HIDDEN_STEPS: Mapping[str, tuple[str, Callable[[], StepFactory]]] = {
    "a new attribute that is None": ("lemma:5.3", _made(NotesNone)),
    "a deleted attribute": ("lemma:5.3", _made(Deletes)),
    "a list": ("lemma:5.3", _made(ChangesAList)),
    "state in the class": ("lemma:5.3", _made(ClassState)),
    "state in a default argument": ("lemma:5.3", counting_in_a_default_argument),
    "state in a closure": ("lemma:5.2", counting_in_a_closure),
    "a queue for all": ("lemma:5.5", sharing_a_queue),
    "identity of instances": ("lemma:5.3", _made(Identity)),
    "equality of instances": ("lemma:5.3", _made(Equality)),
    "identity of a truth value": ("lemma:5.2", _made(ComparedTruth)),
    "comparison of truth values": ("lemma:5.4", _made(ExclusiveOr)),
    "identity of times": ("lemma:5.4", _made(IdenticalTimes)),
    "a hashed time": ("lemma:5.4", _made(HashedTime)),
    "the type of an instance": ("lemma:5.2", _made(Typed)),
    "the text of an instance": ("lemma:5.2", _made(Printed)),
    "an attribute of an instance": ("lemma:5.2", _made(Labels)),
    "a swallowed exception": ("lemma:5.3", _made(Swallows)),
    "the truth of a queue": ("lemma:5.5", _made(EmptyQueue)),
    "the truth of a bounded queue": (
        "lemma:5.7",
        lambda: lambda operation: EmptyBoundedQueue(operation.label),  # type: ignore[arg-type]
    ),
}
"""By what they use: the lemma that they violate, and what makes a factory of the step, untouched by earlier runs."""


# --------------------------------------------------------------------------------------------------------- queues


class RaisesWhenEmpty(CandidateQueue):
    """Asks whether a list is empty."""

    def latest_before(self, time: Time) -> Instance:
        if not self._instances:
            raise ValueError
        return super().latest_before(time)


class SearchesAgain(CandidateQueue):
    """Searches a second time, in what is left."""

    def evict_before(self, time: Time) -> Instance:
        position = self._position(self._ends, time)
        if not position:
            return NON_OCCURRENCE
        del self._ends[:position]
        again = self._position(self._ends, time)
        latest = self._instances[again - 1]
        del self._instances[:position]
        return latest


class CountsPushes(CandidateQueue):
    """Takes two instances and no more."""

    def __init__(self) -> None:
        super().__init__()
        self.pushes = 0

    def push(self, instance: Instance) -> None:
        self.pushes += 1
        if self.pushes < 3:
            super().push(instance)


class OtherLists(CandidateQueue):
    """Has other lists afterwards."""

    def push(self, instance: Instance) -> None:
        super().push(instance)
        self._instances = [instance]


HIDDEN_QUEUES: Mapping[str, type[CandidateQueue]] = {
    "the truth of a list": RaisesWhenEmpty,
    "a search after a change": SearchesAgain,
    "state beside the lists": CountsPushes,
    "other lists": OtherLists,
}


# ---------------------------------------------------------------------------------------------------------- rules


def _conjunction_of_an_original(operation: Operation, limit: Label) -> Work:
    yield operation.operands[0], limit
    right = yield operation.operands[1], limit
    return Transformed(operation.operands[0] + right.expression, UNBOUNDED)


def _negation_of_an_original(operation: Operation, limit: Label) -> Work:
    left = yield operation.operands[0], limit
    return Transformed(left.expression - operation.operands[1], left.bound)


def _sequence_of_an_original(operation: Operation, limit: Label) -> Work:
    right = yield operation.operands[1], limit
    if right.bound <= limit:
        operands, label = (operation.operands[0], right.expression), right.bound
    else:
        operands, label = (operation.operands[0], restricted(right.expression, limit)), limit
    return Transformed(Operation("seq", operands, label=label), UNBOUNDED)


def _sequence_that_trusts_a_label(operation: Operation, limit: Label) -> Work:
    left = yield operation.operands[0], limit
    right = yield operation.operands[1], limit
    if operation.label is not None:
        operands, label = (left.expression, right.expression), operation.label
    elif right.bound <= limit:
        operands, label = (left.expression, right.expression), right.bound
    else:
        operands, label = (left.expression, restricted(right.expression, limit)), limit
    return Transformed(Operation("seq", operands, label=label), UNBOUNDED)


def _conjunction_that_looks_inside(operation: Operation, limit: Label) -> Work:
    left = yield operation.operands[0], limit
    right = yield operation.operands[1], limit
    if isinstance(operation.operands[0], Operation):
        return left
    return Transformed(left.expression + right.expression, UNBOUNDED)


def _conjunction_that_compares(operation: Operation, limit: Label) -> Work:
    left = yield operation.operands[0], limit
    right = yield operation.operands[1], limit
    if left.expression == right.expression:
        return left
    return Transformed(left.expression + right.expression, UNBOUNDED)


HIDDEN_RULES: Mapping[str, tuple[str, Rule]] = {
    "an original operand of a conjunction": ("con", _conjunction_of_an_original),
    "an original operand of a negation": ("neg", _negation_of_an_original),
    "an original operand of a sequence": ("seq", _sequence_of_an_original),
    "a label that was there": ("seq", _sequence_that_trusts_a_label),
    "the kind of an operand": ("con", _conjunction_that_looks_inside),
    "equality of operands": ("con", _conjunction_that_compares),
}
"""By what they use: the operator, and the rule."""


def outermost_limit(expression: Expression, limit: Label, rules: Mapping[str, Rule]) -> Transformed:
    """Gives every operand the restriction of the whole, which makes labels longer and nothing wrong."""

    def always_under_it(rule: Rule) -> Rule:
        return lambda operation, _: rule(operation, limit)

    return transform(expression, limit, {name: always_under_it(rule) for name, rule in rules.items()})
