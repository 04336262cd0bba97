"""Code is looked at before it is executed on symbolic values: what they could not refuse must not occur in it."""

from collections.abc import Callable

import pytest

from detectors.carlson_lisper.source.figure4 import BOUNDED_STEPS
from detectors.carlson_lisper.source.steps import (
    NON_OCCURRENCE,
    BoundedSequenceStep,
    CandidateQueue,
    ConjunctionStep,
    DisjunctionStep,
    NegationStep,
    RestrictionStep,
    SequenceStep,
    Step,
)
from detectors.carlson_lisper.source.transformation import RULES, Transformed, Work
from proofs.carlson_lisper.lemmas.faithfulness import (
    queue_objections,
    rule_objections,
    sharing_objections,
    step_objections,
)
from semantics.carlson_lisper.expressions import Identifier, Label, Operation
from semantics.carlson_lisper.occurrences import Instance
from tests.proofs.carlson_lisper.hidden_programs import HIDDEN_QUEUES, HIDDEN_RULES, HIDDEN_STEPS

RUNNING: list[type[Step]] = [
    DisjunctionStep, ConjunctionStep, NegationStep, SequenceStep, BoundedSequenceStep, RestrictionStep,
]  # fmt: skip

SEEN_BY_SYMBOLIC_VALUES = {
    "the truth of a queue", "the truth of a bounded queue", "the truth of a list", "a search after a change",
    "other lists", "an original operand of a conjunction", "an original operand of a negation",
    "an original operand of a sequence",
}  # fmt: skip
"""What is in the hands of the symbolic values; the code looks harmless."""

SEQUENCE = Operation("seq", (Identifier("a"), Identifier("b")), None, 2)


@pytest.mark.parametrize("kind", RUNNING)
def test_nothing_is_said_against_a_running_step(kind: type[Step]) -> None:
    assert step_objections(kind) == []


def test_nothing_is_said_against_the_running_queue_and_rules() -> None:
    assert queue_objections(CandidateQueue) == []
    assert [words for rule in RULES.values() for words in rule_objections(rule)] == []


@pytest.mark.parametrize("operator", ["dis", "con", "neg", "seq"])
def test_running_steps_share_nothing(operator: str) -> None:
    assert sharing_objections(lambda: BOUNDED_STEPS[operator](SEQUENCE)) == []


@pytest.mark.parametrize("name", [name for name in HIDDEN_STEPS if name not in SEEN_BY_SYMBOLIC_VALUES])
def test_a_step_that_hides_something_is_refused(name: str) -> None:
    factory = HIDDEN_STEPS[name][1]()
    assert step_objections(type(factory(SEQUENCE))) + sharing_objections(lambda: factory(SEQUENCE))


@pytest.mark.parametrize("name", [name for name in HIDDEN_QUEUES if name not in SEEN_BY_SYMBOLIC_VALUES])
def test_a_queue_that_hides_something_is_refused(name: str) -> None:
    assert queue_objections(HIDDEN_QUEUES[name])


@pytest.mark.parametrize("name", [name for name in HIDDEN_RULES if name not in SEEN_BY_SYMBOLIC_VALUES])
def test_a_rule_that_hides_something_is_refused(name: str) -> None:
    assert rule_objections(HIDDEN_RULES[name][1])


def max_of(first: int, second: int) -> int:
    return second


class Shadowed(DisjunctionStep):
    def step(self, left: Instance, right: Instance) -> Instance:
        return right if max(left.start, right.start) == right.start else left


class Loops(ConjunctionStep):
    def step(self, left: Instance, right: Instance) -> Instance:
        for instance in (left, right):
            if instance in (self.left, self.right):
                return NON_OCCURRENCE
        return super().step(left, right)


class Imports(ConjunctionStep):
    def step(self, left: Instance, right: Instance) -> Instance:
        import random

        return left if random.random() < 0.5 else right


class Finally(ConjunctionStep):
    def step(self, left: Instance, right: Instance) -> Instance:
        try:
            return left.join(right)
        finally:
            return left  # noqa: B012, SIM107


class Nested(ConjunctionStep):
    def step(self, left: Instance, right: Instance) -> Instance:
        return (lambda: left)()


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (Loops, "looks into a collection"),
        (Imports, "imports"),
        (Finally, "handles exceptions"),
        (Nested, "defines a function"),
    ],
)
def test_an_objection_says_what_and_where(kind: type[Step], words: str) -> None:
    assert f"{kind.__name__}.step {words}" in step_objections(kind)


def test_a_name_that_no_longer_means_what_python_means_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Shadowed.step uses a 'max' that is not Python's" not in step_objections(Shadowed)
    monkeypatch.setitem(globals(), "max", max_of)
    assert "Shadowed.step uses a 'max' that is not Python's" in step_objections(Shadowed)


def test_a_rule_that_catches_what_its_operands_raise_is_refused() -> None:
    def catches(operation: Operation, limit: Label) -> Work:
        left = yield operation.operands[0], limit
        try:
            return Transformed(left.expression | left.expression, max(left.bound, limit))
        except:  # noqa: E722
            return left

    assert "handles exceptions" in rule_objections(catches)


def test_a_rule_that_is_no_function_is_refused() -> None:
    class Called:
        def __call__(self, operation: Operation, limit: Label) -> Work:
            left = yield operation.operands[0], limit
            return left

    rule: Callable[..., object] = Called()
    assert rule_objections(rule)
