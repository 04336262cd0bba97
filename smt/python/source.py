"""Source of the functions that run: their syntax trees, and the attributes of their classes."""

import ast
import linecache
from abc import ABCMeta
from collections.abc import Iterable
from functools import cache, lru_cache
from types import CodeType
from typing import Protocol

from smt.python.paths import NotTranslated

_METACLASSES = (type, ABCMeta, type(Protocol))

_LOOKUP = ("__getattribute__", "__getattr__", "__setattr__", "__delattr__", "__new__")
"""Methods that change what the attributes of an object are."""


@cache
def definition(code: CodeType) -> ast.FunctionDef | ast.Lambda:
    """The syntax tree of a function, whose source compiles to the code that runs; `NotTranslated` where it does not."""
    where = f"{code.co_filename}:{code.co_firstlineno}: {code.co_qualname}"
    linecache.checkcache(code.co_filename)
    try:
        tree, compiled = _compiled("".join(linecache.getlines(code.co_filename)))
    except SyntaxError:
        raise NotTranslated(f"{where}: its source is no program") from None
    if code not in compiled:
        raise NotTranslated(f"{where}: the code that runs is not that of its source")
    there = (code.co_firstlineno, code.co_name, code.co_varnames[: code.co_argcount])
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Lambda | ast.FunctionDef):
            name, above = ("<lambda>", []) if isinstance(node, ast.Lambda) else (node.name, node.decorator_list)
            line = min(each.lineno for each in (node, *above))
            if (line, name, tuple(each.arg for each in node.args.args)) == there:
                found.append(node)
    if len(found) != 1:
        raise NotTranslated(f"{where}: several functions of this name begin on one line")
    return found[0]


@lru_cache(maxsize=64)
def _compiled(text: str) -> tuple[ast.Module, frozenset[CodeType]]:
    """The syntax tree of a program, and the code of its functions."""
    tree = ast.parse(text)
    return tree, frozenset(_codes(compile(tree, "<source>", "exec", dont_inherit=True)))


def _codes(code: CodeType) -> Iterable[CodeType]:
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _codes(each)


NOTHING = object()  # What stands for an attribute that no class has


def looked_up(kind: type, name: str, after: type | None = None) -> object:
    """An attribute of a class, as Python looks it up, behind another class as `super` does; `NOTHING` if none."""
    if type(kind) not in _METACLASSES:
        raise NotTranslated(f"{kind.__name__} is of the metaclass {type(kind).__name__}")
    order = kind.__mro__[:-1]
    if after is not None and after not in order:
        raise NotTranslated(f"{after.__name__} is no base of {kind.__name__}")
    for each in order:
        for special in _LOOKUP:
            if special in vars(each) and not (special == "__new__" and each.__module__ == "typing"):
                raise NotTranslated(f"{each.__name__} has a {special}")
    for each in order if after is None else order[order.index(after) + 1 :]:
        if name in vars(each):
            return vars(each)[name]
    return NOTHING
