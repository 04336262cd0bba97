"""If-conversion: both branches are computed and the right values selected, so that no jump can be mispredicted.

At event probabilities around a half, a mispredicted jump costs more than all that the branches do. Only pure
assignments may be converted; a statement with a call stays in its branch.
"""

from __future__ import annotations

import ast
import copy
import itertools
from collections.abc import Collection, Iterator, Sequence


class _Bitwise(ast.NodeTransformer):
    """`and` and `or` jump; `&` and `|` of comparisons do not."""

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        operator = ast.BitAnd() if isinstance(node.op, ast.And) else ast.BitOr()
        values = [self.visit(value) for value in node.values]
        result = values[0]
        for value in values[1:]:
            result = ast.BinOp(result, operator, value)
        return result  # type: ignore[no-any-return]


class _Renaming(ast.NodeTransformer):
    """Other names for variables."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self.names.get(node.id, node.id), node.ctx)


def straight_line(statements: Sequence[ast.stmt], known: Collection[str]) -> list[ast.stmt]:
    """Statements that do the same with no branches but those that contain calls.

    Args:
        statements: assignments and conditionals.
        known: the variables that have a value before.
    """
    prepared = [_Bitwise().visit(copy.deepcopy(statement)) for statement in statements]
    return _converted(prepared, set(known), itertools.count(1))


def _converted(statements: Sequence[ast.stmt], known: set[str], numbers: Iterator[int]) -> list[ast.stmt]:
    """Convert statements, and add to the known variables those that have a value afterwards."""
    result: list[ast.stmt] = []
    for statement in statements:
        if isinstance(statement, ast.If):
            body = _converted(statement.body, set(known), numbers)
            other = _converted(statement.orelse, set(known), numbers)
            if _is_pure(body) and _is_pure(other):
                result += _selected(statement.test, body, other, known, numbers)
            else:
                result.append(ast.If(statement.test, body, other))
                known |= assigned(body) & assigned(other)
        else:
            result.append(statement)
            known |= assigned([statement])
    return result


def _selected(
    test: ast.expr,
    body: Sequence[ast.stmt],
    other: Sequence[ast.stmt],
    known: set[str],
    numbers: Iterator[int],
) -> list[ast.stmt]:
    """Both branches with names of their own, then each variable by the condition."""
    number = next(numbers)
    condition = f"if_{number}"
    result: list[ast.stmt] = [ast.Assign([ast.Name(condition, ast.Store())], test)]
    outcomes: list[dict[str, str]] = []
    for branch, suffix in ((body, "then"), (other, "else")):
        names: dict[str, str] = {}
        for statement in branch:
            assert isinstance(statement, ast.Assign)
            (target,) = assigned([statement])
            value = _Renaming(names).visit(copy.deepcopy(statement.value))
            names[target] = f"{target}_{suffix}_{number}"
            result.append(ast.Assign([ast.Name(names[target], ast.Store())], value))
        outcomes.append(names)
    yes, no = outcomes
    for name in dict.fromkeys([*yes, *no]):
        if name in known or (name in yes and name in no):  # what else there is, is local to a branch
            chosen = ast.IfExp(
                ast.Name(condition, ast.Load()),
                ast.Name(yes.get(name, name), ast.Load()),
                ast.Name(no.get(name, name), ast.Load()),
            )
            result.append(ast.Assign([ast.Name(name, ast.Store())], chosen))
            known.add(name)
    return result


def assigned(statements: Sequence[ast.stmt]) -> set[str]:
    """The variables that statements assign."""
    return {
        node.id
        for statement in statements
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


def _is_pure(branch: Sequence[ast.stmt]) -> bool:
    return all(
        isinstance(statement, ast.Assign)
        and not any(isinstance(node, ast.Call) for node in ast.walk(statement.value))
        for statement in branch
    )
