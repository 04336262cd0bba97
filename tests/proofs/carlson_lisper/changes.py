"""Mutations: every small change of a program, found in its syntax.

A change is what a programmer gets wrong with one stroke: a comparison flipped or shifted by one, an update dropped or
done too late, one operand taken for the other, a number too small by one, a connective, a branch, a result that is
lost. What only guards against bad input is left alone, for no case has any.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from campaigns.mutants.private_modules import path_of

COMPARISONS: dict[type[ast.cmpop], tuple[str, type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ("lt", ast.LtE, ast.Gt),
    ast.LtE: ("le", ast.Lt, ast.GtE),
    ast.Gt: ("gt", ast.GtE, ast.Lt),
    ast.GtE: ("ge", ast.Gt, ast.LtE),
}
"""Of each comparison of order its name, the one that differs in ties, and the one the other way round."""

OPPOSITES: dict[type[ast.cmpop], tuple[str, type[ast.cmpop]]] = {
    ast.Eq: ("eq-ne", ast.NotEq),
    ast.NotEq: ("ne-eq", ast.Eq),
    ast.Is: ("is-not", ast.IsNot),
    ast.IsNot: ("not-is", ast.Is),
    ast.In: ("in-out", ast.NotIn),
    ast.NotIn: ("out-in", ast.In),
}
"""Of each other comparison its negation, and the name of the change."""

EXCHANGED = {
    "left": "right",
    "right": "left",
    "min": "max",
    "max": "min",
    "start": "end",
    "end": "start",
    "starts": "ends",
    "ends": "starts",
    "low": "high",
    "high": "low",
    "bisect_left": "bisect_right",
    "bisect_right": "bisect_left",
}
"""Names that are easily taken for each other."""

NUMERIC = (*COMPARISONS, ast.Eq, ast.NotEq)
"""The comparisons of numbers."""

QUESTIONS = {"latest_before": "evict_before", "evict_before": "latest_before"}
"""Methods of a queue that give the same answer."""

FOR_PEOPLE = ("__repr__", "stored", "contents", "__len__", "variables")
"""Methods that only show what is stored."""

LOST = "NON_OCCURRENCE"
"""What a step returns when it loses its result."""


@dataclass(frozen=True)
class Mutation:
    """One change of a definition.

    Attributes:
        place: the class and method, or the function.
        line: the line within it, counted from 1 without docstrings and comments.
        node: the number of the changed node within the function.
    """

    place: str
    line: int
    change: str
    before: str
    after: str
    node: int
    apply: Callable[[Any], None]

    @property
    def name(self) -> str:
        """A name that tells it from the other mutations of the module, without blanks."""
        return f"{self.place}:{self.line}:{self.change}"

    @property
    def description(self) -> str:
        """What is changed, in one line."""
        return f"{self.place}, line {self.line}: `{self.before}` {self.after}"

    def altered(self, module: ast.Module) -> ast.Module:
        """The module with the change; the given one stays as it is."""
        changed = ast.Module(list(module.body), [])
        owner, _, method = self.place.partition(".")
        for index, node in enumerate(changed.body):
            if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == owner:
                changed.body[index] = altered = deepcopy(node)
        if method:
            altered = next(m for m in altered.body if isinstance(m, ast.FunctionDef) and m.name == method)
        self.apply(list(_nodes(altered))[self.node])
        return ast.fix_missing_locations(changed)


def plain_module(text: str) -> ast.Module:
    """The syntax of a module, as it is printed without docstrings and comments."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return ast.parse(ast.unparse(tree))


def mutations(
    module: ast.Module, places: tuple[str, ...], left_out: tuple[str, ...] = FOR_PEOPLE, *, thorough: bool = False
) -> Iterator[Mutation]:
    """All mutations of some definitions of a module.

    Args:
        module: as `plain_module` makes it.
        places: names of functions, `Class.method`, or classes for all of their methods but some.
        left_out: the names of these.
        thorough: whether changes are wanted as well that often are harmless or break the program down at once: other
            comparisons, statements left out or exchanged wherever they stand, another name returned, and those of what
            a class has beside its methods.

    Raises:
        LookupError: the module has no such definition.
    """
    for place in places:
        parts: list[tuple[str, ast.ClassDef | ast.FunctionDef]] = [*functions(module, place, left_out)]
        if thorough:
            parts += [(place, node) for node in module.body if isinstance(node, ast.ClassDef) and node.name == place]
        for path, part in parts:
            seen: Counter[tuple[int, str]] = Counter()
            for index, node in enumerate(_nodes(part)):
                for change in _changes(node, thorough):
                    line = getattr(change.target, "lineno", part.lineno) - part.lineno
                    seen[line, change.name] += 1
                    number = seen[line, change.name]
                    name = change.name if number == 1 else f"{change.name}.{number}"
                    yield Mutation(path, line, name, _text(change.target), _after(change), index, change.apply)


def functions(
    module: ast.Module, place: str, left_out: tuple[str, ...] = FOR_PEOPLE
) -> Iterator[tuple[str, ast.FunctionDef]]:
    """The functions that a place stands for, each with its own place; of a class all but some.

    Raises:
        LookupError: there is none.
    """
    name, _, method = place.partition(".")
    for node in module.body:
        if isinstance(node, ast.FunctionDef) and node.name == place:
            yield place, node
            return
        if isinstance(node, ast.ClassDef) and node.name == name:
            found = [
                member
                for member in node.body
                if isinstance(member, ast.FunctionDef)
                and (member.name == method if method else member.name not in left_out)
            ]
            if found:
                yield from ((f"{name}.{member.name}", member) for member in found)
                return
    raise LookupError(f"the module has no {place}")


def _nodes(node: ast.AST) -> Iterator[ast.AST]:
    """What can be changed within a function, or in a class beside its methods, in order.

    Not a signature, nor what refuses bad input.
    """
    yield node
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "args" if isinstance(node, ast.FunctionDef) else ""):
            continue
        for child in value if isinstance(value, list) else [value]:
            is_method = isinstance(node, ast.ClassDef) and isinstance(child, ast.FunctionDef)
            if isinstance(child, ast.AST) and not is_method and not _refuses(child):
                yield from _nodes(child)


def _refuses(node: ast.AST) -> bool:
    """Whether a statement does nothing but to complain, or complains under a condition."""
    if isinstance(node, ast.If):
        return all(isinstance(statement, ast.Raise) for statement in node.body)
    return isinstance(node, ast.Raise | ast.Assert)


class _Change(NamedTuple):
    """A change at a node: its name, the node or statement it is about, how it is done, what that does in words."""

    name: str
    target: ast.AST
    apply: Callable[[Any], None]
    words: str = ""


def _text(node: ast.AST) -> str:
    if isinstance(node, ast.If | ast.While):
        return f"{type(node).__name__.lower()} {ast.unparse(node.test)}"
    if isinstance(node, ast.For):
        return f"for {ast.unparse(node.target)} in {ast.unparse(node.iter)}"
    return " ".join(ast.unparse(node).split())


def _after(change: _Change) -> str:
    if change.words:
        return change.words
    changed = deepcopy(change.target)
    change.apply(changed)
    return f"becomes `{_text(ast.fix_missing_locations(changed))}`"


def _changes(node: ast.AST, thorough: bool) -> Iterator[_Change]:
    if thorough:
        yield from _further_changes(node)
    match node:
        case ast.Compare(ops=[operator], comparators=[other]) if type(operator) in COMPARISONS:
            name, tied, opposite = COMPARISONS[type(operator)]
            yield _Change(f"{name}-{COMPARISONS[tied][0]}", node, _setter("ops", [tied()]))
            yield _Change(f"{name}-{COMPARISONS[opposite][0]}", node, _setter("ops", [opposite()]))
            # Ties taken the other way move the bound by one in one direction; this moves it in the other.
            sign = ast.Sub() if isinstance(operator, ast.Lt | ast.GtE) else ast.Add()
            shifted = ast.BinOp(other, sign, ast.Constant(1))
            yield _Change(f"{name}-shifted", node, _setter("comparators", [shifted]))
        case ast.Compare(ops=[operator]) if type(operator) in OPPOSITES:
            change, negated = OPPOSITES[type(operator)]
            yield _Change(change, node, _setter("ops", [negated()]))
        case ast.Constant(value=int() as value) if not isinstance(value, bool):
            yield _Change(f"{value}-less", node, _setter("value", value - 1))
            yield _Change(f"{value}-more", node, _setter("value", value + 1))
        case ast.Name(id=name, ctx=place) if name in EXCHANGED and (thorough or isinstance(place, ast.Load)):
            yield _Change(f"{name}-{EXCHANGED[name]}", node, _setter("id", EXCHANGED[name]))
        case ast.Attribute(attr=name, ctx=place) if name in EXCHANGED and (thorough or isinstance(place, ast.Load)):
            yield _Change(f"{name}-{EXCHANGED[name]}", node, _setter("attr", EXCHANGED[name]))
        case ast.BinOp(op=ast.Add() | ast.Sub() as sign):
            plus = isinstance(sign, ast.Add)
            opposite_sign = ast.Sub() if plus else ast.Add()
            yield _Change("plus-minus" if plus else "minus-plus", node, _setter("op", opposite_sign))
        case ast.BoolOp(op=connective):
            both = isinstance(connective, ast.And)
            yield _Change("and-or" if both else "or-and", node, _setter("op", ast.Or() if both else ast.And()))
            for number in range(len(node.values)):
                yield _Change(f"without-{number + 1}", node, _leave_out("values", number))
        case ast.UnaryOp(op=ast.Not()):
            yield _Change("not-not", node, _setter("operand", ast.UnaryOp(ast.Not(), node.operand)))
        case ast.IfExp():
            yield _Change("branches", node, _exchange("body", "orelse"))
        case ast.If(test=test):
            yield _Change("if-not", node, _setter("test", ast.UnaryOp(ast.Not(), test)))
            yield _Change("always", node, _setter("test", ast.Constant(True)))
        case ast.Call(args=[one, another]) if ast.dump(one) != ast.dump(another):
            yield _Change("arguments", node, _swap("args", 0))
    if not isinstance(node, ast.ClassDef):
        yield from _changed_statements(node, thorough)


def _further_changes(node: ast.AST) -> Iterator[_Change]:
    """What else a thorough search changes at a node; of a comparison all that `_changes` does not."""
    match node:
        case ast.Compare(ops=[operator]) if type(operator) in NUMERIC:
            usual = (type(operator), *(COMPARISONS.get(type(operator)) or OPPOSITES[type(operator)])[1:])
            for other in NUMERIC:
                if other not in usual:
                    yield _Change(f"to-{other.__name__.lower()}", node, _setter("ops", [other()]))
        case ast.Attribute(attr=name) if name in QUESTIONS:
            yield _Change("question", node, _setter("attr", QUESTIONS[name]))


def _changed_statements(node: ast.AST, thorough: bool) -> Iterator[_Change]:
    """What can be changed about the statements directly within a node."""
    is_beginning = isinstance(node, ast.FunctionDef) and node.name == "__init__"
    is_step = isinstance(node, ast.FunctionDef) and node.name == "step"
    for field in ("body", "orelse"):
        statements = getattr(node, field, None)
        if not isinstance(statements, list):
            continue
        for place, statement in enumerate(statements):
            if _can_be_dropped(statement, thorough) and (thorough or not is_beginning):
                yield _Change("drop", statement, _put(field, place, ast.Pass()), "is left out")
            if is_step and isinstance(statement, ast.Return) and ast.unparse(statement.value or node) != LOST:
                lost = ast.Return(ast.Name(LOST, ast.Load()))
                yield _Change("lost", statement, _put(field, place, lost), "loses its result")
            if thorough and isinstance(statement, ast.Return) and isinstance(statement.value, ast.Name):
                for name in sorted({"left", "right", *([] if is_step else [LOST])} - {statement.value.id}):
                    other = ast.Return(ast.Name(name, ast.Load()))
                    yield _Change(name, statement, _put(field, place, other), f"becomes `return {name}`")
            if place + 1 < len(statements) and _order_matters(statement, statements[place + 1], thorough):
                words = f"comes after `{_text(statements[place + 1])}`"
                yield _Change("later", statement, _swap(field, place), words)


def _can_be_dropped(statement: ast.stmt, thorough: bool) -> bool:
    """Without the first value of a local variable every program breaks down at once, which tells nothing."""
    if thorough and isinstance(statement, ast.Assign | ast.AnnAssign):
        return True
    if isinstance(statement, ast.Assign):
        return isinstance(statement.targets[0], ast.Attribute | ast.Subscript)
    return isinstance(statement, ast.AugAssign | ast.Expr | ast.Delete | ast.If) and not _refuses(statement)


def _order_matters(one: ast.stmt, other: ast.stmt, thorough: bool) -> bool:
    """Whether two neighbouring statements can be exchanged, and one of them may change what the other sees.

    A thorough search sees for itself whether it does.
    """
    if thorough:
        return not isinstance(one, ast.Return)
    kinds = (ast.Assign, ast.AugAssign, ast.Expr, ast.If, ast.Delete)
    if not (isinstance(one, kinds) and isinstance(other, kinds)) or _refuses(one) or _refuses(other):
        return False
    (stored, used, calls), (other_stored, other_used, other_calls) = _touched(one), _touched(other)
    return bool(stored & other_used or other_stored & used or (calls and other_calls))


def _touched(statement: ast.stmt) -> tuple[set[str], set[str], bool]:
    """The names and attributes that a statement stores, those that it mentions, and whether it calls anything."""
    stored, used, calls = set(), set(), False
    for node in ast.walk(statement):
        calls = calls or isinstance(node, ast.Call)
        if isinstance(node, ast.Name | ast.Attribute):
            name = node.id if isinstance(node, ast.Name) else node.attr
            used.add(name)
            if not isinstance(node.ctx, ast.Load):
                stored.add(name)
    return stored, used, calls


def _setter(field: str, value: object) -> Callable[[Any], None]:
    return lambda node: setattr(node, field, deepcopy(value))


def _leave_out(field: str, place: int) -> Callable[[Any], None]:
    return lambda node: getattr(node, field).pop(place)


def _exchange(first: str, second: str) -> Callable[[Any], None]:
    def apply(node: Any) -> None:
        one, other = getattr(node, first), getattr(node, second)
        setattr(node, first, other)
        setattr(node, second, one)

    return apply


def _put(field: str, place: int, statement: ast.stmt) -> Callable[[Any], None]:
    return lambda node: getattr(node, field).__setitem__(place, deepcopy(statement))


def _swap(field: str, place: int) -> Callable[[Any], None]:
    def apply(node: Any) -> None:
        statements = getattr(node, field)
        statements[place : place + 2] = statements[place + 1], statements[place]

    return apply


@cache
def source(module: str) -> ast.Module:
    """The syntax of a module, without docstrings and comments.

    Raises:
        LookupError: there is no such module.
    """
    return plain_module(path_of(module).read_text("utf-8"))
