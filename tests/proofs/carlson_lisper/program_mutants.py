"""Programs with one small change that the tests of the proofs put to them."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

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
            exec(compile(ast.unparse(node), "<mutant>", "exec", dont_inherit=True), names)
    return names


def mutants(module: ModuleType, owner: str) -> Iterator[ProgramMutant]:
    """Every change of a class or function of a module, but for texts for people."""
    tree = source(module.__name__)
    seen: Counter[str] = Counter()
    for mutation in mutations(tree, (owner,), ("__repr__",), thorough=True):
        name = f"{mutation.place}: `{mutation.before}` {mutation.after}"
        seen[name] += 1
        yield ProgramMutant(owner, name + (f" ({seen[name]})" if seen[name] > 1 else ""), mutation, tree)
