"""Faster detectors that are wrong on purpose, as data: the canaries of their campaigns.

Each is a detector of a catalogue, most of them of starts and ends alone, with one symbol altered in what it has beyond
the algorithm of Figure 2, whose own mutants are in `campaigns.mutants.telling`: its static queue, its loops, the
memory of many traces side by side, the gaps of the register machine, its snapshots.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, cast

from detectors.adapters import AnyDetector, AnyFactory, SideBySide, Stretched
from detectors.batches import Batch
from detectors.catalogue import DETECTORS, RECENT_STEPS
from detectors.figure4 import figure4
from detectors.generated import Generated
from detectors.interpreted_loops import InterpretedLoops
from detectors.interval_catalogue import INTERVAL_DETECTORS, STEPS
from detectors.intervals import Snapshot
from detectors.lanes import LaneProgram
from detectors.loops import loop_program
from detectors.programs import START_FUNCTIONS, STATIC_PLACES, start_program
from detectors.register_machine import RegisterMachine
from detectors.start_queue import LINEAR, StartQueue, latest_before, push
from detectors.steps import Step
from detectors.stores import RecentSequenceStep, StaticQueue
from semantics.expressions import Expression, Operation
from semantics.occurrences import Time


@dataclass(frozen=True)
class IntervalMutant:
    """A faster detector that is wrong on purpose; calling it makes the detector, as with any factory.

    Attributes:
        name: its name.
        altered: the name of the detector that it was made from.
        description: what is wrong, in one sentence.
        make: makes a fresh one for a ground expression.
    """

    name: str
    altered: str
    description: str
    make: Callable[[Expression], AnyDetector]

    def __call__(self, expression: Expression) -> AnyDetector:
        """A fresh wrong detector for a ground expression."""
        return self.make(expression)

    @property
    def unaltered(self) -> AnyFactory:
        """The detector without the fault."""
        return DETECTORS.get(self.altered) or INTERVAL_DETECTORS[self.altered]


# ----------------------------------------------------------------------------------------------- queues of starts


def _with_functions(**functions: object) -> Callable[[Expression], Stretched]:
    """Generated code with other functions for its queues."""
    altered = {**START_FUNCTIONS, **functions}

    class Altered(Generated):
        functions = altered

        def __init__(self, expression: Expression) -> None:
            super().__init__(expression, compiles=False)

    return lambda expression: Stretched(expression, Altered)


def _with_program(
    pattern: str, replacement: str | Callable[[re.Match[str]], str]
) -> Callable[[Expression], Stretched]:
    """Generated code with something else in its text."""

    def altered(expression: Expression) -> str:
        return re.sub(pattern, replacement, start_program(expression), flags=re.MULTILINE)

    class Altered(Generated):
        program = staticmethod(altered)

        def __init__(self, expression: Expression) -> None:
            super().__init__(expression, compiles=False)

    return lambda expression: Stretched(expression, Altered)


def _half(place: re.Match[str]) -> str:
    return f"{place[1]}{int(place[2]) >> 1}"


def _latest_until(queue: StartQueue, pushed: int, time: Time) -> Time:
    return latest_before(queue, pushed, time + 1)


def _latest_long_before(queue: StartQueue, pushed: int, time: Time) -> Time:
    return latest_before(queue, pushed, time - 1)


def _latest_nearby(queue: StartQueue, pushed: int, time: Time) -> Time:
    """Without the binary search."""
    size = len(queue) >> 1
    for position in range(pushed - 1, pushed - 1 - LINEAR, -1):
        place = 2 * (position & (size - 1))
        if queue[place + 1] < time:
            return queue[place]
    return -1


def _push_from_start(queue: StartQueue, pushed: int, start: Time, _end: Time) -> None:
    push(queue, pushed, start, start)


class _FewerPlaces(Generated):
    def __init__(self, expression: Expression) -> None:
        super().__init__(expression, compiles=False)
        self._queues = {name: queue[:4] for name, queue in self._queues.items()}


class _OnePlaceLess(RecentSequenceStep):
    def __init__(self, ticks: int) -> None:
        super().__init__(ticks)
        self.queue = StaticQueue(ticks)


def _one_place_less(expression: Expression) -> AnyDetector:
    def sequence(operation: Operation) -> Step:
        label = operation.label
        small = label is not None and 0 < label < STATIC_PLACES
        return _OnePlaceLess(cast(int, label)) if small else RECENT_STEPS["seq"](operation)

    return figure4(expression, {**RECENT_STEPS, "seq": sequence})


class _ForgetsTheNewest(Generated):
    def __init__(self, expression: Expression) -> None:
        super().__init__(expression, compiles=False)

    def restore(self, snapshot: Snapshot) -> None:
        super().restore(snapshot)
        for name in self._queues:
            count = "n" + name[1:]
            self._times[count] = max(0, self._times[count] - 1)
        self._give()


# ------------------------------------------------------------------------------------------------------- loops


def _with_text(pattern: str, replacement: str) -> Callable[[Expression], Stretched]:
    """Loops with something else in their text."""

    def loops(expression: Expression) -> InterpretedLoops:
        text = re.sub(pattern, replacement, loop_program(expression), flags=re.MULTILINE)
        return InterpretedLoops(expression, text=text)

    return lambda expression: Stretched(expression, loops)


# --------------------------------------------------------------------------------------------------------- batch


class _Nearer(ast.NodeTransformer):
    """A start so many ticks ago is taken for one a tick nearer."""

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        (operator,), (other,) = node.ops, node.comparators
        ticks = other.value if isinstance(operator, ast.Eq) and isinstance(other, ast.Constant) else None
        return ast.Compare(node.left, [operator], [ast.Constant(ticks - 1)]) if type(ticks) is int else node


def _altered_program(change: Callable[[LaneProgram], LaneProgram]) -> Callable[[Expression], SideBySide]:
    class Altered(Batch):
        def __init__(self, expression: Expression, traces: int) -> None:
            super().__init__(expression, traces, compiles=False)
            self._program = change(self._program)

    return lambda expression: SideBySide(expression, Altered)


def _nearer(program: LaneProgram) -> LaneProgram:
    body = tuple(_Nearer().visit(copy.deepcopy(statement)) for statement in program.body)
    return replace(program, body=body)


def _first_variable_rests(program: LaneProgram) -> LaneProgram:
    return replace(program, before=program.before[1:])


class _Forgetful(Batch):
    """Begins anew with every call."""

    def __init__(self, expression: Expression, traces: int) -> None:
        super().__init__(expression, traces, compiles=False)

    def run(self, letters: Any, first: Time | None = None, *, out: Any = None) -> Any:
        self._variables = [variable * 0 + self._kind(self.none) for variable in self._variables]
        return super().run(letters, first, out=out)


# ------------------------------------------------------------------------------------------------------- machine


class _Machine(RegisterMachine):
    def __init__(self, expression: Expression) -> None:
        super().__init__(expression, steps=STEPS, compiles=False)


class _WithoutGaps(_Machine):
    def wait(self, gap: int) -> None:
        self._now += gap


class _ShortGaps(_Machine):
    def wait(self, gap: int) -> None:
        super().wait(gap - 1)
        self._now += 1


class _LongGaps(_Machine):
    def wait(self, gap: int) -> None:
        super().wait(gap + 1)
        self._now -= 1


class _EarliestStart(_Machine):
    """Restores the starts of all runs as the earliest one."""

    def place(self, states: tuple[int, ...], starts: tuple[Time, ...], now: Time) -> None:
        super().place(states, starts[:1] * len(starts), now)


_CATALOGUE = (
    IntervalMutant(
        "queue-until",
        "generated",
        "the left instance may end at the instant at which the right one starts",
        _with_functions(latest_before=_latest_until),
    ),
    IntervalMutant(
        "queue-long-before",
        "generated",
        "the left instance has to end two ticks before the right one starts",
        _with_functions(latest_before=_latest_long_before),
    ),
    IntervalMutant(
        "queue-nearby",
        "generated",
        "only the last few candidates are looked at",
        _with_functions(latest_before=_latest_nearby),
    ),
    IntervalMutant(
        "queue-start",
        "generated",
        "a candidate is kept with its start for its end",
        _with_functions(push=_push_from_start),
    ),
    IntervalMutant(
        "short-queue-until",
        "generated",
        "in a search that is written out, an end at the start of the right instance counts",
        _with_program(r"^( +while q\d+\[place\d+\]) >= ", r"\1 > "),
    ),
    IntervalMutant(
        "short-queue-start",
        "generated",
        "in a short queue, a candidate is kept with its start for its end",
        _with_program(r"(place\d+\] = )(\w+)(\n.*\+ 1\] = )time$", r"\1\2\3\2"),
    ),
    IntervalMutant(
        "short-queue-places",
        "generated",
        "a short queue goes round in half of its places",
        _with_program(r"^( +place\d+ = .* & )(\d+)$", _half),
    ),
    IntervalMutant(
        "queue-places",
        "generated",
        "the array of the queue has two places, whatever the label",
        lambda expression: Stretched(expression, _FewerPlaces),
    ),
    IntervalMutant(
        "recent-place",
        "recent",
        "the static array of a sequence has one place less",
        _one_place_less,
    ),
    IntervalMutant(
        "snapshot-newest",
        "generated",
        "a snapshot is restored without the newest candidates",
        lambda expression: Stretched(expression, _ForgetsTheNewest),
    ),
    IntervalMutant(
        "loop-until",
        "generated-loops",
        "in the variables of a short queue, an end at the start of the right instance counts",
        _with_text(r"\b(e\d+_\d+) < ", r"\1 <= "),
    ),
    IntervalMutant(
        "loop-shift",
        "generated-loops",
        "the second place of a short queue does not get what was in the first",
        _with_text(r"^( +)(s\d+_1)(_then_\d+)? = s\d+_0$", r"\1\2\3 = \2"),
    ),
    IntervalMutant(
        "loop-lookup",
        "generated-loops",
        "what is looked up in a column of times may be one tick later",
        _with_text(r"latest_point\((c\d+, hints, \d+, [^()]+)\)", r"latest_point(\1 + 1)"),
    ),
    IntervalMutant(
        "loop-column",
        "generated-loops",
        "in columns of times, the second event type is looked for a tick too late",
        _with_text(r"if h1 == now else -1", "if h1 == now + 1 else -1"),
    ),
    IntervalMutant(
        "batch-nearer",
        "batch",
        "the memory of the last ticks is asked one tick too near",
        _altered_program(_nearer),
    ),
    IntervalMutant(
        "batch-rests",
        "batch",
        "the first variable does not grow older",
        _altered_program(_first_variable_rests),
    ),
    IntervalMutant(
        "batch-forgets",
        "batch",
        "each stretch begins anew",
        lambda expression: SideBySide(expression, _Forgetful),
    ),
    IntervalMutant(
        "register-machine-no-gaps",
        "register-machine",
        "instants without events are passed over",
        lambda expression: Stretched(expression, _WithoutGaps),
    ),
    IntervalMutant(
        "register-machine-short-gaps",
        "register-machine",
        "a gap is one tick too short",
        lambda expression: Stretched(expression, _ShortGaps),
    ),
    IntervalMutant(
        "register-machine-long-gaps",
        "register-machine",
        "a gap is one tick too long",
        lambda expression: Stretched(expression, _LongGaps),
    ),
    IntervalMutant(
        "register-machine-earliest",
        "register-machine",
        "a snapshot is restored with the earliest start in every register",
        lambda expression: Stretched(expression, _EarliestStart),
    ),
)

INTERVAL_MUTANTS: Mapping[str, IntervalMutant] = MappingProxyType(
    {mutant.name: mutant for mutant in _CATALOGUE}
)
"""The mutants by name."""
