"""Statements of a step simplified where an operand is an event type: a comparison becomes a question to the letter.

The current instance of an event type starts now, or there is none: two cases, in each of which most comparisons of a
step are decided, because no time is later than now, and what a step remembers is from an earlier instant until it
assigns it. A statement that uses such an operand becomes a choice between what is left of it in either case.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Collection, Mapping, Sequence

from detectors.straight_line import assigned

OCCURS = "occurs_"
"""Before the variable of an operand: the name of the condition that its event type occurs now."""

_NOW = ast.Name("now", ast.Load())
_NONE = ast.UnaryOp(ast.USub(), ast.Constant(1))
_MIRRORED: Mapping[type[ast.cmpop], type[ast.cmpop]] = {ast.Gt: ast.Lt, ast.GtE: ast.LtE}


def for_events(
    statements: Sequence[ast.stmt], events: Collection[str], remembered: Collection[str]
) -> list[ast.stmt]:
    """The statements of a step that works with starts, with a case for each of its operands that are event types.

    Args:
        statements: assignments, conditionals and calls.
        events: the variables of the operands that are event types.
        remembered: the variables in which the step remembers starts.
    """
    result: list[ast.stmt] = []
    earlier = set(remembered)
    for statement in statements:
        used = [name for name in events if _uses(statement, name)]
        result += _cases(statement, used, {}, earlier)
        earlier -= assigned([statement])
    return result


def _cases(
    statement: ast.stmt, used: Sequence[str], values: Mapping[str, ast.expr], earlier: Collection[str]
) -> list[ast.stmt]:
    """What is left of a statement when some operands have these values, by cases of those that are used besides."""
    if not used:
        return _simplified([copy.deepcopy(statement)], values, earlier)
    name, *others = used
    occurring = _cases(statement, others, {**values, name: _NOW}, earlier)
    absent = _cases(statement, others, {**values, name: _NONE}, earlier)
    return _chosen(ast.Name(OCCURS + name, ast.Load()), occurring, absent)


def _chosen(test: ast.expr, body: list[ast.stmt], other: list[ast.stmt]) -> list[ast.stmt]:
    """A conditional, or less if it is not needed."""
    if _same(body, other):
        return body
    if not body:
        return [ast.If(ast.UnaryOp(ast.Not(), test), other, [])]
    return [ast.If(test, body, other)]


def _simplified(
    statements: Sequence[ast.stmt], values: Mapping[str, ast.expr], earlier: Collection[str]
) -> list[ast.stmt]:
    """Statements with the values of some variables, without what is decided by them."""
    result: list[ast.stmt] = []
    earlier = set(earlier)
    for statement in statements:
        deciding = _Deciding(values, earlier)
        if isinstance(statement, ast.If):
            test = deciding.visit(statement.test)
            body = _simplified(statement.body, values, earlier)
            other = _simplified(statement.orelse, values, earlier)
            if isinstance(test, ast.Constant):
                result += body if test.value else other
            else:
                result += _chosen(test, body, other)
        else:
            result.append(deciding.visit(statement))
        earlier -= assigned([statement])
    return result


class _Deciding(ast.NodeTransformer):
    """Puts values in the place of variables and decides what can be decided."""

    def __init__(self, values: Mapping[str, ast.expr], earlier: Collection[str]) -> None:
        self._values = values
        self._earlier = earlier

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return copy.deepcopy(self._values.get(node.id, node))

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        (right,) = node.comparators
        left, operator = node.left, type(node.ops[0])
        if operator in _MIRRORED:
            left, right, operator = right, left, _MIRRORED[operator]
        decided = self._is_less(left, right) if operator is ast.Lt else self._is_at_most(left, right)
        return node if decided is None else ast.Constant(decided)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        deciding = isinstance(node.op, ast.Or)
        rest = []
        for value in node.values:
            if not isinstance(value, ast.Constant):
                rest.append(value)
            elif value.value is deciding:
                return ast.Constant(deciding)
        if len(rest) > 1:
            return ast.BoolOp(node.op, rest)
        return rest[0] if rest else ast.Constant(not deciding)

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.test, ast.Constant):
            return node.body if node.test.value else node.orelse
        if ast.dump(node.body) == ast.dump(node.orelse):
            return node.body
        if _is_now(node.body) and self._is_minimum(node):
            return node.orelse
        return node

    @staticmethod
    def _is_minimum(node: ast.IfExp) -> bool:
        test = ast.Compare(node.body, [ast.LtE()], [node.orelse])
        return ast.dump(test) == ast.dump(node.test)

    def _is_less(self, left: ast.expr, right: ast.expr) -> bool | None:
        if not (_is_time(left) and _is_time(right)):
            return None
        if _is_now(left) or _is_none(right):
            return False
        if _is_none(left) and (_is_now(right) or isinstance(right, ast.Constant)):
            return True
        if _is_now(right) and isinstance(left, ast.Name) and left.id in self._earlier:
            return True
        return None

    def _is_at_most(self, left: ast.expr, right: ast.expr) -> bool | None:
        if not (_is_time(left) and _is_time(right)):
            return None
        if _is_none(left) or _is_now(right):
            return True
        greater = self._is_less(right, left)
        return None if greater is None else not greater


def _is_now(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == _NOW.id


def _is_none(node: ast.expr) -> bool:
    return ast.dump(node) == ast.dump(_NONE)


def _is_time(node: ast.expr) -> bool:
    """Whether a value is a time from 0 to now, or -1. Variables are; of numbers only 0 is sure to be."""
    return (
        isinstance(node, ast.Name) or _is_none(node) or (isinstance(node, ast.Constant) and node.value == 0)
    )


def _same(one: Sequence[ast.stmt], other: Sequence[ast.stmt]) -> bool:
    return [ast.dump(statement) for statement in one] == [ast.dump(statement) for statement in other]


def _uses(statement: ast.stmt, name: str) -> bool:
    return any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(statement))
