"""Simplification of steps whose operand is an event type: comparisons become questions to the letter.

The current instance of an event type, or of a disjunction of some, starts now, or there is none: two cases, in each of
which most comparisons of a step are decided, because no time is later than now, and what a step remembers is from an
earlier instant until it assigns it. Statements that use such an operand become a choice between what is left of them in
either case. The matches of an instance that starts now are those of the present instant
(`detectors.carlson_lisper.generated.carried`).

A step whose operand nobody else reads, such as a restriction, is put where that operand is assigned: what it asks is
often decided there, or need not be asked in all cases.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Collection, Mapping, Sequence

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
        statements: assignments and conditionals.
        events: the variables of the operands that are event types.
        remembered: the variables in which the step remembers starts.
    """
    used = [name for name in events if any(_uses_start(statement, name) for statement in statements)]
    result, _ = _cases(statements, used, {}, set(remembered))
    return result


def followed(statements: Sequence[ast.stmt], start: str, following: Sequence[ast.stmt]) -> list[ast.stmt]:
    """Statements that assign a start and its matches, with others after each place where that happens.

    Only these others read the start. What is assigned at a place stands in them for the variables, so that they often
    have less to do there; and they read what is remembered before the statements update it.

    Args:
        statements: of a step, which assign the start in every case.
        start: its variable.
        following: the others.
    """
    places = [index for index, one in enumerate(statements) if _assigns(one, start)]
    first, last = places[0], places[-1] + 1
    before, there, after = statements[:first], statements[first:last], statements[last:]
    match there:
        case [ast.If(test=test, body=body, orelse=other)]:
            joined = _chosen(test, followed(body, start, following), followed(other, start, following))
        case [ast.Assign(targets=targets, value=ast.IfExp(test=test, body=value, orelse=other_value))]:
            cases = ([ast.Assign(targets, one)] for one in (value, other_value))
            joined = _chosen(test, *(followed(case, start, following) for case in cases))
        case _:
            values = {name: value for one in there for name, value in _plain(one, start).items()}
            is_all = len(values) == len(there)
            joined, _ = _simplified(following, values if is_all else {}, ())
            if not is_all:
                joined = [*there, *joined]
    return [*before, *joined, *after]


def _plain(statement: ast.stmt, start: str) -> dict[str, ast.expr]:
    """What a statement assigns to a start or a match of it, if that is a variable or -1."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if _start(name) == start:
            if isinstance(value, ast.Name) or _is_none(value):
                return {name: value}
    return {}


def _assigns(statement: ast.stmt, start: str) -> bool:
    return any(_start(name) == start for name in assigned([statement]))


def _cases(
    statements: Sequence[ast.stmt],
    used: Sequence[str],
    values: Mapping[str, ast.expr],
    earlier: Collection[str],
) -> tuple[list[ast.stmt], dict[str, ast.expr]]:
    """What is left of statements when variables have these values, by cases of the operands that are used besides.

    Returns:
        The statements, and the values that variables have afterwards in every case.
    """
    if not used:
        return _simplified(statements, values, earlier)
    name, *others = used
    occurring, after = _cases(statements, others, {**values, name: _NOW}, earlier)
    absent, after_none = _cases(statements, others, {**values, name: _NONE}, earlier)
    return _chosen(ast.Name(OCCURS + name, ast.Load()), occurring, absent), _common(after, after_none)


def _common(one: Mapping[str, ast.expr], other: Mapping[str, ast.expr]) -> dict[str, ast.expr]:
    return {name: value for name, value in one.items() if name in other and _same([value], [other[name]])}


def _chosen(test: ast.expr, body: list[ast.stmt], other: list[ast.stmt]) -> list[ast.stmt]:
    """A conditional, or less if it is not needed."""
    if body and other and _same(body[-1:], other[-1:]):
        return [*_chosen(test, body[:-1], other[:-1]), body[-1]]
    if (
        body
        and other
        and _same(body[:1], other[:1])
        and not any(_uses(test, name) for name in assigned(body[:1]))
    ):
        return [body[0], *_chosen(test, body[1:], other[1:])]
    match other:
        case [ast.If(test=other_test, body=same, orelse=rest)] if _same(body, same):
            return _chosen(ast.BoolOp(ast.Or(), [test, other_test]), body, rest)
    if body:
        return [ast.If(test, body, other)]
    return [ast.If(ast.UnaryOp(ast.Not(), test), other, [])] if other else []


def _simplified(
    statements: Sequence[ast.stmt], values: Mapping[str, ast.expr], earlier: Collection[str]
) -> tuple[list[ast.stmt], dict[str, ast.expr]]:
    """Statements without what is decided by the values of some variables, and the values afterwards."""
    result: list[ast.stmt] = []
    values = dict(values)
    earlier = set(earlier)
    for statement in statements:
        deciding = _Deciding(values, earlier)
        left: list[ast.stmt]
        if isinstance(statement, ast.If):
            test = deciding.visit(copy.deepcopy(statement.test))
            body, after = _simplified(statement.body, values, earlier)
            other, after_other = _simplified(statement.orelse, values, earlier)
            if isinstance(test, ast.Constant):
                left, values = (body, after) if test.value else (other, after_other)
            else:
                left = _start_or_none(test, body, other) or _chosen(test, body, other)
                values = _common(after, after_other)
        else:
            left = [deciding.visit(copy.deepcopy(statement))]
            _forget(values, left)
            match left:
                case [ast.Assign(targets=[ast.Name(id=name)], value=value)] if _is_now(value) or _is_none(
                    value
                ):
                    values[name] = value
        for one in left:
            _put(result, one)
        earlier -= assigned(left)
    return result, values


def _forget(values: dict[str, ast.expr], statements: Sequence[ast.stmt]) -> None:
    for name in assigned(statements):
        values.pop(name, None)


def _put(statements: list[ast.stmt], statement: ast.stmt) -> None:
    """Append a statement; without an assignment before that it makes vain."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if not _uses(value, name):
            for index, before in reversed(list(enumerate(statements))):
                if _uses(before, name):
                    if isinstance(before, ast.Assign) and not _uses(before.value, name):
                        del statements[index]
                    break
    statements.append(statement)


def _start_or_none(test: ast.expr, body: Sequence[ast.stmt], other: Sequence[ast.stmt]) -> list[ast.stmt]:
    """The assignments of a start and its matches, if a conditional does that or assigns -1 where the start is -1."""
    start = _absent(test)
    if start is not None:
        assignments = [one for one in other if isinstance(one, ast.Assign) and _is_of(one.value, start)]
        none = [ast.Assign(one.targets, copy.deepcopy(_NONE)) for one in assignments]
        if len(assignments) == len(other) and _same(none, body):
            return [*assignments]
    return []


def _absent(test: ast.expr) -> str | None:
    """The start of which it is asked whether it is -1, as steps ask that or as a comparison with another start does."""
    match test:
        case ast.Compare(left=ast.Name(id=start), ops=[ast.Lt()], comparators=[ast.Constant(value=0)]):
            return start
        case ast.Compare(left=ast.Name(id=start), ops=[ast.LtE()], comparators=[other]) if _is_none(other):
            return start
    return None


def _is_of(value: ast.expr, start: str) -> bool:
    return isinstance(value, ast.Name) and _start(value.id) == start


def _start(name: str) -> str:
    """The variable of the start whose match a variable is, or itself."""
    return name.partition("_")[0]


class _Deciding(ast.NodeTransformer):
    """Puts values in the place of variables and decides what can be decided."""

    def __init__(self, values: Mapping[str, ast.expr], earlier: Collection[str]) -> None:
        self._values = values
        self._earlier = earlier

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if not isinstance(node.ctx, ast.Load):
            return node
        start = _start(node.id)
        value = self._values.get(node.id, self._values.get(start, node))
        if _is_now(value) and node.id != start:
            return ast.Name("now" + node.id.removeprefix(start), ast.Load())
        return copy.deepcopy(value)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        (right,) = node.comparators
        left, operator = node.left, type(node.ops[0])
        if operator in _MIRRORED:
            left, right, operator = right, left, _MIRRORED[operator]
        decided = self._is_less(left, right) if operator is ast.Lt else self._is_at_most(left, right)
        match left, right:
            case ast.Constant(value=int(less)), ast.Constant(value=int(greater)):
                decided = less < greater if operator is ast.Lt else less <= greater
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

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        return ast.Constant(0) if isinstance(node.op, ast.Sub) and _same([node.left], [node.right]) else node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.test, ast.Constant):
            return node.body if node.test.value else node.orelse
        if ast.dump(node.body) == ast.dump(node.orelse):
            return node.body
        if self._is_minimum(node) and (_is_now(node.body) or _is_none(node.orelse)):
            return node.orelse
        if _is_none(node.body) and isinstance(node.orelse, ast.Name) and _absent(node.test) == node.orelse.id:
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


def _same(one: Sequence[ast.AST], other: Sequence[ast.AST]) -> bool:
    return [ast.dump(node) for node in one] == [ast.dump(node) for node in other]


def _uses(node: ast.AST, name: str) -> bool:
    return any(isinstance(used, ast.Name) and used.id == name for used in ast.walk(node))


def _uses_start(node: ast.AST, name: str) -> bool:
    """Whether a start or one of its matches is used."""
    return any(isinstance(used, ast.Name) and _start(used.id) == name for used in ast.walk(node))


def assigned(statements: Sequence[ast.stmt]) -> set[str]:
    """The variables that statements assign."""
    return {
        node.id
        for statement in statements
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
