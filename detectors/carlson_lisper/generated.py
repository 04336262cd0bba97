"""Starts and ends by code generated for one expression, which keeps starts alone.

Every operator depends on the intervals of its operands only, and what is current ends now, so a start stands for an
instance and -1 for none. A sequence asks for the match of its right instance: among the left instances that ended
before it started, the one that started last. Whatever ended by then is known when the right instance starts, which some
event does at that instant: the match is the greatest start of a left instance so far, the auxiliary variable t of the
sequence. From there on the match is carried along with the start. So a sequence keeps a single start of its own,
whatever its label, and nothing is searched.

The match of the start `a2` in the sequence 6 is `a2_6`. If 6 is part of the right side of the sequence 9, then that
match carries one too: `a2_6_9`. For an event type that occurs these are `t6` and `t6_9`; what does not occur, -1, has
the matches -1. Variables have the source's names with the number of the subexpression, counted bottom-up from 1.

The text is validated against the proved steps for the pattern at hand (`smt.carlson_lisper.validation`). Nothing of the
user's text gets into it but names of event types, in comments and in a docstring.
"""

import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from types import CellType, FunctionType
from typing import TypeAlias, cast

from detectors.carlson_lisper import snapshots
from detectors.carlson_lisper.protocol import event_types, of_operator
from detectors.carlson_lisper.source.transformation import transform
from detectors.generated_code import defined, in_docstring
from detectors.protocol import Snapshot
from semantics.carlson_lisper.expressions import Expression, Identifier, Operation, bottom_up, evaluate_bound
from semantics.events import Time, quoted

FORMAT = "remora/generated-detector/3"  # The version of snapshots

Suffix: TypeAlias = str
"""The sequences of a match behind the name of a start: "" is the start itself, "_6" its match in the sequence 6."""

START: Suffix = ""

NONE = "-1"  # The start of what does not occur


@dataclass(frozen=True)
class Part:
    """A subexpression of the transformed expression."""

    number: int  # i, counted bottom-up from 1
    expression: Expression
    events: tuple[str, ...]  # the event types, if it is one or a disjunction of some
    operands: tuple[int, ...]  # the numbers of its operands; none if it is made of event types
    carried: tuple[Suffix, ...]  # what its current start carries, itself included; empty if nobody asks for it

    @property
    def kept(self) -> tuple[Suffix, ...]:
        """What a start that it remembers carries: the start is compared, even if nobody else asks for it."""
        return tuple(dict.fromkeys([START, *self.carried]))


@lru_cache(maxsize=256)
def parts(expression: Expression) -> tuple[Part, ...]:
    """The transformed subexpressions, bottom-up, with what is asked from above; `LimitExceeded` for an unknown one."""
    nodes = bottom_up(transform(expression).expression)
    numbers = {node: number for number, node in enumerate(nodes, start=1)}
    asked: dict[int, set[Suffix]] = {number: set() for number in numbers.values()}
    asked[len(nodes)].add(START)
    found = []
    for node in reversed(nodes):
        number, events = numbers[node], _event_types(node)
        of_node = () if events or not isinstance(node, Operation) else node.operands
        operands = tuple(numbers[operand] for operand in of_node)
        carried = tuple(sorted(asked[number], key=lambda suffix: (suffix.count("_"), suffix)))
        part = Part(number, node, events, operands, carried)
        found.append(part)
        for operand, suffixes in zip(operands, _asked(part), strict=False):
            asked[operand].update(suffixes)
    return tuple(reversed(found))


def _event_types(node: Expression) -> tuple[str, ...]:
    """The event types of a disjunction of event types; none if the expression is anything else."""
    if isinstance(node, Operation) and node.operator == "dis":
        left, right = map(_event_types, node.operands)
        return tuple(dict.fromkeys([*left, *right])) if left and right else ()
    return (node.name,) if isinstance(node, Identifier) else ()


def _asked(part: Part) -> tuple[Iterable[Suffix], Iterable[Suffix]]:
    """What the starts of its operands have to carry."""
    if isinstance(part.expression, Operation) and part.expression.operator == "neg":
        return part.kept, (START,)
    if isinstance(part.expression, Operation) and part.expression.operator == "seq":
        return part.kept, [f"_{part.number}{suffix}" for suffix in part.carried]
    return part.kept, part.kept


def _copied(target: str, source: str, suffixes: Iterable[Suffix]) -> list[str]:
    """Assignments of a start, or of -1, with what it carries."""
    return [f"{target}{suffix} = {source if source == NONE else source + suffix}" for suffix in suffixes]


def _chosen(target: str, test: str, yes: str, no: str, suffixes: Sequence[Suffix]) -> list[str]:
    """Assignments of one start or another one."""
    if len(suffixes) == 1:
        one, other = (source if source == NONE else source + suffixes[0] for source in (yes, no))
        return [f"{target}{suffixes[0]} = {one} if {test} else {other}"]
    return _branches((f"if {test}", _copied(target, yes, suffixes)), ("else", _copied(target, no, suffixes)))


def _branches(*branches: tuple[str, list[str]]) -> list[str]:
    return [
        line for head, body in branches for line in (f"{head}:", *textwrap.indent("\n".join(body), " " * 4).split("\n"))
    ]


def _greatest(variable: str, current: str, suffixes: Iterable[Suffix]) -> list[str]:
    """Remember a start that is greater than the remembered one."""
    return _branches((f"if {variable} < {current}", _copied(variable, current, suffixes)))


def _disjunction(part: Part, i: int, j: int, k: int) -> list[str]:
    return _chosen(f"a{i}", f"a{j} <= a{k}", f"a{k}", f"a{j}", part.carried)


def _conjunction(part: Part, i: int, j: int, k: int) -> list[str]:
    return [
        *_greatest(f"l{i}", f"a{j}", part.kept),
        *_greatest(f"r{i}", f"a{k}", part.kept),
        *_branches(
            (f"if l{i} < 0 or r{i} < 0 or (a{j} < 0 and a{k} < 0)", _copied(f"a{i}", NONE, part.carried)),
            (f"elif a{k} <= a{j}", _chosen(f"a{i}", f"a{j} <= r{i}", f"a{j}", f"r{i}", part.carried)),
            ("else", _chosen(f"a{i}", f"l{i} <= a{k}", f"l{i}", f"a{k}", part.carried)),
        ),
    ]


def _negation(part: Part, i: int, j: int, k: int) -> list[str]:
    return [*_greatest(f"t{i}", f"a{k}", (START,)), *_chosen(f"a{i}", f"t{i} < a{j}", f"a{j}", NONE, part.carried)]


def _sequence(part: Part, i: int, j: int, k: int) -> list[str]:
    return [*_copied(f"a{i}", f"a{k}_{i}", part.carried), *_greatest(f"t{i}", f"a{j}", part.kept)]


def _restriction(part: Part, i: int, j: int, k: int) -> list[str]:
    bound = evaluate_bound(cast(Operation, part.expression).bound or 0)
    return _chosen(f"a{i}", f"time - a{j} <= {bound}", f"a{j}", NONE, part.carried)


STATEMENTS: Mapping[str, tuple[str, Callable[[Part, int, int, int], list[str]]]] = {
    "dis": ("", _disjunction),
    "con": ("lr", _conjunction),
    "neg": ("t", _negation),
    "seq": ("t", _sequence),
    "tim": ("", _restriction),
}
"""By operator: the source's names of what Eⁱ = Eʲ ∘ Eᵏ remembers, and its statements (Figures 2 and 4 on starts)."""


def variables(expression: Expression) -> tuple[str, ...]:
    """The variables that are kept between instants: the time, and starts; all -1 at first."""
    names = ["now"]
    for part in parts(expression):
        if part.operands:
            operation = cast(Operation, part.expression)
            remembered, _ = of_operator(STATEMENTS, operation)
            suffixes = (START,) if operation.operator == "neg" else part.kept
            names += [f"{name}{part.number}{suffix}" for name in remembered for suffix in suffixes]
    return tuple(names)


def program(expression: Expression) -> str:
    """The text of a function from initial values to the step: from a time and a letter to the current start, or -1."""
    names, found, kept = event_types(expression), parts(expression), variables(expression)
    lines = [f"nonlocal {', '.join(kept)}", "if time <= now:", "    raise not_later(time, now)", "now = time"]
    for part in found:
        if not part.carried:
            continue
        lines.append(f"# a{part.number}: {part.expression}")
        if part.events:
            occurs = f"letter & {sum(1 << names.index(name) for name in part.events)}"
            lines += [
                f"a{part.number}{suffix} = {f't{suffix[1:]}' if suffix else 'time'} if {occurs} else -1"
                for suffix in part.carried
            ]
        else:
            _, statements = of_operator(STATEMENTS, cast(Operation, part.expression))
            lines += statements(part, part.number, part.operands[0], part.operands[-1])
    lines.append(f"return a{len(found)}")
    letters = ", ".join(f"{quoted(name)} is {1 << bit}" for bit, name in enumerate(names))
    meaning = in_docstring(f"Detects the starts of {expression}. In a letter, {letters}.")
    return f"""\
def detector({", ".join(kept)}):
    \"\"\"{meaning}\"\"\"

    def step(time, letter):
{textwrap.indent(chr(10).join(lines), " " * 8)}

    return step
"""


def _not_later(time: Time, now: Time) -> ValueError:
    return ValueError(f"time {time} is not later than time {now} of the instant before")


GLOBALS: Mapping[str, object] = {"not_later": _not_later}  # What the text refers to


Step: TypeAlias = Callable[[Time, int], Time]
"""From a time and a letter to the greatest start of an instance that ends then, or -1."""


@lru_cache(maxsize=64)
def _detector_of(expression: Expression) -> Callable[..., Step]:
    """The function from initial values to the step."""
    return cast("Callable[..., Step]", defined(program(expression), "detector", f"<starts of {expression}>", GLOBALS))


def _cells(step: Step) -> Mapping[str, CellType]:
    """The variables in which a step keeps its state between instants, by name; they can be read and set."""
    function = cast(FunctionType, step)
    return dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))


class Generated:
    """Detects the starts and ends of any ground expression, in memory that is bounded for each."""

    def __init__(self, expression: Expression) -> None:
        """Begin; the code is generated when it is first needed; `LimitExceeded` for an operator that was added."""
        self.expression = expression
        self.names = event_types(expression)  # the type of bit `i` of a letter is `names[i]`
        self._variables = variables(expression)
        self._times = dict.fromkeys(self._variables, -1)

    def made(self) -> tuple[str, Mapping[str, object]]:
        """The text, and the variables that it starts with."""
        return program(self.expression), dict.fromkeys(self._variables, -1)

    @cached_property
    def step(self) -> Step:
        """The greatest start of an instance that ends at this instant, or -1: a function of a time and a letter.

        A function that keeps the state in variables of its own. It stays the detector's, however that is fed in
        between, so a loop may hold on to it.
        """
        return _detector_of(self.expression)(**self._times)

    def _take(self) -> None:
        """Take the state from the step, if there is one."""
        if "step" in vars(self):
            cells = _cells(self.step)
            self._times = {name: cells[name].cell_contents for name in self._variables}

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
        """Go on from a state that a detector for the expression had; `InputError` where none can have been in it."""
        origin = {"schema": FORMAT, "expression": str(self.expression)}
        stored = snapshots.members(snapshots.require_origin(snapshot, origin), "it", (*origin, "now", "times"))
        now = snapshots.time(stored["now"], "now")
        starts = [name for name in self._variables if name != "now"]
        times = snapshots.members(stored["times"], "times", starts)
        restored = {"now": now, **{name: snapshots.time(times[name], name, now) for name in starts}}
        for name, time in restored.items():
            start, _, _ = name.rpartition("_")
            if start in restored and max(0, restored[start]) <= time:
                raise snapshots.damaged(f"{name}, the match of {start}, does not start before it")
        self._times = restored
        if "step" in vars(self):
            cells = _cells(self.step)
            for name, value in self._times.items():
                cells[name].cell_contents = value

    @property
    def bound(self) -> int:
        """How many starts are kept at most."""
        return len(self._variables) - 1
