"""Sabotages as data, and their application: one definition of the running program gets another text."""

from __future__ import annotations
import __future__

import ast
import functools
import gc
import inspect
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, is_dataclass
from importlib import import_module, resources
from importlib.util import find_spec
from types import CodeType, FunctionType, ModuleType
from typing import Any

import click

from campaigns.mutants.private_modules import Compiled, path_of
from remora.cli import ROOMS
from semantics.errors import InputError

CATALOGUE = "catalogue.toml"

_ANNOTATIONS = __future__.annotations.compiler_flag


@dataclass(frozen=True)
class Sabotage:
    """One change that makes a part of the verifier say yes too easily.

    Attributes:
        definition: the function, method or assigned name in it.
        before: a text that occurs once in the definition.
        seen_by: the check that is expected to notice.
        needs: a package that the module imports and that need not be installed; "" for none.
    """

    id: str
    what: str
    module: str
    definition: str
    before: str
    after: str
    seen_by: str
    needs: str = ""

    @property
    def is_possible(self) -> bool:
        """Whether what the module needs is installed."""
        return not self.needs or find_spec(self.needs) is not None

    @property
    def room(self) -> str:
        """The room of the module, with the system where it is one's own."""
        return self.module.rpartition(".")[0].replace(".", "/")

    @property
    def place(self) -> str:
        """What is changed."""
        return f"{self.module}.{self.definition}"


def catalogue() -> tuple[Sabotage, ...]:
    """All sabotages, in their order.

    Raises:
        InputError: two have the same name.
    """
    text = resources.files(__package__).joinpath(CATALOGUE).read_text("utf-8")
    found = tuple(Sabotage(**record) for record in tomllib.loads(text)["sabotage"])
    names = [each.id for each in found]
    for name in names:
        if names.count(name) > 1:
            raise InputError("there are two sabotages of this name", place=name)
    return found


@contextmanager
def applied(sabotage: Sabotage) -> Iterator[None]:
    """Run with a sabotage; what was computed and kept before is forgotten, at both ends.

    A function or method gets other code, so that whoever has it runs that. A mapping that is assigned to a name gets
    other contents, and so does a dataclass; another value is replaced wherever modules have it under that name.

    Raises:
        InputError: the text that is to be replaced does not occur once in the definition.
    """
    module = import_module(sabotage.module)
    text, name = edited(sabotage), sabotage.definition
    function = _function(module, name)
    if function is None:
        first, last = _extent(text, sabotage)
        text = "".join(text.splitlines(keepends=True)[first:last])
    program = compile(text, str(path_of(sabotage.module)), "exec", dont_inherit=True, flags=_ANNOTATIONS)
    change = _value_replaced(module, name, program) if function is None else _code_replaced(function, program)
    with change:
        forget()
        try:
            yield
        finally:
            forget()


def edited(sabotage: Sabotage) -> str:
    """The program of the module with the change."""
    text = path_of(sabotage.module).read_text("utf-8")
    lines = text.splitlines(keepends=True)
    first, last = _extent(text, sabotage)
    body = "".join(lines[first:last])
    if body.count(sabotage.before) != 1:
        raise InputError(
            f"{sabotage.before!r} occurs {body.count(sabotage.before)} times in {sabotage.place}",
            place=sabotage.id,
        )
    return "".join([*lines[:first], body.replace(sabotage.before, sabotage.after), *lines[last:]])


def _extent(text: str, sabotage: Sabotage) -> tuple[int, int]:
    """The lines of a definition: from the first to before the last."""
    nodes: list[Any] = _read(text)
    found: Any = None
    for name in sabotage.definition.split("."):
        found = next((node for node in nodes if _defines(node, name)), None)
        if found is None:
            raise InputError(f"there is no {sabotage.place}", place=sabotage.id)
        nodes = getattr(found, "body", [])
    return found.lineno - 1, found.end_lineno


@functools.lru_cache(maxsize=64)
def _read(text: str) -> list[Any]:
    return ast.parse(text).body


def _defines(node: Any, name: str) -> bool:
    targets = [*getattr(node, "targets", ()), getattr(node, "target", None)]
    return getattr(node, "name", None) == name or any(getattr(one, "id", None) == name for one in targets)


def _function(module: ModuleType, definition: str) -> FunctionType | None:
    """The function behind a name, under what decorators made of it."""
    owner: Any = module
    for name in definition.split("."):
        owner = inspect.getattr_static(owner, name)
    match owner:
        case property():
            owner = owner.fget
        case functools.cached_property():
            owner = owner.func
        case staticmethod() | classmethod():
            owner = owner.__func__
        case click.Command():
            owner = owner.callback
    owner = inspect.unwrap(owner) if callable(owner) else owner
    return owner if isinstance(owner, FunctionType) else None


@contextmanager
def _code_replaced(function: FunctionType, program: CodeType) -> Iterator[None]:
    kept, function.__code__ = function.__code__, _code(program, function.__code__.co_qualname)
    try:
        yield
    finally:
        function.__code__ = kept


def _code(program: CodeType, name: str) -> CodeType:
    """The code of a definition within that of its module."""
    pending = [program]
    while pending:
        code = pending.pop()
        if code.co_qualname == name:
            return code
        pending += [each for each in code.co_consts if isinstance(each, CodeType)]
    raise LookupError(name)


@contextmanager
def _value_replaced(module: ModuleType, name: str, program: CodeType) -> Iterator[None]:
    kept = vars(module)[name]
    made = ModuleType(module.__name__)
    vars(made).update(vars(module))
    Compiled(program).exec_module(made)
    changed = vars(made)[name]
    if isinstance(kept, dict) or (is_dataclass(kept) and hasattr(kept, "__dict__")):
        # Changed as it stands, so that what holds it as well, such as defaults, has the change.
        held, others = (each if isinstance(each, dict) else vars(each) for each in (kept, changed))
        contents = dict(held)
        _fill(held, others)
        try:
            yield
        finally:
            _fill(held, contents)
        return
    owners = [one for one in list(sys.modules.values()) if getattr(one, "__dict__", {}).get(name) is kept]
    for one in owners:
        setattr(one, name, changed)
    try:
        yield
    finally:
        for one in owners:
            setattr(one, name, kept)


def _fill(mapping: dict[Any, Any], contents: dict[Any, Any]) -> None:
    mapping.clear()
    mapping.update(contents)


def forget() -> None:
    """Empty the caches of the project's functions: what they hold was computed by the program as it was."""
    gc.unfreeze()  # what is frozen is not among the objects that the collector lists
    for each in gc.get_objects():
        if type(each) is functools._lru_cache_wrapper:  # which a weak proxy only claims to be
            module = getattr(each, "__module__", None) or ""
            if module.partition(".")[0] in ROOMS:
                each.cache_clear()
