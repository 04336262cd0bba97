"""The register machine: starts and ends of any ground expression in memory that does not depend on the trace.

It is the automaton of the language of latest starts (`register.language`) run from every start that can still matter
(`register.runs`), as a table with one access and a few register moves per instant (`register.table`). That also
holds for unrestricted sequences, for which the source states no bound (Section 5.2): `B ; (P ; T)` needs two starts, no
matter how long the trace is. The price is an automaton whose size depends on the expression: bounds of thousands of
ticks and many event types make it large.
"""

from __future__ import annotations

import copy
from typing import Self

from detectors.carlson_lisper import restoring
from detectors.carlson_lisper.protocol import event_types
from detectors.carlson_lisper.register.language import latest_starts_within
from detectors.carlson_lisper.register.runs import Runs, Size, size
from detectors.carlson_lisper.register.table import MAX_STATES, Table
from detectors.carlson_lisper.register.walk import Walk
from detectors.protocol import Snapshot
from semantics.carlson_lisper.expressions import Expression

MAX_STEPS = 500_000
"""By default, so many steps may be done to build the automaton; some two or three seconds."""

MAX_LOOKED_AT = 20_000
"""By default, so many machine states are looked at to find out how large a machine can become."""

FORMAT = "remora/register-machine/2"
"""The version of snapshots."""


class RegisterMachine(Walk):
    """Detects the starts and ends of a ground expression with finitely many states and registers.

    Attributes:
        names: the event types; the type of bit `i` of a letter is `names[i]`. Further bits are ignored.
        table: the states that were visited, and how often they were forgotten because there were too many.
    """

    def __init__(
        self, expression: Expression, *, steps: int = MAX_STEPS, max_states: int = MAX_STATES
    ) -> None:
        """Build the automaton; the machine's states are found when a trace reaches them.

        Args:
            expression: a ground expression.
            steps: how many steps may be done to build the automaton.
            max_states: how many machine states are remembered at one time. More than that cost time, nothing else.

        Raises:
            InputError: a bound is symbolic.
            LimitExceeded: there are more than 13 event types, or the automaton takes more steps.
        """
        self.expression = expression
        self.names = event_types(expression)
        runs = Runs(latest_starts_within(expression, self.names, steps))
        super().__init__(Table(runs, max_states), len(self.names))

    def fresh(self) -> Self:
        """Another detector for the same expression, in its initial state, that shares the table with this one.

        Detectors that share a table must not run in several threads at one time.
        """
        other = copy.copy(self)
        other.place((), (), -1)
        return other

    # ------------------------------------------------------------------------------------------------ snapshots

    def snapshot(self) -> Snapshot:
        """The state after the last instant: the automaton's states of the runs, their starts, the time."""
        return {
            "schema": FORMAT,
            "expression": str(self.expression),
            "now": self.now,
            "states": list(self.state.states),
            "starts": list(self.starts),
        }

    def restore(self, snapshot: Snapshot) -> None:
        """Go on from a state that a detector for the same expression had; see `IntervalDetector.restore`."""
        origin = {"schema": FORMAT, "expression": str(self.expression)}
        names = (*origin, "now", "states", "starts")
        stored = restoring.members(restoring.require_origin(snapshot, origin), "it", names)
        now = restoring.time(stored["now"], "now")
        starts = restoring.times(stored["starts"], "starts", now)
        states = restoring.items(stored["states"], "states")
        if len(states) != len(starts):
            raise restoring.damaged(f"there are {len(states):,} states and {len(starts):,} starts")
        if any(type(state) is not int for state in states) or not self.table.runs.possible(tuple(states)):
            raise restoring.damaged(f"a register machine for {self.expression} is never in such states")
        self.place(tuple(states), tuple(starts), now)

    # ---------------------------------------------------------------------------------------------------- bounds

    def size(self, limit: int = MAX_LOOKED_AT) -> Size:
        """How large the machine can become on any trace, looking at no more than so many of its states."""
        return size(self.table.runs, limit)
