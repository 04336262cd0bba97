"""Figure 3: the algorithm simplified for one expression, as generated code that works with whole instances."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from detectors.carlson_lisper.generated.parts import parts
from detectors.carlson_lisper.generated.programs import GENERATED_STEPS, instance_program, instance_variables
from detectors.carlson_lisper.generated.step_variables import CopiedBySnapshot, kept_variables
from detectors.carlson_lisper.protocol import Shown
from detectors.carlson_lisper.snapshots import restored, snapshot_of
from detectors.carlson_lisper.source.steps import NON_OCCURRENCE, NonOccurrence
from detectors.generated_code import defined
from detectors.protocol import NodeState, Snapshot
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.occurrences import Instance, Time, Value

_Step = Callable[[Time, Mapping[str, Value]], Instance]


class Figure3(CopiedBySnapshot):
    """Detects any ground expression with whole instances by code made for it."""

    def __init__(self, expression: Expression) -> None:
        """Generate the code and put it into its initial state."""
        self.expression = expression
        self.code = instance_program(expression)
        self._parts = parts(expression, GENERATED_STEPS)
        self._function = defined(self.code, "detector", f"<Figure 3 of {expression}>", {})
        self._restart()

    def _restart(self) -> None:
        self._now: Time = -1
        self._start(self.made()[1])

    def made(self) -> tuple[str, Mapping[str, object]]:
        """The text that runs, and fresh variables that it starts with."""
        return self.code, instance_variables(parts(self.expression, GENERATED_STEPS))

    def _start(self, variables: Mapping[str, object]) -> None:
        self._step = cast(_Step, self._function(NON_OCCURRENCE, Instance.primitive, *variables.values()))

    def step(self, time: Time, occurrences: Mapping[str, Value]) -> Instance | None:
        """The current instance of the expression at an instant; see `Detector.step`."""
        if time <= self._now:
            raise ValueError(f"time {time} is not later than time {self._now} of the step before")
        self._now = time
        result = self._step(time, occurrences)
        return None if result is NON_OCCURRENCE else result

    def state(self) -> tuple[NodeState, ...]:
        """What is remembered now, by subexpression."""
        kept = kept_variables(self._step)
        states = []
        for part in self._parts:
            if part.place is None:
                continue
            variables = {
                name: kept[part.place.variable(name)].cell_contents for name in part.place.step.variables()
            }
            stored = sum(_stored(value) for value in variables.values())
            states.append(
                NodeState(part.number, part.expression, Shown(variables), stored, part.place.step.bound)
            )
        return tuple(states)

    def snapshot(self) -> Snapshot:
        """The state after the last step."""
        kept = kept_variables(self._step)
        variables = {name: kept[name].cell_contents for name in instance_variables(self._parts)}
        return snapshot_of("figure3", self.expression, self._now, variables)

    def restore(self, snapshot: Snapshot) -> None:
        """Go on from a state that a detector for the same expression had.

        Raises:
            InputError: the snapshot is another detector's, or damaged.
        """
        fresh = instance_variables(parts(self.expression, GENERATED_STEPS))
        self._now, variables = restored(snapshot, "figure3", self.expression, fresh)
        self._start(variables)


def _stored(value: object) -> int:
    """How many instances a variable keeps."""
    if isinstance(value, Instance):
        return 0 if isinstance(value, NonOccurrence) else 1
    return 0 if isinstance(value, int) else len(value)  # type: ignore[arg-type]
