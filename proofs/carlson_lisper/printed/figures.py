"""Figures 2 and 4 word for word, with the choices that their print leaves open, to see which of them work.

These are the source's texts, not the detectors of this project: sequences keep a plain list of instances and loop over
all of it, as printed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Literal, Protocol

from detectors.carlson_lisper.protocol import instants
from detectors.carlson_lisper.source.figure2 import STEPS
from detectors.carlson_lisper.source.steps import NON_OCCURRENCE, Step
from semantics.carlson_lisper.expressions import Expression, Identifier, Operation, bottom_up
from semantics.carlson_lisper.occurrences import Instance, Interpretation, Occurrence, Stream, Time, interpretation


class SequenceText(Protocol):
    """A printed algorithm for the sequence."""

    def execute(self, now: Time, left: Instance, right: Instance) -> Instance:
        """Execute it at an instant; returns aᵢ."""


@dataclass
class Figure2Sequence:
    """The sequence of Figure 2.

    Attributes:
        join_in_loop: whether the last conditional of the foreach's indentation belongs to the loop, as printed.
        q: the instances qᵢ, in the order in which the loop takes them.
        t: the time tᵢ.
    """

    join_in_loop: bool
    q: list[Instance] = field(default_factory=list)
    t: Time = -1

    def execute(self, now: Time, left: Instance, right: Instance) -> Instance:
        """The lines of the figure."""
        found: Instance = NON_OCCURRENCE
        if right is not NON_OCCURRENCE:
            for e in self.q:
                if e.end < right.start and found.start < e.start:
                    found = e
                if self.join_in_loop and found is not NON_OCCURRENCE:
                    found = right.join(found)
            if not self.join_in_loop and found is not NON_OCCURRENCE:
                found = right.join(found)
        if self.t < left.start:
            self.q.append(left)
            self.t = left.start
        return found


@dataclass
class Figure4Sequence:
    """Figure 4.

    Attributes:
        ticks: the greatest length τ' of the right operand's instances, in ticks.
        join_in_loop: whether the conditionals after the second foreach belong to its loop, as printed.
        q: the instances qᵢ, in the order in which loops take them.
        l: the instance lᵢ.
        t: the time tᵢ.
        latest_first: whether loops take the instances of qᵢ, a set, in reverse order.
        most: the greatest number of instances that qᵢ ever had.
        copied: how many primitive instances the assignments of the second foreach have copied.
    """

    ticks: int
    join_in_loop: bool = False
    latest_first: bool = False
    q: list[Instance] = field(default_factory=list)
    l: Instance = NON_OCCURRENCE  # noqa: E741  # the source's name
    t: Time = -1
    most: int = 0
    copied: int = 0

    def execute(self, now: Time, left: Instance, right: Instance) -> Instance:
        """The lines of the figure."""
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
        self.most = max(self.most, len(self.q))
        return found

    def _loop(self) -> list[Instance]:
        return self.q[::-1] if self.latest_first else list(self.q)

    def _joined(self, found: Instance, right: Instance) -> Instance:
        if found is NON_OCCURRENCE:
            found = self.l
        return found if found is NON_OCCURRENCE else right.join(found)


SequenceFactory = Callable[[Operation], SequenceText]
Execution = Literal["every instant", "instants with occurrences"]


class PrintedAlgorithm:
    """Figure 2 with a choice for its sequences."""

    def __init__(self, expression: Expression, sequence: SequenceFactory) -> None:
        self.parts = bottom_up(expression)
        self.number = {part: index for index, part in enumerate(self.parts)}
        self.sequences: dict[int, SequenceText] = {}
        self.steps: dict[int, Step] = {}
        for index, part in enumerate(self.parts):
            if isinstance(part, Operation) and part.operator == "seq":
                self.sequences[index] = sequence(part)
            elif isinstance(part, Operation):
                self.steps[index] = STEPS[part.operator](part)

    def execute(self, now: Time, occurring: Mapping[str, object]) -> Instance:
        """Execute it once; returns the output aₘ."""
        current: list[Instance] = []
        for index, part in enumerate(self.parts):
            if isinstance(part, Identifier):
                occurs = part.name in occurring
                current.append(
                    Instance.primitive(part.name, now, occurring[part.name])  # type: ignore[arg-type]
                    if occurs
                    else NON_OCCURRENCE
                )
            elif isinstance(part, Operation):
                left, right = (current[self.number[o]] for o in (part.operands[0], part.operands[-1]))
                if index in self.sequences:
                    current.append(self.sequences[index].execute(now, left, right))
                else:
                    current.append(self.steps[index].step(left, right))
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
        yield interpretation(
            Occurrence(name, time) for (name, time), occurs in zip(places, chosen, strict=True) if occurs
        )
