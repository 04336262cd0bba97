"""The algorithm of Figure 2: one pass over the subexpressions, bottom-up, at every instant with occurrences.

With the sequences of Figure 4, on the transformed expression, memory is bounded where the source allows it.
"""

from collections.abc import Callable, Mapping
from typing import cast

from detectors.carlson_lisper.protocol import of_operator
from detectors.carlson_lisper.snapshots import restored, snapshot_of
from detectors.carlson_lisper.source.steps import (
    NON_OCCURRENCE,
    BoundedSequenceStep,
    ConjunctionStep,
    DisjunctionStep,
    NegationStep,
    RestrictionStep,
    SequenceStep,
    Step,
)
from detectors.carlson_lisper.source.transformation import transform
from detectors.protocol import NodeState, Snapshot
from semantics.carlson_lisper.expressions import UNBOUNDED, Expression, Identifier, Operation, bottom_up, evaluate_bound
from semantics.carlson_lisper.occurrences import Instance, Time, Value

StepFactory = Callable[[Operation], Step]

STEPS: Mapping[str, StepFactory] = {
    "dis": lambda _: DisjunctionStep(),
    "con": lambda _: ConjunctionStep(),
    "neg": lambda _: NegationStep(),
    "seq": lambda _: SequenceStep(),
    "tim": lambda operation: RestrictionStep(evaluate_bound(0 if operation.bound is None else operation.bound)),
}
"""The step of each operator, by the operator's name."""


class Figure2:
    """Detects any ground expression with whole instances, as printed in Figure 2 of the source.

    Equal subexpressions are computed once. The disjunction, conjunction, negation and restriction keep a bounded
    number of instances; the source states no bound for its sequence (Section 5.2).
    """

    def __init__(self, expression: Expression, steps: Mapping[str, StepFactory] = STEPS) -> None:
        """Take the initial state; other steps of operators build detectors that differ in these."""
        self.expression = expression
        self._factories = steps
        self._parts = bottom_up(expression)
        number = {part: index for index, part in enumerate(self._parts)}
        self._current: list[Instance] = [NON_OCCURRENCE] * len(self._parts)
        self._inputs: list[tuple[int, str]] = []
        self._steps: list[tuple[int, Step]] = []
        self._program: list[tuple[int, Callable[[Instance, Instance], Instance], int, int]] = []
        for index, part in enumerate(self._parts):
            if isinstance(part, Operation):
                step = of_operator(steps, part)(part)
                operands = [number[operand] for operand in part.operands]
                self._steps.append((index, step))
                self._program.append((index, step.step, operands[0], operands[-1]))
            elif isinstance(part, Identifier):
                self._inputs.append((index, part.name))
        self._now: Time = -1

    def step(self, time: Time, occurrences: Mapping[str, Value]) -> Instance | None:
        """The current instance of the expression at an instant; see `Detector.step`."""
        if time <= self._now:
            raise ValueError(f"time {time} is not later than time {self._now} of the step before")
        self._now = time
        current = self._current
        for index, name in self._inputs:
            if name in occurrences:
                current[index] = Instance.primitive(name, time, occurrences[name])
            else:
                current[index] = NON_OCCURRENCE
        for index, step, left, right in self._program:
            current[index] = step(current[left], current[right])
        result = current[-1]
        return None if result is NON_OCCURRENCE else result

    def state(self) -> tuple[NodeState, ...]:
        """What is remembered now, by subexpression."""
        return tuple(
            NodeState(index + 1, self._parts[index], step.variables(), step.stored(), step.bound)
            for index, step in self._steps
        )

    def snapshot(self) -> Snapshot:
        """The state after the last step."""
        return snapshot_of("figure2", self.expression, self._now, self._variables())

    def restore(self, snapshot: Snapshot) -> None:
        """Go on from a state of a detector for the expression; `InputError` where it is another one's, or damaged."""
        fresh = Figure2(self.expression, self._factories)
        now, values = restored(snapshot, "figure2", self.expression, fresh._variables())
        self._now = now
        for number, step in self._steps:
            for name, attribute in step.VARIABLES.items():
                setattr(step, attribute, values[f"{name}{number + 1}"])

    def _variables(self) -> dict[str, object]:
        """The auxiliary variables of all steps by the source's names: `t3`, `q5`."""
        return {
            f"{name}{number + 1}": value for number, step in self._steps for name, value in step.variables().items()
        }


def _sequence(operation: Operation) -> Step:
    if operation.label is None:
        raise ValueError(f"the sequence {operation} has no label; only transformed expressions have")
    if operation.label == UNBOUNDED:
        return SequenceStep()
    return BoundedSequenceStep(cast(int, operation.label))


BOUNDED_STEPS: Mapping[str, StepFactory] = {**STEPS, "seq": _sequence}
"""The steps of Figure 2, with Figure 4 for the sequences whose label is finite."""


def figure4(expression: Expression) -> Figure2:
    """A detector that stores as little as Section 6 allows; labels are set by the transformation alone."""
    return Figure2(transform(expression).expression, BOUNDED_STEPS)
