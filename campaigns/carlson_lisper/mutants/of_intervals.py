"""Faster detectors that are wrong on purpose, as data: the canaries of their campaigns.

Each is a detector of a catalogue, most of them of starts and ends alone, with one symbol altered in what it has beyond
the algorithm of Figure 2, whose own mutants are in `campaigns.carlson_lisper.mutants.telling`: the matches
that it carries, its loops, the memory of many traces side by side, the gaps of the register machine, its snapshots.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, cast

from detectors.carlson_lisper.adapters import AnyDetector, AnyFactory, SideBySide, Stretched
from detectors.carlson_lisper.catalogue import DETECTORS, INTERVAL_DETECTORS, RECENT_STEPS, STEPS
from detectors.carlson_lisper.fast.batches import Batch
from detectors.carlson_lisper.fast.lanes import LaneProgram
from detectors.carlson_lisper.fast.loops import loop_program
from detectors.carlson_lisper.generated.generated import Generated
from detectors.carlson_lisper.generated.interpreted_loops import InterpretedLoops
from detectors.carlson_lisper.generated.programs import STATIC_PLACES
from detectors.carlson_lisper.generated.start_programs import start_program
from detectors.carlson_lisper.intervals import Snapshot
from detectors.carlson_lisper.register.machine import RegisterMachine
from detectors.carlson_lisper.source.figure4 import figure4
from detectors.carlson_lisper.source.steps import Step
from detectors.carlson_lisper.source.stores import RecentSequenceStep, StaticQueue
from semantics.carlson_lisper.expressions import Expression, Operation
from semantics.carlson_lisper.occurrences import Time


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


# --------------------------------------------------------------------------------------------- starts and matches


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


class _ForgetsMatches(Generated):
    def __init__(self, expression: Expression) -> None:
        super().__init__(expression, compiles=False)

    def restore(self, snapshot: Snapshot) -> None:
        super().restore(snapshot)
        self._times = {name: -1 if "_" in name else time for name, time in self._times.items()}
        self._give()


# ------------------------------------------------------------------------------------------------------- loops


def _with_text(pattern: str, replacement: str) -> Callable[[Expression], Stretched]:
    """Loops with something else in their text."""

    def loops(expression: Expression) -> InterpretedLoops:
        text = re.sub(pattern, replacement, loop_program(expression), flags=re.MULTILINE)
        return InterpretedLoops(expression, text=text)

    return lambda expression: Stretched(expression, loops)


# --------------------------------------------------------------------------------------------------------- batch


class _Shorter(ast.NodeTransformer):
    """Bounds are a tick shorter."""

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        (operator,), (other,) = node.ops, node.comparators
        ticks = other.value if isinstance(operator, ast.LtE) and isinstance(other, ast.Constant) else None
        return ast.Compare(node.left, [operator], [ast.Constant(ticks - 1)]) if type(ticks) is int else node


def _altered_program(change: Callable[[LaneProgram], LaneProgram]) -> Callable[[Expression], SideBySide]:
    class Altered(Batch):
        def __init__(self, expression: Expression, traces: int) -> None:
            super().__init__(expression, traces, compiles=False)
            self._program = change(self._program)

    return lambda expression: SideBySide(expression, Altered)


def _shorter(program: LaneProgram) -> LaneProgram:
    body = tuple(_Shorter().visit(copy.deepcopy(statement)) for statement in program.body)
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
        super().__init__(expression, steps=STEPS)


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
        "match-now",
        "generated",
        "the match of what occurs now starts now",
        _with_program(r"^( +\w+_\d+ = )t\d+$", r"\1time"),
    ),
    IntervalMutant(
        "match-stale",
        "generated",
        "what is remembered keeps the match of what was remembered before",
        _with_program(r"^ +[lrt]\d+_\d+ = .*\n", ""),
    ),
    IntervalMutant(
        "match-of-match",
        "generated",
        "the match that a match carries is not renewed with it",
        _with_program(r"^ +[lrt]\d+_\d+_\d+ = .*\n", ""),
    ),
    IntervalMutant(
        "match-other-side",
        "generated",
        "what starts with the left side of a conjunction has the match of the right one",
        _with_program(r"^( +a\d+_\w+ = )l(\d+_)", r"\1r\2"),
    ),
    IntervalMutant(
        "match-of-refused",
        "generated",
        "a restriction lets the match of what is too long pass",
        _with_program(
            r"^( +)((?:el)?if time - \w+ <= \d+:\n(?:\1    .*\n)*?\1    (\w+_\d+) = (\w+)\n(?:\1    .*\n)*?"
            r"\1else:\n(?:\1    .*\n)*?\1    \3 = )-1$",
            r"\1\2\4",
        ),
    ),
    IntervalMutant(
        "match-first",
        "generated",
        "the first match stays for ever",
        _with_program(r"^( +)([lrt]\d+_\d+) = (t\d+)$", r"\1\2 = \3 if \2 < 0 else \2"),
    ),
    IntervalMutant(
        "snapshot-matches",
        "generated",
        "a snapshot is restored without the matches",
        lambda expression: Stretched(expression, _ForgetsMatches),
    ),
    IntervalMutant(
        "recent-place",
        "recent",
        "the static array of a sequence has one place less",
        _one_place_less,
    ),
    IntervalMutant(
        "loop-before",
        "generated-loops",
        "what came before a stretch is no match for what ends in it",
        _with_text(r"^( +a\d+ = )\w+(\n(?: +a\d+_\w+ = \w+\n)* +point = )", r"\1-1\2"),
    ),
    IntervalMutant(
        "loop-after",
        "generated-loops",
        "what was looked up in a stretch is no match for what comes after it",
        _with_text(r"^( +)if \w+ < point:\n( +)(\w+) = point$", r"\1if point < -1:\n\2\3 = point"),
    ),
    IntervalMutant(
        "loop-matches",
        "generated-loops",
        "what was looked up in a stretch gets no new matches",
        _with_text(r"^( +)if \w+_\d+ < point:", r"\1if point < -1:"),
    ),
    IntervalMutant(
        "loop-point",
        "generated-loops",
        "after a stretch, what was looked up in it is taken even if there was nothing",
        _with_text(r"^( +)if (\w+) < point:", r"\1if \2 != point:"),
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
        _with_text(r"\(h1 == now\)", "(h1 == now + 1)"),
    ),
    IntervalMutant(
        "batch-shorter",
        "batch",
        "what is as long as a bound is too long",
        _altered_program(_shorter),
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
