"""Generated code: the algorithm of Figure 2 with its main loop unrolled for one expression, as in Figure 3.

The expression is transformed first (Section 6), so that each sequence knows how long its right instances can be. The
statements of every program are those of the steps, rewritten for their place (`detectors.specialisation`); the programs
differ in what the values are, and in what stands around the statements.

Nothing of the user's text gets into a program but names of event types, as string constants and in comments.
"""

from __future__ import annotations

import ast
import itertools
import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from importlib.abc import InspectLoader
from importlib.util import module_from_spec, spec_from_loader
from types import CodeType
from typing import cast

from detectors.event_operands import OCCURS, for_events
from detectors.figure2 import STEPS, StepFactory
from detectors.protocol import event_types, of_operator
from detectors.specialisation import (
    Place,
    Rewriting,
    StartRewriting,
    constants,
    initial_starts,
    register_names,
    registers,
)
from detectors.start_queue import latest_before, push, with_room
from detectors.steps import SequenceStep, Step
from detectors.stores import MarkedSequenceStep, RecentSequenceStep
from detectors.straight_line import straight_line
from detectors.transformation import transform
from semantics.expressions import UNBOUNDED, Expression, Identifier, Label, Operation, bottom_up
from semantics.occurrences import Time

STATIC_PLACES = 4096
"""A smaller label gets a static array for its queue; any other one a queue that takes the room that is used."""


def _sequence(operation: Operation) -> Step:
    label = operation.label
    if label is None or label == UNBOUNDED:
        return SequenceStep()
    if label < STATIC_PLACES:
        return RecentSequenceStep(cast(int, label))
    return MarkedSequenceStep(cast(int, label))


GENERATED_STEPS: Mapping[str, StepFactory] = {**STEPS, "seq": _sequence}
"""The step of each operator for programs that work with instances."""

START_STEPS: Mapping[str, StepFactory] = {**STEPS, "seq": lambda _: SequenceStep()}
"""The step of each operator for programs that work with starts: the queue is an array beside the step."""


@dataclass(frozen=True)
class Part:
    """A subexpression of the transformed expression.

    Attributes:
        number: i, counted bottom-up from 1.
        expression: Eⁱ.
        place: its step's place; None for an event type.
        label: the label of a sequence; None for what keeps no queue.
    """

    number: int
    expression: Expression
    place: Place | None
    label: Label | None


def parts(expression: Expression, steps: Mapping[str, StepFactory]) -> tuple[Part, ...]:
    """The subexpressions of the transformed expression, bottom-up, equal ones once."""
    nodes = bottom_up(transform(expression).expression)
    number = {node: index for index, node in enumerate(nodes, start=1)}
    found = []
    for node in nodes:
        place = label = None
        if isinstance(node, Operation):
            operands = [f"a{number[operand]}" for operand in node.operands]
            place = Place(of_operator(steps, node)(node), number[node], operands[0], operands[-1])
            label = node.label if node.operator == "seq" else None
        found.append(Part(number[node], node, place, label))
    return tuple(found)


def comment(part: Part) -> str:
    """The line above the statements of a subexpression."""
    return f"# a{part.number}: {part.expression}"


def code(statements: Sequence[ast.stmt]) -> str:
    """The text of statements."""
    return "\n".join(ast.unparse(ast.fix_missing_locations(statement)) for statement in statements)


# ------------------------------------------------------------------------------------------------------ instances


def instance_program(expression: Expression) -> str:
    """Figure 3: the text of a function that makes a step from times with occurrences to current instances."""
    found = parts(expression, GENERATED_STEPS)
    lines = []
    for part in found:
        lines.append(comment(part))
        if part.place is None:
            name = repr(cast(Identifier, part.expression).name)
            lines.append(
                f"a{part.number} = primitive({name}, now, occurrences[{name}])"
                f" if {name} in occurrences else NON_OCCURRENCE"
            )
        else:
            lines.append(_placed(part, ("instances",), lambda any_place: Rewriting(any_place).statements()))
    return _program(
        f"Detects {expression} with whole instances.",
        ["NON_OCCURRENCE", "primitive"],
        list(instance_variables(found)),
        "now, occurrences",
        [*lines, f"return a{len(found)}"],
    )


def instance_variables(found: tuple[Part, ...]) -> dict[str, object]:
    """The auxiliary variables of a program for instances, with their initial values."""
    return {
        part.place.variable(name): value
        for part in found
        if part.place is not None
        for name, value in part.place.step.variables().items()
    }


# --------------------------------------------------------------------------------------------------------- starts


@dataclass(frozen=True)
class StartVariables:
    """The state of a program that works with starts.

    Attributes:
        times: the initial value of each variable that holds a time or a number.
        queues: the label of each queue.
    """

    times: Mapping[str, int]
    queues: Mapping[str, Label]


def start_variables(found: tuple[Part, ...]) -> StartVariables:
    """The state of the programs for starts, with its initial values."""
    times: dict[str, int] = {"now": -1}
    queues: dict[str, Label] = {}
    for part in found:
        if part.place is None:
            continue
        for name, value in initial_starts(part.place.step).items():
            times[part.place.variable(name)] = value
        if part.label is not None and part.label != 0:
            times[part.place.variable("n")] = 0
            queues[part.place.variable("q")] = part.label
    return StartVariables(times, queues)


def loop_body(found: tuple[Part, ...], occurs: Sequence[str], names: Sequence[str]) -> list[str]:
    """The statements of a compiled loop that compute the start of each current instance from `now`.

    Args:
        found: the subexpressions.
        occurs: the text of a condition per event type: whether it occurs now.
        names: the event types.
    """
    condition = dict(zip(names, occurs, strict=True))
    lines = []
    for part in found:
        lines.append(comment(part))
        if part.place is None:
            name = cast(Identifier, part.expression).name
            lines.append(f"a{part.number} = now if {condition[name]} else -1")
        else:
            lines.append(_placed(part, ("loops", part.label), partial(_of_loops, part)))
    return lines


def _of_loops(part: Part, place: Place) -> list[ast.stmt]:
    label = 0 if part.label is None else part.label
    statements = StartRewriting(place, label=label, compiled=True).statements()
    return straightened(replace(part, place=place), statements)


_NUMBER, _LEFT, _RIGHT = "\ue000", "\ue001", "\ue002"
"""Stand for what depends on the place of a step in its text; no source has them."""


@dataclass(frozen=True)
class _Template:
    """All that the text of a step depends on, but for its place."""

    kind: tuple[object, ...]
    step: type
    constants: tuple[tuple[str, int], ...]
    make: Callable[[], str] = field(compare=False)


@lru_cache(maxsize=4096)
def _template(template: _Template) -> str:
    return template.make()


def _placed(part: Part, kind: tuple[object, ...], make: Callable[[Place], list[ast.stmt]]) -> str:
    """The text of a step at its place; rewritten once for all places, as that takes a thousand times as long.

    Args:
        part: the subexpression.
        kind: what the rewriting depends on, besides the step.
        make: rewrites the step at a place.
    """
    assert part.place is not None
    step = part.place.step
    is_one = part.place.left == part.place.right
    right = _LEFT if is_one else _RIGHT
    anywhere = replace(part.place, number=cast(int, _NUMBER), left=_LEFT, right=right)
    text = _template(_Template((*kind, is_one), type(step), constants(step), lambda: code(make(anywhere))))
    places = {_NUMBER: str(part.number), _LEFT: part.place.left, _RIGHT: part.place.right}
    return text.translate({ord(name): said for name, said in places.items()})


def straightened(part: Part, statements: Sequence[ast.stmt]) -> list[ast.stmt]:
    """The statements of a step without branches that can be avoided."""
    assert part.place is not None
    return straight_line(statements, {"now", part.place.left, part.place.right, *_own_variables(part)})


def _own_variables(part: Part) -> list[str]:
    """The variables of a compiled step that keep their values from instant to instant."""
    assert part.place is not None
    names = [part.place.variable(name) for name in initial_starts(part.place.step)]
    if part.label is not None and part.label != 0:
        names.append(part.place.variable("n"))
        if registers(part.label):
            names += itertools.chain.from_iterable(register_names(part.place, part.label))
    return names


def start_program(expression: Expression) -> str:
    """The text of a function that makes a step from a time and a letter to the start of the current instance, or -1."""
    found = parts(expression, START_STEPS)
    names = event_types(expression)
    state = start_variables(found)
    letters = ", ".join(f"{name} is {1 << bit}" for bit, name in enumerate(names))
    checked = """\
if time <= now:
    raise not_later(time, now)
now = time"""
    return _program(
        f"Detects the starts of {expression}. In a letter, {letters}.",
        [],
        [*state.times, *state.queues],
        "time, letter",
        [checked, *_step_body(found, names), f"return a{len(found)}"],
    )


def _step_body(found: tuple[Part, ...], names: Sequence[str]) -> list[str]:
    """The statements for a single instant, where event types are asked for when they are needed."""
    occurs = {
        f"a{part.number}": f"letter & {1 << names.index(part.expression.name)}"
        for part in found
        if isinstance(part.expression, Identifier)
    }
    bodies = {}
    for part in found:
        if part.place is not None:
            events = tuple(operand in occurs for operand in (part.place.left, part.place.right))
            text = _placed(part, ("steps", part.label, *events), partial(_of_one_step, part, events))
            text = re.sub(r"\bnow\b", "time", text)  # the same, and quicker to read
            bodies[part.number] = re.sub(rf"\b{OCCURS}(a\d+)\b", lambda name: occurs[name[1]], text)
    used = {name for body in bodies.values() for name in re.findall(r"\ba\d+\b", body)} | {f"a{len(found)}"}
    lines = []
    for part in found:
        name = f"a{part.number}"
        if part.place is not None:
            lines += [comment(part), bodies[part.number]]
        elif name in used:
            lines += [comment(part), f"{name} = time if {occurs[name]} else -1"]
    return lines


def _of_one_step(part: Part, events: tuple[bool, ...], place: Place) -> list[ast.stmt]:
    label = 0 if part.label is None else part.label
    statements = StartRewriting(place, label=label, compiled=False).statements()
    operands = [name for name, is_event in zip((place.left, place.right), events, strict=True) if is_event]
    return for_events(statements, dict.fromkeys(operands), [*map(place.variable, initial_starts(place.step))])


def _program(
    meaning: str, constants: Sequence[str], variables: Sequence[str], received: str, lines: Sequence[str]
) -> str:
    """A function that takes the initial values of the variables and returns the step, which keeps them."""
    kept = [f"nonlocal {', '.join(variables)}"] if variables else []
    body = textwrap.indent("\n".join([*kept, *lines]), " " * 8)
    return f"""\
def detector({", ".join([*constants, *variables])}):
    \"\"\"{meaning}\"\"\"

    def step({received}):
{body}

    return step
"""


Function = Callable[..., object]


def _not_later(time: Time, now: Time) -> ValueError:
    return ValueError(f"time {time} is not later than time {now} of the instant before")


START_FUNCTIONS: Mapping[str, object] = {
    "UNBOUNDED": UNBOUNDED,
    "latest_before": latest_before,
    "not_later": _not_later,
    "push": push,
    "with_room": with_room,
}
"""What the programs for starts refer to."""


class _Text(InspectLoader):
    """Imports a module from its text; tracebacks show its lines."""

    def __init__(self, text: str) -> None:
        self._text = text

    def get_source(self, fullname: str) -> str:
        return self._text

    def get_code(self, fullname: str) -> CodeType:
        return _compiled(self._text)


@lru_cache(16)
def _compiled(text: str) -> CodeType:
    """The code of a program; the last few are remembered, as detectors of one expression are made again and again."""
    return _Text.source_to_code(text)


def defined(text: str, name: str, origin: str, globals_: Mapping[str, object]) -> Function:
    """The function that the text of a program defines.

    Args:
        text: a program of this module: of our own making, see above.
        name: of the function.
        origin: what to call the text in tracebacks.
        globals_: what the text refers to.
    """
    loader = _Text(text)
    spec = spec_from_loader(origin, loader)
    assert spec is not None
    module = module_from_spec(spec)
    vars(module).update(globals_)
    loader.exec_module(module)
    return cast(Function, getattr(module, name))
