"""Programs with one symbol changed, made from the source of the detectors; used by the tests of the proofs."""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

COMPARISONS: tuple[type[ast.cmpop], ...] = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)

EXCHANGED = {
    "left": "right",
    "right": "left",
    "min": "max",
    "max": "min",
    "start": "end",
    "end": "start",
    "latest_before": "evict_before",
    "evict_before": "latest_before",
    "bisect_left": "bisect_right",
}
"""Names that are easily taken for each other."""

RETURNED = ("left", "right", "NON_OCCURRENCE")
"""What a step can return instead of a name or ⟨⟩."""


@dataclass(frozen=True)
class ProgramMutant:
    """A class or a function with one change.

    Attributes:
        owner: the name of the class or function.
        change: the place and the change, in words that do not depend on line numbers.
        tree: the changed definition.
    """

    owner: str
    change: str
    tree: ast.stmt

    @property
    def name(self) -> str:
        """A name that tells this mutant from all others."""
        return f"{self.owner}{self.change}"

    def define(self, namespace: Mapping[str, Any]) -> Any:
        """The changed class or function, defined among the given names."""
        return defined(self.tree, namespace)[self.owner]


def defined(tree: ast.stmt, namespace: Mapping[str, Any]) -> dict[str, Any]:
    """The names after a definition."""
    names = dict(namespace)
    define_in(names, tree)
    return names


def define_in(names: dict[str, Any], tree: ast.stmt) -> None:
    """Define a class or function among names, which later definitions see as well."""
    exec(compile(ast.Module([tree], []), "<mutant>", "exec"), names)


def definitions(module: ModuleType) -> dict[str, ast.stmt]:
    """The classes and functions of a module, by name; docstrings are left out."""
    tree = ast.parse(Path(str(module.__file__)).read_text("utf-8"))
    found = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return dict(found)


def mutants(
    module: ModuleType, owner: str, left_out: frozenset[str] = frozenset()
) -> Iterator[ProgramMutant]:
    """Every change of one symbol, one statement or one branch in a class or function of a module.

    Args:
        module: where it is defined.
        owner: the name of the class or function.
        left_out: names of methods that stay as they are.
    """
    tree = definitions(module)[owner]
    seen: Counter[str] = Counter()
    for place, path, node in _places(tree, left_out):
        for change, apply in _changes(node):
            changed = deepcopy(tree)
            target = next(other for number, _, other in _places(changed, left_out) if number == place)
            apply(target)
            ast.fix_missing_locations(changed)
            name = f"{path}: {change}"
            seen[name] += 1
            yield ProgramMutant(owner, name + (f" ({seen[name]})" if seen[name] > 1 else ""), changed)


def _places(tree: ast.stmt, left_out: frozenset[str]) -> Iterator[tuple[int, str, ast.AST]]:
    """Every node within, with a number and the method that it belongs to; types and names of slots do not count."""
    number = 0

    def walk(node: ast.AST, path: str) -> Iterator[tuple[int, str, ast.AST]]:
        nonlocal number
        for field, value in ast.iter_fields(node):
            if field in (
                "annotation",
                "returns",
                "args" if isinstance(node, ast.FunctionDef) else "",
                "bases",
            ):
                continue
            for child in value if isinstance(value, list) else [value]:
                if not isinstance(child, ast.AST) or _is_declaration(child):
                    continue
                inner = path
                if isinstance(child, ast.FunctionDef):
                    if child.name in left_out:
                        continue
                    inner = f"{path}.{child.name}"
                number += 1
                yield number, inner, child
                yield from walk(child, inner)

    number += 1
    yield number, "", tree
    yield from walk(tree, "")


def _is_declaration(node: ast.AST) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return any(isinstance(target, ast.Name) and target.id in ("__slots__", "VARIABLES") for target in targets)


_Change = tuple[str, Callable[[Any], None]]


def _text(node: ast.AST | list[ast.stmt]) -> str:
    text = "; ".join(map(ast.unparse, node)) if isinstance(node, list) else ast.unparse(node)
    return " ".join(text.split())


def _changes(node: ast.AST) -> Iterator[_Change]:
    """What can be changed at a node."""
    match node:
        case ast.Compare(ops=[operator]) if isinstance(operator, COMPARISONS):
            for other in COMPARISONS:
                if not isinstance(operator, other):
                    changed = deepcopy(node)
                    changed.ops = [other()]
                    yield f"{_text(node)} → {_text(changed)}", _setter("ops", [other()])
        case ast.Compare(ops=[ast.Is() | ast.IsNot() as operator]):
            opposite = ast.IsNot() if isinstance(operator, ast.Is) else ast.Is()
            yield f"{_text(node)} negated", _setter("ops", [opposite])
        case ast.Constant(value=int() as value) if not isinstance(value, bool):
            for other_value in (value - 1, value + 1):
                yield f"{value} → {other_value}", _setter("value", other_value)
        case ast.Name(id=name) if name in EXCHANGED:
            yield f"{name} → {EXCHANGED[name]}", _setter("id", EXCHANGED[name])
        case ast.Attribute(attr=name) if name in EXCHANGED:
            other_name = EXCHANGED[name]
            yield f"{_text(node)} → .{other_name}", _setter("attr", other_name)
        case ast.BinOp(op=ast.Add() | ast.Sub() as sign):
            opposite_sign = ast.Sub() if isinstance(sign, ast.Add) else ast.Add()
            yield f"{_text(node)} with the opposite sign", _setter("op", opposite_sign)
        case ast.BoolOp(op=connective):
            other_connective = ast.Or() if isinstance(connective, ast.And) else ast.And()
            yield f"{_text(node)} with the other connective", _setter("op", other_connective)
        case ast.IfExp():
            yield f"{_text(node)} with branches exchanged", _exchange("body", "orelse")
        case ast.If(test=test, orelse=[]):
            yield f"if not ({_text(test)})", _setter("test", ast.UnaryOp(ast.Not(), test))
        case ast.If(test=test):
            yield f"if {_text(test)} with branches exchanged", _exchange("body", "orelse")
    yield from _changed_statements(node)


def _changed_statements(node: ast.AST) -> Iterator[_Change]:
    for field in ("body", "orelse"):
        statements = getattr(node, field, None)
        if not isinstance(statements, list) or isinstance(node, ast.ClassDef):
            continue
        for place, statement in enumerate(statements):
            if isinstance(statement, ast.Assign | ast.AnnAssign | ast.Expr | ast.Delete | ast.If):
                words = f"if {_text(statement.test)}" if isinstance(statement, ast.If) else _text(statement)
                yield f"without `{words}`", _drop(field, place)
            if isinstance(statement, ast.Return) and isinstance(statement.value, ast.Name):
                for other in RETURNED:
                    if statement.value.id != other:
                        yield f"{_text(statement)} → {other}", _return(field, place, other)
            if place + 1 < len(statements) and not isinstance(statement, ast.Return):
                both = f"`{_text(statement)[:40]}` and `{_text(statements[place + 1])[:40]}`"
                yield f"{both} in the other order", _swap(field, place)


def _setter(field: str, value: object) -> Callable[[Any], None]:
    return lambda node: setattr(node, field, deepcopy(value))


def _exchange(first: str, second: str) -> Callable[[Any], None]:
    def apply(node: Any) -> None:
        one, other = getattr(node, first), getattr(node, second)
        setattr(node, first, other)
        setattr(node, second, one)

    return apply


def _drop(field: str, place: int) -> Callable[[Any], None]:
    return lambda node: getattr(node, field).__setitem__(place, ast.Pass())


def _return(field: str, place: int, name: str) -> Callable[[Any], None]:
    return lambda node: getattr(node, field).__setitem__(place, ast.Return(ast.Name(name, ast.Load())))


def _swap(field: str, place: int) -> Callable[[Any], None]:
    def apply(node: Any) -> None:
        statements = getattr(node, field)
        statements[place : place + 2] = statements[place + 1], statements[place]

    return apply


# ---------------------------------------------------------------------------------------------------- endless loops


class TooLong(RuntimeError):
    """More lines were executed than a right program needs."""


def with_budget(function: Callable[..., Any], lines: int = 20_000) -> Callable[..., Any]:
    """The function, ended by `TooLong` when it executes more lines of its own code than a budget."""
    code = function.__code__

    def limited(*arguments: Any) -> Any:
        left = lines

        def watch(frame: FrameType, event: str, _: object) -> Any:
            nonlocal left
            if frame.f_code is not code:
                return None
            left -= 1
            if left < 0:
                raise TooLong
            return watch

        before = sys.gettrace()
        sys.settrace(watch)
        try:
            return function(*arguments)
        finally:
            sys.settrace(before)

    return limited
