"""Detectors that are wrong in rare circumstances, as data: after gaps, with full stores, odd values, names or bounds.

No single stroke in a step makes these faults. Each needs something that cases have to bring about on purpose: a long
trace, a late time, an expression that contains another one twice, an event type that is named almost like another one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TypeAlias

from campaigns.carlson_lisper.mutants.of_intervals import IntervalMutant
from detectors.carlson_lisper.adapters import AnyDetector
from detectors.carlson_lisper.source.figure2 import STEPS, Figure2, StepFactory
from detectors.carlson_lisper.source.figure4 import BOUNDED_STEPS
from detectors.carlson_lisper.source.steps import (
    NON_OCCURRENCE,
    CandidateQueue,
    ConjunctionStep,
    NegationStep,
    RestrictionStep,
    SequenceStep,
    Step,
)
from detectors.carlson_lisper.source.transformation import RULES, Rule, Transformed, Work, transform
from detectors.protocol import NodeState
from semantics.carlson_lisper.expressions import (
    UNBOUNDED,
    Expression,
    Identifier,
    Label,
    Operation,
    evaluate_bound,
    fold,
    identifiers,
)
from semantics.carlson_lisper.occurrences import Instance, Time, Value

# ------------------------------------------------------------------------------------------------------- steps


def _with_step(operator: str, step: StepFactory) -> Callable[[Expression], Figure2]:
    return lambda expression: Figure2(expression, {**STEPS, operator: step})


class _ForgetsAfterGaps(ConjunctionStep):
    __slots__ = ()

    def step(self, left: Instance, right: Instance) -> Instance:
        now = max(left.end, right.end)
        if self.left.end < now - 500:
            self.left = NON_OCCURRENCE
        if self.right.end < now - 500:
            self.right = NON_OCCURRENCE
        return super().step(left, right)


class _ClearedByGaps(CandidateQueue):
    __slots__ = ()

    def push(self, instance: Instance) -> None:
        if self._ends and instance.end > self._ends[-1] + 100:
            self._instances.clear()
            self._ends.clear()
        super().push(instance)


class _Capped(CandidateQueue):
    __slots__ = ()

    def push(self, instance: Instance) -> None:
        super().push(instance)
        del self._instances[:-20], self._ends[:-20]


class _LosesThirtySecond(CandidateQueue):
    __slots__ = ()

    def latest_before(self, time: Time) -> Instance:
        return NON_OCCURRENCE if len(self) == 32 else super().latest_before(time)


def _sequence_with(queue: type[CandidateQueue]) -> Callable[[Expression], Figure2]:
    def step(_: Operation) -> Step:
        result = SequenceStep()
        result.queue = queue()
        return result

    return _with_step("seq", step)


class _ShortTimes(NegationStep):
    __slots__ = ()

    def step(self, left: Instance, right: Instance) -> Instance:
        if right.start >= 0:
            self.latest = max(self.latest, right.start % 2**31)
        return left if self.latest < left.start else NON_OCCURRENCE


class _ShortLengths(RestrictionStep):
    __slots__ = ()

    def step(self, left: Instance, right: Instance) -> Instance:
        return left if (left.end - left.start) % 2**16 <= self.ticks else NON_OCCURRENCE


class _Distinct(ConjunctionStep):
    __slots__ = ()

    def step(self, left: Instance, right: Instance) -> Instance:
        result = super().step(left, right)
        if result.start < 0:
            return result
        other = self.right if right.start <= left.start else self.left
        own = left if right.start <= left.start else right
        return result if own.occurrences == other.occurrences else _joined(own, other)


def _joined(one: Instance, other: Instance) -> Instance:
    return Instance(one.occurrences ^ other.occurrences)


# ----------------------------------------------------------------------------------------------------- instants


class _Altered:
    """Figure 2, fed with other occurrences than there are."""

    def __init__(self, expression: Expression) -> None:
        self._names = sorted(identifiers(expression))
        self._detector = Figure2(expression)
        self._instants = 0

    def occurrences(self, time: Time, occurrences: Mapping[str, Value]) -> Mapping[str, Value]:
        """What it takes for what occurs."""
        return occurrences

    def step(self, time: Time, occurrences: Mapping[str, Value]) -> Instance | None:
        self._instants += 1
        return self._detector.step(time, self.occurrences(time, occurrences))

    def state(self) -> tuple[NodeState, ...]:
        return self._detector.state()


class _FalsyIsNothing(_Altered):
    def occurrences(self, time: Time, occurrences: Mapping[str, Value]) -> Mapping[str, Value]:
        return {name: value for name, value in occurrences.items() if value is None or value}


class _FirstValue(_Altered):
    def __init__(self, expression: Expression) -> None:
        super().__init__(expression)
        self._values: dict[str, Value] = {}

    def occurrences(self, time: Time, occurrences: Mapping[str, Value]) -> Mapping[str, Value]:
        return {name: self._values.setdefault(name, value) for name, value in occurrences.items()}


class _AnyCase(_Altered):
    def occurrences(self, time: Time, occurrences: Mapping[str, Value]) -> Mapping[str, Value]:
        lower = {name.lower(): value for name, value in occurrences.items()}
        return {name: lower[name.lower()] for name in self._names if name.lower() in lower}


class _AnyEnding(_Altered):
    def occurrences(self, time: Time, occurrences: Mapping[str, Value]) -> Mapping[str, Value]:
        found = dict(occurrences)
        for name in self._names:
            for occurring, value in occurrences.items():
                if occurring.startswith(name):
                    found.setdefault(name, value)
        return found


class _ThreeAtOnce(_Altered):
    def occurrences(self, time: Time, occurrences: Mapping[str, Value]) -> Mapping[str, Value]:
        return dict(sorted(occurrences.items())[:3])


class _MissesTheFirst(_Altered):
    def occurrences(self, time: Time, occurrences: Mapping[str, Value]) -> Mapping[str, Value]:
        return {} if self._instants == 1 else occurrences


class _MissesTheFortieth(_Altered):
    def occurrences(self, time: Time, occurrences: Mapping[str, Value]) -> Mapping[str, Value]:
        return {} if self._instants == 40 else occurrences


class _AnewAfterGaps(_Altered):
    def __init__(self, expression: Expression) -> None:
        super().__init__(expression)
        self._last: Time = 0

    def occurrences(self, time: Time, occurrences: Mapping[str, Value]) -> Mapping[str, Value]:
        if time - self._last > 10**5:
            self._detector = Figure2(self._detector.expression)
        self._last = time
        return occurrences


class _StaleForATick(_Altered):
    def __init__(self, expression: Expression) -> None:
        super().__init__(expression)
        self._before: tuple[Time, Mapping[str, Value]] = (0, {})

    def occurrences(self, time: Time, occurrences: Mapping[str, Value]) -> Mapping[str, Value]:
        last, before = self._before
        self._before = (time, occurrences)
        return {**before, **occurrences} if time - last > 30 else occurrences


# -------------------------------------------------------------------------------------------------- expressions


def _of(rewrite: Callable[[Expression], Expression]) -> Callable[[Expression], Figure2]:
    return lambda expression: Figure2(rewrite(expression))


def _sharing(key: Callable[[Operation], object]) -> Callable[[Expression], Expression]:
    """Subexpressions with one key are taken for the same."""

    def rewrite(expression: Expression) -> Expression:
        known: dict[object, Expression] = {}
        return _rebuilt(expression, lambda operation: known.setdefault(key(operation), operation))

    return rewrite


def _rebuilt(expression: Expression, change: Callable[[Operation], Expression]) -> Expression:
    return fold(
        expression,
        Identifier,
        lambda operator, operands, bound: change(Operation(operator, tuple(operands), bound)),
    )


def _outermost_bound(operation: Operation) -> Expression:
    inner = operation.operands[0]
    if operation.operator == "tim" and isinstance(inner, Operation) and inner.operator == "tim":
        return replace(operation, operands=inner.operands)
    return operation


def _without_zero(operation: Operation) -> Expression:
    return operation if operation.operator != "tim" or operation.bound else operation.operands[0]


def _idempotent(operation: Operation) -> Expression:
    left, right = operation.operands[0], operation.operands[-1]
    same = operation.operator == "seq" and left == right and isinstance(left, Operation)
    return left if same else operation


# --------------------------------------------------------------------------------------------- transformation


def _with_rule(operator: str, rule: Rule) -> Callable[[Expression], Figure2]:
    rules = {**RULES, operator: rule}
    return lambda expression: Figure2(transform(expression, rules=rules).expression, BOUNDED_STEPS)


def _label_of_the_left(operation: Operation, limit: Label) -> Work:
    left = yield operation.operands[0], limit
    right = yield operation.operands[1], limit
    label = min(left.bound, right.bound)
    return Transformed(Operation("seq", (left.expression, right.expression), label=label), UNBOUNDED)


def _label_less_one(operation: Operation, limit: Label) -> Work:
    work = RULES["seq"](operation, limit)
    outcome = yield from work
    made = outcome.expression
    assert isinstance(made, Operation)
    label = made.label
    if label is None or label == UNBOUNDED or label == 0:
        return outcome
    return outcome._replace(expression=replace(made, label=int(label) - 1))


def _negation_bounded_on_the_right(operation: Operation, limit: Label) -> Work:
    left = yield operation.operands[0], limit
    right = yield operation.operands[1], min(left.bound, limit, 3)
    return Transformed(left.expression - right.expression, left.bound)


def _restriction_lost(operation: Operation, limit: Label) -> Work:
    operand = yield operation.operands[0], limit
    return operand


_Make: TypeAlias = Callable[[Expression], AnyDetector]

_CATALOGUE: tuple[tuple[str, str, _Make], ...] = (
    (
        "gap-conjunction",
        "what a conjunction remembers is forgotten after 500 ticks",
        _with_step("con", lambda _: _ForgetsAfterGaps()),
    ),
    (
        "gap-queue",
        "the candidates of a sequence are forgotten at the first one after more than 100 ticks",
        _sequence_with(_ClearedByGaps),
    ),
    ("gap-anew", "everything is forgotten after a gap of more than 100,000 ticks", _AnewAfterGaps),
    (
        "gap-stale",
        "after a gap of more than 30 ticks, what occurred before it occurs once more",
        _StaleForATick,
    ),
    ("full-twenty", "a sequence keeps 20 candidates at most", _sequence_with(_Capped)),
    ("full-thirty-two", "a queue with exactly 32 candidates finds none", _sequence_with(_LosesThirtySecond)),
    (
        "time-31-bits",
        "a negation remembers the last 31 bits of a time",
        _with_step("neg", lambda _: _ShortTimes()),
    ),
    (
        "length-16-bits",
        "of the length of an instance, 16 bits are compared with the bound",
        _with_step("tim", lambda operation: _ShortLengths(evaluate_bound(operation.bound or 0))),
    ),
    (
        "join-distinct",
        "occurrences that both sides of a conjunction have get lost",
        _with_step("con", lambda _: _Distinct()),
    ),
    ("value-falsy", "an occurrence with the value 0, false or an empty text is passed over", _FalsyIsNothing),
    ("value-first", "each event type keeps its first value", _FirstValue),
    ("name-case", "capital and small letters are the same in names of event types", _AnyCase),
    (
        "name-beginning",
        "an event type also occurs when one occurs whose name begins with its name",
        _AnyEnding,
    ),
    ("instant-three", "of the occurrences at one instant, three are seen", _ThreeAtOnce),
    ("instant-first", "the first instant is missed", _MissesTheFirst),
    ("instant-fortieth", "the fortieth instant is missed", _MissesTheFortieth),
    (
        "same-but-bound",
        "subexpressions that differ in a bound alone are taken for the same",
        _of(_sharing(lambda operation: (operation.operator, operation.operands))),
    ),
    (
        "same-but-order",
        "subexpressions that differ in the order of operands alone are taken for the same",
        _of(_sharing(lambda operation: (operation.operator, frozenset(operation.operands), operation.bound))),
    ),
    (
        "same-but-operator",
        "conjunctions and sequences of the same operands are taken for the same",
        _of(_sharing(lambda o: (o.operator in ("con", "seq") or o.operator, o.operands, o.bound))),
    ),
    (
        "bound-outermost",
        "of two restrictions, one around the other, the outer one counts",
        _of(lambda expression: _rebuilt(expression, _outermost_bound)),
    ),
    (
        "bound-zero",
        "the bound 0 is taken for none",
        _of(lambda expression: _rebuilt(expression, _without_zero)),
    ),
    (
        "sequence-of-the-same",
        "a compound expression followed by the same one is taken for one of them",
        _of(lambda expression: _rebuilt(expression, _idempotent)),
    ),
)

_LABELS = (
    ("label-less", "the labels of sequences are one tick too small", "seq", _label_less_one),
    ("label-left", "a sequence is labelled by the shorter of its sides", "seq", _label_of_the_left),
    ("label-lost", "a restriction gets lost when it is moved inwards", "tim", _restriction_lost),
    (
        "label-negation",
        "what a negation forbids is restricted to 3 ticks",
        "neg",
        _negation_bounded_on_the_right,
    ),
)

SUBTLE_MUTANTS: Mapping[str, IntervalMutant] = MappingProxyType(
    {name: IntervalMutant(name, "figure2", description, make) for name, description, make in _CATALOGUE}
    | {
        name: IntervalMutant(name, "figure4", description, _with_rule(operator, rule))
        for name, description, operator, rule in _LABELS
    }
)
"""The mutants by name."""
