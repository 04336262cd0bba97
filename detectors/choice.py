"""Which detector to take for an expression and an input: the one that is expected to be done first.

Candidates are data: what they are for, what they cost, what stands in their way. A cost is a straight line, the
seconds before the first instant and those for each instant, so with more instants the choice never goes back to a
detector that is slower per instant. `benchmarks.choice` measures the constants, and how much worse than the best
the choice is.

Nothing heavy is imported before a candidate needs it: whole instances are found without arrays.

Memory comes before time where the input may be so long that a queue without a bound would fill it: a sequence whose
label is ∞ is then left to the register machine, if that can be built.
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Literal, TypeAlias

from detectors import compiled
from detectors.kernel_files import is_compiled, kernel_folder, kernel_name
from detectors.protocol import event_types
from detectors.transformation import transform
from semantics.errors import LimitExceeded
from semantics.expressions import UNBOUNDED, Expression, Operation, bottom_up

Wanted: TypeAlias = Literal["instances", "intervals"]
"""Whole instances, or only their starts and ends."""

Feed: TypeAlias = Literal["instants", "letters", "events", "columns", "traces"]
"""How a detector of intervals is fed: `step`, `chunk`, `events`, `sparse`, or many traces of the same instants."""

BUILDING_STEPS = 20_000
"""So many steps may be done to build a register machine when a detector is chosen; less than a tenth of a second."""

KEPT = 1 << 22
"""So many starts may be kept in a queue that has no bound; with both their times, 64 MiB."""

FOREVER = 10**12
"""The instants of an input that may go on for ever, for comparing costs."""


@dataclass(frozen=True)
class Input:
    """What is known of what a detector is to do.

    Attributes:
        wanted: instances, or starts and ends alone.
        feed: how it is fed; instances are found one instant at a time.
        instants: how many instants with occurrences there are, about, in all traces together; None where the input
            may go on for ever.
        ticks: for letters and for many traces, how many ticks a trace has, about; None where that is not known.
        traces: how many traces there are side by side.
        compiles: whether Numba is there.
        loaded: whether Numba is loaded already.
    """

    wanted: Wanted = "intervals"
    feed: Feed = "instants"
    instants: int | None = None
    ticks: int | None = None
    traces: int = 1
    compiles: bool = compiled.AVAILABLE
    loaded: bool = field(default_factory=lambda: "numba" in sys.modules)

    @property
    def many(self) -> int:
        """The number of instants for comparing costs."""
        return FOREVER if self.instants is None else self.instants

    @property
    def length(self) -> int:
        """The number of ticks for comparing costs."""
        return self.many if self.ticks is None else self.ticks


class Known:
    """What is known of an expression and an input; what takes time is found out when it is asked for.

    Attributes:
        expression: what is to be detected.
        input: what is to be done.
    """

    def __init__(self, expression: Expression, input: Input) -> None:
        """Note the two."""
        self.expression = expression
        self.input = input

    @cached_property
    def _operations(self) -> list[Operation]:
        nodes = bottom_up(transform(self.expression).expression)
        return [node for node in nodes if isinstance(node, Operation)]

    @property
    def operations(self) -> int:
        """How many distinct operations the transformed expression has."""
        return len(self._operations)

    @cached_property
    def unbounded(self) -> tuple[Operation, ...]:
        """The sequences with the label ∞."""
        return tuple(node for node in self._operations if node.label == UNBOUNDED)

    @property
    def types(self) -> int:
        """How many event types the expression has."""
        return len(event_types(self.expression))

    @property
    def grows_too_much(self) -> bool:
        """Whether queues without a bound could take more than `KEPT` starts."""
        return bool(self.unbounded) and self.input.many * len(self.unbounded) > KEPT

    @cached_property
    def machine(self) -> Any:
        """The register machine, or the reason why it was not built."""
        from detectors.register_machine import RegisterMachine

        try:
            return RegisterMachine(
                self.expression, steps=BUILDING_STEPS, compiles=self.input.compiles and self.many_at_a_time
            )
        except LimitExceeded as error:
            return error.reason

    @cached_property
    def figure3(self) -> Any:
        """A detector of instances in its initial state."""
        from detectors.figure3 import Figure3

        return Figure3(self.expression)

    @cached_property
    def generated(self) -> Any:
        """A detector of starts and ends in its initial state."""
        from detectors.generated import Generated

        detector = Generated(self.expression, compiles=False)
        detector.ticking()  # which generates the code
        return detector

    @property
    def many_at_a_time(self) -> bool:
        """Whether the input comes in stretches, over which a compiled loop can run."""
        return self.input.feed != "instants"

    @property
    def loop(self) -> str:
        """The compiled function that the feed needs."""
        functions = {"letters": "chunk", "columns": "sparse", "traces": "batch"}
        return functions.get(self.input.feed, "events")

    @cached_property
    def loop_is_compiled(self) -> bool:
        """Whether the generated loop was compiled before, by this process or another one."""
        from detectors.loops import loop_program

        module = kernel_folder() / f"{kernel_name(loop_program(self.expression))}.py"
        return is_compiled(module, self.loop)

    @cached_property
    def batch_is_compiled(self) -> bool:
        """The same of the loop over many traces."""
        from detectors.lanes import compiled_text, lane_program

        name = kernel_name(compiled_text(lane_program(self.expression)))
        return is_compiled(kernel_folder() / f"{name}.py", "batch")

    @property
    def machine_is_compiled(self) -> bool:
        """Whether the loops of the register machine, which serve every expression, were compiled before."""
        function = {"letters": "dense", "columns": "merge"}.get(self.input.feed, "sparse")
        return is_compiled(Path(__file__).with_name("register_kernels.py"), function)


# ------------------------------------------------------------------------------------------------------------ costs


@dataclass(frozen=True)
class Cost:
    """What a detector costs, in seconds.

    Attributes:
        make: to make it.
        make_operation: to make it, for each operation of the expression.
        compile: to compile its loop, where that was not done before.
        compile_operation: the same for each operation.
        instant: for each instant with occurrences.
        instant_operation: for each of these and each operation.
        tick: for each tick of letters, and of many traces together.
        tick_operation: for each of these and each operation.
        lane: for each tick of each of many traces and each operation.
        growing: for each instant and each queue without a bound.
        room: for each queue without a bound, where columns are fed: it is made large at once.
    """

    make: float
    make_operation: float = 0.0
    compile: float = 0.0
    compile_operation: float = 0.0
    instant: float = 0.0
    instant_operation: float = 0.0
    tick: float = 0.0
    tick_operation: float = 0.0
    lane: float = 0.0
    growing: float = 0.0
    room: float = 0.0


NUMBA = 0.35
"""Seconds to load Numba."""

COSTS: Mapping[str, Cost] = {
    "figure3": Cost(1e-3, 1.5e-3, instant=1.5e-6, instant_operation=0.4e-6),
    "generated": Cost(1e-3, 1e-3, instant=0.45e-6, instant_operation=0.1e-6, tick=1e-9, growing=0.3e-6),
    "generated-compiled": Cost(
        1e-3, 1e-3, 0.6, 0.35, instant=2.5e-9, instant_operation=1.2e-9, tick=0.9e-9, growing=0.3e-6, room=0.1
    ),
    "register-machine": Cost(10e-3, 1e-3, instant=0.6e-6, instant_operation=0.11e-6, tick=1e-9),
    "register-machine-compiled": Cost(10e-3, 1e-3, 5.0, instant=7e-9, instant_operation=1.5e-9, tick=1.5e-9),
    "batch": Cost(1e-3, 2e-3, tick=4e-6, tick_operation=9e-6, lane=3e-9),
    "batch-compiled": Cost(1e-3, 3e-3, 0.5, 0.2, tick=20e-9, lane=0.15e-9),
}
"""A machine of many states is slower than the patterns that were measured: so it costs a little for each operation.
Measured on one core by `python -m benchmarks.choice --constants`; only their proportions matter."""


def _seconds(known: Known, name: str, *, is_compiled: bool | None = None, detectors: int = 1) -> float:
    """The expected seconds.

    Args:
        known: the expression and the input.
        name: whose costs.
        is_compiled: whether its loop was compiled before; None for what is not compiled.
        detectors: how many are made.
    """
    cost, operations, input = COSTS[name], known.operations, known.input
    seconds = detectors * (cost.make + operations * cost.make_operation)
    if is_compiled is not None:
        seconds += 0.0 if input.loaded else NUMBA
        seconds += 0.0 if is_compiled else cost.compile + operations * cost.compile_operation
    growing = len(known.unbounded) * cost.growing
    seconds += input.many * (cost.instant + operations * cost.instant_operation + growing)
    if input.feed == "columns":
        seconds += len(known.unbounded) * cost.room
    if input.feed in ("letters", "traces"):
        per_tick = cost.tick + operations * (cost.tick_operation + input.traces * cost.lane)
        one_by_one = input.traces if cost.lane == 0 else 1
        seconds += one_by_one * input.length * per_tick
    return seconds


# ------------------------------------------------------------------------------------------------------- candidates


@dataclass(frozen=True)
class Candidate:
    """A detector that may be chosen.

    Attributes:
        name: of it.
        wanted: what it finds.
        feeds: how it can be fed.
        is_bounded: whether its memory does not grow with the input.
        cost: the expected seconds.
        obstacle: why it cannot be taken; an empty text if it can. Asked last, because it may take time.
        what: what it is, for people.
        make: makes a fresh one.
    """

    name: str
    wanted: tuple[Wanted, ...]
    feeds: tuple[Feed, ...]
    is_bounded: Callable[[Known], bool]
    cost: Callable[[Known], float]
    obstacle: Callable[[Known], str]
    what: str
    make: Callable[[Known], Any]

    @property
    def is_compiled(self) -> bool:
        """Whether it runs in a compiled loop."""
        return self.name.endswith("compiled")


def _labels_are_finite(known: Known) -> bool:
    return not known.unbounded


def _always(known: Known) -> bool:
    return True


def _nothing(known: Known) -> str:
    return ""


def _too_many_types(known: Known) -> str:
    from detectors.intervals import MAX_NAMES

    return f"a letter has at most {MAX_NAMES} event types" if known.types > MAX_NAMES else ""


def _not_compiled(known: Known) -> str:
    return _too_many_types(known) or ("" if known.input.compiles else "Numba is not installed")


def _no_machine(known: Known) -> str:
    return known.machine if isinstance(known.machine, str) else ""


def _no_compiled_machine(known: Known) -> str:
    return _not_compiled(known) or _no_machine(known)


def _no_batch(known: Known) -> str:
    from detectors.lanes import lane_program

    if _too_many_types(known):
        return _too_many_types(known)
    try:
        lane_program(known.expression)
    except LimitExceeded as error:
        return error.reason
    return ""


def _no_compiled_batch(known: Known) -> str:
    return _not_compiled(known) or _no_batch(known)


def _batch_seconds(known: Known) -> float:
    if _no_compiled_batch(known):
        return float("inf")
    return _seconds(known, "batch-compiled", is_compiled=known.batch_is_compiled)


def _loop_seconds(known: Known) -> float:
    if _not_compiled(known):
        return float("inf")
    traces = known.input.traces
    return _seconds(known, "generated-compiled", is_compiled=known.loop_is_compiled, detectors=traces)


def _copy(template: Any) -> Any:
    """Another detector in the state of a first one, with the same code: to generate it takes a thousand steps."""
    state = template.snapshot()  # first, for it ends a running generator, which the copy must not share
    other = copy.copy(template)
    other.restore(state)
    return other


def _figure3(known: Known) -> Any:
    return _copy(known.figure3)


def _instance_intervals(known: Known) -> Any:
    from detectors.instance_intervals import InstanceIntervals

    return InstanceIntervals(known.expression, _figure3(known))


def _generated(known: Known, *, compiles: bool) -> Any:
    detector = _copy(known.generated)
    detector.compiles = compiles
    return detector


def _machine(known: Known, *, compiles: bool) -> Any:
    machine = known.machine.fresh()
    machine.compiles = compiles
    return machine


def _batch(known: Known, *, compiles: bool) -> Any:
    from detectors.batches import Batch

    return Batch(known.expression, known.input.traces, compiles=compiles)


_STRETCHES: tuple[Feed, ...] = ("letters", "events", "columns", "traces")
_ALL: tuple[Feed, ...] = ("instants", *_STRETCHES)

CANDIDATES: tuple[Candidate, ...] = (
    Candidate(
        "figure3",
        ("instances",),
        _ALL,
        _labels_are_finite,
        lambda known: _seconds(known, "figure3", detectors=known.input.traces),
        _nothing,
        "code generated for the expression (Figure 3), with whole instances",
        _figure3,
    ),
    Candidate(
        "generated",
        ("intervals",),
        _ALL,
        _labels_are_finite,
        lambda known: _seconds(known, "generated", detectors=known.input.traces),
        _too_many_types,
        "code generated for the expression, with starts alone",
        lambda known: _generated(known, compiles=False),
    ),
    Candidate(
        "generated-compiled",
        ("intervals",),
        _STRETCHES,
        _labels_are_finite,
        _loop_seconds,
        _not_compiled,
        "a loop generated for the expression and compiled, with starts alone",
        lambda known: _generated(known, compiles=True),
    ),
    Candidate(
        "register-machine",
        ("intervals",),
        _ALL,
        _always,
        lambda known: _seconds(known, "register-machine"),
        _no_machine,
        "the register machine, in bounded memory",
        lambda known: _machine(known, compiles=False),
    ),
    Candidate(
        "register-machine-compiled",
        ("intervals",),
        _STRETCHES,
        _always,
        lambda known: _seconds(known, "register-machine-compiled", is_compiled=known.machine_is_compiled),
        _no_compiled_machine,
        "the register machine in a compiled loop, in bounded memory",
        lambda known: _machine(known, compiles=True),
    ),
    Candidate(
        "batch",
        ("intervals",),
        ("traces",),
        _always,
        lambda known: _seconds(known, "batch"),
        _no_batch,
        "the same instants of all traces side by side, by NumPy",
        lambda known: _batch(known, compiles=False),
    ),
    Candidate(
        "batch-compiled",
        ("intervals",),
        ("traces",),
        _always,
        _batch_seconds,
        _no_compiled_batch,
        "the same instants of all traces side by side, in a compiled loop",
        lambda known: _batch(known, compiles=True),
    ),
    Candidate(
        "instances",
        ("intervals",),
        _ALL,
        _labels_are_finite,
        lambda known: _seconds(known, "figure3", detectors=known.input.traces),
        lambda known: "" if _too_many_types(known) else "a letter has room for the event types",
        "code generated for the expression, with whole instances, of which starts and ends are shown",
        _instance_intervals,
    ),
)
"""All that can be chosen; the last one for intervals is there for expressions that no other takes."""


# ----------------------------------------------------------------------------------------------------------- choice


@dataclass(frozen=True)
class Choice:
    """A detector that was chosen.

    Attributes:
        name: of the candidate.
        reason: what it is, and why it was taken, in one sentence.
        seconds: the expected cost; it compares candidates and promises nothing. ∞ for an input without an end.
        bounded: whether its memory does not grow with the input.
        make: makes a fresh detector: of instances, of intervals (for traces, one for each), or a `Batch`.
    """

    name: str
    reason: str
    seconds: float
    bounded: bool
    make: Callable[[], Any]


def choose(expression: Expression, input: Input) -> Choice:
    """The detector for an expression and an input.

    Args:
        expression: a ground expression.
        input: what is wanted, how it is fed, how much there is.
    """
    known = Known(expression, input)
    obstacles: dict[str, str] = {}
    by_cost = sorted(
        _fitting(input), key=lambda candidate: candidate.cost(known)
    )  # keeps the order of equals
    candidate = _first(by_cost, known, obstacles)
    if known.grows_too_much and not candidate.is_bounded(known):
        # Whether a loop is compiled was decided by the cost; it stays so, that more instants never undo it.
        bounded = [other for other in by_cost if other.is_bounded(known)]
        bounded.sort(key=lambda other: other.is_compiled != candidate.is_compiled)
        candidate = _first([*bounded, candidate], known, obstacles)
    seconds = float("inf") if input.instants is None else candidate.cost(known)
    reason = _reason(known, candidate, obstacles)
    return Choice(
        candidate.name, reason, seconds, candidate.is_bounded(known), partial(candidate.make, known)
    )


def _fitting(input: Input) -> list[Candidate]:
    return [one for one in CANDIDATES if input.wanted in one.wanted and input.feed in one.feeds]


def _first(candidates: Iterable[Candidate], known: Known, obstacles: dict[str, str]) -> Candidate:
    """The first one that can be taken; what stands in the way of others is noted."""
    for candidate in candidates:
        if candidate.name not in obstacles:
            obstacles[candidate.name] = candidate.obstacle(known)
        if not obstacles[candidate.name]:
            return candidate
    raise AssertionError("a detector of instances takes every expression")


def every_choice(expression: Expression, input: Input) -> dict[str, Choice]:
    """Each candidate that could be taken for an input, by name, as if it had been chosen."""
    known = Known(expression, input)
    return {
        candidate.name: Choice(
            candidate.name,
            candidate.what,
            candidate.cost(known),
            candidate.is_bounded(known),
            partial(candidate.make, known),
        )
        for candidate in _fitting(input)
        if not candidate.obstacle(known)
    }


def again(name: str, expression: Expression, input: Input) -> Choice | None:
    """The candidate with a name, if it can be taken: for going on with what was chosen before."""
    known = Known(expression, input)
    for candidate in _fitting(input):
        if candidate.name == name and not candidate.obstacle(known):
            return Choice(
                name,
                candidate.what,
                candidate.cost(known),
                candidate.is_bounded(known),
                partial(candidate.make, known),
            )
    return None


def _reason(known: Known, candidate: Candidate, obstacles: Mapping[str, str]) -> str:
    parts = [candidate.what, _memory(known, candidate, obstacles), _time(known, candidate)]
    return "; ".join(part for part in parts if part)


def _memory(known: Known, candidate: Candidate, obstacles: Mapping[str, str]) -> str:
    if not known.unbounded:
        if candidate.name.startswith(("batch", "register")):
            return ""
        return "all labels are finite, so memory is bounded"
    fault = f"{known.unbounded[0]} has no finite label"
    if candidate.is_bounded(known):
        return fault
    reason = next(
        filter(None, (obstacles.get(name, "") for name in ("register-machine", "register-machine-compiled"))),
        "",
    )
    if known.grows_too_much:
        return f"{fault}, so its queue grows with the input" + (f", for there is {reason}" if reason else "")
    return f"{fault}: its queue grows, to at most {known.input.many:,} starts for this input"


def _time(known: Known, candidate: Candidate) -> str:
    if not known.many_at_a_time or candidate.wanted == ("instances",):
        return ""
    if not known.input.compiles:
        return "Numba is not installed"
    many = f"{known.input.many:,} instants"
    if known.input.instants is None:
        many = "the input may go on for ever"
    if candidate.is_compiled:
        return f"{many}, which pays for a compiled loop"
    return f"{many}, too few to pay for a compiled loop"
