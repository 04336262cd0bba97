"""Programs for many traces side by side: one instruction of the processor serves as many traces as fit its registers.

All traces take the same steps, so nothing may branch: the bodies are straight lines. A value is either a start, as in
`detectors.carlson_lisper.generated.specialisation`, or an *age*, how many ticks ago an instance started. Where
no instance of the expression is
longer than 254 ticks, ages fit eight bits: what is older than that is part of no detection and counts as ⟨⟩, whose age
is the greatest number. Later starts are smaller ages, so every comparison of starts is turned round.
"""

from __future__ import annotations

import ast
import copy
import textwrap
from dataclasses import dataclass
from functools import lru_cache

from detectors.carlson_lisper.generated.demand import demand
from detectors.carlson_lisper.generated.instants import in_letter, instant, start_variables
from detectors.carlson_lisper.intervals import MAX_NAMES
from detectors.carlson_lisper.source.transformation import transform
from detectors.generated_code import in_docstring
from semantics.carlson_lisper.expressions import Expression
from semantics.errors import LimitExceeded
from semantics.events import quoted

LANES = 64
"""So many ages of eight bits are in the widest vector register."""

NEAR = 1024
"""With several groups, each goes on for as many instants as have so many letters in all traces, then the next one."""

MAX_AGE = 254
"""The greatest age that eight bits can tell from ⟨⟩."""

MAX_TIME = 2**31 - 1
"""Starts of 32 bits end here."""

_TURNED = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE}


def _load(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


class _Ages(ast.NodeTransformer):
    """Ages in the place of starts."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """What starts now is no ticks old."""
        return ast.Constant(0) if node.id == "now" else node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        """The start -1 is the greatest age."""
        match node:
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=1)):
                return _load("NONE")
        return self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """An order of starts is turned round; the length of what ends now is its age."""
        (operator,), (other,) = node.ops, node.comparators
        match node.left:
            case ast.BinOp(op=ast.BitAnd()):  # a question to the letter
                return node
            case ast.BinOp(left=ast.Name(id="now"), op=ast.Sub(), right=start):
                return ast.Compare(start, [operator], [other])
        if isinstance(other, ast.Constant) and other.value == 0:
            exists = isinstance(operator, ast.GtE)
            return ast.Compare(node.left, [ast.NotEq() if exists else ast.Eq()], [_load("NONE")])
        return ast.Compare(self.visit(node.left), [_TURNED[type(operator)]()], [self.visit(other)])


class _Selections(ast.NodeTransformer):
    """Selections for all traces at once, and bounds that fit into a value."""

    def __init__(self, greatest: int) -> None:
        self._greatest = greatest

    def visit_IfExp(self, node: ast.IfExp) -> ast.Call:
        return ast.Call(
            _load("where"), [self.visit(part) for part in (node.test, node.body, node.orelse)], []
        )

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """No value is greater than the greatest, so it is as good a bound as any above."""
        self.generic_visit(node)
        match node.comparators:
            case [ast.Constant(value=int(bound))]:
                return ast.Compare(node.left, node.ops, [ast.Constant(min(bound, self._greatest))])
        return node


@dataclass(frozen=True, eq=False)
class LaneProgram:
    """The program of an expression for many traces, in terms of `where(test, yes, no)` and `NONE`.

    Attributes:
        ages: whether values are ages of eight bits; starts of 32 bits otherwise.
        names: the event types.
        variables: what is kept for each trace from instant to instant, all ⟨⟩ at first.
        before: the statements that make the variables those of the next tick.
        body: the statements of one instant.
        result: the variable with the outcome.
    """

    ages: bool
    names: tuple[str, ...]
    variables: tuple[str, ...]
    before: tuple[ast.stmt, ...]
    body: tuple[ast.stmt, ...]
    result: str

    @property
    def none(self) -> int:
        """The value that stands for ⟨⟩."""
        return MAX_AGE + 1 if self.ages else -1


@lru_cache(maxsize=256)
def lane_program(expression: Expression) -> LaneProgram:
    """The program of an expression for many traces.

    Raises:
        LimitExceeded: there are too many event types.
    """
    wanted = demand(expression)
    names = wanted.names
    if len(names) > MAX_NAMES:
        raise LimitExceeded(
            f"{len(names)} event types, more than the {MAX_NAMES} that traces side by side may have",
            remedy="Take the traces one after the other, by columns or one instant at a time: these ways take any"
            " number of event types.",
        )
    ages = transform(expression).bound <= MAX_AGE
    variables = start_variables(wanted)[1:]
    lines, result = instant(wanted.parts, in_letter(names), branches=False)
    body = ast.parse("\n".join(lines)).body
    before: list[ast.stmt] = []
    if ages:
        body = [_Ages().visit(statement) for statement in body]
        before = [
            ast.Assign(
                [ast.Name(name, ast.Store())],
                ast.IfExp(
                    ast.Compare(_load(name), [ast.Eq()], [_load("NONE")]),
                    _load("NONE"),
                    ast.BinOp(_load(name), ast.Add(), ast.Constant(1)),
                ),
            )
            for name in variables
        ]
    selections = _Selections(MAX_AGE + 1 if ages else MAX_TIME)
    return LaneProgram(
        ages,
        names,
        variables,
        tuple(selections.visit(statement) for statement in before),
        tuple(selections.visit(statement) for statement in body),
        result,
    )


# ---------------------------------------------------------------------------------------------------------- texts


def _code(program: LaneProgram, depth: int) -> str:
    statements = (*program.before, *program.body)
    text = "\n".join(ast.unparse(ast.fix_missing_locations(copy.deepcopy(node))) for node in statements)
    return textwrap.indent(text, " " * (4 * depth))


def width(program: LaneProgram, traces: int) -> int:
    """How many of so many traces go through a compiled loop together.

    What happens at an instant waits for what happened at the one before, so several registers for each variable take
    little longer than one, as long as there are registers.
    """
    variables = len(program.variables)
    if program.ages:
        return 2 * LANES if traces > LANES and variables <= 16 else LANES
    return LANES if variables <= 6 else LANES // 4


@lru_cache(maxsize=256)
def compiled_text(program: LaneProgram, lanes: int) -> str:
    """A module with a function over letters of shape (instants, traces), for traces in groups of so many."""
    count = len(program.variables)
    places = {name: f"(group * {count} + {index}) * {lanes}" for index, name in enumerate(program.variables)}
    loads = [f"{name} = load(kept, {place}, {lanes})" for name, place in places.items()]
    stores = [f"store(kept, {place}, {name}, {lanes})" for name, place in places.items()]
    kind = "uint8" if program.ages else "int32"
    return f'''"""Many traces over {in_docstring(", ".join(map(quoted, program.names)))}."""

import numpy as np

from semantics.compiled import compiled
from detectors.carlson_lisper.fast.vectors import load, selection, store, stream

lane = np.{kind}
NONE = lane({program.none})
where = selection(lane)


@compiled
def batch(letters, first, states, outcomes, is_large):
    """Runs over all instants, from the time of the first one on."""
    instants, traces = letters.shape
    read, written, kept = letters.reshape(-1), outcomes.reshape(-1), states.reshape(-1)
    groups = traces // {lanes}
    # The variables of one group stay in registers all the time; with several groups, for as long as what is read and
    # written stays close together.
    stretch = max(1, instants if groups == 1 else {NEAR} // traces)
    for begin in range(0, instants, stretch):
        for group in range(groups):
{textwrap.indent(chr(10).join(loads), " " * 12)}
            for instant in range(begin, min(begin + stretch, instants)):
                now = lane({"0" if program.ages else "first + instant"})
                place = instant * traces + group * {lanes}
                letter = load(read, place, {lanes})
{_code(program, 4)}
                if is_large:
                    stream(written, place, {program.result}, {lanes})
                else:
                    store(written, place, {program.result}, {lanes})
{textwrap.indent(chr(10).join(stores), " " * 12)}
'''


def vector_text(program: LaneProgram) -> str:
    """The same in terms of arrays over all traces: a function of one instant's letters and the variables."""
    variables = "".join(f"{name}, " for name in program.variables)
    return (
        f"def instant(letter, now, {variables}NONE, where):\n"
        f'    """One instant of many traces over {in_docstring(", ".join(map(quoted, program.names)))}."""\n'
        f"{_code(program, 1)}\n"
        f"    return {program.result}, ({variables})\n"
    )
