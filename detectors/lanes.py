"""Programs for many traces side by side: one instruction of the processor serves as many traces as fit its registers.

All traces take the same steps, so nothing may branch: the bodies are straight lines. A value is either a start, as in
`detectors.specialisation`, or an *age*, how many ticks ago an instance started. Where no instance of the expression is
longer than 254 ticks, ages fit eight bits: what is older than that is part of no detection and counts as ⟨⟩, whose age
is the greatest number. Later starts are smaller ages, so every comparison of starts is turned round.

A sequence remembers, for each of the last τ ticks, the latest start of a left instance that ended by then (`h3_1`,
`h3_2`, …): the match for a right instance that started `d` ticks ago is the one of `d + 1` ticks ago.
"""

from __future__ import annotations

import ast
import copy
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from detectors.intervals import MAX_NAMES
from detectors.programs import START_STEPS, Part, parts
from detectors.protocol import event_types
from detectors.specialisation import Place, StartRewriting, initial_starts
from detectors.straight_line import straight_line
from detectors.transformation import transform
from semantics.errors import LimitExceeded
from semantics.expressions import UNBOUNDED, Expression, Identifier, Label

LANES = 64
"""How many traces go side by side through the innermost loop."""

MAX_LABEL = 64
"""Sequences with a greater label would remember more ticks than is worth while."""

MAX_AGE = 254
"""The greatest age that eight bits can tell from ⟨⟩."""

_TURNED = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE}


def _load(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


class StartLaneRewriting(StartRewriting):
    """A step on starts whose queue is the memory of the last ticks."""

    def __init__(self, place: Place, label: Label) -> None:
        """Rewrite the step at a place."""
        super().__init__(place, label=label, compiled=True)

    def visit_Expr(self, node: ast.Expr) -> list[ast.stmt]:
        """A push is nothing: the latest start is the auxiliary variable t."""
        return []

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        """Before a push, each tick of the memory passes what it knows to the one behind it."""
        pushes = isinstance(node.body[0], ast.Expr)
        remaining = self.generic_visit(node)
        if not pushes:
            return remaining
        memories = memory(self.place, self.label)
        newer = [self.place.variable("t"), *memories]
        moves: list[ast.stmt] = [
            ast.Assign([ast.Name(name, ast.Store())], _load(value))
            for name, value in reversed(list(zip(memories, newer, strict=False)))
        ]
        return [*moves, remaining]  # type: ignore[list-item]

    def _latest_before(self, time: ast.expr) -> ast.expr:
        match: ast.expr = _load(self.place.variable("t"))
        for name, ticks in reversed(
            list(zip(memory(self.place, self.label), range(1, 1 << 62), strict=False))
        ):
            match = ast.IfExp(self._started(copy.deepcopy(time), ticks), _load(name), match)
        return match

    def _started(self, time: ast.expr, ticks: int) -> ast.expr:
        """Whether a start was so many ticks ago."""
        age = ast.BinOp(_load("now"), ast.Sub(), time)
        return ast.Compare(age, [ast.Eq()], [ast.Constant(ticks)])


class AgeLaneRewriting(StartLaneRewriting):
    """A step on ages."""

    def none(self) -> ast.expr:
        """The greatest age."""
        return _load("NONE")

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """An order of starts is turned round; the length of what ends now is its age."""
        (operator,), (other,) = node.ops, node.comparators
        left = node.left
        if isinstance(left, ast.BinOp) and isinstance(left.op, ast.Sub) and _is_end(left.left):
            return ast.Compare(self.visit(left.right), [operator], [self.visit(other)])
        if isinstance(other, ast.Constant) and other.value == 0:
            exists = isinstance(operator, ast.GtE)
            return ast.Compare(self.visit(left), [ast.NotEq() if exists else ast.Eq()], [_load("NONE")])
        return ast.Compare(self.visit(left), [_TURNED[type(operator)]()], [self.visit(other)])

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """The earlier start is the greater age."""
        call = super().visit_Call(node)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "min":
            call.func = _load("max")
        return call

    def _started(self, time: ast.expr, ticks: int) -> ast.expr:
        return ast.Compare(time, [ast.Eq()], [ast.Constant(ticks)])


def _is_end(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "end"


def memory(place: Place, label: Label) -> list[str]:
    """The variables with the latest start of each of the last ticks, the nearest first."""
    return [place.variable("h") + f"_{ticks}" for ticks in range(1, int(label) + 1)]


@dataclass(frozen=True, eq=False)
class LaneProgram:
    """The program of an expression for many traces.

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


@lru_cache(maxsize=256)
def lane_program(expression: Expression) -> LaneProgram:
    """The program of an expression for many traces.

    Raises:
        LimitExceeded: a sequence has a right side of which instances are too long.
    """
    names = event_types(expression)
    if len(names) > MAX_NAMES:
        raise LimitExceeded(
            f"{len(names)} event types, more than the {MAX_NAMES} that traces side by side may have",
            remedy="Take the traces one after the other, by columns or one instant at a time: these ways take any"
            " number of event types.",
        )
    transformed = transform(expression)
    ages = transformed.bound <= MAX_AGE
    found = parts(expression, START_STEPS)
    variables: list[str] = []
    body: list[ast.stmt] = []
    for part in found:
        target = ast.Name(f"a{part.number}", ast.Store())
        if part.place is None:
            assert isinstance(part.expression, Identifier)
            occurs = ast.BinOp(
                _load("letter"), ast.BitAnd(), ast.Constant(1 << names.index(part.expression.name))
            )
            values = (ast.Constant(0), _load("NONE")) if ages else (_load("now"), _load("NONE"))
            body.append(ast.Assign([target], ast.IfExp(occurs, *values)))
            continue
        own, label = _own(part), 0 if part.label is None else part.label
        memories = memory(part.place, label)
        variables += [*own, *memories]
        rewriting = (AgeLaneRewriting if ages else StartLaneRewriting)(part.place, label)
        known = {"now", part.place.left, part.place.right, *own, *memories}
        body += straight_line(rewriting.statements(), known)
    before: list[ast.stmt] = []
    if ages:
        before = [
            ast.Assign(
                [ast.Name(name, ast.Store())],
                ast.BinOp(_load(name), ast.Add(), ast.IfExp(_exists(name), ast.Constant(1), ast.Constant(0))),
            )
            for name in variables
        ]
    return LaneProgram(ages, names, tuple(variables), tuple(before), tuple(body), f"a{len(found)}")


def _exists(name: str) -> ast.expr:
    return ast.Compare(_load(name), [ast.NotEq()], [_load("NONE")])


def _own(part: Part) -> list[str]:
    assert part.place is not None
    if part.label is not None and part.label > MAX_LABEL:
        label = "∞" if part.label == UNBOUNDED else f"{part.label:,}"
        raise LimitExceeded(
            f"{part.expression} has the label {label}; side by side, traces are taken up to {MAX_LABEL}",
            remedy="Take the traces one after the other.",
        )
    return [part.place.variable(name) for name in initial_starts(part.place.step)]


# ---------------------------------------------------------------------------------------------------------- texts


class _Narrow(ast.NodeTransformer):
    """Values of the type of the lanes, however wide the arithmetic is."""

    def visit_Assign(self, node: ast.Assign) -> ast.Assign:
        (target,) = node.targets
        assert isinstance(target, ast.Name)
        if target.id.startswith("if_"):
            return node
        return ast.Assign([target], ast.Call(_load("lane"), [node.value], []))


class _Vectors(ast.NodeTransformer):
    """The same over whole arrays."""

    def visit_IfExp(self, node: ast.IfExp) -> ast.Call:
        return ast.Call(
            _load("where"), [self.visit(part) for part in (node.test, node.body, node.orelse)], []
        )

    def visit_Call(self, node: ast.Call) -> ast.Call:
        assert isinstance(node.func, ast.Name)
        names = {"min": "minimum", "max": "maximum"}
        return ast.Call(
            _load(names.get(node.func.id, node.func.id)), [self.visit(argument) for argument in node.args], []
        )


def _code(statements: Sequence[ast.stmt], depth: int) -> str:
    text = "\n".join(ast.unparse(ast.fix_missing_locations(copy.deepcopy(node))) for node in statements)
    return textwrap.indent(text, " " * (4 * depth))


@lru_cache(maxsize=256)
def compiled_text(program: LaneProgram) -> str:
    """A module with a function over letters of shape (instants, traces), for traces in groups of `LANES`."""
    loads = [f"{name} = state[{LANES * index} + index]" for index, name in enumerate(program.variables)]
    stores = [f"state[{LANES * index} + index] = {name}" for index, name in enumerate(program.variables)]
    narrow = [_Narrow().visit(copy.deepcopy(statement)) for statement in (*program.before, *program.body)]
    kind = "uint8" if program.ages else "int32"
    none = "255" if program.ages else "-1"
    return f'''"""Many traces over {", ".join(program.names)}."""

import numpy as np

from detectors.compiled import compiled

lane = np.{kind}
NONE = lane({none})


@compiled
def batch(letters, first, states, outcomes):
    """Runs over all instants, from the time of the first one on."""
    for instant in range(letters.shape[0]):
        now = lane({"0" if program.ages else "first + instant"})
        for group in range(letters.shape[1] // {LANES}):
            begin = group * {LANES}
            line = letters[instant, begin:begin + {LANES}]
            outcome = outcomes[instant, begin:begin + {LANES}]
            state = states[group]
            for index in range({LANES}):
                letter = line[index]
{textwrap.indent(chr(10).join(loads), " " * 16)}
{_code(narrow, 4)}
                outcome[index] = {program.result}
{textwrap.indent(chr(10).join(stores), " " * 16)}
'''


def vector_text(program: LaneProgram) -> str:
    """The same in terms of arrays over all traces: a function of one instant's letters and the variables."""
    statements = [
        _Vectors().visit(copy.deepcopy(statement)) for statement in (*program.before, *program.body)
    ]
    variables = "".join(f"{name}, " for name in program.variables)
    return (
        f"def instant(letter, now, {variables}NONE, where, minimum, maximum):\n"
        f'    """One instant of many traces over {", ".join(program.names)}."""\n'
        f"{_code(statements, 1)}\n"
        f"    return {program.result}, ({variables})\n"
    )
