"""Figures 2 and 4 word for word, with the choices that their print leaves open, to see which of them work.

These are the source's texts, not the detectors of this project: sequences keep a plain list of instances and loop over
all of it, as printed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from math import inf
from typing import Literal

from detectors.carlson_lisper.protocol import instants
from detectors.carlson_lisper.source.figure2 import STEPS
from detectors.carlson_lisper.source.steps import NON_OCCURRENCE, Step
from semantics.carlson_lisper.expressions import Expression, Identifier, Operation, bottom_up
from semantics.carlson_lisper.occurrences import Instance, Interpretation, Occurrence, Stream, Time, interpretation


@dataclass
class PrintedSequence:
    """The sequence of Figure 4; of Figure 2 where the label is ∞, which leaves lᵢ = ⟨⟩.

    Attributes:
        ticks: the greatest length τ' of the right operand's instances, in ticks.
        join_in_loop: whether the conditionals at the end of the second foreach belong to its loop, as printed.
        latest_first: whether loops take the instances of qᵢ, a set, in reverse order.
        q: the instances qᵢ, in the order in which loops take them.
        l: the instance lᵢ.
        t: the time tᵢ.
        copied: how many primitive instances the assignments of the second foreach have copied.
    """

    ticks: float = inf
    join_in_loop: bool = False
    latest_first: bool = False
    q: list[Instance] = field(default_factory=list)
    l: Instance = NON_OCCURRENCE  # noqa: E741  # the source's name
    t: Time = -1
    copied: int = 0

    def execute(self, now: Time, left: Instance, right: Instance) -> Instance:
        """Execute the lines of the figure at an instant; returns aᵢ."""
        for e in self._loop():
            if e.end < now - self.ticks:
                self.q.remove(e)
                self.l = e
        found: Instance = NON_OCCURRENCE
        if right is not NON_OCCURRENCE:
            for e in self._loop():
                if e.end < right.start and found.start < e.start:
                    found = e
                    self.copied += len(e.occurrences)
                if self.join_in_loop:
                    found = self._joined(found, right)
            if not self.join_in_loop:
                found = self._joined(found, right)
        if self.t < left.start:
            self.q.append(left)
            self.t = left.start
        return found

    def _loop(self) -> list[Instance]:
        return self.q[::-1] if self.latest_first else list(self.q)

    def _joined(self, found: Instance, right: Instance) -> Instance:
        found = self.l if found is NON_OCCURRENCE else found
        return found if found is NON_OCCURRENCE else right.join(found)


Execution = Literal["every instant", "instants with occurrences"]


class PrintedAlgorithm:
    """Figure 2 with a choice for its sequences."""

    def __init__(self, expression: Expression, sequence: Callable[[Operation], PrintedSequence]) -> None:
        self.parts = bottom_up(expression)
        self.number = {part: index for index, part in enumerate(self.parts)}
        operations = {index: part for index, part in enumerate(self.parts) if isinstance(part, Operation)}
        self.sequences = {index: sequence(part) for index, part in operations.items() if part.operator == "seq"}
        self.steps: dict[int, Step] = {
            index: STEPS[part.operator](part) for index, part in operations.items() if part.operator != "seq"
        }

    def execute(self, now: Time, occurring: Mapping[str, object]) -> Instance:
        """Execute it once; returns the output aₘ."""
        current: list[Instance] = []
        for index, part in enumerate(self.parts):
            if isinstance(part, Operation):
                left, right = (current[self.number[o]] for o in (part.operands[0], part.operands[-1]))
                if index in self.sequences:
                    current.append(self.sequences[index].execute(now, left, right))
                else:
                    current.append(self.steps[index].step(left, right))
            elif isinstance(part, Identifier):
                occurs = part.name in occurring
                current.append(Instance.primitive(part.name, now) if occurs else NON_OCCURRENCE)
        return current[-1]

    def run(self, scenario: Interpretation, execution: Execution = "every instant") -> Stream:
        """All outputs over a scenario, up to its last occurrence."""
        occurring = dict(instants(scenario))
        last = max(occurring, default=-1)
        times: Iterable[Time] = range(last + 1) if execution == "every instant" else sorted(occurring)
        outputs = [self.execute(time, occurring.get(time, {})) for time in times]
        return frozenset(output for output in outputs if output is not NON_OCCURRENCE)


def all_scenarios(names: Iterable[str], length: int) -> Iterator[Interpretation]:
    """Every interpretation of some event types over the instants 0 to `length` - 1."""
    places = [(name, time) for time in range(length) for name in names]
    for chosen in product((False, True), repeat=len(places)):
        listed = zip(places, chosen, strict=True)
        yield interpretation(Occurrence(name, time) for (name, time), occurs in listed if occurs)
