"""Starts that carry their matches: a sequence knows the match of a right instance since that began.

A sequence asks for the match of its right instance: among the left instances that ended before it started, the one that
started last. Whatever ended by then is known when the right instance starts, which some event does at that instant: the
match is the greatest start of a left instance so far, the auxiliary variable t of the sequence. From there on it goes
wherever the start goes. So a sequence keeps a single start of its own, whatever its label, and nothing is searched.

The match of the start `x` in the sequence 6 is `x_6`. If 6 is part of the right side of the sequence 9, then that match
carries one too: `x_6_9`. An event that occurs now starts now: `now_6` is `t6`, and `now_6_9` is `t6_9`. What does not
occur, -1, has the matches -1.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Collection, Iterator, Mapping, Sequence

Suffix = str
"""The sequences of a match behind the name of a start: "" is the start itself, "_6" its match in the sequence 6."""

START: Suffix = ""
"""Nothing behind the name of a start: itself."""


def match_in(number: int | str) -> Suffix:
    """What is behind the name of the match in a sequence."""
    return f"_{number}"


def sequences(suffix: Suffix) -> tuple[int, ...]:
    """The numbers of the sequences of a match, the innermost first."""
    return tuple(map(int, suffix.split("_")[1:]))


def with_present(text: str) -> str:
    """A text with the variables that hold the matches of the present instant."""
    return re.sub(r"\bnow_(\d+)", r"t\1", text)


def needed(
    statements: Sequence[ast.stmt], results: Mapping[str, Collection[Suffix]]
) -> dict[str, dict[Suffix, None]]:
    """What each variable of a step has to carry.

    Args:
        statements: of a step that works with starts.
        results: what those variables have to carry that are asked for from outside.

    Returns:
        For each variable the suffixes in a fixed order. What is compared, is needed itself.
    """
    found = {name: dict.fromkeys(suffixes) for name, suffixes in results.items()}
    for node in _nodes(statements):
        if isinstance(node, ast.If | ast.IfExp):
            for name in _names(node.test):
                found.setdefault(name, {})[START] = None
    assignments = [node for node in _nodes(statements) if isinstance(node, ast.Assign)]
    grows = True
    while grows:
        grows = False
        for assignment in assignments:
            wanted = found.get(_target(assignment), {})
            for name in _values(assignment.value):
                known = found.setdefault(name, {})
                grows |= not wanted.keys() <= known.keys()
                known.update(wanted)
    return found


def carrying(statements: Sequence[ast.stmt], needs: Mapping[str, Collection[Suffix]]) -> list[ast.stmt]:
    """The statements with an assignment for all that variables have to carry."""
    result: list[ast.stmt] = []
    for statement in statements:
        if isinstance(statement, ast.If):
            body, other = (carrying(branch, needs) for branch in (statement.body, statement.orelse))
            result.append(ast.If(statement.test, body, other))
        else:
            assert isinstance(statement, ast.Assign)
            result += _carrying(_target(statement), statement.value, needs.get(_target(statement), ()))
    return result


def _carrying(target: str, value: ast.expr, suffixes: Collection[Suffix]) -> list[ast.stmt]:
    if isinstance(value, ast.IfExp) and len(suffixes) > 1:
        branches = (_carrying(target, branch, suffixes) for branch in (value.body, value.orelse))
        return [ast.If(copy.deepcopy(value.test), *branches)]
    return [
        ast.Assign([ast.Name(target + suffix, ast.Store())], _Carried(suffix).visit(copy.deepcopy(value)))
        for suffix in suffixes
    ]


class _Carried(ast.NodeTransformer):
    """Puts what a start carries in its place; conditions stay."""

    def __init__(self, suffix: Suffix) -> None:
        self._suffix = suffix

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(node.id + self._suffix, node.ctx)

    def visit_IfExp(self, node: ast.IfExp) -> ast.IfExp:
        return ast.IfExp(node.test, self.visit(node.body), self.visit(node.orelse))


def _nodes(statements: Sequence[ast.stmt]) -> Iterator[ast.AST]:
    for statement in statements:
        yield from ast.walk(statement)


def _target(assignment: ast.Assign) -> str:
    (target,) = assignment.targets
    assert isinstance(target, ast.Name)
    return target.id


def _names(node: ast.AST) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            yield part.id


def _values(value: ast.expr) -> Iterator[str]:
    """The variables of which a value may be the start."""
    match value:
        case ast.IfExp(body=body, orelse=other):
            yield from _values(body)
            yield from _values(other)
        case ast.Name(id=name):
            yield name
