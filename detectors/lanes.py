"""Programs for many traces side by side: one instruction of the processor serves as many traces as fit its registers.

All traces take the same steps, so nothing may branch: the bodies are straight lines. A value is either a start, as in
`detectors.specialisation`, or an *age*, how many ticks ago an instance started. Where no instance of the expression is
longer than 254 ticks, ages fit eight bits: what is older than that is part of no detection and counts as ⟨⟩, whose age
is the greatest number. Later starts are smaller ages, so every comparison of starts is turned round.
"""

from __future__ import annotations

import ast
import copy
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from detectors.carried import with_present
from detectors.demand import demand
from detectors.intervals import MAX_NAMES
from detectors.start_programs import loop_body, start_variables
from detectors.transformation import transform
from semantics.errors import LimitExceeded
from semantics.expressions import Expression

LANES = 64
"""How many traces go side by side through the innermost loop."""

MAX_AGE = 254
"""The greatest age that eight bits can tell from ⟨⟩."""

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
            case ast.BinOp(left=ast.Name(id="now"), op=ast.Sub(), right=start):
                return ast.Compare(start, [operator], [other])
        if isinstance(other, ast.Constant) and other.value == 0:
            exists = isinstance(operator, ast.GtE)
            return ast.Compare(node.left, [ast.NotEq() if exists else ast.Eq()], [_load("NONE")])
        return ast.Compare(self.visit(node.left), [_TURNED[type(operator)]()], [self.visit(other)])


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
    occurs = {name: f"letter & {1 << bit}" for bit, name in enumerate(names)}
    body = ast.parse(with_present("\n".join(loop_body(wanted.parts, occurs)))).body
    if ages:
        body = [_Ages().visit(statement) for statement in body]
    before: list[ast.stmt] = []
    if ages:
        before = [
            ast.Assign(
                [ast.Name(name, ast.Store())],
                ast.BinOp(_load(name), ast.Add(), ast.IfExp(_exists(name), ast.Constant(1), ast.Constant(0))),
            )
            for name in variables
        ]
    return LaneProgram(ages, names, variables, tuple(before), tuple(body), wanted.result)


def _exists(name: str) -> ast.expr:
    return ast.Compare(_load(name), [ast.NotEq()], [_load("NONE")])


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
        f"def instant(letter, now, {variables}NONE, where):\n"
        f'    """One instant of many traces over {", ".join(program.names)}."""\n'
        f"{_code(statements, 1)}\n"
        f"    return {program.result}, ({variables})\n"
    )
