"""Programs with one small change that the tests of the proofs put to them."""

from __future__ import annotations

import ast
import linecache
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from types import FrameType, ModuleType
from typing import Any, ParamSpec, TypeVar

from tests.proofs.carlson_lisper.changes import Mutation, mutations, source


@dataclass(frozen=True)
class ProgramMutant:
    """A class or a function with one change.

    Attributes:
        owner: the name of the class or function.
        name: the place and the change, in words that do not depend on line numbers.
        mutation: the change.
        of: the module without it.
    """

    owner: str
    name: str
    mutation: Mutation
    of: ast.Module

    @property
    def module(self) -> ast.Module:
        """The module with the change."""
        return self.mutation.altered(self.of)

    def define(self, namespace: Mapping[str, Any]) -> Any:
        """The changed class or function, defined among the given names."""
        return defined(self.module, (self.owner,), namespace)[self.owner]


def defined(module: ast.Module, owners: tuple[str, ...], namespace: Mapping[str, Any]) -> dict[str, Any]:
    """Names, after some classes and functions of a module have been defined among them."""
    names = dict(namespace)
    for node in module.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name in owners:
            text = ast.unparse(node)
            file = f"<mutant {sha256(text.encode()).hexdigest()}>"
            linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)  # the proofs read it
            exec(compile(text, file, "exec", dont_inherit=True), names)
    return names


def mutants(module: ModuleType, owner: str) -> Iterator[ProgramMutant]:
    """Every change of a class or function of a module, but for texts for people."""
    tree = source(module.__name__)
    seen: Counter[str] = Counter()
    for mutation in mutations(tree, (owner,), ("__repr__",), thorough=True):
        name = f"{mutation.place}: `{mutation.before}` {mutation.after}"
        seen[name] += 1
        yield ProgramMutant(owner, name + (f" ({seen[name]})" if seen[name] > 1 else ""), mutation, tree)


_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")


class Endless(RuntimeError):
    """More lines were executed than a right program needs."""


def limited(function: Callable[_Arguments, _Result], lines: int) -> Callable[_Arguments, _Result]:
    """The function, ended by `Endless` when it and what it calls execute more lines of Python than a limit.

    Lines and not seconds, so that the same call ends in the same way on every machine. Whoever traces the thread, such
    as a debugger, does not see these lines.
    """

    def called(*arguments: _Arguments.args, **named: _Arguments.kwargs) -> _Result:
        left = lines

        def watch(frame: FrameType, event: str, _: object) -> Any:
            nonlocal left
            left -= event == "line"
            if left < 0:
                raise Endless(f"it does not end within {lines} lines")
            return watch

        before = sys.gettrace()
        sys.settrace(watch)
        try:
            return function(*arguments, **named)
        finally:
            sys.settrace(before)

    return called
