"""Starts and ends by code generated for one expression."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Protocol, cast

from detectors.carlson_lisper import restoring
from detectors.carlson_lisper.generated.demand import demand
from detectors.carlson_lisper.generated.instants import start_variables
from detectors.carlson_lisper.generated.start_programs import START_FUNCTIONS, start_program
from detectors.carlson_lisper.generated.step_variables import CopiedBySnapshot, kept_variables
from detectors.carlson_lisper.protocol import event_types
from detectors.generated_code import defined
from detectors.protocol import Snapshot
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.occurrences import Time

FORMAT = "remora/generated-detector/3"
"""The version of snapshots."""


class StartStep(Protocol):
    """A step of a detector of starts and ends."""

    def __call__(self, time: Time, letter: int) -> Time:
        """See `IntervalDetector.step`."""


class Generated(CopiedBySnapshot):
    """Detects the starts and ends of any ground expression, in memory that is bounded for each.

    Every start carries the matches that sequences will ask for (`detectors.carlson_lisper.generated.carried`),
    so nothing is queued, whatever the labels are.

    An expression may have any number of event types.

    Attributes:
        names: the event types; the type of bit `i` of a letter is `names[i]`.
    """

    program = staticmethod(start_program)

    def __init__(self, expression: Expression) -> None:
        """Take the initial state; the code is generated when it is first needed."""
        self.expression = expression
        self.names = event_types(expression)
        self._variables = start_variables(demand(expression))
        self._made: list[Callable[..., object]] = []  # none or one; also of those that `fresh` makes
        self._begin()

    def _begin(self) -> None:
        """Take the initial state."""
        self._times = dict.fromkeys(self._variables, -1)

    def made(self) -> tuple[str, Mapping[str, object]]:
        """The text, and the variables that it starts with."""
        return self.program(self.expression), dict.fromkeys(self._variables, -1)

    def _restart(self) -> None:
        vars(self).pop("step", None)
        self._begin()

    @cached_property
    def step(self) -> StartStep:
        """The greatest start of an instance that ends at this instant, or -1; see `IntervalDetector.step`.

        A function that keeps the state in variables of its own. It stays the detector's, however that is fed in
        between, so a loop may hold on to it.
        """
        if not self._made:
            text = self.program(self.expression)
            self._made.append(defined(text, "detector", f"<starts of {self.expression}>", START_FUNCTIONS))
        return cast(StartStep, self._made[0](**self._times))

    def _take(self) -> None:
        """Take the state from the step, if there is one."""
        if "step" in vars(self):
            variables = kept_variables(self.step)
            self._times = {name: variables[name].cell_contents for name in self._variables}

    def _give(self) -> None:
        """Give the state to the step, if there is one."""
        if "step" in vars(self):
            variables = kept_variables(self.step)
            for name, value in self._times.items():
                variables[name].cell_contents = value

    # ------------------------------------------------------------------------------------------------- snapshots

    def snapshot(self) -> Snapshot:
        """The state after the last instant."""
        self._take()
        return {
            "schema": FORMAT,
            "expression": str(self.expression),
            "now": int(self._times["now"]),
            "times": {name: int(self._times[name]) for name in self._variables if name != "now"},
        }

    def restore(self, snapshot: Snapshot) -> None:
        """Go on from a state that a detector for the same expression had.

        Raises:
            InputError: the snapshot belongs to another expression or another kind of detector, or no detector for
                the expression can have been in the state.
        """
        origin = {"schema": FORMAT, "expression": str(self.expression)}
        stored = restoring.members(
            restoring.require_origin(snapshot, origin), "it", (*origin, "now", "times")
        )
        now = restoring.time(stored["now"], "now")
        starts = [name for name in self._variables if name != "now"]
        times = restoring.members(stored["times"], "times", starts)
        restored = {"now": now, **{name: restoring.time(times[name], name, now) for name in starts}}
        for name, time in restored.items():
            start, _, _ = name.rpartition("_")
            if start in restored and max(0, restored[start]) <= time:
                raise restoring.damaged(f"{name}, the match of {start}, does not start before it")
        self._times = restored
        self._give()

    @property
    def bound(self) -> int:
        """How many starts are kept at most."""
        return len(self._variables) - 1

    def stored(self) -> int:
        """How many starts are kept."""
        self._take()
        return sum(time >= 0 for name, time in self._times.items() if name != "now")
